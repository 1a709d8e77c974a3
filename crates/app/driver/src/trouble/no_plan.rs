//! A plan that finds no way: the choices that came nearest, by how much each aim is missed there, and why rehearsals did not come to their ends.

use base::{Diagnostic, Span};
use kernel::executive::plans;
use kernel::protocol;
use model::{Model, Shape};
use simulation::{Failure, Missed, Unfinished};

use super::{quoted, short};
use crate::codes;
use crate::failure::number;
use crate::instance::Instance;
use crate::sensitivity::UNKNOWN;
use crate::settings::bracketed;

pub(super) fn no_plan(failure: &Failure, instance: &Instance, model: &Model) -> Diagnostic {
    let plan = &model.transitions[failure.place];
    let (time, name) = (number(failure.time), short(&plan.name));
    let message = match failure.part {
        None => format!("at t = {time} s, `{name}` finds no way to what it aims at"),
        Some(_) => {
            format!("at t = {time} s, `{name}` meets its aims, but does not find the least of what it minimizes")
        }
    };
    let diagnostic = Diagnostic::error(codes::NO_PLAN, message);
    let goals = goal_sizes(model, failure.place).map(|(_, count)| count).sum();
    let choices = choice_names(model, failure.place).len();
    let unfinished = instance.unfinished(choices);
    match instance.nearest(failure.place, choices, goals) {
        Some(nearest) if failure.part.is_some() => {
            let diagnostic = diagnostic.at(plan.span, "this is the least it found:");
            describe_chosen(diagnostic, model, failure.place, &nearest.choices).hint(
                "if it can go on falling, say between which values it is chosen, as in `choose push: [N] from 1 [N] in [0, 10] [N]`",
            )
        }
        Some(nearest) => {
            let diagnostic = diagnostic.at(plan.span, "this is the nearest it came:");
            let diagnostic = describe_chosen(diagnostic, model, failure.place, &nearest.choices);
            let diagnostic = match unfinished {
                Some(unfinished) => describe_border(diagnostic, model, failure.place, &unfinished),
                None => diagnostic,
            };
            describe_missed(diagnostic, model, failure.place, &Missed::new(nearest))
        }
        None => {
            let ends = "with the numbers where the search begins its phases do not come to their ends";
            match unfinished {
                Some(unfinished) => {
                    let diagnostic = diagnostic.at(plan.span, format!("{ends}:"));
                    let diagnostic = describe_chosen(diagnostic, model, failure.place, &unfinished.choices);
                    let diagnostic = diagnostic.note(format!("a rehearsal with them {}", reason(&unfinished)));
                    diagnostic.hint(remedy(unfinished.why))
                }
                None => diagnostic.at(plan.span, ends).hint(ELSEWHERE),
            }
        }
    }
}

/// Where the search could not go on.
fn describe_border(diagnostic: Diagnostic, model: &Model, plan: usize, unfinished: &Unfinished) -> Diagnostic {
    let chosen = chosen(model, plan, &unfinished.choices);
    let chosen: Vec<String> = chosen.into_iter().map(|(text, _)| text).collect();
    diagnostic.note(format!("farther on, with {}, a rehearsal {}", chosen.join(" and "), reason(unfinished)))
}

/// Why a rehearsal did not come to its end, as what it does.
fn reason(Unfinished { why, t, .. }: &Unfinished) -> String {
    let t = number(*t);
    match *why {
        plans::ENDS_AT_ONCE => {
            format!("has a phase that begins at t = {t} s where it is to end: its condition holds already")
        }
        plans::NEVER_ENDS => format!("goes on to t = {t} s, and no end of its phase comes"),
        plans::RUN_ENDS => format!("comes to the end of the run at t = {t} s, before the end of its last phase"),
        protocol::NO_DERIVATIVE => format!(
            "comes to t = {t} s, from where on it is not known how the motion changes with what is chosen: {UNKNOWN}"
        ),
        why => {
            let known = protocol::FAILURES.iter().find(|(code, ..)| *code == why);
            format!("fails at t = {t} s: {}", known.map_or("the program broke its own rules", |known| known.1))
        }
    }
}

/// What helps against it.
fn remedy(why: i64) -> &'static str {
    match why {
        protocol::NO_DERIVATIVE => {
            "begin the search with `from` where this does not happen, or let a phase end before it does: `until` a condition"
        }
        plans::ENDS_AT_ONCE => {
            "let the condition wait for the motion, as in `until z <= 0 and z' < 0`, or begin elsewhere with `from`"
        }
        plans::NEVER_ENDS => {
            "begin the search with `from` where the phase comes to its end, or let it end `after` a time"
        }
        plans::RUN_ENDS => "let the run go on until the plan has ended, or begin elsewhere with `from`",
        _ => ELSEWHERE,
    }
}

