//! The stabilising solution of Riccati's equation AᵀX + X A − X B R⁻¹ Bᵀ X + Q = 0, by the matrix sign function (Roberts 1980; Byers 1987), and
//! Newton's steps after it (Kleinman 1968), each of which is a Lyapunov equation.

use super::matrix::{Matrix, Pseudoinverse, product, solve, zero};

/// Newton's iteration for the sign of a matrix doubles its digits; more steps than this are a sign that there is none.
const MOST_STEPS: usize = 100;
/// A step that changes less than this part ends the iteration.
const SETTLED: f64 = 1e-13;
/// Kleinman's steps: the first repairs what the sign function has lost, the others show that nothing is left to repair.
const REFINEMENTS: usize = 4;

/// X and K = R⁻¹ Bᵀ X, symmetric and stabilising; none if the Hamiltonian has eigenvalues on the imaginary axis, as far as rounding tells.
pub fn riccati(a: &Matrix, b: &Matrix, q: &[f64], r: &[f64]) -> Option<(Matrix, Matrix)> {
    let n = a.len();
    let weighted: Matrix = b.iter().map(|row| row.iter().zip(r).map(|(entry, r)| entry / r).collect()).collect();
    let g = product(&weighted, &transposed(b));
    let hamiltonian: Matrix = (0..2 * n)
        .map(|i| {
            let upper = |j: usize| if j < n { a[i][j] } else { -g[i][j - n] };
            let lower = |j: usize| match j < n {
                true => {
                    if i - n == j {
                        -q[j]
                    } else {
                        0.0
                    }
                }
                false => -a[j - n][i - n],
            };
            (0..2 * n).map(|j| if i < n { upper(j) } else { lower(j) }).collect()
        })
        .collect();
    let sign = sign(hamiltonian)?;
    // With W = sign(H): [W12; W22 + I] X = −[W11 + I; W21].
    let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let left: Matrix = (0..2 * n)
        .map(|i| (0..n).map(|j| sign[i][n + j] + if i >= n { unit(i - n, j) } else { 0.0 }).collect())
        .collect();
    let inverse = Pseudoinverse::new(&left, n);
    let columns: Matrix = (0..n)
        .map(|j| {
            let right: Vec<f64> = (0..2 * n).map(|i| -(sign[i][j] + if i < n { unit(i, j) } else { 0.0 })).collect();
            inverse.apply(&right)
        })
        .collect();
    let mut x = symmetric(&transposed(&columns));
    let gain = |x: &Matrix| product(&transposed(&weighted), x);
    for _ in 0..REFINEMENTS {
        // What X leaves of the equation is corrected along its slope.
        let k = gain(&x);
        let closed = minus(a, &product(b, &k));
        let ax = product(&transposed(a), &x);
        let xgx = product(&product(&x, &g), &x);
        let left: Matrix =
            (0..n).map(|i| (0..n).map(|j| ax[i][j] + ax[j][i] - xgx[i][j] + unit(i, j) * q[i]).collect()).collect();
        let Some(step) = lyapunov(closed, left) else { break };
        x = symmetric(&plus(&x, &step));
    }
    let k = gain(&x);
    x.iter().flatten().all(|entry| entry.is_finite()).then_some((x, k))
}

/// The limit of Z ← (c Z + (c Z)⁻¹)/2.
fn sign(mut z: Matrix) -> Option<Matrix> {
    let n = z.len();
    for _ in 0..MOST_STEPS {
        let inverse = solve(z.clone(), identity(n)).ok()?;
        let scale = (size(&inverse) / size(&z)).sqrt();
        let mean = |i: usize, j: usize| 0.5 * (scale * z[i][j] + inverse[i][j] / scale);
        let next: Matrix = (0..n).map(|i| (0..n).map(|j| mean(i, j)).collect()).collect();
        let change = size(&minus(&next, &z));
        z = next;
        if change <= SETTLED * size(&z) * n as f64 {
            return Some(z);
        }
        if !change.is_finite() {
            return None;
        }
    }
    // What hovers near the imaginary axis does not settle.
    None
}

