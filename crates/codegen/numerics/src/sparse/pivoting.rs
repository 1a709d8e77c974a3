//! The same matrix eliminated with row equilibration and partial pivoting: in small full matrices, each of which hands what is left
//! of its rows on to a later one.
//!
//! Golub and Van Loan, *Matrix Computations*, sections 3.4 and 3.5; where everything lies is worked out in `structure::fronts`.

use super::{Ragged, SparsePattern, SparseSolver};
use crate::linear::VANISHING;
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};
use structure::{Front, Incidence, fronts};

pub struct PivotingFactors {
    /// `() -> integer`: 0, or 1 if the matrix is singular.
    pub factorise: FunctionId,
    /// `()`: solves with the factors of the last `factorise`.
    pub solve: FunctionId,
}

/// The fronts may have so many places for each entry of the matrix.
const MOST_PER_ENTRY: usize = 100;
/// Or so many in all.
const FEW: usize = 160 * 160;

struct Template<'s> {
    n: usize,
    entries: usize,
    fronts: usize,
    places: usize,
    solver: &'s SparseSolver,
    /// Row and column of each entry of the pattern, and where it goes.
    row: ArrayId,
    column: ArrayId,
    place: ArrayId,
    /// Where the right-hand side of each row goes.
    right_place: ArrayId,
    /// What each row was multiplied with.
    scale: ArrayId,
    /// The largest coefficient of each column.
    largest: ArrayId,
    /// The fronts one after the other, row by row: in the end multipliers below the diagonal, the upper factor on and above it.
    values: ArrayId,
    /// The right-hand sides of their rows.
    rights: ArrayId,
    /// The row that each row was exchanged with in its step, counted from that.
    exchanged: ArrayId,
    /// For each front where its values begin, where its rows begin, how many rows it has and how many it eliminates.
    value: ArrayId,
    first: ArrayId,
    height: ArrayId,
    pivots: ArrayId,
    /// Its columns in the matrix, and which they are of its parent.
    columns: Ragged,
    above: ArrayId,
    /// Where in the parent its rows go: the values, how far one is from the next, and the right-hand sides.
    parent_value: ArrayId,
    parent_width: ArrayId,
    parent_first: ArrayId,
}

impl PivotingFactors {
    /// None if that would need too much space.
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        pattern: &SparsePattern,
        solver: &SparseSolver,
    ) -> Option<PivotingFactors> {
        let n = pattern.column_of_row.len();
        let mut rows = vec![Vec::new(); n];
        pattern.entries.iter().for_each(|&(row, column)| rows[row].push(column));
        let fronts = fronts(&Incidence::new(n, rows), FEW.max(MOST_PER_ENTRY * pattern.entries.len()))?;
        let template = Template::declare(module, name, pattern, solver, &fronts);
        Some(PivotingFactors {
            factorise: module.function(&format!("{name}_factorise"), &[], &[Integer], |f| template.factorise(f)),
            solve: module.function(&format!("{name}_solve"), &[], &[], |f| template.solve(f)),
        })
    }
}

/// A front while code is written for it.
struct Current {
    value: LocalId,
    width: LocalId,
    height: LocalId,
    first: LocalId,
    pivots: LocalId,
    /// Where the list of its columns begins.
    begin: LocalId,
}

impl Current {
    /// Where the entry j of row i is.
    fn place(&self, i: impl Into<Expression>, j: impl Into<Expression>) -> Expression {
        self.value + i.into() * self.width + j
    }
}

