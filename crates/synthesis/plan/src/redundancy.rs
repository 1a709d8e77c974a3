//! Constraints that follow from others.

use base::{Diagnostic, Diagnostics};
use equations::{ConstraintId, Level, System};
use expr::{Expr, Point};
use structure::connected_components;

use crate::codes;
use crate::jacobian::SparseJacobian;

/// Constraints whose velocity level depends on that of constraints before them, at every generic point; ascending.
pub fn redundant_constraints(system: &System, points: &[Point], sink: &mut Diagnostics) -> Vec<ConstraintId> {
    let forced = system.constraints.iter().enumerate().filter(|(_, constraint)| constraint.multiplier.is_some());
    let ids: Vec<ConstraintId> = forced.map(|(at, _)| ConstraintId(at as u32)).collect();
    let rows: Vec<Expr> = ids.iter().filter_map(|id| system.constraints[id.index()].at(Level::Velocity)).collect();
    let matrix = SparseJacobian::new(system, &rows, &system.speed_symbols());
    let values = matrix.at_all(points);
    let mut redundant = Vec::new();
    for (rows, columns) in connected_components(&matrix.incidence()) {
        let dependent = values.iter().map(|values| values.analyse(&rows, &columns).dependent_rows);
        let everywhere = dependent.reduce(|a, b| a.into_iter().filter(|row| b.binary_search(row).is_ok()).collect());
        redundant.extend(everywhere.unwrap_or_default().into_iter().map(|row| ids[rows[row]]));
    }
    redundant.sort_unstable();
    for id in &redundant {
        let constraint = &system.constraints[id.index()];
        let message = format!("`{}` restricts the motion no further than the other constraints do", constraint.label);
        sink.report(
            Diagnostic::notice(codes::REDUNDANT_CONSTRAINT, message)
                .at(constraint.span, "watched, but not enforced a second time"),
        );
    }
    redundant
}
