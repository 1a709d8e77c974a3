//! The way from a module to machine code: check it, and be ready to compile what is called.

use crate::code::Code;
use crate::compiled::Compiled;
use crate::demand::{Demand, have_same_form};
use cranelift_module::ModuleError;
use kernel::{Fault, Module};
use std::fmt;
use std::sync::Arc;

/// Needs: nothing, the module is verified here.
pub fn compile(module: impl Into<Arc<Module>>, options: &Options) -> Result<Compiled, Error> {
    build(module.into(), options, None)
}

/// The code of a module that grew out of another: functions that are what they were, and where they were, are not compiled again.
pub fn extend(earlier: &Compiled, module: impl Into<Arc<Module>>, options: &Options) -> Result<Compiled, Error> {
    build(module.into(), options, Some(earlier.code.demand()))
}

fn build(module: Arc<Module>, options: &Options, earlier: Option<&Demand>) -> Result<Compiled, Error> {
    let known = earlier.map_or(Vec::new(), |earlier| known(&earlier.module, &module));
    kernel::verify_grown(&module, &known).map_err(Error::Faults)?;
    let layout = module.layout();
    if i32::try_from(layout.cells() * 8).is_err() {
        return Err(Error::TooMuchMemory { cells: layout.cells() });
    }
    Ok(Compiled { code: Code::new(Demand::new(module, layout, options, earlier.map(|it| (it, &known[..])))?) })
}

/// Which functions of a module are what they were in another, in which they spoke of the same things.
fn known(old: &Module, new: &Module) -> Vec<bool> {
    let arrays = old.arrays.len() <= new.arrays.len()
        && old.arrays.iter().zip(&new.arrays).all(|(a, b)| a.element == b.element && a.length <= b.length);
    let functions = old.functions.len() <= new.functions.len()
        && old.functions.iter().zip(&new.functions).all(|(a, b)| Arc::ptr_eq(a, b) || have_same_form(a, b));
    old.functions.iter().zip(&new.functions).map(|(a, b)| arrays && functions && a == b).collect()
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub effort: Effort,
    /// Keep the intermediate text and the instructions of each function, to be shown.
    pub keep_text: bool,
}

/// How much time to spend on compiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Quick code first, thorough code for what is called often.
    #[default]
    WhatPays,
    /// The fastest code.
    Thorough,
    /// The first result soon.
    Quick,
}

#[derive(Clone, Debug)]
pub enum Error {
    /// The module is not a good one.
    Faults(Vec<Fault>),
    /// Offsets have 32 bits.
    TooMuchMemory { cells: usize },
    /// There is no code generator for this machine.
    Host(String),
    /// The code generator gave up, for example because a function is too large.
    Generator(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Faults(faults) => {
                write!(f, "the module has {} faults", faults.len())?;
                faults.iter().try_for_each(|fault| write!(f, "\n{fault}"))
            }
            Error::TooMuchMemory { cells } => write!(f, "{cells} cells of memory are more than 32-bit offsets reach"),
            Error::Host(message) => write!(f, "no code can be generated for this machine: {message}"),
            Error::Generator(message) => write!(f, "the code generator gave up: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ModuleError> for Error {
    fn from(error: ModuleError) -> Error {
        Error::Generator(error.to_string())
    }
}
