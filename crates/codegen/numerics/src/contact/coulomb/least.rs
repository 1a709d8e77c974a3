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
    /// Where the entries of each row that are not zero begin and end: in a chain of bodies they are few.
    begin: ArrayId,
    end: ArrayId,
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
            begin: module.integer_array(&named("begin"), rows.stride, "first entry of each row that is not zero"),
            end: module.integer_array(&named("end"), rows.stride, "behind the last entry that is not zero"),
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
            self.look_for_entries(f, i, size);
            let length = self.length(f, i);
            // A row of zeros, and one that is not a number, is left out.
            let usable = f.integer("usable", length.gt(0.0));
            f.store(self.left, i, usable.to_real());
            f.if_(usable, |f| self.divide(f, i, length));
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
                self.remove(f, earlier, chosen);
            });
            let length = self.length(f, chosen);
            self.divide(f, chosen, length);
            f.store(self.basis, rank, chosen);
            f.store(self.left, chosen, -1.0);
            f.increase(rank, 1);
            f.for_each("i", 0, size, |f, i| {
                f.if_(self.left.at(i).gt(DEPENDENT), |f| {
                    let along = self.remove(f, chosen, i);
                    f.if_(along.ne_(0.0), |f| {
                        let length = self.length(f, i);
                        f.store(self.left, i, length);
                    });
                });
            });
            f.for_each("j", self.begin.at(chosen), self.end.at(chosen), |f, j| {
                let part = right.at(chosen) * matrix.at(self.rows.place(chosen, j));
                f.store(unknown, j, unknown.at(j) + part);
            });
        });
        f.return_(rank);
    }

    fn look_for_entries(&self, f: &mut FunctionBuilder, row: LocalId, size: LocalId) {
        let (begin, end) = (f.integer("first_entry", size), f.integer("last_entry", 0));
        f.for_each("j", 0, size, |f, j| {
            f.if_(self.rows.entry(row, j).ne_(0.0), |f| {
                f.assign(begin, begin.lt(j).select(begin, j));
                f.assign(end, j + 1);
            });
        });
        f.store(self.begin, row, begin);
        f.store(self.end, row, end);
    }

    /// Takes a direction out of a row and of its right side; how much of it was there.
    fn remove(&self, f: &mut FunctionBuilder, direction: LocalId, row: LocalId) -> LocalId {
        let Rows { matrix, right, .. } = self.rows;
        let [from, to] = [self.begin, self.end].map(|of| f.integer("of_direction", of.at(direction)));
        let [begin, end] = [self.begin, self.end].map(|of| f.integer("of_row", of.at(row)));
        let along = f.real("along", 0.0);
        f.for_each("j", from.gt(begin).select(from, begin), to.lt(end).select(to, end), |f, j| {
            f.increase(along, self.rows.entry(direction, j) * self.rows.entry(row, j));
        });
        f.if_(along.ne_(0.0), |f| {
            f.for_each("j", from, to, |f, j| {
                let less = self.rows.entry(row, j) - along * self.rows.entry(direction, j);
                f.store(matrix, self.rows.place(row, j), less);
            });
            f.store(right, row, right.at(row) - along * right.at(direction));
            f.store(self.begin, row, from.lt(begin).select(from, begin));
            f.store(self.end, row, to.gt(end).select(to, end));
        });
        along
    }

    fn divide(&self, f: &mut FunctionBuilder, row: LocalId, by: LocalId) {
        let Rows { matrix, right, .. } = self.rows;
        f.for_each("j", self.begin.at(row), self.end.at(row), |f, j| {
            f.store(matrix, self.rows.place(row, j), self.rows.entry(row, j) / by);
        });
        f.store(right, row, right.at(row) / by);
    }

    fn length(&self, f: &mut FunctionBuilder, row: LocalId) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("j", self.begin.at(row), self.end.at(row), |f, j| {
            f.increase(sum, self.rows.entry(row, j) * self.rows.entry(row, j));
        });
        f.real("length", sum.sqrt())
    }
}
