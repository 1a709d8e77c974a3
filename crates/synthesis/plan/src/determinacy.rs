//! Whether the equations determine the motion, and what is missing if they do not.

use base::{Diagnostic, Diagnostics, Dimension, counted, listed};
use equations::{ConstraintId, Level, Speed, System};
use expr::{Expr, Point, SymbolId, articulate};
use structure::{decompose, maximum_matching, order_blocks};

use crate::codes;
use crate::general::LawPlan;
use crate::jacobian::{SparseJacobian, open_columns};
use crate::plan::Classes;
use crate::words::{Statement, statements};

/// Whether accelerations and multipliers of orders 1 and 2 follow from the equations of motion and the constraints; reports
/// what does not.
pub fn determines_motion(
    system: &System,
    (classes, redundant): (&Classes, &[ConstraintId]),
    laws: &LawPlan,
    points: &[Point],
    sink: &mut Diagnostics,
) -> bool {
    let (mut moving, forced) = (classes.moving(), classes.forced(system));
    moving.sort_unstable();
    let (mut rows, unknowns) = system.accelerations(&moving, &forced);
    if !laws.form.replaced.is_empty() {
        let mut replacement = laws.form.replacement();
        rows.iter_mut().for_each(|row| *row = replacement.apply(&system.arena, *row));
    }
    if forced.is_empty() && unknowns.len() > LONG && resists(system, &rows, &unknowns, points) {
        return true;
    }
    let matrix = SparseJacobian::new(system, &rows, &unknowns);
    let incidence = matrix.incidence();
    let matching = maximum_matching(&incidence);
    let missing: Vec<usize> = if matching.size() < unknowns.len() {
        decompose(&incidence, &matching).under_columns
    } else {
        let values = matrix.at_all(points);
        let blocks = order_blocks(&incidence, &matching).into_iter();
        blocks.flat_map(|block| open_columns(&values, &block.rows, &block.columns)).collect()
    };
    if missing.is_empty() {
        return true;
    }
    let open_speeds: Vec<&Speed> =
        missing.iter().filter_map(|&at| Some(&system.speeds[moving.get(at)?.index()])).collect();
    let open_forces = missing.iter().filter_map(|&at| forced.get(at.checked_sub(moving.len())?).copied());
    if open_speeds.is_empty() {
        report_forces(system, open_forces.collect(), sink);
    } else {
        report_speeds(system, &open_speeds, mentioning(system, &open_speeds, &forced, redundant), sink);
    }
    false
}

/// Trees with more speeds than this are first looked at without their matrix, which is full.
const LONG: usize = 32;

/// Whether masses resist all motion beyond doubt, by the pivots of an elimination along the graph of the equations.
fn resists(system: &System, rows: &[Expr], unknowns: &[SymbolId], points: &[Point]) -> bool {
    // A pivot beside the largest: masses of one scene may differ by a million; anything smaller is looked at with the full matrix.
    const BEYOND_DOUBT: f64 = 1e-6;
    let (Some(point), Some(found)) = (points.first(), articulate(&system.arena, rows, unknowns)) else { return false };
    let pivots = found.pivots(&system.arena, point);
    let largest = pivots.iter().copied().fold(0.0, f64::max);
    largest.is_finite() && pivots.iter().all(|&pivot| pivot > BEYOND_DOUBT * largest)
}

fn report_forces(system: &System, constraints: Vec<ConstraintId>, sink: &mut Diagnostics) {
    let message =
        "these constraints are not independent of one another, so the forces that keep them are not determined";
    let labelled = constraints.iter().map(|id| &system.constraints[id.index()]);
    let diagnostic = labelled.fold(Diagnostic::error(codes::OVER_DETERMINED, message), |diagnostic, constraint| {
        diagnostic.at(constraint.span, format!("`{}`", constraint.label))
    });
    sink.report(diagnostic.hint("drop one of these constraints"));
}

