//! Running a synthesized program: from its kernel module and a machine to a trajectory.

mod changing;
mod hash;
mod in_lanes;
mod missed;
mod run;
mod simulation;
mod touching;

pub use changing::{Event, Linker, Linking, Nearest, Trial, Unfinished, Wanted, Warning, WarningKind};
pub use hash::Hash;
pub use in_lanes::{SideBySide, Traveller, run_in_lanes};
pub use missed::Missed;
pub use run::{ContactSteps, Run, Summary, is_stiff, run, run_watched, times_of_rows};
pub use simulation::{Failure, FailureKind, Linked, Monitor, Simulation, Snapshot, Statistics};
pub use touching::{ContactEvent, ContactEventKind, ContactNote, ContactNoteKind, ContactRest};
