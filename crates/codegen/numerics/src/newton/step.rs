//! The shortest step that satisfies the linearised equations: an LQ factorisation of the Jacobian, row by row.
//!
//! Modified Gram–Schmidt on the rows with re-orthogonalisation (Björck, *Numerical Methods for Least Squares Problems*,
//! section 2.4), the row with the most new direction first. The step is built up as rows are processed: a new direction
//! is orthogonal to all rows before, so moving along it to satisfy this row leaves those satisfied.

use super::Template;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

/// A row of length one of which less than this is new depends on the rows before.
const DEPENDENT: f64 = 1e-10;

/// The arrays of the factorisation.
struct Rows {
    /// The rows, scaled to length one, less the directions found so far (m × n).
    rows: ArrayId,
    /// The length of what is left of each row; negative once it is a direction of the basis.
    left: ArrayId,
    /// The rows that have become directions, in the order of choice.
    basis: ArrayId,
}

impl Template<'_> {
    /// `() -> ()`: from `residual` and `jacobian` the full step `change`, the weights of the equations, and the rank.
    pub fn step(&self, module: &mut ModuleBuilder) -> FunctionId {
        let (name, m, n) = (self.problem.name, self.problem.equations, self.problem.unknowns);
        let step = module.declare(&format!("{name}_step"), &[], &[]);
        module.describe(step, "The shortest step that satisfies the linearised equations.");
        let rows = Rows {
            rows: module.real_array(&format!("{name}_rows"), m * n, "rows of the Jacobian, made orthonormal"),
            left: module.real_array(&format!("{name}_left"), m, "length of what is left of each row"),
            basis: module.integer_array(&format!("{name}_basis"), m.min(n), "rows in the order of choice"),
        };
        module.define(step, |f| {
            self.normalise(f, &rows);
            f.for_each("j", 0, n, |f, j| f.store(self.change, j, 0.0));
            f.store(self.solver.rank, 0, 0);
            f.for_each("k", 0, m.min(n), |f, k| {
                let chosen = self.choose(f, &rows);
                f.if_(rows.left.at(chosen).le(DEPENDENT), |f| f.break_());
                self.make_direction(f, &rows, k, chosen);
                self.move_along(f, &rows, chosen);
                f.store(rows.left, chosen, -1.0);
                f.store(rows.basis, k, chosen);
                f.store(self.solver.rank, 0, k + 1);
                self.reduce(f, &rows, chosen);
            });
            // From typical unknowns to unknowns.
            f.for_each("j", 0, n, |f, j| f.store(self.change, j, self.typical(self.change.at(j), j.get())));
        });
        step
    }

    /// Copies the rows of the Jacobian, scaled to length one. A row that is zero or not a number is left out.
    fn normalise(&self, f: &mut FunctionBuilder, rows: &Rows) {
        f.for_each("i", 0, self.problem.equations, |f, i| {
            let sum = f.real("sum", 0.0);
            f.for_each("j", 0, self.problem.unknowns, |f, j| {
                let slope = f.real("slope", self.slope(&i.get(), &j.get()));
                f.increase(sum, slope * slope);
            });
            let length = f.real("length", sum.sqrt());
            let usable = f.integer("usable", length.gt(0.0));
            f.store(self.weight, i, usable.select(1.0 / length, 0.0));
            f.store(rows.left, i, usable.select(1.0, 0.0));
            f.for_each("j", 0, self.problem.unknowns, |f, j| {
                f.store(rows.rows, self.place(i, j), self.slope(&i.get(), &j.get()) * self.weight.at(i));
            });
        });
    }

    /// The row of which most is left.
    fn choose(&self, f: &mut FunctionBuilder, rows: &Rows) -> LocalId {
        let chosen = f.integer("chosen", 0);
        f.for_each("i", 1, self.problem.equations, |f, i| {
            f.if_(rows.left.at(i).gt(rows.left.at(chosen)), |f| f.assign(chosen, i));
        });
        chosen
    }

    /// Makes what is left of the chosen row orthogonal to the basis once more, and of length one.
    fn make_direction(&self, f: &mut FunctionBuilder, rows: &Rows, size: LocalId, chosen: LocalId) {
        f.for_each("b", 0, size, |f, b| {
            let earlier = f.integer("earlier", rows.basis.at(b));
            self.remove(f, rows, earlier, chosen);
        });
        let length = self.length(f, rows, chosen);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            f.store(rows.rows, self.place(chosen, j), rows.rows.at(self.place(chosen, j)) / length);
        });
    }

    /// Moves along the chosen direction until its equation is satisfied.
    fn move_along(&self, f: &mut FunctionBuilder, rows: &Rows, chosen: LocalId) {
        let residual = f.real("residual", self.problem.residual.at(chosen));
        let pivot = f.real("pivot", 0.0);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            let slope = f.real("slope", self.slope(&chosen.get(), &j.get()));
            f.increase(residual, slope * self.change.at(j));
            f.increase(pivot, slope * rows.rows.at(self.place(chosen, j)));
        });
        let amount = f.real("amount", residual / pivot);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            f.store(self.change, j, self.change.at(j) - amount * rows.rows.at(self.place(chosen, j)));
        });
    }

    /// Takes the new direction out of all rows that are left.
    fn reduce(&self, f: &mut FunctionBuilder, rows: &Rows, direction: LocalId) {
        f.for_each("i", 0, self.problem.equations, |f, i| {
            f.if_(rows.left.at(i).gt(DEPENDENT), |f| {
                self.remove(f, rows, direction, i);
                let length = self.length(f, rows, i);
                f.store(rows.left, i, length);
            });
        });
    }

    /// Takes a direction out of a row.
    fn remove(&self, f: &mut FunctionBuilder, rows: &Rows, direction: LocalId, row: LocalId) {
        let entry = |i, j| rows.rows.at(self.place(i, j));
        let along = f.real("along", 0.0);
        f.for_each("j", 0, self.problem.unknowns, |f, j| f.increase(along, entry(direction, j) * entry(row, j)));
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            f.store(rows.rows, self.place(row, j), entry(row, j) - along * entry(direction, j));
        });
    }

    /// The length of what is left of a row.
    fn length(&self, f: &mut FunctionBuilder, rows: &Rows, row: LocalId) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            let entry = f.real("entry", rows.rows.at(self.place(row, j)));
            f.increase(sum, entry * entry);
        });
        f.real("length", sum.sqrt())
    }

    /// Where row i has its entry j.
    fn place(&self, i: LocalId, j: LocalId) -> Expression {
        i * self.problem.unknowns + j
    }
}
