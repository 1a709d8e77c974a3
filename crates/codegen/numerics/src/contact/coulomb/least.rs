//! The least of the forces that hold: where rows depend on one another, many forces do it, and the one of least norm is taken.
//!
//! Rows are made orthonormal one after the other, the one with the most new direction first (modified Gram–Schmidt, once more for each
//! new direction; Björck, *Numerical Methods for Least Squares Problems*, section 2.4), and their right sides go along: the least
//! solution is the sum of the directions times what became of their right sides.

use super::rows::Rows;
use crate::orthogonal::DEPENDENT;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

#[derive(Clone, Copy)]
pub struct Least {
    rows: Rows,
    /// The length of what is left of each row; negative once it is a direction.
    left: ArrayId,
    /// The rows that became directions, in their order.
    pub basis: ArrayId,
    /// `(size) -> integer`: the least solution of the first equations in `matrix` and `right`, in `unknown`; their rank.
    pub solve: FunctionId,
}

impl Least {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows) -> Least {
        let named = |what: &str| format!("{name}_{what}");
        let least = Least {
            rows,
            left: module.real_array(&named("left"), rows.stride, "length of what is left of each row"),
            basis: module.integer_array(&named("basis"), rows.stride, "rows in the order of choice"),
            solve: module.declare(&named("least"), &[("size", Integer)], &[Integer]),
        };
        module.describe(least.solve, "The solution of least norm; redundant rows are left out. The rank.");
        module.define(least.solve, |f| least.solve(f));
        least
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let [size] = f.parameters();
        let Rows { matrix, right, unknown, .. } = self.rows;
        f.for_each("i", 0, size, |f, i| {
            let length = self.length(f, i, size);
            // A row of zeros, and one that is not a number, is left out.
            let usable = f.integer("usable", length.gt(0.0));
            f.store(self.left, i, usable.to_real());
            f.if_(usable, |f| self.divide(f, i, length, size));
            f.store(unknown, i, 0.0);
        });
        let rank = f.integer("rank", 0);
        f.while_(rank.lt(size), |f| {
            let chosen = f.integer("chosen", 0);
            f.for_each("i", 1, size, |f, i| {
                f.if_(self.left.at(i).gt(self.left.at(chosen)), |f| f.assign(chosen, i));
            });
            f.if_(self.left.at(chosen).gt(DEPENDENT).logical_not(), |f| f.break_());
            f.for_each("b", 0, rank, |f, b| {
                let earlier = f.integer("earlier", self.basis.at(b));
                self.remove(f, earlier, chosen, size);
            });
            let length = self.length(f, chosen, size);
            self.divide(f, chosen, length, size);
            f.store(self.basis, rank, chosen);
            f.store(self.left, chosen, -1.0);
            f.increase(rank, 1);
            f.for_each("i", 0, size, |f, i| {
                f.if_(self.left.at(i).gt(DEPENDENT), |f| {
                    self.remove(f, chosen, i, size);
                    let length = self.length(f, i, size);
                    f.store(self.left, i, length);
                });
            });
            f.for_each("j", 0, size, |f, j| {
                let part = right.at(chosen) * matrix.at(self.rows.place(chosen, j));
                f.store(unknown, j, unknown.at(j) + part);
            });
        });
        f.return_(rank);
    }

    /// Takes a direction out of a row and of its right side.
    fn remove(&self, f: &mut FunctionBuilder, direction: LocalId, row: LocalId, size: LocalId) {
        let Rows { matrix, right, .. } = self.rows;
        let along = f.real("along", 0.0);
        f.for_each("j", 0, size, |f, j| f.increase(along, self.rows.entry(direction, j) * self.rows.entry(row, j)));
        f.for_each("j", 0, size, |f, j| {
            let less = self.rows.entry(row, j) - along * self.rows.entry(direction, j);
            f.store(matrix, self.rows.place(row, j), less);
        });
        f.store(right, row, right.at(row) - along * right.at(direction));
    }

    fn divide(&self, f: &mut FunctionBuilder, row: LocalId, by: LocalId, size: LocalId) {
        let Rows { matrix, right, .. } = self.rows;
        f.for_each("j", 0, size, |f, j| f.store(matrix, self.rows.place(row, j), self.rows.entry(row, j) / by));
        f.store(right, row, right.at(row) / by);
    }

    fn length(&self, f: &mut FunctionBuilder, row: LocalId, size: LocalId) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("j", 0, size, |f, j| f.increase(sum, self.rows.entry(row, j) * self.rows.entry(row, j)));
        f.real("length", sum.sqrt())
    }
}
