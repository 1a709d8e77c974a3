//! Dense output: the solution within the last step is the polynomial itself, of degree 7.

use super::{Template, radau_13::NODES};
use crate::steps::IntegratorArrays;
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

impl Template<'_> {
    pub fn sample(&self, module: &mut ModuleBuilder) -> FunctionId {
        let keep = |f: &mut FunctionBuilder| {
            let length = f.module().length(self.coefficients);
            f.for_each("k", 0, length, |f, k| f.store(self.coefficients, k, self.increments.at(k)));
        };
        self.implicit.steps.sample(module, keep, |f, t| self.interpolate(f, t))
    }

    /// y + Σ ℓᵢ(θ) zᵢ, where ℓᵢ is one at a node, and zero at the others and at the beginning.
    fn interpolate(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { sampled, previous, computed_end, previous_time, .. } = *self.implicit.steps.arrays;
        let theta = f.real("theta", (t - previous_time.at(0)) / (computed_end.at(0) - previous_time.at(0)));
        let weights = NODES.map(|node| {
            let others = NODES.into_iter().filter(|&other| other != node);
            let above = others.clone().fold(theta.get(), |product, other| product * (theta - other));
            let below = others.fold(node, |product, other| product * (node - other));
            f.real("weight", above / below)
        });
        f.for_each("i", 0, self.n(), |f, i| {
            let increments = self.of_stages(self.coefficients, i);
            let terms = std::iter::zip(weights, increments).map(|(weight, increment)| weight * increment);
            let sum = terms.reduce(|sum: Expression, term| sum + term).unwrap_or_else(|| 0.0.into());
            f.store(sampled, i, previous.at(i) + sum);
        });
    }
}
