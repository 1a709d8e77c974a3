//! Transitions: what they give, and the mode that goes on from there.

use kernel::Type::{Integer, Real};
use kernel::executive::MOST_AT_ONCE;
use kernel::executive::entry::{INCONSISTENT, MOMENT, SMALLEST};
use kernel::executive::pace::{ENDLESS, EVEN, FEW_ROUNDINGS, MANY, MANY_AT_ONE_PACE, TURNS};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::claims::Claims;
use super::crossing::Crossing;
use super::instant::moving;
use super::modes::{Modes, changes};
use super::stop::Stopping;
use super::warnings::{Rivals, Warnings};
use super::{Automaton, Mode, attempt, plan};

pub(super) struct Changing {
    pub state: State,
    pub warnings: Warnings,
    /// Which plans are under way; none if there are none.
    pub underway: Option<ArrayId>,
    /// What ends a run; none if nothing does.
    pub stopping: Option<Stopping>,
    /// `(t) -> integer`: all transitions of an instant, one after the other.
    pub happen: FunctionId,
}

/// What the executive keeps from one call to the next.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub tolerance: ArrayId,
    pub horizon: ArrayId,
    /// What the last transition carried; then what all variables are meant to be after it.
    pub given: ArrayId,
    /// The states that were to be entered with.
    pub wanted: ArrayId,
    /// The transition by which the mode was entered at this instant, or -1.
    pub entered: ArrayId,
    /// What was counted before the present mode was entered.
    pub spent: ArrayId,
    pub event_count: ArrayId,
    /// How many of the last ones are remembered.
    pub events: usize,
    pub event_times: ArrayId,
    pub event_transitions: ArrayId,
    /// The transition that is on its way, or -1.
    pub changing_by: ArrayId,
    /// Whether the first transition of an instant waited for its mode; none if all modes are there. What comes before it has been done then.
    pub interrupted: Option<ArrayId>,
    /// Whether the first transition of an instant is where its guard begins to hold; none if the run knows no derivatives.
    pub located: Option<ArrayId>,
    /// How often something has happened to pairs that touch; none if nothing can.
    impacts: Option<ArrayId>,
}

impl State {
    /// The next transition happens where its guard begins to hold.
    pub fn locate(&self, f: &mut FunctionBuilder) {
        if let Some(located) = self.located {
            self.unless_interrupted(f, |f| f.store(located, 0, 1));
        }
    }

    /// Does something, unless it was done before a transition had to wait.
    fn unless_interrupted(&self, f: &mut FunctionBuilder, work: impl FnOnce(&mut FunctionBuilder)) {
        match self.interrupted {
            Some(interrupted) => f.if_(interrupted.at(0).eq_(0), work),
            None => work(f),
        }
    }

    /// Where a transition is remembered, by how many happened before it.
    pub fn place_of(&self, number: kernel::Expression) -> kernel::Expression {
        number.and(self.events - 1)
    }

    /// Where the last one is remembered.
    pub fn last_place(&self) -> kernel::Expression {
        self.place_of(self.event_count.at(0) - 1)
    }

    /// Adds a transition to those that happened.
    fn record(&self, f: &mut FunctionBuilder, number: kernel::Expression, t: LocalId) {
        let place = f.integer("place", self.place_of(self.event_count.at(0)));
        f.store(self.event_times, place, t);
        f.store(self.event_transitions, place, number);
        f.store(self.event_count, 0, self.event_count.at(0) + 1);
    }

    /// How long the first step after a transition is tried to be at least. One that begins anew is guessed from a single slope, and grows
    /// over ten steps; but in a mode that goes on, what was learnt of its lengths is still good. It is not longer than the time since the
    /// last transition: after impacts that come ever faster, a crossing near the beginning of a long step would drown in its rounding.
    fn step_to_keep(&self, f: &mut FunctionBuilder, modes: &Modes, edge: LocalId, t: LocalId) -> LocalId {
        let length = f.real("length", 0.0);
        let goes_on = modes.at_edge(modes.tables.targets, edge).eq_(modes.present.at(0));
        f.if_(goes_on, |f| {
            let last = self.last_place();
            let since = f.real("since", 0.0);
            f.if_(self.event_count.at(0).gt(0), |f| f.assign(since, self.event_times.at(last)));
            let next = f.call1(modes.dispatch.step_next, ());
            f.assign(length, next.min(t - since));
        });
        length
    }

