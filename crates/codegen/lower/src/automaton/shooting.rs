//! Newton's method for a few unknowns that a rehearsal depends on. As `simulation/src/shooting.rs` does it.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term};

/// Where the search is.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// The best so far, what it leaves, and how that changes with each choice.
    pub at: ArrayId,
    pub value: ArrayId,
    pub value_slopes: ArrayId,
    /// What is tried, what that leaves, and how that changes.
    pub tried: ArrayId,
    pub left: ArrayId,
    pub slopes: ArrayId,
    pub left_count: ArrayId,
    change: ArrayId,
    /// How large each choice is, as far as its seed tells.
    sizes: ArrayId,
    /// The equations of a step, each with its right-hand side behind it.
    rows: ArrayId,
    most: usize,
}

impl Search {
    /// For so many unknowns, and as many values.
    pub fn declare(module: &mut ModuleBuilder, most: usize) -> Search {
        Search {
            at: module.real_array("search_at", most, "the best choices so far"),
            value: module.real_array("search_value", most, "what they leave"),
            value_slopes: module.real_array("search_value_slopes", most * most, "how that changes with each"),
            tried: module.real_array("search_tried", most, "the choices that are tried"),
            left: module.real_array("search_left", most, "what those leave"),
            slopes: module.real_array("search_slopes", most * most, "how that changes with each"),
            left_count: module.integer_array("search_left_count", 1, "how many numbers that is"),
            change: module.real_array("search_change", most, "Newton's step"),
            sizes: module.real_array("search_sizes", most, "of the choices, as far as seeds tell"),
            rows: module.real_array("search_rows", most * (most + 1), "the equations of the step"),
            most,
        }
    }

    fn cell(&self, row: impl Into<kernel::Expression>, column: impl Into<kernel::Expression>) -> kernel::Expression {
        row.into() * (self.most + 1) + column.into()
    }

    /// Where the slope of a value by a choice stands.
    pub fn slope(
        &self,
        value: impl Into<kernel::Expression>,
        choice: impl Into<kernel::Expression>,
    ) -> kernel::Expression {
        value.into() * self.most + choice.into()
    }

    /// Leaves a function with 1 if all that is known of what was tried is finite, and with 0 if not.
    pub fn return_if_finite(&self, f: &mut FunctionBuilder, count: kernel::Expression) {
        f.for_each("i", 0, self.left_count.at(0), |f, i| {
            let finite = self.left.at(i).abs().lt(f64::INFINITY);
            f.if_(finite.logical_not(), |f| f.return_(0));
            f.for_each("j", 0, count, |f, j| {
                let finite = self.slopes.at(self.slope(i, j)).abs().lt(f64::INFINITY);
                f.if_(finite.logical_not(), |f| f.return_(0));
            });
        });
        f.return_(1);
    }
}

/// `(count, edge, t) -> integer`: 1 if choices were found that leave nothing. `function` is `(edge, t) -> integer`: 1 if what is tried leaves
/// something that is known.
pub(super) fn shooting(
    module: &mut ModuleBuilder,
    search: Search,
    function: FunctionId,
    step: FunctionId,
) -> FunctionId {
    const STEPS: usize = 60;
    const HALVINGS: usize = 30;
    let size = |module: &mut ModuleBuilder, name: &str, values: ArrayId| {
        module.function(name, &[], &[Real], |f| {
            let sum = f.real("sum", 0.0);
            f.for_each("i", 0, search.left_count.at(0), |f, i| f.increase(sum, values.at(i) * values.at(i)));
            f.return_(sum.sqrt());
        })
    };
    let size_of_value = size(module, "size_of_value", search.value);
    let size_of_left = size(module, "size_of_left", search.left);
    let parameters = [("count", Integer), ("transition", Integer), ("t", Real)];
    let shoot = module.function("shoot", &parameters, &[Integer], |f| {
        let [count, edge, t] = f.parameters();
        measure(f, search, count);
        f.for_each("i", 0, count, |f, i| f.store(search.tried, i, search.at.at(i)));
        let known = f.call1(function, (edge, t));
        f.if_(known.eq_(0), |f| f.return_(0));
        accept(f, search, count);
        f.for_each("step", 0, STEPS, |f, _| {
            let found = f.call1(step, count);
            f.if_(found.eq_(0), |f| f.return_(0));
            let small = all_below(f, search, count, 1e-14, 1e-3);
            f.if_(small, |f| f.return_(1));
            let share = f.real("share", 1.0);
            let better = f.integer("better", 0);
            f.for_each("halving", 0, HALVINGS, |f, _| {
                f.for_each("i", 0, count, |f, i| {
                    f.store(search.tried, i, search.at.at(i) + share * search.change.at(i));
                });
                let known = f.call1(function, (edge, t));
                f.if_(known, |f| {
                    let [new, old] = [size_of_left, size_of_value].map(|size| f.call1(size, ()));
                    f.assign(better, new.lt(old));
                });
                f.if_(better, |f| f.break_());
                f.note("Rounding is all that is left.");
                let rounding = all_below(f, search, count, 1e-9, 1.0);
                f.if_(rounding, |f| f.return_(1));
                f.assign(share, share * 0.5);
            });
            f.if_(better.eq_(0), |f| f.return_(0));
            accept(f, search, count);
        });
        f.return_(0);
    });
    module.describe(shoot, "Newton's method: 1 if choices were found with which all aims are met.");
    shoot
}

