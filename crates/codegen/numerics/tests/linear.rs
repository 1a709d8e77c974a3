//! Elimination: it solves what can be solved, in any units, and names the column where it cannot.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

mod bench;

use bench::on_every_machine;
use kernel::ModuleBuilder;
use numerics::dense_solver;
use proptest::{collection::vec, prelude::*, sample};

/// The status, and the solution of the system given row by row.
fn solve(matrix: &[f64], right: &[f64]) -> (i64, Vec<f64>) {
    let mut module = ModuleBuilder::new("linear");
    let solver = dense_solver(&mut module, "system", right.len());
    on_every_machine(module, |bench| {
        bench.set(solver.matrix, matrix);
        bench.set(solver.right, right);
        (bench.call(solver.solve, []), bench.reals(solver.right))
    })
}

fn product(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().zip(x).map(|(a, x)| a * x).sum();
    if x.is_empty() { Vec::new() } else { matrix.chunks(x.len()).map(row).collect() }
}

fn random_matrices() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (1usize..8).prop_flat_map(|n| (vec(-1.0..1.0f64, n * n), vec(-1.0..1.0f64, n)))
}

#[test]
fn no_unknowns_are_solved() {
    assert_eq!(solve(&[], &[]), (0, vec![]));
}

#[test]
fn small_integers_are_exact() {
    assert_eq!(solve(&[4.0], &[2.0]), (0, vec![0.5]));
    assert_eq!(solve(&[0.0, 2.0, 1.0, 1.0], &[6.0, 5.0]), (0, vec![2.0, 3.0]));
    // A circulant of size 5, where the loops are kept.
    let matrix: Vec<f64> = (0..25).map(|k| f64::from((k / 5 + 5 - k % 5) % 5 == 1)).collect();
    assert_eq!(solve(&matrix, &[1.0, 2.0, 3.0, 4.0, 5.0]), (0, vec![2.0, 3.0, 4.0, 5.0, 1.0]));
}

#[test]
fn a_tiny_leading_coefficient_is_no_pivot() {
    let (status, x) = solve(&[1e-17, 1.0, 1.0, 1.0], &[1.0, 2.0]);
    assert_eq!((status, x), (0, vec![1.0, 1.0]));
}

#[test]
fn a_pivot_counts_from_rounding_on() {
    for (left, singular) in [(1e-12, false), (1e-14, true)] {
        let (status, _) = solve(&[1.0, 1.0, 1.0, 1.0 + left], &[1.0, 1.0]);
        assert_eq!(status != 0, singular, "{left:e}");
    }
}

#[test]
fn units_do_not_matter() {
    // Row one in another unit by 10²⁰, unknown two by 10⁻³⁰: the determinant is far below that of the others.
    let (status, x) = solve(&[1e20, 2e-10, 3.0, 4e-30], &[5e20, 11.0]);
    assert_eq!(status, 0);
    assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] / 2e30 - 1.0).abs() < 1e-14, "{x:?}");
}

#[test]
fn a_dependent_row_is_found() {
    assert_eq!(solve(&[0.0], &[1.0]).0, 1);
    assert_eq!(solve(&[1.0, 2.0, 3.0, 6.0], &[1.0, 1.0]).0, 2);
    assert_eq!(solve(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], &[1.0, 1.0, 1.0]).0, 3);
    // A column of zeros.
    assert_eq!(solve(&[1.0, 0.0, 2.0, 3.0, 0.0, 1.0, 1.0, 0.0, 1.0], &[1.0, 1.0, 1.0]).0, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Elimination with pivoting is backward stable: the residual is small whatever the condition number.
    #[test]
    fn the_solution_satisfies_the_equations((matrix, right) in random_matrices()) {
        let (status, x) = solve(&matrix, &right);
        prop_assume!(status == 0);
        let size = x.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
        for (found, wanted) in product(&matrix, &x).iter().zip(&right) {
            prop_assert!((found - wanted).abs() <= 1e-14 * size * right.len() as f64, "{found} {wanted}");
        }
    }

    /// Equilibration rounds nothing, so a change of units by a power of two passes through.
    #[test]
    fn powers_of_two_change_no_bit((matrix, right) in random_matrices(), row in -60i32..60, all in -60i32..60) {
        let (n, row_scale, scale) = (right.len(), f64::powi(2.0, row), f64::powi(2.0, all));
        let (mut scaled, mut scaled_right) = (matrix.clone(), right.clone());
        scaled[..n].iter_mut().for_each(|a| *a *= row_scale);
        scaled_right[0] *= row_scale;
        prop_assert_eq!(solve(&scaled, &scaled_right), solve(&matrix, &right));
        let everything: Vec<f64> = matrix.iter().map(|a| a * scale).collect();
        let (status, mut x) = solve(&everything, &right);
        x.iter_mut().for_each(|x| *x *= scale);
        prop_assert_eq!((status, x), solve(&matrix, &right));
    }

    /// One row made a combination of the others leaves a column without a pivot. The roundings of a matrix that is
    /// nearly singular in yet another way can hide that; then the solution of what contradicts itself is enormous.
    #[test]
    fn singular_matrices_are_found((mut matrix, mut right) in random_matrices(), target: sample::Index) {
        let (n, target) = (right.len(), target.index(right.len()));
        for j in 0..n {
            let others = (0..n).filter(|&i| i != target).enumerate();
            matrix[target * n + j] = others.map(|(k, i)| (k as f64 + 0.7) * matrix[i * n + j]).sum();
        }
        right.fill(0.0);
        right[target] = 1.0;
        let (status, x) = solve(&matrix, &right);
        prop_assert!(status > 0 || x.iter().any(|x| x.abs() > 1e10), "{x:?}");
    }

    /// One coefficient that is not finite is noticed, wherever it stands.
    #[test]
    fn what_is_not_finite_is_found((mut matrix, right) in random_matrices(), place: sample::Index, infinite: bool) {
        let place = place.index(matrix.len());
        matrix[place] = if infinite { f64::INFINITY } else { f64::NAN };
        prop_assert!(solve_status(&matrix, &right) > 0);
    }
}

/// The status alone: bits of what is not a number differ between machines.
fn solve_status(matrix: &[f64], right: &[f64]) -> i64 {
    let mut module = ModuleBuilder::new("linear");
    let solver = dense_solver(&mut module, "system", right.len());
    on_every_machine(module, |bench| {
        bench.set(solver.matrix, matrix);
        bench.set(solver.right, right);
        let status = bench.call(solver.solve, []);
        bench.clear();
        status
    })
}
