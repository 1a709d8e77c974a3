//! Trying steps, accepting or rejecting them, and choosing the next (section II.4).

use super::onset::UNTIL;
use super::singular::ELSEWHERE;
use super::{Dense, First, Integrator, IntegratorArrays, Steps};
use crate::elementary::ROUNDING_SHIFT;
use kernel::{
    Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

/// How the error of a step determines the next one. Powers are in units of 1/128.
pub struct StepControl {
    /// α in h · 0.9 · error^−α · old_error^β.
    pub error_power: u32,
    /// β; positive values damp oscillations of the step (Gustafsson's PI control, section IV.2 of the second volume).
    pub memory_power: u32,
    /// 1 / order, for the first step.
    pub start_power: u32,
    pub least_factor: f64,
    pub greatest_factor: f64,
    /// Which part of the largest magnitude that a component has had still counts when its error is measured.
    pub memory_of_size: f64,
    /// The error that a component is allowed at least, as a part of the largest one in its group: what rounding leaves, where small
    /// things may be what determines everything else; infinite where they do not.
    pub least_part: f64,
}

/// What a method brings to its steps.
pub struct Scheme<'s> {
    /// `() -> integer`: what is needed at the current time before any trial. The code of a derivative that refused, or 0.
    pub prepare: FunctionId,
    /// `(t: real, end: real) -> integer`: leaves the state at the end in `stage`. 0, the code of a derivative that refused,
    /// or −1 − the number of the equation that makes the step singular.
    pub stages: FunctionId,
    /// `(h: real) -> real`: the error of the step whose end is in `stage`; it passes if that is at most 1. Not a number if
    /// anything that enters it is not finite.
    pub error: FunctionId,
    /// `(end: real) -> integer`: takes the slope at the end of a trial that passed, where no stage has. 0, the code of a
    /// derivative that refused, or −1 if the slope is not finite. Without it there is no next step.
    pub end_slope: Option<FunctionId>,
    /// `()`: tests, now and then, whether stability keeps steps short; counts what it finds. For a trial that passed.
    pub stiffness_test: Option<FunctionId>,
    /// Where the first slope of the next step is found.
    pub first: First,
    /// The error of component i in each second of the trial, after `error` was called.
    pub estimate: &'s dyn Fn(LocalId) -> Expression,
}

/// The next step aims at an error a little below what is allowed.
pub(super) const SAFETY: f64 = 0.9;
/// The first step is a guess on the safe side, so the second may be much longer.
const FIRST_FACTOR: f64 = 10.0;
/// Smaller errors are taken for this one when they are remembered.
const LEAST_ERROR: f64 = 1e-4;
/// A step that ends this close before the horizon, in units of itself, is stretched to it.
const STRETCH: f64 = 1.01;
/// Steps below this many units in the last place of the time are no steps.
const LEAST_PLACES: f64 = 16.0;
/// The least step at time zero, in seconds.
const LEAST_STEP: f64 = 1e-60;
/// The first step where state or slope give no hint, in seconds.
pub const BLIND_STEP: f64 = 1e-6;
/// Norms below this give no hint.
const NO_HINT: f64 = 1e-5;

/// One step in so many, and one, is tested for stiffness: a power of two without one.
const BETWEEN_TESTS: i64 = 7;

/// The results of a trial; those of [`Integrator`] from `COLLAPSED` on are others.
const ACCEPTED: i64 = 0;
const REJECTED: i64 = 1;

