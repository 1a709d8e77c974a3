//! Constraints that depend on one another and cannot hold together, such as two rods of different length between the same bodies.
//!
//! The rank of their Jacobian does not tell: it tells only that one of them allows no other directions than the rest. Whether
//! it also allows the same positions and velocities is seen where the rest holds.

use base::{Diagnostic, Diagnostics, listed};
use equations::{ConstraintId, ConstraintKind, Level, System};
use expr::{Expr, Point, Tape};

use crate::codes;
use crate::generic::Manifold;
use crate::jacobian::SparseJacobian;
use crate::rank::norm;
use crate::redundancy::{Dependence, Twins, by_statement};

/// The level on which a constraint contradicts those it depends on, at every point.
pub fn contradicted(system: &System, dependence: &Dependence, points: &[Point]) -> Option<Level> {
    let everywhere = |wrong: &dyn Fn(usize) -> bool| !points.is_empty() && (0..points.len()).all(wrong);
    if everywhere(&|at| other_positions(system, dependence, &points[at])) {
        return Some(Level::Position);
    }
    let velocities = OtherVelocities::new(system, dependence)?;
    everywhere(&|at| velocities.at(&points[at], &dependence.factors[at])).then_some(Level::Velocity)
}

/// What counts as a deviation of a constraint, in relation to the size of its gradient.
// Test: constraints_that_differ_by_rounding_do_not_contradict_one_another
const NOTICEABLE: f64 = 1e-6;

/// Whether the constraint is off where the others hold, and one of the others where it holds. Asking both ways round keeps
/// apart what has several branches, as `cos(a) == 0` and `a == 90 [deg]` have.
fn other_positions(system: &System, dependence: &Dependence, point: &Point) -> bool {
    let Dependence { constraint, on, .. } = dependence;
    let on_positions: Vec<ConstraintId> =
        on.iter().copied().filter(|id| system.constraints[id.index()].kind != ConstraintKind::Nonholonomic).collect();
    if system.constraints[constraint.index()].kind == ConstraintKind::Nonholonomic || on_positions.len() < on.len() {
        return false;
    }
    if !holds(system, on, point) || holds(system, &[*constraint], point) {
        return false;
    }
    let mut order: Vec<ConstraintId> = system.constraints_at(Level::Position).into_iter().map(|(id, _)| id).collect();
    order.retain(|id| id != constraint);
    order.insert(0, *constraint);
    let mut other = point.clone();
    Manifold::of_positions(system, &order).approach(&mut other);
    holds(system, &[*constraint], &other) && !holds(system, on, &other)
}

fn holds(system: &System, constraints: &[ConstraintId], point: &Point) -> bool {
    let residuals: Vec<Expr> =
        constraints.iter().filter_map(|id| system.constraints[id.index()].at(Level::Position)).collect();
    let coordinates = system.coordinate_symbols();
    let matrix = SparseJacobian::new(system, &residuals, &coordinates);
    let values = Tape::new(&system.arena, &residuals).run(point);
    let slopes = matrix.at(point);
    let small = |(row, value): (usize, &f64)| value.abs() <= NOTICEABLE * norm(&slopes.row(row));
    values.iter().enumerate().all(small)
}

/// Constraints on velocities, as far as they are linear in them: Σ a·v + b. If the a of one are a combination of those of
/// others, its b has to be the same combination.
struct OtherVelocities {
    tape: Tape,
}

impl OtherVelocities {
    fn new(system: &System, dependence: &Dependence) -> Option<OtherVelocities> {
        let ids = std::iter::once(&dependence.constraint).chain(&dependence.on);
        let rows: Vec<Expr> = ids.filter_map(|id| system.constraints[id.index()].at(Level::Velocity)).collect();
        let speeds = system.speed_symbols();
        let matrix = SparseJacobian::new(system, &rows, &speeds);
        let linear = !system.arena.symbols_in(matrix.slopes()).iter().any(|symbol| speeds.contains(symbol));
        linear.then(|| OtherVelocities { tape: Tape::new(&system.arena, &rows) })
    }

    fn at(&self, point: &Point, factors: &[f64]) -> bool {
        let values = self.tape.run(point);
        let parts: Vec<f64> = values[1..].iter().zip(factors).map(|(value, factor)| value * factor).collect();
        let size = parts.iter().fold(values[0].abs(), |size, part| size + part.abs());
        (values[0] - parts.iter().sum::<f64>()).abs() > NOTICEABLE * size
    }
}

/// One error for each statement that contradicts others.
pub fn report_contradicting(system: &System, dependences: &[&Dependence], points: &[Point], sink: &mut Diagnostics) {
    const FEW: usize = 4;
    for Twins { own, on, first } in by_statement(system, dependences) {
        let mut names: Vec<String> = on.iter().map(|statement| format!("`{}`", statement.name)).collect();
        let others = listed(&names);
        names.push(format!("`{}`", own.name));
        let what = match contradicted(system, first, points) {
            Some(Level::Position) => "positions",
            _ => "velocities",
        };
        let one_another = if names.len() == 2 { "each other" } else { "one another" };
        let allow = if on.len() == 1 { "allows" } else { "allow" };
        let message = format!("{} contradict {one_another}", listed(&names));
        let mut diagnostic = Diagnostic::error(codes::CONTRADICTING_CONSTRAINTS, message)
            .at(own.span, format!("asks for other {what} than {others} {allow}"));
        for statement in on.iter().take(FEW) {
            diagnostic = diagnostic.at(statement.span, format!("`{}`", statement.name));
        }
        sink.report(diagnostic.hint("drop one of them, or change a number so that they agree"));
    }
}
