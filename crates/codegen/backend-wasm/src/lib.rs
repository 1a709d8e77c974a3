//! From kernel to WebAssembly: a module, a typed JavaScript wrapper, and a sample program for Node.
//!
//! The cells of a kernel module are the linear memory, from its beginning on; kernel functions become functions of the same
//! types, and those that no other calls are exported, or all of them. Every operator has an instruction that means the same.

mod expression;
mod function;
mod sample;
mod translate;

pub use sample::{File, emit};
pub use translate::{Exported, sizes, translate};
