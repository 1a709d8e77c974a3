//! Rigid bodies that touch.

mod coulomb;
mod geometry;

pub use coulomb::{Coulomb, Solver, coulomb};
pub use geometry::{
    Bodies, FAR, Geometry, HullTable, INSIDE, PARALLEL, Pairs, Points, SLACK, ShapeKind, Shapes, geometry, supported,
};
