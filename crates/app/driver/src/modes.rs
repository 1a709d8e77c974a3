//! The modes of a scene, in the user's words, and what it claims of them.

use base::{Diagnostic, Diagnostics};
use model::{DiscreteId, Model};
use program::{Formula, Watcher};

use crate::codes;
use crate::pipeline::Stages;

/// Whether a scene needs more than one program, or claims something.
pub fn is_changing(stages: &Stages) -> bool {
    stages.system.automaton.is_there()
}

/// Where a number is among all discrete variables.
pub(crate) fn place_of(model: &Model, discrete: DiscreteId) -> usize {
    model.discrete[..discrete.index()].iter().map(model::Discrete::size).sum()
}

/// What watches each claim of a scene; or what is wrong with them.
pub(crate) fn watchers(model: &Model) -> Result<Vec<Watcher>, Diagnostics> {
    let watcher = |claim: &model::Claim| {
        program::watcher(&formula(&claim.formula)).ok_or_else(|| {
            let message = format!("`{}` speaks of too much at once to be watched", claim.name);
            let diagnostic = Diagnostic::error(codes::CLAIM_TOO_INVOLVED, message)
                .at(claim.span, "there are too many ways in which this may go on")
                .hint("claim its parts one by one");
            [diagnostic].into_iter().collect()
        })
    };
    model.claims.iter().map(watcher).collect()
}

pub(crate) fn formula(claimed: &model::Formula) -> Formula {
    let inner = |claimed: &model::Formula| Box::new(formula(claimed));
    match claimed {
        model::Formula::Holds(at) => Formula::Holds(*at),
        model::Formula::Always(a) => Formula::Always(inner(a)),
        model::Formula::Eventually(a) => Formula::Eventually(inner(a)),
        model::Formula::Next(a) => Formula::Next(inner(a)),
        model::Formula::Until(a, b) => Formula::Until(inner(a), inner(b)),
        model::Formula::Implies(a, b) => Formula::Or(Box::new(Formula::Not(inner(a))), inner(b)),
        model::Formula::And(a, b) => Formula::And(inner(a), inner(b)),
        model::Formula::Or(a, b) => Formula::Or(inner(a), inner(b)),
        model::Formula::Not(a) => Formula::Not(inner(a)),
    }
}

/// The mode in which some variables have other values than at the start, each given as `motion=rolling`. What is wrong with that, and a hint.
pub fn mode_named(model: &Model, given: &[String]) -> Result<Vec<usize>, (String, String)> {
    let mut mode: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
    let listed = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<String>>().join(", ");
    for text in given {
        let (name, value) = text.split_once('=').map_or((text.trim(), ""), |(name, value)| (name.trim(), value.trim()));
        let Some(at) = model.modes.iter().position(|known| !known.hidden && known.name == name) else {
            let names = listed(&mut model.modes.iter().filter(|mode| !mode.hidden).map(|mode| &mode.name));
            let hint = if names.is_empty() { "this scene has none".to_string() } else { format!("there is {names}") };
            return Err((format!("there is no mode called `{name}`"), hint));
        };
        let values = &model.modes[at].values;
        let Some(value) = values.iter().position(|known| known == value) else {
            let hint = format!("it is one of {}: `--mode {name}={}`", listed(&mut values.iter()), values[0]);
            return Err((format!("`{name}` is never `{value}`"), hint));
        };
        mode[at] = value;
    }
    Ok(mode)
}

/// `in the mode motion = rolling`
pub(crate) fn in_mode(model: &Model, mode: &[usize]) -> String {
    let shown = model.modes.iter().zip(mode).filter(|(mode, _)| !mode.hidden);
    let values: Vec<String> = shown.map(|(mode, &value)| format!("{} = {}", mode.name, mode.values[value])).collect();
    if values.is_empty() { "this scene has one mode".to_string() } else { format!("in the mode {}", values.join(", ")) }
}
