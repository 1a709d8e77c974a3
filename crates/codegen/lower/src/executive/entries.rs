//! The entry points of the protocol, as those who run a program know them.

use kernel::Type::{Integer, Real};
use kernel::executive::AT_ONCE;
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::claims::{self, Claims};
use super::crossing::Crossing;
use super::modes::Modes;
use super::transition::Changing;
use super::{Automaton, attempt};

pub(super) fn entries(
    module: &mut ModuleBuilder,
    automaton: &Automaton<'_>,
    modes: &Modes,
    crossing: &Crossing,
    changing: &Changing,
    claims: Option<&Claims>,
) {
    let entry = Entry { modes, changing, blame: blame(module, modes), within: within(module, modes) };
    entry.initialize(module, crossing, claims);
    entry.configure(module);
    entry.advance(module, crossing);
    entry.looks(module);
    entry.states(module, automaton, crossing);
    entry.tally(module);
    claims::conclude(module, automaton, modes, claims);
    for (name, note) in protocol::ENTRY_POINTS {
        if let Some(entry) = module.module().find_function(name) {
            module.describe(entry, note);
        }
    }
}

struct Entry<'m> {
    modes: &'m Modes,
    changing: &'m Changing,
    /// `(status) -> integer`: the same status; what failed gets its number among those of all modes.
    blame: FunctionId,
    /// `(t) -> real`: a time that was meant to be just before a transition, and is after it by rounding.
    within: FunctionId,
}

/// Who runs a program that grows knows its modes, and wants the numbers of the mode.
fn blame(module: &mut ModuleBuilder, modes: &Modes) -> FunctionId {
    let function = module.function("blame", &[("status", Integer)], &[Integer], |f| {
        let [status] = f.parameters();
        if modes.wanted.is_some() {
            return f.return_(status);
        }
        let place = f.integer("place", modes.failure.at(0));
        let integral = status.ge(protocol::STEP_COLLAPSED).and(status.lt(protocol::SINGULAR));
        let system = status.ge(protocol::SINGULAR).and(status.le(protocol::NOT_EVALUATED));
        f.if_(integral, |f| f.store(modes.failure, 0, place + modes.of_mode(modes.tables.first_integral)));
        f.if_(system, |f| f.store(modes.failure, 0, place + modes.of_mode(modes.tables.first_system)));
        f.return_(status);
    });
    module.describe(function, "What failed in a mode gets its number among those of all modes.");
    function
}

fn within(module: &mut ModuleBuilder, modes: &Modes) -> FunctionId {
    let function = module.function("within", &[("t", Real)], &[Real], |f| {
        let [t] = f.parameters();
        let begin = f.call1(modes.dispatch.step_begin, ());
        f.return_(t.max(begin));
    });
    module.describe(function, "Just before a transition is after it, by rounding.");
    function
}

