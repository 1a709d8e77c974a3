//! Failures at run time, in the user's words: which constraint, body or formula, at what time, and what to try.

use base::{Diagnostic, Dimension, Span, listed};
use equations::{Constraint, Level, Speed, component_label, split_label};
use model::{FrameQuantity, TermId, TermKind};
use program::{Origin, SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use crate::blame::Undetermined;
use crate::pipeline::Stages;
use crate::reach::{self, Reach};
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
    if let Some(open) = blame::undetermined(stages, simulation, failure.time) {
        return dead_end(failure.time, &open);
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

fn singular(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    // A force that is no number spoils the equations before anybody asks for accelerations.
    if !blame::not_finite(stages, simulation, failure.time).is_empty() {
        return not_finite(failure, stages, simulation);
    }
    if let Some(open) = blame::undetermined(stages, simulation, failure.time) {
        return dead_end(failure.time, &open);
    }
    let unknown = failure.part.and_then(|part| info.unknowns.get(part));
    let what = unknown.map_or("the accelerations are".to_string(), |unknown| {
        format!("the acceleration of `{}` is", unknown.label.trim_end_matches('\''))
    });
    let message = format!("at t = {} s, {what} not determined", number(failure.time));
    let diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    label_all(diagnostic, &info.equations, None, "takes part in this")
        .note("a mass or a lever arm that is zero, or constraints that coincide at this place (a dead centre), do this")
        .hint("start elsewhere, give what moves a mass, or state what it follows here; drop a constraint if there are too many")
}

/// A place from where the equations do not tell how to go on.
fn dead_end(time: f64, open: &Undetermined<'_>) -> Diagnostic {
    match open {
        Undetermined::Forces(constraints) => dead_centre(time, constraints),
        Undetermined::Speeds(speeds) => adrift(time, speeds),
    }
}

fn dead_centre(time: f64, constraints: &[&Constraint]) -> Diagnostic {
    const FEW: usize = 4;
    let statements = statements(constraints.iter().map(|constraint| (constraint.label.as_str(), constraint.span)));
    let names: Vec<String> = statements.iter().map(|(name, _)| name.clone()).collect();
    let message = match names.as_slice() {
        [one] => format!("at t = {} s, {one} has no force that could keep it", number(time)),
        _ => format!(
            "at t = {} s, {} act in the same direction, and no forces can keep them",
            number(time),
            listed(&names)
        ),
    };
    let diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    let diagnostic = statements
        .iter()
        .take(FEW)
        .fold(diagnostic, |diagnostic, (name, span)| diagnostic.at(*span, format!("{name} takes part in this")));
    let diagnostic = diagnostic
        .note("this is a dead centre of the mechanism: the way on from here is not determined, or there is none");
    if time == 0.0 {
        return diagnostic.hint("start elsewhere, or change lengths");
    }
    diagnostic.hint(format!(
        "look at the motion just before, with `--until {}`; change lengths, or drive another part",
        before(time)
    ))
}

fn adrift(time: f64, speeds: &[&Speed]) -> Diagnostic {
    let names: Vec<String> = speeds.iter().map(|speed| format!("`{}`", speed.name.trim_end_matches('\''))).collect();
    let go = if names.len() == 1 { "goes" } else { "go" };
    let message = format!("at t = {} s, nothing determines how {} {go} on", number(time), listed(&names));
    let mut diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    let against = speeds.len() > 1;
    for (at, (speed, name)) in speeds.iter().zip(&names).enumerate() {
        if speeds[..at].iter().all(|before| before.span != speed.span) {
            let label = match against {
                true => format!("moved against the others, {name} meets no mass here"),
                false => format!("no mass resists {name} here, and no constraint holds it"),
            };
            diagnostic = diagnostic.at(speed.span, label);
        }
    }
    let turning = speeds.iter().all(|speed| speed.dimension == Dimension::FREQUENCY);
    if turning && against {
        return diagnostic
            .note("where two axes become parallel (gimbal lock) or an arm is stretched, turning about one undoes turning about the other")
            .hint("a body that may turn every way has no such place with `rotation = free`; otherwise give the parts between mass or inertia");
    }
    diagnostic
        .note("a mass or a lever arm that is zero does this")
        .hint("give what moves a mass, state what it follows here, or start elsewhere")
}

fn start(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation<'_>) -> Diagnostic {
    let positions = info.role == SystemRole::InitialPositions;
    let level = if positions { Level::Position } else { Level::Velocity };
    let what = if positions { "positions" } else { "velocities" };
    let reach = reach::reach(stages, simulation, level, &info.equations);
    if let Reach::Conflict(equations, missed) = reach {
        return conflict(stages, &equations, missed, positions);
    }
    let message = format!("no {what} were found that satisfy all that is stated for the start");
    let diagnostic = Diagnostic::error(codes::INCONSISTENT_START, message);
    let diagnostic = label_all(diagnostic, &info.equations, failure.part, "has to hold too");
    if let Reach::Elsewhere(start) = reach {
        const FEW: usize = 3;
        let guesses: Vec<String> = start
            .iter()
            .take(FEW)
            .map(|(name, value, dimension)| format!("`{}` for `{name}`", guess(name, *value, *dimension)))
            .collect();
        return diagnostic
            .note("there is a start, but the search does not find it from the guesses it is given")
            .hint(format!("give a guess that is nearer, such as {}", listed(&guesses)));
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

/// What cannot hold together, in the order of the scene; the last is the one that gives way.
fn conflict(stages: &Stages, equations: &[reach::Equation], missed: f64, positions: bool) -> Diagnostic {
    const FEW: usize = 4;
    let statements = statements(equations.iter().map(|equation| (equation.label.as_str(), equation.span)));
    let Some(((last, span), others)) = statements.split_last() else {
        return Diagnostic::error(codes::INCONSISTENT_START, "the scene has no start");
    };
    let mut names: Vec<String> = others.iter().take(FEW).map(|(name, _)| name.clone()).collect();
    if others.len() > FEW {
        names.push(format!("{} more", others.len() - FEW));
    }
    let message = match others.len() {
        0 => format!("{last} cannot hold at the start"),
        1 => format!("{} and {last} cannot both hold at the start", listed(&names)),
        _ => format!("{last} cannot hold at the start together with {}", listed(&names)),
    };
    let amount = amount(stages, *span, missed);
    let mut diagnostic = Diagnostic::error(codes::INCONSISTENT_START, message).at(
        *span,
        match others.len() {
            0 => format!("at best, this is off by {amount}"),
            1 => format!("where the other holds, this is off by {amount}"),
            _ => format!("where the others hold, this is off by {amount}"),
        },
    );
    for (name, span) in others.iter().take(FEW) {
        diagnostic = diagnostic.at(*span, format!("{name} has to hold too"));
    }
    diagnostic.hint(match (others.len(), positions) {
        (0, _) => "change a number in it, or in what it depends on",
        (_, true) => "change a number, or drop one of these",
        (_, false) => "drop one of these, or state only velocities that the others allow",
    })
}

/// Equations by statement: `rolls` (x) if one component of it is meant, `rolls` if several are.
fn statements<'e>(equations: impl Iterator<Item = (&'e str, Span)>) -> Vec<(String, Span)> {
    let mut found: Vec<(&str, &str, Span)> = Vec::new();
    for (label, span) in equations {
        let (name, component) = split_label(label);
        match found.iter_mut().find(|(known, _, place)| *known == name && *place == span) {
            Some((_, component, _)) => *component = "",
            None => found.push((name, component, span)),
        }
    }
    found.into_iter().map(|(name, component, span)| (component_label(&format!("`{name}`"), component), span)).collect()
}

/// A deviation of an equation with its unit, to three digits; angles in degrees.
fn amount(stages: &Stages, span: Span, value: f64) -> String {
    let model = &stages.model;
    let equation = model.constraints.iter().chain(&model.initial).find(|equation| equation.span == span);
    let sides = equation.map_or(Vec::new(), |equation| vec![equation.left, equation.right]);
    let angle = |term: &TermId| matches!(model.terms.get(*term).kind, TermKind::Frame(_, FrameQuantity::Angle));
    if sides.iter().any(angle) {
        return format!("{} deg", digits(value.to_degrees()));
    }
    let dimensions = sides.iter().map(|&term| model.terms.get(term).type_.amount.dimension());
    let known = dimensions.into_iter().find(|dimension| !dimension.is_none());
    let unit = known.map_or(String::new(), |dimension| format!(" {}", dimension.unit()));
    format!("{}{unit}", digits(value))
}

/// Three digits.
fn digits(value: f64) -> String {
    let rounded = format!("{value:.2e}").parse().unwrap_or(value);
    number(rounded)
}

/// As an author writes it: `free(60 [deg])`, `free(0.5 [m])`.
fn guess(name: &str, value: f64, dimension: Dimension) -> String {
    let short = |value: f64| format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').to_string();
    match dimension {
        Dimension::NONE if name.ends_with(".angle") => format!("free({} [deg])", short(value.to_degrees().round())),
        Dimension::NONE => format!("free({})", short(value)),
        _ => format!("free({} [{}])", short(value), dimension.unit()),
    }
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
    // The rounds of a loop share a place and, without a label of their own, a text.
    let mut told: Vec<&Origin> = Vec::new();
    for (_, equation) in rest {
        if told.len() < FEW && !told.iter().any(|told| (told.span, &told.label) == (equation.span, &equation.label)) {
            told.push(equation);
            diagnostic = diagnostic.at(equation.span, format!("`{}` {others}", equation.label));
        }
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
    number(((time * scale - 0.1).floor() / scale).max(0.0))
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
