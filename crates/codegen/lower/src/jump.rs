//! Jumps: where something that is prescribed jumps, its rate is an impulse, and the states on whose rates that acts jump with it.
//!
//! The rates of states are affine in impulses, since accelerations and forces of constraint follow from linear systems. So the jump of the
//! states is what the impulses add to their rates: a cart that sets off at once makes the bob swing, through whatever joints are between.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};

use crate::integral::LoweredIntegral;
use crate::lower::Lowering;
use crate::search::attempt;
use crate::sliding::RowRates;
use crate::switches::Switching;

/// What is smaller, relative to what jumps, or in SI units, is rounding.
const ROUNDING: f64 = 1e-11;
const NOTHING: f64 = 1e-13;
/// So far beside a border, in units of what rounding may leave of its margin, something is put that is on it.
const BESIDE: f64 = 0.01;
/// How far from affine rates may be in impulses, relative to what these add.
const NOT_AFFINE: f64 = 1e-6;
/// In so many steps of order four a ramp is followed that takes no time: then e is off by 3e-13.
const RAMP: usize = 512;

#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// `(t) -> integer`: notes what may jump, before switches turn.
    pub before: FunctionId,
    /// `(t) -> (integer, integer)`: moves the states by what jumped; a status, and whether anything did.
    pub happen: FunctionId,
    /// `()`: notes what conditions say where the integration begins, where something may be on a border.
    pub begin: Option<FunctionId>,
    /// Whether it says itself on which sides of their borders the switches are that it is about.
    pub decides: bool,
}

/// Switches before and after they turned.
#[derive(Clone, Copy)]
struct Turned {
    count: usize,
    values: ArrayId,
    before: ArrayId,
    after: ArrayId,
    /// Which may be corners of paths.
    leads: ArrayId,
}

/// `(t) -> integer`: what impulses add to the rates at the state, and what rounding may leave of that.
struct Push {
    function: FunctionId,
    pushed: ArrayId,
    rounding: ArrayId,
}