const ELSEWHERE: &str = "let the search begin elsewhere with `from`, or aim at something that can be reached";

/// What a plan chose, as it would stand behind `from`, and where it is declared. Where least is missed, what is missed hardly changes with the
/// choices, so that a search knows them to about the square root of its accuracy: more than four digits would be noise.
fn chosen(model: &Model, plan: usize, choices: &[f64]) -> Vec<(String, Span)> {
    let mut choices = choices.iter();
    let all = model.transitions[plan].choices.iter().map(|(discrete, _)| {
        let discrete = &model.discrete[discrete.index()];
        let digits = |&value: &f64| format!("{:.3e}", discrete.unit.count(value)).parse().map_or(String::new(), number);
        let own = choices.by_ref().take(discrete.size()).map(digits).collect::<Vec<String>>().join(", ");
        let value = if discrete.size() == 1 { own } else { format!("({own})") };
        (format!("`{}` = {value}{}", discrete.name, bracketed(&discrete.unit)), discrete.span)
    });
    all.collect()
}

fn describe_chosen(diagnostic: Diagnostic, model: &Model, plan: usize, choices: &[f64]) -> Diagnostic {
    chosen(model, plan, choices).into_iter().fold(diagnostic, |found, (text, span)| found.at(span, text))
}

/// By how much a plan missed each aim, in the unit of what it is about; and which of its choices were of no use.
fn describe_missed(diagnostic: Diagnostic, model: &Model, plan: usize, missed: &Missed) -> Diagnostic {
    let mut left = missed.left.iter().enumerate();
    let diagnostic = goal_sizes(model, plan).fold(diagnostic, |found, ((aim, is_limit), count)| {
        let unit = Some(model.unit_of(aim.left))
            .filter(|unit| !unit.is_empty())
            .map_or(String::new(), |unit| format!(" {unit}"));
        let own: Vec<(usize, &f64)> = left.by_ref().take(count).collect();
        if is_limit && own.iter().all(|(_, value)| **value >= 0.0) {
            return found;
        }
        let by: Vec<String> = own.iter().map(|(_, value)| number(**value)).collect();
        let fixed = own.iter().all(|(at, _)| missed.fixed.contains(at));
        let fixed = if fixed { ", and hardly changes with what is chosen" } else { "" };
        found.at(aim.span, format!("off by {}{unit}{fixed}", by.join(", ")))
    });
    let names = choice_names(model, plan);
    // More choices than aims depend on one another in any case.
    let alike = if names.len() > missed.left.len() { &Vec::new() } else { &missed.alike };
    let named = |places: &[usize]| quoted(&places.iter().map(|&at| names[at].clone()).collect::<Vec<String>>());
    if missed.idle.is_empty() && alike.is_empty() {
        return diagnostic.hint(ELSEWHERE);
    }
    let diagnostic = match missed.idle.len() {
        0 => diagnostic,
        1 => diagnostic.note(format!("there, {} changes hardly anything that is aimed at", named(&missed.idle))),
        _ => diagnostic.note(format!("there, {} change hardly anything that is aimed at", named(&missed.idle))),
    };
    let diagnostic = match alike.len() {
        0 => diagnostic,
        2 => diagnostic.note(format!(
            "there, {} act alike: what one changes of what is aimed at, the other changes in the same proportion",
            named(alike)
        )),
        _ => diagnostic.note(format!(
            "there, {} do not act independently on what is aimed at: each does what the others could do together",
            named(alike)
        )),
    };
    diagnostic.hint(format!("choose what changes the aims in a way of its own; {ELSEWHERE}"))
}

/// What a plan aims at and limits, in the order in which a rehearsal meets it: whether it is a limit, and how many numbers it is.
pub(crate) fn goal_sizes(model: &Model, plan: usize) -> impl Iterator<Item = ((&model::Equation, bool), usize)> {
    let goals = model.transitions[plan].phases.iter().flat_map(|&phase| {
        let phase = &model.transitions[phase];
        phase.aims.iter().map(|aim| (aim, false)).chain(phase.limits.iter().map(|limit| (limit, true)))
    });
    goals.map(|goal| (goal, if model.terms.get(goal.0.left).type_.shape == Shape::Vector { 3 } else { 1 }))
}

/// The numbers that a plan chooses; those of a vector are its components.
fn choice_names(model: &Model, plan: usize) -> Vec<String> {
    let names = model.transitions[plan].choices.iter().flat_map(|(discrete, _)| {
        let discrete = &model.discrete[discrete.index()];
        match discrete.size() {
            1 => vec![discrete.name.clone()],
            _ => ["x", "y", "z"].map(|part| format!("{}.{part}", discrete.name)).to_vec(),
        }
    });
    names.collect()
}