impl Steps<'_> {
    pub fn advance(&self, module: &mut ModuleBuilder, attempt: FunctionId) -> FunctionId {
        let note = "Steps up to the target or the horizon: 0 reached, 1 limit of trials, 2 step collapsed,\n\
                    3 derivative not evaluated, 4 not finished after a step.";
        let parameters = [("target", Real), ("limit", Integer)];
        let advance = self.function(module, "advance", &parameters, &[Integer], note);
        module.define(advance, |f| {
            let [target, limit] = f.parameters();
            let until = f.real("until", target.min(self.arrays.horizon.at(0)).min(self.arrays.stop.at(0)));
            let is_reached = self.arrays.time.at(0).ge(until);
            f.for_each("trial", 0, limit, |f, _| {
                f.if_(&is_reached, |f| f.return_(Integrator::REACHED));
                let status = f.call1(attempt, ());
                f.if_(status.ge(Integrator::COLLAPSED), |f| f.return_(status));
            });
            f.return_(is_reached.select(Integrator::REACHED, Integrator::LIMIT));
        });
        advance
    }

    /// `() -> integer`: tries one step.
    // Long: the order of what is looked at before, during and after a trial is all that it says.
    pub fn attempt(&self, module: &mut ModuleBuilder, scheme: &Scheme<'_>) -> FunctionId {
        let (accept, reject) = (self.accept(module, scheme.first), self.reject(module, scheme));
        let judge = self.judge(module);
        let error_at_onset = self.can_begin_like_a_root().then(|| self.error_at_onset(module, scheme));
        let attempt = self.function(module, "attempt", &[], &[Integer], "Tries one step: 0 accepted, 1 rejected.");
        module.define(attempt, |f| {
            let t = f.real("t", self.arrays.time.at(0));
            let wanted = f.real("wanted", self.step.at(0).min(self.arrays.longest_step.at(0)));
            let least = f.real("least", least_step(t));
            f.if_(wanted.ge(least).logical_not(), |f| self.collapse(f, scheme));
            self.look_around(f, t, wanted);
            // From here on the slopes of the step before are overwritten.
            f.if_(self.dense.at(0).eq_(Dense::Slopes as i64), |f| f.store(self.dense, 0, Dense::Nothing as i64));
            let code = f.call1(scheme.prepare, ());
            f.if_(code.ne_(0), |f| self.fail(f, Integrator::NOT_EVALUATED));

            let (end, kept) = self.choose_end(f, t, wanted);
            self.go_across(f, t, end, kept);
            let h = f.real("h", end - t);
            let size = f.real("size", f64::INFINITY);
            f.store(self.trial_length, 0, h);
            f.call_into(&[code], scheme.stages, (t, end));
            if let Some(judge) = judge {
                f.if_(code.eq_(0).and(self.arrays.careful.at(0).gt(0)), |f| {
                    f.call_into(&[code], judge, (t, end));
                    f.if_(code.eq_(ELSEWHERE), |f| {
                        self.count(f, IntegratorArrays::REJECTED);
                        f.return_(REJECTED);
                    });
                });
            }
            f.if_(code.eq_(0), |f| f.call_into(&[size], scheme.error, h));
            let found = f.real("found", size);
            if let Some(error_at_onset) = error_at_onset {
                let lasts = code.eq_(0).and(t.lt(self.onset.at(UNTIL)));
                f.if_(size.gt(1.0).and(lasts), |f| f.call_into(&[size], error_at_onset, h));
            }
            let forced = self.force(f, h, least, size, kept);
            let passes = size.le(1.0).or(forced.and(size.lt(f64::INFINITY)));
            if let Some(end_slope) = scheme.end_slope {
                f.if_(&passes, |f| {
                    let failed = f.call1(end_slope, end);
                    f.if_(failed.ne_(0), |f| f.assign(size, f64::INFINITY));
                    f.assign(code, failed.gt(0).select(failed, 0));
                });
            }
            f.if_(passes, |f| {
                if let Some(test) = scheme.stiffness_test {
                    let accepted = self.arrays.counters.at(IntegratorArrays::ACCEPTED);
                    f.if_(accepted.and(BETWEEN_TESTS).eq_(BETWEEN_TESTS), |f| drop(f.call(test, ())));
                }
                f.store(self.forced, 0, forced);
                let status = f.call1(accept, (end, size.min(1.0), kept));
                f.return_(status);
            });
            f.call(reject, (h, found));
            f.store(self.refused, 0, code);
            f.return_(REJECTED);
        });
        attempt
    }

    /// Whether the error of a trial may be any: if a shorter one could not be told from none. That gets over a jump in
    /// the derivative of what was at rest, which no step resolves in relation to the little that has moved. But twice
    /// in a row is no jump.
    fn force(&self, f: &mut FunctionBuilder, h: LocalId, least: LocalId, size: LocalId, kept: LocalId) -> LocalId {
        let last = (h * self.control.least_factor).lt(least);
        let forced = f.integer("forced", size.gt(1.0).and(last).and(self.forced.at(0).eq_(0)));
        f.if_(forced, |f| f.assign(kept, kept.max(h)));
        forced
    }

    /// Where the trial ends, and the step to go on with if the horizon makes this one shorter, else 0.
    fn choose_end(&self, f: &mut FunctionBuilder, t: LocalId, wanted: LocalId) -> (LocalId, LocalId) {
        let horizon = f.real("horizon", self.arrays.horizon.at(0).min(self.arrays.stop.at(0)));
        let end = f.real("end", t + wanted);
        let kept = f.real("kept", 0.0);
        f.if_((t + wanted * STRETCH).ge(horizon), |f| {
            f.if_(horizon.lt(end), |f| f.assign(kept, wanted));
            f.assign(end, horizon);
        });
        (end, kept)
    }

    /// `(end: real, error: real, kept: real) -> integer`: makes the trial the last step.
    fn accept(&self, module: &mut ModuleBuilder, first: First) -> FunctionId {
        let note = "Makes the trial the last step, and chooses the next.";
        let parameters = [("end", Real), ("error", Real), ("kept", Real)];
        let accept = self.function(module, "accept", &parameters, &[Integer], note);
        module.define(accept, |f| {
            let [end, error, kept] = f.parameters();
            self.choose_next(f, end, error, kept);
            let IntegratorArrays { state, stage, previous, time, previous_time, computed_end, .. } = *self.arrays;
            f.store(previous_time, 0, time.at(0));
            f.store(time, 0, end);
            f.store(computed_end, 0, end);
            f.for_each("i", 0, self.n(), |f, i| {
                f.store(previous, i, state.at(i));
                f.store(state, i, stage.at(i));
                f.store(self.size, i, stage.at(i).abs().max(self.size.at(i)));
            });
            self.keep_groups(f);
            self.count(f, IntegratorArrays::ACCEPTED);
            f.store(self.first, 0, first as i64);
            f.store(self.dense, 0, Dense::Slopes as i64);
            self.forget_failures(f);
            self.fade_noise(f);
            f.store(self.refused, 0, 0);
            self.call_hook(f, end);
            f.return_(ACCEPTED);
        });
        accept
    }

    /// h · 0.9 · old_error^β / error^α, within limits; not longer after a rejection.
    fn choose_next(&self, f: &mut FunctionBuilder, end: LocalId, error: LocalId, kept: LocalId) {
        let control = self.control;
        let h = f.real("h", end - self.arrays.time.at(0));
        let memory = power(f, self.old_error.at(0), control.memory_power);
        let factor = memory * SAFETY / power(f, error.get(), control.error_power);
        let is_first = self.arrays.counters.at(IntegratorArrays::ACCEPTED).eq_(0);
        let greatest = is_first.select(FIRST_FACTOR, control.greatest_factor);
        let greatest = self.rejected.at(0).gt(0).select(1.0, greatest);
        let next = f.real("next", h * factor.max(control.least_factor).min(greatest));
        // Rounding of the time may have made a step of the least length a little shorter.
        f.store(self.step, 0, next.max(kept).max(least_step(end)));
        f.store(self.old_error, 0, error.max(LEAST_ERROR));
    }

    /// Lets the caller change the state.
    fn call_hook(&self, f: &mut FunctionBuilder, end: LocalId) {
        let Some(after_step) = self.problem.after_step else { return };
        let code = f.call1(after_step, end);
        self.note_independence(f, end);
        f.if_(code.lt(0), |f| {
            f.store(self.first, 0, First::Unknown as i64);
            self.count(f, IntegratorArrays::PROJECTIONS);
        });
        f.if_(code.gt(0), |f| {
            f.store(self.arrays.failure_code, 0, code);
            self.fail(f, Integrator::NOT_FINISHED);
        });
    }

    /// Returns, for the step has become too small.
    fn collapse(&self, f: &mut FunctionBuilder, scheme: &Scheme<'_>) {
        f.if_(self.refused.at(0).gt(0), |f| self.fail(f, Integrator::NOT_EVALUATED));
        f.if_(self.refused.at(0).lt(0), |f| {
            self.blame_one(f, -1 - self.refused.at(0));
            f.return_(Integrator::SINGULAR);
        });
        f.store(self.arrays.failure_time, 0, self.arrays.time.at(0));
        self.blame(f, scheme.estimate);
        f.return_(Integrator::COLLAPSED);
    }

    /// Whether no trial from here was rejected: then what the last trial left belongs to the last step.
    pub fn is_first_trial(&self) -> Expression {
        self.rejected.at(0).eq_(0)
    }

    /// Counts one more of something.
    pub fn count(&self, f: &mut FunctionBuilder, what: usize) {
        f.store(self.arrays.counters, what, self.arrays.counters.at(what) + 1);
    }

    /// Takes a slope at `stage`; the code of the derivative.
    pub fn evaluate(&self, f: &mut FunctionBuilder, t: Expression, slope: usize) -> LocalId {
        self.count(f, IntegratorArrays::EVALUATIONS);
        let code = self.derivative(f, t, slope);
        f.if_(code.ne_(0), |f| f.store(self.arrays.failure_code, 0, code));
        code
    }

    /// Takes a slope at `stage`, in a function that returns the code of the derivative.
    pub fn evaluate_or_return(&self, f: &mut FunctionBuilder, t: Expression, slope: usize) {
        let code = self.evaluate(f, t, slope);
        f.if_(code.ne_(0), |f| f.return_(code));
    }

    /// Component i of a slope.
    pub fn slope(&self, slope: usize, i: LocalId) -> Expression {
        self.arrays.slopes.at(i + slope * self.n())
    }

    /// Whether all components of a slope are finite.
    pub fn is_finite(&self, f: &mut FunctionBuilder, slope: usize) -> Expression {
        // Zero times a finite number is zero, and times any other is not a number.
        let zero = f.real("zero", 0.0);
        f.for_each("i", 0, self.n(), |f, i| f.increase(zero, self.slope(slope, i) * 0.0));
        zero.eq_(0.0)
    }

    /// Sets everything that is remembered from step to step; `stage` is the state.
    pub fn reset(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { state, stage, previous, time, previous_time, counters, .. } = *self.arrays;
        f.store(time, 0, t);
        f.store(previous_time, 0, t);
        f.for_each("i", 0, self.n(), |f, i| {
            f.store(stage, i, state.at(i));
            f.store(previous, i, state.at(i));
            f.store(self.size, i, state.at(i).abs());
        });
        let groups = f.module().length(self.group_size);
        f.for_each("g", 0, groups, |f, g| f.store(self.group_size, g, 0.0));
        self.measure_groups(f);
        self.keep_groups(f);
        f.for_each("counter", 0, IntegratorArrays::COUNTERS, |f, counter| f.store(counters, counter, 0));
        self.forget_noise(f);
        self.forget_constraints(f);
        f.store(self.old_error, 0, LEAST_ERROR);
        f.store(self.rejected, 0, 0);
        f.store(self.measured, 0, 0);
        self.forget_onset(f, t);
        f.store(self.arrays.careful, 0, 0);
        f.store(self.refused, 0, 0);
        f.store(self.forced, 0, 0);
        f.store(self.first, 0, First::InPlace as i64);
        f.store(self.dense, 0, Dense::Nothing as i64);
    }

    /// `(t: real) -> integer`: see [`Integrator`]. `settle` finds algebraic components.
    pub fn moved(&self, module: &mut ModuleBuilder, settle: Option<FunctionId>) -> FunctionId {
        let note = "Goes on from the state, which was changed.";
        let moved = self.function(module, "moved", &[("t", Real)], &[Integer], note);
        module.define(moved, |f| {
            if let Some(settle) = settle {
                let [t] = f.parameters();
                let status = f.call1(settle, t);
                f.if_(status.ne_(Integrator::REACHED), |f| f.return_(status));
            }
            self.forget_singular(f);
            f.store(self.first, 0, First::Unknown as i64);
            f.return_(Integrator::REACHED);
        });
        moved
    }

    /// Returns with a status that no component is to blame for.
    pub fn fail(&self, f: &mut FunctionBuilder, status: i64) {
        self.blame_one(f, Expression::from(-1));
        f.return_(status);
    }

    /// Notes the component, or the equation, that failed now; −1 for none.
    pub fn blame_one(&self, f: &mut FunctionBuilder, component: Expression) {
        f.store(self.arrays.failure_time, 0, self.arrays.time.at(0));
        f.store(self.arrays.failure_component, 0, component);
    }
}

