//! Newton's method for a few unknowns that a simulation depends on.

/// What some unknowns leave of what should vanish, and the derivatives of that by each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub left: Vec<f64>,
    pub slopes: Vec<Vec<f64>>,
}

impl Trial {
    pub fn is_finite(&self) -> bool {
        self.left.iter().chain(self.slopes.iter().flatten()).all(|value| value.is_finite())
    }
}

/// What some function leaves where it vanishes but for rounding, or how near it came.
type Found = Result<(Vec<f64>, Trial), Option<Vec<f64>>>;

/// Unknowns at which some function vanishes, searched from a seed. The function may have no value somewhere.
pub fn solve(seed: &[f64], mut function: impl FnMut(&[f64]) -> Option<Trial>) -> Found {
    const STEPS: usize = 60;
    const HALVINGS: usize = 30;
    let sizes = sizes(seed);
    let mut at = seed.to_vec();
    let mut trial = function(&at).ok_or(None)?;
    for _ in 0..STEPS {
        let Some(change) = newton_step(&trial) else { return Err(Some(trial.left)) };
        if is_small(&at, &change, &sizes, 1e-14, 1e-3) {
            return Ok((at, trial));
        }
        let mut share = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let tried: Vec<f64> = at.iter().zip(&change).map(|(x, dx)| x + share * dx).collect();
            if let Some(found) = function(&tried).filter(|found| size(&found.left) < size(&trial.left)) {
                better = Some((tried, found));
                break;
            }
            // Rounding is all that is left.
            if is_small(&at, &change, &sizes, 1e-9, 1.0) {
                return Ok((at, trial));
            }
            share *= 0.5;
        }
        match better {
            Some(better) => (at, trial) = better,
            None => return Err(Some(trial.left)),
        }
    }
    Err(Some(trial.left))
}

/// Whether what is left is so little that other unknowns would hardly be chosen.
pub fn is_met(at: &[f64], seed: &[f64], trial: &Trial) -> bool {
    newton_step(trial).is_none_or(|change| is_small(at, &change, &sizes(seed), 1e-4, 1.0))
}

/// How large each unknown is, as far as its seed tells. What is but rounding beside the other seeds tells nothing.
fn sizes(seed: &[f64]) -> Vec<f64> {
    const ROUNDING: f64 = 1e-14;
    let largest = seed.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    seed.iter().map(|x| if x.abs() > ROUNDING * largest { x.abs() } else { f64::INFINITY }).collect()
}

fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value * value).sqrt()
}

/// Whether every change is small, relative to what it changes, or to some least size if the unknown is not known to be smaller.
fn is_small(at: &[f64], change: &[f64], sizes: &[f64], relative: f64, least: f64) -> bool {
    let mut all = at.iter().zip(change).zip(sizes);
    all.all(|((x, dx), size)| dx.abs() <= x.abs().max(size.min(least)) * relative)
}

/// The step at whose end the function would vanish if it were linear.
fn newton_step(trial: &Trial) -> Option<Vec<f64>> {
    let row = |at: usize| trial.slopes.iter().map(|slopes| slopes[at]).chain([-trial.left[at]]).collect();
    eliminate((0..trial.left.len()).map(row).collect())
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
        let circle = |x: &[f64]| Trial {
            left: vec![x[0] * x[0] + x[1] * x[1] - 1.0, x[0] - x[1]],
            slopes: vec![vec![2.0 * x[0], 1.0], vec![2.0 * x[1], -1.0]],
        };
        let mut trials = 0;
        let found = solve(&[2.0, 0.5], |x| {
            trials += 1;
            Some(circle(x))
        });
        assert!(found.unwrap().0.iter().all(|x| (x - 0.5_f64.sqrt()).abs() < 1e-15));
        assert!(trials <= 8, "{trials}");
    }

    fn root(x: f64) -> Trial {
        Trial { left: vec![x.sqrt() - 0.1], slopes: vec![vec![0.5 / x.sqrt()]] }
    }

    #[test]
    fn stays_where_the_function_has_values() {
        let found = solve(&[4.0], |x| (x[0] > 0.0).then(|| root(x[0]))).unwrap();
        assert!((found.0[0] - 0.01).abs() < 1e-12);
    }

    #[test]
    fn the_seed_tells_how_large_an_unknown_is() {
        let charge = 1.6e-19;
        let square = |x: f64| x * x / (charge * charge);
        let curved = |x: f64| Trial { left: vec![square(x) - 2.0], slopes: vec![vec![2.0 * square(x) / x]] };
        let found = solve(&[charge], |x| Some(curved(x[0]))).unwrap();
        assert!((found.0[0] / charge - 2.0_f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn says_so_where_there_is_nothing_to_find() {
        let above = |x: f64| Trial { left: vec![x * x + 1.0], slopes: vec![vec![2.0 * x]] };
        assert!(solve(&[1.0], |x| Some(above(x[0]))).is_err());
        assert!(solve(&[1.0], |_| None).is_err());
    }
}