/// How large each choice is. What is but rounding beside the other seeds tells nothing.
pub(super) fn measure(f: &mut FunctionBuilder, search: Search, count: LocalId) {
    const ROUNDING: f64 = 1e-14;
    let largest = f.real("largest", 0.0);
    f.for_each("i", 0, count, |f, i| f.assign(largest, largest.max(search.at.at(i).abs())));
    f.for_each("i", 0, count, |f, i| {
        let size = f.real("size", search.at.at(i).abs());
        f.store(search.sizes, i, size.gt(largest * ROUNDING).select(size, f64::INFINITY));
    });
}

/// What was tried is the best so far.
fn accept(f: &mut FunctionBuilder, search: Search, count: LocalId) {
    f.for_each("i", 0, count, |f, i| f.store(search.at, i, search.tried.at(i)));
    f.for_each("i", 0, search.left_count.at(0), |f, i| f.store(search.value, i, search.left.at(i)));
    f.for_each("i", 0, search.most * search.most, |f, i| f.store(search.value_slopes, i, search.slopes.at(i)));
}

/// Whether every change is small, relative to what it changes, or to some least size if the choice is not known to be smaller.
pub(super) fn all_below(f: &mut FunctionBuilder, search: Search, count: LocalId, relative: f64, least: f64) -> LocalId {
    let all = f.integer("small", 1);
    f.for_each("i", 0, count, |f, i| {
        let size = search.at.at(i).abs().max(search.sizes.at(i).min(least));
        let below = search.change.at(i).abs().le(size * relative);
        f.assign(all, all.and(below));
    });
    all
}

/// `(count) -> integer`: the step at whose end nothing would be left if all were linear.
pub(super) fn newton_step(module: &mut ModuleBuilder, search: Search) -> FunctionId {
    let eliminate = eliminate(module, search);
    let step = module.function("newton_step", &[("count", Integer)], &[Integer], |f| {
        let [count] = f.parameters();
        f.for_each("row", 0, count, |f, row| {
            f.for_each("column", 0, count, |f, column| {
                let slope = search.value_slopes.at(search.slope(row, column));
                f.store(search.rows, search.cell(row, column), slope);
            });
            f.store(search.rows, search.cell(row, count), -search.value.at(row));
        });
        let found = f.call1(eliminate, count);
        f.return_(found);
    });
    module.describe(step, "The change after which nothing would be left if all were linear: 1 if there is one.");
    step
}

/// `(count) -> integer`: solves the rows for the change.
fn eliminate(module: &mut ModuleBuilder, search: Search) -> FunctionId {
    let Search { rows, change, .. } = search;
    let function = module.function("eliminate", &[("count", Integer)], &[Integer], |f| {
        let [n] = f.parameters();
        f.for_each("column", 0, n, |f, column| {
            let pivot = f.integer("pivot", column);
            // Compilers wonder about rows that a single equation does not have.
            let several = search.most > 1;
            if several {
                f.for_each("row", column + 1, n, |f, row| {
                    let size = |row: LocalId| rows.at(search.cell(row, column)).abs();
                    f.if_(size(row).ge(size(pivot)), |f| f.assign(pivot, row));
                });
            }
            f.if_(rows.at(search.cell(pivot, column)).abs().lt(1e-300), |f| f.return_(0));
            f.for_each("at", 0, n + 1, |f, at| {
                let upper = f.real("upper", rows.at(search.cell(column, at)));
                f.store(rows, search.cell(column, at), rows.at(search.cell(pivot, at)));
                f.store(rows, search.cell(pivot, at), upper);
            });
            if several {
                f.for_each("row", column + 1, n, |f, row| {
                    let factor = rows.at(search.cell(row, column)) / rows.at(search.cell(column, column));
                    let factor = f.real("factor", factor);
                    f.for_each("at", column, n + 1, |f, at| {
                        let reduced = rows.at(search.cell(row, at)) - factor * rows.at(search.cell(column, at));
                        f.store(rows, search.cell(row, at), reduced);
                    });
                });
            }
        });
        f.for_each("below", 0, n, |f, below| {
            let row = f.integer("row", n - below - 1);
            let known = f.real("known", 0.0);
            f.for_each("at", row + 1, n, |f, at| f.increase(known, rows.at(search.cell(row, at)) * change.at(at)));
            let own = rows.at(search.cell(row, row));
            f.store(change, row, (rows.at(search.cell(row, n)) - known) / own);
        });
        f.return_(1);
    });
    module.describe(function, "Gauss's elimination, with the largest pivot: 1 if there is a solution.");
    function
}
