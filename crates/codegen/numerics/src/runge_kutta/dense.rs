//! Dense output: the solution within the last step, as a polynomial (sections II.6 and II.10).

use super::{Integrator, IntegratorArrays, Template};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

impl Template<'_> {
    pub fn sample(&self, module: &mut ModuleBuilder) -> FunctionId {
        let prepare = self.prepare(module);
        let keep = |f: &mut FunctionBuilder| {
            let code = f.call1(prepare, ());
            f.if_(code.ne_(0), |f| f.return_(Integrator::NOT_EVALUATED));
        };
        self.steps.sample(module, keep, |f, t| self.interpolate(f, t))
    }

    /// `() -> integer`: takes the slopes that only the polynomial needs, and computes its coefficients. The code of a
    /// derivative that refused, or 0.
    fn prepare(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Prepares the polynomial of the last step.";
        let prepare = self.steps.function(module, "prepare_samples", &[], &[Integer], note);
        module.define(prepare, |f| {
            let t = f.real("t", self.steps.arrays.previous_time.at(0));
            let end = f.real("end", self.steps.arrays.computed_end.at(0));
            let h = f.real("h", end - t);
            for slope in self.tableau.end + 1..self.tableau.slopes() {
                self.form_stage(f, self.steps.arrays.previous, h, slope);
                self.steps.evaluate_or_return(f, self.time_of(slope, t, end, h), slope);
            }
            f.for_each("i", 0, self.steps.n(), |f, i| self.store_coefficients(f, h, i));
            f.return_(0);
        });
        prepare
    }

    /// The first three fit the states and slopes at both ends.
    fn store_coefficients(&self, f: &mut FunctionBuilder, h: LocalId, i: LocalId) {
        // From the slopes, for `state` may have been changed, and the difference of two states loses digits.
        let rise = f.real("rise", h * self.sum(self.tableau.step(), i));
        let bend = f.real("bend", h * self.steps.slope(0, i) - rise);
        let mut coefficients = vec![rise.get(), bend.get(), rise - h * self.steps.slope(self.tableau.end, i) - bend];
        coefficients.extend(self.tableau.dense.iter().map(|weights| h * self.sum(weights, i)));
        for (k, coefficient) in coefficients.into_iter().enumerate() {
            f.store(self.coefficients, i + k * self.steps.n(), coefficient);
        }
    }

    /// y + θ (c₀ + (1 − θ) (c₁ + θ (c₂ + (1 − θ) (c₃ + …))))
    fn interpolate(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { sampled, previous, computed_end, previous_time, .. } = *self.steps.arrays;
        let h = f.real("h", computed_end.at(0) - previous_time.at(0));
        let theta = f.real("theta", (t - previous_time.at(0)) / h);
        let rest = f.real("rest", 1.0 - theta);
        f.for_each("i", 0, self.steps.n(), |f, i| {
            let coefficient = |k: usize| self.coefficients.at(i + k * self.steps.n());
            let factor = |k: usize| if k.is_multiple_of(2) { theta } else { rest };
            let last = self.tableau.coefficients() - 1;
            let nested = (0..last)
                .rev()
                .fold(factor(last) * coefficient(last), |inner: Expression, k| factor(k) * (coefficient(k) + inner));
            f.store(sampled, i, previous.at(i) + nested);
        });
    }
}
