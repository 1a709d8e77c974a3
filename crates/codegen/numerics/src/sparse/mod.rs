//! Sparse linear systems whose pattern is known when the program is made: the order of elimination and the places of all
//! entries of the factors are tables, and elimination and substitution are loops over them. So the code is the same for
//! ten equations and for a hundred thousand.
//!
//! Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, sections 9.3 and 9.4.

mod pivoting;

use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};
use pivoting::PivotingFactors;
use structure::{Elimination, Incidence, eliminate, maximum_matching};

/// A solver for one pattern.
#[derive(Clone, Copy, Debug)]
pub struct SparseSolver {
    /// The coefficients, in the order of the pattern.
    pub matrix: ArrayId,
    /// The right-hand side, n; `solve` puts the solution in its place.
    pub right: ArrayId,
    /// `() -> integer`: 0, or 1 + the row that is left with nothing to be solved for. Keeps `matrix`.
    pub factorise: FunctionId,
    /// `()`: solves with the factors of the last `factorise`.
    pub solve: FunctionId,
}

/// Where a matrix has entries, and with which of them each row is solved.
#[derive(Clone, Debug)]
pub struct SparsePattern {
    /// Row and column of each entry, each pair once.
    pub entries: Vec<(usize, usize)>,
    /// For each row the column of its pivot, which is one of its entries.
    pub column_of_row: Vec<usize>,
    /// Rows whose pivots may be nothing but what the others leave: they are eliminated last.
    pub last: Vec<usize>,
}

impl SparsePattern {
    /// The pattern with pivots where the entries are strong: each strength says which part an entry is of the largest in its row,
    /// as far as that is known. None if there is no pivot for each row, whatever the values.
    pub fn new(n: usize, entries: Vec<(usize, usize)>, strengths: &[f64]) -> Option<SparsePattern> {
        /// Strong pivots are tried first.
        const THRESHOLDS: [f64; 4] = [0.1, 1e-3, 1e-6, 0.0];
        let pairs = |threshold: f64| {
            let mut rows = vec![Vec::new(); n];
            let strong = entries.iter().zip(strengths).filter(|(_, strength)| **strength >= threshold);
            strong.for_each(|(&(row, column), _)| rows[row].push(column));
            maximum_matching(&Incidence::new(n, rows)).column_of_row.into_iter().collect::<Option<Vec<usize>>>()
        };
        let column_of_row = THRESHOLDS.into_iter().find_map(pairs)?;
        Some(SparsePattern { entries, column_of_row, last: Vec::new() })
    }
}

/// A pivot this small in relation to what it was made of counts as zero.
const VANISHING: f64 = 1e-14;
/// A pivot this small in relation to what it was made of, or to its row, is not used where there is a choice.
const UNSAFE: f64 = 1e-10;

/// A pivot of a Gram matrix this small in relation to its diagonal belongs to a row that depends on those before.
const DEPENDENT: f64 = 1e-12;

/// What becomes of pivots that are too small.
#[derive(Clone, Copy)]
enum Small {
    /// Those that vanish are refused.
    Vanishing,
    /// Unsafe ones too; the array is for the scales of the columns.
    Unsafe(ArrayId),
    /// What depends on others is left out, and its unknown is zero.
    Dependent,
}

/// Adds a solver of n equations in n unknowns.
///
/// Needs: `matrix` filled before each `factorise`, `right` before each `solve`. Gives: the solution in `right`.
///
/// A pivot counts as zero if it is no more than 10⁻¹⁴ of the largest value that its place has had in the course of the
/// elimination: then it is what rounding has left of others that cancelled. That depends neither on the units of the unknowns
/// nor on those of the equations. Where a pivot vanishes, or comes near to it, the matrix is eliminated once more, with the largest
/// entry of each column as its pivot; only a matrix that is not sparse enough for that has to do without.
pub fn sparse_solver(module: &mut ModuleBuilder, name: &str, pattern: &SparsePattern) -> SparseSolver {
    let tables = Tables::declare(module, name, pattern);
    let solver = SparseSolver::declare(module, name, pattern);
    module.describe(solver.factorise, "Factors the matrix: 0, or 1 + the row without a pivot.");
    let name = |what: &str| format!("{name}_{what}");
    let Some(pivoting) = PivotingFactors::declare(module, &name("pivoting"), pattern, &solver) else {
        module.define(solver.factorise, |f| tables.factorise(f, &solver, Small::Vanishing));
        module.define(solver.solve, |f| tables.solve(f, &solver));
        return solver;
    };
    let column_scale = module.real_array(&name("column_scale"), tables.n, "inverse of the largest of each column");
    let in_order = |f: &mut FunctionBuilder| tables.factorise(f, &solver, Small::Unsafe(column_scale));
    let factorise = module.function(&name("factorise_in_order"), &[], &[Integer], in_order);
    let is_pivoted = module.integer_array(&name("is_pivoted"), 1, "1 if the last factors were made with pivoting");
    module.define(solver.factorise, |f| {
        f.store(is_pivoted, 0, 0);
        let status = f.call1(factorise, ());
        f.if_(status.ne_(0), |f| {
            let pivotless = f.call1(pivoting.factorise, ());
            f.if_(pivotless, |f| f.return_(status));
            f.store(is_pivoted, 0, 1);
        });
        f.return_(0);
    });
    module.define(solver.solve, |f| {
        f.if_(is_pivoted.at(0), |f| {
            f.call(pivoting.solve, ());
            f.return_(());
        });
        tables.solve(f, &solver);
    });
    solver
}

