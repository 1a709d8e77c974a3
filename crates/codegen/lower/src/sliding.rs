//! Sliding along a border of switches, where the pieces on both sides lead back to it: a block that friction holds, a relay on its line.
//!
//! There the switch takes the value between its two for which the margin stays zero: the rate of the margin is affine in it (A. F. Filippov,
//! *Differential Equations with Discontinuous Righthand Sides*, §4). Several borders at once are a linear system. What is found is put
//! in and looked at: where the rates are not affine, the derivative refuses.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, Term, protocol};
use numerics::dense_solver;

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;

/// How far outside of its two values a switch may be, relative to their distance, before the motion leaves the border.
const BEYOND: f64 = 1e-9;
/// What may be left of a rate that ought to be zero, relative to what it is made of.
const NOT_AFFINE: f64 = 1e-6;
/// Sweeps over several borders that depend on one another.
const SWEEPS: usize = 1000;
/// Places of a step in which it is looked at whether the motion has left a border, and how often the instant is halved.
const LOOKS: usize = 8;
const HALVINGS: usize = 60;

#[derive(Clone, Copy)]
pub(crate) struct Sliding {
    values: ArrayId,
    /// Whether the motion slides along the border of each switch.
    pub slides: ArrayId,
    /// Whether it is open on which side of its border each belongs.
    pub undecided: ArrayId,
    /// How many borders the motion slides along.
    number: ArrayId,
    /// Which switches may slide, and how many do.
    sliders: ArrayId,
    count: usize,
    /// Of each of these: whether it takes part, the rate of its margin while all that take part are 0, and by how much that of each rises
    /// with each, row by row.
    free: ArrayId,
    base: ArrayId,
    influence: ArrayId,
    pub rates: ArrayId,
}

/// What is done after each step while the motion slides.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// `(begin, end) -> (integer, real)`: when the motion left a border in the last step; infinite if it did not.
    pub left: FunctionId,
    /// `(t) -> integer`: moves the state back onto the borders.
    pub correct: FunctionId,
}

impl Sliding {
    pub fn forget(&self, f: &mut FunctionBuilder) {
        let length = f.module().length(self.slides);
        f.for_each("i", 0, length, |f, i| f.store(self.slides, i, 0));
        f.store(self.number, 0, 0);
    }

    /// Whether the motion slides now.
    pub fn is_on(&self) -> Expression {
        self.number.at(0).gt(0)
    }
}

impl<'p> Lowering<'p> {
    /// None if no switch can slide.
    pub fn declare_sliding(&mut self, values: ArrayId) -> Option<Sliding> {
        let switches = self.program.switches.as_ref()?;
        let sliders: Vec<i64> =
            (0..).zip(&switches.all).filter(|(_, switch)| switch.on_states).map(|(at, _)| at).collect();
        let (all, count) = (switches.all.len(), sliders.len());
        if count == 0 {
            return None;
        }
        let module = &mut self.module;
        Some(Sliding {
            values,
            slides: module.integer_array("slides", all, "whether the motion slides along each border"),
            undecided: module.integer_array("slides_perhaps", all, "whether it may"),
            number: module.integer_array("sliding", 1, "along how many borders it slides"),
            sliders: module.integers("sliders", &sliders, "the switches that may slide"),
            count,
            free: module.integer_array("sliders_free", count, "whether each takes part"),
            base: module.real_array("sliders_base", count, "the rate of each margin while all are 0"),
            influence: module.real_array("sliders_influence", count * count, "how each margin's rate rises with each"),
            rates: module.real_array("sliders_rates", count, "the rate of each margin"),
        })
    }

