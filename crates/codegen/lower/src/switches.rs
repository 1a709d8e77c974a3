//! Switches as kernel code: they stay the same within a step, and the end of the step is moved to where one has to turn.
//!
//! Instants that are known beforehand are ends of steps from the beginning. All others are located within the last step by the bounds of
//! what decides; the step is cut there, and the switch turns when the next begins. Where both pieces lead back to the border, the motion
//! slides along it; see `sliding.rs`.

use expr::{Substitution, SymbolId};
use kernel::Type::{Integer, Real};
use kernel::executive::BOUNDLESS;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::{IntegratorArrays, Method};
use program::{Switch, SwitchKind, Switches};

use crate::border::{AT_ONCE, Borders};
use crate::enclose::Watched;
use crate::integral::{LoweredIntegral, motion_name};
use crate::jump::Jump;
use crate::kink::Kink;
use crate::lower::{Body, Lowering};
use crate::saltation::Saltation;
use crate::search::{Sought, attempt, search};
use crate::sliding::Sliding;
use crate::solved::Solved;

/// Turns without progress, for each switch and all, beyond which they are taken to have no end.
const MOST_ROUNDS: usize = 8;
/// So many turns of switches in so little time, relative to it, are chattering.
const MANY_TURNS: i64 = 1000;
const HARDLY_LATER: f64 = 1e-9;
/// So many in this part of the time, and sooner by this much than as many before, pile up.
const VERY_MANY_TURNS: i64 = 10_000;
const SOON: f64 = 0.01;
const SOONER: f64 = 0.95;
/// So near to an end of a step, as a share of it, its polynomial is as good as the end itself.
const NEAR_AN_END: f64 = 1e-3;
/// A step may be stretched by so much to end on the horizon.
const STRETCHED: f64 = 1.01;
/// How much farther beyond its border rounding may put a switch than it was when it turned.
const ALIKE: f64 = 1024.0;
/// Steps of this part of the time or less may be on their way to a border that they cannot pass.
const SHORT: f64 = 1e-11;

/// A switch turns where the last step ended; or it was so short that the motion may have arrived at a border.
const TURNS: i64 = 1;
const ARRIVES: i64 = 2;
/// Something happens to what touches.
const TOUCHES: i64 = 3;

/// The arrays of switches, which exist before anything that depends on them.
#[derive(Clone, Copy)]
pub(crate) struct Switching {
    pub count: usize,
    /// How many switches and parts of directions there are.
    places: usize,
    /// The value of each.
    pub values: ArrayId,
    /// How much each margin may have the wrong sign by.
    pub slack: ArrayId,
    /// The margin of each at the sampled state, then what rounding may leave of each, then speeds.
    pub margins: ArrayId,
    /// What is to be done where the last step ended: nothing, or one of the two below.
    turning: ArrayId,
    /// `(t, turning) -> integer`: sets all switches at the state; `turning` where some have just come to their borders.
    settle: FunctionId,
    /// `(t) -> integer`: sets them where the integration begins, perhaps on a step of a potential.
    start: FunctionId,
    /// Whether the last step is taken again, and up to when.
    retaken: ArrayId,
    retaken_until: ArrayId,
    /// Whether it is known how large what depends on time alone can become.
    scaled: ArrayId,
    pub sliding: Option<Sliding>,
}

impl<'p> Lowering<'p> {
    /// The arrays of the switches, and where all functions find their values.
    pub fn declare_switches(&mut self) {
        let Some(switches) = &self.program.switches else { return };
        let count = switches.all.len();
        let parts: Vec<SymbolId> = switches.directions.iter().flat_map(|it| it.symbols.iter().copied()).collect();
        let places = count + parts.len();
        let mut reals = |name: &str, length, note| self.module.real_array(name, length, note);
        let values = reals("switches", places, "what decides between smooth pieces, then directions");
        let slack = reals("switch_slack", count, "what each was off by when it was set");
        let all = switches.margins.results.len();
        let margins = reals("switch_margins", all, "what decides each, what rounding may leave of it, and speeds");
        self.inputs.extend(parts.into_iter().enumerate().map(|(at, symbol)| (symbol, values.at(count + at))));
        for (at, switch) in switches.all.iter().enumerate() {
            self.inputs.insert(switch.symbol, values.at(at));
            self.inputs.insert(switch.slack, slack.at(at));
        }
        let borders: Vec<SymbolId> = switches.borders.iter().map(|&(_, symbol)| symbol).collect();
        let marks = [
            ("impulses", &switches.impulses, "of what jumps, at the instant of its jump"),
            ("borders", &borders, "how strongly potentials that jump act at the instant of a crossing"),
        ];
        for (name, symbols, note) in marks.into_iter().filter(|(_, symbols, _)| !symbols.is_empty()) {
            let array = self.module.real_array(name, symbols.len(), note);
            self.inputs.extend(symbols.iter().enumerate().map(|(at, &symbol)| (symbol, array.at(at))));
        }
        let turning = self.module.integer_array("switch_turning", 1, "what is to be done where the last step ended");
        let settle = self.module.declare("switch_settle", &[("t", Real), ("turning", Integer)], &[Integer]);
        self.module.describe(settle, "Sets all switches at the state.");
        let start = self.module.declare("switch_start", &[("t", Real)], &[Integer]);
        self.module.describe(start, "Sets all switches where the integration begins.");
        let retaken = self.module.integer_array("switch_retaken", 1, "whether the last step is taken again");
        let retaken_until = self.module.real_array("switch_retaken_until", 1, "up to when");
        let scaled = self.module.integer_array("forcing_scaled", 1, "whether its sizes are known");
        let sliding = self.declare_sliding(values, margins);
        self.switching = Some(Switching {
            count,
            places,
            values,
            slack,
            margins,
            turning,
            settle,
            start,
            retaken,
            retaken_until,
            scaled,
            sliding,
        });
    }

