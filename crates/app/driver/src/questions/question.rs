//! One question about a state: its answers, for one value of all parameters or for many, and what they rest on.

use base::Diagnostics;
use model::{AssumptionKind, Model, Question, Standing};

use super::case::Source;
use super::local::Nearby;
use super::solve::{Found, Solved, solve};
use super::{Answer, Answers, Composition, DeadEnd, Table, Told, put_once};

/// Values of a parameter for which a question is asked, if its author does not say.
const VALUES: usize = 11;
/// Of what was tried in vain, the message of a question without an answer names no more.
const FEW: usize = 4;

/// Answers one question, and tells of the laws and assumptions that it took.
pub fn answer(model: &Model, at: usize, parameters: &[f64], out: &mut Answers, sink: &mut Diagnostics) -> Option<()> {
    let question = &model.questions[at];
    let solved = match &question.sweep {
        None => {
            let solved = solve(model, question, parameters, sink)?;
            out.answers.extend(told_answers(model, at, parameters, &solved));
            solved
        }
        Some(sweep) => {
            let mut table = Table {
                asked: question.asked.iter().map(|asked| asked.text.clone()).collect(),
                parameter: model.parameters[sweep.parameter.index()].name.clone(),
                parameter_unit: model.parameters[sweep.parameter.index()].unit.clone(),
                units: question.asked.iter().map(|asked| asked.unit.clone()).collect(),
                rows: Vec::new(),
            };
            let mut last = Solved::default();
            for value in values(sweep) {
                let mut parameters = parameters.to_vec();
                parameters[sweep.parameter.index()] = value;
                last = solve(model, question, &parameters, sink)?;
                table.rows.push((value, told_answers(model, at, &parameters, &last)));
            }
            if table.rows.iter().any(|(_, answers)| !answers.is_empty()) {
                out.tables.push(table);
            }
            last
        }
    };
    if solved.found.is_empty() {
        let dead_end = solved.dead_end.clone().unwrap_or_else(|| no_root(question, &solved));
        if !out.dead_ends.iter().any(|known| known.message == dead_end.message) {
            out.dead_ends.push(dead_end);
        }
    }
    if question.sweep.is_none() {
        let composition = Composition::new(model, &question.text, false, &solved.part.laws, solved.part.unknowns);
        out.compositions.push(composition);
    }
    tell(model, question, &solved, out);
    Some(())
}

/// The values of a parameter that a question is asked for.
pub fn values(sweep: &model::Sweep) -> Vec<f64> {
    let span = sweep.last - sweep.first;
    let step = sweep.step.map_or(span / (VALUES - 1) as f64, |step| step * span.signum());
    let count = if step == 0.0 { 0 } else { (span / step + 1e-9).floor() as usize };
    (0..=count.min(10_000)).map(|at| sweep.first + step * at as f64).collect()
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
    let suggestions =
        vec![(String::new(), "widen a range, or do without an assumption: `ansatz ask … --without NAME`".to_string())];
    DeadEnd {
        asked: question.text.clone(),
        message,
        unknowns: Vec::new(),
        equations: solved.part.labels.clone(),
        suggestions,
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
                along: found.along.iter().filter(|(name, _)| *name != asked.text).cloned().collect(),
                sensitivity: sensitivity.collect(),
                complete: solved.complete,
                question: at,
            });
        }
    }
    answers
}

/// Lists the laws and assumptions of a question, each once.
fn tell(model: &Model, question: &Question, solved: &Solved, out: &mut Answers) {
    let least = |source: Source| {
        let of = |found: &Found| found.margins.iter().find(|(it, _)| *it == source).map(|(_, margin)| *margin);
        solved.found.iter().filter_map(of).reduce(f64::min)
    };
    for (at, fragment) in model.fragments.iter().enumerate() {
        let told = |reason: String| Told::new(fragment.name.clone(), fragment.span, reason);
        if solved.part.laws.contains(&at) {
            let margin = least(Source::Law(at));
            out.tell_law(told(format!("`{}` follows from it", question.text)));
            if let Some(condition) = &fragment.assumption {
                let name = format!("{}, for {}", condition.text, fragment.name);
                let reason = match margin {
                    Some(_) => "checked at every answer".to_string(),
                    None => "not checked, since there is no answer".to_string(),
                };
                put_once(&mut out.assumptions, Told { margin, ..Told::new(name, fragment.span, reason) });
            }
            continue;
        }
        let reason = match &fragment.standing {
            Standing::Left(reason) => reason.clone(),
            Standing::Chosen(..) => not_chosen(model, solved, at),
            Standing::Holds => "nothing that is asked depends on it".to_string(),
        };
        out.tell_unused(told(reason));
    }
    let own = question.given.iter().enumerate().map(|(at, it)| (it, Source::Question(at)));
    let scene = model.assumptions.iter().enumerate().map(|(at, it)| (it, Source::Scene(at)));
    for (assumption, source) in own.chain(scene) {
        let margin = least(source);
        let reason = match &assumption.kind {
            AssumptionKind::Equation(_) => "one of the equations".to_string(),
            AssumptionKind::Condition(_) if margin.is_some() => "checked at every answer".to_string(),
            AssumptionKind::Condition(_) => "not checked, since there is no answer".to_string(),
            AssumptionKind::Steady(thing) => format!("rates of `{thing}` are zero"),
            AssumptionKind::Choice => "laws speak of it".to_string(),
        };
        let of_scene = matches!(source, Source::Scene(_));
        let told = Told { margin, of_scene, ..Told::new(assumption.name.clone(), assumption.span, reason) };
        put_once(&mut out.assumptions, told);
    }
    if question.sweep.is_none() {
        let new = solved
            .tried
            .iter()
            .filter(|it| !it.name.is_empty() && !out.tried.contains(it))
            .cloned()
            .collect::<Vec<_>>();
        out.tried.extend(new);
    }
    if solved.given_up {
        let note =
            format!("`{}`: there are more choices of laws than were tried; there may be other answers", question.text);
        if !out.notes.contains(&note) {
            out.notes.push(note);
        }
    }
}

/// Why one of several laws of a phenomenon is not used.
fn not_chosen(model: &Model, solved: &Solved, at: usize) -> String {
    let fragment = &model.fragments[at];
    let of = |at: usize| match model.fragments[at].standing {
        Standing::Chosen(of, _) => Some(of),
        _ => None,
    };
    let assumes = fragment.assumption.as_ref().map(|it| format!("it assumes `{}`", it.text));
    let Some(&rival) = solved.part.laws.iter().find(|&&used| of(used) == of(at)) else {
        let assumes = assumes.map_or(String::new(), |it| format!("; {it}"));
        return format!("nothing that is asked depends on it{assumes}");
    };
    let rival = &model.fragments[rival].name;
    if let Some(tried) = solved.tried.iter().find(|it| it.name == fragment.name && it.reason.contains("given up")) {
        return tried.reason.clone();
    }
    match assumes {
        Some(assumes) => format!("{assumes}, which fails where `{rival}` holds"),
        None => format!("`{rival}` describes the same, and stands first"),
    }
}
