//! The shortest step of a sparse system of any shape: a combination of the rows of the Jacobian, J Jᵀ z = −r and Δx = Jᵀ z.
//!
//! Rows are scaled to length one; those that depend on others are left out of the combination. Forming J Jᵀ squares the condition
//! of J, so what the first solution leaves is solved for once more. Björck, *Numerical Methods for Least Squares Problems*, section
//! 2.4.4 and 6.6.5.

use super::Template;
use crate::sparse::{GramSolver, Ragged, SparsePattern, gram_solver};
use kernel::{FunctionBuilder, FunctionId, ModuleBuilder, Term};

impl Template<'_> {
    /// `() -> ()`: from `residual` and `jacobian` the full step `change`, the weights of the equations, and the rank.
    pub fn sparse_shortest_step(&self, module: &mut ModuleBuilder, entries: &[(usize, usize)]) -> FunctionId {
        let (name, m, n) = (self.problem.name, self.problem.equations, self.problem.unknowns);
        let step = module.declare(&format!("{name}_step"), &[], &[]);
        module.describe(step, "The shortest step that satisfies the linearised equations.");
        let name = |what: &str| format!("{name}_{what}");
        let products = products(m, n, entries);
        let pairs = products.iter().enumerate().flat_map(|(i, others)| others.iter().map(move |&k| (i, k)));
        let pattern = SparsePattern { entries: pairs.collect(), column_of_row: (0..m).collect(), last: Vec::new() };
        let gram = gram_solver(module, &name("gram"), &pattern);
        let solver = gram.solver;
        let others = Ragged::declare(module, &name("meets"), &products, "rows that share unknowns");
        let row = module.real_array(&name("row"), n, "one row of the Jacobian, zero at other times");
        module.define(step, |f| {
            f.for_each("j", 0, n, |f, j| {
                f.store(row, j, 0.0);
                f.store(self.change, j, 0.0);
            });
            f.for_each("i", 0, m, |f, i| self.weigh(f, i));
            f.for_each("i", 0, m, |f, i| {
                self.each_slope(f, i, |f, j, slope| {
                    f.store(row, j, self.typical(slope, j.get()) * self.weight.at(i));
                });
                others.each(f, i, |f, at, other| {
                    let k = f.integer("k", other);
                    let product = f.real("product", 0.0);
                    self.each_slope(f, k, |f, j, slope| f.increase(product, self.typical(slope, j.get()) * row.at(j)));
                    f.store(solver.matrix, at, product * self.weight.at(k));
                });
                self.each_slope(f, i, |f, j, _| f.store(row, j, 0.0));
            });
            let dependent = f.call1(solver.factorise, ());
            f.store(self.solver.rank, 0, m as i64 - dependent.get());
            self.note_pivots(f, &gram);
            f.for_each("round", 0, 2, |f, _| {
                f.for_each("i", 0, m, |f, i| {
                    let left = f.real("left", self.problem.residual.at(i));
                    self.each_slope(f, i, |f, j, slope| f.increase(left, slope * self.change.at(j)));
                    f.store(solver.right, i, -(left * self.weight.at(i)));
                });
                f.call(solver.solve, ());
                f.for_each("i", 0, m, |f, i| {
                    let along = f.real("along", solver.right.at(i) * self.weight.at(i));
                    self.each_slope(f, i, |f, j, slope| {
                        let scaled = self.typical(self.typical(slope, j.get()), j.get());
                        f.store(self.change, j, self.change.at(j) + along * scaled);
                    });
                });
            });
        });
        step
    }

    /// Notes what is new in each row that does not depend on others, if that is wanted.
    fn note_pivots(&self, f: &mut FunctionBuilder, gram: &GramSolver) {
        if self.problem.independence.is_none() {
            return;
        }
        f.for_each("k", 0, self.problem.equations, |f, k| {
            let inverse = f.real("inverse", gram.inverse.at(k));
            f.if_(inverse.gt(0.0), |f| self.note_independence(f, &gram.row.at(k), (1.0 / inverse).sqrt()));
        });
    }
}

/// For each row the rows that share columns with it, itself included.
pub fn products(m: usize, n: usize, entries: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let (mut rows, mut columns) = (vec![Vec::new(); m], vec![Vec::new(); n]);
    for &(row, column) in entries {
        rows[row].push(column);
        columns[column].push(row);
    }
    let meets = |(i, row): (usize, &Vec<usize>)| {
        let mut others: Vec<usize> =
            row.iter().flat_map(|&column| columns[column].iter().copied()).chain([i]).collect();
        others.sort_unstable();
        others.dedup();
        others
    };
    rows.iter().enumerate().map(meets).collect()
}
