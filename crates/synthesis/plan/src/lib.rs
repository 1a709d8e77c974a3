//! The plan: every unknown gets the order at which it is solved, every equation the number of times it is differentiated;
//! what is redundant is dropped, and what does not determine the motion is refused. Mechanisms are told apart from laws (`apart.rs`) and
//! get classes (`classes.rs`); laws get blocks (`general`).
//!
//! The orders are those of Ellman, Deak and Fotinatos, *Automated Synthesis of Numerical Programs for Simulation of Rigid
//! Mechanical Systems in Physics-Based Animation*.

mod account;
mod apart;
mod classes;
mod classify;
mod codes;
mod contradiction;
mod determinacy;
mod general;
mod generic;
mod groups;
mod jacobian;
mod plan;
mod print;
mod rank;
mod redundancy;
mod shares;
mod sparse;
mod verify;
mod words;

pub use account::{Account, Accounts, accounts};
pub use classify::{classify, classify_with};
pub use codes::{CODES, CONTRADICTING_CONSTRAINTS, UNDER_DETERMINED};
pub use general::{
    Assumed, Candidates, EntryPlan, Further, LawPlan, LeadingBlock, Phase, PlannedRow, StartBlock, StartPlan,
    assumptions,
};
pub use plan::{Classes, Freedoms, Plan, RowGroup};
pub use print::print;
pub use verify::verify;
