//! What a run meets that is no reason to end it: transitions that disagree, plans that were disturbed, phases that end before they begin.

use kernel::Type::{Integer, Real};
use kernel::executive::shooting::MET;
use kernel::executive::{AT_ONCE, SAME};
use kernel::{ArrayId, FunctionBuilder, FunctionId, ModuleBuilder, Term, protocol};
use program::Change;

use super::least::Goals;
use super::modes::Modes;
use super::shooting::{Search, all_below, measure};
use super::transition::State;
use super::{Automaton, attempt};

/// What there is to tell, for those who run a program.
#[derive(Clone, Copy)]
pub(super) struct Warnings {
    pub count: ArrayId,
    kinds: ArrayId,
    transitions: ArrayId,
    /// `(kind, first, second, t, value)`: tells of two transitions.
    tell: FunctionId,
}

impl Warnings {
    pub fn declare(module: &mut ModuleBuilder) -> Warnings {
        let most = protocol::WARNINGS;
        let count = module.integer_array(protocol::WARNING_COUNT, 1, "how many warnings there are");
        let times = module.real_array(protocol::WARNING_TIMES, most, "when each was first met");
        let kinds =
            module.integer_array(protocol::WARNING_KINDS, most, "1: rivals, 2: a plan that was disturbed, 3: a phase");
        let values = module.real_array(protocol::WARNING_VALUES, most, "by rounding; transitions so far; duration");
        let transitions = module.integer_array(
            protocol::WARNING_TRANSITIONS,
            2 * most,
            "what happened and what did not; plan and cause",
        );
        let parameters = [("kind", Integer), ("first", Integer), ("second", Integer), ("t", Real), ("value", Real)];
        let tell = module.function("note_warning", &parameters, &[], |f| {
            let [kind, first, second, t, value] = f.parameters();
            let place = f.integer("place", count.at(0));
            f.if_(place.lt(most), |f| {
                f.store(times, place, t);
                f.store(kinds, place, kind);
                f.store(values, place, value);
                f.store(transitions, place * 2, first);
                f.store(transitions, place * 2 + 1, second);
                f.store(count, 0, place + 1);
            });
        });
        module.describe(tell, "Notes a warning, as long as there is room.");
        Warnings { count, kinds, transitions, tell }
    }

    /// `(number, t)`: tells of a phase that a transition has begun and whose duration is negative: it ends at once, which nobody meant.
    pub fn overdue(&self, module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes) -> Option<FunctionId> {
        if automaton.dues.is_empty() {
            return None;
        }
        let function = module.function("note_overdue", &[("number", Integer), ("t", Real)], &[], |f| {
            let [number, t] = f.parameters();
            let shortest = f.real("shortest", f64::INFINITY);
            for &(begins, place) in &automaton.dues {
                let duration = modes.parameters.at(modes.first_discrete + place) - t;
                f.if_(number.eq_(begins), |f| f.assign(shortest, shortest.min(duration)));
            }
            f.for_each("i", 0, self.count.at(0), |f, i| {
                let known = self.kinds.at(i).eq_(protocol::OVERDUE).and(self.transitions.at(i * 2).eq_(number));
                f.if_(known, |f| f.assign(shortest, 0.0));
            });
            f.if_(shortest.lt(t.abs() * -AT_ONCE), |f| {
                f.call(self.tell, (protocol::OVERDUE, number, number, t, shortest));
            });
        });
        module.describe(function, "Tells of a phase that was to end before it began, each once.");
        Some(function)
    }
}

/// Watches transitions that hold together.
#[derive(Clone, Copy)]
pub(super) struct Rivals {
    pub pending: ArrayId,
    /// `(t)`: notes which transitions hold.
    pub note: FunctionId,
    /// `(t)`: tells of those that do not hold any more after the last transition.
    pub remember: FunctionId,
    /// `(edge, t)`: those that hold beside a transition and lead elsewhere.
    pub find: FunctionId,
}

