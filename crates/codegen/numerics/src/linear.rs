//! Dense linear systems: elimination with row equilibration and partial pivoting.
//!
//! Golub and Van Loan, *Matrix Computations*, sections 3.4 and 3.5.

use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// A solver for one size.
#[derive(Clone, Copy, Debug)]
pub struct DenseSolver {
    /// The coefficients, n × n, row by row. Destroyed by `solve`.
    pub matrix: ArrayId,
    /// The right-hand side, n; `solve` puts the solution in its place.
    pub right: ArrayId,
    /// `() -> integer`: 0, or 1 + the column in which no usable pivot was left. Then `right` holds nothing of value.
    pub solve: FunctionId,
}

/// Adds a solver of n equations in n unknowns.
///
/// Needs: `matrix` and `right` filled before each call. Gives: the solution in `right`. Keeps: nothing of `matrix`.
///
/// A pivot that is no more than n·10⁻¹⁴ of the largest coefficient of its column counts as zero, as does one that is
/// not a number. Elimination by rows treats each column by itself, so this test does not depend on the units of the
/// unknowns; equilibration makes the choice of the pivot independent of the units of the equations. A right-hand side
/// that is not finite is not looked for: it gives a solution that is not finite.
pub fn dense_solver(module: &mut ModuleBuilder, name: &str, n: usize) -> DenseSolver {
    let solver = DenseSolver {
        matrix: module.real_array(&format!("{name}_matrix"), n * n, "coefficients, row by row"),
        right: module.real_array(&format!("{name}_right"), n, "right-hand side, then solution"),
        solve: module.declare(&format!("{name}_solve"), &[], &[Integer]),
    };
    let column = module.real_array(&format!("{name}_column"), n, "largest coefficient of each column");
    module.describe(solver.solve, "Solves matrix · x = right in place: 0, or 1 + the column without a pivot.");
    let elimination = Elimination { solver, column, n };
    module.define(solver.solve, |f| {
        elimination.equilibrate(f);
        elimination.each(f, "k", 0, n, |f, k| {
            let pivot = elimination.find_pivot(f, &k);
            elimination.exchange(f, &k, pivot);
            elimination.eliminate(f, &k);
        });
        elimination.substitute(f);
        f.return_(0);
    });
    solver
}

/// Systems up to this size are written out without loops.
const UNROLLED: usize = 4;

/// A pivot this small, times n, in relation to its column counts as zero.
// Test: a_pivot_counts_from_rounding_on
pub(crate) const VANISHING: f64 = 1e-14;

struct Elimination {
    solver: DenseSolver,
    column: ArrayId,
    n: usize,
}

impl Elimination {
    /// Scales each row so that its largest coefficient lies in [1, 2), and notes the largest of each column then.
    fn equilibrate(&self, f: &mut FunctionBuilder) {
        let DenseSolver { matrix, right, .. } = self.solver;
        self.each(f, "j", 0, self.n, |f, j| f.store(self.column, j, 0.0));
        self.each(f, "i", 0, self.n, |f, i| {
            let largest = f.real("largest", 0.0);
            self.each(f, "j", 0, self.n, |f, j| f.assign(largest, self.at(&i, &j).abs().max(largest)));
            let scale = f.real("scale", reciprocal_power_of_two(largest));
            self.each(f, "j", 0, self.n, |f, j| {
                let scaled = f.real("scaled", self.at(&i, &j) * scale);
                f.store(matrix, self.index(&i, &j), scaled);
                f.store(self.column, &j, scaled.abs().max(self.column.at(&j)));
            });
            f.store(right, &i, right.at(&i) * scale);
        });
    }