    /// The derivative of an integral along whose borders the motion may slide.
    pub fn sliding_derivative(
        &mut self,
        name: &str,
        arrays: &numerics::IntegratorArrays,
        derivative: FunctionId,
    ) -> FunctionId {
        let Some(sliding) = self.switching.and_then(|switching| switching.sliding) else { return derivative };
        let gradients = self.gradients(sliding, arrays);
        let rate = self.rate(sliding, arrays);
        if arrays.method.is_implicit() {
            return derivative;
        }
        let influences = self.influences(sliding, gradients, rate, derivative);
        let keep = self.keep(sliding, arrays);
        let Sliding { values, slides, sliders, count, free, base, influence, rates, .. } = sliding;
        let solver = dense_solver(&mut self.module, "sliders", count);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let kept = self.module.real_array("sliders_kept", count, "what each was a moment ago");
        let parameters = [("t", Real), ("offset", Integer)];
        self.module.function(&format!("{name}_sliding_derivative"), &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            f.if_(sliding.is_on().logical_not(), |f| {
                let status = f.call1(derivative, (t, offset));
                f.return_(status);
            });
            f.for_each("k", 0, count, |f, k| {
                f.store(free, k, slides.at(sliders.at(k)));
                f.store(kept, k, values.at(sliders.at(k)));
            });
            attempt(f, influences, (t, offset));
            f.for_each("k", 0, count, |f, k| {
                f.store(solver.right, k, free.at(k).ne_(0).select(-base.at(k), 0.0));
                f.for_each("j", 0, count, |f, j| {
                    let both = free.at(k).and(free.at(j)).ne_(0);
                    let alone = k.eq_(j).to_real();
                    f.store(solver.matrix, k * count + j, both.select(influence.at(k * count + j), alone));
                });
            });
            let singular = f.call1(solver.solve, ());
            f.for_each("k", 0, count, |f, k| {
                f.note("Where a switch has no influence any more, it is about to be let go, and stays what it was.");
                let found = singular.eq_(0).select(solver.right.at(k), kept.at(k));
                f.if_(free.at(k).ne_(0), |f| f.store(values, sliders.at(k), found));
            });
            let status = f.call1(derivative, (t, offset));
            f.if_(status.ne_(0), |f| f.return_(status));
            f.call(rate, offset);
            f.note("What rounding leaves of the rates of margins is taken away, so that what rests, rests.");
            f.call(keep, offset);
            f.for_each("k", 0, count, |f, k| {
                let value = f.real("value", values.at(sliders.at(k)));
                let size = base.at(k).abs() + (influence.at(k * count + k) * value).abs();
                let wrong = rates.at(k).abs().le(size * NOT_AFFINE).logical_not();
                f.if_(free.at(k).ne_(0).and(wrong).and(singular.eq_(0)), |f| {
                    f.store(failure, 0, sliders.at(k));
                    f.store(failure_values, 0, t);
                    f.return_(protocol::SWITCHING);
                });
            });
            f.return_(protocol::DONE);
        })
    }

    /// `(t, offset) -> integer`: at the stage, how the rates of margins depend on the switches that take part.
    fn influences(
        &mut self,
        sliding: Sliding,
        gradients: FunctionId,
        rate: FunctionId,
        derivative: FunctionId,
    ) -> FunctionId {
        let Sliding { values, sliders, count, free, base, influence, rates, .. } = sliding;
        let parameters = [("t", Real), ("offset", Integer)];
        let function = self.module.function("sliders_influences", &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            f.call(gradients, t);
            f.for_each("k", 0, count, |f, k| f.if_(free.at(k).ne_(0), |f| f.store(values, sliders.at(k), 0.0)));
            let status = f.call1(derivative, (t, offset));
            f.if_(status.ne_(0), |f| f.return_(status));
            f.call(rate, offset);
            f.for_each("k", 0, count, |f, k| f.store(base, k, rates.at(k)));
            f.for_each("j", 0, count, |f, j| {
                f.if_(free.at(j).ne_(0), |f| {
                    f.store(values, sliders.at(j), 1.0);
                    let status = f.call1(derivative, (t, offset));
                    f.if_(status.ne_(0), |f| f.return_(status));
                    f.call(rate, offset);
                    f.for_each("k", 0, count, |f, k| f.store(influence, k * count + j, rates.at(k) - base.at(k)));
                    f.store(values, sliders.at(j), 0.0);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "How the rates of margins depend on the switches that take part.");
        function
    }

    /// `(t)`: the slopes of margins at the stage.
    fn gradients(&mut self, sliding: Sliding, arrays: &numerics::IntegratorArrays) -> FunctionId {
        let program = self.program;
        let switches = program.switches.as_ref().expect("some of them slide");
        let place = |switch: usize| switches.all[..switch].iter().filter(|switch| switch.on_states).count();
        let of: Vec<i64> = switches.gradients.iter().map(|&(switch, _, _)| place(switch) as i64).collect();
        let by: Vec<i64> = switches.gradients.iter().map(|&(_, state, _)| state as i64).collect();
        self.module.integers("sliders_of", &of, "the margin that each slope is of");
        self.module.integers("sliders_by", &by, "the state that each slope is by");
        let slopes = self.module.real_array("sliders_slopes", of.len(), "slopes of margins by states");
        let by_time = self.module.real_array("sliders_by_time", sliding.count, "slopes of margins by time");
        let function = self.module.declare("sliders_gradients", &[("t", Real)], &[]);
        self.module.describe(function, "The slopes of margins at the stage.");
        self.define(function, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            program.integrals.iter().for_each(|integral| scope.bind_states(&integral.states, arrays.stage));
            let entries: Vec<_> = switches.gradients.iter().map(|&(_, _, slope)| slope).collect();
            let times = switches.all.iter().zip(&switches.time_slopes).filter(|(switch, _)| switch.on_states);
            let times: Vec<_> = times.map(|(_, &slope)| slope).collect();
            let values = body.emit(&entries, &mut scope);
            body.store_all(slopes, values);
            let values = body.emit(&times, &mut scope);
            body.store_all(by_time, values);
        });
        function
    }

    /// `(offset)`: the rate of each margin, from its slopes and the rates of the states.
    fn rate(&mut self, sliding: Sliding, arrays: &numerics::IntegratorArrays) -> FunctionId {
        let found = |name: &str| self.module.module().find_array(name).expect("it was made just now");
        let [of, by, slopes, by_time] = ["sliders_of", "sliders_by", "sliders_slopes", "sliders_by_time"].map(found);
        let (entries, count, rates) = (self.module.length(of), sliding.count, sliding.rates);
        let function = self.module.function("sliders_rate", &[("offset", Integer)], &[], |f| {
            let [offset] = f.parameters();
            f.for_each("k", 0, count, |f, k| f.store(rates, k, by_time.at(k)));
            f.for_each("e", 0, entries, |f, e| {
                let k = f.integer("k", of.at(e));
                f.store(rates, k, rates.at(k) + slopes.at(e) * arrays.slopes.at(offset + by.at(e)));
            });
        });
        self.module.describe(function, "The rate of each margin.");
        function
    }

    /// `(offset)`: takes from the rates of the states what they would move the margins of those that take part by.
    fn keep(&mut self, sliding: Sliding, arrays: &numerics::IntegratorArrays) -> FunctionId {
        let found = |name: &str| self.module.module().find_array(name).expect("it was made just now");
        let [of, by, slopes] = ["sliders_of", "sliders_by", "sliders_slopes"].map(found);
        let (entries, count, rates, free) = (self.module.length(of), sliding.count, sliding.rates, sliding.free);
        let sizes = self.module.real_array("sliders_sizes", count, "squares of the slopes of each margin");
        let function = self.module.function("sliders_keep", &[("offset", Integer)], &[], |f| {
            let [offset] = f.parameters();
            f.for_each("k", 0, count, |f, k| f.store(sizes, k, 0.0));
            f.for_each("e", 0, entries, |f, e| {
                let k = f.integer("k", of.at(e));
                f.store(sizes, k, sizes.at(k) + slopes.at(e) * slopes.at(e));
            });
            f.for_each("e", 0, entries, |f, e| {
                let k = f.integer("k", of.at(e));
                f.if_(free.at(k).ne_(0).and(sizes.at(k).gt(0.0)), |f| {
                    let state = f.integer("state", offset + by.at(e));
                    let part = rates.at(k) * slopes.at(e) / sizes.at(k);
                    f.store(arrays.slopes, state, arrays.slopes.at(state) - part);
                });
            });
        });
        self.module.describe(function, "Takes from the rates of the states what would move the margins that are kept.");
        function
    }

    /// `(t) -> integer`: on which side of its border each undecided switch belongs, or that the motion slides along it: where the lower
    /// piece leads up and the upper one down. Several are a complementarity problem, solved one after the other until nothing changes.
    pub fn decide_sliding(&mut self, sliding: Sliding, all: usize, lowered: &LoweredIntegral) -> FunctionId {
        let Sliding { values, slides, undecided, number, sliders, count, free, base, influence, .. } = sliding;
        let influences = self.module.module().find_function("sliders_influences").expect("it was made before");
        let arrays = lowered.arrays;
        let states = lowered.states;
        let before = self.module.real_array("sliders_before", count, "what each was before it was decided");
        let chosen = self.module.real_array("sliders_chosen", count, "what each becomes");
        let function = self.module.function("sliders_decide", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
            f.for_each("k", 0, count, |f, k| {
                f.store(free, k, undecided.at(sliders.at(k)));
                f.store(before, k, values.at(sliders.at(k)));
                f.store(chosen, k, 0.0);
            });
            attempt(f, influences, (t, states));
            let changed = f.integer("changed", 1);
            f.for_each("sweep", 0, SWEEPS, |f, _| {
                f.if_(changed.eq_(0), |f| f.break_());
                f.assign(changed, 0);
                f.for_each("k", 0, count, |f, k| {
                    f.if_(free.at(k).ne_(0), |f| {
                        let low = f.real("low", base.at(k));
                        f.for_each("j", 0, count, |f, j| {
                            let other = free.at(j).ne_(0).and(j.ne_(k));
                            f.if_(other, |f| f.increase(low, influence.at(k * count + j) * chosen.at(j)));
                        });
                        let rise = f.real("rise", influence.at(k * count + k));
                        let high = f.real("high", low + rise);
                        let between = low.ge(0.0).and(high.le(0.0)).and(rise.lt(0.0));
                        let up = low.ge(0.0).and(high.ge(0.0)).and(low.gt(0.0).or(high.gt(0.0)));
                        let down = low.le(0.0).and(high.le(0.0)).and(low.lt(0.0).or(high.lt(0.0)));
                        let side = up.select(1.0, down.select(0.0, before.at(k).gt(0.5).to_real()));
                        let next = f.real("next", between.select(-low / rise, side));
                        f.if_(next.ne_(chosen.at(k)), |f| f.assign(changed, 1));
                        f.store(chosen, k, next);
                    });
                });
            });
            f.for_each("k", 0, count, |f, k| {
                f.if_(free.at(k).ne_(0), |f| {
                    let value = f.real("value", chosen.at(k));
                    f.store(values, sliders.at(k), value);
                    f.store(slides, sliders.at(k), value.gt(0.0).and(value.lt(1.0)));
                });
            });
            f.store(number, 0, 0);
            f.for_each("i", 0, all, |f, i| f.store(number, 0, number.at(0) + slides.at(i)));
            f.return_(protocol::DONE);
        });
        self.module
            .describe(function, "On which side of its border each undecided switch belongs, or whether it slides.");
        function
    }

    pub fn watch_sliding(&mut self, sliding: Sliding, margins: ArrayId, lowered: &LoweredIntegral) -> Watch {
        let left = self.left(sliding);
        let correct = self.correct(sliding, margins, lowered);
        Watch { left, correct }
    }

    fn left(&mut self, sliding: Sliding) -> FunctionId {
        let Sliding { values, slides, sliders, count, .. } = sliding;
        let sample = self.module.module().find_function(protocol::SAMPLE).expect("it was made before");
        let outside = self.module.function("sliders_outside", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let status = f.call1(sample, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            let any = f.integer("any", 0);
            f.for_each("k", 0, count, |f, k| {
                let value = f.real("value", values.at(sliders.at(k)));
                let beyond = value.lt(-BEYOND).or(value.gt(1.0 + BEYOND));
                f.assign(any, any.or(slides.at(sliders.at(k)).and(beyond)));
            });
            f.return_((protocol::DONE, any));
        });
        let ends = [("begin", Real), ("end", Real)];
        let function = self.module.function("sliders_left", &ends, &[Integer, Real], |f| {
            let [begin, end] = f.parameters();
            f.if_(sliding.is_on().logical_not(), |f| f.return_((protocol::DONE, f64::INFINITY)));
            let low = f.real("low", begin);
            let look = |f: &mut FunctionBuilder, t| {
                let [status, is_outside] = f.call_n(outside, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                is_outside
            };
            f.for_each("k", 1, LOOKS + 1, |f, k| {
                let share = k.to_real() / LOOKS as f64;
                let last = k.eq_(LOOKS as i64);
                let high = f.real("high", last.select(end, begin + (end - begin) * share));
                let is_outside = look(f, high);
                f.if_(is_outside, |f| {
                    f.for_each("halving", 0, HALVINGS, |f, _| {
                        let middle = f.real("middle", (low + high) * 0.5);
                        f.if_(middle.gt(low).and(middle.lt(high)).logical_not(), |f| f.break_());
                        let is_outside = look(f, middle);
                        f.if_else(is_outside, |f| f.assign(high, middle), |f| f.assign(low, middle));
                    });
                    f.return_((protocol::DONE, high));
                });
                f.assign(low, high);
            });
            f.return_((protocol::DONE, f64::INFINITY));
        });
        self.module.describe(function, "When the motion left a border in the last step; infinite if it did not.");
        function
    }

    fn correct(&mut self, sliding: Sliding, margins: ArrayId, lowered: &LoweredIntegral) -> FunctionId {
        let Sliding { slides, sliders, count, .. } = sliding;
        let arrays = lowered.arrays;
        let found = |name: &str| self.module.module().find_array(name);
        let tables = ["sliders_of", "sliders_by", "sliders_slopes"].map(found);
        let functions = ["switch_look", "sliders_gradients"].map(|name| self.module.module().find_function(name));
        let (states, after_step, moved) = (lowered.states, lowered.after_step, lowered.integrator.moved);
        self.module.function("sliders_correct", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            if let ([Some(of), Some(by), Some(slopes)], [Some(look), Some(gradients)]) = (tables, functions) {
                f.if_(sliding.is_on().logical_not(), |f| f.return_(protocol::DONE));
                attempt(f, look, t);
                f.for_each("i", 0, states, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
                f.call(gradients, t);
                let entries = f.module().length(of);
                f.for_each("k", 0, count, |f, k| {
                    f.if_(slides.at(sliders.at(k)).ne_(0), |f| {
                        let size = f.real("size", 0.0);
                        f.for_each("e", 0, entries, |f, e| {
                            f.if_(of.at(e).eq_(k), |f| f.increase(size, slopes.at(e) * slopes.at(e)));
                        });
                        let share = f.real("share", margins.at(sliders.at(k)) / size);
                        f.if_(size.gt(0.0), |f| {
                            f.for_each("e", 0, entries, |f, e| {
                                f.if_(of.at(e).eq_(k), |f| {
                                    let state = f.integer("state", by.at(e));
                                    f.store(arrays.state, state, arrays.state.at(state) - share * slopes.at(e));
                                });
                            });
                        });
                    });
                });
                if let Some(after_step) = after_step {
                    let status = f.call1(after_step, t);
                    f.if_(status.gt(0), |f| f.return_(status));
                }
                f.call(moved, t);
            }
            f.return_(protocol::DONE);
        })
    }
}
