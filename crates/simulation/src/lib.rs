//! Running a synthesized program: from its kernel module and a machine to a trajectory.

mod formula;
mod hash;
mod hybrid;
mod run;
mod shooting;
mod simulation;
mod watcher;

pub use formula::Formula;
pub use hash::Hash;
pub use hybrid::{Claim, Disturbed, Due, Edge, Event, Gate, Hybrid, Kind, Modes, Overdue, Part, Rivals, Trouble};
pub use run::{Motion, Run, Summary, is_stiff, run};
pub use shooting::{Missed, Trial};
pub use simulation::{Claimed, Failure, FailureKind, Guard, Monitor, Simulation, Statistics};
pub use watcher::{Watcher, watcher};
