//! From kernel modules to machine code in memory, with Cranelift. The results are those of the interpreter, bit for
//! bit, except for the bits of what is not a number.
//!
//! Indices are not checked at run time: a program whose index can leave its array must not be compiled. Programs are
//! tested in the interpreter, which reports such an index.
//!
//! ```
//! use backend_cranelift::{Options, compile};
//! use kernel::Machine;
//!
//! let module = kernel::parse("module m; fn hypotenuse(a: real, b: real) -> real { return sqrt(a * a + b * b); }").unwrap();
//! let hypotenuse = module.find_function("hypotenuse").unwrap();
//! let compiled = compile(&module, &Options::default()).unwrap();
//! let result = compiled.call_real(hypotenuse, &[3.0.into(), 4.0.into()], &mut module.initial_memory());
//! assert_eq!(result, Ok(5.0));
//! ```

mod compile;
mod compiled;

mod demand;
mod entry;
mod generator;
mod host;
mod regions;
mod translate;
mod work;

mod code;

pub use compile::{Effort, Error, Options, compile, extend};
pub use compiled::{Compiled, Listing};
