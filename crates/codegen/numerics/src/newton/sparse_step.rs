//! The step of a sparse square system: elimination along tables.

use super::Template;
use crate::sparse::{SparsePattern, sparse_solver};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

impl Template<'_> {
    /// `() -> ()`: from `residual` and `jacobian` the full step `change`, the weights of the equations, and the rank. Where the
    /// equations depend on one another there is no step.
    pub fn sparse_step(&self, module: &mut ModuleBuilder, pattern: &SparsePattern) -> FunctionId {
        let (name, n) = (self.problem.name, self.problem.unknowns);
        let step = module.declare(&format!("{name}_step"), &[], &[]);
        module.describe(step, "The step that satisfies the linearised equations.");
        let solver = sparse_solver(module, &format!("{name}_sparse"), pattern);
        module.define(step, |f| {
            f.for_each("i", 0, n, |f, i| {
                self.weigh(f, i);
                f.store(solver.right, i, -self.problem.residual.at(i));
                f.store(self.change, i, 0.0);
            });
            f.for_each("e", 0, pattern.entries.len(), |f, e| f.store(solver.matrix, e, self.problem.jacobian.at(e)));
            let pivotless = f.call1(solver.factorise, ());
            f.store(self.solver.rank, 0, pivotless.eq_(0).select(n as i64, n as i64 - 1));
            f.if_(pivotless.eq_(0), |f| {
                f.call(solver.solve, ());
                f.for_each("j", 0, n, |f, j| f.store(self.change, j, solver.right.at(j)));
            });
        });
        step
    }

    /// Notes the weight of a sparse row.
    pub fn weigh(&self, f: &mut FunctionBuilder, i: LocalId) {
        let sum = f.real("sum", 0.0);
        self.each_slope(f, i, |f, j, slope| {
            let slope = f.real("slope", self.typical(slope, j.get()));
            f.increase(sum, slope * slope);
        });
        let length = f.real("length", sum.sqrt());
        self.note_length(f, i, length);
        f.store(self.weight, i, length.gt(0.0).select(1.0 / length, 0.0));
    }
}