impl<'p> Lowering<'p> {
    /// None if nothing whose rate matters can jump.
    pub fn jump(&mut self, switching: Switching, sample: FunctionId, integrals: &[LoweredIntegral]) -> Option<Jump> {
        let switches_of = self.program.switches.as_ref()?;
        let [lowered] = integrals else { return None };
        let (count, impulses) = (switches_of.jumping.results.len(), switches_of.impulses.len());
        if count == 0 {
            return None;
        }
        let now = self.module.real_array("jumping", count, "what may jump");
        let past = self.module.real_array("jumping_before", count, "what it was before switches turned");
        let evaluate = self.evaluation("jumping_evaluate", &switches_of.jumping, now, integrals);
        let mut switches =
            |what: &str, note| self.module.real_array(&format!("jumping_switches_{what}"), switching.count, note);
        let (before, after) = (switches("before", "before they turned"), switches("after", "after they turned"));
        // Round a corner of a path a ramp would lead as a wire does that is rounded; that corners are refused is for `kink` to say.
        let leads = switches_of.all.iter().map(|one| i64::from(one.in_space && switches_of.kinetic.is_some()));
        let mut leads: Vec<i64> = leads.collect();
        leads.resize(switching.count, 1);
        let leads = self.module.integers("jumping_leads", &leads, "switches whose borders may be corners of paths");
        let turned = Turned { count: switching.count, values: switching.values, before, after, leads };
        let before = self.module.function("jumping_note", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, turned.count, |f, i| f.store(turned.before, i, turned.values.at(i)));
            attempt(f, sample, t);
            attempt(f, evaluate, t);
            f.for_each("k", 0, count, |f, k| f.store(past, k, now.at(k)));
            f.return_(protocol::DONE);
        });
        let moves = (impulses > 0).then(|| self.moves(impulses, [now, past], turned, lowered));
        let (failure, failure_values) = (self.failure, self.failure_values);
        let happen = self.module.function("jumping_happen", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let status = f.call1(evaluate, t);
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            let jumped = f.integer("jumped", 0);
            f.for_each("k", 0, count, |f, k| {
                let size = now.at(k).abs().max(past.at(k).abs());
                f.if_((now.at(k) - past.at(k)).abs().gt((size * ROUNDING).max(NOTHING)), |f| {
                    f.if_(k.ge(impulses), |f| {
                        f.store(failure, 0, k);
                        f.store(failure_values, 0, t);
                        f.store(failure_values, 1, now.at(k) - past.at(k));
                        f.return_((protocol::LEAPING, 0));
                    });
                    f.assign(jumped, 1);
                });
            });
            if let Some(moves) = moves {
                f.if_(jumped, |f| {
                    let status = f.call1(moves, t);
                    f.if_(status.ne_(protocol::DONE), |f| f.return_((status, 0)));
                });
            }
            f.return_((protocol::DONE, jumped));
        });
        self.module.describe(happen, "Moves the states by what jumped, if anything did.");
        Some(Jump { before, happen, begin: None, decides: false })
    }

    /// `(t) -> integer`: moves the states by what the impulses add to their rates.
    ///
    /// What an impulse is multiplied with may jump with it: the states that it moves, as in `q' == q * der(step)`, and the switches that turn. Then
    /// the jump is what a ramp leads to that takes no time: switches go evenly from what they were to what they are, and the states are
    /// integrated along.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn moves(
        &mut self,
        count: usize,
        [now, past]: [ArrayId; 2],
        turned: Turned,
        lowered: &LoweredIntegral,
    ) -> FunctionId {
        let impulses = self.module.module().find_array("impulses").expect("it was made before");
        let push = self.push(count, [now, past, impulses], lowered);
        let (n, state) = (lowered.states, lowered.arrays.state);
        let mut array = |what: &str, length, note| self.module.real_array(&format!("jumping_{what}"), length, note);
        let origin = array("origin", n, "the states before a jump");
        let first = array("first", n, "what the impulses add to their rates there");
        let sum = array("sum", n, "of what they add along a ramp");
        let Push { function: push, pushed, rounding } = push;
        let function = self.module.function("jumping_moves", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let on_ramp = |f: &mut FunctionBuilder, share: Expression| {
                let share = f.real("share", share);
                f.for_each("i", 0, turned.count, |f, i| {
                    let (from, to) = (turned.before.at(i), turned.after.at(i));
                    f.store(turned.values, i, share.eq_(1.0).select(to.clone(), from.clone() + (to - from) * share));
                });
            };
            f.for_each("i", 0, turned.count, |f, i| f.store(turned.after, i, turned.values.at(i)));
            attempt(f, push, t);
            f.for_each("i", 0, n, |f, i| {
                f.store(origin, i, state.at(i));
                f.store(first, i, pushed.at(i));
            });
            let differs = f.integer("differs", 0);
            let leads = f.integer("leads", 0);
            f.for_each("i", 0, turned.count, |f, i| {
                let turns = turned.before.at(i).ne_(turned.after.at(i));
                f.assign(leads, leads.or(turns.and(turned.leads.at(i).ne_(0))));
            });
            f.if_(leads, |f| {
                f.for_each("i", 0, n, |f, i| f.store(state, i, origin.at(i) + first.at(i)));
                f.return_(protocol::DONE);
            });
            let compare = |f: &mut FunctionBuilder| {
                f.for_each("i", 0, n, |f, i| {
                    let off = (pushed.at(i) - first.at(i)).abs();
                    f.assign(differs, differs.or(off.gt(first.at(i).abs() * NOT_AFFINE + rounding.at(i))));
                });
            };
            on_ramp(f, Expression::from(0.0));
            let status = f.call1(push, t);
            f.if_(status.eq_(protocol::DONE), compare);
            on_ramp(f, Expression::from(1.0));
            f.for_each("i", 0, n, |f, i| f.store(state, i, origin.at(i) + first.at(i)));
            let status = f.call1(push, t);
            f.if_(status.eq_(protocol::DONE), compare);
            f.if_(differs.eq_(0), |f| f.return_(protocol::DONE));
            f.note("Runge and Kutta's method along the ramp.");
            f.for_each("i", 0, n, |f, i| f.store(state, i, origin.at(i)));
            let part = 1.0 / RAMP as f64;
            f.for_each("step", 0, RAMP, |f, step| {
                f.for_each("i", 0, n, |f, i| {
                    f.store(origin, i, state.at(i));
                    f.store(sum, i, 0.0);
                });
                for (place, weight, next) in [(0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0)] {
                    on_ramp(f, (step.to_real() + place) * part);
                    let status = f.call1(push, t);
                    f.if_(status.ne_(protocol::DONE), |f| f.return_(status));
                    f.for_each("i", 0, n, |f, i| {
                        f.store(sum, i, sum.at(i) + pushed.at(i) * (weight * part / 6.0));
                        f.store(state, i, origin.at(i) + pushed.at(i) * (next * part));
                    });
                }
                f.for_each("i", 0, n, |f, i| f.store(state, i, origin.at(i) + sum.at(i)));
            });
            on_ramp(f, Expression::from(1.0));
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "Moves the states by what the impulses add to their rates.");
        function
    }

    /// What the impulses add to the rates at the state, whatever the switches are.
    fn push(&mut self, count: usize, [now, past, impulses]: [ArrayId; 3], lowered: &LoweredIntegral) -> Push {
        let (n, arrays, derivative) = (lowered.states, lowered.arrays, lowered.derivative);
        let settles = lowered.implicit.is_some().then_some(lowered.integrator.moved);
        let mut array = |what: &str, length, note| self.module.real_array(&format!("jumping_{what}"), length, note);
        let rates = array("rates", 3 * n, "of the states, without impulses, with, and with twice as much");
        let pushed = array("pushed", n, "what the impulses add to the rates of the states");
        let rounding = array("rounding", n, "what rounding may leave of that");
        let (failure, failure_values) = (self.failure, self.failure_values);
        let function = self.module.function("jumping_push", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let rates_with = |f: &mut FunctionBuilder, times: f64, place: usize| {
                f.for_each("k", 0, count, |f, k| f.store(impulses, k, (now.at(k) - past.at(k)) * times));
                if let Some(settle) = settles {
                    attempt(f, settle, t);
                }
                f.for_each("i", 0, arrays.size, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
                // Between steps the place of the second slope is free.
                let status = f.call1(derivative, (t, arrays.size));
                f.if_(status.ne_(0), |f| {
                    f.for_each("k", 0, count, |f, k| f.store(impulses, k, 0.0));
                    f.return_(status);
                });
                f.for_each("i", 0, n, |f, i| f.store(rates, i + place * n, arrays.slopes.at(i + arrays.size)));
            };
            for (times, place) in [(1.0, 1), (2.0, 2), (0.0, 0)] {
                rates_with(f, times, place);
            }
            let rate = |place: usize, i: LocalId| rates.at(i + place * n);
            f.for_each("i", 0, n, |f, i| {
                let change = f.real("change", rate(1, i) - rate(0, i));
                let bent = f.real("bent", rate(2, i) - rate(1, i) - change);
                f.store(rounding, i, (rate(0, i).abs() + rate(2, i).abs()) * ROUNDING + NOTHING);
                f.if_(bent.abs().le(change.abs() * NOT_AFFINE + rounding.at(i)).logical_not(), |f| {
                    f.store(failure, 0, 0);
                    f.store(failure_values, 0, t);
                    f.store(failure_values, 1, change);
                    f.return_(protocol::LEAPING);
                });
                f.store(pushed, i, change);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "What the impulses add to the rates of the states.");
        Push { function, pushed, rounding }
    }

    /// What crosses a step of a potential gets an impulse along the normal of its border, such that energy is kept: ġ² changes by twice
    /// what a unit of that impulse makes of ġ. Where there is too little of it, what comes is thrown back, and the switch with it.
    /// None if no potential has a step in space.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn kick(&mut self, switching: Switching, lowered: &LoweredIntegral) -> Option<Jump> {
        let switches = self.program.switches.as_ref()?;
        if switches.borders.is_empty() {
            return None;
        }
        let at: Vec<i64> = switches.borders.iter().map(|&(at, _)| at as i64).collect();
        let slider =
            |at: usize| switches.sliders.iter().position(|&slider| slider == at).expect("it is on states") as i64;
        let sliders: Vec<i64> = switches.borders.iter().map(|&(at, _)| slider(at)).collect();
        let number = at.len();
        let border_of: Vec<i64> = switches.all.iter().map(|switch| switch.border as i64).collect();
        let border_of = self.module.integers("switch_border", &border_of, "the first switch with the margin of each");
        let at = self.module.integers("border_switch", &at, "the switch of each border");
        let sliders = self.module.integers("border_slider", &sliders, "the place of its rate");
        let past = self.module.real_array("switch_before", switching.count, "switches before they turned");
        let before = self.module.function("switch_note", &[("t", Real)], &[Integer], |f| {
            f.for_each("i", 0, switching.count, |f, i| f.store(past, i, switching.values.at(i)));
            f.return_(protocol::DONE);
        });
        let array = |name: &str| self.module.module().find_array(name).expect("it was made before");
        let [at_zero, counts] = ["switch_at_zero", "switch_is_count"].map(array);
        let begin = self.module.function("border_begin", &[], &[], |f| {
            f.for_each("i", 0, switching.count, |f, i| f.store(past, i, switching.values.at(i)));
            f.for_each("b", 0, number, |f, b| {
                let i = f.integer("i", at.at(b));
                let on_border = switching.margins.at(i).eq_(0.0).and(counts.at(i).eq_(0));
                f.if_(on_border, |f| {
                    f.for_each("j", 0, switching.count, |f, j| {
                        f.if_(border_of.at(j).eq_(i), |f| f.store(past, j, at_zero.at(j)));
                    });
                });
            });
        });
        let kick = self.kick_at(sliders, lowered);
        let place = self.place_beside(switching, sliders, lowered);
        let happen = self.module.function("border_happen", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let kicked = f.integer("kicked", 0);
            f.for_each("b", 0, number, |f, b| {
                let i = f.integer("i", at.at(b));
                let rises = f.real("rises", switching.values.at(i) - past.at(i));
                f.if_(rises.ne_(0.0), |f| {
                    let up = f.real("up", rises.gt(0.0).select(1.0, -1.0));
                    let [status, passed] = f.call_n(kick, (b.get(), t.get(), up.get()));
                    f.if_(status.ne_(protocol::DONE), |f| f.return_((status, 0)));
                    f.if_(passed.eq_(0), |f| {
                        f.for_each("j", 0, switching.count, |f, j| {
                            f.if_(border_of.at(j).eq_(i), |f| f.store(switching.values, j, past.at(j)));
                        });
                    });
                    f.if_(counts.at(i).eq_(0), |f| {
                        let side = passed.select(up, -up.get());
                        let status = f.call1(place, (b.get(), i.get(), t.get(), side));
                        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
                    });
                    f.assign(kicked, 1);
                });
            });
            f.return_((protocol::DONE, kicked));
        });
        self.module.describe(happen, "Kicks what crosses a step of a potential.");
        Some(Jump { before, happen, begin: Some(begin), decides: true })
    }

    /// `(border, switch, t, side) -> integer`: moves the state, which is on a border but for rounding, to this side of it, so that whoever
    /// looks at the potential there sees the one that belongs to the velocity.
    fn place_beside(&mut self, switching: Switching, sliders: ArrayId, lowered: &LoweredIntegral) -> FunctionId {
        let function = |name: &str| self.module.module().find_function(name).expect("it was made before");
        let [look, gradients] = ["switch_look", "sliders_gradients"].map(function);
        let array = |name: &str| self.module.module().find_array(name).expect("it was made before");
        let [of, by, slopes] = ["sliders_of", "sliders_by", "sliders_slopes"].map(array);
        let (entries, arrays, margins) = (self.module.length(of), lowered.arrays, switching.margins);
        let parameters = [("border", Integer), ("i", Integer), ("t", Real), ("side", Real)];
        let function = self.module.function("border_place", &parameters, &[Integer], |f| {
            let [border, i, t, side] = f.parameters();
            attempt(f, look, t);
            let margin = f.real("margin", margins.at(i));
            f.if_((margin * side).gt(0.0), |f| f.return_(protocol::DONE));
            f.for_each("j", 0, arrays.size, |f, j| f.store(arrays.stage, j, arrays.state.at(j)));
            f.call(gradients, t);
            let own = |e: LocalId| of.at(e).eq_(sliders.at(border));
            let size = f.real("size", 0.0);
            f.for_each("e", 0, entries, |f, e| f.if_(own(e), |f| f.increase(size, slopes.at(e) * slopes.at(e))));
            let least = margins.at(i + switching.count) * BESIDE;
            let share = f.real("share", (side * margin.abs().max(least) - margin) / size);
            f.if_(size.gt(0.0), |f| {
                f.for_each("e", 0, entries, |f, e| {
                    f.if_(own(e), |f| {
                        let state = f.integer("state", by.at(e));
                        f.store(arrays.state, state, arrays.state.at(state) + share * slopes.at(e));
                    });
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(function, "Moves the state from a border to one side of it.");
        function
    }

    /// `(border, t, direction) -> (integer, integer)`: a status, and whether the border is passed.
    fn kick_at(&mut self, sliders: ArrayId, lowered: &LoweredIntegral) -> FunctionId {
        let borders = self.module.module().find_array("borders").expect("it was made before");
        let RowRates { gradients, rate } = lowered.row_rates.expect("borders have rates");
        let margin_rates = self.switching.and_then(|switching| switching.sliding).expect("it has rates").rates;
        let (n, arrays, derivative) = (lowered.states, lowered.arrays, lowered.derivative);
        let settles = lowered.implicit.is_some().then_some(lowered.integrator.moved);
        let kicks = self.module.real_array("border_kick", 2 * n, "rates of the states, then what a unit makes of them");
        let parameters = [("border", Integer), ("t", Real), ("direction", Real)];
        let function = self.module.function("border_kick_at", &parameters, &[Integer, Integer], |f| {
            let border = f.parameter(0);
            let (t, direction) = (f.parameter(1), f.parameter(2));
            // The rates at the state, and there the rate of the margin.
            let look = |f: &mut FunctionBuilder, strength: f64, place: Option<usize>| {
                f.store(borders, border, strength);
                if let Some(settle) = settles {
                    let status = f.call1(settle, t);
                    f.if_(status.ne_(0), |f| f.return_((status, 0)));
                }
                f.for_each("i", 0, arrays.size, |f, i| f.store(arrays.stage, i, arrays.state.at(i)));
                let status = f.call1(derivative, (t, arrays.size));
                f.if_(status.ne_(0), |f| f.return_((status, 0)));
                if let Some(place) = place {
                    f.for_each("i", 0, n, |f, i| f.store(kicks, i + place * n, arrays.slopes.at(i + arrays.size)));
                }
                f.call(gradients, t);
                f.call(rate, arrays.size);
                f.real("margin_rate", margin_rates.at(sliders.at(border)))
            };
            look(f, 1.0, Some(1));
            let first = look(f, 0.0, Some(0));
            f.for_each("i", 0, n, |f, i| {
                f.store(kicks, i + n, kicks.at(i + n) - kicks.at(i));
                f.store(arrays.state, i, arrays.state.at(i) + kicks.at(i + n));
            });
            let second = look(f, 0.0, None);
            let gain = f.real("gain", second - first);
            f.note("The states have moved by one unit; they are to move by as many as keep the energy.");
            let square = f.real("square", first * first + gain * direction * 2.0);
            let passes = f.integer("passes", square.ge(0.0));
            let onwards = first.gt(0.0).select(square.max(0.0).sqrt(), -(square.max(0.0).sqrt()));
            let after = f.real("after", passes.select(onwards, -first.get()));
            let units = f.real("units", gain.eq_(0.0).select(0.0, (after - first) / gain));
            f.for_each("i", 0, n, |f, i| {
                f.store(arrays.state, i, arrays.state.at(i) + (units - 1.0) * kicks.at(i + n));
            });
            f.return_((protocol::DONE, passes.or(gain.eq_(0.0))));
        });
        self.module.describe(function, "An impulse along the normal of a border, such that energy is kept.");
        function
    }
}
