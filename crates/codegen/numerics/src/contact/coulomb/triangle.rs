//! Positive definite equations of a size known when they are solved: Cholesky's triangle.

use super::rows::Rows;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer};

#[derive(Clone, Copy)]
pub struct Triangle {
    rows: Rows,
    /// The lower triangle of the coefficients, row by row; destroyed by `solve`.
    pub matrix: ArrayId,
    /// The right side, and then the solution.
    pub right: ArrayId,
    /// `(size) -> ()`. A pivot that is not positive gives what is not finite.
    pub solve: FunctionId,
}

impl Triangle {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows) -> Triangle {
        let named = |what: &str| format!("{name}_{what}");
        let triangle = Triangle {
            rows,
            matrix: module.real_array(&named("triangle"), rows.stride * rows.stride, "lower triangle of coefficients"),
            right: module.real_array(&named("triangle_right"), rows.stride, "right side, then solution"),
            solve: module.declare(&named("triangle_solve"), &[("size", Integer)], &[]),
        };
        module.describe(triangle.solve, "Solves positive definite equations by Cholesky's triangle.");
        module.define(triangle.solve, |f| triangle.solve(f));
        triangle
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let [size] = f.parameters();
        let Triangle { matrix, right, .. } = *self;
        f.for_each("i", 0, size, |f, i| {
            f.for_each("j", 0, i, |f, j| {
                let sum = f.real("sum", self.at(i, j));
                f.for_each("k", 0, j, |f, k| f.assign(sum, sum - self.at(i, k) * self.at(j, k)));
                f.store(matrix, self.rows.place(i, j), sum / self.at(j, j));
            });
            let pivot = f.real("pivot", self.at(i, i));
            let sum = f.real("sum", right.at(i));
            f.for_each("k", 0, i, |f, k| {
                f.assign(pivot, pivot - self.at(i, k) * self.at(i, k));
                f.assign(sum, sum - self.at(i, k) * right.at(k));
            });
            f.store(matrix, self.rows.place(i, i), pivot.sqrt());
            f.store(right, i, sum / self.at(i, i));
        });
        f.for_each("up", 1, size + 1, |f, up| {
            let i = f.integer("i", size - up);
            let sum = f.real("sum", right.at(i));
            f.for_each("k", i + 1, size, |f, k| f.assign(sum, sum - self.at(k, i) * right.at(k)));
            f.store(right, i, sum / self.at(i, i));
        });
    }

    fn at(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        self.matrix.at(self.rows.place(i, j))
    }
}
