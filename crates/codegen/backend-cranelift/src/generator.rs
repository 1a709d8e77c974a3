//! The code generator, and what it has made: functions, the ways into them, and the code that asks for more.

use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_module::{FuncId, Module as _, ModuleReloc};
use kernel::{Function, Module, Signature};

use crate::code::Owned;
use crate::compile::{Effort, Error};
use crate::compiled::Listing;
use crate::{entry, host, translate};

pub struct Generator {
    jit: Owned,
    quick: Arc<dyn TargetIsa>,
    thorough: Arc<dyn TargetIsa>,
    context: Context,
    builder: FunctionBuilderContext,
    entries: Vec<(Signature, usize)>,
    stubs: Vec<(Signature, usize)>,
    /// Bytes that are left.
    room: usize,
}

/// The code of a function.
#[derive(Clone)]
pub struct Made {
    pub id: FuncId,
    /// Zero until it is finished.
    pub address: usize,
    pub listing: Listing,
}

const PAGE: usize = 4096;

impl Generator {
    /// With room for a module, and for what may grow out of it.
    pub fn new(module: &Module) -> Result<Generator, Error> {
        let [quick, thorough] = [Effort::Quick, Effort::Thorough].map(host::target);
        let (quick, thorough) = (quick?, thorough?);
        let room = host::room(module.functions.iter().map(|function| &**function)) + (64 << 20);
        let jit = Owned::new(host::open(thorough.clone(), room)?);
        let (context, builder) = (jit.make_context(), FunctionBuilderContext::new());
        Ok(Generator { jit, quick, thorough, context, builder, entries: Vec::new(), stubs: Vec::new(), room })
    }

    pub fn has_room_for<'f>(&self, functions: impl IntoIterator<Item = &'f Function>) -> bool {
        host::room(functions) <= self.room
    }

    /// Compiles a function; the code is to be finished.
    pub fn function(
        &mut self,
        function: &Function,
        surroundings: &translate::Surroundings<'_>,
        effort: Effort,
        keep_text: bool,
    ) -> Result<Made, Error> {
        translate::function(function, surroundings, &mut self.jit, &mut self.context, &mut self.builder);
        let intermediate = keep_text.then(|| self.context.func.display().to_string());
        self.context.set_disasm(keep_text);
        let id = self.define(effort)?;
        let code = self.context.compiled_code().expect("compiled just now");
        let (size, instructions) = (code.code_buffer().len(), code.vcode.clone());
        self.jit.clear_context(&mut self.context);
        Ok(Made { id, address: 0, listing: Listing { name: function.name.clone(), size, intermediate, instructions } })
    }

    /// Makes all code ready to run that was compiled since the last time.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.room = self.room.saturating_sub(PAGE);
        Ok(self.jit.finalize_definitions()?)
    }

    pub fn address(&self, id: FuncId) -> usize {
        self.jit.get_finalized_function(id).addr()
    }

    /// The way in from Rust, for all functions of a signature.
    pub fn entry(&mut self, signature: &Signature) -> Result<usize, Error> {
        if let Some((_, known)) = self.entries.iter().find(|(known, _)| known == signature) {
            return Ok(*known);
        }
        entry::translate(signature, &self.jit, &mut self.context, &mut self.builder);
        let address = self.single()?;
        self.entries.push((signature.clone(), address));
        Ok(address)
    }

    /// What stands in the place of functions of a signature while they have no code.
    pub fn stub(&mut self, signature: &Signature) -> Result<usize, Error> {
        if let Some((_, known)) = self.stubs.iter().find(|(known, _)| known == signature) {
            return Ok(*known);
        }
        entry::translate_stub(signature, &self.jit, &mut self.context, &mut self.builder);
        let address = self.single()?;
        self.stubs.push((signature.clone(), address));
        Ok(address)
    }

    fn single(&mut self) -> Result<usize, Error> {
        let id = self.define(Effort::Quick)?;
        self.jit.clear_context(&mut self.context);
        self.finish()?;
        Ok(self.address(id))
    }

    /// Compiles what stands in the context.
    fn define(&mut self, effort: Effort) -> Result<FuncId, Error> {
        let id = self.jit.declare_anonymous_function(&self.context.func.signature)?;
        let target = if effort == Effort::Quick { &self.quick } else { &self.thorough };
        let code = self.context.compile(&**target, &mut ControlPlane::default());
        let code = code.map_err(|error| Error::Generator(error.inner.to_string()))?;
        let (bytes, alignment) = (code.code_buffer().to_vec(), u64::from(code.buffer.alignment));
        let relocations = code.buffer.relocs().to_vec();
        let relocations: Vec<ModuleReloc> =
            relocations.iter().map(|it| ModuleReloc::from_mach_reloc(it, &self.context.func, id)).collect();
        self.jit.define_function_bytes(id, alignment, &bytes, &relocations)?;
        self.room = self.room.saturating_sub(bytes.len() + alignment as usize);
        Ok(id)
    }
}
