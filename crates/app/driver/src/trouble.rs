//! What happened to a run of modes, in the user's words: why it ended too soon, and what there is to warn of.

mod no_plan;

use base::{Diagnostic, Diagnostics, Dimension, Span};
use equations::{Constraint, Level};
use kernel::executive::MOST_AT_ONCE;
use kernel::executive::pace::TURNS;
use model::{Model, TermId};
use program::State;
use simulation::{Event, Failure, FailureKind, Warning, WarningKind};

use crate::codes;
use crate::failure::{describe, limits, number, unsettled};
use crate::instance::{Instance, Part};
use crate::modes::{formula, in_mode, is_changing};
use crate::pipeline::Stages;
use crate::told;

pub(crate) use no_plan::goal_sizes;
use no_plan::no_plan;

const FIRST_IN_TEXT: &str = "this happened: it stands first in the text";
const FIRST_BY_ROUNDING: &str = "this happened: it came first, but only by rounding";

/// What a run met that is no reason to end it: what was settled by the order of the text alone, plans that came to nothing, phases of no duration.
pub fn describe_warnings(instance: &Instance) -> Diagnostics {
    let stages = instance.stages();
    let transitions = &stages.model.transitions;
    let describe = |warning: &Warning| match warning.kind {
        WarningKind::Rivals { happened, missed, by_rounding } => {
            describe_rivals(warning.t, [happened, missed].map(|number| &transitions[number]), by_rounding)
        }
        WarningKind::Disturbed { plan, events } => {
            let by = strangers(&transitions[plan], plan, &instance.events[..events.min(instance.events.len())]);
            describe_disturbed(warning.t, &transitions[plan], by.into_iter().map(|number| &transitions[number]))
        }
        WarningKind::Overdue { begins, duration } => describe_overdue(warning.t, duration, &transitions[begins + 1]),
    };
    let contacts = instance.contact_notes();
    let contacts = contacts.iter().filter_map(|note| told::describe_note(note, &stages));
    instance.warnings().iter().map(describe).chain(contacts).collect()
}

/// What else happened since a plan began, each once.
pub(crate) fn strangers(begin: &model::Transition, plan: usize, events: &[Event]) -> Vec<usize> {
    let since = events.iter().rposition(|event| event.number == plan).unwrap_or(0);
    let others = events[since..].iter().map(|event| event.number);
    let mut others: Vec<usize> = others.filter(|it| *it != plan && !begin.phases.contains(it)).collect();
    others.sort_unstable();
    others.dedup();
    others
}

fn describe_rivals(t: f64, [happened, missed]: [&model::Transition; 2], by_rounding: bool) -> Diagnostic {
    let message =
        format!("at t = {} s, `{}` and `{}` hold together and disagree", number(t), happened.name, missed.name);
    Diagnostic::warning(codes::RIVAL_TRANSITIONS, message)
        .at(happened.span, if by_rounding { FIRST_BY_ROUNDING } else { FIRST_IN_TEXT })
        .at(missed.span, "this did not, for it does not hold any more afterwards")
        .hint(match by_rounding {
            true => "let their conditions exclude one another, so that it does not depend on rounding which one comes",
            false => "let their conditions exclude one another, or change their order if the other should come first",
        })
}

fn describe_overdue(t: f64, duration: f64, ends: &model::Transition) -> Diagnostic {
    let message = format!("at t = {} s, a phase begins that was to end before: `{}`", number(t), ends.name);
    Diagnostic::warning(codes::NEGATIVE_DURATION, message)
        .at(ends.span, format!("`after` {} s; it ends at once", number(duration)))
        .hint("check the sign of the duration, or let the phase end `until` a condition holds")
}

fn describe_disturbed<'t>(
    t: f64,
    plan: &model::Transition,
    by: impl Iterator<Item = &'t model::Transition>,
) -> Diagnostic {
    let name = short(&plan.name);
    let message = format!("at t = {} s, `{name}` misses what it aimed at, for something came in between", number(t));
    let diagnostic = Diagnostic::warning(codes::PLAN_DISTURBED, message).at(plan.span, "chosen without knowing of it");
    let diagnostic =
        by.fold(diagnostic, |diagnostic, it| diagnostic.at(it.span, format!("`{}` happened meanwhile", it.name)));
    diagnostic.hint("a plan does not foresee what other plans choose: let their conditions wait for its end")
}

