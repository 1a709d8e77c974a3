//! The numerical methods, written once as kernel templates: functions that add kernel code, specialised to the sizes
//! of one system, to a module.

mod linear;
mod newton;

pub use linear::{DenseSolver, dense_solver};
pub use newton::{Newton, NewtonProblem, newton};
