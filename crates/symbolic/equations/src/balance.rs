//! Bodies as Newton and Euler see them: what motion asks of forces on each by itself. For people; programs are made of [`crate::Motion`].

use base::Span;
use expr::{Expr, SymbolId};

/// One body: `inertial = applied + reaction` for its forces and, unless it is a point, for its moments.
pub struct Balance {
    pub name: String,
    pub span: Span,
    /// Of its centre of mass, in the world's axes.
    pub position: [Expr; 3],
    /// Forces in the world's axes.
    pub forces: Sides,
    /// Moments about the centre of mass, in the body's axes.
    pub moments: Option<Sides>,
    /// By each speed that moves it: how its centre moves, in the world's axes, and how it turns, in its own.
    pub partials: Vec<(SymbolId, [Expr; 6])>,
}

#[derive(Clone, Copy)]
pub struct Sides {
    /// The rate of momentum.
    pub inertial: [Expr; 3],
    /// What is stated: forces, torques and slopes of potentials by where the body is.
    pub applied: [Expr; 3],
}
