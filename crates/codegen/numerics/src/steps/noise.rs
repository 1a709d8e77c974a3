//! What rounding makes of a step. Where slopes are what is left of large terms that cancel, as those of a hinge at rest on an arm that turns
//! steadily, states are nothing but rounding. Their errors then are as large as they are themselves, and shorter steps make them no smaller in
//! relation. How much rounding does shows when the trial is taken again from where its last places differ: what changes by that is
//! no error of the method, and no method could do better. It is measured only where shorter steps are no better.

use super::{First, Method, Scheme, Steps};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// The trial is taken again so often; so many normal numbers spread over two and a half deviations.
const REPETITIONS: usize = 6;
/// So many more have other lengths, by multiples of a part that is far beyond the last place: what is added to something large takes its last places from
/// that. Errors of the method change by less than a ten-thousandth with them.
const LENGTHS: usize = 4;
const OTHER_LENGTH: f64 = 1.0 / (1 << 20) as f64;
/// An error may be so many times the spread: twenty deviations, which no later step exceeds by chance.
const ALLOWANCE: f64 = 8.0;
/// A component is nothing but rounding if it never was larger than so many times what that makes in all the time since zero. Others have true values,
/// which rounding spoils where constraints nearly depend on one another: that is no reason to allow for more.
const MOST_ROUNDINGS: f64 = 100.0;
/// Nor is it rounding if it makes more than this part of the largest component in its group, or of one SI unit, in all that time: where a puck sets off from rest,
/// its direction changes altogether with the last places of its velocity, and what acts on it with them.
const MOST_NOISE: f64 = 1e-6;
/// What was measured counts for less with each step by this factor, for rounding may be larger in one place than in all others.
const FADING: f64 = 0.9;
/// To see what a step makes of rounding, it is taken from a state that is off by so many times the spread.
const LEVER: f64 = 1024.0;
/// A step that multiplies what it begins with by more is too long for its method to be stable: what it makes of rounding is none any more.
const MOST_GROWTH: f64 = 16.0;
/// From one place it is measured at most so often.
pub(super) const MOST_MEASURES: i64 = 2;

/// What the repetitions of a trial leave.
struct Spread {
    /// The state, while trials begin beside it.
    exact: ArrayId,
    /// The least and the greatest estimate of each component.
    estimate: [ArrayId; 2],
    /// The least and the greatest change of each component.
    change: [ArrayId; 2],
    /// What rounding makes of each component in all the time.
    sum: ArrayId,
}