    /// Nothing is on its way.
    pub fn forget_change(&self, f: &mut FunctionBuilder) {
        f.store(self.changing_by, 0, -1);
        f.store(self.entered, 0, -1);
        if let Some(interrupted) = self.interrupted {
            f.store(interrupted, 0, 0);
        }
        if let Some(located) = self.located {
            f.store(located, 0, 0);
        }
    }
}

// Long: declares the arrays and functions of transitions in the order in which they call one another; the last is what all of them are for.
pub(super) fn changing(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    claims: Option<&Claims>,
) -> Changing {
    let statistics = module.length(modes.statistics);
    let given = module.real_array("given", most_given(automaton, modes), "what a transition carries to the next mode");
    let state = State {
        tolerance: module.real_array("run_tolerance", 1, "of all modes"),
        horizon: module.real_array("run_horizon", 1, "of all modes"),
        given,
        wanted: module.real_array("wanted", modes.most_states, "the states that a mode is entered with"),
        entered: module.integer_array("entered", 1, "the last transition of this instant, or -1"),
        spent: module.integer_array("spent", statistics, "what was counted before the present mode was entered"),
        event_count: module.integer_array(protocol::EVENT_COUNT, 1, "how many transitions happened"),
        events: automaton.events,
        event_times: module.real_array(protocol::EVENT_TIMES, automaton.events, "of the last transitions, in a ring"),
        event_transitions: module.integer_array(protocol::EVENT_TRANSITIONS, automaton.events, "which ones these were"),
        changing_by: module.integer_array(protocol::CHANGING_BY, 1, "the transition that is on its way, or -1"),
        interrupted: modes
            .wanted
            .map(|_| module.integer_array("interrupted", 1, "whether a transition waits for its mode")),
        located: (modes.varied > 0)
            .then(|| module.integer_array("located", 1, "whether a transition is where its guard begins to hold")),
        impacts: module.module().find_array(protocol::CONTACT_EVENT_COUNT),
    };
    let warnings = Warnings::declare(module);
    let count = count(module, modes, state);
    let take = take(module, modes, state);
    let entering = |module: &mut ModuleBuilder, kind: &str, from: &[&Mode<'_>]| {
        let remember = remember(module, kind, from, modes);
        enter(module, kind, modes, state, [count, remember])
    };
    let enter = entering(module, "", &automaton.run().collect::<Vec<_>>());
    let stopping = Stopping::declare(module, automaton, modes);
    let plan = (automaton.directions > 0).then(|| {
        let enter = entering(module, REHEARSED, &automaton.rehearsed().collect::<Vec<_>>());
        plan::planning(
            module,
            automaton,
            modes,
            crossing,
            state,
            plan::Passing { count, take, enter, stopping },
            warnings,
        )
    });
    let rivals = Rivals::declare(module, automaton, modes, &plan::plans(automaton), warnings);
    let check_lasting = check_lasting(module, automaton, modes, state);
    let overdue = warnings.overdue(module, automaton, modes);
    let instant = (modes.varied > 0).then(|| moving(module, modes, modes.varied, count));
    let following = instant.map(|instant| (instant.follow, crossing.guards_at));
    let change = change(module, modes, state, (take, enter, check_lasting, overdue), (plan, following));
    let check_moving = check_moving(module, modes, state);
    let refuse = refuse_accumulation(module, modes, state);
    let happen = module.function("happen", &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        f.store(crossing.is_due, 0, 0);
        let first = f.integer("first", state.event_count.at(0));
        if let Some(rivals) = rivals {
            state.unless_interrupted(f, |f| f.store(rivals.pending, 0, 0));
        }
        f.loop_(|f| {
            attempt(f, crossing.guards_at, t);
            let chosen = f.call1(crossing.first_holding, ());
            if let Some(rivals) = rivals {
                f.call(rivals.note, t);
            }
            let ending = stopping.map(|stopping| (stopping, f.call1(stopping.first, ())));
            if let Some((_, ending)) = ending {
                f.note("Nothing else happens where the run ends.");
                f.if_(ending.ge(0), |f| f.assign(chosen, -1));
            }
            state.unless_interrupted(f, |f| {
                if let Some(claims) = claims {
                    attempt(f, claims.look, (t, chosen.ge(0)));
                }
                if let Some(rivals) = rivals {
                    f.call(rivals.remember, t);
                }
            });
            if let Some((stopping, ending)) = ending {
                f.if_(ending.ge(0), |f| {
                    state.record(f, modes.at_edge(modes.tables.numbers, ending), t);
                    stopping.stop(f);
                });
            }
            f.if_(chosen.lt(0), |f| f.break_());
            if let Some(rivals) = rivals {
                f.call(rivals.find, (chosen, t));
            }
            match state.interrupted {
                Some(interrupted) => {
                    f.store(interrupted, 0, 0);
                    let status = f.call1(change, (chosen, t));
                    f.note("A mode that is not there is waited for: then all that was done so far is not done again.");
                    f.if_(status.eq_(protocol::MODE_WANTED), |f| {
                        f.store(interrupted, 0, 1);
                        f.store(crossing.due, 0, t);
                        f.store(crossing.is_due, 0, 1);
                    });
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                }
                None => attempt(f, change, (chosen, t)),
            }
            crossing.leave_impact(f);
            f.if_((state.event_count.at(0) - first).gt(MOST_AT_ONCE), |f| {
                let last = state.last_place();
                fail(f, modes, protocol::CHATTERING, (state.event_transitions.at(last), -1), t);
            });
        });
        crossing.leave_impact(f);
        attempt(f, check_moving, t);
        instant.into_iter().for_each(|instant| attempt(f, instant.leave, t));
        let status = f.call1(refuse, t);
        f.return_(status);
    });
    module.describe(happen, "All transitions of an instant, one after the other, until no guard holds.");
    Changing { state, warnings, underway: plan.map(|plan| plan.stage), stopping, happen }
}

