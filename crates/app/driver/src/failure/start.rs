//! Scenes that have no start, or none that was found.

use base::{Diagnostic, Dimension, Span, listed};
use equations::Level;
use model::{FrameQuantity, TermId, TermKind};
use program::{SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use super::words::{label_all, number, statements};
use crate::codes;
use crate::pipeline::Stages;
use crate::reach::{self, Reach};

pub fn start(failure: &Failure, info: &SystemInfo, stages: &Stages, simulation: &Simulation) -> Diagnostic {
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

/// A deviation of an equation with its unit, to three digits; angles in degrees.
pub fn amount(stages: &Stages, span: Span, value: f64) -> String {
    let model = &stages.model;
    let prescribed = model.prescriptions.iter().map(|prescription| &prescription.equation);
    let equation =
        model.constraints.iter().chain(&model.initial).chain(prescribed).find(|equation| equation.span == span);
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
