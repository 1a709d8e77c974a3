//! Claims, each watched by a machine of finitely many states.

use kernel::Type::{Integer, Real};
use kernel::executive::AT_ONCE;
use kernel::executive::claims::{LOOKS, ROUNDING};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use program::{Watcher, Way};

use super::modes::Modes;
use super::{Automaton, attempt};

pub(super) struct Claims {
    /// The state of each.
    pub states: ArrayId,
    /// Those that are not watched.
    pub ignored: ArrayId,
    /// `(t, event) -> integer`: looks at the sampled state; `event` if a transition follows at once.
    pub look: FunctionId,
    /// `(last, t) -> integer`: looks in the middle of a step, some time after the last look, and finds out when a claim was refuted.
    pub look_since: FunctionId,
}

pub(super) fn watching(module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes) -> Option<Claims> {
    if automaton.claims.is_empty() {
        return None;
    }
    let states = module.integer_array("claim_states", automaton.claims.len(), "how far the watching of each claim is");
    let ignored = module.integer_array(protocol::IGNORED, automaton.claims.len(), "1 for a claim that is not watched");
    let holds = module.integer_array("condition_holds", automaton.conditions, "of what the claims speak of");
    let diagrams: Vec<Diagram> = automaton.claims.iter().map(|claim| Diagram::new(module, claim)).collect();
    let look = module.function("look_at_claims", &[("t", Real), ("event", Integer)], &[Integer], |f| {
        let [t, event] = f.parameters();
        attempt(f, modes.dispatch.claims, t);
        f.note("Each holds but for rounding: of what it compares, and of the time.");
        f.for_each("i", 0, automaton.conditions, |f, i| {
            let margin = f.real("margin", modes.values.at(i * 3));
            let late = f.real("late", t.abs() * AT_ONCE * modes.values.at(i * 3 + 1).abs());
            let allowed = f.real("allowed", late + modes.values.at(i * 3 + 2) * ROUNDING);
            let least = allowed.abs().lt(f64::INFINITY).select(-allowed, 0.0);
            f.store(holds, i, margin.ge(least));
        });
        for (at, (claim, diagram)) in automaton.claims.iter().zip(&diagrams).enumerate() {
            f.if_(ignored.at(at).eq_(0), |f| {
                let next = diagram.decide(f, states.at(at) * 2 + event, holds);
                f.store(states, at, next);
                if let Some(refuted) = claim.refuted {
                    f.if_(next.eq_(refuted), |f| refute(f, modes, at, t));
                }
            });
        }
        f.return_(protocol::DONE);
    });
    module.describe(look, "What remains to be seen of each claim after this moment.");
    let look_since = look_since(module, automaton, modes, states, look);
    Some(Claims { states, ignored, look, look_since })
}

/// The decisions by which a claim goes from one state to the next. A way below zero leads to the state of that number, less one.
struct Diagram {
    /// By twice the state, and one more with a transition that follows at once.
    ways: ArrayId,
    /// The condition that each decides by, and two ways for each.
    conditions: ArrayId,
    next: ArrayId,
}

impl Diagram {
    fn new(module: &mut ModuleBuilder, claim: &Watcher) -> Diagram {
        let way = |way: &Way| match *way {
            Way::Node(at) => at as i64,
            Way::State(at) => -1 - at as i64,
        };
        let ways: Vec<i64> = claim.ways.iter().flatten().map(way).collect();
        let conditions: Vec<i64> = claim.nodes.iter().map(|(condition, _)| *condition as i64).collect();
        let next: Vec<i64> = claim.nodes.iter().flat_map(|(_, ways)| ways).map(way).collect();
        let filled = |values: Vec<i64>| if values.is_empty() { vec![0] } else { values };
        Diagram {
            ways: module.integers("claim_ways", &ways, "by the state and by an event: a decision, or -1 less a state"),
            conditions: module.integers("claim_decides_by", &filled(conditions), "the condition of each decision"),
            next: module.integers("claim_next", &filled(next), "where each leads without it, and with it"),
        }
    }

    /// The next state.
    fn decide(&self, f: &mut FunctionBuilder, from: Expression, holds: ArrayId) -> LocalId {
        let way = f.integer("way", self.ways.at(from));
        f.while_(way.ge(0), |f| f.assign(way, self.next.at(way * 2 + holds.at(self.conditions.at(way)))));
        f.integer("next", -1 - way)
    }
}

fn look_since(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    states: ArrayId,
    look: FunctionId,
) -> FunctionId {
    let count = automaton.claims.len();
    let before = module.integer_array("claim_states_before", count, "at the last look");
    let look_since = module.function("look_at_claims_since", &[("last", Real), ("t", Real)], &[Integer], |f| {
        let [last, t] = f.parameters();
        f.if_(t.le(last), |f| f.return_(protocol::DONE));
        f.for_each("i", 0, count, |f, i| f.store(before, i, states.at(i)));
        attempt(f, modes.dispatch.sample, t);
        let found = f.integer("found", 0);
        let status = f.call1(look, (t, 0));
        f.assign(found, status);
        let low = f.real("low", last);
        let high = f.real("high", t);
        f.for_each("look", 0, LOOKS, |f, _| {
            let width = f.real("width", high - low);
            let known = width.le(high.abs() * (2.0 * f64::EPSILON));
            f.if_(found.ne_(protocol::REFUTED).or(known), |f| f.break_());
            let middle = f.real("middle", low + width * 0.5);
            f.for_each("i", 0, count, |f, i| f.store(states, i, before.at(i)));
            attempt(f, modes.dispatch.sample, middle);
            let status = f.call1(look, (middle, 0));
            f.if_else(
                status.eq_(protocol::DONE),
                |f| f.assign(low, middle),
                |f| {
                    f.assign(high, middle);
                    f.assign(found, status);
                },
            );
        });
        f.note("What was compared when it was refuted is told.");
        f.if_(found.eq_(protocol::REFUTED), |f| {
            attempt(f, modes.dispatch.sample, high);
            attempt(f, modes.dispatch.claims, high);
        });
        f.return_(found);
    });
    module.describe(look_since, "Looks at the claims, unless that was done; where one is refuted, since when.");
    look_since
}

/// Whether the claims hold if nothing more is ever seen.
pub(super) fn conclude(module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes, claims: Option<&Claims>) {
    let tables: Vec<(usize, ArrayId)> = automaton
        .claims
        .iter()
        .enumerate()
        .filter(|(_, claim)| claim.fulfilled.iter().any(|fulfilled| !fulfilled))
        .map(|(at, claim)| {
            let values: Vec<i64> = claim.fulfilled.iter().map(|&fulfilled| i64::from(fulfilled)).collect();
            (at, module.integers("claim_fulfilled", &values, "whether nothing more has to be seen, by the state"))
        })
        .collect();
    let conclude = module.function(protocol::CONCLUDE, &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        for (at, table) in tables {
            let Some(claims) = claims else { continue };
            let fulfilled: Expression = table.at(claims.states.at(at));
            f.if_(fulfilled.eq_(0).and(claims.ignored.at(at).eq_(0)), |f| {
                attempt(f, modes.dispatch.claims, t);
                refute(f, modes, at, t);
            });
        }
        f.return_(protocol::DONE);
    });
    module.describe(conclude, "Whether the claims hold if the run ends here.");
}

/// Ends a run with the claim that it refutes.
fn refute(f: &mut FunctionBuilder, modes: &Modes, claim: usize, t: LocalId) {
    f.store(modes.failure, 0, claim);
    f.store(modes.failure, 1, -1);
    f.store(modes.failure_values, 0, t);
    f.return_(protocol::REFUTED);
}