impl Steps<'_> {
    /// Whether rounding is measured: steps of a fixed length have no errors to compare it with.
    pub(super) fn can_measure_noise(&self) -> bool {
        self.arrays.method != Method::Fixed
    }

    /// Measures rounding after a trial of length h that was `in_vain`, and lets it be tried again if that explains its error.
    pub(super) fn allow_for_noise(&self, f: &mut FunctionBuilder, measure: FunctionId, h: LocalId, next: LocalId) {
        f.if_(self.measured.at(0).lt(MOST_MEASURES), |f| {
            f.store(self.measured, 0, self.measured.at(0) + 1);
            let matters = f.call1(measure, h);
            f.if_(matters, |f| f.assign(next, h));
        });
    }

    /// `(h: real) -> integer`: how much of a trial of this length is rounding. 1 if that is more than the error allowed for some component.
    pub(super) fn measure_noise(&self, module: &mut ModuleBuilder, scheme: &Scheme<'_>) -> FunctionId {
        let mut array =
            |what, note| module.real_array(&format!("{}_{what}", self.problem.name), self.arrays.size, note);
        let spread = Spread {
            exact: array("exact_state", "the state, while trials begin beside it"),
            estimate: ["least_estimate", "greatest_estimate"].map(|what| array(what, "of the repetitions of a trial")),
            change: self.change,
            sum: array("rounding", "what rounding makes of each component in all the time"),
        };
        let note = "How much of a trial is rounding: 1 if more than is allowed.";
        let measure = self.function(module, "measure_noise", &[("h", Real)], &[Integer], note);
        module.set_rare(measure, true);
        module.define(measure, |f| {
            let [h] = f.parameters();
            self.forget_noise(f);
            let failed = self.repeat(f, scheme, &spread, h);
            f.if_(failed, |f| f.return_(0));
            let unstable = self.multiplies(f, scheme, &spread, h);
            f.if_(unstable, |f| f.return_(0));
            self.sum_up(f, &spread, h);
            let matters = f.integer("matters", 0);
            let tolerance = self.tolerance(f);
            f.for_each("i", 0, self.n(), |f, i| {
                let allowed = self.allowed(f, tolerance, i);
                let noise = f.real("noise", rate(&spread, i, h));
                let is_rounding = self.size.at(i).lt(spread.sum.at(i) * MOST_ROUNDINGS);
                let group = self.trial_size.at(self.group.at(i)).max(1.0);
                // Written so that what is not finite is none.
                let is_small = spread.sum.at(i).lt(group * MOST_NOISE);
                f.if_((noise * h).gt(allowed).and(is_rounding).and(is_small), |f| {
                    f.store(self.noise, i, noise);
                    f.assign(matters, 1);
                });
            });
            f.return_(matters);
        });
        measure
    }

    /// What rounding makes of each component in all the time since zero: of coordinates by way of their speeds, too.
    fn sum_up(&self, f: &mut FunctionBuilder, spread: &Spread, h: LocalId) {
        let all = f.real("all", self.arrays.time.at(0).abs() + h);
        f.for_each("i", 0, self.n(), |f, i| f.store(spread.sum, i, rate(spread, i, h) * all));
        f.for_each("i", 0, self.n(), |f, i| {
            let led = f.integer("led", self.rate_of.at(i));
            let way = f.real("way", rate(spread, i, h) * all * all);
            f.if_(led.ne_(i), |f| f.store(spread.sum, led, way.max(spread.sum.at(led))));
        });
    }

    /// Takes the trial again and again, with other last places of the state, the time and the length. Whether one of them failed.
    fn repeat(&self, f: &mut FunctionBuilder, scheme: &Scheme<'_>, spread: &Spread, h: LocalId) -> LocalId {
        let (state, stage) = (self.arrays.state, self.arrays.stage);
        f.for_each("i", 0, self.n(), |f, i| {
            f.store(spread.exact, i, state.at(i));
            for [least, greatest] in [spread.estimate, spread.change] {
                f.store(least, i, f64::INFINITY);
                f.store(greatest, i, f64::NEG_INFINITY);
            }
        });
        let failed = f.integer("failed", 0);
        f.for_each("repetition", 0, REPETITIONS + LENGTHS, |f, repetition| {
            let same_length = f.integer("same_length", repetition.lt(REPETITIONS as i64));
            let length = same_length.select(f64::EPSILON, OTHER_LENGTH);
            let parts = [Expression::from(f64::EPSILON), length].map(|part| (repetition - 3).to_real() * part);
            let code = self.again(f, scheme, h, parts, |i| {
                // From three last places less to four more, without any order.
                let places = ((i * 5 + repetition * 3).and(7) - 3).to_real() * f64::EPSILON;
                spread.exact.at(i) + spread.exact.at(i) * places
            });
            f.if_(code.ne_(0), |f| f.assign(failed, 1));
            f.for_each("i", 0, self.n(), |f, i| {
                let estimate = f.real("estimate", (scheme.estimate)(i));
                widen(f, spread.estimate, i, estimate);
                f.if_(same_length, |f| {
                    let change = f.real("change", stage.at(i) - state.at(i));
                    widen(f, spread.change, i, change);
                });
            });
            self.restore(f, spread.exact);
        });
        failed
    }

    /// Whether the trial multiplies what it begins with.
    fn multiplies(&self, f: &mut FunctionBuilder, scheme: &Scheme<'_>, spread: &Spread, h: LocalId) -> LocalId {
        let [least, greatest] = spread.change;
        let off = |i: LocalId| (greatest.at(i) - least.at(i)) * LEVER;
        let code = self.again(f, scheme, h, [0.0, 0.0].map(Expression::from), |i| spread.exact.at(i) + off(i));
        let multiplies = f.integer("multiplies", code);
        f.for_each("i", 0, self.n(), |f, i| {
            let change = self.arrays.stage.at(i) - spread.exact.at(i) - (greatest.at(i) + least.at(i)) * 0.5;
            let off = f.real("off", off(i) * MOST_GROWTH);
            f.if_(off.gt(0.0).and(change.abs().le(off).logical_not()), |f| f.assign(multiplies, 1));
        });
        self.restore(f, spread.exact);
        multiplies
    }

    /// The trial from another state, at another time and with another length, both off by a part of themselves. The code of what refused.
    fn again(
        &self,
        f: &mut FunctionBuilder,
        scheme: &Scheme<'_>,
        h: LocalId,
        [later, shorter]: [Expression; 2],
        begin: impl Fn(LocalId) -> Expression,
    ) -> LocalId {
        let time = self.arrays.time;
        f.for_each("i", 0, self.n(), |f, i| f.store(self.arrays.state, i, begin(i)));
        let t = f.real("t", time.at(0));
        f.store(time, 0, t + t * later);
        let end = f.real("end", time.at(0) + (h - h * shorter));
        f.store(self.first, 0, First::Unknown as i64);
        let code = f.call1(scheme.prepare, ());
        f.if_(code.eq_(0), |f| f.call_into(&[code], scheme.stages, (time.at(0), end)));
        f.if_(code.eq_(0), |f| drop(f.call(scheme.error, h)));
        f.store(time, 0, t);
        code
    }

    /// Puts the state back.
    fn restore(&self, f: &mut FunctionBuilder, exact: ArrayId) {
        f.for_each("i", 0, self.n(), |f, i| f.store(self.arrays.state, i, exact.at(i)));
        f.store(self.first, 0, First::Unknown as i64);
    }

    /// Nothing is known of rounding any more.
    pub(super) fn forget_noise(&self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, self.n(), |f, i| f.store(self.noise, i, 0.0));
    }

    /// Makes less of what was measured, for a step was accepted.
    pub(super) fn fade_noise(&self, f: &mut FunctionBuilder) {
        if self.can_measure_noise() {
            f.for_each("i", 0, self.n(), |f, i| f.store(self.noise, i, self.noise.at(i) * FADING));
            f.store(self.measured, 0, 0);
        }
    }
}

/// What rounding makes of component i in each second, with an allowance.
fn rate(spread: &Spread, i: LocalId, h: LocalId) -> Expression {
    let between = |[least, greatest]: [ArrayId; 2]| greatest.at(i) - least.at(i);
    between(spread.estimate).max(between(spread.change) / h) * ALLOWANCE
}

/// Makes room for a value of component i between the least and the greatest.
fn widen(f: &mut FunctionBuilder, [least, greatest]: [ArrayId; 2], i: LocalId, value: LocalId) {
    f.store(least, i, value.min(least.at(i)));
    f.store(greatest, i, value.max(greatest.at(i)));
}
