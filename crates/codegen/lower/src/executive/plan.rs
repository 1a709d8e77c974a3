//! Plans: the phases are rehearsed with some choices, and the choices mended until the aims are met.
//!
//! A rehearsal goes as the run will: every transition happens that would happen, except that no other plan begins. Its programs know how their states
//! change with the choices; where a transition happens, its instant changes with them too.

use kernel::Type::{Integer, Real};
use kernel::executive::{MOST_AT_ONCE, plans};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};
use program::Change;

use super::crossing::Crossing;
use super::elimination::eliminate;
use super::instant::moving;
use super::least::{Goals, Least};
use super::modes::{Modes, changes};
use super::shooting::{Search, linearize, newton_step, set_scales, shooting};
use super::stop::Stopping;
use super::transition::State;
use super::warnings::{Underway, Warnings};
use super::{Automaton, attempt};

/// What goes through transitions.
#[derive(Clone, Copy)]
pub(super) struct Passing {
    /// `() -> integer`
    pub count: FunctionId,
    /// `(edge, t) -> integer`, both.
    pub take: FunctionId,
    pub enter: FunctionId,
    pub stopping: Option<Stopping>,
}

/// What gives what a plan chooses its values, if a transition begins one, and judges it at its end. The sampled state stays as it is.
// Long: declares the parts of a plan in the order in which they call one another.
pub(super) fn planning(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    state: State,
    passing: Passing,
    warnings: Warnings,
) -> Planning {
    let plans = plans(automaton);
    let directions = automaton.directions;
    let variations = modes.variations.expect("those of rehearsals");
    let search = Search::declare(module, directions, automaton.goals);
    let before = Before {
        mode: module.integer_array("mode_before", 1, "of a plan"),
        carried: module.real_array(
            "carried_before",
            modes.variables,
            "what is carried from mode to mode, before a plan",
        ),
        discrete: module.real_array("discrete_before", modes.discrete, "before a plan"),
        tolerance: module.real_array("tolerance_before", 1, "of a plan"),
        horizon: module.real_array("horizon_before", 1, "of a plan"),
        spent: modes.wanted.map(|_| {
            let counters = module.length(state.spent);
            module.integer_array("spent_before", counters, "what was counted before a plan")
        }),
    };
    let bring_back = module.function("bring_back", &[], &[], |f| {
        f.store(modes.present, 0, before.mode.at(0));
        for at in 0..modes.discrete {
            f.store(modes.parameters, modes.first_discrete + at, before.discrete.at(at));
        }
    });
    module.describe(bring_back, "All is again as it was before the plan.");
    let choose = choose(module, modes, search, &plans, variations);
    let rehearsal = Rehearsal { modes, search, state, passing, directions, crossing };
    let begin = rehearsal.begin(module, before, bring_back, choose);
    let counts: Vec<i64> = (0..automaton.transitions.len())
        .map(|number| plans.iter().find(|plan| plan.number == number).map_or(0, |plan| plan.choices.len() as i64))
        .collect();
    let counts = module.integers("choice_count", &counts, "how many numbers each transition chooses");
    let rehearse = rehearsal.rehearse(module, automaton, &plans, Planned { before, begin, counts });
    let solving = eliminate(module, "eliminate", search.equations());
    let step = newton_step(module, search, solving);
    let measuring = [set_scales(module, search), linearize(module, search)];
    let shoot = shooting(module, search, (rehearse, modes.wanted), [solving, step, measuring[0], measuring[1]]);
    let goals = Goals::declare(module, automaton, &plans, search);
    let least = goals.is_needed.then(|| Least::declare(module, search, goals, measuring));
    let seek = least.map(|least| least.seeking(module, (rehearse, modes.wanted)));
    let mend = least.map(|least| least.mending(module));
    let rehearsals = Rehearsals { modes, crossing, state, before, bring_back };
    rehearsals.try_plan(module, rehearse);
    let underway = Underway::declare(module, automaton, &plans, search);
    let plan = module.function("plan", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        let number = f.integer("number", modes.at_edge(modes.tables.numbers, edge));
        let count = f.integer("count", counts.at(number));
        f.if_(count.eq_(0), |f| f.return_(protocol::DONE));
        attempt(f, modes.dispatch.seeds, (edge, t));
        f.for_each("i", 0, count, |f, i| f.store(search.at, i, modes.values.at(i)));
        underway.seed(f, number, count, search);
        let found = rehearsals.rehearsing(f, t, |f| {
            let found = f.integer("found", 0);
            let plan = underway.begins.at(number);
            match seek {
                Some(seek) => f.if_else(
                    goals.seeks.at(plan.clone()),
                    |f| f.call_into(&[found], seek, (count, plan.clone(), edge, t)),
                    |f| f.call_into(&[found], shoot, (count, edge, t)),
                ),
                None => f.call_into(&[found], shoot, (count, edge, t)),
            }
            found
        });
        f.if_(found.eq_(0), |f| {
            f.store(modes.failure, 0, number);
            let plan = underway.begins.at(number);
            let met = least.map_or(0.into(), |least| goals.seeks.at(plan).and(least.meets_aims()));
            f.store(modes.failure, 1, met.select(0, -1));
            f.store(modes.failure_values, 0, t);
            f.return_(protocol::NO_PLAN);
        });
        f.for_each("i", 0, count, |f, i| f.store(search.tried, i, search.at.at(i)));
        f.call(choose, number);
        underway.begin(f, (number, count), search, state);
        f.return_(protocol::DONE);
    });
    module.describe(plan, "Searches for what a plan chooses, by rehearsing its phases.");
    let judge =
        underway.judging(module, (&plans, modes), (search, step), mend.map(|mend| (goals, mend)), (state, warnings));
    Planning { plan, judge, stage: underway.stage }
}

