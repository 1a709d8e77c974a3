//! The part of the package `ansatz` that is not written in Python: scenes, runs, ensembles and the equations of motion, over the crate `ansatz`.
//!
//! Numbers go in and out as arrays that are handed over, not copied. Whatever takes time lets other threads of Python run, and looks for Ctrl-C.

mod dynamics;
mod errors;
mod instance;
mod interrupt;
mod page;
mod results;
mod scene;

/// A compiler makes small things all the time: expressions, names, lists of symbols.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::dynamics::Dynamics;
    #[pymodule_export]
    use super::instance::{Instance, Snapshot};
    #[pymodule_export]
    use super::scene::Scene;
}