    /// The function that sets switches, and the entry point that advances and looks for what turns.
    pub fn switches(&mut self, integrals: &[LoweredIntegral]) {
        let (Some(switching), Some(switches)) = (self.switching, &self.program.switches) else { return };
        let [lowered] = integrals else { unreachable!("switches look at all states within one step") };
        let sample = self.module.module().find_function(protocol::SAMPLE).expect("it was made before");
        let evaluate = self.evaluation("switch_evaluate", &switches.margins, switching.margins, integrals);
        let look = self.module.function("switch_look", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            attempt(f, sample, t);
            attempt(f, evaluate, t);
            f.return_(protocol::DONE);
        });
        self.module.describe(look, "What decides each switch at this time.");
        let schedule = self.schedule(switches, switching);
        let borders = lowered
            .sliding
            .map(|(sliding, functions)| (sliding, self.borders(sliding, functions, [look, sample], lowered)));
        let tables = self.tables(switches);
        let nested = self.nested(switches, switching);
        let allow = self.allow(switching, tables);
        let adopt = self.adopt(switching, tables, nested, borders.map(|(sliding, _)| sliding));
        let solved = self.solved(lowered);
        let beside = (borders, solved);
        self.settle_switches(switching, (tables, nested), schedule, beside, [look, allow, adopt], lowered);
        let search = self.search_switches(switches, switching, look, lowered, sample);
        let jump = self.jump(switching, sample, integrals);
        let kick = self.kick(switching, lowered);
        let kink = self.kink(switching, sample, integrals);
        let saltation = self.saltation(switching, sample, integrals);
        let foresee = self.foresee(switching, schedule, nested, [evaluate, adopt], lowered);
        self.start_switches(switching, kick, foresee, solved, [look, allow]);
        let turn = self.turn(
            switching,
            tables,
            borders,
            Beside { jumps: [jump, kick], kink, saltation, solved },
            [look, allow],
            lowered,
        );
        let direct = switching.sliding.filter(|sliding| sliding.directions > 0);
        let direct = direct.map(|sliding| self.direct(sliding, look, lowered));
        let after = self.after_step_with_switches(switching, schedule, search, borders, lowered);
        self.advance_with_switches(switching, schedule, [turn, after], direct.map(|direct| (direct, solved)), lowered);
    }

    /// What begins exactly on a step of a potential, and goes on beyond it, has to climb it like what comes from farther away.
    fn start_switches(
        &mut self,
        switching: Switching,
        kick: Option<Jump>,
        foresee: Option<FunctionId>,
        solved: Option<Solved>,
        [look, allow]: [FunctionId; 2],
    ) {
        self.module.define(switching.start, |f| {
            let [t] = f.parameters();
            if let Some(foresee) = foresee {
                f.call(foresee, t);
            }
            attempt(f, switching.settle, (t, 0));
            if let Some(Jump { happen, begin: Some(begin), .. }) = kick {
                f.call(begin, ());
                let [status, kicked] = f.call_n(happen, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_(kicked, |f| {
                    attempt(f, look, t);
                    f.call(allow, ());
                });
            }
            solved.into_iter().for_each(|solved| attempt(f, solved.choose, t));
            f.return_(protocol::DONE);
        });
    }

    /// `(t)`: sets all switches by the state as it was given. None if states are moved onto the constraints without them: otherwise that
    /// would go by whatever side switches are on before the first look, and an angle could be a whole turn off.
    fn foresee(
        &mut self,
        switching: Switching,
        schedule: Schedule,
        nested: Nested,
        [evaluate, adopt]: [FunctionId; 2],
        lowered: &LoweredIntegral,
    ) -> Option<FunctionId> {
        let program = self.program;
        let integral = &program.integrals[lowered.index];
        let moved = [&integral.stabilize, &integral.follow].into_iter().flatten();
        let read: Vec<_> = moved.flat_map(program::Function::expressions).collect();
        let read = program.arena.symbols_in(&read);
        let mut symbols = program.switches.iter().flat_map(|switches| &switches.all).map(|switch| switch.symbol);
        if !symbols.any(|symbol| read.contains(&symbol)) {
            return None;
        }
        let (arrays, states) = (lowered.arrays, lowered.states);
        let followers = lowered.following().map(|following| (following, lowered.follower_count));
        let foresee = self.module.function("switch_foresee", &[("t", Real)], &[], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(arrays.sampled, i, arrays.state.at(i)));
            if let Some((following, count)) = followers {
                f.for_each("i", 0, count, |f, i| f.store(following.followers, i, following.settled.at(i)));
            }
            if let Some(sliding) = switching.sliding {
                f.for_each("i", 0, switching.places, |f, i| f.store(sliding.undecided, i, 0));
            }
            nested.note(f, switching);
            f.for_each("level", 0, nested.levels, |f, level| {
                f.call(schedule.set, t);
                let status = f.call1(evaluate, t);
                f.if_(status.eq_(protocol::DONE), |f| {
                    f.call1(adopt, (level.get(), 0));
                });
            });
        });
        self.module.describe(foresee, "Sets all switches by the state before it is moved onto the constraints.");
        Some(foresee)
    }

    /// Instants that are known beforehand.
    fn schedule(&mut self, switches: &'p Switches, switching: Switching) -> Schedule {
        let next = self.module.real_array("switch_next", 1, "when the next switch turns that is known to turn");
        let find = self.module.declare("switch_schedule", &[("t", Real)], &[]);
        self.module.describe(find, "Finds when the next switch turns of those that turn at known times.");
        let scheduled: Vec<(usize, &Switch)> =
            switches.all.iter().enumerate().filter(|(_, switch)| switch.schedule.is_some()).collect();
        self.define(find, |body| {
            let [t] = body.f.parameters();
            let first = body.f.real("first", f64::INFINITY);
            for &(at, switch) in &scheduled {
                let [rate, start] = body.line(switch);
                let value = switching.values.at(at);
                let border = match switch.kind {
                    SwitchKind::Side => Expression::from(0.0),
                    SwitchKind::Count => rate.gt(0.0).select(value.clone() + 1.0, value),
                };
                let instant = body.f.real("instant", (border - start) / rate);
                body.f.if_(instant.gt(t).and(instant.lt(first)), |f| f.assign(first, instant));
            }
            body.f.store(next, 0, first);
        });
        let set = self.module.declare("switch_set_scheduled", &[("t", Real)], &[]);
        self.module.describe(set, "Sets those switches that turn at known times.");
        self.define(set, |body| {
            let [t] = body.f.parameters();
            for &(at, switch) in &scheduled {
                let [rate, start] = body.line(switch);
                let value = body.scheduled_value(switch, rate, start, t);
                body.f.store(switching.values, at, value);
            }
        });
        Schedule { next, find, set }
    }

    fn tables(&mut self, switches: &Switches) -> Tables {
        let moves = |at: usize| switches.directions.iter().any(|direction| direction.switch == at);
        let flags = |flag: &dyn Fn(usize, &Switch) -> bool| -> Vec<i64> {
            switches.all.iter().enumerate().map(|(at, switch)| i64::from(flag(at, switch))).collect()
        };
        let mut table = |name: &str, values: Vec<i64>, note| self.module.integers(name, &values, note);
        let counts = flags(&|_, switch| switch.kind == SwitchKind::Count);
        let counts = table("switch_is_count", counts, "a whole number, not 0 or 1");
        let scheduled = flags(&|_, switch| switch.schedule.is_some());
        let scheduled = table("switch_is_scheduled", scheduled, "turns at known times");
        let moves = table("switch_moves", flags(&|at, _| moves(at)), "whether it is that of a direction");
        let at_zero: Vec<f64> = switches.all.iter().map(Switch::value_at_zero).collect();
        let at_zero = self.module.reals("switch_at_zero", &at_zero, "the value where nothing but a zero is known");
        Tables { counts, scheduled, moves, at_zero }
    }

    /// Switches whose margins depend on other switches, and leap where these turn.
    fn nested(&mut self, switches: &Switches, switching: Switching) -> Nested {
        let level: Vec<i64> = switches.all.iter().map(|switch| switch.level as i64).collect();
        let levels = level.iter().max().map_or(1, |&level| level as usize + 1);
        let inner: Vec<i64> = switches.all.iter().flat_map(|switch| &switch.inner).map(|&at| at as i64).collect();
        if inner.is_empty() {
            return Nested { levels, tables: None };
        }
        let ends = switches.all.iter().scan(0, |end, switch| {
            *end += switch.inner.len() as i64;
            Some(*end)
        });
        let from: Vec<i64> = std::iter::once(0).chain(ends).collect();
        let mut table = |name: &str, values: &[i64], note| self.module.integers(name, values, note);
        let level = table("switch_level", &level, "how deep switches are nested in what decides each");
        let from = table("switch_inner_from", &from, "where those that decide each begin in the list below");
        let inner = table("switch_inner", &inner, "switches that others depend on");
        let before = self.module.real_array("switch_settled", switching.count, "switches before any was set");
        Nested { levels, tables: Some(NestedTables { level, from, inner, before }) }
    }

    /// `()`: allows each margin what it is off by where its switch was set.
    fn allow(&mut self, switching: Switching, tables: Tables) -> FunctionId {
        let Switching { count, values, slack, margins, .. } = switching;
        let Tables { counts, moves, .. } = tables;
        let allow = self.module.function("switch_allow", &[], &[], |f| {
            f.for_each("i", 0, count, |f, i| {
                let margin = f.real("margin", margins.at(i));
                let value = f.real("value", values.at(i));
                let off = beyond(counts, i, margin, value);
                let slides = switching.sliding.map_or(Expression::from(0), |sliding| sliding.slides.at(i));
                let off = f.real("off", (off * 2.0).max(moves.at(i).ne_(0).select(slack.at(i), 0.0)));
                f.store(slack, i, slides.ne_(0).select(BOUNDLESS, off));
            });
        });
        self.module.describe(allow, "Allows each margin what it is off by where its switch was set.");
        allow
    }

    fn settle_switches(
        &mut self,
        switching: Switching,
        (tables, nested): (Tables, Nested),
        schedule: Schedule,
        (borders, solved): (Option<(Sliding, Borders)>, Option<Solved>),
        [look, allow, adopt]: [FunctionId; 3],
        lowered: &LoweredIntegral,
    ) {
        let (failure, failure_values) = (self.failure, self.failure_values);
        let open = borders
            .map(|(sliding, borders)| (self.open(switching, nested, sliding, borders, tables.at_zero), borders.decide));
        let (time, rounds) = (lowered.arrays.time, 2 * switching.count + MOST_ROUNDS);
        self.module.define(switching.settle, |f| {
            let [t, turning] = f.parameters();
            nested.note(f, switching);
            let last = f.integer("last", -1);
            f.for_each("round", 0, rounds, |f, round| {
                f.call(schedule.set, t);
                attempt(f, look, time.at(0));
                let first = f.integer("first", round.lt(nested.levels as i64));
                let undecided = f.integer("undecided", 0);
                if let Some((open, _)) = open {
                    f.if_(first, |f| {
                        let any = f.call1(open, (round.get(), turning.get()));
                        f.assign(undecided, any);
                    });
                }
                let turned = f.call1(adopt, (round.get(), turning.get()));
                f.assign(last, turned);
                f.if_(last.lt(0).and(round.lt(nested.levels as i64 - 1)), |f| f.assign(last, 0));
                if let Some((_, decide)) = open {
                    f.if_(undecided.ne_(0), |f| {
                        attempt(f, decide, t);
                        f.assign(last, 0);
                    });
                }
                f.if_(last.lt(0), |f| f.break_());
            });
            f.if_(last.ge(0), |f| {
                f.store(failure, 0, last);
                f.store(failure_values, 0, t);
                f.return_(protocol::SWITCHING);
            });
            f.call(allow, ());
            solved.into_iter().for_each(|solved| attempt(f, solved.choose, t));
            f.return_(protocol::DONE);
        });
    }

    /// `(round, turning) -> integer`: which of those that may slide are at their borders, to be decided by where both pieces lead.
    fn open(
        &mut self,
        switching: Switching,
        nested: Nested,
        sliding: Sliding,
        borders: Borders,
        at_zero: ArrayId,
    ) -> FunctionId {
        let Switching { places, values, slack, margins, .. } = switching;
        let Sliding { at, undecided, is_count, .. } = sliding;
        let parameters = [("round", Integer), ("turning", Integer)];
        let open = self.module.function("switch_open", &parameters, &[Integer], |f| {
            let [round, turning] = f.parameters();
            f.if_(round.eq_(0), |f| f.for_each("i", 0, places, |f, i| f.store(undecided, i, 0)));
            let any = f.integer("any", 0);
            f.for_each("k", 0, sliding.count, |f, k| {
                let i = f.integer("i", at.at(k));
                f.assign(any, any.or(undecided.at(i)));
                f.if_(sliding.is_part(k).logical_not().and(nested.is_of(i, round)), |f| {
                    let leapt = nested.has_leapt(f, switching, i);
                    sliding.find_border(f, k);
                    let near = f.integer("near", sliding.distance(k).abs().le(margins.at(i + places as i64)));
                    let margin = f.real("margin", margins.at(i));
                    let value = f.real("value", values.at(i));
                    let turned = beyond(is_count, k, margin, value).gt(slack.at(i)).or(borders.is_near.at(k).ne_(0));
                    let anew = f.integer("anew", turning.eq_(0).or(leapt));
                    let at_border = f.integer("at_border", anew.select(near, turned));
                    f.note("What has leapt away from its border slides along it no more.");
                    f.if_(leapt.and(near.eq_(0)), |f| f.store(sliding.slides, i, 0));
                    f.store(undecided, i, at_border.or(sliding.slides.at(i).ne_(0)));
                    f.if_(near.and(anew).and(is_count.at(k).eq_(0)), |f| f.store(values, i, at_zero.at(i)));
                    f.assign(any, any.or(undecided.at(i)));
                });
            });
            f.note("The direction of what moves is that of its velocity, but at rest.");
            f.for_each("d", 0, sliding.directions, |f, d| {
                let moves = f.integer("moves", sliding.moves.at(d));
                f.if_(nested.is_of(moves, round), |f| {
                    let leapt = nested.has_leapt(f, switching, moves);
                    let first = f.integer("first", sliding.first.at(d));
                    let value = values.at(moves);
                    let turned = ((1.0 - value * 2.0) * margins.at(moves)).gt(slack.at(moves));
                    let turned = turned.or(borders.is_near.at(first).ne_(0)).or(sliding.slides.at(moves).ne_(0));
                    let open = f.integer("open", turning.eq_(0).or(turned).or(leapt));
                    f.store(undecided, moves, open);
                    f.for_each("k", first, first + sliding.parts.at(d), |f, k| f.store(undecided, at.at(k), open));
                    f.assign(any, any.or(open));
                });
            });
            f.return_(any);
        });
        self.module.describe(open, "Which of those that may slide are at their borders.");
        open
    }

    /// `(round, turning) -> integer`: gives all others the values that belong to their margins; one that changed, or −1. Each round looks
    /// for the first time at switches of its level, since what decides those is known by then.
    fn adopt(&mut self, switching: Switching, tables: Tables, nested: Nested, sliding: Option<Sliding>) -> FunctionId {
        let Switching { count, places, values, slack, margins, .. } = switching;
        let Tables { counts, scheduled, moves, at_zero } = tables;
        let parameters = [("round", Integer), ("turning", Integer)];
        let adopt = self.module.function("switch_adopt", &parameters, &[Integer], |f| {
            let [round, turning] = f.parameters();
            let last = f.integer("last", -1);
            f.for_each("i", 0, count, |f, i| {
                let undecided = sliding.map_or(Expression::from(0), |sliding| sliding.undecided.at(i));
                let looked_at = scheduled.at(i).eq_(0).and(undecided.eq_(0)).and(nested.is_up_to(i, round));
                f.if_(looked_at, |f| {
                    let first = f.integer("first", nested.is_of(i, round));
                    let leapt = nested.has_leapt(f, switching, i);
                    let margin = f.real("margin", margins.at(i));
                    let value = f.real("value", values.at(i));
                    let is_count = counts.at(i).ne_(0);
                    let found = f.real("found", is_count.select(margin.floor(), margin.gt(0.0).to_real()));
                    let near = margin.abs().le(margins.at(i + places as i64)).and(counts.at(i).eq_(0));
                    let off = f.real("off", beyond(counts, i, margin, value));
                    let within = f.integer("within", turning.and(off.le(slack.at(i))).and(leapt.eq_(0)));
                    f.if_else(
                        first.and(turning).and(leapt.eq_(0)),
                        |f| {
                            f.note("What has come to its border turns, and nothing else does.");
                            f.if_else(within, |f| f.assign(found, value), |f| f.store(slack, i, off * ALIKE));
                        },
                        |f| {
                            f.note("What is as far beyond as when it turned does not turn back: that is rounding.");
                            f.if_(within, |f| f.assign(found, value));
                            f.if_(near, |f| f.assign(found, first.or(leapt).select(at_zero.at(i), value)));
                        },
                    );
                    f.note("Directions are not decided here; without sliding, what moves cannot come to rest.");
                    f.if_(moves.at(i).ne_(0), |f| {
                        f.store(values, i, 1.0);
                        f.if_(turning.and(found.ne_(1.0)), |f| f.assign(last, i));
                    });
                    f.if_(found.ne_(value).and(moves.at(i).eq_(0)), |f| {
                        f.store(values, i, found);
                        f.assign(last, i);
                    });
                });
            });
            f.return_(last);
        });
        self.module.describe(adopt, "Gives switches the values that belong to their margins.");
        adopt
    }

    /// `(begin, end) -> integer`: when the first switch has to turn in the last step.
    fn search_switches(
        &mut self,
        switches: &'p Switches,
        switching: Switching,
        look: FunctionId,
        lowered: &LoweredIntegral,
        sample: FunctionId,
    ) -> Option<Search> {
        if switches.leaving.all.is_empty() {
            return None;
        }
        let due = self.module.real_array("switch_due", 1, "when the first switch has to turn, if one has to");
        let is_due = self.module.integer_array("switch_is_due", 1, "whether one has to");
        let verdicts = self.module.real_array("switch_verdicts", 2, "what switches can do in a part of a step");
        let states = &self.program.integrals[lowered.index].states;
        let on_states = switches.leaving.moving.iter().all(|one| states.iter().any(|state| state.symbol == *one));
        // The polynomial itself tells of states; what follows from them is found on the constraints.
        let sample = if on_states { lowered.integrator.sample } else { sample };
        let margins = &switches.leaving;
        let watched = Watched { prefix: "switch_", margins, guards: margins.all.len(), verdicts, sample };
        let [survey, enclose] = self.watching(&watched, std::slice::from_ref(lowered));
        let measure = self.measure_switches(switches, switching, look);
        let sought = Sought { prefix: "switch_", survey, enclose, verdicts, measure, due, is_due };
        let search = search(&mut self.module, sought, None);
        Some(Search { search, due, is_due })
    }

    /// `(t) -> (integer, real, real, integer)`: the number that says most that a switch has to turn, and whether one has to.
    fn measure_switches(&mut self, switches: &Switches, switching: Switching, look: FunctionId) -> FunctionId {
        let Switching { values, slack, margins, .. } = switching;
        let located: Vec<(i64, i64)> = switches
            .all
            .iter()
            .enumerate()
            .filter(|(_, switch)| switch.schedule.is_none())
            .map(|(at, switch)| (at as i64, i64::from(switch.kind == SwitchKind::Count)))
            .collect();
        let (at, is_count): (Vec<i64>, Vec<i64>) = located.into_iter().unzip();
        let number = at.len();
        let at = self.module.integers("switch_located", &at, "those that do not turn at known times");
        let is_count = self.module.integers("switch_located_count", &is_count, "whether each is a whole number");
        let results = [Integer, Real, Real, Integer];
        let measure = self.module.function("switch_measure", &[("t", Real)], &results, |f| {
            let [t] = f.parameters();
            let status = f.call1(look, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0, 0.0, 0)));
            let highest = f.real("highest", f64::NEG_INFINITY);
            f.for_each("k", 0, number, |f, k| {
                let i = f.integer("i", at.at(k));
                let margin = f.real("margin", margins.at(i));
                let value = f.real("value", values.at(i));
                let off = f.real("off", beyond(is_count, k, margin, value) - slack.at(i));
                f.note("Beyond the border of another, which has yet to turn, it may have no value.");
                f.if_(off.gt(highest), |f| f.assign(highest, off));
            });
            f.return_((protocol::DONE, highest, 0.0, highest.gt(0.0)));
        });
        self.module.describe(measure, "How far beyond its border a switch is, and whether any is.");
        measure
    }

    fn advance_with_switches(
        &mut self,
        switching: Switching,
        schedule: Schedule,
        [turn, after]: [FunctionId; 2],
        direct: Option<(FunctionId, Option<Solved>)>,
        lowered: &LoweredIntegral,
    ) {
        let IntegratorArrays { time, horizon, stop, .. } = lowered.arrays;
        let forcing = self.forcing(lowered);
        let step = format!("{}_step", motion_name(self.program, lowered.index));
        let step = self.module.module().find_array(&step).expect("every integrator has it");
        let parameters = [("target", Real), ("limit", Integer)];
        let function = self.module.declare(protocol::ADVANCE, &parameters, &[Integer]);
        self.define(function, |body| {
            let [target, limit] = body.f.parameters();
            let body_of = |f: &mut FunctionBuilder, lowering: &mut Lowering<'p>| {
                let until = f.real("until", target.min(horizon.at(0)));
                let begin = f.real("begin", time.at(0));
                f.if_(switching.turning.at(0).ne_(0).and(begin.le(target)), |f| attempt(f, turn, begin));
                f.if_(begin.ge(until), |f| f.return_(protocol::DONE));
                if let Some((direct, solved)) = direct {
                    attempt(f, direct, ());
                    if let Some(solved) = solved {
                        f.call(solved.keep, ());
                    }
                }
                f.call(schedule.find, begin);
                f.store(stop, 0, schedule.next.at(0));
                f.if_(switching.retaken.at(0).ne_(0), |f| {
                    f.store(stop, 0, stop.at(0).min(switching.retaken_until.at(0)))
                });
                if let Some(forcing) = forcing {
                    f.if_(switching.scaled.at(0).eq_(0), |f| {
                        f.call(forcing.scale, begin);
                        f.store(switching.scaled, 0, 1);
                    });
                    let end = f.real("end", (begin + step.at(0) * STRETCHED).min(stop.at(0)).min(horizon.at(0)));
                    let limit = f.call1(forcing.limit, (begin, end));
                    f.if_(limit.lt(end), |f| f.store(stop, 0, limit));
                }
                let status = f.call1(lowered.integrator.advance, (target, 1));
                let mut inner = Body { lowering, f };
                lowered.hand_on(&mut inner, status, &lowered.arrays.failure_time.at(0));
                f.if_(time.at(0).gt(begin), |f| attempt(f, after, (begin, time.at(0))));
            };
            let Body { lowering, f } = body;
            f.for_each("trial", 0, limit, |f, _| body_of(f, lowering));
            let until = target.min(horizon.at(0));
            f.return_(time.at(0).ge(until).select(protocol::DONE, protocol::UNFINISHED));
        });
    }

    /// `(t) -> integer`: turns what has to where the last step ended, and goes on from there.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn turn(
        &mut self,
        switching: Switching,
        tables: Tables,
        borders: Option<(Sliding, Borders)>,
        Beside { jumps, kink, saltation, solved }: Beside,
        [look, allow]: [FunctionId; 2],
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let chatters = self.chatters(switching, tables, look);
        let contact = self.contact.and_then(|contact| contact.events);
        let (is_varied, failure_values) = (!self.program.varied.is_empty(), self.failure_values);
        let turn = self.module.declare("switch_turn", &[("t", Real)], &[Integer]);
        self.module.describe(turn, "Turns the switches that have to where the last step ended.");
        self.define(turn, |body| {
            let [t] = body.f.parameters();
            let f = &mut *body.f;
            let turning = f.integer("turning", switching.turning.at(0));
            f.store(switching.turning, 0, 0);
            f.store(switching.scaled, 0, 0);
            if let Some((_, borders)) = borders {
                f.if_(turning.eq_(ARRIVES), |f| {
                    let [status, arrived] = f.call_n(borders.arrive, t);
                    f.if_(status.gt(protocol::UNFINISHED).or(arrived.eq_(0)), |f| f.return_(status));
                    f.call(allow, ());
                });
            }
            f.if_(turning.eq_(TURNS), |f| {
                attempt(f, chatters, t);
                if let Some((_, borders)) = borders {
                    let [status, _] = f.call_n(borders.near, (t, AT_ONCE));
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                }
                for jump in jumps.into_iter().flatten() {
                    attempt(f, jump.before, t);
                }
                kink.into_iter().for_each(|kink| attempt(f, kink.before, t));
                saltation.into_iter().for_each(|saltation| attempt(f, saltation.before, t));
                attempt(f, switching.settle, (t, 1));
                for jump in jumps.into_iter().flatten() {
                    let [status, jumped] = f.call_n(jump.happen, t);
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                    if is_varied {
                        f.if_(jumped, |f| without_derivative(f, failure_values, t));
                    }
                    f.if_(jumped, |f| match jump.decides {
                        true => {
                            attempt(f, look, t);
                            f.call(allow, ());
                        }
                        false => attempt(f, switching.settle, (t, 0)),
                    });
                }
            });
            if let Some(contact) = contact {
                f.note("Forces may have changed, so whatever turned, what touches is looked at anew.");
                attempt(f, contact.resolve, t);
                f.if_(turning.eq_(TOUCHES), |f| attempt(f, switching.settle, (t, 0)));
            }
            if let Some(after_step) = lowered.after_step {
                let status = f.call1(after_step, t);
                f.if_(status.gt(0), |f| f.return_(status));
            }
            f.if_(turning.eq_(TURNS), |f| {
                kink.into_iter().for_each(|kink| attempt(f, kink.after, t));
                saltation.into_iter().for_each(|saltation| attempt(f, saltation.after, t));
            });
            if let Some((sliding, borders)) = borders {
                f.if_(sliding.is_on(), |f| match is_varied {
                    true => without_derivative(f, failure_values, t),
                    false => attempt(f, borders.place, t),
                });
            }
            solved.into_iter().for_each(|solved| attempt(f, solved.choose, t));
            let status = f.call1(lowered.integrator.moved, t);
            lowered.hand_on(body, status, &Expression::from(t));
            body.f.return_(protocol::DONE);
        });
        turn
    }

    /// `(t) -> integer`: counts turns of switches, and refuses where they have no end, or follow one another ever faster.
    fn chatters(&mut self, switching: Switching, tables: Tables, look: FunctionId) -> FunctionId {
        let (failure, failure_values) = (self.failure, self.failure_values);
        let Switching { count, values, slack, margins, .. } = switching;
        let counted = self.module.integer_array("switch_turns", 2, "turns since the times below");
        let since = self.module.real_array("switch_since", 2, "since when turns are counted");
        let lasted = self.module.real_array("switch_lasted", 1, "how long as many turns took before");
        let refuse = self.module.function("switch_refuse", &[("t", Real), ("every", Real)], &[Integer], |f| {
            let [t, every] = f.parameters();
            attempt(f, look, t);
            f.store(failure, 0, 0);
            f.for_each("i", 0, count, |f, i| {
                let [margin, value] = [("margin", margins), ("value", values)].map(|(name, of)| f.real(name, of.at(i)));
                f.if_(beyond(tables.counts, i, margin, value).gt(slack.at(i)), |f| f.store(failure, 0, i));
            });
            f.store(failure_values, 0, t);
            f.store(failure_values, 1, every);
            f.return_(protocol::SWITCHING);
        });
        self.module.function("switch_chatters", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            for (at, many) in [MANY_TURNS, VERY_MANY_TURNS].into_iter().enumerate() {
                f.note("Another run has begun, or went back: what was counted is not of it.");
                f.if_(t.lt(since.at(at)), |f| {
                    f.store(counted, at, 0);
                    f.store(since, at, t);
                    f.store(lasted, 0, 0.0);
                });
                f.store(counted, at, counted.at(at) + 1);
                f.if_(counted.at(at).ge(many), |f| {
                    let lasts = f.real("lasts", t - since.at(at));
                    f.store(counted, at, 0);
                    f.store(since, at, t);
                    if many == MANY_TURNS {
                        f.if_(lasts.le((t.abs() + 1.0) * HARDLY_LATER), |f| attempt(f, refuse, (t, 0.0)));
                        return;
                    }
                    let sooner = lasts.lt(lasted.at(0) * SOONER).and(lasts.lt(t.abs() * SOON));
                    f.if_(sooner, |f| attempt(f, refuse, (t.get(), lasts / many as f64)));
                    f.store(lasted, 0, lasts);
                });
            }
            f.return_(protocol::DONE);
        })
    }

    /// `(begin, end) -> integer`: looks for what has to turn in the last step, and cuts it there.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn after_step_with_switches(
        &mut self,
        switching: Switching,
        schedule: Schedule,
        search: Option<Search>,
        borders: Option<(Sliding, Borders)>,
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let (cut, retake, arrays) = (lowered.integrator.cut, lowered.integrator.retake, lowered.arrays);
        let Switching { retaken, retaken_until, .. } = switching;
        let contact = self.contact.and_then(|contact| contact.events);
        let after = self.module.function("switch_after_step", &[("begin", Real), ("end", Real)], &[Integer], |f| {
            let [begin, end] = f.parameters();
            let due = f.real("due", end);
            let turning = f.integer("turning", end.ge(schedule.next.at(0)));
            if let Some(Search { search, due: found, is_due }) = search {
                attempt(f, search, (begin, end));
                f.if_(is_due.at(0).ne_(0), |f| {
                    f.assign(due, found.at(0));
                    f.assign(turning, 1);
                });
            }
            if let Some((_, borders)) = borders {
                let [status, left] = f.call_n(borders.left, (begin, due));
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_(left.le(due), |f| {
                    f.assign(due, left);
                    f.assign(turning, 1);
                });
            }
            if let Some(contact) = contact {
                let [status, touches] = f.call_n(contact.search, (begin, due));
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_(touches.le(due), |f| {
                    f.assign(due, touches);
                    f.assign(turning, TOUCHES);
                });
            }
            if arrays.method != Method::Fixed {
                f.note("Within a long step the polynomial is not as good as at its ends: the step is taken again, up to the instant.");
                let share = f.real("share", (due - begin) / (end - begin));
                let inside = share.gt(NEAR_AN_END).and(share.lt(1.0 - NEAR_AN_END));
                f.if_(inside.and(retaken.at(0).eq_(0)), |f| {
                    f.call(retake, ());
                    f.store(retaken, 0, 1);
                    f.store(retaken_until, 0, due);
                    f.store(switching.turning, 0, 0);
                    f.return_(protocol::DONE);
                });
            }
            f.store(retaken, 0, 0);
            f.store(switching.turning, 0, turning);
            f.if_(due.lt(end), |f| {
                let status = f.call1(cut, due);
                f.if_(status.ne_(0), |f| f.return_(protocol::NOT_FINITE));
                if let Some(after_step) = lowered.after_step {
                    let status = f.call1(after_step, due);
                    f.if_(status.gt(0), |f| f.return_(status));
                }
            });
            if let Some(contact) = contact {
                attempt(f, contact.commit, arrays.time.at(0));
            }
            if let Some((_, borders)) = borders {
                attempt(f, borders.correct, arrays.time.at(0));
                let short = (end - begin).le(end.abs() * SHORT).and(turning.eq_(0));
                f.if_(short, |f| f.store(switching.turning, 0, ARRIVES));
            }
            f.return_(protocol::DONE);
        });
        self.module.describe(after, "Looks for switches that have to turn in the last step, and cuts it there.");
        after
    }
}

