//! The way from a module to machine code: check, declare every function, translate each, link.

use crate::code::{Code, Owned};
use crate::compiled::{Compiled, Listing};
use crate::regions::{WrittenArrays, arrays_in};
use crate::{entry, host, translate};
use cranelift_codegen::Context;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_module::{FuncId, Module as _, ModuleError};
use kernel::{ArrayId, Fault, Function, Layout, Module, Signature};
use std::fmt;
use std::sync::{Arc, Mutex};

/// Needs: nothing, the module is verified here.
pub fn compile(module: &Module, options: &Options) -> Result<Compiled, Error> {
    build(module, options, None)
}

/// The code of a module that grew out of another: functions that are what they were, and where they were, are not compiled again.
pub fn extend(earlier: &Compiled, module: &Module, options: &Options) -> Result<Compiled, Error> {
    build(module, options, Some(earlier)).or_else(|error| match error {
        // There is no room left beside the code that is there.
        Error::Generator(_) => build(module, options, None),
        other => Err(other),
    })
}

fn build(module: &Module, options: &Options, earlier: Option<&Compiled>) -> Result<Compiled, Error> {
    kernel::verify(module).map_err(Error::Faults)?;
    let layout = module.layout();
    if i32::try_from(layout.cells() * 8).is_err() {
        return Err(Error::TooMuchMemory { cells: layout.cells() });
    }
    let owner = match earlier {
        Some(earlier) => earlier.code.owner(),
        None => Arc::new(Mutex::new(Owned::new(host::open(module, options.effort)?))),
    };
    let mut jit = owner.lock().unwrap_or_else(|broken| broken.into_inner());
    let mut compiler = Compiler::new(module, &layout, options, &mut jit, earlier)?;
    for index in 0..module.functions.len() {
        match compiler.same[index].then_some(earlier).flatten() {
            Some(earlier) => compiler.listings.push(earlier.listings[index].clone()),
            None => compiler.function(index)?,
        }
    }
    let signatures: Vec<Signature> = module.functions.iter().map(Function::signature).collect();
    let entries = compiler.entries(&signatures)?;
    compiler.jit.finalize_definitions()?;
    let Compiler { ids, listings, .. } = compiler;
    drop(jit);
    let code = Code::new(owner, ids.iter().copied().zip(entries), &signatures, layout.cells());
    Ok(Compiled { code, signatures, listings, module: module.clone(), ids })
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
    /// The fastest code.
    #[default]
    Thorough,
    /// The first result soon, while someone types.
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

struct Compiler<'m> {
    module: &'m Module,
    layout: &'m Layout,
    options: &'m Options,
    written: WrittenArrays,
    jit: &'m mut Owned,
    /// The compiled functions, in the order of the module.
    ids: Vec<FuncId>,
    /// Those that were compiled before.
    same: Vec<bool>,
    context: Context,
    builder: FunctionBuilderContext,
    listings: Vec<Listing>,
}

impl<'m> Compiler<'m> {
    fn new(
        module: &'m Module,
        layout: &'m Layout,
        options: &'m Options,
        jit: &'m mut Owned,
        earlier: Option<&Compiled>,
    ) -> Result<Compiler<'m>, Error> {
        let same = match earlier {
            Some(earlier) => unchanged(&earlier.module, module),
            None => vec![false; module.functions.len()],
        };
        let mut ids = Vec::new();
        for (index, function) in module.functions.iter().enumerate() {
            if let Some(earlier) = earlier.filter(|_| same[index]) {
                ids.push(earlier.ids[index]);
                continue;
            }
            let signature = translate::signature(&function.signature(), jit);
            ids.push(jit.declare_anonymous_function(&signature)?);
        }
        let (context, builder) = (jit.make_context(), FunctionBuilderContext::new());
        let written = WrittenArrays::new(module);
        Ok(Compiler { module, layout, options, written, jit, ids, same, context, builder, listings: Vec::new() })
    }

    fn function(&mut self, index: usize) -> Result<(), Error> {
        let function = &self.module.functions[index];
        let surroundings = translate::Surroundings { layout: self.layout, written: &self.written, ids: &self.ids };
        translate::function(function, &surroundings, self.jit, &mut self.context, &mut self.builder);
        let intermediate = self.options.keep_text.then(|| self.context.func.display().to_string());
        self.context.set_disasm(self.options.keep_text);
        self.jit.define_function(self.ids[index], &mut self.context)?;
        let code = self.context.compiled_code().expect("the function was just compiled");
        let size = code.code_buffer().len();
        let instructions = code.vcode.clone();
        self.listings.push(Listing { name: function.name.clone(), size, intermediate, instructions });
        self.jit.clear_context(&mut self.context);
        Ok(())
    }

    /// The entry of each function: functions of equal signature share one.
    fn entries(&mut self, signatures: &[Signature]) -> Result<Vec<FuncId>, Error> {
        let mut known: Vec<(&Signature, FuncId)> = Vec::new();
        let mut entries = Vec::new();
        for signature in signatures {
            let found = known.iter().find(|(other, _)| *other == signature).map(|&(_, entry)| entry);
            let entry = match found {
                Some(entry) => entry,
                None => self.entry(signature)?,
            };
            if found.is_none() {
                known.push((signature, entry));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn entry(&mut self, signature: &Signature) -> Result<FuncId, Error> {
        entry::translate(signature, self.jit, &mut self.context, &mut self.builder);
        let id = self.jit.declare_anonymous_function(&self.context.func.signature)?;
        self.jit.define_function(id, &mut self.context)?;
        self.jit.clear_context(&mut self.context);
        Ok(id)
    }
}

/// Which functions of a module are what they were in another, at the same place, in all that matters to their code: they themselves, what they
/// call, and the arrays that they speak of.
fn unchanged(old: &Module, new: &Module) -> Vec<bool> {
    let (before, after) = (old.layout(), new.layout());
    let (once, now) = (WrittenArrays::new(old), WrittenArrays::new(new));
    let array = |id: ArrayId| {
        (id.index as usize) < old.arrays.len()
            && old.array(id).element == new.array(id).element
            && before.offset(id) == after.offset(id)
            && once.contains(id) == now.contains(id)
    };
    let arrays: Vec<bool> = new.array_ids().map(array).collect();
    let mut same = vec![false; new.functions.len()];
    for id in new.callees_first() {
        let (index, function) = (id.0 as usize, new.function(id));
        same[index] = old.functions.get(index) == Some(function)
            && function.callees().into_iter().all(|callee| same[callee.0 as usize])
            && arrays_in(function).into_iter().all(|array| arrays[array as usize]);
    }
    same
}