/// Adds a solver for the products of the rows of another matrix with one another, which are symmetric. Rows of that which depend on
/// others are left out of the solution; `factorise` gives their number.
pub fn gram_solver(module: &mut ModuleBuilder, name: &str, pattern: &SparsePattern) -> GramSolver {
    let tables = Tables::declare(module, name, pattern);
    let solver = SparseSolver::declare(module, name, pattern);
    module.describe(solver.factorise, "Factors the matrix; the number of rows that depend on others.");
    module.define(solver.factorise, |f| tables.factorise(f, &solver, Small::Dependent));
    module.define(solver.solve, |f| tables.solve(f, &solver));
    GramSolver { solver, row: tables.row, inverse: tables.inverse }
}

/// A solver for products of rows.
pub struct GramSolver {
    pub solver: SparseSolver,
    /// The row of each pivot.
    pub row: ArrayId,
    /// The inverse of each pivot, which is the square of what is new in its row; 0 if that depends on others.
    pub inverse: ArrayId,
}

impl SparseSolver {
    fn declare(module: &mut ModuleBuilder, name: &str, pattern: &SparsePattern) -> SparseSolver {
        let n = pattern.column_of_row.len();
        let solver = SparseSolver {
            matrix: module.real_array(&format!("{name}_matrix"), pattern.entries.len(), "coefficients"),
            right: module.real_array(&format!("{name}_right"), n, "right-hand side, then solution"),
            factorise: module.declare(&format!("{name}_factorise"), &[], &[Integer]),
            solve: module.declare(&format!("{name}_solve"), &[], &[]),
        };
        module.describe(solver.solve, "Solves for the right-hand side, with the factors.");
        solver
    }
}

/// The pattern of the factors as arrays, and the factors. Rows and columns are numbered in the order of elimination.
struct Tables {
    n: usize,
    /// The row and the column of each pivot in the matrix as given.
    row: ArrayId,
    column: ArrayId,
    /// For each row the entries of the matrix, and their columns.
    given: Ragged,
    entry: ArrayId,
    lower: Ragged,
    upper: Ragged,
    lower_values: ArrayId,
    upper_values: ArrayId,
    /// The inverse of each pivot.
    inverse: ArrayId,
    /// One row of the matrix while it is eliminated, zero at other times; then the solution.
    work: ArrayId,
}

/// Lists of different lengths, one after the other: where each begins, and the items.
#[derive(Clone, Copy)]
pub struct Ragged {
    begin: ArrayId,
    items: ArrayId,
}

impl Ragged {
    pub fn declare(module: &mut ModuleBuilder, name: &str, lists: &[Vec<usize>], note: &str) -> Ragged {
        let mut begin = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list.iter().map(|&item| item as i64));
            begin.push(items.len() as i64);
        }
        Ragged {
            begin: module.integers(&format!("{name}_begin"), &begin, &format!("where each row begins: {note}")),
            items: module.integers(&format!("{name}_columns"), &items, note),
        }
    }

    /// For each item of a list: its place among all, and itself.
    pub fn each(
        self,
        f: &mut FunctionBuilder,
        list: LocalId,
        body: impl FnOnce(&mut FunctionBuilder, LocalId, Expression),
    ) {
        f.for_each("at", self.begin.at(list), self.begin.at(list + 1), |f, at| body(f, at, self.items.at(at)));
    }
}

impl Tables {
    fn declare(module: &mut ModuleBuilder, name: &str, pattern: &SparsePattern) -> Tables {
        let n = pattern.column_of_row.len();
        let mut rows = vec![Vec::new(); n];
        pattern.entries.iter().for_each(|&(row, column)| rows[row].push(column));
        let SparsePattern { column_of_row, last, .. } = pattern;
        let Elimination { pivots, lower, upper } = eliminate(&Incidence::new(n, rows), column_of_row, last);
        let (mut step_of_row, mut step_of_column) = (vec![0; n], vec![0; n]);
        for (step, &(row, column)) in pivots.iter().enumerate() {
            step_of_row[row] = step;
            step_of_column[column] = step;
        }
        let (mut entries, mut columns) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (entry, &(row, column)) in pattern.entries.iter().enumerate() {
            entries[step_of_row[row]].push(entry as i64);
            columns[step_of_row[row]].push(step_of_column[column]);
        }
        let name = |what: &str| format!("{name}_{what}");
        let integers = |of: &dyn Fn(&(usize, usize)) -> usize| -> Vec<i64> {
            pivots.iter().map(|pivot| of(pivot) as i64).collect()
        };
        let length = |lists: &[Vec<usize>]| lists.iter().map(Vec::len).sum();
        Tables {
            n,
            row: module.integers(&name("row"), &integers(&|pivot| pivot.0), "row of each pivot"),
            column: module.integers(&name("column"), &integers(&|pivot| pivot.1), "column of each pivot"),
            given: Ragged::declare(module, &name("given"), &columns, "columns of the matrix"),
            entry: module.integers(&name("entry"), &entries.concat(), "where the coefficients are"),
            lower: Ragged::declare(module, &name("lower"), &lower, "columns of the lower factor"),
            upper: Ragged::declare(module, &name("upper"), &upper, "columns of the upper factor"),
            lower_values: module.real_array(&name("lower"), length(&lower), "the lower factor"),
            upper_values: module.real_array(&name("upper"), length(&upper), "the upper factor"),
            inverse: module.real_array(&name("inverse"), n, "inverses of the pivots"),
            work: module.real_array(&name("work"), n, "one row, then the solution"),
        }
    }