/// What plans need when transitions happen.
#[derive(Clone, Copy)]
pub(super) struct Planning {
    /// `(edge, t) -> integer`, both: before a transition.
    pub plan: FunctionId,
    pub judge: FunctionId,
    /// See [`Underway::stage`].
    pub stage: ArrayId,
}

/// Where a plan begins.
#[derive(Clone, Copy)]
struct Before {
    mode: ArrayId,
    carried: ArrayId,
    discrete: ArrayId,
    tolerance: ArrayId,
    horizon: ArrayId,
    /// What was counted; needed only where a rehearsal may have to wait for a mode.
    spent: Option<ArrayId>,
}

/// Rehearsals as a whole: the sampled state stays as it is.
struct Rehearsals<'m> {
    modes: &'m Modes,
    crossing: &'m Crossing,
    state: State,
    before: Before,
    bring_back: FunctionId,
}

impl Rehearsals<'_> {
    /// Does something that rehearses a plan from the sampled state on. Where a mode is wanted that is not there, the function is left as if nothing had
    /// been tried.
    fn rehearsing(
        &self,
        f: &mut FunctionBuilder,
        t: LocalId,
        work: impl FnOnce(&mut FunctionBuilder) -> LocalId,
    ) -> LocalId {
        let Rehearsals { modes, crossing, state, before, bring_back } = *self;
        attempt(f, modes.dispatch.carried, t);
        f.for_each("i", 0, modes.variables, |f, i| f.store(before.carried, i, modes.values.at(i)));
        f.store(before.mode, 0, modes.present.at(0));
        for at in 0..modes.discrete {
            f.store(before.discrete, at, modes.parameters.at(modes.first_discrete + at));
        }
        f.store(before.tolerance, 0, state.tolerance.at(0));
        f.store(before.horizon, 0, state.horizon.at(0));
        f.store(state.tolerance, 0, state.tolerance.at(0).min(plans::TOLERANCE));
        f.store(state.horizon, 0, f64::INFINITY);
        let counters = protocol::COUNTERS;
        if let (Some(wanted), Some(spent)) = (modes.wanted, before.spent) {
            f.store(wanted, 0, -1);
            f.for_each("i", 0, counters, |f, i| f.store(spent, i, state.spent.at(i)));
        }
        let found = work(f);
        f.call(bring_back, ());
        f.store(crossing.is_due, 0, 0);
        f.store(state.tolerance, 0, before.tolerance.at(0));
        f.store(state.horizon, 0, before.horizon.at(0));
        if let (Some(wanted), Some(spent)) = (modes.wanted, before.spent) {
            f.if_(wanted.at(0).ge(0), |f| {
                f.for_each("i", 0, counters, |f, i| f.store(state.spent, i, spent.at(i)));
                f.return_(protocol::MODE_WANTED);
            });
        }
        found
    }

    /// `(edge, t) -> integer`: see [`protocol::REHEARSE`].
    fn try_plan(&self, module: &mut ModuleBuilder, rehearse: FunctionId) {
        let parameters = [("transition", Integer), ("t", Real)];
        let function = module.function(protocol::REHEARSE, &parameters, &[Integer], |f| {
            let [edge, t] = f.parameters();
            attempt(f, self.modes.dispatch.sample, t);
            let found = self.rehearsing(f, t, |f| f.call1(rehearse, (edge, t)));
            f.return_(found.eq_(0).select(protocol::UNFINISHED, protocol::DONE));
        });
        module.describe(function, "What a plan would leave with some choices if it began now.");
    }
}

