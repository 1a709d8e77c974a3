//! The code generator, set up for this machine.

use std::sync::Arc;

use crate::{Effort, Error};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use kernel::Function;

/// This machine, and how much time to spend on code for it.
pub fn target(effort: Effort) -> Result<Arc<dyn TargetIsa>, Error> {
    let mut flags = settings::builder();
    for (name, value) in settings_for(effort) {
        flags.set(name, value).map_err(|error| Error::Host(error.to_string()))?;
    }
    let native = cranelift_native::builder().map_err(|message| Error::Host(message.into()))?;
    native.finish(settings::Flags::new(flags)).map_err(|error| Error::Host(error.to_string()))
}

/// An empty module for machine code, with so many bytes of room.
pub fn open(target: Arc<dyn TargetIsa>, room: usize) -> Result<JITModule, Error> {
    let mut builder = JITBuilder::with_isa(target, default_libcall_names());
    // One stretch of addresses keeps calls within reach of 32-bit relocations.
    let arena = ArenaMemoryProvider::new_with_size(room).map_err(|error| Error::Host(error.to_string()))?;
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
        Effort::Quick => [("opt_level", "none"), ("regalloc_algorithm", "single_pass")],
        _ => [("opt_level", "speed"), ("regalloc_algorithm", "backtracking")],
    });
    settings
}

/// Addresses to reserve for the code of some functions, in bytes: generous, for they cost nothing until they are used.
pub fn room<'f>(functions: impl IntoIterator<Item = &'f Function>) -> usize {
    const BYTES_PER_NODE: usize = 128;
    /// Of both kinds of code, with what is copied into it, and with what is left of its last page.
    const BYTES_PER_FUNCTION: usize = 65_536;
    functions.into_iter().map(|function| BYTES_PER_FUNCTION + function.size() * BYTES_PER_NODE).sum()
}
