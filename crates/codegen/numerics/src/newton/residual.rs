//! How well the equations are satisfied: exactly, acceptably, and which one is the worst.

use super::{ACCEPTED, NOISE, Template};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Keeps quotients finite; far below anything that is measured.
const TINY: f64 = 1e-290;

impl Template<'_> {
    /// `() -> (integer, integer)`: whether every residual is at rounding level, and whether every one is acceptable.
    /// Notes the worst equation.
    pub fn measure(&self, module: &mut ModuleBuilder) -> FunctionId {
        let measure = module.declare(&format!("{}_measure", self.problem.name), &[], &[Integer, Integer]);
        module.describe(measure, "Whether the equations hold exactly, and whether they hold acceptably.");
        module.define(measure, |f| {
            let exact = f.integer("exact", 1);
            let worst = f.real("worst", -1.0);
            f.for_each("i", 0, self.problem.equations, |f, i| {
                let residual = f.real("residual", self.problem.residual.at(i).abs());
                let [terms, noise, count] = self.terms(f, i);
                // The sum of so many products is accurate to about as many roundings, and each product to a few.
                let rounding = (count + 10.0) * f64::EPSILON;
                f.assign(exact, exact.and(residual.le(terms.clone() * rounding)));
                let excess = f.real("excess", residual / ((terms * ACCEPTED).max(noise) + TINY));
                f.if_(excess.le(worst).logical_not(), |f| {
                    f.assign(worst, excess.eq_(excess).select(excess, f64::INFINITY));
                    f.store(self.solver.worst_equation, 0, i);
                    f.store(self.solver.worst_residual, 0, self.problem.residual.at(i));
                });
            });
            f.return_((exact, worst.le(1.0)));
        });
        measure
    }

    /// The magnitude of an equation's terms, what rounding may leave of constants in it, and how many terms there are.
    fn terms(&self, f: &mut FunctionBuilder, i: LocalId) -> [Expression; 3] {
        let terms = f.real("terms", 0.0);
        let noise = f.real("noise", 0.0);
        let count = f.real("count", 0.0);
        self.each_slope(f, i, |f, j, slope| {
            let slope = f.real("slope", slope.abs());
            f.increase(count, slope.ne_(0.0).select(1.0, 0.0));
            f.increase(terms, slope * self.size.at(j));
            f.increase(noise, self.typical(slope * NOISE, j.get()));
        });
        [terms.get(), noise.get(), count.get()]
    }
}
