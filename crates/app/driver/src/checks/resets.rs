//! Whether each transition determines the state after it.

use std::collections::BTreeMap;

use base::listed;
use equations::{Reset, System, settle};
use expr::{Expr, Point, Tape, jacobian};

use super::{Answer, Finding, Survey};
use crate::dense::weakest;

pub fn findings(survey: &Survey<'_>) -> Vec<Finding> {
    let mut worst: BTreeMap<usize, Answer> = BTreeMap::new();
    for (_, system) in survey.systems() {
        for transition in &system.automaton.transitions {
            let [positions, velocities] = [&transition.positions, &transition.velocities].map(|it| judge(system, it));
            let answer = positions.min(velocities);
            worst.entry(transition.number).and_modify(|known| *known = answer.min(*known)).or_insert(answer);
        }
    }
    let mut findings: Vec<Finding> = Vec::new();
    for answer in [Answer::Unknown, Answer::Correct] {
        let names = worst.iter().filter(|(_, found)| **found == answer);
        let names: Vec<String> = names.map(|(&number, _)| survey.model.transitions[number].name.clone()).collect();
        let one = names.len() == 1;
        let [verb, them, their] = if one { ["determines", "it", "its"] } else { ["determine", "them", "their"] };
        let about = format!("{} {verb} the state after {them}", listed(&names));
        let about = match answer {
            Answer::Unknown => {
                format!("{about} where {their} equations can be solved, which depends on the state before")
            }
            _ => about,
        };
        findings.extend((!names.is_empty()).then(|| Finding::new(answer, about)));
    }
    // What does not determine it was refused when its mode was made.
    let refused = survey.errors.iter().flat_map(|errors| errors.iter());
    for found in refused.filter(|found| found.code == equations::codes::OPEN_RESET) {
        if !findings.iter().any(|known| known.about == found.message) {
            findings.push(Finding::new(Answer::Incorrect, found.message.clone()));
        }
    }
    findings
}

/// Whether equations have one solution, whatever the state; those that had none, or many, were refused.
fn judge(system: &System, reset: &Reset) -> Answer {
    let settled = settle(&system.arena, reset);
    let rows: Vec<Expr> = settled.unsolved.iter().map(|&(_, row)| row).collect();
    match rows.is_empty() || is_regular(system, &rows, &settled.open) {
        true => Answer::Correct,
        false => Answer::Unknown,
    }
}

/// Whether equations are linear with coefficients that do not change, and can be solved.
fn is_regular(system: &System, rows: &[Expr], unknowns: &[expr::SymbolId]) -> bool {
    let arena = &system.arena;
    let entries = jacobian(arena, rows, unknowns);
    let slopes: Vec<Expr> = entries.iter().map(|&(_, _, slope)| slope).collect();
    let point: Point = system.parameters.iter().map(|parameter| (parameter.symbol, parameter.default)).collect();
    let mut matrix = vec![vec![0.0; unknowns.len()]; rows.len()];
    for (&(row, column, _), slope) in entries.iter().zip(Tape::new(arena, &slopes).run(&point)) {
        matrix[row][column] = slope;
    }
    // Fewer equations than unknowns: the rest changes as little as possible, which is solvable if they are independent.
    let square = match rows.len() == unknowns.len() {
        true => matrix,
        false => {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            matrix.iter().map(|a| matrix.iter().map(|b| dot(a, b)).collect()).collect()
        }
    };
    // A pivot of a matrix that is scaled to one.
    const SINGULAR: f64 = 1e-9;
    weakest(square).is_some_and(|(_, by)| by > SINGULAR)
}
