//! Steady answers compared with a run of the same scene: which of them it comes to, and if none, why.

use model::Model;

use super::{Answers, Asking};
use crate::pipeline::{Options, compile};
use crate::play::play;
use simulation::Run;

/// A run is this many times as long as the slowest motion near an answer takes to decay.
const DECAYS: f64 = 25.0;
/// Runs are not made longer than this, in seconds of the scene.
const LONGEST: f64 = 1e5;
/// A run has come to an answer if it is as near as this, relatively.
const NEAR: f64 = 1e-6;

/// Runs the scene from its start, where it has steady answers, and marks the one that the run comes to.
pub fn compare(asking: &Asking<'_>, model: &Model, parameters: &[f64], answers: &mut Answers) {
    let slowest = answers.answers.iter().filter_map(|it| it.rate).map(f64::abs).fold(f64::INFINITY, f64::min);
    if !slowest.is_finite() || slowest == 0.0 || !asking.without.is_empty() {
        return;
    }
    let mut asked: Vec<String> = Vec::new();
    for answer in answers.answers.iter().filter(|it| it.rate.is_some() && it.value.len() == 1) {
        if !asked.contains(&answer.asked) {
            asked.push(answer.asked.clone());
        }
    }
    let options = Options { probes: asked.clone(), tolerance: 1e-9, tried_with: asking.settings.clone(), ..asking.options.clone() };
    let compilation = compile(asking.name, asking.text, &options);
    if compilation.stages.is_none() {
        answers.notes.push("no run can confirm this: the scene cannot be run as it is".to_string());
        return;
    }
    let until = (DECAYS / slowest).min(LONGEST);
    let plan = Run { until, every: until / 50.0, tolerance: 1e-9 };
    let mut last: Vec<f64> = Vec::new();
    let played = play(&compilation, &options, asking.settings, Some(plan), |_, values| last = values.to_vec());
    let _ = (model, parameters);
    let finished = played.summary.time >= until * (1.0 - 1e-9);
    let mut any = false;
    for answer in answers.answers.iter_mut().filter(|it| it.rate.is_some() && it.value.len() == 1) {
        let end = asked.iter().position(|name| *name == answer.asked).and_then(|at| last.get(at));
        let near = end.is_some_and(|end| (end - answer.value[0]).abs() <= NEAR * answer.value[0].abs().max(end.abs()));
        answer.reached = Some(finished && near);
        any |= finished && near;
    }
    if !any {
        let why = played.diagnostics.sorted().first().map(|it| it.message.clone());
        let why = why.unwrap_or_else(|| format!("after {until:.6} s it is elsewhere"));
        answers.notes.push(format!("a run from the start comes to none of these: {why}"));
    }
}
