//! Linear equations for changes of forces, which may be more than are independent: those that are not leave a change at zero.

use kernel::Type::Integer;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, Term};

use super::super::Touching;
use crate::lower::Lowering;

/// What is left of an equation by others, relative to what it was, below which it depends on them.
const DEPENDENT: f64 = 1e-9;

#[derive(Clone, Copy)]
pub(super) struct Solve {
    pub stride: i64,
    pub matrix: ArrayId,
    /// The right sides, then the solution.
    pub right: ArrayId,
    /// `(count)`: solves the first so many equations.
    pub solve: FunctionId,
}

impl<'p> Lowering<'p> {
    pub(super) fn slope_solver(&mut self, touching: &Touching) -> Solve {
        let rows = 3 * touching.capacity;
        let stride = rows as i64;
        let mut reals = |name: &str, length, note| self.module.real_array(name, length, note);
        let matrix = reals("contact_slope_matrix", rows * rows, "equations for changes of forces");
        let right = reals("contact_slope_right", rows, "their right sides, then the changes");
        let size = reals("contact_slope_size", rows, "the largest number of each equation");
        let pivot = self.module.integer_array("contact_slope_pivot", rows, "the unknown of each equation; -1 for none");
        let solve = self.module.function("contact_slope_solve", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("row", 0, count, |f, row| {
                f.store(size, row, 0.0);
                f.for_each("j", 0, count, |f, j| {
                    f.store(size, row, size.at(row).max(matrix.at(row * stride + j).abs()));
                });
                f.store(pivot, row, -1);
            });
            f.for_each("step", 0, count, |f, _| {
                let [row, column] = [("row", -1), ("column", -1)].map(|(name, value)| f.integer(name, value));
                let most = f.real("most", DEPENDENT);
                f.for_each("i", 0, count, |f, i| {
                    f.if_(pivot.at(i).lt(0).and(size.at(i).gt(0.0)), |f| {
                        f.for_each("j", 0, count, |f, j| {
                            let share = f.real("share", matrix.at(i * stride + j).abs() / size.at(i));
                            f.if_(share.gt(most), |f| {
                                f.assign(most, share);
                                f.assign(row, i);
                                f.assign(column, j);
                            });
                        });
                    });
                });
                f.if_(row.lt(0), |f| f.break_());
                f.store(pivot, row, column);
                eliminate(f, [matrix, right], stride, [row, column, count]);
            });
            f.note("What no equation determines does not change.");
            f.for_each("j", 0, count, |f, j| f.store(size, j, 0.0));
            f.for_each("row", 0, count, |f, row| {
                f.if_(pivot.at(row).ge(0), |f| {
                    f.store(size, pivot.at(row), right.at(row) / matrix.at(row * stride + pivot.at(row)));
                });
            });
            f.for_each("j", 0, count, |f, j| f.store(right, j, size.at(j)));
        });
        self.module.describe(solve, "Changes of forces from linear equations, of which some may depend on others.");
        Solve { stride, matrix, right, solve }
    }
}

/// Takes an unknown out of all other equations.
fn eliminate(f: &mut FunctionBuilder, [matrix, right]: [ArrayId; 2], stride: i64, [row, column, count]: [LocalId; 3]) {
    f.for_each("i", 0, count, |f, i| {
        let share = f.real("factor", matrix.at(i * stride + column) / matrix.at(row * stride + column));
        f.if_(i.ne_(row).and(share.ne_(0.0)), |f| {
            f.for_each("j", 0, count, |f, j| {
                let less = matrix.at(i * stride + j) - share * matrix.at(row * stride + j);
                f.store(matrix, i * stride + j, j.eq_(column).select(0.0, less));
            });
            f.store(right, i, right.at(i) - share * right.at(row));
        });
    });
}
