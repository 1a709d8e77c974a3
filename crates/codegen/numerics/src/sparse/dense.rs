//! The same matrix as a full one: elimination with row equilibration and partial pivoting, whose factors are kept.
//!
//! Golub and Van Loan, *Matrix Computations*, sections 3.4 and 3.5.

use super::{SparsePattern, SparseSolver};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

pub struct DenseFactors {
    /// `() -> integer`: 0, or 1 if the matrix is singular.
    pub factorise: FunctionId,
    /// `()`: solves with the factors of the last `factorise`.
    pub solve: FunctionId,
}

/// A pivot this small, times n, in relation to its column counts as zero.
const VANISHING: f64 = 1e-14;

struct Full<'s> {
    n: usize,
    entries: usize,
    solver: &'s SparseSolver,
    /// The factors, row by row: multipliers below the diagonal, the upper factor on and above it.
    factors: ArrayId,
    /// Where each entry of the pattern goes.
    place: ArrayId,
    /// What each row was multiplied with.
    scale: ArrayId,
    /// The row that each row was exchanged with in its step.
    exchanged: ArrayId,
    /// The largest coefficient of each column.
    column: ArrayId,
}

impl DenseFactors {
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        pattern: &SparsePattern,
        solver: &SparseSolver,
    ) -> DenseFactors {
        let n = pattern.column_of_row.len();
        let places: Vec<i64> = pattern.entries.iter().map(|(row, column)| (row * n + column) as i64).collect();
        let name = |what: &str| format!("{name}_{what}");
        let full = Full {
            n,
            entries: places.len(),
            solver,
            factors: module.real_array(&name("factors"), n * n, "factors of the full matrix, row by row"),
            place: module.integers(&name("place"), &places, "where each coefficient goes"),
            scale: module.real_array(&name("scale"), n, "what each row was multiplied with"),
            exchanged: module.integer_array(&name("exchanged"), n, "the row that each was exchanged with"),
            column: module.real_array(&name("column"), n, "largest coefficient of each column"),
        };
        DenseFactors {
            factorise: module.function(&name("factorise"), &[], &[Integer], |f| full.factorise(f)),
            solve: module.function(&name("solve"), &[], &[], |f| full.solve(f)),
        }
    }
}

impl Full<'_> {
    fn at(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        self.factors.at(self.index(i, j))
    }

    fn index(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        i.into() * self.n + j
    }

    fn factorise(&self, f: &mut FunctionBuilder) {
        let n = self.n;
        f.for_each("at", 0, n * n, |f, at| f.store(self.factors, at, 0.0));
        f.for_each("e", 0, self.entries, |f, e| f.store(self.factors, self.place.at(e), self.solver.matrix.at(e)));
        self.equilibrate(f);
        f.for_each("k", 0, n, |f, k| {
            let pivot = f.integer("pivot", k);
            let best = f.real("best", 0.0);
            f.for_each("i", k, n, |f, i| {
                let candidate = f.real("candidate", self.at(i, k).abs());
                f.if_(candidate.gt(best), |f| {
                    f.assign(best, candidate);
                    f.assign(pivot, i);
                });
            });
            // Written as a negation, so that what is not a number does not pass.
            let usable = best.gt(self.column.at(k) * (n as f64 * VANISHING));
            f.if_(usable.logical_not(), |f| f.return_(1));
            f.store(self.exchanged, k, pivot);
            f.if_(pivot.ne_(k), |f| {
                f.for_each("j", 0, n, |f, j| swap(f, self.factors, self.index(k, j), self.index(pivot, j)));
            });
            f.for_each("i", k + 1, n, |f, i| {
                let factor = f.real("factor", self.at(i, k) / self.at(k, k));
                f.store(self.factors, self.index(i, k), factor);
                f.if_(factor.ne_(0.0), |f| {
                    f.for_each("j", k + 1, n, |f, j| {
                        f.store(self.factors, self.index(i, j), self.at(i, j) - factor * self.at(k, j));
                    });
                });
            });
        });
        f.return_(0);
    }

    /// Makes the largest coefficient of each row 1, and notes the largest of each column then.
    fn equilibrate(&self, f: &mut FunctionBuilder) {
        f.for_each("j", 0, self.n, |f, j| f.store(self.column, j, 0.0));
        f.for_each("i", 0, self.n, |f, i| {
            let largest = f.real("largest", 0.0);
            f.for_each("j", 0, self.n, |f, j| f.assign(largest, self.at(i, j).abs().max(largest)));
            let scale = f.real("scale", 1.0 / largest);
            f.store(self.scale, i, scale);
            f.for_each("j", 0, self.n, |f, j| {
                let scaled = f.real("scaled", self.at(i, j) * scale);
                f.store(self.factors, self.index(i, j), scaled);
                f.store(self.column, j, scaled.abs().max(self.column.at(j)));
            });
        });
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let (n, right) = (self.n, self.solver.right);
        f.for_each("i", 0, n, |f, i| f.store(right, i, right.at(i) * self.scale.at(i)));
        f.for_each("k", 0, n, |f, k| swap(f, right, k.get(), self.exchanged.at(k)));
        f.for_each("i", 0, n, |f, i| {
            let sum = self.without(f, i, 0.into(), i.get());
            f.store(right, i, sum);
        });
        f.for_each("up", 0, n, |f, up| {
            let i = f.integer("i", n as i64 - 1 - up.get());
            let sum = self.without(f, i, i + 1, n.into());
            f.store(right, i, sum / self.at(i, i));
        });
    }

    /// Component i of the right-hand side without what some unknowns, which are known, have in it.
    fn without(&self, f: &mut FunctionBuilder, i: LocalId, from: Expression, to: Expression) -> LocalId {
        let sum = f.real("sum", self.solver.right.at(i));
        f.for_each("j", from, to, |f, j| f.assign(sum, sum - self.at(i, j) * self.solver.right.at(j)));
        sum
    }
}

fn swap(f: &mut FunctionBuilder, array: ArrayId, a: Expression, b: Expression) {
    let (first, second) = (f.integer("first", a), f.integer("second", b));
    let kept = f.real("kept", array.at(first));
    f.store(array, first, array.at(second));
    f.store(array, second, kept);
}
