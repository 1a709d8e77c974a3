//! Questions about an instant of a run: the scene is run from its start, and stops where the condition begins to hold.

use base::{Diagnostics, Severity};
use model::{Model, Question};
use simulation::Run;

use super::question::values;
use super::text::number;
use super::{Answer, Answers, Asking, DeadEnd, Table};
use crate::pipeline::{Options, compile};
use crate::play::play;
use crate::settings::Settings;

/// Runs are not made longer than this, in seconds of the scene.
const LONGEST: f64 = 1000.0;
/// Of the steps of a run, relative.
const TOLERANCE: f64 = 1e-10;
/// The transition that ends the run; nobody else's has this name.
const STOP: &str = "asked_for";

/// Answers one question, or says why the instant does not come.
pub fn answer(
    asking: &Asking<'_>,
    model: &Model,
    at: usize,
    when: &str,
    out: &mut Answers,
    sink: &mut Diagnostics,
) -> Option<()> {
    let question = &model.questions[at];
    let dead_end = |message: String| DeadEnd {
        asked: question.text.clone(),
        message,
        unknowns: Vec::new(),
        equations: Vec::new(),
        suggestions: Vec::new(),
        span: question.span,
    };
    let Some(sweep) = &question.sweep else {
        match run(asking, asking.settings, question, at, when, sink)? {
            Ok(found) => out.answers.extend(found),
            Err(why) => out.dead_ends.push(dead_end(why)),
        }
        return Some(());
    };
    let parameter = &model.parameters[sweep.parameter.index()];
    let mut rows = Vec::new();
    for value in values(sweep) {
        let mut settings = asking.settings.clone();
        let is_other = |setting: &String| setting.split('=').next().is_none_or(|name| name.trim() != parameter.name);
        settings.parameters.retain(is_other);
        settings.parameters.push(format!("{}={:?}", parameter.name, parameter.unit.count(value)));
        match run(asking, &settings, question, at, when, sink)? {
            Ok(found) => rows.push((value, found)),
            Err(why) => {
                rows.push((value, Vec::new()));
                out.notes.push(format!("{} = {}: {why}", parameter.name, number(parameter.unit.count(value))));
            }
        }
    }
    out.tables.push(Table {
        asked: question.asked.iter().map(|asked| asked.text.clone()).collect(),
        parameter: parameter.name.clone(),
        parameter_unit: parameter.unit.clone(),
        units: question.asked.iter().map(|asked| asked.unit.clone()).collect(),
        rows,
    });
    Some(())
}

/// The answers of one run, or why there are none. None if the scene cannot be run at all, which is told.
fn run(
    asking: &Asking<'_>,
    settings: &Settings,
    question: &Question,
    at: usize,
    when: &str,
    sink: &mut Diagnostics,
) -> Option<Result<Vec<Answer>, String>> {
    let probes: Vec<String> = question.asked.iter().map(|asked| asked.text.clone()).collect();
    let options = Options { probes, tolerance: TOLERANCE, tried_with: settings.clone(), ..asking.options.clone() };
    let text = format!("{}\nstop {STOP} when {when}\n", asking.text);
    let compilation = compile(asking.name, &text, &options);
    let Some(stages) = &compilation.stages else {
        compilation.diagnostics.iter().for_each(|found| sink.report(found.clone()));
        return None;
    };
    let plan = Run { until: LONGEST, every: LONGEST, tolerance: TOLERANCE };
    let mut last = Vec::new();
    let played = play(&compilation, &options, settings, Some(plan), |_, values| last = values.to_vec());
    let failure = played.diagnostics.sorted().into_iter().find(|found| found.severity == Severity::Error);
    if let Some(failure) = failure {
        return Some(Err(format!("the run does not come to `{when}`: {}", failure.message)));
    }
    let Some(event) = played.events.last().filter(|event| event.name == STOP) else {
        let end = played.summary.time;
        return Some(Err(format!("`{when}` does not begin to hold within the {} s of a run", number(end))));
    };
    let mut columns = last.into_iter();
    let answers = question.asked.iter().zip(&stages.system.outputs).map(|(asked, output)| Answer {
        asked: asked.text.clone(),
        value: columns.by_ref().take(output.columns.len()).collect(),
        unit: base::Unit::coherent(asked.unit.dimension).text,
        told: asked.unit.clone(),
        stable: None,
        undecided: None,
        rate: None,
        moves_alone: false,
        reached: None,
        instant: Some(event.t),
        along: Vec::new(),
        sensitivity: Vec::new(),
        complete: true,
        question: at,
    });
    Some(Ok(answers.collect()))
}
