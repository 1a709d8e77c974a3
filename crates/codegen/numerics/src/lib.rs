//! The numerical methods, written once as kernel templates: functions that add kernel code, specialised to the sizes
//! of one system, to a module.

pub mod contact;
pub mod elementary;
mod implicit;
mod linear;
mod newton;
mod orthogonal;
mod radau;
mod ranges;
mod rosenbrock;
mod row_choice;
mod runge_kutta;
mod sparse;
mod stepping;
mod steps;

pub use implicit::{ImplicitPattern, ImplicitProblem, implicit_integrator};
pub use linear::{DenseSolver, dense_solver};
pub use newton::{Independence, JacobianPattern, NEWTON_NOTE, Newton, NewtonProblem, newton};
pub use ranges::Ranges;
pub use row_choice::{RowChoice, RowChoiceProblem, row_choice};
pub use runge_kutta::integrator;
pub use sparse::{SparsePattern, SparseSolver, sparse_solver};
pub use stepping::stepping_integrator;
pub use steps::{Constraints, Integrator, IntegratorArrays, IntegratorProblem, Method};
