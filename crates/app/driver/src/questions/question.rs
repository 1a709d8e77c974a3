//! One question about a state: its answers, for one value of all parameters or for many, and what they rest on.

use base::Diagnostics;
use model::{Model, Question};

use super::grounds::{own_laws, tell};
use super::local::Nearby;
use super::solve::{Solved, solve};
use super::text::number;
use super::{Answer, Answers, Composition, DeadEnd, Suggestion, Table, Way};
use crate::settings::bracketed;

/// Values of a parameter for which a question is asked, if its author does not say.
const VALUES: usize = 11;
/// Of what was tried in vain, the message of a question without an answer names no more.
const FEW: usize = 4;

/// What was found out for one value of the parameter that a question varies, or for the only one.
pub struct Solution {
    pub at: Option<f64>,
    pub solved: Solved,
}

/// Answers one question, and tells of the laws and assumptions that it took.
pub fn answer(
    model: &Model,
    at: usize,
    parameters: &[f64],
    progress: &dyn Fn(f64),
    out: &mut Answers,
    sink: &mut Diagnostics,
) -> Option<()> {
    let question = &model.questions[at];
    let places = question.sweep.as_ref().map_or(vec![None], |sweep| values(sweep).into_iter().map(Some).collect());
    let (mut solutions, mut rows) = (Vec::new(), Vec::new());
    let count = places.len() as f64;
    for place in places {
        progress(rows.len() as f64 / count);
        let mut parameters = parameters.to_vec();
        if let (Some(sweep), Some(value)) = (&question.sweep, place) {
            parameters[sweep.parameter.index()] = value;
        }
        let solved = solve(model, question, &parameters, sink)?;
        rows.push((place, told_answers(model, at, &parameters, &solved)));
        solutions.push(Solution { at: place, solved });
    }
    for part in solutions.iter().flat_map(|it| it.solved.parts()) {
        let composition = Composition::new(model, at, false, &part.laws, part.unknowns);
        if !out.compositions.contains(&composition) {
            out.compositions.push(composition);
        }
    }
    let any = rows.iter().any(|(_, answers)| !answers.is_empty());
    for solution in solutions.iter().filter(|it| it.solved.found.is_empty()) {
        let solved = &solution.solved;
        let mut dead_end = solved.dead_end.clone().unwrap_or_else(|| no_root(question, solved));
        if let Some(why) = &solved.changing {
            dead_end.message = format!("`{}` does not come to a steady state: {why}", question.text);
        }
        match (any, &question.sweep, solution.at) {
            // Where other values have answers, this one has a reason.
            (true, Some(sweep), Some(value)) => {
                let parameter = &model.parameters[sweep.parameter.index()];
                out.notes.push(format!("{}: {}", told_parameter(parameter, value), dead_end.message));
            }
            _ if out.dead_ends.iter().any(|known| known.message == dead_end.message) => {}
            _ => out.dead_ends.push(dead_end),
        }
    }
    tell(model, question, &solutions, out);
    match &question.sweep {
        None => out.answers.extend(rows.into_iter().flat_map(|(_, answers)| answers)),
        Some(sweep) if any => {
            let rows = rows.into_iter().filter_map(|(place, answers)| Some((place?, answers)));
            out.tables.push(Table::new(model, at, sweep, rows.collect()));
        }
        Some(_) => {}
    }
    Some(())
}

/// The values of a parameter that a question is asked for.
pub fn values(sweep: &model::Sweep) -> Vec<f64> {
    let span = sweep.last - sweep.first;
    let step = sweep.step.map_or(span / (VALUES - 1) as f64, |step| step * span.signum());
    let count = if step == 0.0 { 0 } else { (span / step + 1e-9).floor() as usize };
    (0..=count.min(10_000)).map(|at| sweep.first + step * at as f64).collect()
}

/// `course = 40 [deg]`
pub fn told_parameter(parameter: &model::Parameter, value: f64) -> String {
    format!("{} = {}{}", parameter.name, number(parameter.unit.count(value)), bracketed(&parameter.unit))
}

/// Nothing satisfies all of it.
fn no_root(question: &Question, solved: &Solved) -> DeadEnd {
    let mut message =
        format!("no value of `{}` satisfies the equations within the ranges of their quantities", question.text);
    for tried in solved.tried.iter().take(FEW) {
        let laws = if tried.name.is_empty() { String::new() } else { format!("tried {}: ", tried.name) };
        message.push_str(&format!("; {laws}{}", tried.reason));
    }
    if solved.tried.len() > FEW {
        message.push_str(&format!("; and {} more were tried", solved.tried.len() - FEW));
    }
    let advice = "widen a range, or do without an assumption: `ansatz ask … --without NAME`";
    let suggestions = vec![Suggestion::new(Way::Advice, "", advice)];
    DeadEnd {
        asked: question.text.clone(),
        message,
        unknowns: Vec::new(),
        equations: solved.parts()[0].labels.clone(),
        suggestions,
        follows: false,
        span: question.span,
    }
}

/// One answer for each asked quantity and each root.
fn told_answers(model: &Model, at: usize, parameters: &[f64], solved: &Solved) -> Vec<Answer> {
    let question = &model.questions[at];
    let mut answers = Vec::new();
    for (place, asked) in question.asked.iter().enumerate() {
        for found in &solved.found {
            let (stable, rate, undecided) = match &found.nearby {
                Nearby::Rate(rate, _) if *rate != 0.0 => (Some(*rate < 0.0), Some(*rate), None),
                Nearby::Rate(..) => (None, Some(0.0), Some("to first order it neither grows nor decays".to_string())),
                Nearby::Still => (None, None, Some("nothing of it changes in time".to_string())),
                Nearby::Unknown(why) => (None, None, Some(why.clone())),
            };
            let value = &found.values[place];
            let relative = |(parameter, slope): (&model::Parameter, f64)| {
                let at = model.parameters.iter().position(|it| it.name == parameter.name).unwrap_or(0);
                (parameter.name.clone(), slope * parameters[at] / value[0])
            };
            let slopes = found.slopes.as_ref().map(|slopes| slopes[place].clone()).unwrap_or_default();
            let sensitivity =
                model.parameters.iter().zip(slopes).map(relative).filter(|(_, it)| *it != 0.0 && it.is_finite());
            answers.push(Answer {
                asked: asked.text.clone(),
                value: value.clone(),
                unit: base::Unit::coherent(asked.unit.dimension).text,
                told: asked.unit.clone(),
                stable,
                undecided,
                rate,
                moves_alone: matches!(&found.nearby, Nearby::Rate(_, Some(state)) if *state == asked.text),
                reached: None,
                instant: None,
                when: String::new(),
                along: found.along.iter().filter(|(name, _)| *name != asked.text).cloned().collect(),
                sensitivity: sensitivity.collect(),
                complete: solved.complete,
                by: own_laws(model, solved, found),
                question: at,
            });
        }
    }
    answers
}
