//! Whether the equations determine the motion, and what is missing if they do not.

use base::{Diagnostic, Diagnostics, Dimension, counted, listed};
use equations::{ConstraintId, Level, Speed, System};
use expr::{Expr, Point};
use structure::{decompose, maximum_matching, order_blocks};

use crate::codes;
use crate::jacobian::{SparseJacobian, open_columns};
use crate::plan::Classes;

/// Whether accelerations and multipliers of orders 1 and 2 follow from the equations of motion and the constraints; reports
/// what does not.
pub fn determines_motion(system: &System, classes: &Classes, points: &[Point], sink: &mut Diagnostics) -> bool {
    let (mut moving, forced) = (classes.moving(), classes.forced(system));
    moving.sort_unstable();
    let mut rows: Vec<Expr> = moving.iter().map(|speed| system.motion[speed.index()].residual).collect();
    let mut unknowns: Vec<_> = moving.iter().map(|speed| system.speeds[speed.index()].acceleration).collect();
    rows.extend(forced.iter().filter_map(|id| system.constraints[id.index()].at(Level::Acceleration)));
    unknowns.extend(forced.iter().filter_map(|id| system.constraints[id.index()].multiplier));
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
        report_speeds(system, &open_speeds, sink);
    }
    false
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

fn report_speeds(system: &System, speeds: &[&Speed], sink: &mut Diagnostics) {
    let names: Vec<String> = speeds.iter().map(|speed| format!("`{}`", speed.name.trim_end_matches('\''))).collect();
    let message =
        format!("nothing determines how {} {}", listed(&names), if names.len() == 1 { "moves" } else { "move" });
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    let turning = speeds.iter().any(|speed| speed.dimension == Dimension::FREQUENCY);
    let lacking = if turning { "moment of inertia" } else { "mass" };
    for (at, (speed, name)) in speeds.iter().zip(&names).enumerate() {
        // A body that may move in several ways is shown once.
        if speeds[..at].iter().all(|before| before.span != speed.span) {
            let label = format!("{name} is free, but no {lacking} and no constraint acts on it");
            diagnostic = diagnostic.at(speed.span, label);
        }
    }
    let note = format!(
        "the scene has {} that may change and {}",
        counted(system.speeds.len(), "coordinate", "coordinates"),
        counted(system.multiplier_symbols().len(), "constraint", "constraints")
    );
    let hint = if turning {
        "a point has no inertia: give the body a `shape` or an `inertia`, or replace `free` in its rotation by a value"
    } else {
        "give it a mass, as a `body` has; or state what it follows with `always … == …`; or replace `free` by a value"
    };
    sink.report(diagnostic.note(note).hint(hint));
}
