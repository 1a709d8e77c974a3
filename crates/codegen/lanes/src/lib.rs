//! A function of a module for several memories at a time, in the vectors of the processor: made by the C compiler of the machine, which is
//! looked for at run time.

mod compiler;
mod library;
mod program;

pub use compiler::{Compiler, is_known};
pub use program::{Program, Refused, Source};
