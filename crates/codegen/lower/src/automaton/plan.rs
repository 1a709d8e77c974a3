//! Plans: the phases are rehearsed with some choices, and the choices mended until the aims are met. As
//! `simulation/src/hybrid/plan.rs` does it.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionBuilder, FunctionId, ModuleBuilder, Term, protocol};
use program::Change;

use super::crossing::Crossing;
use super::modes::{Modes, changes};
use super::shooting::{Search, shooting};
use super::transition::State;
use super::{Automaton, attempt};

const PLANNED_TOLERANCE: f64 = 1e-11;
/// A phase of so many steps is taken to have no end.
const MOST_REHEARSED: usize = 20_000;

/// `(edge, t) -> integer`: gives what a plan chooses its values, if the transition begins one. The sampled state stays as it is. None if
/// there are no plans.
pub(super) fn planning(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    state: State,
    take: FunctionId,
    enter: FunctionId,
) -> Option<FunctionId> {
    let (keep_mode, bring_back_mode) = modes.keeping?;
    let plans = plans(automaton);
    let most = plans.iter().map(|plan| plan.choices.len().max(plan_aims(automaton, plan))).max().unwrap_or(0);
    let search = Search::declare(module, most);
    let before = Before {
        mode: module.integer_array("mode_before", 1, "of a plan"),
        held: module.real_array("held_before", modes.held, "before a plan"),
        tolerance: module.real_array("tolerance_before", 1, "of a plan"),
        horizon: module.real_array("horizon_before", 1, "of a plan"),
    };
    let choose = module.function("choose", &[("plan", Integer)], &[], |f| {
        let [number] = f.parameters();
        for plan in &plans {
            f.if_(number.eq_(plan.number), |f| {
                for (at, place) in plan.choices.iter().enumerate() {
                    f.store(modes.parameters, modes.first_held + place, search.tried.at(at));
                }
            });
        }
    });
    module.describe(choose, "Gives what a plan chooses the values that are tried.");
    let bring_back = module.function("bring_back", &[], &[], |f| {
        f.store(modes.present, 0, before.mode.at(0));
        f.call(bring_back_mode, ());
        for at in 0..modes.held {
            f.store(modes.parameters, modes.first_held + at, before.held.at(at));
        }
    });
    module.describe(bring_back, "All is again as it was before the plan.");
    let phase_end = phase_end(module, modes, crossing);
    let rehearsal = Rehearsal { modes, search, bring_back, choose, take, enter, phase_end };
    let rehearsals: Vec<(usize, FunctionId)> =
        plans.iter().map(|plan| (plan.number, rehearsal.of(module, automaton, plan))).collect();
    let rehearse = module.function("rehearse", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        let number = f.integer("number", modes.tables.numbers.at(before.mode.at(0) * modes.tables.most + edge));
        for (plan, function) in rehearsals {
            f.if_(number.eq_(plan), |f| {
                let came_to_its_end = f.call1(function, (edge, t));
                f.return_(came_to_its_end);
            });
        }
        f.return_(0);
    });
    let shoot = shooting(module, search, rehearse);
    let counts: Vec<i64> = (0..automaton.transitions.len())
        .map(|number| plans.iter().find(|plan| plan.number == number).map_or(0, |plan| plan.choices.len() as i64))
        .collect();
    let counts = module.integers("choice_count", &counts, "how many numbers each transition chooses");
    let plan = module.function("plan", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        let number = f.integer("number", modes.at_edge(modes.tables.numbers, edge));
        let count = f.integer("count", counts.at(number));
        f.if_(count.eq_(0), |f| f.return_(protocol::DONE));
        attempt(f, modes.asks.seeds, (edge, t));
        f.for_each("i", 0, count, |f, i| f.store(search.at, i, modes.values.at(i)));
        f.store(before.mode, 0, modes.present.at(0));
        f.call(keep_mode, ());
        for at in 0..modes.held {
            f.store(before.held, at, modes.parameters.at(modes.first_held + at));
        }
        f.store(before.tolerance, 0, state.tolerance.at(0));
        f.store(before.horizon, 0, state.horizon.at(0));
        f.store(state.tolerance, 0, state.tolerance.at(0).min(PLANNED_TOLERANCE));
        f.store(state.horizon, 0, f64::INFINITY);
        let found = f.call1(shoot, (count, edge, t));
        f.call(bring_back, ());
        f.store(state.tolerance, 0, before.tolerance.at(0));
        f.store(state.horizon, 0, before.horizon.at(0));
        f.if_(found.eq_(0), |f| {
            f.store(modes.failure, 0, number);
            f.store(modes.failure, 1, -1);
            f.store(modes.failure_values, 0, t);
            f.return_(protocol::NO_PLAN);
        });
        f.for_each("i", 0, count, |f, i| f.store(search.tried, i, search.at.at(i)));
        f.call(choose, number);
        f.return_(protocol::DONE);
    });
    module.describe(plan, "Searches for what a plan chooses, by rehearsing its phases.");
    Some(plan)
}

/// What was before a plan, besides what belongs to the mode.
struct Before {
    mode: ArrayId,
    held: ArrayId,
    tolerance: ArrayId,
    horizon: ArrayId,
}

