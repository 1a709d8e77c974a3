//! Steady answers compared with a run of the same scene: which of them it comes to, and if none, why.

use base::{Diagnostics, Severity};
use simulation::Run;

use super::text::number;
use super::{Answer, Answers, Asking};
use crate::pipeline::{Options, compile};
use crate::play::play;
use crate::settings::bracketed;

/// A run is this many times as long as the slowest motion near an answer takes to decay.
const DECAYS: f64 = 25.0;
/// Runs are not made longer than this, in seconds of the scene.
const LONGEST: f64 = 1e5;
/// Of the steps of a run, relative.
const TOLERANCE: f64 = 1e-9;
/// How often a run is looked at.
const ROWS: f64 = 50.0;
/// A run has come to an answer if it is as near as this, relatively.
const NEAR: f64 = 1e-6;

/// Runs the scene from its start, where it has steady answers, and marks the one that the run comes to.
pub fn compare(asking: &Asking<'_>, answers: &mut Answers) {
    let slowest = answers.answers.iter().filter_map(|it| it.rate).map(f64::abs).fold(f64::INFINITY, f64::min);
    if !slowest.is_finite() || slowest == 0.0 {
        return;
    }
    let mut asked: Vec<String> = Vec::new();
    for answer in answers.answers.iter().filter(|it| it.rate.is_some() && it.value.len() == 1) {
        if !asked.contains(&answer.asked) {
            asked.push(answer.asked.clone());
        }
    }
    let tried_with = asking.settings.clone();
    let options = Options { probes: asked.clone(), tolerance: TOLERANCE, tried_with, ..asking.options.clone() };
    let until = (DECAYS / slowest).min(LONGEST);
    let (end, why) = run(asking, &options, until);
    let mut any = false;
    for answer in answers.answers.iter_mut().filter(|it| it.rate.is_some() && it.value.len() == 1) {
        let end = asked.iter().position(|name| *name == answer.asked).and_then(|at| end.as_ref()?.get(at));
        let near = end.is_some_and(|end| (end - answer.value[0]).abs() <= NEAR * answer.value[0].abs().max(end.abs()));
        answer.reached = Some(near);
        any |= near;
    }
    if !any {
        answers.notes.push(format!("a run from the start comes to none of these: {why}"));
        answers.notes.extend(answers.answers.iter().filter_map(watershed));
    }
}

/// What one number does on both sides of a balance that it leaves.
fn watershed(answer: &Answer) -> Option<String> {
    let value = number(answer.told.count(*answer.value.first()?));
    (answer.stable == Some(false) && answer.moves_alone).then(|| {
        let (asked, unit) = (&answer.asked, bracketed(&answer.told));
        format!("below {value}{unit} `{asked}` falls, above it rises: what begins below does not come up by itself")
    })
}

/// What is asked for at the end of a run, if it gets there, and otherwise why it does not.
fn run(asking: &Asking<'_>, options: &Options, until: f64) -> (Option<Vec<f64>>, String) {
    let said = |found: &Diagnostics| {
        let first = found.sorted().into_iter().find(|it| it.severity == Severity::Error)?;
        Some(std::iter::once(&first.message).chain(&first.notes).cloned().collect::<Vec<_>>().join("; "))
    };
    let compilation = compile(asking.name, asking.text, options);
    if compilation.stages.is_none() {
        return (None, said(&compilation.diagnostics).unwrap_or_default());
    }
    let plan = Run { until, every: until / ROWS, tolerance: TOLERANCE };
    let mut last = Vec::new();
    let played = play(&compilation, options, asking.settings, Some(plan), |_, values| last = values.to_vec());
    if let Some(why) = said(&played.diagnostics) {
        return (None, why);
    }
    match played.events.last() {
        Some(event) if played.summary.time < until * (1.0 - NEAR) => {
            (None, format!("it ends at t = {} s, where {}", number(event.t), event.name))
        }
        _ => (Some(last), format!("after {} s it is elsewhere", number(until))),
    }
}