/// Leaves the function with the place of what failed, a part of it, and the time.
fn fail(
    f: &mut FunctionBuilder,
    modes: &Modes,
    code: i64,
    (place, part): (kernel::Expression, impl Into<kernel::Expression>),
    t: LocalId,
) {
    f.store(modes.failure, 0, place);
    f.store(modes.failure, 1, part);
    f.store(modes.failure_values, 0, t);
    f.return_(code);
}

/// Behind the names of what belongs to rehearsals.
const REHEARSED: &str = "_rehearsed";

/// `()`: adds what was counted since the present mode was entered.
fn count(module: &mut ModuleBuilder, modes: &Modes, state: State) -> FunctionId {
    let counters = module.length(modes.statistics);
    let function = module.function("count", &[], &[Integer], |f| {
        attempt(f, modes.dispatch.tally, ());
        for at in 0..counters {
            f.store(state.spent, at, state.spent.at(at) + modes.statistics.at(at));
        }
        f.return_(protocol::DONE);
    });
    module.describe(function, "Adds what was counted since the present mode was entered.");
    function
}

/// `(number)`: puts what a transition remembers to its discrete variable.
fn remember(module: &mut ModuleBuilder, kind: &str, from: &[&Mode<'_>], modes: &Modes) -> FunctionId {
    let entries = || from.iter().flat_map(|mode| &changes(mode).entries);
    let transitions = entries().map(|it| it.number + 1).max().unwrap_or(0);
    let function = module.function(&format!("remember{kind}"), &[("number", Integer)], &[], |f| {
        let [number] = f.parameters();
        let store = |f: &mut FunctionBuilder, transition: usize| {
            let stores = entries().find(|it| it.number == transition).map(|it| &it.stores);
            for (at, &place) in stores.into_iter().flatten().enumerate() {
                let value = modes.values.at(modes.variables + at);
                match modes.variations.filter(|_| place >= modes.discrete) {
                    Some(variations) => f.store(variations, place - modes.discrete, value),
                    None => f.store(modes.parameters, modes.first_discrete + place, value),
                }
            }
        };
        f.switch(number, transitions, store, |_| ());
    });
    module.describe(function, "Puts what a transition remembers to its discrete variable.");
    function
}

/// `(edge, t) -> integer`: what a transition carries from the sampled state to the next mode.
fn take(module: &mut ModuleBuilder, modes: &Modes, state: State) -> FunctionId {
    let function = module.function("take_transition", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        attempt(f, modes.dispatch.carry, (edge, t));
        let count = f.integer("count", modes.at_edge(modes.tables.given, edge));
        f.for_each("i", 0, count, |f, i| f.store(state.given, i, modes.values.at(i)));
        f.return_(protocol::DONE);
    });
    module.describe(function, "What a transition carries from the sampled state to the next mode.");
    function
}

