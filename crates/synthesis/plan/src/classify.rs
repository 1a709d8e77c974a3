//! The stage, read from top to bottom.

use base::Diagnostics;
use equations::{ConstraintId, Level, System};
use expr::{Expr, Point};
use structure::connected_components;

use crate::classes::classes;
use crate::contradiction::{contradicted, report_contradicting};
use crate::determinacy::determines_motion;
use crate::general::{Candidates, plan_general};
use crate::generic;
use crate::jacobian::SparseJacobian;
use crate::plan::{Plan, Start};
use crate::redundancy::{Dependence, dependences, report_redundant};

/// Decides how the system is solved; reports and refuses what does not determine the motion.
pub fn classify(system: &System, sink: &mut Diagnostics) -> Option<Plan> {
    classify_with(system, &|_| Vec::new(), sink)
}

/// The same, where somebody knows what could be added for quantities that nothing determines.
pub fn classify_with(system: &System, candidates: Candidates<'_>, sink: &mut Diagnostics) -> Option<Plan> {
    if !system.variables.is_empty() || !system.laws.is_empty() {
        return plan_general(system, candidates, sink);
    }
    let points = generic::points(system);
    let redundant = without_contradiction(system, &points, sink)?;
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
    Some(Plan { classes, redundant, degrees_of_freedom, start, points, general: None })
}

/// Constraints that follow from others, in a system that may say more.
pub fn enforced_constraints(system: &System, sink: &mut Diagnostics) -> Option<Vec<ConstraintId>> {
    match system.constraints.is_empty() {
        true => Some(Vec::new()),
        false => without_contradiction(system, &generic::points(system), sink),
    }
}

/// Reports constraints that follow from others, and gives them; reports those that contradict others.
fn without_contradiction(system: &System, points: &[Point], sink: &mut Diagnostics) -> Option<Vec<ConstraintId>> {
    let dependences = dependences(system, points);
    let (redundant, contradicting): (Vec<&Dependence>, Vec<&Dependence>) =
        dependences.iter().partition(|dependence| contradicted(system, dependence, points).is_none());
    if !contradicting.is_empty() {
        report_contradicting(system, &contradicting, points, sink);
        return None;
    }
    report_redundant(system, &redundant, sink);
    Some(redundant.iter().map(|dependence| dependence.constraint).collect())
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
