//! General equations of a size known when they are solved: elimination with partial pivoting.

use super::rows::Rows;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

#[derive(Clone, Copy)]
pub struct Elimination {
    rows: Rows,
    /// The coefficients, row by row; destroyed by `solve`.
    pub matrix: ArrayId,
    /// The right side, and then the solution.
    pub right: ArrayId,
    /// `(size) -> ()`. A pivot of zero gives what is not finite.
    pub solve: FunctionId,
}

impl Elimination {
    /// Shares the arrays of coefficients with another method that is never used at the same time.
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows, matrix: ArrayId, right: ArrayId) -> Elimination {
        let solve = module.declare(&format!("{name}_eliminate"), &[("size", Integer)], &[]);
        let elimination = Elimination { rows, matrix, right, solve };
        module.describe(solve, "Solves equations by elimination with partial pivoting.");
        module.define(solve, |f| elimination.solve(f));
        elimination
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let [size] = f.parameters();
        f.for_each("k", 0, size, |f, k| {
            let pivot = f.integer("pivot", k);
            f.for_each("i", k + 1, size, |f, i| {
                f.if_(self.at(i, k).abs().gt(self.at(pivot, k).abs()), |f| f.assign(pivot, i));
            });
            f.if_(pivot.ne_(k), |f| {
                f.for_each("j", k, size, |f, j| {
                    self.swap(f, self.matrix, self.rows.place(k, j), self.rows.place(pivot, j))
                });
                self.swap(f, self.right, k.get(), pivot.get());
            });
            f.for_each("i", k + 1, size, |f, i| {
                let factor = f.real("factor", self.at(i, k) / self.at(k, k));
                f.if_(factor.ne_(0.0), |f| {
                    f.for_each("j", k + 1, size, |f, j| {
                        f.store(self.matrix, self.rows.place(i, j), self.at(i, j) - factor * self.at(k, j));
                    });
                    f.store(self.right, i, self.right.at(i) - factor * self.right.at(k));
                });
            });
        });
        f.for_each("up", 1, size + 1, |f, up| {
            let i = f.integer("i", size - up);
            let sum = f.real("sum", self.right.at(i));
            f.for_each("j", i + 1, size, |f, j| f.assign(sum, sum - self.at(i, j) * self.right.at(j)));
            f.store(self.right, i, sum / self.at(i, i));
        });
    }

    fn swap(&self, f: &mut FunctionBuilder, array: ArrayId, a: Expression, b: Expression) {
        let kept = f.real("kept", array.at(&a));
        f.store(array, a, array.at(&b));
        f.store(array, b, kept);
    }

    fn at(&self, i: LocalId, j: LocalId) -> Expression {
        self.matrix.at(self.rows.place(i, j))
    }
}