/// What rehearsals need besides.
struct Planned {
    before: Before,
    /// `(number, t) -> integer`
    begin: FunctionId,
    /// How many numbers each transition chooses.
    counts: ArrayId,
}

/// The transitions that begin plans, each once.
pub(super) fn plans<'a>(automaton: &Automaton<'a>) -> Vec<&'a Change> {
    let mut plans: Vec<&Change> = Vec::new();
    for change in automaton.run().flat_map(|mode| &changes(mode).all) {
        if !change.choices.is_empty() && !plans.iter().any(|known| known.number == change.number) {
            plans.push(change);
        }
    }
    plans
}

/// `(plan)`: gives what a plan chooses the values that are tried; each changes by one along a direction of its own.
fn choose(
    module: &mut ModuleBuilder,
    modes: &Modes,
    search: Search,
    plans: &[&Change],
    variations: ArrayId,
) -> FunctionId {
    let count = module.length(variations);
    let function = module.function("choose", &[("plan", Integer)], &[], |f| {
        let [number] = f.parameters();
        f.for_each("i", 0, count, |f, i| f.store(variations, i, 0.0));
        for plan in plans {
            f.if_(number.eq_(plan.number), |f| {
                for (at, place) in plan.choices.iter().enumerate() {
                    f.store(modes.parameters, modes.first_discrete + place, search.tried.at(at));
                    f.store(variations, modes.discrete * at + place, 1.0);
                }
            });
        }
    });
    module.describe(function, "Gives what a plan chooses the values that are tried.");
    function
}

#[derive(Clone, Copy)]
struct Rehearsal<'m> {
    modes: &'m Modes,
    search: Search,
    state: State,
    passing: Passing,
    directions: usize,
    crossing: &'m Crossing,
}

