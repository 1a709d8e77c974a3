//! The modes of a linear system: its eigenvalues, and which states each of them moves.

use super::eigenvalues::{balance, eigenvalues};
use super::matrix::{Matrix, norm};
use crate::dense;

/// A motion x(t) = v exp(λ t), or a pair of conjugates.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    pub real: f64,
    /// Not negative; a mode with a positive one stands for both conjugates.
    pub imaginary: f64,
    /// States by the share that they have in it, the largest first.
    pub shares: Vec<(usize, f64)>,
}

/// An entry that is this part of the largest in its row is rounding.
const ROUNDING: f64 = 1e-12;
/// A block that shrinks to this part when its states are measured in fitting units is held together by rounding alone.
const NILPOTENT: f64 = 1e-10;
/// Shares are not computed for larger blocks.
const LARGEST: usize = 60;
/// Smaller shares are not mentioned.
const NOTICEABLE: f64 = 0.05;

/// None if the iteration for the eigenvalues does not end.
pub fn modes(a: &Matrix) -> Option<Vec<Mode>> {
    let a: Matrix = a.iter().map(|row| without_rounding(row)).collect();
    let successors: Vec<Vec<usize>> =
        a.iter().map(|row| (0..row.len()).filter(|&at| row[at] != 0.0).collect()).collect();
    let mut modes = Vec::new();
    // States that do not depend on one another both ways have modes of their own: so what nothing depends on gives exact zeros.
    for mut block in structure::strong_components(&successors) {
        block.sort_unstable();
        let inner: Matrix = block.iter().map(|&row| block.iter().map(|&column| a[row][column]).collect()).collect();
        if is_nilpotent(&inner) {
            let zero = |&at| Mode { real: 0.0, imaginary: 0.0, shares: vec![(at, 1.0)] };
            modes.extend(block.iter().map(zero));
            continue;
        }
        for (real, imaginary) in eigenvalues(&inner)?.into_iter().filter(|(_, imaginary)| *imaginary >= 0.0) {
            let shares = if block.len() > LARGEST { Vec::new() } else { shares(&inner, real, imaginary) };
            let shares = shares.into_iter().map(|(at, share)| (block[at], share)).collect();
            modes.push(Mode { real, imaginary, shares });
        }
    }
    modes.sort_by(|a, b| b.real.total_cmp(&a.real).then(a.imaginary.total_cmp(&b.imaginary)));
    Some(modes)
}

/// Whether all eigenvalues are zero but for rounding.
fn is_nilpotent(block: &Matrix) -> bool {
    let size = |matrix: &Matrix| matrix.iter().flatten().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    let mut balanced = block.clone();
    balance(&mut balanced);
    size(&balanced) <= NILPOTENT * size(block)
}

fn without_rounding(row: &[f64]) -> Vec<f64> {
    let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    row.iter().map(|&entry| if entry.abs() <= ROUNDING * size { 0.0 } else { entry }).collect()
}

/// Left times right eigenvector, component by component: shares that do not depend on units.
fn shares(a: &Matrix, real: f64, imaginary: f64) -> Vec<(usize, f64)> {
    let n = a.len();
    let transposed: Matrix = (0..n).map(|i| a.iter().map(|row| row[i]).collect()).collect();
    let (right, left) = (eigenvector(a, real, imaginary), eigenvector(&transposed, real, imaginary));
    let size = |v: &[f64], at: usize| (v[at] * v[at] + v[n + at] * v[n + at]).sqrt();
    let parts: Vec<f64> = (0..n).map(|at| size(&right, at) * size(&left, at)).collect();
    let whole: f64 = parts.iter().sum();
    let mut shares: Vec<(usize, f64)> = parts.iter().map(|part| part / whole).enumerate().collect();
    shares.retain(|(_, share)| *share >= NOTICEABLE);
    // Shares that are equal but for rounding stay in the order of the states.
    shares.sort_by(|a, b| (b.1 * 1e6).round().total_cmp(&(a.1 * 1e6).round()).then(a.0.cmp(&b.0)));
    shares
}

/// Real parts, then imaginary ones, by inverse iteration: (A − λ) v = x + i y is a real system of twice the size.
fn eigenvector(a: &Matrix, real: f64, imaginary: f64) -> Vec<f64> {
    let n = a.len();
    let size = a.iter().flatten().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    // A little beside the eigenvalue, where the matrix has an inverse.
    let real = real + 1e-10 * size.max(f64::MIN_POSITIVE);
    let mut v: Vec<f64> = (0..2 * n).map(|at| 1.0 + (0.7 * at as f64).fract()).collect();
    for _ in 0..3 {
        let row = |at: usize| -> Vec<f64> {
            let (i, lower) = (at % n, at >= n);
            let entry = |column: usize| {
                let (j, right) = (column % n, column >= n);
                let diagonal = |value: f64| if i == j { value } else { 0.0 };
                match (lower, right) {
                    (false, false) | (true, true) => a[i][j] - diagonal(real),
                    (false, true) => diagonal(imaginary),
                    (true, false) => -diagonal(imaginary),
                }
            };
            (0..2 * n).map(entry).chain([v[at]]).collect()
        };
        let next = dense::solve((0..2 * n).map(row).collect());
        let length = norm(&next);
        v = next.into_iter().map(|x| x / length).collect();
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillator_and_something_that_only_follows() {
        // x'' = -4 x, and z' = x.
        let a = vec![vec![0.0, 1.0, 0.0], vec![-4.0, 0.0, 0.0], vec![1.0, 0.0, 0.0]];
        let found = modes(&a).expect("eigenvalues");
        assert_eq!(found.len(), 2);
        let (zero, swing) = (&found[0], &found[1]);
        assert!(zero.real == 0.0 && zero.imaginary == 0.0 && zero.shares == [(2, 1.0)]);
        assert!(swing.real.abs() < 1e-15 && (swing.imaginary - 2.0).abs() < 1e-14);
        assert_eq!(swing.shares.iter().map(|share| share.0).collect::<Vec<_>>(), [0, 1]);
        assert!(swing.shares.iter().all(|share| (share.1 - 0.5).abs() < 1e-6));
    }
}
