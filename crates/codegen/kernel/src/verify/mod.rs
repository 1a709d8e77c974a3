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

use crate::{Function, Module};

pub fn verify(module: &Module) -> Result<(), Vec<Fault>> {
    verify_grown(module, &[])
}

/// As [`verify`], for a module that grew: functions that are marked were verified in one in which whatever they speak of was the same.
pub fn verify_grown(module: &Module, known: &[bool]) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    let new = |at: usize| !known.get(at).is_some_and(|known| *known);
    let functions: Vec<&Function> =
        module.functions.iter().enumerate().filter(|(at, _)| new(*at)).map(|it| &**it.1).collect();
    names::check(module, &functions, &mut faults);
    types::check(module, &functions, &mut faults);
    // What follows looks things up by id, so it wants a module whose ids and types are right.
    if faults.is_empty() {
        flow::check(module, &functions, &mut faults);
        calls::check(module, &mut faults);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
