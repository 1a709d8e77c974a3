//! Dense output: the solution within the last step, as a polynomial of degree 4.
//!
//! Between the state before and the end of the step as it was computed: a projection after the step shows only at its
//! very end.

use super::{Template, rodas_5p};
use crate::steps::{Dense, Integrator, IntegratorArrays};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

impl Template<'_> {
    pub fn sample(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "The solution at a time of the last step: 0, or 1 if outside.";
        let sample = self.steps.function(module, "sample", &[("t", Real)], &[Integer], note);
        module.define(sample, |f| {
            let [t] = f.parameters();
            let IntegratorArrays { state, previous, time, previous_time, .. } = *self.steps.arrays;
            f.if_(t.eq_(time.at(0)), |f| self.copy_sample(f, state));
            f.if_(t.eq_(previous_time.at(0)), |f| self.copy_sample(f, previous));
            let inside = t.gt(previous_time.at(0)).and(t.lt(time.at(0)));
            let known = self.steps.dense.at(0).ne_(Dense::Nothing as i64);
            f.if_(inside.and(known).logical_not(), |f| f.return_(Integrator::OUTSIDE));
            f.if_(self.steps.dense.at(0).eq_(Dense::Slopes as i64), |f| self.store_coefficients(f));
            self.interpolate(f, t);
            f.return_(Integrator::REACHED);
        });
        sample
    }

    fn copy_sample(&self, f: &mut FunctionBuilder, from: ArrayId) {
        f.for_each("i", 0, self.n(), |f, i| f.store(self.steps.arrays.sampled, i, from.at(i)));
        f.return_(Integrator::REACHED);
    }

    /// The next trial overwrites the increments, so what is needed of them is kept.
    fn store_coefficients(&self, f: &mut FunctionBuilder) {
        let rise = rodas_5p::step();
        let rows = [&rise].into_iter().chain(&rodas_5p::DENSE);
        f.for_each("i", 0, self.n(), |f, i| {
            for (k, weights) in rows.enumerate() {
                f.store(self.coefficients, i + k * self.n(), self.sum(weights, i));
            }
        });
        f.store(self.steps.dense, 0, Dense::Coefficients as i64);
    }

    /// y + θ (c₀ + (1 − θ) (c₁ + θ (c₂ + θ c₃)))
    fn interpolate(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { sampled, previous, time, previous_time, .. } = *self.steps.arrays;
        let h = f.real("h", time.at(0) - previous_time.at(0));
        let theta = f.real("theta", (t - previous_time.at(0)) / h);
        let rest = f.real("rest", 1.0 - theta);
        f.for_each("i", 0, self.n(), |f, i| {
            let c = |k: usize| self.coefficients.at(i + k * self.n());
            let inner = rest * (c(1) + theta * (c(2) + theta * c(3)));
            f.store(sampled, i, previous.at(i) + theta * (c(0) + inner));
        });
    }
}
