//! The stages of one step, and its error.

use super::{Template, rodas_5p, weighed};
use crate::steps::{First, IntegratorArrays};
use kernel::{
    Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

impl Template<'_> {
    /// `() -> integer`: the slope and the Jacobian at the current time. The code of a function that refused, or 0.
    pub fn prepare(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Takes the slope and the Jacobian at the current time.";
        let prepare = self.steps.function(module, "prepare", &[], &[Integer], note);
        module.define(prepare, |f| {
            let IntegratorArrays { state, stage, time, .. } = *self.steps.arrays;
            f.if_(self.steps.first.at(0).ne_(First::InPlace as i64), |f| {
                f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i)));
                self.steps.evaluate_or_return(f, time.at(0), 0);
                let code = self.linearise(f, time.at(0));
                f.if_(code.ne_(0), |f| f.return_(code));
            });
            f.store(self.steps.first, 0, First::InPlace as i64);
            f.return_(0);
        });
        prepare
    }

    /// The Jacobian at `stage`; the code of the function.
    pub fn linearise(&self, f: &mut FunctionBuilder, t: Expression) -> LocalId {
        self.steps.count(f, IntegratorArrays::JACOBIANS);
        let code = f.call1(self.problem.evaluate_jacobian, t);
        f.if_(code.ne_(0), |f| f.store(self.steps.arrays.failure_code, 0, code));
        code
    }

    /// Factors the matrix; 0, or 1 + the row that is left without a pivot.
    pub fn factorise(&self, f: &mut FunctionBuilder) -> LocalId {
        self.steps.count(f, IntegratorArrays::FACTORISATIONS);
        f.call1(self.solver.factorise, ())
    }

    /// `(t: real, end: real) -> integer`: see [`Scheme`](crate::steps::Scheme).
    ///
    /// (M / (h γ) − ∂f/∂y) uᵢ = f(t + cᵢ h, y + Σ aᵢⱼ uⱼ) + M Σ (Cᵢⱼ / h) uⱼ + dᵢ h ∂f/∂t
    pub fn stages(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Computes the increments of a step; its end is left in stage.";
        let stages = self.steps.function(module, "stages", &[("t", Real), ("end", Real)], &[Integer], note);
        let (right, mass) = (self.solver.right, self.matrix.mass);
        module.define(stages, |f| {
            let [t, end] = f.parameters();
            let IntegratorArrays { state, stage, .. } = *self.steps.arrays;
            let h = f.real("h", end - t);
            self.matrix.form(f, 1.0 / (h * rodas_5p::GAMMA));
            let singular = self.factorise(f);
            f.if_(singular.ne_(0), |f| f.return_(-singular.get()));
            let per_step = f.real("per_step", 1.0 / h);
            for number in 0..rodas_5p::STAGES {
                let slope = usize::from(number > 0);
                // What needs the increments before is done in one pass over them.
                f.for_each("i", 0, self.n(), |f, i| {
                    let time_weight = rodas_5p::TIME_WEIGHTS[number];
                    let mut known = Expression::from(0.0);
                    if time_weight != 0.0 {
                        known = h * time_weight * self.problem.time_slopes.at(i);
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
                    self.steps.evaluate_or_return(f, when, slope);
                }
                f.for_each("i", 0, self.n(), |f, i| f.store(right, i, right.at(i) + self.steps.slope(slope, i)));
                f.call(self.solver.solve, ());
                f.for_each("i", 0, self.n(), |f, i| f.store(self.increments, i + number * self.n(), right.at(i)));
            }
            f.for_each("i", 0, self.n(), |f, i| {
                f.store(stage, i, stage.at(i) + self.increment(rodas_5p::STAGES - 1, i));
            });
            f.return_(0);
        });
        stages
    }

    /// `(h: real) -> real`: the last increment of the differential components, in units of what is allowed. Algebraic ones follow
    /// from these, and one that ought to be zero is nothing but rounding, by which nothing can be measured.
    pub fn error(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "The error of the trial, in units of what is allowed.";
        let error = self.steps.function(module, "error", &[("h", Real)], &[Real], note);
        module.define(error, |f| {
            self.steps.measure_groups(f);
            let tolerance = self.steps.tolerance(f);
            let last = |i: LocalId| self.increment(rodas_5p::STAGES - 1, i) * self.matrix.mass.at(i);
            let norm = self.steps.norm(f, tolerance, last);
            let differential = self.problem.pattern.is_differential.iter().filter(|is| **is).count().max(1);
            f.return_(norm * (self.steps.components() / differential as f64).sqrt());
        });
        error
    }
}
