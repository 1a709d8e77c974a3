//! Rigid bodies that touch.

mod coulomb;
mod geometry;

pub use coulomb::{BEGINS, Coulomb, Solver, coulomb};
pub use geometry::{
    AS_THE_WORLD, Bodies, FAR, Geometry, HullTable, INSIDE, MOVES, PARALLEL, Pairs, Plain, Points, SLACK, STILL,
    Scalar, ShapeKind, Shapes, Vector, WITH_FIRST, WITH_SECOND, geometry, geometry_with, how, is_lasting, supported,
};
