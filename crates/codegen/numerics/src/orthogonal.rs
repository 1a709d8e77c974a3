//! Rows made orthogonal one after the other, the one with the most new direction first.
//!
//! Modified Gram–Schmidt with re-orthogonalisation (Björck, *Numerical Methods for Least Squares Problems*, section 2.4).

use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Term};

/// A row of length one of which less than this is new depends on the rows before.
pub const DEPENDENT: f64 = 1e-10;

/// The arrays of the factorisation of m rows in n columns.
pub struct OrthogonalRows {
    m: usize,
    n: usize,
    /// The rows, scaled to length one, less the directions found so far (m × n).
    pub rows: ArrayId,
    /// The length of what is left of each row; negative once it is a direction of the basis.
    pub left: ArrayId,
    /// The rows that have become directions, in the order of choice.
    pub basis: ArrayId,
}

impl OrthogonalRows {
    pub fn declare(module: &mut ModuleBuilder, name: &str, m: usize, n: usize) -> OrthogonalRows {
        OrthogonalRows {
            m,
            n,
            rows: module.real_array(&format!("{name}_rows"), m * n, "rows of the Jacobian, made orthonormal"),
            left: module.real_array(&format!("{name}_left"), m, "length of what is left of each row"),
            basis: module.integer_array(&format!("{name}_basis"), m.min(n), "rows in the order of choice"),
        }
    }

    /// The row for which this is largest, the first of equals.
    pub fn largest(&self, f: &mut FunctionBuilder, measure: impl Fn(LocalId) -> Expression) -> LocalId {
        let chosen = f.integer("chosen", 0);
        f.for_each("i", 1, self.m, |f, i| {
            f.if_(measure(i).gt(measure(chosen)), |f| f.assign(chosen, i));
        });
        chosen
    }

    /// Makes what is left of the chosen row orthogonal to the basis of so many rows once more, and of length one.
    pub fn make_direction(&self, f: &mut FunctionBuilder, size: LocalId, chosen: LocalId) {
        f.for_each("b", 0, size, |f, b| {
            let earlier = f.integer("earlier", self.basis.at(b));
            self.remove(f, earlier, chosen);
        });
        let length = self.length(f, chosen);
        f.for_each("j", 0, self.n, |f, j| {
            f.store(self.rows, self.place(chosen, j), self.rows.at(self.place(chosen, j)) / length);
        });
    }

    /// Takes the new direction out of all rows that are left.
    pub fn reduce(&self, f: &mut FunctionBuilder, direction: LocalId) {
        f.for_each("i", 0, self.m, |f, i| {
            f.if_(self.left.at(i).gt(DEPENDENT), |f| {
                self.remove(f, direction, i);
                let length = self.length(f, i);
                f.store(self.left, i, length);
            });
        });
    }

    /// Takes a direction out of a row.
    fn remove(&self, f: &mut FunctionBuilder, direction: LocalId, row: LocalId) {
        let entry = |i, j| self.rows.at(self.place(i, j));
        let along = f.real("along", 0.0);
        f.for_each("j", 0, self.n, |f, j| f.increase(along, entry(direction, j) * entry(row, j)));
        f.for_each("j", 0, self.n, |f, j| {
            f.store(self.rows, self.place(row, j), entry(row, j) - along * entry(direction, j));
        });
    }

    /// The length of what is left of a row.
    pub fn length(&self, f: &mut FunctionBuilder, row: LocalId) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("j", 0, self.n, |f, j| {
            let entry = f.real("entry", self.rows.at(self.place(row, j)));
            f.increase(sum, entry * entry);
        });
        f.real("length", sum.sqrt())
    }

    /// Where row i has its entry j.
    pub fn place(&self, i: LocalId, j: LocalId) -> Expression {
        i * self.n + j
    }
}