/// X with FᵀX + X F + P = 0, for a stable F: both F and P follow the iteration for the sign of F.
fn lyapunov(mut f: Matrix, mut p: Matrix) -> Option<Matrix> {
    let n = f.len();
    for _ in 0..MOST_STEPS {
        let inverse = solve(f.clone(), identity(n)).ok()?;
        let scale = (size(&inverse) / size(&f)).sqrt();
        let mean = |a: &Matrix, b: &Matrix| -> Matrix {
            (0..n).map(|i| (0..n).map(|j| 0.5 * (scale * a[i][j] + b[i][j] / scale)).collect()).collect()
        };
        let turned = product(&product(&transposed(&inverse), &p), &inverse);
        p = mean(&p, &turned);
        let next = mean(&f, &inverse);
        let change = size(&minus(&next, &f));
        f = next;
        if change <= SETTLED * size(&f) * n as f64 {
            return Some(p.into_iter().map(|row| row.into_iter().map(|entry| 0.5 * entry).collect()).collect());
        }
    }
    None
}

pub fn identity(n: usize) -> Matrix {
    let mut one = zero(n, n);
    (0..n).for_each(|at| one[at][at] = 1.0);
    one
}

pub fn transposed(a: &Matrix) -> Matrix {
    let columns = a.first().map_or(0, Vec::len);
    (0..columns).map(|at| a.iter().map(|row| row[at]).collect()).collect()
}

pub fn minus(a: &Matrix, b: &Matrix) -> Matrix {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a - b).collect()).collect()
}

fn plus(a: &Matrix, b: &Matrix) -> Matrix {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

fn symmetric(a: &Matrix) -> Matrix {
    (0..a.len()).map(|i| (0..a.len()).map(|j| 0.5 * (a[i][j] + a[j][i])).collect()).collect()
}

/// The largest sum of a row.
fn size(a: &Matrix) -> f64 {
    a.iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x″ = u, with weights one: K = 1, √3.
    #[test]
    fn the_double_integrator() {
        let (a, b) = (vec![vec![0.0, 1.0], vec![0.0, 0.0]], vec![vec![0.0], vec![1.0]]);
        let (_, k) = riccati(&a, &b, &[1.0, 1.0], &[1.0]).expect("a solution");
        assert!((k[0][0] - 1.0).abs() < 1e-13 && (k[0][1] - 3.0_f64.sqrt()).abs() < 1e-13, "{k:?}");
    }

    /// Of random systems: the equation holds, X is symmetric, and the closed loop is stable.
    #[test]
    fn what_is_found_solves_the_equation() {
        for seed in 0..30 {
            let mut random = base::Random::new(seed);
            let (n, m) = (1 + random.below(9), 1 + random.below(3));
            let a: Matrix = (0..n).map(|_| (0..n).map(|_| random.between(-2.0, 2.0)).collect()).collect();
            let b: Matrix = (0..n).map(|_| (0..m).map(|_| random.between(-1.0, 1.0)).collect()).collect();
            let q: Vec<f64> = (0..n).map(|_| random.between(0.1, 3.0)).collect();
            let r: Vec<f64> = (0..m).map(|_| random.between(0.1, 3.0)).collect();
            let (x, k) = riccati(&a, &b, &q, &r).expect("a solution");
            let ax = product(&transposed(&a), &x);
            let rk: Matrix = k.iter().zip(&r).map(|(row, r)| row.iter().map(|entry| entry * r).collect()).collect();
            let quadratic = product(&transposed(&k), &rk);
            let scale = size(&ax) + size(&quadratic);
            for i in 0..n {
                for j in 0..n {
                    let left = ax[i][j] + ax[j][i] - quadratic[i][j] + if i == j { q[i] } else { 0.0 };
                    assert!(left.abs() < 1e-11 * scale, "{seed}: {left:e}");
                }
            }
            let closed = minus(&a, &product(&b, &k));
            let poles = super::super::eigenvalues::eigenvalues(&closed).expect("eigenvalues");
            assert!(poles.iter().all(|(real, _)| *real < 0.0), "{seed}: {poles:?}");
        }
    }

    /// What oscillates for ever and is neither moved nor seen has no stabilising solution.
    #[test]
    fn what_is_out_of_reach_has_none() {
        let a = vec![vec![0.0, 1.0], vec![-1.0, 0.0]];
        assert!(riccati(&a, &vec![vec![0.0], vec![0.0]], &[1.0, 1.0], &[1.0]).is_none());
    }
}