impl Rehearsal<'_> {
    /// `(number, t) -> integer`: the state in which a plan begins, with its choices.
    fn begin(
        &self,
        module: &mut ModuleBuilder,
        before: Before,
        bring_back: FunctionId,
        choose: FunctionId,
    ) -> FunctionId {
        let Rehearsal { modes, state, directions, .. } = *self;
        let function = module.function("begin_rehearsal", &[("number", Integer), ("t", Real)], &[Integer], |f| {
            let [number, t] = f.parameters();
            f.call(bring_back, ());
            f.call(choose, number);
            let own = modes.rehearsal.expect("there are plans").at(before.mode.at(0));
            if let Some(wanted) = modes.wanted {
                f.if_(own.clone().lt(0), |f| {
                    f.store(wanted, 0, before.mode.at(0));
                    f.store(wanted, 1, -1);
                    f.return_(protocol::MODE_WANTED);
                });
            }
            f.store(modes.present, 0, own);
            attempt(f, modes.dispatch.configure, (state.tolerance.at(0), state.horizon.at(0)));
            f.for_each("i", 0, modes.variables, |f, i| f.store(modes.values, i, before.carried.at(i)));
            let all = modes.variables * (1 + directions);
            f.for_each("i", modes.variables, all, |f, i| f.store(modes.values, i, 0.0));
            attempt(f, modes.dispatch.reenter, t);
            attempt(f, modes.dispatch.resume, t);
            let status = f.call1(modes.dispatch.sample, t);
            f.return_(status);
        });
        module.describe(function, "The state in which a plan begins, with the choices that are tried.");
        function
    }

    /// `(edge, t) -> integer`: goes through the phases of a plan with the choices that are tried; 1 if they come to their ends.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn rehearse(
        &self,
        module: &mut ModuleBuilder,
        automaton: &Automaton<'_>,
        plans: &[&Change],
        Planned { before, begin, counts }: Planned,
    ) -> FunctionId {
        let Rehearsal { modes, search, passing, .. } = *self;
        let numbers = modes.tables.numbers;
        let (mut firsts, mut phases) = (vec![0; automaton.transitions.len() + 1], Vec::new());
        for (number, first) in firsts.iter_mut().enumerate() {
            *first = phases.len() as i64;
            let own = plans.iter().filter(|plan| plan.number == number).flat_map(|plan| &plan.phases);
            phases.extend(own.map(|&phase| phase as i64));
        }
        let firsts = module.integers("first_phase", &firsts, "of the plan that each transition begins");
        let phases = module.integers("phases", &phases, "the transitions that end the phases of plans");
        let steps = module.integer_array("rehearsed_steps", 1, "in this rehearsal");
        let take_aims = self.take_aims(module);
        let instant = moving(module, modes, self.directions, passing.count);
        let next_instant = self.next_instant(module, steps);
        let function = module.function("rehearse", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
            let [edge, t] = f.parameters();
            let number = f.integer("number", numbers.at(before.mode.at(0) * modes.tables.most + edge));
            f.store(search.ended, 0, 0);
            self.attempt(f, begin, (number, t));
            self.pass(f, edge, t);
            let phase = f.integer("phase", firsts.at(number));
            let last = f.integer("last", firsts.at(number + 1) - 1);
            f.store(search.left_count, 0, 0);
            f.for_each("i", 0, self.directions + 1, |f, i| f.store(search.tried_cost, i, 0.0));
            f.store(steps, 0, plans::MOST_STEPS);
            f.note("Whether the phase began at this instant, and whether a guard began to hold at it by itself.");
            let begun = f.integer("begun", 1);
            let located = f.integer("located", 0);
            f.loop_(|f| {
                let count = f.integer("count", 0);
                f.loop_(|f| {
                    self.attempt(f, self.crossing.guards_at, t);
                    let chosen = f.call1(self.crossing.first_holding, ());
                    if let Some(stopping) = passing.stopping {
                        f.note("Where the run ends, the last phase may end too, and no other.");
                        let ending = f.call1(stopping.first, ());
                        f.if_(ending.ge(0), |f| {
                            f.assign(chosen, -1);
                            f.for_each("i", 0, modes.of_mode(modes.tables.counts), |f, i| {
                                let is_end = modes.at_edge(numbers, i).eq_(phases.at(phase)).and(phase.eq_(last));
                                f.if_(modes.values.at(i * 3 + 2).ne_(0.0).and(is_end), |f| f.assign(chosen, i));
                            });
                            f.if_(chosen.lt(0), |f| search.give_up(f, plans::RUN_ENDS, t));
                        });
                    }
                    f.if_(chosen.lt(0), |f| f.break_());
                    f.if_(count.gt(MOST_AT_ONCE), |f| search.give_up(f, protocol::CHATTERING, t));
                    f.if_(located, |f| self.attempt(f, instant.follow, (chosen, t)));
                    f.assign(located, 0);
                    f.if_(modes.at_edge(modes.tables.numbers, chosen).eq_(phases.at(phase)), |f| {
                        f.note("A phase that would end before it begins leads nowhere.");
                        f.if_(begun, |f| search.give_up(f, plans::ENDS_AT_ONCE, t));
                        self.attempt(f, take_aims, (chosen, t));
                        f.assign(begun, 1);
                        f.if_(phase.eq_(last), |f| {
                            self.attempt(f, passing.count, ());
                            search.return_if_finite(f, (counts.at(number), t));
                        });
                        f.increase(phase, 1);
                    });
                    self.pass(f, chosen, t);
                    f.increase(count, 1);
                });
                let found = f.call1(next_instant, ());
                f.note("It may never come.");
                f.if_(found.eq_(0), |f| f.return_(0));
                f.assign(t, self.crossing.due.at(0));
                f.assign(begun, 0);
                f.assign(located, 1);
            });
        });
        module.describe(
            function,
            "Goes through the phases with the choices that are tried: 1 if they come to their ends.",
        );
        function
    }

    /// Goes through a transition from the sampled state.
    fn pass(&self, f: &mut FunctionBuilder, edge: LocalId, t: LocalId) {
        self.attempt(f, self.passing.take, (edge, t));
        self.attempt(f, self.passing.enter, (edge, t));
    }

    /// `(edge, t) -> integer`
    fn take_aims(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Rehearsal { modes, directions, search, .. } = *self;
        let function = module.function("take_aims", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
            let [edge, t] = f.parameters();
            attempt(f, modes.dispatch.aims, (edge, t));
            let goals = f.integer("goals", modes.at_edge(modes.tables.goals, edge));
            let aims = f.integer("aims", modes.at_edge(modes.tables.aims, edge));
            let left = f.integer("left", search.left_count.at(0));
            f.for_each("i", 0, aims, |f, i| {
                f.store(search.left, left + i, modes.values.at(i));
                f.for_each("direction", 0, directions, |f, direction| {
                    let slope = modes.values.at(goals * (direction + 1) + i);
                    f.store(search.slopes, search.slope(left + i, direction), slope);
                });
            });
            f.store(search.left_count, 0, left + aims);
            f.note("What is to be least adds up over the phases.");
            f.if_(aims.lt(goals), |f| {
                f.for_each("i", 0, directions + 1, |f, i| {
                    f.store(search.tried_cost, i, search.tried_cost.at(i) + modes.values.at(goals * i + aims));
                });
            });
            f.return_(protocol::DONE);
        });
        module.describe(function, "What the aims at the end of a phase leave, and how that changes with the choices.");
        function
    }

    /// `() -> integer`: whether another transition becomes due.
    fn next_instant(&self, module: &mut ModuleBuilder, steps: ArrayId) -> FunctionId {
        let Rehearsal { modes, crossing, search, .. } = *self;
        let function = module.function("next_instant", &[], &[Integer], |f| {
            f.while_(steps.at(0).gt(0), |f| {
                f.store(steps, 0, steps.at(0) - 1);
                let begin = f.call1(modes.dispatch.step_end, ());
                let status = f.call1(modes.dispatch.advance, (f64::INFINITY, 1));
                f.if_(status.ne_(protocol::UNFINISHED), |f| search.give_up(f, status, modes.failure_values.at(0)));
                let end = f.call1(modes.dispatch.step_end, ());
                f.note("A step that was refused is tried once more, shorter.");
                f.if_(end.gt(begin), |f| {
                    self.attempt(f, crossing.search, (begin, end));
                    f.if_(crossing.is_due.at(0), |f| f.return_(1));
                });
            });
            let now = f.call1(modes.dispatch.step_end, ());
            search.give_up(f, plans::NEVER_ENDS, now);
        });
        module.describe(function, "Whether another transition becomes due in this rehearsal.");
        function
    }

    /// Leaves a function with 0 if another fails, and notes why.
    fn attempt(&self, f: &mut FunctionBuilder, function: FunctionId, arguments: impl kernel::Operands) {
        let status = f.call1(function, arguments);
        let failed = status.gt(protocol::UNFINISHED);
        f.if_(failed, |f| self.search.give_up(f, status, self.modes.failure_values.at(0)));
    }
}
