//! The defect of the last step: how far its polynomial is from the equations at some time of it. Where the stages saw all there is, it
//! is of the size of the error; where they saw nothing of something narrow, it is what they did not see.

use super::measure::ratio;
use super::{Integrator, Steps};
use kernel::{FunctionId, ModuleBuilder, Term, Type::Real};

/// The slope of the polynomial is taken from places so far apart, as a part of the step; nearer where an end is near.
const APART: f64 = 1.0 / 64.0;
/// Weights of the differences of values at once, twice and three times that distance; exact up to the sixth power.
const WEIGHTS: [f64; 3] = [0.75, -0.15, 1.0 / 60.0];
/// Slopes that differ by more than this part of themselves are grossly different.
const GROSS: f64 = 0.5;
/// What rounding leaves of such a difference, relative to the values.
const ROUNDING: f64 = 2e-15;

impl Steps<'_> {
    /// `(t: real) -> (real, real)`: see [`Integrator`]. `settle` finds the algebraic components of `state`, if there are any; those are not
    /// measured, for others follow from them.
    // Long: one kernel function; its places in the step share the polynomial and the scales.
    pub fn defect(
        &self,
        module: &mut ModuleBuilder,
        sample: FunctionId,
        settle: Option<FunctionId>,
        differential: usize,
    ) -> FunctionId {
        let n = self.n();
        let name = |what: &str| format!("{}_{what}", self.problem.name);
        let polynomial = module.real_array(&name("polynomial_slope"), n, "of the polynomial of the last step");
        let kept = settle.map(|_| module.real_array(&name("kept_state"), n, "the state, while another is settled"));
        let note =
            "How far the polynomial of the last step is from the equations, in units of the error that is allowed.";
        let defect = self.function(module, "defect", &[("t", Real)], &[Real, Real], note);
        let arrays = *self.arrays;
        module.define(defect, |f| {
            let [t] = f.parameters();
            let (begin, end) = (arrays.previous_time, arrays.time);
            let length = f.real("length", end.at(0) - begin.at(0));
            let room = (t - begin.at(0)).min(end.at(0) - t) * 0.25;
            let apart = f.real("apart", room.min(length * APART));
            f.if_(apart.gt(0.0).logical_not(), |f| f.return_((0.0, 0.0)));
            f.for_each("i", 0, n, |f, i| f.store(polynomial, i, 0.0));
            for (at, weight) in WEIGHTS.into_iter().enumerate() {
                for sign in [1.0, -1.0] {
                    let status = f.call1(sample, t + apart * (sign * (at + 1) as f64));
                    f.if_(status.ne_(Integrator::REACHED), |f| f.return_((0.0, 0.0)));
                    f.for_each("i", 0, n, |f, i| {
                        f.store(polynomial, i, polynomial.at(i) + arrays.sampled.at(i) * (sign * weight));
                    });
                }
            }
            f.call(sample, t);
            f.for_each("i", 0, n, |f, i| f.store(arrays.stage, i, arrays.sampled.at(i)));
            if let (Some(settle), Some(kept)) = (settle, kept) {
                f.for_each("i", 0, n, |f, i| {
                    f.store(kept, i, arrays.state.at(i));
                    f.store(arrays.state, i, arrays.sampled.at(i));
                });
                let status = f.call1(settle, t);
                f.for_each("i", 0, n, |f, i| {
                    f.store(arrays.stage, i, arrays.state.at(i));
                    f.store(arrays.state, i, kept.at(i));
                });
                f.if_(status.ne_(Integrator::REACHED), |f| f.return_((f64::INFINITY, f64::INFINITY)));
            }
            // Between steps the place of the second slope is free.
            let code = self.evaluate(f, t.get(), 1);
            f.if_(code.ne_(0), |f| f.return_((f64::INFINITY, f64::INFINITY)));
            self.measure_groups(f);
            let tolerance = self.tolerance(f);
            let [worst, gross] = ["worst", "gross"].map(|name| f.real(name, 0.0));
            f.for_each("i", 0, differential, |f, i| {
                let allowed = self.allowed(f, tolerance, i);
                let [true_slope, slope] =
                    [self.slope(1, i), polynomial.at(i) / apart].map(|slope| f.real("slope", slope));
                let off = f.real("off", (true_slope - slope).abs() * length);
                let rounding = arrays.stage.at(i).abs() * ROUNDING * length / apart;
                let part = f.real("part", ratio((off - rounding).max(0.0), allowed));
                f.assign(worst, part.le(worst).select(worst, part));
                let alike = off.le(true_slope.abs().max(slope.abs()) * (GROSS * length));
                f.assign(gross, alike.or(part.le(gross)).select(gross, part));
            });
            f.return_((worst, gross));
        });
        defect
    }
}
