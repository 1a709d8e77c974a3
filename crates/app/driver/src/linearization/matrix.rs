//! Dense matrices of the size of a scene: rows of numbers.

pub type Matrix = Vec<Vec<f64>>;

pub fn zero(rows: usize, columns: usize) -> Matrix {
    vec![vec![0.0; columns]; rows]
}

pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &[f64], column: usize| row.iter().zip(b).map(|(factor, other)| factor * other[column]).sum();
    a.iter().map(|row| (0..columns).map(|column| entry(row, column)).collect()).collect()
}

pub fn times(a: &Matrix, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| row.iter().zip(x).map(|(entry, x)| entry * x).sum()).collect()
}

pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// X with A X = B, by elimination with pivots; or the column of A that the others determine.
pub fn solve(mut a: Matrix, mut b: Matrix) -> Result<Matrix, usize> {
    // A pivot beside its column, rows being scaled to one: below it nothing but rounding is left.
    const VANISHING: f64 = 1e-14;
    let n = a.len();
    // Rows are measured by their own size.
    for (row, right) in a.iter_mut().zip(&mut b) {
        let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        row.iter_mut().chain(right).filter(|_| size > 0.0).for_each(|entry| *entry /= size);
    }
    let sizes: Vec<f64> = (0..n).map(|at| a.iter().fold(0.0_f64, |size, row| size.max(row[at].abs()))).collect();
    for at in 0..n {
        let pivot = (at..n).max_by(|&i, &j| a[i][at].abs().total_cmp(&a[j][at].abs())).unwrap_or(at);
        a.swap(at, pivot);
        b.swap(at, pivot);
        let size = a[at][at].abs();
        if size <= VANISHING * sizes[at] || size.is_nan() {
            return Err(at);
        }
        let ((above, below), (right_above, right_below)) = (a.split_at_mut(at + 1), b.split_at_mut(at + 1));
        for (row, right) in below.iter_mut().zip(right_below) {
            let factor = row[at] / above[at][at];
            if factor != 0.0 {
                row[at..].iter_mut().zip(&above[at][at..]).for_each(|(entry, pivot)| *entry -= factor * pivot);
                right.iter_mut().zip(&right_above[at]).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
    }
    for at in (0..n).rev() {
        let (known, rest) = b.split_at_mut(at + 1);
        for (entry, row) in a[at][at + 1..].iter().zip(rest.iter()) {
            known[at].iter_mut().zip(row).for_each(|(x, other)| *x -= entry * other);
        }
        known[at].iter_mut().for_each(|x| *x /= a[at][at]);
    }
    Ok(b)
}

/// The shortest x that makes |A x − b| as small as it can be; directions that A hardly sees are left out.
pub struct Pseudoinverse {
    /// Orthogonal columns of A V, as rows.
    turned: Matrix,
    /// Columns of V, as rows.
    directions: Matrix,
}

impl Pseudoinverse {
    /// By rotations of pairs of columns until all are orthogonal (Hestenes; Golub and Van Loan, *Matrix Computations*, section 8.6.3).
    pub fn new(a: &Matrix, columns: usize) -> Pseudoinverse {
        // Sweeps converge quadratically, so that ten are plenty; the cosine of what counts as a right angle is a few last places.
        const SWEEPS: usize = 60;
        const ORTHOGONAL: f64 = 1e-15;
        let mut turned: Matrix = (0..columns).map(|column| a.iter().map(|row| row[column]).collect()).collect();
        let mut directions: Matrix =
            (0..columns).map(|i| (0..columns).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
        for _ in 0..SWEEPS {
            let mut settled = true;
            for i in 0..columns {
                for j in i + 1..columns {
                    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
                    let (alpha, beta) = (dot(&turned[i], &turned[i]), dot(&turned[j], &turned[j]));
                    let gamma = dot(&turned[i], &turned[j]);
                    if gamma == 0.0 || gamma.abs() <= ORTHOGONAL * (alpha * beta).sqrt() {
                        continue;
                    }
                    settled = false;
                    let zeta = (beta - alpha) / (2.0 * gamma);
                    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                    rotate(&mut turned, i, j, cosine, cosine * tangent);
                    rotate(&mut directions, i, j, cosine, cosine * tangent);
                }
            }
            if settled {
                break;
            }
        }
        Pseudoinverse { turned, directions }
    }

    pub fn apply(&self, b: &[f64]) -> Vec<f64> {
        // A singular value beside the largest: below it a direction is not seen, and nothing moves along it.
        const UNSEEN: f64 = 1e-10;
        let sizes: Vec<f64> = self.turned.iter().map(|column| norm(column)).collect();
        let largest = sizes.iter().fold(0.0_f64, |largest, &size| largest.max(size));
        let mut x = vec![0.0; self.directions.len()];
        for ((column, direction), &size) in self.turned.iter().zip(&self.directions).zip(&sizes) {
            if size > UNSEEN * largest {
                let along: f64 = column.iter().zip(b).map(|(entry, b)| entry * b).sum::<f64>() / (size * size);
                x.iter_mut().zip(direction).for_each(|(x, part)| *x += along * part);
            }
        }
        x
    }
}

fn rotate(rows: &mut Matrix, i: usize, j: usize, cosine: f64, sine: f64) {
    let (before, after) = rows.split_at_mut(j);
    for (x, y) in before[i].iter_mut().zip(&mut after[0]) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved_and_dependent_columns_named() {
        let a = vec![vec![0.0, 2.0], vec![1e6, 1e6]];
        let x = solve(a, vec![vec![2.0], vec![3e6]]).expect("a solution");
        assert!((x[0][0] - 2.0).abs() < 1e-15 && (x[1][0] - 1.0).abs() < 1e-15);
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![vec![1.0], vec![2.0]]), Err(1));
    }

    #[test]
    fn the_shortest_solution_is_found() {
        // x + y = 2, twice, says nothing of z.
        let a = vec![vec![1.0, 1.0, 0.0], vec![1.0, 1.0, 0.0]];
        let x = Pseudoinverse::new(&a, 3).apply(&[2.0, 2.0]);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14 && x[2] == 0.0);
    }
}