/// Tells of the statements about these speeds too: those that are enforced, and those that follow from others.
fn report_speeds(
    system: &System,
    speeds: &[&Speed],
    (helping, idle): (Vec<Statement>, Vec<Statement>),
    sink: &mut Diagnostics,
) {
    const FEW: usize = 6;
    let mut names: Vec<String> =
        speeds.iter().take(FEW).map(|speed| format!("`{}`", speed.name.trim_end_matches('\''))).collect();
    if speeds.len() > FEW {
        names.push(format!("{} more", speeds.len() - FEW));
    }
    let moves = if speeds.len() == 1 { "moves" } else { "move" };
    let message = match helping.is_empty() {
        true => format!("nothing determines how {} {moves}", listed(&names)),
        false => format!("the constraints do not determine how {} {moves}", listed(&names)),
    };
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    for (at, (speed, name)) in speeds.iter().zip(&names).enumerate() {
        // What may move in several ways, or is one of many in a loop, is shown once.
        if speeds[..at].iter().all(|before| before.span != speed.span) {
            diagnostic = diagnostic.at(speed.span, format!("{name} is free, but {}", lack(speed)));
        }
    }
    for statement in &helping {
        diagnostic = diagnostic.at(statement.span, format!("`{}` speaks of it, but is not enough", statement.name));
    }
    for statement in &idle {
        diagnostic = diagnostic
            .at(statement.span, format!("`{}` speaks of it, but follows from the other constraints", statement.name));
    }
    let note = format!(
        "the scene has {} that may change and {}",
        counted(system.speeds.len(), "coordinate", "coordinates"),
        counted(system.multiplier_symbols().len(), "constraint", "constraints")
    );
    sink.report(diagnostic.note(note).hint(remedy(speeds)));
}

/// Statements about some speeds: those that are enforced, and those that follow from others.
fn mentioning(
    system: &System,
    speeds: &[&Speed],
    enforced: &[ConstraintId],
    redundant: &[ConstraintId],
) -> (Vec<Statement>, Vec<Statement>) {
    const FEW: usize = 3;
    let symbols: Vec<_> = speeds.iter().map(|speed| speed.symbol).collect();
    let mentions = |id: &ConstraintId| {
        let constraint = &system.constraints[id.index()];
        let residual = constraint.at(Level::Velocity).filter(|_| constraint.multiplier.is_some());
        residual.is_some_and(|residual| system.arena.symbols_in(&[residual]).iter().any(|at| symbols.contains(at)))
    };
    // That a quaternion has length one is nothing the author has said.
    let said = |id: &ConstraintId| speeds.iter().all(|speed| speed.span != system.constraints[id.index()].span);
    let all = (0..system.constraints.len()).map(|at| ConstraintId(at as u32));
    let all: Vec<ConstraintId> = all.filter(mentions).filter(said).collect();
    let helping: Vec<ConstraintId> = all.iter().copied().filter(|id| enforced.contains(id)).collect();
    let idle: Vec<ConstraintId> = all.into_iter().filter(|id| redundant.contains(id)).collect();
    let few = |ids: &[ConstraintId]| statements(system, ids).into_iter().take(FEW).collect();
    (few(&helping), few(&idle))
}

fn turns(speed: &Speed) -> bool {
    speed.dimension == Dimension::FREQUENCY
}

fn lack(speed: &Speed) -> &'static str {
    match (speed.of_body, turns(speed)) {
        (true, true) => "no moment of inertia resists it and no constraint holds it",
        (true, false) => "no mass resists it and no constraint holds it",
        (false, _) => "it bears no mass, so only constraints could say where it goes",
    }
}

fn remedy(speeds: &[&Speed]) -> &'static str {
    if speeds.iter().any(|speed| !speed.of_body) {
        return "state what it follows with `always … == …`; or replace `free` by a value; or put a body there";
    }
    if speeds.iter().any(|speed| turns(speed)) {
        return "a body turns about its own origin, where a point has no inertia: give it a `shape` or an `inertia`; \
                or state what its rotation follows with `always … == …`; or replace `free` there by a value; \
                what swings about another place is put into a frame that turns there";
    }
    "give it a mass; or state what it follows with `always … == …`; or replace `free` by a value"
}
