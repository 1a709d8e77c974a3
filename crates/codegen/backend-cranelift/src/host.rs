//! The code generator, set up for this machine.

use crate::{Effort, Error};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use kernel::{Function, Module};

/// An empty module for machine code, with room for the program.
pub fn open(module: &Module, effort: Effort) -> Result<JITModule, Error> {
    let mut flags = settings::builder();
    for (name, value) in settings_for(effort) {
        flags.set(name, value).map_err(|error| Error::Host(error.to_string()))?;
    }
    let native = cranelift_native::builder().map_err(|message| Error::Host(message.into()))?;
    let isa = native.finish(settings::Flags::new(flags)).map_err(|error| Error::Host(error.to_string()))?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    // One stretch of addresses keeps calls within reach of 32-bit relocations.
    let arena = ArenaMemoryProvider::new_with_size(room(module)).map_err(|error| Error::Host(error.to_string()))?;
    builder.memory_provider(Box::new(arena));
    Ok(JITModule::new(builder))
}

fn settings_for(effort: Effort) -> Vec<(&'static str, &'static str)> {
    let mut settings = vec![
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // Functions may have more results than the machine has registers for them.
        ("enable_multi_ret_implicit_sret", "true"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("unwind_info", "false"),
        // Programs do not recurse and their frames are small.
        ("enable_probestack", "false"),
    ];
    settings.extend(match effort {
        Effort::Thorough => [("opt_level", "speed"), ("regalloc_algorithm", "backtracking")],
        Effort::Quick => [("opt_level", "none"), ("regalloc_algorithm", "single_pass")],
    });
    settings
}

/// Addresses to reserve, in bytes: generous, for they cost nothing until they are used, and a module may grow.
fn room(module: &Module) -> usize {
    const BYTES_PER_NODE: usize = 128;
    const BYTES_PER_FUNCTION: usize = 4096;
    let nodes: usize = module.functions.iter().map(Function::size).sum();
    (64 << 20) + module.functions.len() * BYTES_PER_FUNCTION + nodes * BYTES_PER_NODE
}
