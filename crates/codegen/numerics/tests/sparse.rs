//! Sparse elimination: against dense elimination on random patterns, on long chains, on singular matrices.

mod bench;

use bench::on_every_machine;
use kernel::ModuleBuilder;
use numerics::{SparsePattern, dense_solver, sparse_solver};
use proptest::prelude::*;

/// Solves with both solvers; the status of the sparse one, and both solutions.
fn solve(pattern: &SparsePattern, matrix: &[f64], right: &[f64]) -> (i64, Vec<f64>, Vec<f64>) {
    let n = right.len();
    let mut module = ModuleBuilder::new("sparse");
    let sparse = sparse_solver(&mut module, "sparse", pattern);
    let dense = dense_solver(&mut module, "dense", n);
    let mut full = vec![0.0; n * n];
    pattern.entries.iter().zip(matrix).for_each(|(&(row, column), &value)| full[row * n + column] = value);
    on_every_machine(module, |bench| {
        bench.set(sparse.matrix, matrix);
        bench.set(sparse.right, right);
        let status = bench.call(sparse.factorise, []);
        if status == 0 {
            bench.run(sparse.solve);
        }
        bench.set(dense.matrix, &full);
        bench.set(dense.right, right);
        assert_eq!(bench.call(dense.solve, []) == 0, status == 0);
        (status, bench.reals(sparse.right), bench.reals(dense.right))
    })
}

/// Matrices that need no pivoting, with their rows and columns mixed up: the pivot of row i is in column `mixed[i]`.
fn matrices() -> impl Strategy<Value = (SparsePattern, Vec<f64>, Vec<f64>)> {
    (1_usize..14).prop_flat_map(|n| {
        let others = proptest::collection::btree_set((0..n, 0..n), 0..3 * n);
        let mixed = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        let values = proptest::collection::vec(-1.0..1.0_f64, 4 * n);
        let right = proptest::collection::vec(-1.0..1.0_f64, n);
        (others, mixed, values, right).prop_map(move |(others, mixed, values, right)| {
            let beside = others.into_iter().filter(|&(row, column)| mixed[row] != column);
            let entries: Vec<(usize, usize)> = beside.chain(mixed.iter().copied().enumerate()).collect();
            let dominant = |&(row, column): &(usize, usize)| if mixed[row] == column { n as f64 } else { 0.0 };
            let matrix = entries.iter().zip(values).map(|(entry, value)| value + dominant(entry)).collect();
            (SparsePattern { entries, column_of_row: mixed, last: Vec::new() }, matrix, right)
        })
    })
}

proptest! {
    #[test]
    fn sparse_and_dense_agree((pattern, matrix, right) in matrices()) {
        let (status, sparse, dense) = solve(&pattern, &matrix, &right);
        prop_assert_eq!(status, 0);
        for (a, b) in sparse.iter().zip(&dense) {
            prop_assert!((a - b).abs() < 1e-12, "{sparse:?} is not {dense:?}");
        }
    }

    /// A row that is a multiple of another is left without a pivot, whatever the units of rows and columns.
    #[test]
    fn dependent_rows_are_found(
        (a, b, factor, small) in (0.1..10.0_f64, 0.1..10.0_f64, 0.1..10.0_f64, -12..12_i32)
    ) {
        let unit = (0..small.abs()).fold(1.0, |unit, _| if small > 0 { unit * 10.0 } else { unit / 10.0 });
        let pattern = SparsePattern { entries: vec![(0, 0), (0, 1), (1, 0), (1, 1)], column_of_row: vec![0, 1], last: Vec::new() };
        let matrix = [a, b * unit, factor * a, factor * b * unit];
        prop_assert!(solve(&pattern, &matrix, &[1.0, 1.0]).0 > 0);
    }
}

/// Full matrices of which nothing is known: pivots may be anything.
#[test]
fn pivots_that_vanish_are_avoided() {
    let pattern = SparsePattern {
        entries: (0..3).flat_map(|row| (0..3).map(move |column| (row, column))).collect(),
        column_of_row: vec![0, 1, 2],
        last: Vec::new(),
    };
    for tiny in [0.0, 1e-40, 1e-17, 1e-12] {
        let matrix = [tiny, 1.0, 2.0, 3.0, tiny, 1.0, 1.0, 1.0, tiny];
        let (status, sparse, dense) = solve(&pattern, &matrix, &[1.0, 2.0, 3.0]);
        assert_eq!(status, 0);
        for (a, b) in sparse.iter().zip(&dense) {
            assert!((a - b).abs() < 1e-14, "{sparse:?} is not {dense:?}");
        }
    }
}

