//! Failures at run time, in the user's words: which constraint, body or formula, at what time, and what to try.

use base::{Diagnostic, Span, listed};
use program::{Origin, SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use crate::pipeline::Stages;
use crate::{blame, codes};

/// What a failure means for the scene; the simulation is as the failure left it.
pub fn describe(failure: &Failure, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    let info = stages.program.systems.get(failure.place);
    match (failure.kind, info) {
        (FailureKind::StepCollapsed, _) => collapse(failure, stages, simulation),
        (FailureKind::NotFinite, _) => not_finite(failure, stages, simulation),
        (FailureKind::OutputNotFinite, _) => output(failure, stages),
        (FailureKind::Singular, Some(info)) => singular(failure, info, stages, simulation),
        (FailureKind::NotSolved | FailureKind::NotEvaluated, Some(info)) => match info.role {
            SystemRole::InitialPositions | SystemRole::InitialVelocities => start(failure, info, stages, simulation),
            _ => lost(failure, info),
        },
        _ => Diagnostic::error(codes::CODE_GENERATION, "the synthesized program broke its own rules")
            .hint("this is a defect of Ansatz, please report it with the scene"),
    }
}

fn collapse(failure: &Failure, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    // A formula at the edge of where it has a value lets no step pass.
    if !blame::not_finite(stages, simulation, failure.time).is_empty() {
        return not_finite(failure, stages, simulation);
    }
    let state = stages.program.integrals.get(failure.place).and_then(|integral| integral.states.get(failure.part?));
    let time = number(failure.time);
    let message = match state {
        Some(state) => format!("at t = {time} s, `{}` changes too fast to be followed", state.name),
        None => format!("at t = {time} s, the motion changes too fast to be followed"),
    };
    let diagnostic = Diagnostic::error(codes::STEP_COLLAPSE, message);
    let diagnostic = match state {
        Some(state) => diagnostic.at(state.span, "no step is small enough for it"),
        None => diagnostic,
    };
    diagnostic
        .note("bodies that fall into one another, a mechanism at a dead centre, or a motion that runs away do this")
        .hint(format!(
            "look at the motion just before, with `--until {}`; keep bodies apart or smooth the force",
            before(failure.time)
        ))
}

fn not_finite(failure: &Failure, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
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
    let message = format!("at t = {time} s, {} is not a finite number", first.acting.label);
    let mut diagnostic = Diagnostic::error(codes::NOT_FINITE, message);
    for blamed in blamed.iter().take(FEW) {
        diagnostic = diagnostic.at(blamed.acting.span, "a division by zero, or a root or logarithm out of its range");
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
fn output(failure: &Failure, stages: &Stages) -> Diagnostic {
    let name = stages.program.outputs.get(failure.place).map_or("a column", |column| column.name.as_str());
    let value = if failure.residual.is_nan() { "not a number" } else { "infinite" };
    let message = format!("at t = {} s, `{name}` is {value}", number(failure.time));
    let diagnostic = Diagnostic::error(codes::OUTPUT_NOT_FINITE, message);
    // A vector has three columns.
    let asked =
        stages.model.outputs.iter().find(|output| {
            name.strip_prefix(&output.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
    // What is printed by default was asked for nowhere.
    let everything = stages.model.frames.first().map_or(Span::default(), |world| world.span);
    let diagnostic = match asked.map(|output| stages.model.terms.get(output.term).span) {
        Some(span) if span != everything => diagnostic.at(span, "asked for here"),
        _ => diagnostic,
    };
    diagnostic
        .note("a division by zero, a root of a negative number, or a motion that grows beyond all numbers does this")
        .hint("the rows before this time are kept; ask for something that always has a value")
}

fn singular(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    // A force that is no number spoils the equations before anybody asks for accelerations.
    if !blame::not_finite(stages, simulation, failure.time).is_empty() {
        return not_finite(failure, stages, simulation);
    }
    let unknown = failure.part.and_then(|part| info.unknowns.get(part));
    let what = unknown.map_or("the accelerations are".to_string(), |unknown| {
        format!("the acceleration of `{}` is", unknown.label.trim_end_matches('\''))
    });
    let message = format!("at t = {} s, {what} not determined", number(failure.time));
    let diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    label_all(diagnostic, &info.equations, None, "takes part in this")
        .note("a mass or a lever arm that is zero, or constraints that coincide at this place (a dead centre), do this")
        .hint("give what moves a mass, start elsewhere, or drop a constraint")
}

fn start(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    let positions = info.role == SystemRole::InitialPositions;
    let what = if positions { "positions" } else { "velocities" };
    let message = format!("no {what} were found that satisfy all that is stated for the start");
    let diagnostic = Diagnostic::error(codes::INCONSISTENT_START, message);
    let diagnostic = label_all(diagnostic, &info.equations, failure.part, "has to hold too");
    let stuck = if positions { blame::stuck_guess(stages, simulation) } else { None };
    if let Some(guess) = stuck {
        return diagnostic
            .note(format!("the search begins at {}, where this does not tell which way to go", place(&guess)))
            .hint("give a guess off that place, such as `free(0.1 [m])` or `free(10 [deg])` instead of `free`");
    }
    let diagnostic = match failure.kind {
        FailureKind::NotEvaluated => diagnostic.note("an equation has no finite value where the search begins"),
        _ => diagnostic.note(format!("the nearest {what} found leave it off by {}", number(failure.residual.abs()))),
    };
    let drop = if info.equations.len() > 1 { "drop one of these, change a value" } else { "change a value" };
    diagnostic.hint(match positions {
        true => format!("{drop}, or begin the search nearer with a guess such as `free(0.5 [m])`"),
        false => format!("{drop}, or state only velocities that the constraints allow"),
    })
}

fn lost(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let equation = failure.part.and_then(|part| info.equations.get(part));
    let what = equation.map_or("a constraint".to_string(), |equation| format!("`{}`", equation.label));
    let message = format!("at t = {} s, {what} can no longer be kept", number(failure.time));
    let diagnostic = Diagnostic::error(codes::CONSTRAINT_LOST, message);
    label_all(diagnostic, &info.equations, failure.part, "holds at the same time")
        .note("the mechanism has reached a place it cannot leave while all constraints hold")
        .hint(format!(
            "look at the motion just before, with `--until {}`, or change lengths and start values",
            before(failure.time)
        ))
}

/// The worst equation first, then a few others of the same system.
fn label_all(mut diagnostic: Diagnostic, equations: &[Origin], worst: Option<usize>, others: &str) -> Diagnostic {
    const FEW: usize = 4;
    if let Some(worst) = worst.and_then(|worst| equations.get(worst)) {
        diagnostic = diagnostic.at(worst.span, format!("`{}` does not hold", worst.label));
    }
    let rest = equations.iter().enumerate().filter(|(at, _)| Some(*at) != worst);
    for (_, equation) in rest.take(FEW) {
        diagnostic = diagnostic.at(equation.span, format!("`{}` {others}", equation.label));
    }
    diagnostic
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

/// As a person writes it: six digits at most, powers of ten only where they help.
fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

/// A round time a little before a failure.
fn before(time: f64) -> String {
    let scale = if time < 0.01 { 1e6 } else { 1e3 };
    number((((time * scale).ceil() - 1.0) / scale).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(2.0), "2");
        assert_eq!(number(2.2214414), "2.221441");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e-9), "1.000e-9");
        assert_eq!((before(2.2214414), before(1.0)), ("2.221".into(), "0.999".into()));
    }
}
