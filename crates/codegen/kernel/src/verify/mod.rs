//! The verifier: everything a module must satisfy before it is interpreted or compiled, with all faults at once.
//!
//! Indices are proven only where they are constant. The interpreter checks the others; compiled code does not, so
//! templates are tested in the interpreter.

mod calls;
mod fault;
mod flow;
mod names;
mod types;

pub use fault::{Fault, Problem};

use crate::Module;

pub fn verify(module: &Module) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    names::check(module, &mut faults);
    types::check(module, &mut faults);
    // What follows looks things up by id, so it wants a module whose ids and types are right.
    if faults.is_empty() {
        flow::check(module, &mut faults);
        calls::check(module, &mut faults);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
