//! Dense output: the solution within the last step is the polynomial itself, of degree 7.

use super::{
    Template,
    radau_13::{NODES, STAGES},
};
use crate::steps::IntegratorArrays;
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

impl Template<'_> {
    pub fn sample(&self, module: &mut ModuleBuilder) -> FunctionId {
        self.implicit.steps.sample(module, |f| self.keep(f), |f, t| self.interpolate(f, t))
    }

    /// Keeps the increments of a step, which the next trial overwrites.
    pub fn keep(&self, f: &mut FunctionBuilder) {
        let length = f.module().length(self.coefficients);
        f.for_each("k", 0, length, |f, k| f.store(self.coefficients, k, self.increments.at(k)));
    }

    /// y + Σ ℓᵢ(θ) zᵢ, where ℓᵢ is one at a node, and zero at the others and at the beginning.
    fn interpolate(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { sampled, previous, computed_end, previous_time, .. } = *self.implicit.steps.arrays;
        let theta = f.real("theta", (t - previous_time.at(0)) / (computed_end.at(0) - previous_time.at(0)));
        let weights = weights(f, theta);
        f.for_each("i", 0, self.n(), |f, i| {
            let sum = self.weighed_increments(i, weights);
            f.store(sampled, i, previous.at(i) + sum);
        });
    }

    /// Σ ℓᵢ zᵢ of the last step, for component i.
    pub fn weighed_increments(&self, i: LocalId, weights: [LocalId; STAGES]) -> Expression {
        let increments = self.of_stages(self.coefficients, i);
        let terms = std::iter::zip(weights, increments).map(|(weight, increment)| weight * increment);
        terms.reduce(|sum: Expression, term| sum + term).unwrap_or_else(|| 0.0.into())
    }
}

/// The ℓᵢ at θ, in units of the step.
pub fn weights(f: &mut FunctionBuilder, theta: LocalId) -> [LocalId; STAGES] {
    NODES.map(|node| {
        let others = NODES.into_iter().filter(|&other| other != node);
        let above = others.clone().fold(theta.get(), |product, other| product * (theta - other));
        let below = others.fold(node, |product, other| product * (node - other));
        f.real("weight", above / below)
    })
}
