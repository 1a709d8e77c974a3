//! The shortest step that satisfies the linearised equations: an LQ factorisation of the Jacobian, row by row.
//!
//! The row with the most new direction comes first. The step is built up as rows are processed: a new direction
//! is orthogonal to all rows before, so moving along it to satisfy this row leaves those satisfied.

use super::Template;
use crate::orthogonal::{DEPENDENT, OrthogonalRows};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

impl Template<'_> {
    /// `() -> ()`: from `residual` and `jacobian` the full step `change`, the weights of the equations, and the rank.
    pub fn step(&self, module: &mut ModuleBuilder) -> FunctionId {
        let (name, m, n) = (self.problem.name, self.problem.equations, self.problem.unknowns);
        let step = module.declare(&format!("{name}_step"), &[], &[]);
        module.describe(step, "The shortest step that satisfies the linearised equations.");
        let rows = OrthogonalRows::declare(module, name, m, n);
        module.define(step, |f| {
            self.normalise(f, &rows);
            f.for_each("j", 0, n, |f, j| f.store(self.change, j, 0.0));
            f.store(self.solver.rank, 0, 0);
            f.for_each("k", 0, m.min(n), |f, k| {
                let chosen = rows.largest(f, |i| rows.left.at(i));
                f.if_(rows.left.at(chosen).le(DEPENDENT), |f| f.break_());
                self.note_independence(f, &chosen.get(), rows.left.at(chosen));
                rows.make_direction(f, k, chosen);
                self.move_along(f, &rows, chosen);
                f.store(rows.left, chosen, -1.0);
                f.store(rows.basis, k, chosen);
                f.store(self.solver.rank, 0, k + 1);
                rows.reduce(f, chosen);
            });
            // From typical unknowns to unknowns.
            f.for_each("j", 0, n, |f, j| f.store(self.change, j, self.typical(self.change.at(j), j.get())));
        });
        step
    }

    /// Copies the rows of the Jacobian, scaled to length one. A row that is zero or not a number is left out.
    fn normalise(&self, f: &mut FunctionBuilder, rows: &OrthogonalRows) {
        f.for_each("i", 0, self.problem.equations, |f, i| {
            let sum = f.real("sum", 0.0);
            f.for_each("j", 0, self.problem.unknowns, |f, j| {
                let slope = f.real("slope", self.slope(&i.get(), &j.get()));
                f.increase(sum, slope * slope);
            });
            let length = f.real("length", sum.sqrt());
            self.note_length(f, i, length);
            let usable = f.integer("usable", length.gt(0.0));
            f.store(self.weight, i, usable.select(1.0 / length, 0.0));
            f.store(rows.left, i, usable.select(1.0, 0.0));
            f.for_each("j", 0, self.problem.unknowns, |f, j| {
                f.store(rows.rows, rows.place(i, j), self.slope(&i.get(), &j.get()) * self.weight.at(i));
            });
        });
    }

    /// Moves along the chosen direction until its equation is satisfied.
    fn move_along(&self, f: &mut FunctionBuilder, rows: &OrthogonalRows, chosen: LocalId) {
        let residual = f.real("residual", self.problem.residual.at(chosen));
        let pivot = f.real("pivot", 0.0);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            let slope = f.real("slope", self.slope(&chosen.get(), &j.get()));
            f.increase(residual, slope * self.change.at(j));
            f.increase(pivot, slope * rows.rows.at(rows.place(chosen, j)));
        });
        let amount = f.real("amount", residual / pivot);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            f.store(self.change, j, self.change.at(j) - amount * rows.rows.at(rows.place(chosen, j)));
        });
    }
}
