//! The automaton of a scene, mode by mode: which transitions lead from which values to which.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use expr::Operator;
use model::{Model, TermId, TermKind};

/// One mode with the transitions that have to do with it.
pub struct ModeDiagram {
    pub name: String,
    pub values: Vec<String>,
    pub start: usize,
    pub arrows: Vec<Arrow>,
}

/// A transition, as one mode sees it.
pub struct Arrow {
    pub name: String,
    /// The values in which its guard can hold.
    pub from: Vec<usize>,
    /// The value that it sets; none if it leaves the mode as it is.
    pub to: Option<usize>,
}

/// The modes that can be reached, as far as modes alone tell, and which transition leads from which of them to which.
pub struct Reach {
    pub modes: Vec<Vec<usize>>,
    /// Places of a mode, of a transition and of a mode.
    pub steps: Vec<(usize, usize, usize)>,
}

/// Beyond so many modes the search is given up.
const MOST_MODES: usize = 20_000;

pub fn reach(model: &Model) -> Reach {
    let start: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
    let mut places = HashMap::from([(start.clone(), 0)]);
    let mut reach = Reach { modes: vec![start], steps: Vec::new() };
    let mut at = 0;
    while at < reach.modes.len() && reach.modes.len() < MOST_MODES {
        let mode = reach.modes[at].clone();
        for (number, transition) in model.transitions.iter().enumerate() {
            if truth(model, transition.guard, &mode) == Some(false) {
                continue;
            }
            let mut target = mode.clone();
            transition.modes.iter().for_each(|&(mode, value)| target[mode.index()] = value);
            let next = *places.entry(target.clone()).or_insert_with(|| {
                reach.modes.push(target);
                reach.modes.len() - 1
            });
            reach.steps.push((at, number, next));
        }
        at += 1;
    }
    reach
}

/// The diagrams of all modes that the author has named.
pub fn diagrams(model: &Model) -> Vec<ModeDiagram> {
    let reach = reach(model);
    let named = model.modes.iter().enumerate().filter(|(_, mode)| !mode.hidden);
    let diagram = |(at, mode): (usize, &model::Mode)| {
        let arrows = model.transitions.iter().enumerate().map(|(number, transition)| {
            let steps = reach.steps.iter().filter(|(_, other, _)| *other == number);
            let from: BTreeSet<usize> = steps.map(|(before, _, _)| reach.modes[*before][at]).collect();
            let to = transition.modes.iter().rev().find(|(mode, _)| mode.index() == at).map(|&(_, value)| value);
            Arrow { name: transition.name.clone(), from: from.into_iter().collect(), to }
        });
        // What neither looks at the mode nor sets it is no part of its diagram.
        let arrows = arrows.filter(|arrow| arrow.to.is_some() || arrow.from.len() < mode.values.len());
        ModeDiagram {
            name: mode.name.clone(),
            values: mode.values.clone(),
            start: mode.start,
            arrows: arrows.collect(),
        }
    };
    named.map(diagram).collect()
}

/// Whether a condition holds in a mode; none if that depends on more.
fn truth(model: &Model, condition: TermId, mode: &[usize]) -> Option<bool> {
    let of = |term: TermId| truth(model, term, mode);
    match &model.terms.get(condition).kind {
        TermKind::ModeIs(id, value) => Some(mode[id.index()] == *value),
        TermKind::Call { body, .. } => of(*body),
        TermKind::Apply(Operator::Not, parts) => of(parts[0]).map(|holds| !holds),
        TermKind::Apply(operator @ (Operator::And | Operator::Or), parts) => {
            let decisive = *operator == Operator::Or;
            let known: Vec<Option<bool>> = parts.iter().map(|&part| of(part)).collect();
            if known.contains(&Some(decisive)) {
                return Some(decisive);
            }
            known.iter().all(Option::is_some).then_some(!decisive)
        }
        _ => None,
    }
}

/// The diagrams as text.
pub fn print_diagrams(model: &Model) -> String {
    let mut out = String::new();
    for diagram in diagrams(model) {
        let values = diagram.values.iter().enumerate();
        let values: Vec<String> = values
            .map(|(at, value)| if at == diagram.start { format!("{value} (start)") } else { value.clone() })
            .collect();
        let _ = writeln!(out, "{}: {}", diagram.name, values.join(", "));
        let width = diagram.values.iter().map(String::len).max().unwrap_or(0);
        for arrow in &diagram.arrows {
            for &from in &arrow.from {
                let to = &diagram.values[arrow.to.unwrap_or(from)];
                let _ = writeln!(out, "  {:width$} ──{}──▶ {to}", diagram.values[from], arrow.name);
            }
        }
    }
    for claim in &model.claims {
        let _ = writeln!(out, "claimed: {}", claim.name);
    }
    out
}
