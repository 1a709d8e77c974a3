//! Which values of modes are ever reached, and which transitions can happen at all.

use std::collections::BTreeSet;

use base::Diagnostic;
use expr::{Interval, SymbolId, contract};
use model::Standing;

use super::condition::{Case, Excluded, Ground, cases};
use super::{Answer, Finding, Survey};
use crate::codes;

pub fn findings(survey: &Survey<'_>) -> Vec<Finding> {
    let judged = judge(survey);
    let mut findings = values(survey, &judged);
    let is_missed = findings.iter().any(|finding| finding.answer == Answer::Incorrect);
    findings.extend(impossible(survey, &judged, is_missed));
    findings
}

/// Which modes can be reached, whatever the parameters, as far as is known.
pub fn reached(survey: &Survey<'_>) -> Vec<bool> {
    judge(survey).reached
}

/// How a transition stands in one mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Its condition contradicts itself.
    Never,
    /// It does so with the parameters as they are.
    NotAsItIs,
    /// It depends on the motion.
    Open,
    /// It happens sooner or later if nothing else does.
    Surely,
}

struct Judged {
    /// For each step of the survey.
    stands: Vec<Stand>,
    /// Modes that can be reached, and those that are with the parameters as they are.
    reached: Vec<bool>,
    as_it_is: Vec<bool>,
    /// Sets of modes one of which is reached for certain.
    surely: Vec<BTreeSet<usize>>,
}

fn judge(survey: &Survey<'_>) -> Judged {
    let stands: Vec<Stand> = survey.steps.iter().map(|&(at, number, _)| stand(survey, at, number)).collect();
    let follow = |passes: &dyn Fn(usize) -> bool| {
        let mut found = vec![false; survey.modes.len()];
        found[0] = true;
        loop {
            let before = found.iter().filter(|found| **found).count();
            for (step, &(from, _, to)) in survey.steps.iter().enumerate() {
                found[to] |= found[from] && passes(step);
            }
            if found.iter().filter(|found| **found).count() == before {
                return found;
            }
        }
    };
    let reached = follow(&|step| stands[step] != Stand::Never);
    let as_it_is = follow(&|step| !matches!(stands[step], Stand::Never | Stand::NotAsItIs));
    let surely = certain(survey, &stands);
    Judged { stands, reached, as_it_is, surely }
}

/// Sets of modes one of which is reached for certain: a transition happens sooner or later if it would do so in all modes to which others
/// may lead meanwhile.
fn certain(survey: &Survey<'_>, stands: &[Stand]) -> Vec<BTreeSet<usize>> {
    const MOST: usize = 60;
    let possible =
        || survey.steps.iter().zip(stands).filter(|(_, stand)| !matches!(stand, Stand::Never | Stand::NotAsItIs));
    let mut sets = vec![BTreeSet::from([0])];
    let mut at = 0;
    while at < sets.len() && sets.len() < MOST {
        for number in 0..survey.model.transitions.len() {
            let sure = |mode: usize| {
                stands
                    .iter()
                    .zip(&survey.steps)
                    .any(|(stand, it)| (it.0, it.1) == (mode, number) && *stand == Stand::Surely)
            };
            // All modes to which others may lead from here.
            let mut meanwhile = sets[at].clone();
            loop {
                let others = possible().filter(|((from, other, _), _)| *other != number && meanwhile.contains(from));
                let next: BTreeSet<usize> =
                    others.map(|((_, _, to), _)| *to).filter(|to| !meanwhile.contains(to)).collect();
                if next.is_empty() {
                    break;
                }
                meanwhile.extend(next);
            }
            if !meanwhile.iter().all(|&mode| sure(mode)) {
                continue;
            }
            let after = possible().filter(|((from, it, _), _)| *it == number && meanwhile.contains(from));
            let after: BTreeSet<usize> = after.map(|((_, _, to), _)| *to).collect();
            if !sets.contains(&after) {
                sets.push(after);
            }
        }
        at += 1;
    }
    sets
}

fn stand(survey: &Survey<'_>, at: usize, number: usize) -> Stand {
    let Some(stages) = survey.stages.get(at).and_then(Option::as_ref) else { return Stand::Open };
    let system = &stages.system;
    let transition = system.automaton.transitions.iter().find(|transition| transition.number == number);
    // What the equations know of modes is at least what the modes alone tell.
    let Some(transition) = transition else { return Stand::Never };
    let Some(found) = cases(&system.arena, transition.guard) else { return Stand::Open };
    match Ground::new(system).excludes_all(&found) {
        Excluded::Always => Stand::Never,
        Excluded::AsItIs => Stand::NotAsItIs,
        Excluded::No if found.iter().any(|case| comes(stages, case)) => Stand::Surely,
        Excluded::No => Stand::Open,
    }
}

/// Whether a case holds from some time on, whatever moves.
fn comes(stages: &crate::Stages, case: &Case) -> bool {
    let system = &stages.system;
    let ground = Ground::new(system);
    let fixed = |symbol: &SymbolId| {
        *symbol == system.time || system.parameters.iter().any(|parameter| parameter.symbol == *symbol)
    };
    // Seconds, some thirty years: what holds from then on holds in the end.
    const LATE: f64 = 1e9;
    let late = (system.arena.symbol(system.time), Interval::new(LATE, f64::INFINITY));
    case.iter().all(|atom| {
        let denied = super::condition::Atom { margin: system.arena.negate(atom.margin), strict: !atom.strict };
        system.arena.symbols_in(&[atom.margin]).iter().all(fixed) && ground.excludes(&[denied], &[late]) != Excluded::No
    })
}