/// A first step in which the slope changes the state by a small part (section II.4, "starting step size"), by the norms of both.
pub fn first_guess(t: LocalId, state: LocalId, slope: LocalId) -> Expression {
    let no_hint = state.lt(NO_HINT).or(slope.lt(NO_HINT));
    no_hint.select(BLIND_STEP, state * 0.01 / slope).max(least_step(t) * 4.0)
}

/// The least step that can be told from none at time t.
pub fn least_step(t: LocalId) -> Expression {
    (t.abs() * (LEAST_PLACES * f64::EPSILON)).max(LEAST_STEP)
}

/// About x to the power of p/128, to a thousandth, for x ≥ 0 and 0 < p < 128. Zero and infinity become something very small and very large, and so
/// does what is not a number: nothing else is needed to choose steps. From bits and polynomials, which give the same bits everywhere, in
/// vectors too; square roots for each digit of the exponent would take a fifth of the time of a small system.
pub fn power(f: &mut FunctionBuilder, x: Expression, p: u32) -> Expression {
    // What is not a number may have a sign.
    let bits = f.bind("bits", x.abs().to_bits());
    // x = 2^exponent · (1 + part): a number of 52 bits is the difference of two large ones.
    let exponent = bits.shift_right_logical(MANTISSA).or(TWO_TO_52.to_bits() as i64).bits_to_real();
    let exponent = exponent - (TWO_TO_52 + BIAS);
    let part = bits.and((1_i64 << MANTISSA) - 1).or(1.0_f64.to_bits() as i64).bits_to_real() - 1.0;
    let part = f.bind("part", part);
    let curve = part * (-(part - 1.0)) * (part * LOGARITHM[1] + LOGARITHM[0]);
    let log = f.bind("log", (exponent + part + curve) * (f64::from(p) / 128.0));
    let shifted = f.bind("shifted", log + ROUNDING_SHIFT);
    let rest = f.bind("rest", log - (shifted - ROUNDING_SHIFT));
    let [first, second, third] = EXPONENTIAL;
    let mantissa = ((rest * third + second) * rest + first) * rest + 1.0;
    (mantissa.to_bits() + shifted.to_bits().shift_left(MANTISSA)).bits_to_real()
}