impl<'s> Template<'s> {
    // Long: the elimination and its tables; each step speaks of the same rows, columns and fronts.
    fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        pattern: &SparsePattern,
        solver: &'s SparseSolver,
        fronts: &[Front],
    ) -> Template<'s> {
        let n = pattern.column_of_row.len();
        let begins = |size: fn(&Front) -> usize| {
            let begin = |sum: &mut usize, front: &Front| Some(std::mem::replace(sum, *sum + size(front)));
            fronts.iter().scan(0, begin).collect::<Vec<usize>>()
        };
        let (values, firsts) = (begins(Front::size), begins(|front| front.height));
        // For each row its front, and which row of it that is; for each column of the front at hand, which that is.
        let mut row_in = vec![(0, 0); n];
        for (at, front) in fronts.iter().enumerate() {
            front.rows.iter().enumerate().for_each(|(i, &row)| row_in[row] = (at, i));
        }
        let mut entries_in = vec![Vec::new(); fronts.len()];
        for (entry, &(row, column)) in pattern.entries.iter().enumerate() {
            entries_in[row_in[row].0].push((entry, row_in[row].1, column));
        }
        let mut children = vec![Vec::new(); fronts.len()];
        for (at, front) in fronts.iter().enumerate() {
            front.parent.into_iter().for_each(|(parent, _)| children[parent].push(at));
        }
        let mut column_in = vec![0; n];
        let mut places = vec![0; pattern.entries.len()];
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); fronts.len()];
        for (at, front) in fronts.iter().enumerate() {
            front.columns.iter().enumerate().for_each(|(j, &column)| column_in[column] = j);
            for &(entry, i, column) in &entries_in[at] {
                places[entry] = values[at] + i * front.columns.len() + column_in[column];
            }
            for &child in &children[at] {
                let column =
                    |(j, &column): (usize, &usize)| if j < fronts[child].pivots { 0 } else { column_in[column] };
                above[child] = fronts[child].columns.iter().enumerate().map(column).collect();
            }
        }
        above.iter_mut().zip(fronts).for_each(|(above, front)| above.resize(front.columns.len(), 0));
        let parent = |of: &dyn Fn(usize, usize) -> usize| -> Vec<usize> {
            fronts.iter().map(|front| front.parent.map_or(0, |(parent, begin)| of(parent, begin))).collect()
        };
        let right_places: Vec<usize> = row_in.iter().map(|&(at, i)| firsts[at] + i).collect();
        let (rows, columns): (Vec<usize>, Vec<usize>) = pattern.entries.iter().copied().unzip();
        let lists: Vec<Vec<usize>> = fronts.iter().map(|front| front.columns.clone()).collect();
        let height: Vec<usize> = fronts.iter().map(|front| front.height).collect();
        let pivots: Vec<usize> = fronts.iter().map(|front| front.pivots).collect();
        let parent_value = parent(&|parent, begin| values[parent] + begin * fronts[parent].columns.len());
        let name = |what: &str| format!("{name}_{what}");
        let mut table = |what: &str, items: &[usize], note: &str| {
            let items: Vec<i64> = items.iter().map(|&item| item as i64).collect();
            module.integers(&name(what), &items, note)
        };
        let size = fronts.iter().map(Front::size).sum();
        Template {
            n,
            entries: places.len(),
            fronts: fronts.len(),
            places: size,
            solver,
            row: table("row", &rows, "row of each coefficient"),
            column: table("column", &columns, "column of each coefficient"),
            place: table("place", &places, "where each coefficient goes"),
            right_place: table("right_place", &right_places, "where each right-hand side goes"),
            value: table("value", &values, "where the values of each front begin"),
            first: table("first", &firsts, "where the rows of each front begin"),
            height: table("height", &height, "the number of rows of each front"),
            pivots: table("pivots", &pivots, "the number of columns eliminated in each front"),
            above: table("above", &above.concat(), "which column of the next front each is"),
            parent_value: table("parent_value", &parent_value, "where in the next front the values go"),
            parent_width: table("parent_width", &parent(&|parent, _| fronts[parent].columns.len()), "its columns"),
            parent_first: table("parent_first", &parent(&|parent, begin| firsts[parent] + begin), "and its rows"),
            columns: Ragged::declare(module, &name("front"), &lists, "columns of each front"),
            scale: module.real_array(&name("scale"), n, "what each row was multiplied with"),
            largest: module.real_array(&name("largest"), n, "largest coefficient of each column"),
            values: module.real_array(&name("values"), size, "the fronts, row by row"),
            rights: module.real_array(&name("rights"), height.iter().sum(), "right-hand sides of their rows"),
            exchanged: module.integer_array(
                &name("exchanged"),
                height.iter().sum(),
                "what each row was exchanged with",
            ),
        }
    }

    fn current(&self, f: &mut FunctionBuilder, front: LocalId) -> Current {
        let begin = f.integer("begin", self.columns.begin.at(front));
        Current {
            value: f.integer("value", self.value.at(front)),
            width: f.integer("width", self.columns.begin.at(front + 1) - begin),
            height: f.integer("height", self.height.at(front)),
            first: f.integer("first", self.first.at(front)),
            pivots: f.integer("pivots", self.pivots.at(front)),
            begin,
        }
    }

    fn factorise(&self, f: &mut FunctionBuilder) {
        self.fill(f);
        f.for_each("front", 0, self.fronts, |f, front| {
            let current = self.current(f, front);
            f.for_each("k", 0, current.pivots, |f, k| self.eliminate(f, &current, k));
            let Current { pivots, height, width, .. } = current;
            let up = f.integer("up", self.parent_value.at(front));
            let up_width = f.integer("up_width", self.parent_width.at(front));
            f.for_each("i", pivots, height, |f, i| {
                let from = f.integer("from", current.place(i, 0));
                let to = f.integer("to", up + (i - pivots) * up_width);
                f.for_each("j", pivots, width, |f, j| {
                    f.store(self.values, to + self.above.at(current.begin + j), self.values.at(from + j));
                });
            });
        });
        f.return_(0);
    }

    /// Puts the coefficients in their places, with the largest of each row made 1, and notes the largest of each column then.
    fn fill(&self, f: &mut FunctionBuilder) {
        let matrix = self.solver.matrix;
        f.for_each("at", 0, self.places, |f, at| f.store(self.values, at, 0.0));
        f.for_each("i", 0, self.n, |f, i| {
            f.store(self.scale, i, 0.0);
            f.store(self.largest, i, 0.0);
        });
        f.for_each("e", 0, self.entries, |f, e| {
            let i = f.integer("i", self.row.at(e));
            f.store(self.scale, i, matrix.at(e).abs().max(self.scale.at(i)));
        });
        f.for_each("i", 0, self.n, |f, i| f.store(self.scale, i, 1.0 / self.scale.at(i)));
        f.for_each("e", 0, self.entries, |f, e| {
            let scaled = f.real("scaled", matrix.at(e) * self.scale.at(self.row.at(e)));
            f.store(self.values, self.place.at(e), scaled);
            let j = f.integer("j", self.column.at(e));
            f.store(self.largest, j, scaled.abs().max(self.largest.at(j)));
        });
    }

    /// Brings the largest entry of column k to row k, and subtracts that row from those below.
    fn eliminate(&self, f: &mut FunctionBuilder, current: &Current, k: LocalId) {
        let at = |i: Expression, j: Expression| self.values.at(current.place(i, j));
        let chosen = f.integer("chosen", k);
        let best = f.real("best", 0.0);
        f.for_each("i", k, current.height, |f, i| {
            let candidate = f.real("candidate", at(i.get(), k.get()).abs());
            f.if_(candidate.gt(best), |f| {
                f.assign(best, candidate);
                f.assign(chosen, i);
            });
        });
        // Written as a negation, so that what is not a number does not pass.
        let column = self.columns.items.at(current.begin + k);
        let usable = best.gt(self.largest.at(column) * (self.n as f64 * VANISHING));
        f.if_(usable.logical_not(), |f| f.return_(1));
        f.store(self.exchanged, current.first + k, chosen - k);
        f.if_(chosen.ne_(k), |f| {
            f.for_each("j", 0, current.width, |f, j| {
                swap(f, self.values, current.place(k, j), current.place(chosen, j))
            });
        });
        let top = f.integer("top", current.place(k, 0));
        let pivot = f.real("pivot", self.values.at(top + k));
        f.for_each("i", k + 1, current.height, |f, i| {
            let row = f.integer("row", current.place(i, 0));
            let factor = f.real("factor", self.values.at(row + k) / pivot);
            f.store(self.values, row + k, factor);
            f.if_(factor.ne_(0.0), |f| {
                f.for_each("j", k + 1, current.width, |f, j| {
                    f.store(self.values, row + j, self.values.at(row + j) - factor * self.values.at(top + j));
                });
            });
        });
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let right = self.solver.right;
        f.for_each("i", 0, self.n, |f, i| {
            f.store(self.rights, self.right_place.at(i), right.at(i) * self.scale.at(i));
        });
        f.for_each("front", 0, self.fronts, |f, front| {
            let current = self.current(f, front);
            f.for_each("k", 0, current.pivots, |f, k| {
                let at = f.integer("at", current.first + k);
                swap(f, self.rights, at.get(), at + self.exchanged.at(at));
            });
            let Current { pivots, height, .. } = current;
            f.for_each("i", 0, height, |f, i| {
                let sum = f.real("sum", self.rights.at(current.first + i));
                let row = f.integer("row", current.place(i, 0));
                f.for_each("k", 0, i.lt(pivots).select(i, pivots), |f, k| {
                    f.assign(sum, sum - self.values.at(row + k) * self.rights.at(current.first + k));
                });
                f.store(self.rights, current.first + i, sum);
                f.if_(i.ge(pivots), |f| f.store(self.rights, self.parent_first.at(front) + i - pivots, sum));
            });
        });
        f.for_each("back", 0, self.fronts, |f, back| {
            let front = f.integer("front", self.fronts as i64 - 1 - back.get());
            let current = self.current(f, front);
            f.for_each("up", 0, current.pivots, |f, up| {
                let k = f.integer("k", current.pivots - 1 - up);
                let row = f.integer("row", current.place(k, 0));
                let sum = f.real("sum", self.rights.at(current.first + k));
                f.for_each("j", k + 1, current.width, |f, j| {
                    let known = right.at(self.columns.items.at(current.begin + j));
                    f.assign(sum, sum - self.values.at(row + j) * known);
                });
                f.store(right, self.columns.items.at(current.begin + k), sum / self.values.at(row + k));
            });
        });
    }
}

fn swap(f: &mut FunctionBuilder, array: ArrayId, a: Expression, b: Expression) {
    let (first, second) = (f.integer("first", a), f.integer("second", b));
    let kept = f.real("kept", array.at(first));
    f.store(array, first, array.at(second));
    f.store(array, second, kept);
}
