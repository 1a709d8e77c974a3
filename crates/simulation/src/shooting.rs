//! Newton's method for a few unknowns that a simulation depends on.

/// Unknowns at which some function vanishes, searched from a seed; or how near it came. The function may have no value somewhere.
pub fn solve(seed: &[f64], mut function: impl FnMut(&[f64]) -> Option<Vec<f64>>) -> Result<Vec<f64>, Option<Vec<f64>>> {
    const STEPS: usize = 60;
    const HALVINGS: usize = 30;
    let mut at = seed.to_vec();
    let mut value = function(&at).ok_or(None)?;
    for _ in 0..STEPS {
        let Some(change) = newton_step(&at, &value, &mut function) else { return Err(Some(value)) };
        let small = at.iter().zip(&change).all(|(x, dx)| dx.abs() <= 1e-14 * x.abs().max(1e-3));
        let mut share = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let tried: Vec<f64> = at.iter().zip(&change).map(|(x, dx)| x + share * dx).collect();
            if let Some(found) = function(&tried).filter(|found| size(found) < size(&value)) {
                better = Some((tried, found));
                break;
            }
            share *= 0.5;
        }
        match better {
            Some((tried, found)) => (at, value) = (tried, found),
            // Rounding is all that is left, or there is no way on.
            None if small || is_small(&at, &change) => return Ok(at),
            None => return Err(Some(value)),
        }
        if small || size(&value) == 0.0 {
            return Ok(at);
        }
    }
    Err(Some(value))
}

fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value * value).sqrt()
}

fn is_small(at: &[f64], change: &[f64]) -> bool {
    at.iter().zip(change).all(|(x, dx)| dx.abs() <= 1e-9 * x.abs().max(1.0))
}

/// The step at whose end the function would vanish if it were linear; its slopes come from differences.
fn newton_step(at: &[f64], value: &[f64], function: &mut impl FnMut(&[f64]) -> Option<Vec<f64>>) -> Option<Vec<f64>> {
    let n = at.len();
    let mut matrix = vec![vec![0.0; n + 1]; n];
    for column in 0..n {
        let h = 1e-5 * at[column].abs().max(1e-2);
        let mut shifted = |by: f64| {
            let mut tried = at.to_vec();
            tried[column] += by;
            function(&tried)
        };
        let slopes: Vec<f64> = match (shifted(h), shifted(-h)) {
            (Some(up), Some(down)) => up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * h)).collect(),
            (Some(up), None) => up.iter().zip(value).map(|(up, here)| (up - here) / h).collect(),
            (None, Some(down)) => value.iter().zip(&down).map(|(here, down)| (here - down) / h).collect(),
            (None, None) => return None,
        };
        for (row, slope) in slopes.into_iter().enumerate() {
            matrix[row][column] = slope;
        }
    }
    matrix.iter_mut().zip(value).for_each(|(row, value)| row[n] = -value);
    eliminate(matrix)
}

/// The solution of n equations, each a row of coefficients and the right-hand side.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-300 {
            return None;
        }
        let (above, below) = rows.split_at_mut(column + 1);
        for row in below {
            let factor = row[column] / above[column][column];
            for at in column..=n {
                row[at] -= factor * above[column][at];
            }
        }
    }
    let mut solution = vec![0.0; n];
    for row in (0..n).rev() {
        let known = (row + 1..n).fold(0.0, |sum, at| sum + rows[row][at] * solution[at]);
        solution[row] = (rows[row][n] - known) / rows[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_a_circle_meets_a_line() {
        let found = solve(&[2.0, 0.5], |x| Some(vec![x[0] * x[0] + x[1] * x[1] - 1.0, x[0] - x[1]])).unwrap();
        assert!(found.iter().all(|x| (x - 0.5_f64.sqrt()).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn stays_where_the_function_has_values() {
        let found = solve(&[4.0], |x| (x[0] > 0.0).then(|| vec![x[0].sqrt() - 0.1])).unwrap();
        assert!((found[0] - 0.01).abs() < 1e-12);
    }

    #[test]
    fn says_so_where_there_is_nothing_to_find() {
        assert!(solve(&[1.0], |x| Some(vec![x[0] * x[0] + 1.0])).is_err());
        assert!(solve(&[1.0], |_| None).is_err());
    }
}
