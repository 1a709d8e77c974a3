//! What depends on what was, where only what is can be looked at.

use base::{Diagnostic, Diagnostics};
use equations::System;
use expr::{Expr, Node, Operator, Substitution};
use simulation::{Failure, FailureKind};

use crate::codes;
use crate::failure::number;
use crate::pipeline::Stages;

/// Plans try out what will be, and would have to remember what was each time.
pub(crate) fn refuse_plans(system: &System, sink: &mut Diagnostics) {
    let planned = system.automaton.transitions.iter().find(|transition| !transition.choices.is_empty());
    let (Some(transition), Some(signal)) = (planned, system.signals.first()) else { return };
    let message = format!("`{}` begins a plan in a scene that depends on what was", transition.name);
    sink.report(
        Diagnostic::error(model::BAD_DELAY, message)
            .at(transition.span, "plans do not look through delays in this version")
            .at(signal.span, "this is late")
            .hint("leave the delay out while the plan is made, or choose the numbers by hand"),
    );
}

/// A state alone does not say how a scene with delays goes on.
pub(crate) fn no_state(system: &System) -> Option<Diagnostic> {
    let signal = system.signals.first()?;
    let message = "a scene with delays is not determined by its state: what was counts too";
    Some(
        Diagnostic::error(codes::NO_LINEARISATION, message)
            .at(signal.span, "this depends on an earlier time")
            .note("its linear model has infinitely many modes")
            .hint("put a chain of first-order lags in the place of the delay, `der(seen) == (x - seen) / delay`, or look at a run"),
    )
}

/// What was is what is, where the things are steady that it speaks of.
pub(crate) fn steady(system: &System, rows: impl Iterator<Item = Expr>, held: impl Fn(&str) -> bool) -> Substitution {
    let arena = &system.arena;
    let rests = |value: Expr| {
        let mut moving = system.variables.iter().filter(|it| !it.constant && !held(&it.name)).map(|it| it.symbol);
        let symbols = arena.symbols_in(&[value]);
        system.coordinates.is_empty() && !moving.any(|symbol| symbols.contains(&symbol))
    };
    let number = |expr: Expr| arena.as_number(expr).map(|number| number.value() as usize);
    let was = |node: Expr| {
        let Node::Apply(Operator::Past, arguments) = arena.node(node) else { return None };
        let signal = system.signals.get(number(arguments[0])?)?;
        let now = if number(arguments[1])? == 0 { signal.value } else { arena.zero() };
        rests(signal.value).then_some((node, now))
    };
    Substitution::new(arena.reachable(&rows.collect::<Vec<_>>()).into_iter().filter_map(was))
}

/// A run that ends because of a delay.
pub(crate) fn describe(failure: &Failure, stages: &Stages) -> Diagnostic {
    let signal = stages.system.signals.get(failure.place);
    let name = signal.map_or("something", |signal| signal.name.as_str());
    let (time, delay) = (number(failure.time), number(failure.residual));
    let (message, hint) = match failure.kind {
        FailureKind::BadDelay => (
            format!("`{name}` is late by {delay} s, and a delay has to be positive"),
            "choose another value for what the delay is made of".to_string(),
        ),
        _ => (
            format!("at t = {time} s, more than 8000 steps lie within the delay of {delay} s of `{name}`"),
            "ask for less accuracy with `--tolerance`, or for a shorter delay".to_string(),
        ),
    };
    let diagnostic = Diagnostic::error(model::BAD_DELAY, message).hint(hint);
    match signal {
        Some(signal) => diagnostic.at(signal.span, "this is late"),
        None => diagnostic,
    }
}
