//! Running a synthesized program: from its kernel module and a machine to a trajectory.

mod hash;
mod run;
mod simulation;

pub use hash::Hash;
pub use run::{Run, Summary, is_stiff, run};
pub use simulation::{Failure, FailureKind, Monitor, Simulation, Statistics};