impl Entry<'_> {
    /// Leaves an entry point with a status.
    fn leave(&self, f: &mut FunctionBuilder, status: LocalId) {
        let status = f.call1(self.blame, status);
        f.return_(status);
    }

    /// How many plans there are.
    fn plans(&self, module: &ModuleBuilder) -> usize {
        self.changing.underway.map_or(0, |underway| module.length(underway))
    }

    /// No plan is under way any more.
    fn forget_plans(&self, f: &mut FunctionBuilder, plans: usize) {
        if let Some(underway) = self.changing.underway {
            f.for_each("i", 0, plans, |f, i| f.store(underway, i, 0));
        }
    }

    /// Nothing has ended the run yet.
    fn forget_stop(&self, f: &mut FunctionBuilder) {
        if let Some(stopping) = self.changing.stopping {
            stopping.forget(f);
        }
    }

    fn configure(&self, module: &mut ModuleBuilder) {
        let (modes, state) = (self.modes, self.changing.state);
        module.function(protocol::CONFIGURE, &[("tolerance", Real), ("horizon", Real)], &[Integer], |f| {
            let [tolerance, horizon] = f.parameters();
            f.store(state.tolerance, 0, tolerance);
            f.store(state.horizon, 0, horizon);
            let status = f.call1(modes.dispatch.configure, (tolerance, horizon));
            f.return_(status);
        });
    }

    fn initialize(&self, module: &mut ModuleBuilder, crossing: &Crossing, claims: Option<&Claims>) {
        let (modes, state) = (self.modes, self.changing.state);
        let counters = module.length(state.spent);
        let watched = claims.map_or(0, |claims| module.length(claims.states));
        let plans = self.plans(module);
        let varied = modes.variations.map_or(0, |variations| module.length(variations));
        let begin = module.function("begin", &[], &[Integer], |f| {
            for at in 0..modes.discrete {
                f.store(modes.parameters, modes.first_discrete + at, 0.0);
            }
            if let Some(variations) = modes.variations.filter(|_| modes.varied > 0) {
                f.for_each("i", 0, varied, |f, i| f.store(variations, i, 0.0));
            }
            f.for_each("i", 0, counters, |f, i| f.store(state.spent, i, 0));
            f.store(state.event_count, 0, 0);
            f.store(self.changing.warnings.count, 0, 0);
            self.forget_plans(f, plans);
            self.forget_stop(f);
            state.forget_change(f);
            crossing.leave_impact(f);
            if let Some(claims) = claims {
                f.for_each("i", 0, watched, |f, i| f.store(claims.states, i, 0));
            }
            f.store(modes.present, 0, 0);
            attempt(f, modes.dispatch.configure, (state.tolerance.at(0), state.horizon.at(0)));
            attempt(f, modes.dispatch.initialize, ());
            let status = f.call1(self.changing.happen, 0.0);
            f.return_(status);
        });
        module.describe(begin, "In the first mode, at time zero.");
        module.function(protocol::INITIALIZE, &[], &[Integer], |f| {
            let status = f.call1(begin, ());
            self.leave(f, status);
        });
    }

    fn advance(&self, module: &mut ModuleBuilder, crossing: &Crossing) {
        let (modes, state) = (self.modes, self.changing.state);
        let parameters = [("target", Real), ("limit", Integer)];
        let go_on = module.function("go_on", &parameters, &[Integer], |f| {
            let [target, limit] = f.parameters();
            let left = f.integer("left", limit);
            let first = f.integer("first", state.event_count.at(0));
            f.loop_(|f| {
                if let Some(stopping) = self.changing.stopping {
                    stopping.leave(f, state, target);
                }
                f.note("Whoever reads the transitions gets the time to do so.");
                let many = (state.event_count.at(0) - first).gt(state.events / 2);
                f.if_(many, |f| f.return_(protocol::UNFINISHED));
                let due = f.integer("due", crossing.is_due.at(0));
                f.if_(due, |f| {
                    let beyond = crossing.due.at(0).gt(target + target.abs() * AT_ONCE);
                    f.if_(beyond, |f| f.return_(protocol::DONE));
                    state.locate(f);
                    attempt(f, self.changing.happen, crossing.due.at(0));
                });
                f.if_(due.eq_(0), |f| {
                    let begin = f.call1(modes.dispatch.step_end, ());
                    f.if_(begin.ge(target), |f| f.return_(protocol::DONE));
                    f.if_(left.le(0), |f| f.return_(protocol::UNFINISHED));
                    f.increase(left, -1);
                    attempt(f, modes.dispatch.advance, (target, 1));
                    let end = f.call1(modes.dispatch.step_end, ());
                    f.if_(end.gt(begin), |f| attempt(f, crossing.search, (begin, end)));
                });
            });
        });
        module.describe(go_on, "Step by step, each looked through for transitions.");
        module.function(protocol::ADVANCE, &parameters, &[Integer], |f| {
            let [target, limit] = f.parameters();
            let status = f.call1(go_on, (target, limit));
            self.leave(f, status);
        });
    }

    /// What is seen of a moment.
    fn looks(&self, module: &mut ModuleBuilder) {
        let modes = self.modes;
        let sampled = module.real_array("sampled_time", 1, "of the sampled state");
        module.function(protocol::SAMPLE, &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let t = f.call1(self.within, t);
            f.store(sampled, 0, t);
            let status = f.call1(modes.dispatch.sample, t);
            self.leave(f, status);
        });
        let mut look = |name: &str, function: FunctionId| {
            module.function(name, &[("t", Real)], &[Integer], |f| {
                let [t] = f.parameters();
                let t = f.call1(self.within, t);
                let status = f.call1(function, t);
                self.leave(f, status);
            });
        };
        look(protocol::OBSERVE, modes.dispatch.observe);
        for &(name, function) in &modes.outside {
            look(name, function);
        }
        let count = module.length(modes.monitors);
        module.function(protocol::MONITOR, &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let t = f.call1(self.within, t);
            f.for_each("i", modes.of_mode(modes.monitor_count), count, |f, i| f.store(modes.monitors, i, 0.0));
            let status = f.call1(modes.dispatch.monitor, t);
            self.leave(f, status);
        });
    }

    /// All that a run can be resumed from: coordinates, speeds, the value of each mode variable, the discrete variables.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn states(&self, module: &mut ModuleBuilder, automaton: &Automaton<'_>, crossing: &Crossing) {
        let (modes, state) = (self.modes, self.changing.state);
        let (variables, values) = (modes.variables, automaton.mode_names.len());
        let discrete = variables + values;
        let note = "coordinates, speeds and other quantities, the value of each mode, and the discrete variables";
        let whole = module.real_array(protocol::STATES, discrete + modes.discrete, note);
        let changes = super::modes::changes(&automaton.modes[0]);
        let names = changes.variables[..variables].iter().map(|it| &it.name).chain(&automaton.mode_names);
        let names = names.chain(changes.discrete.iter().map(|it| &it.name));
        module.name_slots(whole, names.map(|name| (name.as_str(), String::new())));
        let all = automaton.modes.iter().flat_map(|mode| mode.values).map(|&value| value as i64).collect();
        let mode_values = automaton.table(module, "mode_values", all, "of each mode");
        let sampled = module.module().find_array("sampled_time").expect("declared above");
        module.function(protocol::CAPTURE, &[], &[Integer], |f| {
            attempt(f, modes.dispatch.carried, sampled.at(0));
            f.for_each("i", 0, variables, |f, i| f.store(whole, i, modes.values.at(i)));
            for at in 0..values {
                f.store(whole, variables + at, mode_values.at(modes.present.at(0) * values + at).to_real());
            }
            for at in 0..modes.discrete {
                f.store(whole, discrete + at, modes.parameters.at(modes.first_discrete + at));
            }
            f.return_(protocol::DONE);
        });
        let count = automaton.modes.len();
        let plans = self.plans(module);
        let place = module.function(protocol::PLACE, &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("mode", 0, count, |f, mode| {
                let same = f.integer("same", modes.rehearsal.map_or(1.into(), |rehearsal| rehearsal.at(mode).ge(-1)));
                for at in 0..values {
                    let equal = whole.at(variables + at).eq_(mode_values.at(mode * values + at).to_real());
                    f.assign(same, same.and(equal));
                }
                f.if_(same, |f| f.store(modes.present, 0, mode));
            });
            for at in 0..modes.discrete {
                f.store(modes.parameters, modes.first_discrete + at, whole.at(discrete + at));
            }
            f.note("What happened later is forgotten.");
            let last = || state.last_place();
            f.while_(state.event_count.at(0).gt(0).and(state.event_times.at(last()).gt(t)), |f| {
                f.store(state.event_count, 0, state.event_count.at(0) - 1);
            });
            state.forget_change(f);
            crossing.leave_impact(f);
            self.forget_plans(f, plans);
            self.forget_stop(f);
            attempt(f, modes.dispatch.configure, (state.tolerance.at(0), state.horizon.at(0)));
            f.for_each("i", 0, variables, |f, i| f.store(modes.values, i, whole.at(i)));
            attempt(f, modes.dispatch.reenter, t);
            f.store(crossing.is_due, 0, 0);
            let status = f.call1(modes.dispatch.resume, t);
            f.return_(status);
        });
        module.describe(place, "In the mode and the state that are given; whatever guard holds, nothing happens.");
        let go_on = module.function("go_on_from_states", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            attempt(f, place, t);
            f.note("A control that was moved may let a guard hold at once.");
            let status = f.call1(self.changing.happen, t);
            f.return_(status);
        });
        module.function(protocol::RESUME, &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let status = f.call1(go_on, t);
            self.leave(f, status);
        });
    }

    fn tally(&self, module: &mut ModuleBuilder) {
        let (modes, state) = (self.modes, self.changing.state);
        let counters = module.length(state.spent);
        module.function(protocol::TALLY, &[], &[Integer], |f| {
            attempt(f, modes.dispatch.tally, ());
            for at in 0..counters {
                f.store(modes.statistics, at, modes.statistics.at(at) + state.spent.at(at));
            }
            f.return_(protocol::DONE);
        });
    }
}
