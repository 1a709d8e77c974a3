//! Steady answers compared with a run of the same scene: which of them it comes to, and if none, why.

use base::{Diagnostics, Severity};
use simulation::Run;

use super::text::number;
use super::{Answer, Answers, Asking};
use crate::pipeline::{Options, compile};
use crate::play::play;
use crate::settings::{Settings, bracketed};

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

/// Of the rows of a table so many are compared, evenly spread.
const MOST_ROWS: usize = 100;

/// Runs the scene from its start, where it has steady answers, and marks those that the run comes to.
pub fn compare(asking: &Asking<'_>, progress: &dyn Fn(f64), answers: &mut Answers) {
    progress(0.0);
    if let Some(Missed { names, why }) = settle(asking, asking.settings, &mut answers.answers) {
        let steady = answers.answers.iter().filter(|it| is_steady(it));
        let which = match steady.clone().all(|it| names.contains(&it.asked)) {
            true => "these".to_string(),
            false => format!("the values of {}", quoted(&names)),
        };
        let watersheds: Vec<String> = steady.filter(|it| names.contains(&it.asked)).filter_map(watershed).collect();
        answers.notes.push(format!("a run from the start comes to none of {which}: {why}"));
        answers.notes.extend(watersheds);
    }
    let count = (answers.tables.len() + 1) as f64;
    for (place, table) in answers.tables.iter_mut().enumerate() {
        progress((place + 1) as f64 / count);
        let stride = table.rows.len().div_ceil(MOST_ROWS).max(1);
        let mut missed: Vec<(f64, String)> = Vec::new();
        for (value, row) in table.rows.iter_mut().step_by(stride) {
            let settings = asking.settings.with(&table.parameter, table.parameter_unit.count(*value));
            if let Some(Missed { why, .. }) = settle(asking, &settings, row) {
                // What can be done about it is said once, of the scene itself.
                let why = why.split(';').next().unwrap_or_default().to_string();
                let rises = row.iter().find_map(watershed).map_or(String::new(), |it| format!("; {it}"));
                missed.push((*value, why + &rises));
            }
        }
        if let Some((_, why)) = missed.first() {
            let values: Vec<String> =
                missed.iter().map(|(value, _)| number(table.parameter_unit.count(*value))).collect();
            let first = if missed.len() > 1 { format!("{}: ", values[0]) } else { String::new() };
            answers.notes.push(format!(
                "for {} = {}{} a run from the start comes to none of the values of {}: {first}{why}",
                table.parameter,
                values.join(", "),
                bracketed(&table.parameter_unit),
                quoted(&table.asked),
            ));
        }
    }
}

/// What a run comes to no answer of, and why.
struct Missed {
    names: Vec<String>,
    why: String,
}

/// Whether a run could come to an answer, or leave it.
fn is_steady(answer: &Answer) -> bool {
    answer.rate.is_some()
}

fn quoted(names: &[String]) -> String {
    base::listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// Makes one run, and marks the answers that it comes to.
fn settle(asking: &Asking<'_>, settings: &Settings, answers: &mut [Answer]) -> Option<Missed> {
    let slowest = answers.iter().filter_map(|it| it.rate).map(f64::abs).fold(f64::INFINITY, f64::min);
    if !slowest.is_finite() || slowest == 0.0 {
        return None;
    }
    let mut asked: Vec<String> = Vec::new();
    for answer in answers.iter().filter(|it| is_steady(it)) {
        if !asked.contains(&answer.asked) {
            asked.push(answer.asked.clone());
        }
    }
    let (probes, tried_with) = (asked.clone(), settings.clone());
    let options = Options { probes, tolerance: TOLERANCE, tried_with, ..asking.options.clone() };
    let until = (DECAYS / slowest).min(LONGEST);
    let end = run(asking, settings, &options, until);
    let place = |answer: &Answer| asked.iter().position(|name| *name == answer.asked);
    for answer in answers.iter_mut().filter(|it| is_steady(it)) {
        let end = place(answer).and_then(|at| end.as_ref().ok()?.get(at));
        answer.reached = Some(end.is_some_and(|end| is_near(end, &answer.value)));
    }
    let is_missed = |name: &String| !answers.iter().any(|it| it.asked == *name && it.reached == Some(true));
    let names: Vec<String> = asked.iter().filter(|name| is_missed(name)).cloned().collect();
    let first = answers.iter().find(|it| names.contains(&it.asked))?;
    let why = match (&end, place(first)) {
        (Ok(end), Some(at)) => {
            let shown: Vec<String> = end[at].iter().map(|value| number(first.told.count(*value))).collect();
            let (after, unit) = (number(until), bracketed(&first.told));
            format!("after {after} s `{}` is {}{unit}", first.asked, shown.join(", "))
        }
        (Err(why), _) => why.clone(),
        _ => String::new(),
    };
    Some(Missed { names, why })
}

/// Vectors are compared by their largest component.
fn is_near(end: &[f64], value: &[f64]) -> bool {
    let size = end.iter().chain(value).fold(0.0_f64, |size, it| size.max(it.abs()));
    end.iter().zip(value).all(|(end, value)| (end - value).abs() <= NEAR * size)
}

/// What one number does on both sides of a balance that it leaves.
fn watershed(answer: &Answer) -> Option<String> {
    let value = number(answer.told.count(*answer.value.first()?));
    (answer.stable == Some(false) && answer.moves_alone).then(|| {
        let (asked, unit) = (&answer.asked, bracketed(&answer.told));
        format!("below {value}{unit} `{asked}` falls, above it rises: what begins below does not come up by itself")
    })
}

/// What is asked for at the end of a run, or why it does not get there.
fn run(asking: &Asking<'_>, settings: &Settings, options: &Options, until: f64) -> Result<Vec<Vec<f64>>, String> {
    let said = |found: &Diagnostics| {
        let first = found.sorted().into_iter().find(|it| it.severity == Severity::Error)?;
        Some(std::iter::once(&first.message).chain(&first.notes).cloned().collect::<Vec<_>>().join("; "))
    };
    let compilation = compile(asking.name, asking.text, options);
    let Some(stages) = &compilation.stages else { return Err(said(&compilation.diagnostics).unwrap_or_default()) };
    let plan = Run { until, every: until / ROWS, tolerance: TOLERANCE };
    let mut last = Vec::new();
    let played = play(&compilation, options, settings, Some(plan), |_, values| last = values.to_vec());
    if let Some(why) = said(&played.diagnostics) {
        return Err(why);
    }
    match played.events.last() {
        Some(event) if played.summary.time < until * (1.0 - NEAR) => {
            Err(format!("it ends at t = {} s, where {}", number(event.t), event.name))
        }
        _ => {
            let mut columns = last.into_iter();
            let outputs = stages.system.outputs.iter().take(options.probes.len());
            Ok(outputs.map(|output| columns.by_ref().take(output.columns.len()).collect()).collect())
        }
    }
}
