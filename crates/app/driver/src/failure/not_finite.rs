//! Formulas without a finite value.

use base::{Diagnostic, Span, listed};
use simulation::{Failure, Simulation};

use super::words::{before, number};
use crate::pipeline::Stages;
use crate::{blame, codes};

pub fn not_finite(failure: &Failure, stages: &Stages, simulation: &Simulation) -> Diagnostic {
    const FEW: usize = 3;
    let time = number(failure.time);
    let blamed = blame::not_finite(stages, simulation, failure.time);
    let Some(first) = blamed.first() else {
        let states = stages.program.integrals.get(failure.place).map(|integral| integral.states.as_slice());
        let diagnostic =
            Diagnostic::error(codes::NOT_FINITE, format!("at t = {time} s, the accelerations are not finite"));
        let diagnostic = match states.and_then(|states| states.first()) {
            Some(state) => diagnostic.at(state.span, format!("while moving `{}`", state.name)),
            None => diagnostic,
        };
        return diagnostic
            .note("a division by zero, a root or logarithm of a negative number, or a number beyond 1.8e308 does this")
            .hint("check the start values, and the formulas of masses, forces and constraints");
    };
    let message = format!("at t = {time} s, {} is not a finite number", first.label);
    let mut diagnostic = Diagnostic::error(codes::NOT_FINITE, message);
    for blamed in blamed.iter().take(FEW) {
        diagnostic = diagnostic.at(blamed.span, "a division by zero, or a root or logarithm out of its range");
    }
    if first.place.is_empty() {
        return diagnostic
            .hint("check the numbers and parameters in it, and the time; no coordinate has a part in this");
    }
    diagnostic = diagnostic.note(format!("there, {}", place(&first.place)));
    if failure.time == 0.0 {
        diagnostic.hint("start somewhere else: `initially … == …`, or a guess such as `free(1 [m])`")
    } else {
        diagnostic.hint(format!("look at the motion just before, with `--until {}`", before(failure.time)))
    }
}

/// A number in the table that is none. What was asked for shows where it was asked.
pub fn output(failure: &Failure, stages: &Stages) -> Diagnostic {
    let name = stages.program.outputs.get(failure.place).map_or("a column", |column| column.name.as_str());
    let value = if failure.residual.is_nan() { "not a number" } else { "infinite" };
    let message = format!("at t = {} s, `{name}` is {value}", number(failure.time));
    let diagnostic = Diagnostic::error(codes::OUTPUT_NOT_FINITE, message);
    // A vector has three columns.
    let mut outputs = stages.system.outputs.iter().zip(&stages.model.outputs);
    let asked = outputs.find(|(output, _)| output.columns.iter().any(|(column, _)| column == name));
    // What is printed by default was asked for nowhere.
    let everything = stages.model.frames.first().map_or(Span::default(), |world| world.span);
    let diagnostic = match asked.map(|(_, output)| stages.model.terms.get(output.term).span) {
        Some(span) if span != everything => diagnostic.at(span, "asked for here"),
        _ => diagnostic,
    };
    diagnostic
        .note("a division by zero, a root of a negative number, or a motion that grows beyond all numbers does this")
        .hint("the rows before this time are kept; ask for something that always has a value")
}

/// `a.x = 0 and a.y = 0.5`
fn place(values: &[(String, f64)]) -> String {
    const FEW: usize = 6;
    let mut parts: Vec<String> =
        values.iter().take(FEW).map(|(name, value)| format!("{name} = {}", number(*value))).collect();
    if values.len() > FEW {
        parts.push("…".to_string());
    }
    listed(&parts)
}