impl Rivals {
    /// None if no mode has two transitions.
    // Long: three short kernel functions over the same arrays.
    pub fn declare(
        module: &mut ModuleBuilder,
        automaton: &Automaton<'_>,
        modes: &Modes,
        plans: &[&Change],
        warnings: Warnings,
    ) -> Option<Rivals> {
        let most = modes.tables.most;
        if most < 2 {
            return None;
        }
        let holding = module.integer_array("holding", most, "the places of the transitions that hold");
        let holding_count = module.integer_array("holding_count", 1, "how many these are");
        let surely_count = module.integer_array("surely_holding_count", 1, "how many of these hold without rounding");
        let late = module.real_array("rivals_late", most, "which of the rivals would have begun to hold by rounding");
        let happened = module.integer_array("rival_happened", 1, "the last transition");
        let missed = module.integer_array("rivals", most, "those that held beside it and lead elsewhere");
        let pending = module.integer_array("rival_count", 1, "how many these are");
        let numbers = modes.tables.numbers;
        let note = module.function("note_holding", &[("t", Real)], &[], |f| {
            let [t] = f.parameters();
            let found = f.integer("found", 0);
            f.for_each("i", 0, modes.of_mode(modes.tables.counts), |f, i| {
                f.if_(modes.values.at(i * 3 + 2).ne_(0.0), |f| {
                    f.store(holding, found, i);
                    f.increase(found, 1);
                });
            });
            f.store(surely_count, 0, found);
            f.note("What does not hold but for the rounding of the time counts too.");
            f.for_each("i", 0, modes.of_mode(modes.tables.counts), |f, i| {
                let [margin, slope, holds] = [0, 1, 2].map(|at| modes.values.at(i * 3 + at));
                let soon = (margin + slope.clone() * AT_ONCE * t.abs()).ge(0.0);
                f.if_(holds.eq_(0.0).and(slope.gt(0.0)).and(soon), |f| {
                    f.store(holding, found, i);
                    f.increase(found, 1);
                });
            });
            f.store(holding_count, 0, found);
        });
        module.describe(note, "Notes which transitions hold.");
        let remember = module.function("remember_rivals", &[("t", Real)], &[], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, pending.at(0), |f, i| {
                let known = f.integer("known", 0);
                f.for_each("j", 0, holding_count.at(0), |f, j| {
                    f.if_(modes.at_edge(numbers, holding.at(j)).eq_(missed.at(i)), |f| f.assign(known, 1));
                });
                f.for_each("j", 0, warnings.count.at(0), |f, j| {
                    let same = warnings.kinds.at(j).eq_(protocol::RIVALS);
                    let same = same.and(warnings.transitions.at(j * 2).eq_(happened.at(0)));
                    let same = same.and(warnings.transitions.at(j * 2 + 1).eq_(missed.at(i)));
                    f.if_(same, |f| f.assign(known, 1));
                });
                f.if_(known.eq_(0), |f| {
                    f.call(warnings.tell, (protocol::RIVALS, happened.at(0), missed.at(i), t, late.at(i)));
                });
            });
            f.store(pending, 0, 0);
        });
        module.describe(remember, "Tells of transitions that held and do not hold any more, each pair once.");
        let begins: Vec<i64> = (0..automaton.transitions.len())
            .map(|number| i64::from(plans.iter().any(|plan| plan.number == number)))
            .collect();
        let begins = module.integers("begins_plan", &begins, "whether each transition begins a plan");
        let disagree = disagree(module, modes, begins);
        let find = module.function("find_rivals", &[("transition", Integer), ("t", Real)], &[], |f| {
            let [edge, t] = f.parameters();
            f.store(happened, 0, modes.at_edge(numbers, edge));
            let found = f.integer("found", 0);
            f.for_each("i", 1, holding_count.at(0), |f, i| {
                let other = f.integer("other", holding.at(i));
                let differ = f.call1(disagree, (edge, other, t));
                f.if_(differ, |f| {
                    f.store(missed, found, modes.at_edge(numbers, other));
                    f.store(late, found, i.ge(surely_count.at(0)).to_real());
                    f.increase(found, 1);
                });
            });
            f.store(pending, 0, found);
        });
        module.describe(find, "The transitions that hold beside the one that happens, and lead elsewhere.");
        Some(Rivals { pending, note, remember, find })
    }
}

