//! The matrix M · (α ± β i) − ∂f/∂y in real numbers: two copies of M α − ∂f/∂y, coupled by M β.

use crate::implicit::{ImplicitProblem, Matrix};
use crate::sparse::{SparsePattern, SparseSolver, sparse_solver};
use kernel::{Expression, FunctionBuilder, ModuleBuilder};

pub struct Pair {
    pub solver: SparseSolver,
}

impl Pair {
    /// In the order of entries: one copy, the other, and what couples the second to the first and the first to the second.
    pub fn declare(module: &mut ModuleBuilder, problem: &ImplicitProblem<'_>, number: usize) -> Pair {
        let (single, _) = problem.pattern.with_diagonal();
        let n = single.column_of_row.len();
        let differential = (0..n).filter(|&i| problem.pattern.is_differential[i]);
        let moved = |&(row, column): &(usize, usize)| (n + row, n + column);
        let mut entries = single.entries.clone();
        entries.extend(single.entries.iter().map(moved));
        entries.extend(differential.clone().map(|i| (i, n + i)));
        entries.extend(differential.map(|i| (n + i, i)));
        let mut column_of_row = single.column_of_row.clone();
        column_of_row.extend(single.column_of_row.iter().map(|column| n + column));
        let last = single.last.iter().flat_map(|&row| [row, n + row]).collect();
        let name = format!("{}_pair{}", problem.steps.name, number + 1);
        Pair { solver: sparse_solver(module, &name, &SparsePattern { entries, column_of_row, last }) }
    }

    pub fn form(&self, f: &mut FunctionBuilder, single: &Matrix, alpha: Expression, beta: Expression) {
        let (matrix, entries, differential) = (self.solver.matrix, single.all_entries, single.differential);
        single.form_in(f, matrix, 0, alpha.clone());
        single.form_in(f, matrix, entries, alpha);
        f.for_each("d", 2 * entries, 2 * entries + differential, |f, d| {
            f.store(matrix, d, beta.clone());
            f.store(matrix, d + differential, -beta);
        });
    }
}