    /// Row by row: multiples of the earlier rows are subtracted from each.
    fn factorise(&self, f: &mut FunctionBuilder, solver: &SparseSolver, small: Small) {
        let Tables { work, inverse, .. } = *self;
        if let Small::Unsafe(scale) = small {
            self.measure_columns(f, solver, scale);
        }
        let dependent = f.integer("dependent", 0);
        f.for_each("i", 0, self.n, |f, i| f.store(work, i, 0.0));
        f.for_each("i", 0, self.n, |f, i| {
            self.given.each(f, i, |f, at, column| f.store(work, column, solver.matrix.at(self.entry.at(at))));
            let row_size = f.real("row_size", 0.0);
            if let Small::Unsafe(scale) = small {
                self.given.each(f, i, |f, _, column| {
                    let j = f.integer("j", column);
                    f.assign(row_size, (work.at(j).abs() * scale.at(j)).max(row_size));
                });
            }
            let largest = f.real("largest", work.at(i).abs());
            self.lower.each(f, i, |f, at, earlier| {
                let k = f.integer("k", earlier);
                let factor = f.real("factor", work.at(k) * inverse.at(k));
                f.store(self.lower_values, at, factor);
                f.store(work, k, 0.0);
                self.upper.each(f, k, |f, at, column| {
                    let j = f.integer("j", column);
                    f.store(work, j, work.at(j) - factor * self.upper_values.at(at));
                });
                f.assign(largest, work.at(i).abs().max(largest));
            });
            let pivot = f.real("pivot", work.at(i));
            // Written as a negation, so that what is not a number does not pass.
            let usable = match small {
                Small::Vanishing => pivot.abs().gt(largest * VANISHING),
                Small::Dependent => pivot.gt(largest * DEPENDENT),
                Small::Unsafe(scale) => {
                    let safe = (pivot.abs() * scale.at(i)).gt(row_size * UNSAFE);
                    pivot.abs().gt(largest * UNSAFE).and(safe)
                }
            };
            let usable = f.integer("usable", usable);
            if let Small::Dependent = small {
                f.increase(dependent, 1 - usable.get());
            } else {
                f.if_(usable.logical_not(), |f| f.return_(self.row.at(i) + 1));
            }
            f.store(inverse, i, usable.select(1.0 / pivot, 0.0));
            f.store(work, i, 0.0);
            self.upper.each(f, i, |f, at, column| {
                let j = f.integer("j", column);
                f.store(self.upper_values, at, work.at(j));
                f.store(work, j, 0.0);
            });
        });
        f.return_(dependent);
    }

    /// The inverse of the largest coefficient of each column, so that rows can be judged in any units.
    fn measure_columns(&self, f: &mut FunctionBuilder, solver: &SparseSolver, scale: ArrayId) {
        f.for_each("i", 0, self.n, |f, i| f.store(scale, i, 0.0));
        f.for_each("i", 0, self.n, |f, i| {
            self.given.each(f, i, |f, at, column| {
                let j = f.integer("j", column);
                f.store(scale, j, solver.matrix.at(self.entry.at(at)).abs().max(scale.at(j)));
            });
        });
        f.for_each("i", 0, self.n, |f, i| f.store(scale, i, 1.0 / scale.at(i)));
    }

    fn solve(&self, f: &mut FunctionBuilder, solver: &SparseSolver) {
        let Tables { work, n, .. } = *self;
        f.for_each("i", 0, n, |f, i| {
            let sum = f.real("sum", solver.right.at(self.row.at(i)));
            self.lower.each(f, i, |f, at, k| f.assign(sum, sum - self.lower_values.at(at) * work.at(k)));
            f.store(work, i, sum);
        });
        f.for_each("up", 0, n, |f, up| {
            let i = f.integer("i", n as i64 - 1 - up.get());
            let sum = f.real("sum", work.at(i));
            self.upper.each(f, i, |f, at, j| f.assign(sum, sum - self.upper_values.at(at) * work.at(j)));
            f.store(work, i, sum * self.inverse.at(i));
            f.store(solver.right, self.column.at(i), work.at(i));
        });
    }
}
