//! The numerical methods, written once as kernel templates: functions that add kernel code, specialised to the sizes
//! of one system, to a module.

pub mod elementary;
mod linear;
mod newton;
mod runge_kutta;

pub use linear::{DenseSolver, dense_solver};
pub use newton::{Newton, NewtonProblem, newton};
pub use runge_kutta::{Integrator, IntegratorArrays, IntegratorProblem, Method, integrator};
