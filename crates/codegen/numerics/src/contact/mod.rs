//! Rigid bodies that touch.

mod coulomb;

pub use coulomb::{Coulomb, Solver, coulomb};
