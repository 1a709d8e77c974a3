//! The equation system: everything that is known of a scene, as scalar equations between scalar unknowns.
//!
//! It is what physics produces and synthesis consumes; neither sees the other. Every equation and every unknown remembers
//! the place in the text that it comes from.

mod balance;
mod board;
mod change;
pub mod codes;
mod contact;
mod family;
mod general;
mod label;
mod least;
mod mechanism;
mod picture;
mod print;
mod settle;
mod system;
mod verify;

pub use balance::{Balance, Sides};
pub use board::{Board, BoardRow, Form, Part, Proof, print_board, remarks};
pub use change::{Automaton, Carried, Compared, Condition, Entry, Mode, Reset, Sought, Transition};
pub use contact::{ContactField, ContactFrame, ContactPair, ContactSet, ContactShape, ContactSymbols, ContactThing};
pub use family::{Family, Slot};
pub use general::{
    Equation, GeneralForm, Place, Places, Quantity, Replaced, Role, Turn, eliminate_explicit, eliminate_idle,
    eliminate_known, general_form,
};
pub use label::{component_label, split_label};
pub use least::{PRICE, is_priced, within_limits, without_limits};
pub use mechanism::Mechanism;
pub use picture::{Curve, FigurePlace, FramePlace, Picture, Surface};
pub use print::{PrintedEquation, print, print_equations};
pub use settle::{Settled, settle};
pub use system::{
    Acting, Constraint, ConstraintId, ConstraintKind, Control, Coordinate, CoordinateId, Energy, Initial, Law, LawId,
    LawRole, Level, Motion, Output, Parameter, Signal, Speed, SpeedId, System, Variable, VariableId,
};
pub use verify::{INVARIANTS, verify};