    /// The row with the largest coefficient in column k, from row k down. Leaves the solver if there is none.
    fn find_pivot(&self, f: &mut FunctionBuilder, k: &Expression) -> LocalId {
        let pivot = f.integer("pivot", k);
        let best = f.real("best", self.at(k, k).abs());
        self.each(f, "i", k + 1, self.n, |f, i| {
            let candidate = f.real("candidate", self.at(&i, k).abs());
            f.if_(candidate.gt(best), |f| {
                f.assign(best, candidate);
                f.assign(pivot, &i);
            });
        });
        // Written as a negation, so that what is not a number does not pass.
        let usable = best.gt(self.column.at(k) * (self.n as f64 * VANISHING));
        f.if_(usable.logical_not(), |f| f.return_(k + 1));
        pivot
    }

    fn exchange(&self, f: &mut FunctionBuilder, k: &Expression, pivot: LocalId) {
        let DenseSolver { matrix, right, .. } = self.solver;
        f.if_(pivot.ne_(k), |f| {
            self.each(f, "j", k, self.n, |f, j| swap(f, matrix, self.index(k, &j), self.index(&pivot.get(), &j)));
            swap(f, right, k.clone(), pivot.get());
        });
    }

    /// Subtracts multiples of row k from the rows below. The factors are not kept: the right-hand side goes along.
    fn eliminate(&self, f: &mut FunctionBuilder, k: &Expression) {
        let DenseSolver { matrix, right, .. } = self.solver;
        self.each(f, "i", k + 1, self.n, |f, i| {
            let factor = f.real("factor", self.at(&i, k) / self.at(k, k));
            f.if_(factor.ne_(0.0), |f| {
                self.each(f, "j", k + 1, self.n, |f, j| {
                    f.store(matrix, self.index(&i, &j), self.at(&i, &j) - factor * self.at(k, &j));
                });
                f.store(right, &i, right.at(&i) - factor * right.at(k));
            });
        });
    }

    /// Back substitution, from the last row up.
    fn substitute(&self, f: &mut FunctionBuilder) {
        let right = self.solver.right;
        self.each(f, "up", 0, self.n, |f, up| {
            let i = row_from_below(f, self.n, &up);
            let sum = f.real("sum", right.at(&i));
            self.each(f, "j", &i + 1, self.n, |f, j| f.assign(sum, sum - self.at(&i, &j) * right.at(&j)));
            f.store(right, &i, sum / self.at(&i, &i));
        });
    }

    fn index(&self, i: &Expression, j: &Expression) -> Expression {
        i * self.n + j
    }

    fn at(&self, i: &Expression, j: &Expression) -> Expression {
        self.solver.matrix.at(self.index(i, j))
    }

    /// Repeats the body for each index: as a loop of the kernel, or written out if the system is small.
    fn each(
        &self,
        f: &mut FunctionBuilder,
        name: &str,
        from: impl Into<Expression>,
        to: usize,
        body: impl Fn(&mut FunctionBuilder, Expression),
    ) {
        let from = from.into();
        match from.as_integer() {
            Some(from) if self.n <= UNROLLED => (from..to as i64).for_each(|index| body(f, index.into())),
            _ => f.for_each(name, from, to, |f, index| body(f, index.get())),
        }
    }
}

/// The row that is so many rows above the last.
fn row_from_below(f: &mut FunctionBuilder, n: usize, up: &Expression) -> Expression {
    let row = (n - 1) - up.clone();
    if row.as_integer().is_some() { row } else { f.bind("i", row).get() }
}

/// 2⁻ᵉ for a number in [2ᵉ, 2ᵉ⁺¹): scaling by it rounds nothing. Zero gives a power that leaves zeros alone, and an
/// infinite number gives one that makes every pivot test fail.
fn reciprocal_power_of_two(number: LocalId) -> Expression {
    const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
    const TWICE_THE_BIAS: i64 = 2046 << 52;
    (TWICE_THE_BIAS - number.to_bits().and(EXPONENT)).bits_to_real()
}

fn swap(f: &mut FunctionBuilder, array: ArrayId, a: Expression, b: Expression) {
    let kept = f.real("kept", array.at(&a));
    f.store(array, a, array.at(&b));
    f.store(array, b, kept);
}
