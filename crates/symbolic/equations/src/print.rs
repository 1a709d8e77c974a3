//! The equation system as text: unknowns, then equations with named sub-expressions, each with its source.

use std::fmt::Write;

use base::{Sources, Span};
use expr::{Expr, list};

use crate::system::{ConstraintKind, Level, System};

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
    let mut rows: Vec<(&'static str, String, Expr, Span)> = Vec::new();
    for motion in &system.motion {
        rows.push(("equations of motion", motion.label.clone(), motion.residual, motion.span));
    }
    for constraint in &system.constraints {
        let (role, level) = match constraint.kind {
            ConstraintKind::Holonomic => ("constraints on positions", Level::Position),
            ConstraintKind::Nonholonomic => ("constraints on velocities", Level::Velocity),
            ConstraintKind::Invariant => ("invariants", Level::Position),
        };
        if let Some(residual) = constraint.at(level) {
            rows.push((role, constraint.label.clone(), residual, constraint.span));
        }
    }
    for initial in &system.initial {
        rows.push(("at the start", initial.label.clone(), initial.residual, initial.span));
    }
    let roots: Vec<Expr> = rows.iter().map(|row| row.2).collect();
    let listing = list(&system.arena, &roots);
    let printed = rows.into_iter().zip(listing.lines);
    let printed = printed.map(|((role, label, _, span), text)| PrintedEquation { role, label, text, span }).collect();
    (listing.definitions, printed)
}
