//! The matrix of a step, M · weight − ∂f/∂y, and its pattern.

use super::ImplicitProblem;
use crate::sparse::{SparsePattern, SparseSolver, sparse_solver};
use kernel::{ArrayId, Expression, FunctionBuilder, ModuleBuilder, Term};

/// Which components are differential, where the Jacobian has entries, and how the matrix of a step is eliminated.
#[derive(Clone, Debug)]
pub struct ImplicitPattern {
    /// For each component whether its equation gives its rate of change; the others are algebraic.
    pub is_differential: Vec<bool>,
    /// Row and column of each entry of the Jacobian, each pair once.
    pub entries: Vec<(usize, usize)>,
    column_of_row: Vec<usize>,
    /// Algebraic equations that are eliminated last: their own unknowns may be in them only by way of others.
    pub last: Vec<usize>,
}

impl ImplicitPattern {
    /// The strength of an entry says which part it is of the largest in its row, as far as that is known. None if the algebraic
    /// equations, whatever their values, cannot determine the algebraic unknowns: the index is above 1.
    pub fn new(is_differential: Vec<bool>, entries: Vec<(usize, usize)>, strengths: &[f64]) -> Option<ImplicitPattern> {
        // With small steps the diagonal dominates the rows of differential components.
        let n = is_differential.len();
        let algebraic = |&(row, column): &(usize, usize)| !is_differential[row] && !is_differential[column];
        let (mut pairs, mut strengths): (Vec<(usize, usize)>, Vec<f64>) =
            entries.iter().zip(strengths).filter(|(entry, _)| algebraic(entry)).unzip();
        let diagonal = (0..n).filter(|&i| is_differential[i]);
        pairs.extend(diagonal.map(|i| (i, i)));
        strengths.resize(pairs.len(), 1.0);
        let SparsePattern { column_of_row, .. } = SparsePattern::new(n, pairs, &strengths)?;
        Some(ImplicitPattern { is_differential, entries, column_of_row, last: Vec::new() })
    }

    /// The entries of the Jacobian, then those of the diagonal of the differential components that it lacks; and where that
    /// diagonal is, one after the other.
    pub(crate) fn with_diagonal(&self) -> (SparsePattern, Vec<i64>) {
        let mut places = vec![None; self.is_differential.len()];
        let on_diagonal = self.entries.iter().enumerate().filter(|(_, (row, column))| row == column);
        on_diagonal.for_each(|(at, &(row, _))| places[row] = Some(at));
        let mut entries = self.entries.clone();
        let differential = (0..places.len()).filter(|&i| self.is_differential[i]);
        let places = differential.map(|i| {
            places[i].unwrap_or_else(|| {
                entries.push((i, i));
                entries.len() - 1
            }) as i64
        });
        let places = places.collect();
        let (column_of_row, last) = (self.column_of_row.clone(), self.last.clone());
        (SparsePattern { entries, column_of_row, last }, places)
    }
}

pub struct Matrix {
    pub solver: SparseSolver,
    /// 1 for each differential component, 0 for each algebraic one.
    pub mass: ArrayId,
    /// The mass of the row of each entry.
    mass_of_entry: ArrayId,
    /// For each differential component, where the matrix has its diagonal entry.
    diagonal: ArrayId,
    jacobian: ArrayId,
    /// The number of entries of the Jacobian.
    entries: usize,
    /// The same with the diagonal.
    pub all_entries: usize,
    pub differential: usize,
}

impl Matrix {
    pub fn declare(module: &mut ModuleBuilder, problem: &ImplicitProblem<'_>) -> Matrix {
        let ImplicitPattern { is_differential, entries, .. } = problem.pattern;
        let mass = |row: usize| if is_differential[row] { 1.0 } else { 0.0 };
        let masses: Vec<f64> = (0..is_differential.len()).map(mass).collect();
        let masses_of_entries: Vec<f64> = entries.iter().map(|&(row, _)| mass(row)).collect();
        let (pattern, places) = problem.pattern.with_diagonal();
        let name = |what: &str| format!("{}_{what}", problem.steps.name);
        Matrix {
            solver: sparse_solver(module, problem.steps.name, &pattern),
            mass: module.reals(&name("mass"), &masses, "1 for differential components, 0 for algebraic ones"),
            mass_of_entry: module.reals(&name("mass_of_entry"), &masses_of_entries, "the mass of each entry's row"),
            diagonal: module.integers(&name("diagonal"), &places, "diagonal entries of differential components"),
            jacobian: problem.jacobian,
            entries: entries.len(),
            all_entries: pattern.entries.len(),
            differential: places.len(),
        }
    }

    /// M · weight − ∂f/∂y
    pub fn form(&self, f: &mut FunctionBuilder, weight: Expression) {
        self.form_in(f, self.solver.matrix, 0, weight);
    }

    /// The same in another matrix, from some entry on.
    pub fn form_in(&self, f: &mut FunctionBuilder, matrix: ArrayId, from: usize, weight: Expression) {
        self.fill(f, matrix, from, weight, |e| -self.jacobian.at(e));
    }

    /// Differential components stay as they are, and the algebraic equations determine the others.
    pub fn form_algebraic(&self, f: &mut FunctionBuilder) {
        // Zero times what is not finite would not be zero.
        let entry = |e: Expression| self.mass_of_entry.at(&e).eq_(0.0).select(-self.jacobian.at(&e), 0.0);
        self.fill(f, self.solver.matrix, 0, 1.0.into(), entry);
    }

    fn fill(
        &self,
        f: &mut FunctionBuilder,
        matrix: ArrayId,
        from: usize,
        weight: Expression,
        entry: impl Fn(Expression) -> Expression,
    ) {
        f.for_each("e", 0, self.entries, |f, e| f.store(matrix, e + from, entry(e.get())));
        f.for_each("e", self.entries, self.all_entries, |f, e| f.store(matrix, e + from, 0.0));
        f.for_each("d", 0, self.differential, |f, d| {
            let place = f.integer("place", self.diagonal.at(d) + from);
            f.store(matrix, place, matrix.at(place) + &weight);
        });
    }
}