/// What does not change of each switch.
#[derive(Clone, Copy)]
struct Tables {
    /// Whether it is a whole number, turns at known times, is that of a direction; and its value where nothing but a zero is known.
    counts: ArrayId,
    scheduled: ArrayId,
    moves: ArrayId,
    at_zero: ArrayId,
}

/// Switches that other switches depend on are set before these.
#[derive(Clone, Copy)]
struct Nested {
    levels: usize,
    /// None if no switch depends on another.
    tables: Option<NestedTables>,
}

#[derive(Clone, Copy)]
struct NestedTables {
    level: ArrayId,
    /// Where those that decide each begin, and which these are.
    from: ArrayId,
    inner: ArrayId,
    /// The value of each before any was set.
    before: ArrayId,
}

impl Nested {
    fn note(&self, f: &mut FunctionBuilder, switching: Switching) {
        if let Some(tables) = self.tables {
            f.for_each("i", 0, switching.count, |f, i| f.store(tables.before, i, switching.values.at(i)));
        }
    }

    /// Whether a round is the first in which all that decides a switch is known.
    fn is_of(&self, i: LocalId, round: LocalId) -> Expression {
        self.tables.map_or(round.eq_(0), |tables| tables.level.at(i).eq_(round))
    }

    fn is_up_to(&self, i: LocalId, round: LocalId) -> Expression {
        self.tables.map_or(Expression::from(1), |tables| tables.level.at(i).le(round))
    }

