//! Eigenvalues of small real matrices: balanced, reduced to Hessenberg form, then Francis's double-shift QR steps.
//!
//! After the procedures `balance`, `elmhes` and `hqr` of Wilkinson and Reinsch, *Handbook for Automatic Computation*, volume II.

// The formulas of the book stand here with its indices and letters.
#![expect(clippy::needless_range_loop, clippy::many_single_char_names, reason = "index by index, as in the book")]

use super::matrix::Matrix;

/// How often one eigenvalue is iterated for before it is given up.
const MOST_ITERATIONS: usize = 90;

/// Real and imaginary parts; conjugates stand beside one another. None if the iteration does not end.
pub fn eigenvalues(matrix: &Matrix) -> Option<Vec<(f64, f64)>> {
    let mut a = matrix.clone();
    balance(&mut a);
    reduce(&mut a);
    iterate(&mut a)
}

/// Scales by powers of two until rows and columns have about the same size.
pub fn balance(a: &mut Matrix) {
    // Scaling by powers of two rounds nothing; it goes on while it makes rows and columns a twentieth shorter.
    const RADIX: f64 = 2.0;
    const ENOUGH: f64 = 0.95;
    let n = a.len();
    let mut settled = false;
    while !settled {
        settled = true;
        for i in 0..n {
            let others = || (0..n).filter(|&j| j != i);
            let mut column: f64 = others().map(|j| a[j][i].abs()).sum();
            let row: f64 = others().map(|j| a[i][j].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (size, mut factor) = (column + row, 1.0);
            while column < row / RADIX {
                factor *= RADIX;
                column *= RADIX * RADIX;
            }
            while column > row * RADIX {
                factor /= RADIX;
                column /= RADIX * RADIX;
            }
            if (column + row) / factor < ENOUGH * size {
                settled = false;
                (0..n).for_each(|j| a[i][j] /= factor);
                (0..n).for_each(|j| a[j][i] *= factor);
            }
        }
    }
}

/// Eliminates everything below the first subdiagonal.
fn reduce(a: &mut Matrix) {
    let n = a.len();
    for m in 1..n.saturating_sub(1) {
        let pivot = (m..n).max_by(|&i, &j| a[i][m - 1].abs().total_cmp(&a[j][m - 1].abs())).unwrap_or(m);
        a.swap(m, pivot);
        a.iter_mut().for_each(|row| row.swap(m, pivot));
        let x = a[m][m - 1];
        if x == 0.0 {
            continue;
        }
        for i in m + 1..n {
            let y = a[i][m - 1] / x;
            if y != 0.0 {
                (m - 1..n).for_each(|j| a[i][j] -= y * a[m][j]);
                (0..n).for_each(|j| a[j][m] += y * a[j][i]);
            }
        }
    }
    for i in 2..n {
        (0..i - 1).for_each(|j| a[i][j] = 0.0);
    }
}

fn iterate(a: &mut Matrix) -> Option<Vec<(f64, f64)>> {
    let n = a.len();
    let norm: f64 = a.iter().flatten().map(|entry| entry.abs()).sum();
    let mut found = vec![(0.0, 0.0); n];
    // All shifts so far, and how many eigenvalues are still sought.
    let (mut shift, mut left, mut iterations) = (0.0, n, 0);
    while left > 0 {
        let last = left - 1;
        let first = first_of_block(a, last, norm);
        if first == last {
            found[last] = (a[last][last] + shift, 0.0);
            (left, iterations) = (last, 0);
        } else if first + 1 == last {
            [found[last - 1], found[last]] = pair(a, last, shift);
            (left, iterations) = (last - 1, 0);
        } else {
            if iterations == MOST_ITERATIONS {
                return None;
            }
            let (mut x, mut y) = (a[last][last], a[last - 1][last - 1]);
            let mut w = a[last][last - 1] * a[last - 1][last];
            iterations += 1;
            if iterations % 10 == 0 {
                // An exceptional shift, where the usual ones go round in circles.
                shift += x;
                (0..=last).for_each(|i| a[i][i] -= x);
                let s = a[last][last - 1].abs() + a[last - 1][last - 2].abs();
                (x, y, w) = (0.75 * s, 0.75 * s, -0.4375 * s * s);
            }
            double_step(a, first, last, (x, y, w));
        }
    }
    Some(found)
}

/// Where the lowest block that does not fall apart begins.
fn first_of_block(a: &mut Matrix, last: usize, norm: f64) -> usize {
    for l in (1..=last).rev() {
        let beside = a[l - 1][l - 1].abs() + a[l][l].abs();
        let size = if beside == 0.0 { norm } else { beside };
        if a[l][l - 1].abs() <= f64::EPSILON * size {
            a[l][l - 1] = 0.0;
            return l;
        }
    }
    0
}

/// The eigenvalues of the last two rows.
fn pair(a: &Matrix, last: usize, shift: f64) -> [(f64, f64); 2] {
    let (x, y) = (a[last][last], a[last - 1][last - 1]);
    let w = a[last][last - 1] * a[last - 1][last];
    let p = 0.5 * (y - x);
    let q = p * p + w;
    let root = q.abs().sqrt();
    let x = x + shift;
    if q < 0.0 {
        return [(x + p, root), (x + p, -root)];
    }
    let z = p + root.copysign(p);
    [(x + z, 0.0), (if z == 0.0 { x } else { x - w / z }, 0.0)]
}

// Long: one step of the method as it is printed in books; parts of it would not be known again.
fn double_step(a: &mut Matrix, first: usize, last: usize, (x, y, w): (f64, f64, f64)) {
    let (mut p, mut q, mut r);
    let mut m = last - 2;
    loop {
        let z = a[m][m];
        let (to_x, to_y) = (x - z, y - z);
        p = (to_x * to_y - w) / a[m + 1][m] + a[m][m + 1];
        q = a[m + 1][m + 1] - z - to_x - to_y;
        r = a[m + 2][m + 1];
        let size = p.abs() + q.abs() + r.abs();
        (p, q, r) = (p / size, q / size, r / size);
        if m == first {
            break;
        }
        let small = a[m][m - 1].abs() * (q.abs() + r.abs());
        let large = p.abs() * (a[m - 1][m - 1].abs() + z.abs() + a[m + 1][m + 1].abs());
        if small <= f64::EPSILON * large {
            break;
        }
        m -= 1;
    }
    for i in m + 2..=last {
        a[i][i - 2] = 0.0;
        if i > m + 2 {
            a[i][i - 3] = 0.0;
        }
    }
    let mut size = 0.0;
    for k in m..last {
        let third = k + 1 < last;
        if k > m {
            (p, q, r) = (a[k][k - 1], a[k + 1][k - 1], if third { a[k + 2][k - 1] } else { 0.0 });
            size = p.abs() + q.abs() + r.abs();
            if size != 0.0 {
                (p, q, r) = (p / size, q / size, r / size);
            }
        }
        let s = (p * p + q * q + r * r).sqrt().copysign(p);
        if s == 0.0 {
            continue;
        }
        if k > m {
            a[k][k - 1] = -s * size;
        } else if first != m {
            a[k][k - 1] = -a[k][k - 1];
        }
        p += s;
        let (x, y, z) = (p / s, q / s, r / s);
        (q, r) = (q / p, r / p);
        for j in k..=last {
            let mut sum = a[k][j] + q * a[k + 1][j];
            if third {
                sum += r * a[k + 2][j];
                a[k + 2][j] -= sum * z;
            }
            a[k + 1][j] -= sum * y;
            a[k][j] -= sum * x;
        }
        for i in first..=last.min(k + 3) {
            let mut sum = x * a[i][k] + y * a[i][k + 1];
            if third {
                sum += z * a[i][k + 2];
                a[i][k + 2] -= sum * r;
            }
            a[i][k + 1] -= sum * q;
            a[i][k] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(matrix: Matrix) -> Vec<(f64, f64)> {
        let mut found = eigenvalues(&matrix).expect("it ends");
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        found
    }

    /// The companion of (x − 1)(x − 2)(x − 3)(x² + 2x + 5).
    #[test]
    fn roots_of_a_polynomial() {
        let matrix = vec![
            vec![4.0, -4.0, 14.0, -43.0, 30.0],
            vec![1.0, 0.0, 0.0, 0.0, 0.0],
            vec![0.0, 1.0, 0.0, 0.0, 0.0],
            vec![0.0, 0.0, 1.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0, 1.0, 0.0],
        ];
        let roots = [(-1.0, -2.0), (-1.0, 2.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)];
        for (found, root) in sorted(matrix).into_iter().zip(roots) {
            assert!((found.0 - root.0).abs() < 1e-12 && (found.1 - root.1).abs() < 1e-12, "{found:?} is no {root:?}");
        }
    }

    /// A chain of n masses between walls: ω² = 2 − 2 cos(k π / (n + 1)), as a matrix of second differences.
    #[test]
    fn a_chain_has_its_spectrum() {
        let n = 30;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let matrix = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        for (k, found) in sorted(matrix).into_iter().enumerate() {
            let angle = std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64;
            assert!((found.0 - (2.0 - 2.0 * libm::cos(angle))).abs() < 1e-13 && found.1 == 0.0, "{found:?}");
        }
    }

    /// The traces of powers are the sums of the powers of the eigenvalues, whatever the matrix.
    #[test]
    fn traces_are_sums() {
        for seed in 0..40 {
            let mut random = base::Random::new(seed);
            let n = 1 + random.below(12);
            let scale: Vec<f64> = (0..n).map(|_| f64::from(1 << random.below(20))).collect();
            let matrix: Matrix =
                (0..n).map(|i| (0..n).map(|j| random.between(-1.0, 1.0) * scale[i] / scale[j]).collect()).collect();
            let found = eigenvalues(&matrix).expect("it ends");
            let trace: f64 = (0..n).map(|i| matrix[i][i]).sum();
            let squares: f64 =
                (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| matrix[i][j] * matrix[j][i]).sum();
            let sum: f64 = found.iter().map(|(re, _)| re).sum();
            let sum_of_squares: f64 = found.iter().map(|(re, im)| re * re - im * im).sum();
            assert!((trace - sum).abs() < 1e-11 && (squares - sum_of_squares).abs() < 1e-10, "{seed}");
        }
    }
}