/// `(edge, other, t) -> integer`: whether two transitions lead to different modes, or to different states of one. What a plan would choose
/// is not known, nor what a mode makes of them that is not there yet.
fn disagree(module: &mut ModuleBuilder, modes: &Modes, begins: ArrayId) -> FunctionId {
    let first = module.real_array("first_left", modes.most_states, "what the first of two transitions leaves");
    let parameters = [("transition", Integer), ("other", Integer), ("t", Real)];
    let function = module.function("disagree", &parameters, &[Integer], |f| {
        let [edge, other, t] = f.parameters();
        let leads = modes.tables.leads;
        f.if_(modes.at_edge(leads, edge).ne_(modes.at_edge(leads, other)), |f| f.return_(1));
        for place in [edge, other] {
            let number = f.integer("number", modes.at_edge(modes.tables.numbers, place));
            f.if_(begins.at(number), |f| f.return_(0));
        }
        let (present, target) = (modes.present.at(0), modes.at_edge(modes.tables.targets, edge));
        let [present, target] = [("present", present), ("target", target)].map(|(name, mode)| f.integer(name, mode));
        f.if_(target.lt(0), |f| f.return_(0));
        let count = f.integer("count", modes.tables.state_count.at(target));
        let leaves = |f: &mut FunctionBuilder, place: kernel::LocalId| {
            let number = f.integer("number", modes.at_edge(modes.tables.numbers, place));
            let status = f.call1(modes.dispatch.carry, (place, t));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(0));
            f.store(modes.present, 0, target);
            let status = f.call1(modes.dispatch.enter, (number, t));
            f.store(modes.present, 0, present);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(0));
        };
        leaves(f, edge);
        f.for_each("i", 0, count, |f, i| f.store(first, i, modes.states.at(i)));
        leaves(f, other);
        f.for_each("i", 0, count, |f, i| {
            let (a, b) = (f.real("a", first.at(i)), f.real("b", modes.states.at(i)));
            f.if_((a - b).abs().gt(a.abs().max(b.abs()).max(1.0) * SAME), |f| f.return_(1));
        });
        f.return_(0);
    });
    module.describe(function, "Whether two transitions lead to different modes, or leave different states.");
    function
}

/// Plans that have begun, each with what is needed to judge it at its end.
#[derive(Clone, Copy)]
pub(super) struct Underway {
    /// For each plan 0 if it is not under way, else one more than the number of phases that have come to their ends.
    pub stage: ArrayId,
    since: ArrayId,
    choices: ArrayId,
    seeds: ArrayId,
    slopes: ArrayId,
    left: ArrayId,
    left_count: ArrayId,
    /// By the numbers of transitions: which plan one begins, which plan it ends a phase of, and which phase; -1 if none.
    pub begins: ArrayId,
    ends: ArrayId,
    phase: ArrayId,
    most: usize,
    goals: usize,
}

impl Underway {
    pub fn declare(
        module: &mut ModuleBuilder,
        automaton: &Automaton<'_>,
        plans: &[&Change],
        search: Search,
    ) -> Underway {
        let Search { most, goals, .. } = search;
        let count = plans.len();
        let of = |find: &dyn Fn(usize) -> Option<usize>| -> Vec<i64> {
            (0..automaton.transitions.len()).map(|number| find(number).map_or(-1, |at| at as i64)).collect()
        };
        let ends = |number: usize| plans.iter().position(|plan| plan.phases.contains(&number));
        let begins = of(&|number| plans.iter().position(|plan| plan.number == number));
        let phase = of(&|number| plans[ends(number)?].phases.iter().position(|&phase| phase == number));
        Underway {
            stage: module.integer_array("plan_stage", count, "0, or one more than the phases that have ended"),
            since: module.integer_array("plan_since", count, "how many transitions had happened before"),
            choices: module.real_array("plan_choices", count * most, "what each plan has chosen"),
            seeds: module.real_array("plan_seeds", count * most, "where its search began"),
            slopes: module.real_array("plan_slopes", count * goals * most, "how its aims change with that"),
            left: module.real_array("plan_left", count * goals, "what its aims have left so far"),
            left_count: module.integer_array("plan_left_count", count, "how many numbers these are"),
            begins: module.integers("plan_begun_by", &begins, "which plan each transition begins"),
            ends: module.integers("plan_ended_by", &of(&ends), "which plan each transition ends a phase of"),
            phase: module.integers("phase_ended_by", &phase, "and which phase"),
            most,
            goals,
        }
    }

    /// Remembers where the search of a plan begins.
    pub fn seed(&self, f: &mut FunctionBuilder, number: kernel::LocalId, count: kernel::LocalId, search: Search) {
        let first = f.integer("first_choice", self.begins.at(number) * self.most);
        f.for_each("i", 0, count, |f, i| f.store(self.seeds, first + i, search.at.at(i)));
    }

    /// A plan begins, with what was found.
    pub fn begin(
        &self,
        f: &mut FunctionBuilder,
        (number, count): (kernel::LocalId, kernel::LocalId),
        search: Search,
        state: State,
    ) {
        let plan = f.integer("plan", self.begins.at(number));
        f.for_each("i", 0, count, |f, i| f.store(self.choices, plan * self.most + i, search.at.at(i)));
        let slopes = self.most * self.goals;
        f.for_each("i", 0, slopes, |f, i| f.store(self.slopes, plan * slopes + i, search.value_slopes.at(i)));
        f.store(self.stage, plan, 1);
        f.store(self.since, plan, state.event_count.at(0));
        f.store(self.left_count, plan, 0);
    }

