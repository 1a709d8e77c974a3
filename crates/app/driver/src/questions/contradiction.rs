//! Assumptions that cannot hold together.

use base::Diagnostic;
use expr::{Demand, Interval, is_impossible};
use model::{Assumption, AssumptionKind, Model, Question};

use super::case::{Case, Source};
use crate::codes;

/// Two assumptions of the scene or of a question that contradict each other, or one that nothing within the ranges of its quantities meets.
pub fn contradiction(model: &Model, question: &Question, case: &Case) -> Option<Diagnostic> {
    let own = question.given.iter().enumerate().map(|(at, it)| (it, Source::Question(at)));
    let scene = model.assumptions.iter().enumerate().map(|(at, it)| (it, Source::Scene(at)));
    let all: Vec<(&Assumption, Vec<Demand>)> =
        scene.chain(own).map(|(it, source)| (it, demands(it, source, case))).collect();
    let all: Vec<&(&Assumption, Vec<Demand>)> = all.iter().filter(|(_, demands)| !demands.is_empty()).collect();
    let impossible = |demands: &[Demand]| is_impossible(&case.system.arena, demands, &case.ranges);
    for (at, (one, first)) in all.iter().enumerate() {
        if impossible(first) {
            let message = format!("`{}` cannot hold within the ranges of its quantities", one.name);
            let diagnostic = Diagnostic::error(codes::CONTRADICTING_ASSUMPTIONS, message).at(one.span, "assumed here");
            return Some(diagnostic.hint("drop it, or widen a range"));
        }
        for (other, second) in &all[at + 1..] {
            if impossible(&[first.clone(), second.clone()].concat()) {
                let message = format!("`{}` and `{}` contradict each other", one.name, other.name);
                let diagnostic = Diagnostic::error(codes::CONTRADICTING_ASSUMPTIONS, message)
                    .at(other.span, "no value meets this as well")
                    .at(one.span, "assumed here");
                return Some(diagnostic.hint("drop one of them; `ansatz ask … --without NAME` does without one"));
            }
        }
    }
    None
}

/// What an assumption demands of the unknowns.
fn demands(assumption: &Assumption, source: Source, case: &Case) -> Vec<Demand> {
    match assumption.kind {
        AssumptionKind::Equation(_) => {
            let rows = case.rows.iter().filter(|row| equations::split_label(&row.label).0 == assumption.name);
            rows.map(|row| (row.residual, Interval::point(0.0))).collect()
        }
        AssumptionKind::Condition(_) => {
            let own = case.conditions.iter().find(|condition| condition.source == source);
            let cases = own.and_then(|condition| condition.cases.as_ref());
            let single = cases.filter(|cases| cases.len() == 1).into_iter().flat_map(|cases| &cases[0]);
            single.map(|atom| (atom.margin, Interval::NOT_NEGATIVE)).collect()
        }
        AssumptionKind::Steady(_) | AssumptionKind::Choice => Vec::new(),
    }
}
