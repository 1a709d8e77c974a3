//! A computer with an operating system.

use std::sync::Arc;

use backend_cranelift::Options;
pub use backend_cranelift::{Compiled, Error, Listing};
use kernel::Module;
pub use std::time::Instant;

pub fn compile(module: Arc<Module>) -> Result<Compiled, Error> {
    backend_cranelift::compile(module, &Options::default())
}

/// The code of a module that grew out of another: what is as it was is not compiled again.
pub fn extend(before: &Compiled, module: Arc<Module>) -> Result<Compiled, Error> {
    backend_cranelift::extend(before, module, &Options::default())
}

/// The machine code of each function, to be read.
pub fn listings(module: &Module) -> Result<Vec<Listing>, Error> {
    let options = Options { keep_text: true, ..Options::default() };
    backend_cranelift::compile(module, &options)?.listings()
}
