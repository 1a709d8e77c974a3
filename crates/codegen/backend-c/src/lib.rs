//! From kernel to C99: a header, a source, and a sample program around them.
//!
//! The arrays of a module become the fields of one record, those that never change tables beside it, its functions C
//! functions that take the record. Integer arithmetic wraps around and every real operator rounds by itself, as in the
//! kernel, so the program computes the same bits as the interpreter.

mod cuda;
mod dialect;
mod expression;
mod fmu;
mod function;
mod lanes;
mod memory;
mod names;
mod operator;
mod sample;
mod translate;

pub use cuda::{EVENTS, Ensemble, Fixed, emit as emit_cuda, ensemble};
pub use fmu::{Exchange, Fmi, Slopes, Unit, emit_fmu};
pub use lanes::{ENTRY as LANES_ENTRY, Lanes, lanes};
pub use sample::emit;
pub use translate::{Translation, translate};