/// The transitions that begin plans, each once.
fn plans<'a>(automaton: &Automaton<'a>) -> Vec<&'a Change> {
    let mut plans: Vec<&Change> = Vec::new();
    for change in automaton.modes.iter().flat_map(|mode| &changes(mode).all) {
        if !change.choices.is_empty() && !plans.iter().any(|known| known.number == change.number) {
            plans.push(change);
        }
    }
    plans
}

/// How many aims the phases of a plan have together.
fn plan_aims(automaton: &Automaton<'_>, plan: &Change) -> usize {
    let all = || automaton.modes.iter().flat_map(|mode| &changes(mode).all);
    let aims = |number: &usize| all().find(|it| it.number == *number).map_or(0, |it| it.aims.results.len());
    plan.phases.iter().map(aims).sum()
}

struct Rehearsal<'m> {
    modes: &'m Modes,
    search: Search,
    bring_back: FunctionId,
    choose: FunctionId,
    take: FunctionId,
    enter: FunctionId,
    phase_end: FunctionId,
}

impl Rehearsal<'_> {
    /// `(edge, t) -> integer`: goes through the phases of one plan with the choices that are tried; 1 if they come to their ends.
    fn of(&self, module: &mut ModuleBuilder, automaton: &Automaton<'_>, plan: &Change) -> FunctionId {
        let Rehearsal { modes, search, .. } = *self;
        let name = format!("rehearse_{}", plan.name.trim_end_matches(".begin"));
        let function = module.function(&name, &[("transition", Integer), ("t", Real)], &[Integer], |f| {
            let [edge, t] = f.parameters();
            let try_ = |f: &mut FunctionBuilder, function: FunctionId, arguments: (_, _)| {
                let status = f.call1(function, arguments);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(0));
            };
            f.call(self.bring_back, ());
            f.call(self.choose, plan.number);
            try_(f, self.take, (edge, t));
            try_(f, self.enter, (edge, t));
            let left = f.integer("left", 0);
            for (at, &phase) in plan.phases.iter().enumerate() {
                f.note(&format!("until {}", automaton.transitions[phase]));
                let place = modes.present.at(0) * modes.tables.transition_count + phase;
                f.assign(edge, modes.tables.places.at(place));
                f.if_(edge.lt(0), |f| f.return_(0));
                let [status, found, end] = f.call_n(self.phase_end, (edge, t));
                f.if_(status.gt(protocol::UNFINISHED).or(found.eq_(0)), |f| f.return_(0));
                f.assign(t, end);
                try_(f, modes.asks.aims, (edge, t));
                let aims = f.integer("aims", modes.at_edge(modes.tables.aims, edge));
                f.for_each("i", 0, aims, |f, i| f.store(search.left, left + i, modes.values.at(i)));
                f.increase(left, aims);
                if at + 1 < plan.phases.len() {
                    try_(f, self.take, (edge, t));
                    try_(f, self.enter, (edge, t));
                }
            }
            f.for_each("i", 0, left, |f, i| {
                let finite = search.left.at(i).abs().lt(f64::INFINITY);
                f.if_(finite.logical_not(), |f| f.return_(0));
            });
            f.store(search.left_count, 0, left);
            f.return_(1);
        });
        module.describe(
            function,
            "Goes through the phases with the choices that are tried: 1 if they come to their ends.",
        );
        function
    }
}

/// `(edge, now) -> (integer, integer, real)`: when one transition comes, whatever others there are; the state is sampled there.
fn phase_end(module: &mut ModuleBuilder, modes: &Modes, crossing: &Crossing) -> FunctionId {
    let parameters = [("transition", Integer), ("now", Real)];
    let function = module.function("phase_end", &parameters, &[Integer, Integer, Real], |f| {
        let [edge, now] = f.parameters();
        let give_up = |f: &mut FunctionBuilder, status: kernel::LocalId| {
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0, 0.0)));
        };
        let status = f.call1(modes.asks.guards, now);
        give_up(f, status);
        f.note("A phase that would end before it begins leads nowhere.");
        f.if_(modes.values.at(edge * 3 + 2).ne_(0.0), |f| f.return_((protocol::DONE, 0, 0.0)));
        f.for_each("step", 0, MOST_REHEARSED, |f, _| {
            let begin = f.call1(modes.asks.step_end, ());
            let status = f.call1(modes.asks.advance, (f64::INFINITY, 1));
            give_up(f, status);
            f.if_(status.eq_(protocol::DONE), |f| f.return_((protocol::DONE, 0, 0.0)));
            let end = f.call1(modes.asks.step_end, ());
            f.note("A step that was refused is tried once more, shorter.");
            f.if_(end.gt(begin), |f| {
                let [status, high, holds] = f.call_n(crossing.measure, (end, edge));
                give_up(f, status);
                f.if_(holds, |f| {
                    let [status, low, _] = f.call_n(crossing.measure, (begin, edge));
                    give_up(f, status);
                    let [status, t] = f.call_n(crossing.locate, (begin, low, end, high, edge));
                    f.return_((status, 1, t));
                });
            });
        });
        f.return_((protocol::DONE, 0, 0.0));
    });
    module.describe(function, "When one transition comes, whatever others there are.");
    function
}
