//! How far to go in the direction of the step: all the way, or halves of it until the residuals decrease.

use super::{Newton, Template};
use kernel::{
    FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

impl Template<'_> {
    /// `(trials: integer) -> (integer, integer)`: 0 if a point was found that is better, else why not; and whether that
    /// is the end of the full step. If none was found, everything is as before.
    pub fn search(&self, module: &mut ModuleBuilder) -> FunctionId {
        let name = format!("{}_search", self.problem.name);
        let search = module.declare(&name, &[("trials", Integer)], &[Integer, Integer]);
        let note = "Goes along the step as far as the residuals decrease: a status, and whether that is all the way.";
        module.describe(search, note);
        let try_factor = self.try_factor(module);
        module.define(search, |f| {
            let [trials] = f.parameters();
            let before = self.merit(f);
            f.for_each("j", 0, self.problem.unknowns, |f, j| f.store(self.origin, j, self.problem.x.at(j)));
            let status = f.integer("status", Newton::NOT_EVALUATED);
            let factor = f.real("factor", 1.0);
            f.for_each("trial", 0, trials, |f, trial| {
                let [refused, after] = f.call_n(try_factor, factor);
                // Not a number is no decrease either.
                f.if_(refused.eq_(0).and(after.lt(before)), |f| f.return_((Newton::SOLVED, trial.eq_(0))));
                f.if_(refused.eq_(0), |f| f.assign(status, Newton::NOT_CONVERGED));
                f.assign(factor, factor * 0.5);
            });
            f.call(try_factor, 0.0);
            f.return_((status, 0));
        });
        search
    }

    /// `(factor: real) -> (integer, real)`: goes that part of the step and evaluates there; the evaluation's status
    /// and the merit. The factor 0 goes back to the origin to the bit.
    fn try_factor(&self, module: &mut ModuleBuilder) -> FunctionId {
        let name = format!("{}_try", self.problem.name);
        let function = module.declare(&name, &[("factor", Real)], &[Integer, Real]);
        module.describe(function, "Goes a part of the step: the status of the evaluation, and the merit.");
        module.define(function, |f| {
            let [factor] = f.parameters();
            f.for_each("j", 0, self.problem.unknowns, |f, j| {
                let moved = self.origin.at(j) + factor * self.change.at(j);
                f.store(self.problem.x, j, factor.eq_(0.0).select(self.origin.at(j), moved));
            });
            let refused = f.call1(self.problem.evaluate, ());
            let merit = self.merit(f);
            f.return_((refused, merit));
        });
        function
    }

    /// The sum of all residuals, each divided by the length of its row where the step begins: to first order, the
    /// distances from the equations.
    fn merit(&self, f: &mut FunctionBuilder) -> LocalId {
        let merit = f.real("merit", 0.0);
        f.for_each("i", 0, self.problem.equations, |f, i| {
            f.increase(merit, self.problem.residual.at(i).abs() * self.weight.at(i));
        });
        merit
    }
}
