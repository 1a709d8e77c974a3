//! Dense output: the solution within the last step, as a polynomial of degree 4.

use super::{Template, rodas_5p};
use crate::steps::IntegratorArrays;
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder};

impl Template<'_> {
    pub fn sample(&self, module: &mut ModuleBuilder) -> FunctionId {
        let store = |f: &mut FunctionBuilder| self.store_coefficients(f);
        self.implicit.steps.sample(module, store, |f, t| self.interpolate(f, t))
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
    }

    /// y + θ (c₀ + (1 − θ) (c₁ + θ (c₂ + θ c₃)))
    fn interpolate(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { sampled, previous, computed_end, previous_time, .. } = *self.implicit.steps.arrays;
        let h = f.real("h", computed_end.at(0) - previous_time.at(0));
        let theta = f.real("theta", (t - previous_time.at(0)) / h);
        let rest = f.real("rest", 1.0 - theta);
        f.for_each("i", 0, self.n(), |f, i| {
            let c = |k: usize| self.coefficients.at(i + k * self.n());
            let inner = rest * (c(1) + theta * (c(2) + theta * c(3)));
            f.store(sampled, i, previous.at(i) + theta * (c(0) + inner));
        });
    }
}