/// A run that ended too soon, in the user's words.
pub fn describe_failure(failure: &Failure, instance: &Instance) -> Diagnostics {
    let stages = instance.stages();
    let diagnostic = match failure.kind {
        FailureKind::NoProgram => return instance.errors(),
        FailureKind::Chattering => chattering(failure, instance, &stages.model),
        FailureKind::Accumulating => accumulating(failure, &stages.model.transitions[failure.place]),
        FailureKind::NoPlan => no_plan(failure, instance, &stages.model),
        FailureKind::Inconsistent => inconsistent(failure, &instance.present()),
        FailureKind::Refuted => refuted(failure, instance, &stages.model),
        _ if !is_changing(&stages) => describe(failure, &stages, instance),
        _ => in_present_mode(failure, instance),
    };
    let tolerance = instance.tolerance();
    let diagnostic = match failure.kind {
        FailureKind::StepCollapsed if tolerance > COARSE => {
            let message =
                format!("the tolerance of {tolerance:e} is coarse, which may be all: try `--tolerance 1e-8` first");
            Diagnostic { hints: [vec![message], diagnostic.hints].concat(), ..diagnostic }
        }
        _ => diagnostic,
    };
    [diagnostic].into_iter().collect()
}

/// Above this tolerance, in parts of each step, errors are seen, and may bring a run to where it would never come.
const COARSE: f64 = 1e-6;

/// What failed in the program of the present mode.
fn in_present_mode(failure: &Failure, instance: &Instance) -> Diagnostic {
    let (part, alone) = (instance.present(), instance.present_alone());
    let model = &part.stages.model;
    let place = in_mode(model, &part.mode);
    match failure.transition {
        Some(by) => unsettled(failure, &part.stages, &alone, &model.transitions[by]).note(place),
        None if model.modes.is_empty() => describe(failure, &part.stages, &alone),
        None => describe(failure, &part.stages, &alone).note(place),
    }
}

fn chattering(failure: &Failure, instance: &Instance, model: &Model) -> Diagnostic {
    let all = |diagnostic: Diagnostic, names: &[String], label: &str| {
        let those = model.transitions.iter().filter(|transition| names.contains(&transition.name));
        those.fold(diagnostic, |found, one| found.at(one.span, label))
    };
    let t = number(failure.time);
    let at_once = instance.events.iter().rev().take_while(|event| event.t == failure.time).count();
    if at_once > MOST_AT_ONCE {
        let names = distinct(instance.events[instance.events.len() - at_once..].iter().map(|event| &event.name));
        let message = format!(
            "at t = {t} s the transitions do not come to an end, given up after {MOST_AT_ONCE} of them: {}",
            quoted(&names)
        );
        return all(Diagnostic::error(codes::CHATTERING, message), &names, "happens again and again at this instant").hint(
            match names.len() {
                1 => "let its condition end with it: a ball that bounces no longer comes nearer, so ask for `z <= 0 and z' < 0`",
                _ => "let the conditions exclude one another: a mode that was just entered should last for a while",
            },
        );
    }
    let mut names = distinct(instance.events.iter().rev().take(TURNS).map(|event| &event.name));
    names.reverse();
    let message =
        format!("from t = {t} s on, {} take turns without end, and hardly any time passes in between", quoted(&names));
    all(Diagnostic::error(codes::CHATTERING, message), &names, "leads at once to where the other happens")
        .note("where either side of a border leads back to it, what comes after is sliding along the border")
        .hint("give that a mode of its own, in which a constraint holds the border: `always x == 0 while motion == sliding`")
}

/// Each name once, in the order in which they come.
fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(name) {
            known.push(name.clone());
        }
    }
    known
}

fn accumulating(failure: &Failure, transition: &model::Transition) -> Diagnostic {
    let message =
        format!("`{}` happens ever faster and never gets past t = {} s", transition.name, number(failure.time));
    Diagnostic::error(codes::ACCUMULATION, message)
        .at(transition.span, "infinitely often before that time")
        .hint("say what happens afterwards: a transition to another mode where the motion is small enough")
}