fn enter(
    module: &mut ModuleBuilder,
    kind: &str,
    modes: &Modes,
    state: State,
    [count, remember]: [FunctionId; 2],
) -> FunctionId {
    let function = module.function(&format!("enter{kind}"), &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        if kind == REHEARSED {
            modes.want_target(f, edge);
        }
        let number = f.integer("number", modes.at_edge(modes.tables.numbers, edge));
        attempt(f, count, ());
        let length = state.step_to_keep(f, modes, edge, t);
        f.store(modes.present, 0, modes.at_edge(modes.tables.targets, edge));
        attempt(f, modes.dispatch.configure, (state.tolerance.at(0), state.horizon.at(0)));
        attempt(f, modes.dispatch.enter, (number, t));
        f.call(remember, number);
        f.for_each("i", 0, modes.variables, |f, i| f.store(state.given, i, modes.values.at(i)));
        modes.states_of_mode(f, |f, i| f.store(state.wanted, i, modes.states.at(i)));
        attempt(f, modes.dispatch.resume, t);
        f.call(modes.dispatch.lengthen, length);
        attempt(f, modes.dispatch.sample, t);
        attempt(f, modes.dispatch.capture, ());
        f.return_(protocol::DONE);
    });
    module
        .describe(function, "Goes on in the mode after a transition, from what it gives, moved onto the constraints.");
    function
}

fn change(
    module: &mut ModuleBuilder,
    modes: &Modes,
    state: State,
    (take, enter, check_lasting, overdue): (FunctionId, FunctionId, FunctionId, Option<FunctionId>),
    (plan, following): (Option<plan::Planning>, Option<(FunctionId, FunctionId)>),
) -> FunctionId {
    let function = module.function("change", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        modes.want_target(f, edge);
        let number = f.integer("number", modes.at_edge(modes.tables.numbers, edge));
        if let Some(plan) = plan {
            attempt(f, plan.plan, (edge, t));
            attempt(f, plan.judge, (edge, t));
        }
        f.store(state.changing_by, 0, number);
        if let (Some((follow, guards_at)), Some(located)) = (following, state.located) {
            f.if_(located.at(0), |f| {
                attempt(f, guards_at, t);
                attempt(f, follow, (edge, t));
            });
            f.store(located, 0, 0);
        }
        attempt(f, take, (edge, t));
        let impacts = state.impacts.map(|impacts| f.integer("impacts", impacts.at(0)));
        attempt(f, enter, (edge, t));
        state.record(f, number.get(), t);
        f.store(state.changing_by, 0, -1);
        if let Some(overdue) = overdue {
            f.call(overdue, (number, t));
        }
        let check = |f: &mut FunctionBuilder| {
            // Of derivatives nobody says what they should be; the run without them has been looked at.
            if modes.varied == 0 {
                let mut worst = Worst::new(f);
                modes.states_of_mode(f, |f, i| {
                    let among_all = f.integer("among_all", modes.first_named() + i);
                    worst.look(f, among_all, modes.states.at(i), state.wanted.at(i));
                });
                worst.refuse(f, modes, number, t);
            }
            f.store(state.entered, 0, number);
        };
        match state.impacts.zip(impacts) {
            Some((now, before)) => {
                f.note("Where the new mode begins with an impact, speeds are not what the transition gave.");
                f.if_else(now.at(0).eq_(before), check, |f| f.store(state.entered, 0, -1));
            }
            None => check(f),
        }
        attempt(f, check_lasting, (number, t));
        f.return_(protocol::DONE);
    });
    module.describe(function, "Makes a transition from the sampled state.");
    function
}

