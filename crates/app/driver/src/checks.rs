//! What can be said of an automaton before it runs, with three answers.

use base::{Diagnostic, Diagnostics, Sources};
use equations::{System, Transition};
use expr::{Arena, Expr, Node, Operator};
use model::Model;

use crate::automaton::{Reach, reach};
use crate::codes;
use crate::pipeline::{Options, compile_mode};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Correct,
    Incorrect,
    Unknown,
}

impl Answer {
    pub fn word(self) -> &'static str {
        match self {
            Answer::Correct => "correct",
            Answer::Incorrect => "incorrect",
            Answer::Unknown => "unknown",
        }
    }
}

/// One question about an automaton, answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub answer: Answer,
    pub about: String,
}

/// More modes than this are not looked at one by one.
const MOST_MODES: usize = 200;

/// Compiles all modes that can be reached, and reports what is wrong with them and which values are never reached.
pub fn check_modes(model: &Model, options: &Options, sources: &Sources, sink: &mut Diagnostics) {
    let Reach { modes, .. } = reach(model);
    for mode in modes.iter().skip(1).take(MOST_MODES) {
        let mut found = Diagnostics::default();
        let _ = compile_mode(model, mode, options, sources, &mut found);
        for diagnostic in found.iter().filter(|found| found.severity == base::Severity::Error) {
            if !sink.iter().any(|known| known.code == diagnostic.code && known.labels == diagnostic.labels) {
                sink.report(diagnostic.clone().note(crate::modes::in_mode(model, mode)));
            }
        }
    }
    for (at, mode) in model.modes.iter().enumerate().filter(|(_, mode)| !mode.hidden) {
        let missed = (0..mode.values.len()).filter(|&value| !modes.iter().any(|mode| mode[at] == value));
        let missed: Vec<String> = missed.map(|value| format!("`{}`", mode.values[value])).collect();
        if !missed.is_empty() {
            sink.report(
                Diagnostic::warning(
                    codes::UNREACHABLE_MODE,
                    format!("`{}` never becomes {}", mode.name, missed.join(" or ")),
                )
                .at(mode.span, "no transition that can happen leads there")
                .hint("add a transition that sets it, or drop the value"),
            );
        }
    }
}

/// Which transitions can hold together and disagree, and which plans may be disturbed.
pub fn findings(model: &Model, systems: &[System]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut add = |finding: Finding| {
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    };
    for system in systems {
        let transitions = &system.automaton.transitions;
        for (at, first) in transitions.iter().enumerate() {
            for second in &transitions[at + 1..] {
                add(together(&system.arena, first, second));
            }
        }
        for transition in transitions.iter().filter(|transition| transition.number < model.transitions.len()) {
            let Some(plan) = plan_of(model, transition.number) else { continue };
            // Rehearsals see what else happens, but not what other plans would choose.
            let others = transitions.iter().filter(|other| !other.choices.is_empty());
            let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
            let name = model.transitions[plan].name.trim_end_matches(".begin");
            add(match others.is_empty() {
                true => Finding {
                    answer: Answer::Correct,
                    about: format!("no other plan disturbs {} before {}", name, transition.name),
                },
                false => {
                    let about =
                        format!("{} may be disturbed before {} by {}", name, transition.name, others.join(", "));
                    Finding { answer: Answer::Unknown, about }
                }
            });
        }
    }
    findings.sort_by_key(|finding| match finding.answer {
        Answer::Incorrect => 0,
        Answer::Unknown => 1,
        Answer::Correct => 2,
    });
    findings
}

/// The plan that a transition ends a phase of, by the place of its beginning.
fn plan_of(model: &Model, number: usize) -> Option<usize> {
    model.transitions.iter().position(|begin| !begin.choices.is_empty() && begin.phases.contains(&number))
}

fn together(arena: &Arena, first: &Transition, second: &Transition) -> Finding {
    let both = format!("{} and {}", first.name, second.name);
    let (atoms, others) = (conjuncts(arena, first.guard), conjuncts(arena, second.guard));
    let exclude = |a: &Expr, b: &Expr| excludes(arena, *a, *b);
    if atoms.iter().any(|a| others.iter().any(|b| exclude(a, b))) {
        return Finding { answer: Answer::Correct, about: format!("{both} exclude one another") };
    }
    if first.guard == second.guard && first.target != second.target {
        return Finding {
            answer: Answer::Incorrect,
            about: format!("{both} hold together and lead to different modes"),
        };
    }
    Finding {
        answer: Answer::Unknown,
        about: format!("{both} might hold together; the first in the text happens first"),
    }
}

/// The conditions that a guard is made of, all of which must hold.
fn conjuncts(arena: &Arena, condition: Expr) -> Vec<Expr> {
    match arena.node(condition) {
        Node::Apply(Operator::And, parts) => parts.iter().flat_map(|&part| conjuncts(arena, part)).collect(),
        _ => vec![condition],
    }
}

/// Whether two conditions cannot hold at once: from below x and from above x, which leave no room between them.
fn excludes(arena: &Arena, a: Expr, b: Expr) -> bool {
    let (Some(a), Some(b)) = (order(arena, a), order(arena, b)) else { return false };
    // a.high <= x <= b.low, where x is the same in both.
    let room = |low: Expr, high: Expr| match (arena.as_number(low), arena.as_number(high)) {
        (Some(low), Some(high)) => Some(high.value() - low.value()),
        _ => (low == high).then_some(0.0),
    };
    let meet = |first: &Order, second: &Order| {
        let room = (first.high == second.low).then(|| room(first.low, second.high)).flatten();
        room.is_some_and(|room| room < 0.0 || room == 0.0 && (first.strict || second.strict))
    };
    meet(&a, &b) || meet(&b, &a)
}

/// low <= high, or low < high.
struct Order {
    low: Expr,
    high: Expr,
    strict: bool,
}

fn order(arena: &Arena, condition: Expr) -> Option<Order> {
    match arena.node(condition) {
        Node::Apply(Operator::Less, parts) => Some(Order { low: parts[0], high: parts[1], strict: true }),
        Node::Apply(Operator::LessEqual, parts) => Some(Order { low: parts[0], high: parts[1], strict: false }),
        Node::Apply(Operator::Not, parts) => {
            let Order { low, high, strict } = order(arena, parts[0])?;
            Some(Order { low: high, high: low, strict: !strict })
        }
        _ => None,
    }
}

/// The equations of all modes that can be reached.
pub fn systems(model: &Model, options: &Options, sources: &Sources) -> Vec<System> {
    let modes = reach(model).modes;
    let compile = |mode: &Vec<usize>| compile_mode(model, mode, options, sources, &mut Diagnostics::default());
    modes.iter().take(MOST_MODES).filter_map(compile).map(|stages| stages.system).collect()
}