/// An answer for each value of each mode that the author has named.
fn values(survey: &Survey<'_>, judged: &Judged) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, mode) in survey.model.modes.iter().enumerate().filter(|(_, mode)| !mode.hidden) {
        // What laws assume decides which of them are ever needed; nobody has to write one less.
        if survey.model.fragments.iter().any(|it| matches!(it.standing, Standing::Chosen(of, _) if of.index() == at)) {
            continue;
        }
        let any = |found: &[bool], value: usize| {
            survey.modes.iter().zip(found).any(|(mode, found)| mode[at] == value && *found)
        };
        let sure = |value: usize| judged.surely.iter().any(|set| set.iter().all(|&it| survey.modes[it][at] == value));
        let class = |value: usize| {
            [value == mode.start, sure(value), any(&judged.as_it_is, value), any(&judged.reached, value)]
                .into_iter()
                .position(|found| found)
        };
        let all = 0..mode.values.len();
        let of = |wanted: Option<usize>| all.clone().filter(|&value| class(value) == wanted).collect::<Vec<usize>>();
        let words = |class: usize| {
            let words: Vec<&str> = of(Some(class)).into_iter().map(|value| mode.values[value].as_str()).collect();
            words.join(" or ")
        };
        let name = &mode.name;
        for (at, (answer, text)) in [
            (Answer::Correct, format!("{name} is {} at the start", words(0))),
            (Answer::Correct, format!("{name} becomes {} at some time", words(1))),
            (Answer::Unknown, format!("whether {name} ever becomes {} depends on the motion", words(2))),
            (Answer::Unknown, format!("{name} becomes {} only with other parameters", words(3))),
        ]
        .into_iter()
        .enumerate()
        {
            findings.extend((!words(at).is_empty()).then(|| Finding::new(answer, text)));
        }
        let missed = of(None);
        findings.extend(unreachable(survey, at, &missed));
    }
    findings
}

fn unreachable(survey: &Survey<'_>, at: usize, missed: &[usize]) -> Option<Finding> {
    let mode = &survey.model.modes[at];
    let quoted: Vec<String> = missed.iter().map(|&value| format!("`{}`", mode.values[value])).collect();
    let message = format!("`{}` never becomes {}", mode.name, quoted.join(" or "));
    let setting = survey.model.transitions.iter();
    let setting =
        setting.filter(|it| it.modes.iter().any(|&(mode, value)| mode.index() == at && missed.contains(&value)));
    let setting: Vec<&model::Transition> = setting.take(3).collect();
    let hint = match setting.is_empty() {
        true => "add a transition that sets it, or drop the value",
        false => "change the condition of a transition that sets it, or drop the value",
    };
    let diagnostic = Diagnostic::warning(codes::UNREACHABLE_MODE, message.clone())
        .at(mode.span, "no transition that can happen leads there");
    let diagnostic =
        setting.iter().fold(diagnostic, |found, it| found.at(it.span, "this would set it, but it never happens"));
    (!missed.is_empty()).then(|| Finding::incorrect(message.replace('`', ""), diagnostic.hint(hint)))
}

/// Transitions whose conditions contradict themselves in every mode.
fn impossible(survey: &Survey<'_>, judged: &Judged, is_missed: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let of_law = |transition: &model::Transition| survey.model.fragments.iter().any(|it| it.span == transition.span);
    let all = survey.model.transitions.iter().enumerate();
    for (number, transition) in all.filter(|(_, transition)| !of_law(transition)) {
        let stands =
            survey.steps.iter().zip(&judged.stands).filter(|((from, it, _), _)| *it == number && judged.reached[*from]);
        let stands: Vec<Stand> = stands.map(|(_, stand)| *stand).collect();
        // One that waits for a mode which is never reached is not to blame itself.
        let waits = stands.is_empty() && survey.steps.iter().any(|(_, it, _)| *it == number);
        if waits || stands.iter().any(|stand| *stand != Stand::Never) || (stands.is_empty() && is_missed) {
            continue;
        }
        let message = format!("`{}` never happens: its condition contradicts itself", transition.name);
        let guard = survey.model.terms.get(transition.guard).span;
        let diagnostic = Diagnostic::warning(codes::IMPOSSIBLE_TRANSITION, message.clone())
            .at(guard, "no state meets all of this")
            .hint("change one of its parts, or put `or` where one of them is enough");
        findings.push(Finding::incorrect(message.replace('`', ""), diagnostic));
    }
    findings
}

/// The earliest time at which a condition can hold.
pub fn earliest(system: &equations::System, guard: expr::Expr) -> f64 {
    let Some(found) = cases(&system.arena, guard) else { return 0.0 };
    let parameters = system.parameters.iter().map(|it| (it.symbol, Interval::point(it.default)));
    let mut region: expr::Region = parameters.collect();
    region.insert(system.time, Interval::NOT_NEGATIVE);
    let first = |case: &Case| {
        let demands: Vec<expr::Demand> = case.iter().map(|atom| (atom.margin, Interval::NOT_NEGATIVE)).collect();
        let narrowed = contract(&system.arena, &demands, &region);
        narrowed.map_or(f64::INFINITY, |region| region.get(&system.time).map_or(0.0, |time| time.low.max(0.0)))
    };
    let first = found.iter().map(first).fold(f64::INFINITY, f64::min);
    if first.is_finite() { first } else { 0.0 }
}
