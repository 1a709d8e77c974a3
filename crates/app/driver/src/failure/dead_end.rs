//! Places from where the equations do not tell how to go on: dead centres, gimbal lock, parts without mass.

use base::{Diagnostic, Dimension, listed};
use equations::{Constraint, Speed};
use program::SystemInfo;
use simulation::{Failure, Simulation};

use super::not_finite::not_finite;
use super::words::{before, label_all, number, statements};
use crate::blame::Undetermined;
use crate::pipeline::Stages;
use crate::{blame, codes};

pub fn singular(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation) -> Diagnostic {
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
pub fn dead_end(time: f64, open: &Undetermined<'_>) -> Diagnostic {
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
