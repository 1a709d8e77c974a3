//! The automaton of a scene, mode by mode: which transitions lead from which values to which.

use std::fmt::Write;

use expr::Operator;
use model::{ModeId, Model, TermId, TermKind};

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

/// The diagrams of all modes that the author has named.
pub fn diagrams(model: &Model) -> Vec<ModeDiagram> {
    let named = model.modes.iter().enumerate().filter(|(_, mode)| !mode.hidden);
    let diagram = |(at, mode): (usize, &model::Mode)| {
        let id = ModeId(at as u32);
        let arrows = model.transitions.iter().map(|transition| Arrow {
            name: transition.name.clone(),
            from: (0..mode.values.len()).filter(|&value| can_hold(model, transition.guard, id, value)).collect(),
            to: transition.modes.iter().rev().find(|(mode, _)| *mode == id).map(|&(_, value)| value),
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

fn can_hold(model: &Model, condition: TermId, mode: ModeId, value: usize) -> bool {
    truth(model, condition, mode, value) != Some(false)
}

/// Whether a condition holds while a mode has a value; none if that depends on more.
fn truth(model: &Model, condition: TermId, mode: ModeId, value: usize) -> Option<bool> {
    let of = |term: TermId| truth(model, term, mode, value);
    match &model.terms.get(condition).kind {
        TermKind::ModeIs(other, wanted) => (*other == mode).then_some(*wanted == value),
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
