//! What answers rest on: the laws and assumptions of a question, each with the reason why it was used or not.

use model::{AssumptionKind, Model, Question, Standing};

use super::case::Source;
use super::question::{Solution, told_parameter};
use super::solve::{Found, Solved};
use super::text::number;
use super::{Answers, Told, put_once};
use crate::settings::bracketed;

/// Lists the laws and assumptions of a question, each once.
pub fn tell(model: &Model, question: &Question, solutions: &[Solution], out: &mut Answers) {
    let least = |source: Source| {
        let of = |found: &Found| found.margins.iter().find(|(it, _)| *it == source).map(|(_, margin)| *margin);
        solutions.iter().flat_map(|it| &it.solved.found).filter_map(of).reduce(f64::min)
    };
    for (at, fragment) in model.fragments.iter().enumerate() {
        let told = |reason: String| Told::new(fragment.name.clone(), fragment.span, reason);
        if let Some(range) = where_used(model, question, solutions, at) {
            let margin = least(Source::Law(at));
            out.tell_law(told(format!("`{}` follows from it{range}", question.text)));
            if let Some(condition) = &fragment.assumption {
                let name = format!("{}, for {}", condition.text, fragment.name);
                let reason = match margin {
                    Some(_) => "checked at every answer".to_string(),
                    None => unchecked(solutions),
                };
                put_once(&mut out.assumptions, Told { margin, ..Told::new(name, fragment.span, reason) });
            }
            continue;
        }
        let reason = match &fragment.standing {
            Standing::Left(reason) => reason.clone(),
            Standing::Chosen(..) => not_chosen(model, solutions, at),
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
            AssumptionKind::Condition(_) => unchecked(solutions),
            AssumptionKind::Steady(thing) => format!("rates of `{thing}` are zero"),
            AssumptionKind::Choice => "laws speak of it".to_string(),
        };
        let of_scene = matches!(source, Source::Scene(_));
        let told = Told { margin, of_scene, ..Told::new(assumption.name.clone(), assumption.span, reason) };
        put_once(&mut out.assumptions, told);
    }
    // For many values of a parameter most laws are tried in vain somewhere, which says nothing.
    for tried in solutions.iter().filter(|it| it.at.is_none()).flat_map(|it| &it.solved.tried) {
        if !tried.name.is_empty() && !out.tried.contains(tried) {
            out.tried.push(tried.clone());
        }
    }
    if solutions.iter().any(|it| it.solved.given_up) {
        let note =
            format!("`{}`: there are more choices of laws than were tried; there may be other answers", question.text);
        if !out.notes.contains(&note) {
            out.notes.push(note);
        }
    }
}

/// Why nothing is known of an assumption.
fn unchecked(solutions: &[Solution]) -> String {
    match solutions.iter().all(|it| it.solved.found.is_empty()) {
        true => "not checked, since there is no answer".to_string(),
        false => "not checked, since what is asked does not determine it".to_string(),
    }
}

/// Nothing if a law is not used; otherwise for which values of the parameter that varies, unless for all.
fn where_used(model: &Model, question: &Question, solutions: &[Solution], law: usize) -> Option<String> {
    let uses = |it: &&Solution| it.solved.parts().iter().any(|part| part.laws.contains(&law));
    let used: Vec<f64> = solutions.iter().filter(uses).filter_map(|it| it.at).collect();
    let Some(sweep) = &question.sweep else { return solutions.iter().any(|it| uses(&it)).then(String::new) };
    let parameter = &model.parameters[sweep.parameter.index()];
    let told = |value: f64| number(parameter.unit.count(value));
    let (&first, &last) = (used.first()?, used.last()?);
    Some(match used.len() {
        all if all == solutions.len() => String::new(),
        1 => format!(", for {}", told_parameter(parameter, first)),
        _ => format!(", for {} from {} to {}{}", parameter.name, told(first), told(last), bracketed(&parameter.unit)),
    })
}

/// Names of laws that an answer takes while another answer to the same question takes one instead of them.
pub fn own_laws(model: &Model, solved: &Solved, found: &Found) -> Vec<String> {
    let shared = |law: &usize| solved.found.iter().all(|other| other.part.laws.contains(law));
    let is_chosen = |law: &usize| matches!(model.fragments[*law].standing, Standing::Chosen(..));
    let own = found.part.laws.iter().filter(|law| is_chosen(law) && !shared(law));
    own.map(|&law| model.fragments[law].name.clone()).collect()
}

/// Why one of several laws of a phenomenon is not used.
fn not_chosen(model: &Model, solutions: &[Solution], at: usize) -> String {
    let fragment = &model.fragments[at];
    let of = |at: usize| match model.fragments[at].standing {
        Standing::Chosen(of, _) => Some(of),
        _ => None,
    };
    let assumes = fragment.assumption.as_ref().map(|it| format!("it assumes `{}`", it.text));
    let used = || solutions.iter().flat_map(|it| it.solved.parts()).flat_map(|part| &part.laws);
    let Some(&rival) = used().find(|&&used| of(used) == of(at)) else {
        let assumes = assumes.map_or(String::new(), |it| format!("; {it}"));
        return format!("nothing that is asked depends on it{assumes}");
    };
    let rival = &model.fragments[rival].name;
    let mut tried = solutions.iter().flat_map(|it| &it.solved.tried);
    if let Some(tried) = tried.find(|it| it.name == fragment.name && it.reason.contains("given up")) {
        return tried.reason.clone();
    }
    match assumes {
        Some(assumes) => format!("{assumes}, which fails where `{rival}` holds"),
        None => format!("`{rival}` describes the same, and stands first"),
    }
}
