//! The equation system as text: unknowns, then equations with named sub-expressions, each with its source.

use std::fmt::Write;

use base::{Sources, Span};
use expr::{Expr, list};

use crate::system::{ConstraintKind, LawRole, Level, System};

/// One equation as plain data: what it is, its label, its text, where it comes from.
pub struct PrintedEquation {
    pub role: &'static str,
    pub label: String,
    pub text: String,
    pub span: Span,
}

pub fn print(system: &System, sources: &Sources) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "unknowns");
    for coordinate in &system.coordinates {
        let rate = expr::print(&system.arena, coordinate.rate);
        let unit = if coordinate.dimension.is_none() { String::new() } else { format!(" [{}]", coordinate.dimension) };
        let text = format!("{}{unit}, rate {rate}", coordinate.name);
        let _ = writeln!(out, "  {text:<72} {}", sources.locate(coordinate.span));
    }
    let (definitions, equations) = print_equations(system);
    let mut role = "";
    for equation in &equations {
        if equation.role != role {
            role = equation.role;
            let _ = writeln!(out, "{role}");
        }
        let _ = writeln!(out, "  {}   ({})", equation.label, sources.locate(equation.span));
        let _ = writeln!(out, "      0 = {}", equation.text);
    }
    for (at, (name, text)) in definitions.iter().enumerate() {
        let _ = writeln!(out, "{}  {name} = {text}", if at == 0 { "where\n" } else { "" });
    }
    out
}

/// All equations, printed together so that they share named parts: the names with their definitions, and the equations.
pub fn print_equations(system: &System) -> (Vec<(String, String)>, Vec<PrintedEquation>) {
    let rows = rows(system);
    let roots: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let listing = list(&system.arena, &roots);
    let printed = rows.into_iter().zip(listing.lines);
    let printed = printed.map(|(row, text)| PrintedEquation { role: row.role, label: row.label, text, span: row.span });
    (listing.definitions, printed.collect())
}

/// One equation `residual = 0`, with what it is.
pub(crate) struct EquationRow {
    pub role: &'static str,
    pub label: String,
    pub residual: Expr,
    pub span: Span,
}

const LAW_HEADINGS: [(LawRole, &str); 3] = [
    (LawRole::Stated, "laws"),
    (LawRole::Prescribed, "prescribed motions"),
    (LawRole::Least, "the least of what does it"),
];

pub(crate) fn rows(system: &System) -> Vec<EquationRow> {
    let row = |role, label: &String, residual, span| EquationRow { role, label: label.clone(), residual, span };
    let motion =
        system.motion.iter().map(|motion| row("equations of motion", &motion.label, motion.residual, motion.span));
    let mut rows: Vec<EquationRow> = motion.collect();
    for constraint in &system.constraints {
        let (role, level) = match constraint.kind {
            ConstraintKind::Holonomic => ("constraints on positions", Level::Position),
            ConstraintKind::Nonholonomic => ("constraints on velocities", Level::Velocity),
            ConstraintKind::Invariant => ("invariants", Level::Position),
        };
        let residual = constraint.at(level);
        rows.extend(residual.map(|residual| row(role, &constraint.label, residual, constraint.span)));
    }
    for (role, heading) in LAW_HEADINGS {
        let laws = system.laws.iter().filter(|law| law.role == role);
        rows.extend(laws.map(|law| row(heading, &law.label, law.residual, law.span)));
    }
    rows.extend(system.initial.iter().map(|start| row("at the start", &start.label, start.residual, start.span)));
    rows
}