/// Bits of a double behind its exponent.
const MANTISSA: i64 = 52;
/// A double of this size has its integers in its last bits.
const TWO_TO_52: f64 = (1_u64 << MANTISSA) as f64;
/// What is added to the exponent of a double.
const BIAS: f64 = 1023.0;
/// The logarithm of 1 + t to the base 2 is about t + t (1 − t) (a + b t), exact at both ends: to 1.1e-3.
const LOGARITHM: [f64; 2] = [0.420865, -0.156386];
/// 2^t without its one: the terms of the series, which miss 6e-4 at a half.
#[allow(clippy::approx_constant, reason = "eight digits of each term")]
const EXPONENTIAL: [f64; 3] = [0.693_147_18, 0.240_226_51, 0.055_504_11];

#[cfg(test)]
mod tests {
    use super::power;
    use kernel::{Interpreter, Machine, ModuleBuilder, Term, Type::Real};

    /// What chooses steps is near the power, and what has no power makes steps as short or as long as may be.
    #[test]
    fn powers_are_good_to_a_thousandth() {
        let mut module = ModuleBuilder::new("powers");
        let functions = [5, 15, 22, 64].map(|p| {
            let function = module.function("power", &[("x", Real)], &[Real], |f| {
                let [x] = f.parameters();
                let power = power(f, x.get(), p);
                f.return_(power);
            });
            (p, function)
        });
        let module = module.finish();
        let mut memory = module.initial_memory();
        let mut of = |function, x: f64| {
            let results = Interpreter::new(&module).call(function, &[x.into()], &mut memory).expect("a result");
            results[0].as_real().expect("a real")
        };
        for (p, function) in functions {
            for at in -900..900 {
                let x = libm::exp(f64::from(at) * 0.25);
                let right = libm::pow(x, f64::from(p) / 128.0);
                let found = of(function, x);
                assert!((found / right - 1.0).abs() < 1.2e-3, "{x}^({p}/128) is {right}, not {found}");
            }
            assert_eq!(of(function, 1.0), 1.0);
            assert!(of(function, 0.0) < 1e-10);
            [f64::INFINITY, f64::NAN, -f64::NAN].into_iter().for_each(|x| assert!(of(function, x) > 1e10, "{x}"));
        }
    }
}
