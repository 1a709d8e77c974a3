//! The plan as text.

use std::fmt::Write;

use base::counted;
use equations::{ConstraintId, CoordinateId, System};

use crate::general::print_laws;
use crate::plan::Plan;

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
    if lawless {
        let Plan { start, .. } = plan;
        let _ = writeln!(
            out,
            "left to choose at the start: {} and {}, nearest to the guesses and to rest",
            counted(start.chosen_positions, "position", "positions"),
            counted(start.chosen_velocities, "velocity", "velocities"),
        );
    } else {
        let _ = writeln!(out, "free initial values: {}", plan.freedoms.initial_values);
        out.push_str(&print_laws(&plan.laws));
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
