//! Steps that pass over nothing narrow in space. What may be narrow is large, or changes, where some number of the states has an extreme
//! or passes some value. That is looked at where steps end, which costs little; only a step in which such a thing may have happened unseen
//! is looked at within: there the place is sought, and the defect of the step tells whether its stages knew of it. If they did not,
//! the step is taken again, up to that place.

use kernel::Type::{Integer, Real};
use kernel::executive::BOUNDLESS;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term};
use numerics::{Integrator, IntegratorArrays};
use program::{Narrow, Shape, narrow, narrow_in_signals};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::roll::{Row, Target};

/// Where a step is looked at, as shares of it: near its ends more closely, for something may be just there.
const PLACES: [f64; 13] = [0.0, 1e-6, 1e-3, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0 - 1e-3, 1.0 - 1e-6, 1.0];
/// Each time an extreme is bracketed by less: the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const SECTIONS: usize = 60;
const HALVINGS: usize = 50;
/// A part that changes by less, relative to its size, has no flank.
const FLANK: f64 = 0.5;
/// From one end of a step to the other, a part that changes by less is seen by the stages.
const MUCH: f64 = 0.9;
/// How far up a flank the step is compared with the equations: in its middle the slope of a part may be none.
const LEVELS: [f64; 3] = [0.25, 0.5, 0.75];
/// In units of the error that is allowed. Within ordinary steps the defect is at most some ten of them; what is less and lasts a hundredth of
/// a step does not matter, and what lasts longer is seen by the stages. Where slopes are grossly different nobody knows how long it lasts.
const UNSEEN: f64 = 100.0;
/// So often a step is taken again in favour of something that was passed over.
const MOST_RETAKEN: i64 = 60;

/// In radians: what goes round by more in a step may have had extremes that its ends do not tell of, and by still more, such that the
/// places of the step do not.
const TURNED: f64 = 1.5;
const MOST_TURNED: f64 = 8.0;

/// Those that are angles, and their places.
fn angles(all: &[Narrow]) -> impl Iterator<Item = (usize, &Narrow)> {
    all.iter().enumerate().filter(|(_, one)| one.shape == Shape::Angle)
}

/// The arrays of what is looked at.
struct Looking<'n> {
    all: &'n [Narrow],
    /// Arguments, rates of arguments and values where the last step began, and where it ended.
    before: ArrayId,
    now: ArrayId,
    /// Arguments and values at the sampled state.
    seen: ArrayId,
    /// Whether `before` is known.
    is_known: ArrayId,
    /// Where the step is to end that is taken again, and how often it was.
    until: ArrayId,
    retaken: ArrayId,
}

/// What may be narrow in what is remembered.
#[derive(Clone, Copy)]
pub(crate) struct Peaks {
    pub count: usize,
    /// Arguments and values at the sampled state.
    pub seen: ArrayId,
    /// 1 for what is narrow where its argument is at its most, else −1.
    pub signs: ArrayId,
    /// `(t)`: fills `seen` at a time of the last step.
    pub look: FunctionId,
    /// `(k, low, high, sign, count) -> (real, real)`: where an argument is most, or least, and the value there.
    pub extreme: FunctionId,
}