/// A long chain of masses and the forces that hold them together, eliminated in an order in which every other pivot is zero: what
/// is on the right follows from a known solution.
fn chain_of_constraints(n: usize) -> (SparsePattern, Vec<f64>) {
    let mut entries = Vec::new();
    let mut matrix = Vec::new();
    let mut put = |row: usize, column: usize, value: f64| {
        entries.push((row, column));
        matrix.push(value);
    };
    // Unknown 2 i is an acceleration, unknown 2 i + 1 the force between it and the next.
    for i in 0..n {
        let (mass, force) = (2 * i, 2 * i + 1);
        put(mass, mass, 0.0);
        put(force, force, 0.0);
        put(mass, force, 1.0 + 0.1 * (i % 3) as f64);
        put(force, mass, 1.0 + 0.1 * (i % 5) as f64);
        if i > 0 {
            put(mass, force - 2, -1.0);
            put(mass, mass - 2, 0.25);
            put(force, mass - 2, -0.75);
        }
    }
    (SparsePattern { entries, column_of_row: (0..2 * n).collect(), last: Vec::new() }, matrix)
}

#[test]
fn a_long_chain_whose_pivots_vanish_is_solved() {
    let (pattern, matrix) = chain_of_constraints(400);
    let n = pattern.column_of_row.len();
    let truth: Vec<f64> = (0..n).map(|j| 1.0 + (j % 7) as f64).collect();
    let mut right = vec![0.0; n];
    pattern.entries.iter().zip(&matrix).for_each(|(&(i, j), value)| right[i] += value * truth[j]);
    let mut module = ModuleBuilder::new("chain");
    let solver = sparse_solver(&mut module, "chain", &pattern);
    let found = on_every_machine(module, |bench| {
        bench.set(solver.matrix, &matrix);
        bench.set(solver.right, &right);
        assert_eq!(bench.call(solver.factorise, []), 0);
        bench.run(solver.solve);
        bench.reals(solver.right)
    });
    for (found, truth) in found.iter().zip(&truth) {
        assert!((found - truth).abs() < 1e-9, "{found} is not {truth}");
    }
}

/// Two forces that act in one equation only, and in the same: nothing tells them apart.
#[test]
fn a_long_chain_that_is_singular_is_found_out() {
    let (pattern, mut matrix) = chain_of_constraints(400);
    for (entry, value) in pattern.entries.iter().zip(&mut matrix) {
        if [501, 503].contains(&entry.1) && entry.0 != 502 {
            *value = 0.0;
        }
    }
    let mut module = ModuleBuilder::new("chain");
    let solver = sparse_solver(&mut module, "chain", &pattern);
    let status = on_every_machine(module, |bench| {
        bench.set(solver.matrix, &matrix);
        bench.call(solver.factorise, [])
    });
    assert!(status > 0);
}

#[test]
fn a_row_of_zeros_is_named() {
    let pattern =
        SparsePattern { entries: vec![(0, 0), (1, 1), (2, 2)], column_of_row: vec![0, 1, 2], last: Vec::new() };
    assert_eq!(solve(&pattern, &[1.0, 0.0, 3.0], &[1.0; 3]).0, 2);
}

/// −x′′ = 2 with x = 0 at both ends: a parabola.
#[test]
fn a_long_chain_is_solved() {
    let n = 2000;
    let entries: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (i.max(1) - 1..(i + 2).min(n)).map(move |j| (i, j))).collect();
    let matrix: Vec<f64> = entries.iter().map(|(i, j)| if i == j { 2.0 } else { -1.0 }).collect();
    let mut module = ModuleBuilder::new("chain");
    let solver = sparse_solver(
        &mut module,
        "chain",
        &SparsePattern { entries, column_of_row: (0..n).collect(), last: Vec::new() },
    );
    let h = 1.0 / (n + 1) as f64;
    let found = on_every_machine(module, |bench| {
        bench.set(solver.matrix, &matrix);
        bench.set(solver.right, &vec![2.0 * h * h; n]);
        assert_eq!(bench.call(solver.factorise, []), 0);
        bench.run(solver.solve);
        bench.reals(solver.right)
    });
    for (i, found) in found.into_iter().enumerate() {
        let x = (i + 1) as f64 * h;
        assert!((found - x * (1.0 - x)).abs() < 1e-10);
    }
}