/// All that moves has to be what the last transition meant it to be, in the mode that lasts: one that is left at the instant at which it is
/// entered need not be possible.
fn check_moving(module: &mut ModuleBuilder, modes: &Modes, state: State) -> FunctionId {
    let function = module.function("check_moving", &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        let number = f.integer("number", state.entered.at(0));
        f.if_(number.lt(0), |f| f.return_(protocol::DONE));
        f.store(state.entered, 0, -1);
        attempt(f, modes.dispatch.carried, t);
        let mut worst = Worst::new(f);
        f.for_each("i", 0, modes.moving, |f, i| {
            worst.look(f, i, modes.values.at(i), state.given.at(i));
        });
        worst.refuse(f, modes, number, t);
        f.return_(protocol::DONE);
    });
    module.describe(function, "Whether all coordinates and speeds are what the last transition gave.");
    function
}

/// How many numbers a transition may carry. A mode can be entered by transitions of modes that are not there yet, and looks at what these
/// will carry.
fn most_given(automaton: &Automaton<'_>, modes: &Modes) -> usize {
    let carried = automaton.modes.iter().flat_map(|mode| &changes(mode).all).map(|it| it.carry.results.len());
    let entries = automaton.modes.iter().flat_map(|mode| &changes(mode).entries);
    let looked_at = entries.flat_map(|entry| &entry.checked).map(|&(variable, rate)| variable.max(rate) + 1);
    carried.chain(looked_at).max().unwrap_or(0).max(modes.variables)
}

/// `(number, t) -> integer`: what the laws of the new mode make of what lasts has to be what it was.
fn check_lasting(module: &mut ModuleBuilder, automaton: &Automaton<'_>, modes: &Modes, state: State) -> FunctionId {
    let function = module.function("check_lasting", &[("number", Integer), ("t", Real)], &[Integer], |f| {
        let [number, t] = f.parameters();
        attempt(f, modes.dispatch.carried, t);
        let mut worst = Worst::new(f);
        for (at, mode) in automaton.modes.iter().enumerate().filter(|(_, mode)| !mode.is_rehearsed()) {
            for entry in changes(mode).entries.iter().filter(|entry| !entry.checked.is_empty()) {
                f.if_(modes.present.at(0).eq_(at).and(number.eq_(entry.number)), |f| {
                    for &(variable, rate) in &entry.checked {
                        let values = (modes.values.at(variable), state.given.at(variable));
                        let place = f.integer("variable", variable);
                        worst.look_closely(f, place, values, t.max(1.0) * state.given.at(rate).abs());
                    }
                });
            }
        }
        worst.refuse(f, modes, number, t);
        f.return_(protocol::DONE);
    });
    module.describe(function, "Whether what lasts is what the transition gave.");
    function
}

/// The worst of what should be equal before and after a mode is entered.
struct Worst {
    by: LocalId,
    variable: LocalId,
    /// Whether something was no number; then nothing is known.
    unknown: LocalId,
}

impl Worst {
    fn new(f: &mut FunctionBuilder) -> Worst {
        Worst { by: f.real("worst", 0.0), variable: f.integer("where", 0), unknown: f.integer("unknown", 0) }
    }

    fn look(&mut self, f: &mut FunctionBuilder, variable: LocalId, now: kernel::Expression, given: kernel::Expression) {
        let given = f.real("wanted", given);
        let by = f.real("by", (now - given).abs() / given.abs().max(1.0));
        self.compare(f, variable, by);
    }

    /// What may be small at all times, or passes through zero, and would have changed by so much in a while.
    fn look_closely(
        &mut self,
        f: &mut FunctionBuilder,
        variable: LocalId,
        (now, given): (kernel::Expression, kernel::Expression),
        change: kernel::Expression,
    ) {
        let (now, given) = (f.real("found", now), f.real("wanted", given));
        let size = given.abs().max(now.abs()).max(SMALLEST) + change * MOMENT;
        let by = f.real("by", (now - given).abs() / size);
        self.compare(f, variable, by);
    }

    fn compare(&mut self, f: &mut FunctionBuilder, variable: LocalId, by: LocalId) {
        f.if_(by.ge(self.by), |f| {
            f.assign(self.by, by);
            f.assign(self.variable, variable);
        });
        f.if_(by.ne_(by), |f| f.assign(self.unknown, 1));
    }