    /// Whether a switch that decides this one has turned, so that its margin is another one than before.
    fn has_leapt(&self, f: &mut FunctionBuilder, switching: Switching, i: LocalId) -> LocalId {
        let leapt = f.integer("leapt", 0);
        if let Some(NestedTables { from, inner, before, .. }) = self.tables {
            f.for_each("at", from.at(i), from.at(i + 1), |f, at| {
                let other = f.integer("other", inner.at(at));
                f.if_(switching.values.at(other).ne_(before.at(other)), |f| f.assign(leapt, 1));
            });
        }
        leapt
    }
}

#[derive(Clone, Copy)]
struct Schedule {
    /// The next instant that is known beforehand.
    next: ArrayId,
    /// `(t)`: finds that.
    find: FunctionId,
    /// `(t)`: sets the switches that turn at such instants.
    set: FunctionId,
}

/// What happens beside the turn of a switch.
#[derive(Clone, Copy)]
struct Beside {
    jumps: [Option<Jump>; 2],
    kink: Option<Kink>,
    saltation: Option<Saltation>,
    solved: Option<Solved>,
}

struct Search {
    search: FunctionId,
    due: ArrayId,
    is_due: ArrayId,
}

impl Switching {
    /// Leaves all switches as they are where the integration begins.
    pub fn keep(&self, f: &mut FunctionBuilder, arrays: &IntegratorArrays, t: &Expression) {
        f.store(arrays.time, 0, t.clone());
        f.store(arrays.previous_time, 0, t.clone());
        f.store(self.turning, 0, 0);
        f.store(self.scaled, 0, 0);
        f.store(self.retaken, 0, 0);
    }

