//! Small dense matrices, for questions that are asked once.

/// Elimination with pivots; the last column is the right-hand side. A pivot that vanishes counts as very small.
pub fn solve(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    // Beside the largest entry: far below rounding, so that a vanishing pivot gives a large answer instead of none.
    const SMALL: f64 = 1e-18;
    let n = matrix.len();
    let size = matrix.iter().flat_map(|row| &row[..n]).fold(0.0_f64, |size, entry| size.max(entry.abs()));
    for at in 0..n {
        let pivot = (at..n).max_by(|&a, &b| matrix[a][at].abs().total_cmp(&matrix[b][at].abs())).unwrap_or(at);
        matrix.swap(at, pivot);
        if matrix[at][at].abs() < SMALL * size {
            matrix[at][at] = SMALL * size;
        }
        let (above, below) = matrix.split_at_mut(at + 1);
        for row in below {
            let factor = row[at] / above[at][at];
            row[at..].iter_mut().zip(&above[at][at..]).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    let mut x = vec![0.0; n];
    for at in (0..n).rev() {
        let known: f64 = (at + 1..n).map(|column| matrix[at][column] * x[column]).sum();
        x[at] = (matrix[at][n] - known) / matrix[at][at];
    }
    x
}

/// The direction that a square matrix shrinks most, and by how much, once all rows and columns have about the same size.
pub fn weakest(mut matrix: Vec<Vec<f64>>) -> Option<(Vec<f64>, f64)> {
    let n = matrix.len();
    if n == 0 || matrix.iter().flatten().any(|entry| !entry.is_finite()) {
        return None;
    }
    for _ in 0..4 {
        for row in &mut matrix {
            let size = norm(row);
            row.iter_mut().filter(|_| size > 0.0).for_each(|entry| *entry /= size);
        }
        for column in 0..n {
            let size = norm(&matrix.iter().map(|row| row[column]).collect::<Vec<f64>>());
            matrix.iter_mut().filter(|_| size > 0.0).for_each(|row| row[column] /= size);
        }
    }
    let transposed: Vec<Vec<f64>> = (0..n).map(|at| matrix.iter().map(|row| row[at]).collect()).collect();
    let with = |matrix: &[Vec<f64>], right: &[f64]| -> Vec<Vec<f64>> {
        matrix.iter().zip(right).map(|(row, value)| row.iter().chain([value]).copied().collect()).collect()
    };
    // Inverse iteration, from a direction with nothing special about it.
    let mut direction: Vec<f64> = (0..n).map(|at| 1.0 + (0.7 * at as f64).fract()).collect();
    let mut shrunk = 1.0;
    for _ in 0..4 {
        let size = norm(&direction);
        direction.iter_mut().for_each(|x| *x /= size);
        direction = solve(with(&matrix, &solve(with(&transposed, &direction))));
        shrunk = 1.0 / norm(&direction).sqrt();
    }
    let size = norm(&direction);
    direction.iter_mut().for_each(|x| *x /= size);
    direction.iter().all(|x| x.is_finite()).then_some((direction, shrunk))
}

/// The most independent of some rows, so many of them, ascending.
pub fn most_independent(mut rows: Vec<Vec<f64>>, count: usize) -> Vec<usize> {
    let scale = |row: &mut [f64]| {
        let size = norm(row);
        row.iter_mut().filter(|_| size > 0.0).for_each(|entry| *entry /= size);
    };
    rows.iter_mut().for_each(|row| scale(row));
    let mut open: Vec<usize> = (0..rows.len()).collect();
    let mut chosen = Vec::new();
    while let Some(place) = (0..open.len())
        .max_by(|&a, &b| norm(&rows[open[a]]).total_cmp(&norm(&rows[open[b]])))
        .filter(|_| chosen.len() < count)
    {
        let at = open.remove(place);
        scale(&mut rows[at]);
        let direction = rows[at].clone();
        for &other in &open {
            let along: f64 = rows[other].iter().zip(&direction).map(|(a, b)| a * b).sum();
            rows[other].iter_mut().zip(&direction).for_each(|(entry, part)| *entry -= along * part);
        }
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weakest_direction_is_found() {
        let (direction, shrunk) = weakest(vec![vec![1.0, 1.0], vec![2.0, 2.0 + 1e-9]]).expect("finite");
        assert!(shrunk < 1e-8 && (direction[0] + direction[1]).abs() < 1e-6);
        let (_, shrunk) = weakest(vec![vec![1e6, 0.0], vec![0.0, 1e-6]]).expect("finite");
        assert!(shrunk > 0.9);
        assert!(weakest(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).expect("finite").1 < 1e-8);
    }
}
