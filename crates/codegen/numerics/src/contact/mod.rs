//! Rigid bodies that touch.

mod coulomb;
mod geometry;

pub use coulomb::{BEGINS, Coulomb, Solver, coulomb};
pub use geometry::{
    Bodies, FAR, Geometry, HullTable, INSIDE, PARALLEL, Pairs, Plain, Points, SLACK, Scalar, ShapeKind, Shapes, Vector,
    WITH_FIRST, WITH_SECOND, geometry, geometry_with, how, is_lasting, supported,
};
