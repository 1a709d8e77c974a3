//! The plan as text.

use std::fmt::Write;

use base::counted;
use equations::{ConstraintId, CoordinateId, Level, System};
use expr::Expr;
use structure::connected_components;

use crate::general::{StartPlan, print_laws};
use crate::jacobian::SparseJacobian;
use crate::plan::{Plan, RowGroup};
use crate::rank::dependent_rows;

pub fn print(plan: &Plan, system: &System) -> String {
    let mut out = String::new();
    let lawless = plan.laws.form.quantities.is_empty();
    if lawless || !plan.mechanism.coordinates.is_empty() {
        print_classes(&mut out, plan, system);
    }
    let _ = writeln!(out, "degrees of freedom: {}", plan.freedoms.motion);
    for id in &plan.redundant {
        let _ = writeln!(out, "redundant: {}", system.constraints[id.index()].label);
    }
    for RowGroup { rows, rank } in &plan.groups {
        let rows: Vec<&str> = rows.iter().map(|id| system.constraints[id.index()].label.as_str()).collect();
        let _ = writeln!(
            out,
            "enforced at a time: {rank} of {}; only the sum of their forces is determined",
            rows.join(", ")
        );
    }
    if lawless {
        let _ = writeln!(
            out,
            "left to choose at the start: {} and {}, nearest to the guesses and to rest",
            counted(chosen(system, Level::Position, plan), "position", "positions"),
            counted(chosen(system, Level::Velocity, plan), "velocity", "velocities"),
        );
    } else {
        let _ = writeln!(out, "free initial values: {}", plan.freedoms.initial_values);
        out.push_str(&print_laws(plan));
    }
    out
}

fn print_classes(out: &mut String, plan: &Plan, system: &System) {
    let coordinates = |ids: &[CoordinateId]| -> Vec<String> {
        ids.iter().map(|id| system.coordinates[id.index()].name.clone()).collect()
    };
    let constraints = |ids: &[ConstraintId]| -> Vec<String> {
        ids.iter().map(|id| system.constraints[id.index()].label.clone()).collect()
    };
    let classes = &plan.classes;
    let rows: [(&str, &str, Vec<String>); 8] = [
        ("Q0", "coordinates found from positions", coordinates(&classes.q0)),
        ("Q1", "coordinates found from velocities", coordinates(&classes.q1)),
        ("Q2", "coordinates found from accelerations", coordinates(&classes.q2)),
        ("H0", "constraints on positions, enforced as they are", constraints(&classes.h0)),
        ("H1", "constraints on positions, differentiated once", constraints(&classes.h1)),
        ("H2", "constraints on positions, differentiated twice", constraints(&classes.h2)),
        ("N1", "constraints on velocities, enforced as they are", constraints(&classes.n1)),
        ("N2", "constraints on velocities, differentiated once", constraints(&classes.n2)),
    ];
    for (name, meaning, members) in rows {
        let _ = writeln!(out, "{name}  {meaning}: {}", members.len());
        for member in members {
            let _ = writeln!(out, "      {member}");
        }
    }
}

/// How many positions or velocities at the start are left to the guesses.
fn chosen(system: &System, level: Level, plan: &Plan) -> usize {
    let StartPlan { mechanism, stated, .. } = &plan.start;
    let mut rows: Vec<Expr> =
        mechanism.constraints.iter().filter_map(|id| system.constraints[id.index()].at(level)).collect();
    rows.extend(stated.iter().filter(|(of, _)| *of == level).map(|(_, initial)| initial.residual));
    let unknowns = match level {
        Level::Position => mechanism.coordinate_symbols(system),
        _ => mechanism.speed_symbols(system),
    };
    let matrix = SparseJacobian::new(system, &rows, &unknowns);
    let Some(point) = plan.points.first() else { return 0 };
    let values = matrix.at(point);
    let open = connected_components(&matrix.incidence()).into_iter().map(|(rows, columns)| {
        let dependent = dependent_rows(&values.part(&rows, &columns), columns.len()).len();
        columns.len().saturating_sub(rows.len() - dependent)
    });
    open.sum()
}
