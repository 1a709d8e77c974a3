//! The functional program: the simulation scheme filled in for one system, then made smaller and faster.
//!
//! The scheme is that of Ellman et al. (figures 10 and 13): initialize, derivative, stabilize, observe. A function is a sequence
//! of bindings, each of which gives values to named scalars; vectors are tuples of such names. So their vector operations
//! (element, slice, shred, concatenate, shuffle) are nothing but names, and what nobody needs is a binding whose names nobody uses.

mod angles;
mod change;
mod claims;
mod contact;
mod decompose;
mod divisors;
mod implicit;
mod local;
mod motion;
mod narrow;
mod needed;
mod optimize;
mod pivots;
mod print;
mod program;
mod rows;
mod scheme;
mod separate;
mod settle;
mod side;
mod solved;
mod start;
mod strength;
mod summed;
mod switch;
mod systems;
mod tangent;
mod tear;
mod verify;

pub use claims::{Formula, MOST_NODES, Watcher, Way, watcher};
pub use contact::{Answering, ContactSlopes, Contacts, SIZES};
pub use implicit::{ImplicitSlider, ImplicitSystem, implicit_system};
pub use local::{LocalEquations, local_equations};
pub use narrow::{Narrow, Shape, is_narrow, narrow, narrow_in_signals};
pub use optimize::{Level, OperationReport, Report, SystemReport, optimize};
pub use print::print;
pub use program::{
    Binding, Change, Changes, ControlInput, EntryPoint, FamilySum, Function, Group, Integral, LinearSystem, Margins,
    Memory, NonlinearSystem, Origin, OutputColumn, ParameterInput, Pivot, Program, Solver, State, Summand, SystemId,
    SystemInfo, SystemRole,
};
pub use rows::RowChoice;
pub use scheme::instantiate;
pub use strength::strengths;
pub use switch::{AtZero, Switch, SwitchKind, Switches};
pub use tangent::{with_all_directions, with_sensitivities, with_tangents};
pub use verify::{INVARIANTS, verify};