    fn refuse(&self, f: &mut FunctionBuilder, modes: &Modes, number: LocalId, t: LocalId) {
        f.if_(self.by.gt(INCONSISTENT).and(self.unknown.eq_(0)), |f| {
            f.store(modes.failure_values, 1, self.by);
            fail(f, modes, protocol::INCONSISTENT, (number.get(), self.variable), t);
        });
    }
}

/// Fails if so many transitions happened at one pace that the end of the run is out of reach.
fn refuse_pace(f: &mut FunctionBuilder, modes: &Modes, state: State, [count, last]: [LocalId; 2], t: LocalId) {
    let time = |number: kernel::Expression| state.event_times.at(state.place_of(number));
    f.note("At so fast and even a pace the end of the run is out of reach.");
    f.if_(count.gt(2 * MANY_AT_ONE_PACE), |f| {
        let earlier = f.real("earlier", time(count - (2 * MANY_AT_ONE_PACE + 1)));
        let middle = f.real("middle", time(count - (MANY_AT_ONE_PACE + 1)));
        let pace = (t - middle) / MANY_AT_ONE_PACE as f64;
        let horizon = f.real("horizon", state.horizon.at(0));
        let end = horizon.abs().lt(f64::INFINITY).select(horizon, t + t.abs().max(1.0));
        let even = (t - middle).ge((middle - earlier) * EVEN);
        f.if_(even.and((end - t).gt(pace * ENDLESS)), |f| {
            f.for_each("turn", 1, TURNS + 1, |f, turn| {
                let before = state.event_transitions.at(state.place_of(count - turn));
                f.if_(before.ne_(last), |f| fail(f, modes, protocol::CHATTERING, (last.get(), -1), t));
            });
            fail(f, modes, protocol::ACCUMULATING, (last.get(), -1), t);
        });
    });
}

/// Transitions that come ever faster never let the time pass where they lead to; nor do those that take turns on the spot.
fn refuse_accumulation(module: &mut ModuleBuilder, modes: &Modes, state: State) -> FunctionId {
    let recent = module.real_array("recent", MANY, "when the last transition happened, and before that");
    let time = |number: kernel::Expression| state.event_times.at(state.place_of(number));
    let function = module.function("refuse_accumulation", &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        let count = f.integer("count", state.event_count.at(0));
        f.if_(count.eq_(0), |f| f.return_(protocol::DONE));
        let last = f.integer("last", state.event_transitions.at(state.place_of(count - 1)));
        // Who remembers fewer has to end such a run otherwise.
        if state.events > 2 * MANY_AT_ONE_PACE {
            refuse_pace(f, modes, state, [count, last], t);
        }
        f.note("Ever faster, and hardly any time passes any more.");
        let same = f.integer("same", 0);
        let at = f.integer("at", count - 1);
        let oldest = count.gt(state.events).select(count - state.events, 0);
        let oldest = f.integer("oldest", oldest);
        f.while_(at.ge(oldest).and(same.lt(MANY)), |f| {
            let again = f.integer("again", state.event_transitions.at(state.place_of(at.get())).eq_(last));
            f.note("Several at one instant may come to an end.");
            f.if_(same.gt(0), |f| f.assign(again, again.and(recent.at(same - 1).ne_(time(at.get())))));
            f.if_(again, |f| {
                f.store(recent, same, time(at.get()));
                f.increase(same, 1);
                let long = (recent.at(0) - recent.at(1)).gt(t.abs() * (FEW_ROUNDINGS * f64::EPSILON));
                f.if_(same.eq_(2).and(long), |f| f.return_(protocol::DONE));
            });
            f.increase(at, -1);
        });
        f.if_(same.lt(MANY), |f| f.return_(protocol::DONE));
        f.for_each("i", 0, MANY - 2, |f, i| {
            let faster = (recent.at(i) - recent.at(i + 1)).le(recent.at(i + 1) - recent.at(i + 2));
            f.if_(faster.logical_not(), |f| f.return_(protocol::DONE));
        });
        let [last_gap, first_gap] = [0, MANY - 2].map(|at| recent.at(at) - recent.at(at + 1));
        f.if_((last_gap * 2.0).lt(first_gap).logical_not(), |f| f.return_(protocol::DONE));
        fail(f, modes, protocol::ACCUMULATING, (last.get(), -1), t);
    });
    module.describe(function, "Transitions that come ever faster never let the time pass where they lead to.");
    function
}
