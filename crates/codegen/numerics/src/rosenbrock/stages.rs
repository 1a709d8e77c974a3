//! The stages of one step, and its error.

use super::{Template, rodas_5p, weighed};
use crate::implicit::Implicit;
use crate::steps::IntegratorArrays;
use kernel::{
    Expression, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

impl Template<'_> {
    /// `(t: real, end: real) -> integer`: see [`Scheme`](crate::steps::Scheme).
    ///
    /// (M / (h γ) − ∂f/∂y) uᵢ = f(t + cᵢ h, y + Σ aᵢⱼ uⱼ) + M Σ (Cᵢⱼ / h) uⱼ + dᵢ h ∂f/∂t
    pub fn stages(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Computes the increments of a step; its end is left in stage.";
        let Implicit { steps, problem, matrix, solver, .. } = &self.implicit;
        let stages = steps.function(module, "stages", &[("t", Real), ("end", Real)], &[Integer], note);
        let (right, mass) = (solver.right, matrix.mass);
        module.define(stages, |f| {
            let [t, end] = f.parameters();
            let IntegratorArrays { state, stage, .. } = *steps.arrays;
            let h = f.real("h", end - t);
            matrix.form(f, 1.0 / (h * rodas_5p::GAMMA));
            let singular = self.implicit.factorise(f, solver);
            f.if_(singular.ne_(0), |f| f.return_(-singular.get()));
            let per_step = f.real("per_step", 1.0 / h);
            for number in 0..rodas_5p::STAGES {
                let slope = usize::from(number > 0);
                // What needs the increments before is done in one pass over them.
                f.for_each("i", 0, self.n(), |f, i| {
                    let time_weight = rodas_5p::TIME_WEIGHTS[number];
                    let mut known = Expression::from(0.0);
                    if time_weight != 0.0 {
                        known = h * time_weight * problem.time_slopes.at(i);
                    }
                    if number > 0 {
                        let before: Vec<LocalId> = (0..number).map(|j| f.real("u", self.increment(j, i))).collect();
                        let sum = |weights: &[f64]| weighed(weights, |j| before[j].get());
                        known = mass.at(i) * (per_step * sum(rodas_5p::COUPLING[number])) + known;
                        f.store(stage, i, state.at(i) + sum(rodas_5p::ARGUMENTS[number]));
                    }
                    f.store(right, i, known);
                });
                if number > 0 {
                    let node = rodas_5p::NODES[number];
                    let when = if node == 1.0 { end.get() } else { t + h * node };
                    steps.evaluate_or_return(f, when, slope);
                }
                f.for_each("i", 0, self.n(), |f, i| f.store(right, i, right.at(i) + steps.slope(slope, i)));
                f.call(solver.solve, ());
                f.for_each("i", 0, self.n(), |f, i| f.store(self.increments, i + number * self.n(), right.at(i)));
            }
            f.for_each("i", 0, self.n(), |f, i| {
                f.store(stage, i, stage.at(i) + self.increment(rodas_5p::STAGES - 1, i));
            });
            f.return_(0);
        });
        stages
    }

    /// `(h: real) -> real`: the last increment, in units of what is allowed.
    pub fn error(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "The error of the trial, in units of what is allowed.";
        let error = self.implicit.steps.function(module, "error", &[("h", Real)], &[Real], note);
        module.define(error, |f| {
            self.implicit.steps.measure_groups(f);
            let norm = self.implicit.norm(f, |i| self.increment(rodas_5p::STAGES - 1, i));
            f.return_(norm);
        });
        error
    }
}