fn inconsistent(failure: &Failure, part: &Part) -> Diagnostic {
    let (stages, model) = (&part.stages, &part.stages.model);
    let state = changed(stages, failure.part.unwrap_or(0));
    let is_speed = !state.is_some_and(|state| is_coordinate(stages, state));
    let stated = &model.transitions[failure.place];
    let message = format!(
        "at t = {} s, `{}` leads to a state that the new mode does not allow",
        number(failure.time),
        stated.name
    );
    let (name, by) = (state.map_or("", |state| &state.name), number(failure.residual));
    let diagnostic = Diagnostic::error(codes::INCONSISTENT_CHANGE, message)
        .at(stated.span, format!("`{name}` does not fit: it is off by {by} of its size"));
    let diagnostic = state
        .into_iter()
        .flat_map(|state| demands(stages, state))
        .fold(diagnostic, |found, (label, span)| found.at(span, format!("`{label}` has to hold in the new mode")));
    diagnostic.note(in_mode(model, &part.mode)).hint(match model.quantities.is_empty() {
        true if is_speed && !stated.satisfies_velocities => "add `satisfy velocity constraints` to its effects",
        true if is_speed => "drop what it says of velocities, and let the constraints decide them",
        true if stated.kept.positions => {
            "write `satisfy position constraints` instead of `keep positions`, or let its condition wait for the constraint to hold"
        }
        true => "add `satisfy position constraints` to its effects",
        false => "say what it is afterwards, or what stays the same: `a + b == pre(a + b)` is true of charges that flow together",
    })
}

fn refuted(failure: &Failure, instance: &Instance, model: &Model) -> Diagnostic {
    let (part, claim) = (instance.present(), &model.claims[failure.place]);
    if let Some(told) = limits::left_by(claim, failure.time, &part.stages) {
        return told;
    }
    let message = format!("at t = {} s, `{}` does not hold", number(failure.time), claim.name);
    let conditions = part.stages.system.automaton.conditions.iter().enumerate();
    let sides = conditions.flat_map(|(at, condition)| condition.compared.iter().map(move |side| (at, side)));
    let compared = instance.change_values().split_off(3 * model.conditions.len());
    let own = formula(&claim.formula).conditions();
    let own = sides.zip(compared).filter(|((at, _), _)| own.contains(at));
    let diagnostic = Diagnostic::error(codes::CLAIM_REFUTED, message).at(claim.span, "claimed here");
    let mut readings: Vec<(Span, String)> =
        own.map(|((_, side), value)| (side.span, reading(model, side.span, value, side.dimension))).collect();
    // What is compared twice, as with both ends of a range, is told once.
    readings.dedup();
    readings.into_iter().fold(diagnostic, |found, (span, text)| found.at(span, text)).note(in_mode(model, &part.mode))
}

/// A number with its unit, of which what is read there may know more than its dimension: torques have that of an energy and are none.
fn reading(model: &Model, span: Span, value: f64, dimension: Dimension) -> String {
    let mut open: Vec<TermId> = if dimension == Dimension::ENERGY { model.conditions.clone() } else { Vec::new() };
    while let Some(term) = open.pop() {
        let found = model.terms.get(term);
        if found.span == span && found.type_.amount.dimension() == dimension {
            let unit = model.unit_of(term);
            // The bounds of a range stand at one place with what is between them, and are plain numbers.
            if unit != dimension.unit() {
                return format!("{} {unit}", number(value));
            }
        }
        open.extend(found.kind.parts());
    }
    measured(value, dimension)
}

/// What does not fit after a transition: a coordinate, a speed, or a state of the new mode.
fn changed(stages: &Stages, at: usize) -> Option<&State> {
    let variables = stages.program.changes.iter().flat_map(|changes| &changes.variables);
    let states = stages.program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
    variables.chain(states).nth(at)
}

fn is_coordinate(stages: &Stages, state: &State) -> bool {
    stages.system.coordinates.iter().any(|coordinate| coordinate.symbol == state.symbol)
}

/// The constraints of a mode that speak of what does not fit.
fn demands(stages: &Stages, state: &State) -> Vec<(String, Span)> {
    let level = if is_coordinate(stages, state) { Level::Position } else { Level::Velocity };
    let speaks = |constraint: &&Constraint| {
        let residual = constraint.at(level);
        residual.is_some_and(|it| stages.system.arena.symbols_in(&[it]).contains(&state.symbol))
    };
    let all = stages.system.constraints.iter().filter(speaks);
    all.map(|constraint| (constraint.label.clone(), constraint.span)).collect()
}

/// The name of a plan, of which this is the first transition.
fn short(begin: &str) -> &str {
    begin.strip_suffix(".begin").unwrap_or(begin)
}

/// `0.25 m`
pub(crate) fn measured(value: f64, dimension: Dimension) -> String {
    format!("{}{}", number(value), unit(dimension))
}

/// As it is written behind a number.
fn unit(dimension: Dimension) -> String {
    if dimension.is_none() { String::new() } else { format!(" {}", dimension.unit()) }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