impl Lowering<'_> {
    /// The integrator itself, or one whose steps pass over nothing narrow if there may be such things.
    pub fn passing_over_nothing(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        integrator: Integrator,
    ) -> Integrator {
        let integral = &self.program.integrals[index];
        let all = narrow(self.program, integral, |symbol| self.inputs.contains_key(&symbol));
        if all.is_empty() {
            return integrator;
        }
        let count = all.len();
        let mut array =
            |what: &str, length, note| self.module.real_array(&format!("{name}_narrow_{what}"), length, note);
        let before = array("before", 3 * count, "arguments, rates and values of what may be narrow, before the step");
        let now = array("now", 3 * count, "arguments, rates and values of what may be narrow, after it");
        let seen = array("seen", 2 * count, "arguments and values of what may be narrow, at a time of the step");
        let is_known = self.module.integer_array(&format!("{name}_narrow_is_known"), 1, "whether those before it are");
        let note = "where the step is to end that is taken again";
        let until = self.module.reals(&format!("{name}_narrow_until"), &[f64::INFINITY], note);
        let retaken = self.module.integer_array(&format!("{name}_narrow_retaken"), 1, "how often it was");
        let looking = Looking { all: &all, before, now, seen, is_known, until, retaken };
        let at_end = self.narrow_at_end(index, name, arrays, &looking);
        let suspicious = self.suspicious(name, arrays, &looking, at_end);
        let inspect = self.inspect(index, name, arrays, &looking, &integrator);
        let advance = self.advance_with_care(name, arrays, &looking, [at_end, suspicious, inspect], &integrator);
        let forgetting = |lowering: &mut Self, what: &str, inner: FunctionId| {
            lowering.module.function(&format!("{name}_narrow_{what}"), &[("t", Real)], &[Integer], |f| {
                let [t] = f.parameters();
                f.store(is_known, 0, 0);
                f.store(until, 0, f64::INFINITY);
                f.store(retaken, 0, 0);
                let status = f.call1(inner, t);
                f.return_(status);
            })
        };
        let start = forgetting(self, "start", integrator.start);
        let moved = forgetting(self, "moved", integrator.moved);
        Integrator { start, advance, moved, ..integrator }
    }

    /// What may be narrow in the signals that are remembered, with their extremes; none if nothing may.
    pub fn peaks_of_signals(&mut self, lowered: &LoweredIntegral) -> Option<Peaks> {
        let integral = &self.program.integrals[lowered.index];
        let mut all = narrow_in_signals(self.program, integral, |symbol| self.inputs.contains_key(&symbol));
        all.retain(|one| matches!(one.shape, Shape::Pole(_) | Shape::Peak(_)));
        if all.is_empty() {
            return None;
        }
        let signs: Vec<f64> =
            all.iter().map(|one| if matches!(one.shape, Shape::Peak(_)) { 1.0 } else { -1.0 }).collect();
        let count = all.len();
        let mut array = |what: &str, length, note| self.module.real_array(&format!("past_narrow_{what}"), length, note);
        let (seen, none) =
            (array("seen", 2 * count, "arguments and values of what may be narrow"), array("none", 1, ""));
        let unused = self.module.integer_array("past_narrow_unused", 1, "");
        let looking =
            Looking { all: &all, before: none, now: none, seen, is_known: unused, until: none, retaken: unused };
        let look = self.narrow_look(lowered.index, "past", &lowered.arrays, &looking, lowered.integrator.sample);
        let extreme = self.narrow_extreme("past", seen, look);
        let signs =
            self.module.reals("past_narrow_signs", &signs, "whether each is narrow at its most or at its least");
        Some(Peaks { count, seen, signs, look, extreme })
    }

    /// `()`: arguments, rates and values at the state.
    fn narrow_at_end(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        looking: &Looking<'_>,
    ) -> FunctionId {
        let program = self.program;
        let (count, zero) = (looking.all.len(), program.arena.zero());
        let function = self.module.declare(&format!("{name}_narrow_at_end"), &[], &[]);
        self.module.describe(function, "What may be narrow, at the state.");
        self.define(function, |body| {
            let mut scope = body.lowering.scope(arrays.time.at(0));
            scope.bind_states(&program.integrals[index].states, arrays.state);
            let arguments = looking.all.iter().map(|one| one.argument);
            let rates = looking.all.iter().map(|one| one.rate.unwrap_or(zero));
            let values = looking.all.iter().map(|one| if one.has_flanks { one.value } else { zero });
            let rows: Vec<Row> = arguments.chain(rates).chain(values).enumerate().collect();
            debug_assert_eq!(rows.len(), 3 * count);
            body.store_rows(&Target { array: looking.now, offset: 0.into() }, &rows, &mut scope);
        });
        function
    }

    /// `() -> integer`: whether the last step may have passed over something, by what is known at its ends. An argument is taken for the
    /// cubic that has its values and rates there, which lies between its control points.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn suspicious(
        &mut self,
        name: &str,
        arrays: &IntegratorArrays,
        looking: &Looking<'_>,
        at_end: FunctionId,
    ) -> FunctionId {
        let &Looking { all, before, now, .. } = looking;
        let count = all.len();
        let bounds: Vec<f64> = all
            .iter()
            .map(|one| match one.shape {
                Shape::Pole(part) => part,
                _ => 0.0,
            })
            .collect();
        let excesses: Vec<f64> = all
            .iter()
            .map(|one| match one.shape {
                Shape::Peak(excess) => excess,
                Shape::Step => 0.0,
                _ => f64::INFINITY,
            })
            .collect();
        let flags = |flag: fn(&Narrow) -> bool| -> Vec<i64> { all.iter().map(|one| i64::from(flag(one))).collect() };
        let (steps, flanks) = (flags(|one| one.shape == Shape::Step), flags(|one| one.has_flanks));
        let below = self.module.reals(&format!("{name}_narrow_below"), &bounds, "counts below this part of both ends");
        let above = self.module.reals(&format!("{name}_narrow_above"), &excesses, "counts above both ends by so much");
        let steps = self.module.integers(&format!("{name}_narrow_steps"), &steps, "whether any extreme counts");
        let flanks = self.module.integers(&format!("{name}_narrow_flanks"), &flanks, "whether values are compared");
        let unknown = all.iter().any(|one| one.rate.is_none());
        let function = self.module.function(&format!("{name}_narrow_suspicious"), &[], &[Integer], |f| {
            let third = f.real("third", (arrays.time.at(0) - arrays.previous_time.at(0)) * (1.0 / 3.0));
            f.call(at_end, ());
            let suspicious = f.integer("suspicious", i64::from(unknown));
            f.for_each("k", 0, count, |f, k| {
                let [first, last] = [before, now].map(|ends| f.real("rate", ends.at(k + count)));
                f.note("Written as a negation, so that what is not a number counts.");
                let turns = (first * last).gt(0.0).or(first.eq_(last)).logical_not();
                f.if_(turns, |f| {
                    let [begin, end] = [before, now].map(|ends| f.real("end", ends.at(k)));
                    let controls =
                        [begin + first * third, end - last * third].map(|control| f.real("control", control));
                    let low = controls[0].min(controls[1]).lt(begin.min(end) * below.at(k));
                    let high = controls[0].max(controls[1]).gt(begin.max(end) + above.at(k));
                    f.assign(suspicious, suspicious.or(low.or(high)).or(steps.at(k).ne_(0)));
                });
                f.if_(flanks.at(k).ne_(0), |f| {
                    let [begin, end] = [before, now].map(|ends| f.real("value", ends.at(k + 2 * count)));
                    let same = (end - begin).abs().lt(begin.abs().max(end.abs()) * MUCH).or(begin.eq_(end));
                    f.assign(suspicious, suspicious.or(same.logical_not()));
                });
            });
            for (k, _) in angles(all) {
                let turned = (now.at(k) - before.at(k)).abs();
                f.assign(suspicious, suspicious.or(turned.gt(TURNED)));
            }
            f.return_(suspicious);
        });
        self.module.describe(function, "Whether the last step may have passed over something narrow.");
        function
    }

    /// `(begin, end) -> real`: where the last step passed over something that it knew nothing of; infinite if nowhere.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn inspect(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        looking: &Looking<'_>,
        integrator: &Integrator,
    ) -> FunctionId {
        let count = looking.all.len();
        let seen = looking.seen;
        let look = self.narrow_look(index, name, arrays, looking, integrator.sample);
        let flank = self.narrow_flank(name, seen, count, look, integrator.defect);
        let extreme = self.narrow_extreme(name, seen, look);
        let shares = self.module.reals(&format!("{name}_narrow_shares"), &PLACES, "where a step is looked at");
        let grid =
            self.module.real_array(&format!("{name}_narrow_grid"), 2 * count * PLACES.len(), "what is seen there");
        let ends = [("begin", Real), ("end", Real)];
        let function = self.module.function(&format!("{name}_narrow_inspect"), &ends, &[Real], |f| {
            let [begin, end] = f.parameters();
            for (k, _) in angles(looking.all) {
                let turned = f.real("turned", (looking.now.at(k) - looking.before.at(k)).abs());
                f.if_(turned.gt(MOST_TURNED), |f| f.return_(begin + (end - begin) * (MOST_TURNED * 0.5) / turned));
            }
            let last = PLACES.len() as i64 - 1;
            let time = |place: Expression| {
                let inside = begin + (end - begin) * shares.at(place.clone());
                place.eq_(last).select(end, inside)
            };
            f.for_each("place", 0, PLACES.len(), |f, place| {
                f.call(look, time(place.get()));
                f.for_each("k", 0, 2 * count, |f, k| f.store(grid, place * (2 * count as i64) + k, seen.at(k)));
            });
            let found = f.real("found", f64::INFINITY);
            f.for_each("k", 0, count, |f, k| {
                let argument = |place: Expression| grid.at(place * (2 * count as i64) + k);
                let value = |place: Expression| grid.at(place * (2 * count as i64) + k + count);
                let piece = |f: &mut FunctionBuilder,
                             from: Expression,
                             first: Expression,
                             to: Expression,
                             second: Expression| {
                    let place = f.call1(flank, (k.get(), from, first, to, second));
                    f.assign(found, found.min(place));
                };
                f.for_each("place", 1, PLACES.len(), |f, place| {
                    piece(f, time(place - 1), value(place - 1), time(place.get()), value(place.get()));
                    f.if_(place.lt(last), |f| {
                        let rise = f.real("rise", argument(place.get()) - argument(place - 1));
                        let further = f.real("further", argument(place + 1) - argument(place.get()));
                        let turns = (rise * further).gt(0.0).or(rise.eq_(further)).logical_not();
                        f.if_(turns, |f| {
                            let up = rise.gt(further).select(1.0, -1.0);
                            let [at, most] = f.call_n(extreme, (k.get(), time(place - 1), time(place + 1), up, count));
                            piece(f, time(place - 1), value(place - 1), at.get(), most.get());
                            piece(f, at.get(), most.get(), time(place + 1), value(place + 1));
                        });
                    });
                });
            });
            f.return_(found);
        });
        self.module.describe(function, "Where the last step passed over something narrow; infinite if nowhere.");
        function
    }

    /// `(t)`: arguments and values at a time of the last step.
    fn narrow_look(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        looking: &Looking<'_>,
        sample: FunctionId,
    ) -> FunctionId {
        let program = self.program;
        let function = self.module.declare(&format!("{name}_narrow_look"), &[("t", Real)], &[]);
        self.module.describe(function, "What may be narrow, at a time of the last step.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            body.f.call(sample, t);
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&program.integrals[index].states, arrays.sampled);
            let arguments = looking.all.iter().map(|one| one.argument);
            let rows: Vec<Row> = arguments.chain(looking.all.iter().map(|one| one.value)).enumerate().collect();
            body.store_rows(&Target { array: looking.seen, offset: 0.into() }, &rows, &mut scope);
        });
        function
    }

    /// `(k, from, first, to, second) -> real`: between two times, half-way from one value to the other, if the step knew nothing of it.
    fn narrow_flank(
        &mut self,
        name: &str,
        seen: ArrayId,
        count: usize,
        look: FunctionId,
        defect: FunctionId,
    ) -> FunctionId {
        let ends = [("from", Real), ("first", Real), ("to", Real), ("second", Real)];
        let parameters: Vec<_> = [("k", Integer)].into_iter().chain(ends).collect();
        let function = self.module.function(&format!("{name}_narrow_flank"), &parameters, &[Real], |f| {
            let k = f.parameter(0);
            let [from, first, to, second] = [1, 2, 3, 4].map(|at| f.parameter(at));
            let size = f.real("size", first.abs().max(second.abs()));
            let flat = (second - first).abs().lt(size * FLANK).or(first.eq_(second));
            f.if_(flat, |f| f.return_(f64::INFINITY));
            let finite =
                |value: LocalId| value.abs().le(BOUNDLESS).select(value, value.lt(0.0).select(-BOUNDLESS, BOUNDLESS));
            let rises = f.integer("rises", second.gt(first));
            for share in LEVELS {
                let level = f.real("level", finite(first) * (1.0 - share) + finite(second) * share);
                let [low, high] = [from, to].map(|end| f.real("end", end));
                f.for_each("halving", 0, HALVINGS, |f, _| {
                    let middle = f.real("middle", (low + high) * 0.5);
                    f.call(look, middle);
                    let beyond = seen.at(k + count).gt(level);
                    f.if_else(beyond.eq_(rises), |f| f.assign(high, middle), |f| f.assign(low, middle));
                });
                let [off, gross] = f.call_n(defect, high);
                f.if_(off.le(UNSEEN).and(gross.le(1.0)).logical_not(), |f| f.return_(high));
            }
            f.return_(f64::INFINITY);
        });
        self.module
            .describe(function, "Half-way from one value to another, if the step knew nothing of it; else infinite.");
        function
    }

    /// `(k, low, high, sign, count) -> (real, real)`: where an argument is most, or least, between two times, and the value there.
    fn narrow_extreme(&mut self, name: &str, seen: ArrayId, look: FunctionId) -> FunctionId {
        let ends = [("low", Real), ("high", Real), ("sign", Real), ("count", Integer)];
        let parameters: Vec<_> = [("k", Integer)].into_iter().chain(ends).collect();
        let function = self.module.function(&format!("{name}_narrow_extreme"), &parameters, &[Real, Real], |f| {
            let (k, count) = (f.parameter(0), f.parameter(4));
            let [low, high, sign] = [1, 2, 3].map(|at| f.parameter(at));
            let at = |f: &mut FunctionBuilder, t: Expression| {
                let t = f.real("t", t);
                f.call(look, t);
                (t, f.real("size", seen.at(k) * sign))
            };
            let (left, left_size) = at(f, high - (high - low) * GOLDEN);
            let (right, right_size) = at(f, low + (high - low) * GOLDEN);
            f.for_each("section", 0, SECTIONS, |f, _| {
                f.if_else(
                    left_size.gt(right_size),
                    |f| {
                        f.assign(high, right);
                        f.assign(right, left);
                        f.assign(right_size, left_size);
                        let (t, size) = at(f, high - (high - low) * GOLDEN);
                        f.assign(left, t);
                        f.assign(left_size, size);
                    },
                    |f| {
                        f.assign(low, left);
                        f.assign(left, right);
                        f.assign(left_size, right_size);
                        let (t, size) = at(f, low + (high - low) * GOLDEN);
                        f.assign(right, t);
                        f.assign(right_size, size);
                    },
                );
            });
            f.call(look, left);
            f.return_((left.get(), seen.at(k + count)));
        });
        self.module.describe(function, "Where an argument is most, or least, between two times, and the value there.");
        function
    }

    /// `(target, limit) -> integer`: steps as the integrator takes them, but none that passes over something.
    fn advance_with_care(
        &mut self,
        name: &str,
        arrays: &IntegratorArrays,
        looking: &Looking<'_>,
        [at_end, suspicious, inspect]: [FunctionId; 3],
        integrator: &Integrator,
    ) -> FunctionId {
        let IntegratorArrays { time, horizon, stop, .. } = *arrays;
        let &Looking { all, before, now, is_known, until, retaken, .. } = looking;
        let numbers = 3 * all.len();
        let parameters = [("target", Real), ("limit", Integer)];
        let function = self.module.function(&format!("{name}_narrow_advance"), &parameters, &[Integer], |f| {
            let [target, limit] = f.parameters();
            let given = f.real("given", stop.at(0));
            let goal = f.real("goal", target.min(horizon.at(0)).min(given));
            let keep = |f: &mut FunctionBuilder| {
                f.for_each("k", 0, numbers, |f, k| f.store(before, k, now.at(k)));
                f.store(is_known, 0, 1);
            };
            f.for_each("trial", 0, limit, |f, _| {
                let begin = f.real("begin", time.at(0));
                f.if_(begin.ge(goal), |f| f.return_(Integrator::REACHED));
                f.if_(is_known.at(0).eq_(0), |f| {
                    f.call(at_end, ());
                    keep(f);
                });
                f.store(stop, 0, given.min(until.at(0)));
                let status = f.call1(integrator.advance, (target, 1));
                f.store(stop, 0, given);
                f.if_(status.ge(Integrator::COLLAPSED), |f| f.return_(status));
                f.if_(time.at(0).gt(begin), |f| {
                    let is_suspicious = f.call1(suspicious, ());
                    let found = f.real("found", f64::INFINITY);
                    f.if_(is_suspicious.and(retaken.at(0).lt(MOST_RETAKEN)), |f| {
                        f.call_into(&[found], inspect, (begin, time.at(0)));
                    });
                    f.if_else(
                        found.gt(begin).and(found.lt(time.at(0))),
                        |f| {
                            f.call(integrator.retake, ());
                            f.store(until, 0, found);
                            f.store(retaken, 0, retaken.at(0) + 1);
                        },
                        |f| {
                            f.store(until, 0, f64::INFINITY);
                            f.store(retaken, 0, 0);
                            keep(f);
                        },
                    );
                });
            });
            f.return_(time.at(0).ge(goal).select(Integrator::REACHED, Integrator::LIMIT));
        });
        self.module
            .describe(function, "Steps as the integrator takes them, but none that passes over something narrow.");
        function
    }
}
