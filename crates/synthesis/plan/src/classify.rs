//! The stage, read from top to bottom.

use base::Diagnostics;
use equations::{ConstraintId, Level, System};
use expr::{Expr, Point};
use structure::connected_components;

use crate::classes::classes;
use crate::contradiction::{contradicted, report_contradicting};
use crate::determinacy::determines_motion;
use crate::generic;
use crate::jacobian::SparseJacobian;
use crate::plan::{Plan, Start};
use crate::redundancy::{Dependence, dependences, report_redundant};

/// Decides how the system is solved; reports and refuses what does not determine the motion.
pub fn classify(system: &System, sink: &mut Diagnostics) -> Option<Plan> {
    let points = generic::points(system);
    let dependences = dependences(system, &points);
    let (redundant, contradicting): (Vec<&Dependence>, Vec<&Dependence>) =
        dependences.iter().partition(|dependence| contradicted(system, dependence, &points).is_none());
    if !contradicting.is_empty() {
        report_contradicting(system, &contradicting, &points, sink);
        return None;
    }
    report_redundant(system, &redundant, sink);
    let redundant: Vec<ConstraintId> = redundant.iter().map(|dependence| dependence.constraint).collect();
    let classes = classes(system, &redundant, &points);
    if !determines_motion(system, (&classes, &redundant), &points, sink) {
        return None;
    }
    let independent = system.multiplier_symbols().len() - redundant.len();
    let degrees_of_freedom = system.speeds.len().saturating_sub(independent);
    let start = Start {
        chosen_positions: chosen(system, Level::Position, &points),
        chosen_velocities: chosen(system, Level::Velocity, &points),
    };
    Some(Plan { classes, redundant, degrees_of_freedom, start, points })
}

/// How many positions or velocities at the start are left to the guesses.
fn chosen(system: &System, level: Level, points: &[Point]) -> usize {
    let mut rows: Vec<Expr> = system.constraints_at(level).into_iter().map(|(_, residual)| residual).collect();
    rows.extend(system.initial.iter().filter(|initial| initial.level == level).map(|initial| initial.residual));
    let unknowns = if level == Level::Position { system.coordinate_symbols() } else { system.speed_symbols() };
    let matrix = SparseJacobian::new(system, &rows, &unknowns);
    let Some(point) = points.first() else { return 0 };
    let values = matrix.at(point);
    let open = connected_components(&matrix.incidence()).into_iter().map(|(rows, columns)| {
        let dependent = values.analyse(&rows, &columns).dependent_rows.len();
        columns.len().saturating_sub(rows.len() - dependent)
    });
    open.sum()
}