    /// `(edge, t) -> integer`: looks whether a plan that comes to its end has reached what it aimed at.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn judging(
        &self,
        module: &mut ModuleBuilder,
        (plans, modes): (&[&Change], &Modes),
        (search, newton_step): (Search, FunctionId),
        mending: Option<(Goals, FunctionId)>,
        (state, warnings): (State, Warnings),
    ) -> FunctionId {
        let Underway { most, goals, .. } = *self;
        let chosen: Vec<i64> = plans.iter().map(|plan| plan.choices.len() as i64).collect();
        let chosen = module.integers("plan_chosen", &chosen, "how many numbers each plan chooses");
        let numbers: Vec<i64> = plans.iter().map(|plan| plan.number as i64).collect();
        let numbers = module.integers("plan_number", &numbers, "the transition that begins each plan");
        let phases: Vec<i64> = plans.iter().map(|plan| plan.phases.len() as i64).collect();
        let phases = module.integers("plan_phases", &phases, "how many phases each plan has");
        let function = module.function("judge_plan", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
            let [edge, t] = f.parameters();
            let number = f.integer("number", modes.at_edge(modes.tables.numbers, edge));
            let plan = f.integer("plan", self.ends.at(number));
            f.if_(plan.lt(0), |f| f.return_(protocol::DONE));
            let stage = f.integer("stage", self.stage.at(plan));
            f.if_(stage.ne_(self.phase.at(number) + 1), |f| f.return_(protocol::DONE));
            attempt(f, modes.dispatch.aims, (edge, t));
            let aims = f.integer("aims", modes.at_edge(modes.tables.aims, edge));
            let left = f.integer("left", self.left_count.at(plan));
            f.for_each("i", 0, aims, |f, i| f.store(self.left, plan * goals + left + i, modes.values.at(i)));
            let rows = f.integer("rows", left + aims);
            f.store(self.left_count, plan, rows);
            f.store(self.stage, plan, stage + 1);
            f.if_(stage.lt(phases.at(plan)), |f| f.return_(protocol::DONE));
            f.store(self.stage, plan, 0);
            f.note("What else happened meanwhile?");
            let by = f.integer("by", -1);
            let oldest = f.integer("oldest", self.since.at(plan));
            let kept = f.integer("kept", state.event_count.at(0) - state.events);
            f.if_(oldest.lt(kept), |f| f.assign(oldest, kept));
            f.for_each("i", oldest, state.event_count.at(0), |f, i| {
                let other = f.integer("other", state.event_transitions.at(state.place_of(i.get())));
                let strange = other.ne_(numbers.at(plan)).and(self.ends.at(other).ne_(plan));
                f.if_(strange.and(by.lt(0).or(other.lt(by))), |f| f.assign(by, other));
            });
            f.if_(by.lt(0), |f| f.return_(protocol::DONE));
            f.note("Would other numbers have been chosen?");
            let count = f.integer("count", chosen.at(plan));
            f.for_each("i", 0, count, |f, i| f.store(search.at, i, self.seeds.at(plan * most + i)));
            measure(f, search, count);
            f.for_each("i", 0, count, |f, i| f.store(search.at, i, self.choices.at(plan * most + i)));
            f.for_each("i", 0, rows, |f, i| f.store(search.value, i, self.left.at(plan * goals + i)));
            let slopes = most * goals;
            f.for_each("i", 0, slopes, |f, i| f.store(search.value_slopes, i, self.slopes.at(plan * slopes + i)));
            let found = f.integer("found", 0);
            match mending {
                Some((goals, mend)) => f.if_else(
                    goals.seeks.at(plan),
                    |f| f.call_into(&[found], mend, (count, plan)),
                    |f| f.call_into(&[found], newton_step, count),
                ),
                None => f.call_into(&[found], newton_step, count),
            }
            f.if_(found.eq_(0), |f| f.return_(protocol::DONE));
            let met = all_below(f, search, count, MET);
            f.if_(met.eq_(0), |f| {
                let so_far = state.event_count.at(0).to_real();
                f.call(warnings.tell, (protocol::DISTURBED, numbers.at(plan), by, t, so_far));
            });
            f.return_(protocol::DONE);
        });
        module.describe(function, "Whether a plan that comes to its end has reached what it aimed at.");
        function
    }
}
