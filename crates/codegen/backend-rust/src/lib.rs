//! From kernel to Rust: a crate without dependencies, whose library needs no operating system, and a sample program.
//!
//! The arrays of a module become the fields of one record, those that never change constants, its functions methods.
//! Integer arithmetic wraps around and every real operator rounds by itself, as in the kernel, so the program computes the
//! same bits as the interpreter.

mod expression;
mod function;
mod memory;
mod names;
mod sample;
mod translate;

pub use sample::emit;
pub use translate::translate;
