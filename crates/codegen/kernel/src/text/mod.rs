//! The text form of modules: printing, and parsing back to the same module.
//!
//! ```text
//! module mean;
//!
//! /// samples
//! array x: real[3] = [1.0, 2.0, 6.0];
//!
//! fn mean(limit: real) -> real {
//!     let sum: real;
//!     let i: integer;
//!     sum = 0.0;
//!     for i in 0 .. 3 {
//!         sum = sum + x[i];
//!     }
//!     if sum > limit {
//!         return limit;
//!     }
//!     return sum / 3.0;
//! }
//! ```

mod lexicon;
mod parse;
mod print;
mod token;

pub use lexicon::{is_identifier, is_keyword};
pub use parse::{ParseError, parse};
pub use print::{print, print_function, print_heading};