    /// Switches that are beyond their borders turn next.
    pub fn has_to_turn(&self, f: &mut FunctionBuilder) {
        f.store(self.turning, 0, TURNS);
    }

    /// Sets all switches where the integration begins, before any slope is taken there.
    pub fn begin(&self, body: &mut Body<'_, '_, '_>, arrays: &IntegratorArrays, t: &Expression) {
        let f = &mut *body.f;
        self.keep(f, arrays, t);
        if let Some(sliding) = self.sliding {
            sliding.forget(f);
        }
        attempt(f, self.start, t.clone());
        if let Some(sliding) = self.sliding.filter(|_| !body.lowering.program.varied.is_empty()) {
            let (now, failure_values) = (f.real("now", t.clone()), body.lowering.failure_values);
            f.if_(sliding.is_on(), |f| without_derivative(f, failure_values, now));
        }
        if let Some(contact) = body.lowering.contact {
            attempt(body.f, contact.start, t.clone());
        }
    }
}

/// Leaves the function where a run has no derivatives that are known.
fn without_derivative(f: &mut FunctionBuilder, failure_values: ArrayId, t: LocalId) {
    f.store(failure_values, 0, t);
    f.return_(protocol::NO_DERIVATIVE);
}

impl Body<'_, '_, '_> {
    /// The rate of a margin that is linear in time, and its value at time zero.
    fn line(&mut self, switch: &Switch) -> [LocalId; 2] {
        let arena = self.lowering.program.arena.clone();
        let time = arena.symbol(self.lowering.program.time);
        let start = Substitution::new([(time, arena.zero())]).apply(&arena, switch.margin);
        let rate = switch.schedule.expect("it turns at known times");
        let mut scope = self.lowering.scope(0.0);
        let values = self.emit(&[rate, start], &mut scope);
        [("rate", &values[0]), ("start", &values[1])].map(|(name, value)| self.f.real(name, value.clone()))
    }

    /// What a switch that turns at known times is from some time on.
    fn scheduled_value(&mut self, switch: &Switch, rate: LocalId, start: LocalId, t: LocalId) -> Expression {
        let rises = rate.gt(0.0);
        match switch.kind {
            SwitchKind::Side => {
                let passed = ((-start.get()) / rate).le(t);
                let side = rises.select(passed.clone(), passed.logical_not());
                let constant =
                    start.get().gt(0.0).select(1.0, start.get().eq_(0.0).select(switch.value_at_zero(), 0.0));
                rate.eq_(0.0).select(constant, side.to_real())
            }
            SwitchKind::Count => {
                let whole = self.f.real("whole", (start + rate * t).floor());
                let border = rises.clone().select(whole + 1.0, whole);
                let passed = ((border - start) / rate).le(t).and(rate.ne_(0.0));
                whole + passed.select(rises.select(1.0, -1.0), 0.0)
            }
        }
    }
}

/// How far the margin of a switch is beyond the border at which it turns.
pub(crate) fn beyond(is_count: ArrayId, at: LocalId, margin: LocalId, value: LocalId) -> Expression {
    let whole = (margin - value - 1.0).max(value - margin);
    let side = value.eq_(0.5).select(margin.abs(), (1.0 - value * 2.0) * margin);
    is_count.at(at).ne_(0).select(whole, side)
}
