//! Newton's method, within a radius in which it can be trusted, for a few unknowns that a simulation depends on.

use kernel::executive::shooting::{
    ALIKE, ENOUGH, FOUND, GOOD, HALVINGS, HARDLY, LEAST_DAMPING, LEVEL, MET, MOST_DAMPING, MOST_TRIALS, NO_PIVOT,
    NO_SEED, NO_VALUE, NOWHERE, POOR, ROUNDED, ROUNDING, SMALLEST, TRUSTED, WON,
};

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

    /// By how much what is left would change with all unknowns, each by some unit.
    fn change(&self, row: usize, units: &[f64]) -> f64 {
        self.slopes.iter().zip(units).fold(0.0, |sum, (slopes, unit)| sum + slopes[row].abs() * unit)
    }
}

/// Unknowns, and what they leave.
pub type At = (Vec<f64>, Trial);

/// Where some function vanishes but for rounding, or where it came nearest to that, if it has values at the seed.
pub type Found = Result<At, Option<At>>;

/// Unknowns at which some function vanishes, searched from a seed. The function may have no value somewhere.
///
/// Newton's steps, as long as they bring down what is left. A step that does not was too far: then none goes farther than some radius. Where that
/// leaves little of Newton's step, the best step within the radius is taken, if all were linear (Levenberg and Marquardt; Moré, 1978).
pub fn solve(seed: &[f64], mut function: impl FnMut(&[f64]) -> Option<Trial>) -> Found {
    let sizes = sizes(seed);
    let mut at = seed.to_vec();
    let mut trial = function(&at).ok_or(None)?;
    let units = units(&at, &sizes);
    let scales = scales(&trial, &units);
    let (mut radius, mut too_far) = (f64::INFINITY, false);
    for _ in 1..MOST_TRIALS {
        let newton = newton_step(&trial);
        let tiny = |limit: (f64, f64)| newton.as_ref().is_some_and(|change| is_small(&at, change, &sizes, limit));
        if tiny(FOUND) {
            return Ok((at, trial));
        }
        let linear = Linear::new(&trial, &scales, &units);
        if linear.is_flat() && (too_far || newton.is_none()) {
            return settle(at, trial, &sizes, &scales);
        }
        let full = newton.as_ref().map(|change| quotient(change, &units));
        let share = full.as_ref().map_or(0.0, |full| (radius / size(full)).min(1.0));
        let step: Vec<f64> = match full {
            Some(full) if share >= TRUSTED => full.iter().map(|step| step * share).collect(),
            _ => linear.step_within(radius),
        };
        let change: Vec<f64> = step.iter().zip(&units).map(|(step, unit)| step * unit).collect();
        let tried: Vec<f64> = at.iter().zip(&change).map(|(x, dx)| x + dx).collect();
        let (now, expected) = (sum_of_squares(&linear.left), sum_of_squares(&linear.left_after(&step)));
        let found = function(&tried);
        let then = found.as_ref().map_or(f64::INFINITY, |found| sum_of_squares(&quotient(&found.left, &scales)));
        let (won, promised) = (now - then, now - expected);
        let length = size(&step);
        match found.filter(|_| won > ENOUGH * promised) {
            Some(found) => {
                (at, trial, too_far) = (tried, found, false);
                if won < POOR * promised && share < 1.0 {
                    radius = 0.5 * length;
                } else if won > GOOD * promised {
                    radius = radius.max(3.0 * length);
                }
                if promised <= WON * now && won <= WON * now {
                    return settle(at, trial, &sizes, &scales);
                }
            }
            // Rounding is all that is left.
            None if tiny(ROUNDED) => return Ok((at, trial)),
            None if is_small(&at, &change, &sizes, NOWHERE) => return settle(at, trial, &sizes, &scales),
            None => {
                // Where the parabola through what is known along the step is lowest.
                let slope = linear.slope_along(&step);
                let share = -slope / (2.0 * (then - now - slope));
                let share = if then < f64::INFINITY { share.clamp(0.1, 0.5) } else { NO_VALUE };
                (radius, too_far) = (share * length, true);
            }
        }
    }
    settle(at, trial, &sizes, &scales)
}

/// Where unknowns do not act independently, what is left may vanish all the same: but for rounding, and so that they would hardly be changed.
fn settle(at: Vec<f64>, trial: Trial, sizes: &[f64], scales: &[f64]) -> Found {
    let units = units(&at, sizes);
    let vanishes =
        |row: usize| trial.left[row].abs() <= (ROUNDING * scales[row]).min(HARDLY * trial.change(row, &units));
    if (0..trial.left.len()).all(vanishes) { Ok((at, trial)) } else { Err(Some((at, trial))) }
}

/// A function as it would be if it were linear, with its values divided by scales, in unknowns that are divided by units.
struct Linear {
    left: Vec<f64>,
    /// For each unknown, by how much each value changes with it.
    slopes: Vec<Vec<f64>>,
}

impl Linear {
    fn new(trial: &Trial, scales: &[f64], units: &[f64]) -> Linear {
        let column = |(slopes, unit): (&Vec<f64>, &f64)| -> Vec<f64> {
            slopes.iter().zip(scales).map(|(slope, scale)| slope * unit / scale).collect()
        };
        let slopes = trial.slopes.iter().zip(units).map(column).collect();
        Linear { left: quotient(&trial.left, scales), slopes }
    }

    /// How the sum of squares of what is left changes with each unknown, halved.
    fn gradient(&self) -> Vec<f64> {
        self.slopes.iter().map(|slopes| dot(slopes, &self.left)).collect()
    }

    /// Whether no direction leads downwards: what is left stands upright on what every unknown changes.
    fn is_flat(&self) -> bool {
        let left = size(&self.left);
        self.gradient().iter().zip(&self.slopes).all(|(down, slopes)| down.abs() <= LEVEL * left * size(slopes))
    }

    fn left_after(&self, step: &[f64]) -> Vec<f64> {
        let left_of =
            |row: usize| self.slopes.iter().zip(step).fold(self.left[row], |sum, (slopes, by)| sum + slopes[row] * by);
        (0..self.left.len()).map(left_of).collect()
    }

    fn slope_along(&self, step: &[f64]) -> f64 {
        2.0 * dot(&self.gradient(), step)
    }

    /// The step of at most some length after which least would be left.
    fn step_within(&self, radius: f64) -> Vec<f64> {
        let steepest = self.slopes.iter().fold(0.0, |most: f64, slopes| most.max(sum_of_squares(slopes)));
        let (mut low, mut high) = (LEAST_DAMPING * steepest, MOST_DAMPING * steepest);
        let mut step = self.damped_step(low);
        if size(&step) <= radius {
            return step;
        }
        for _ in 0..HALVINGS {
            let damping = (low * high).sqrt();
            step = self.damped_step(damping);
            if size(&step) > radius { low = damping } else { high = damping }
        }
        let share = (radius / size(&step)).min(1.0);
        step.iter().map(|step| step * share).collect()
    }

    /// The step after which least would be left if its own square counted too, times some factor.
    fn damped_step(&self, damping: f64) -> Vec<f64> {
        let n = self.slopes.len();
        let row = |row: usize| {
            let cell = |column: usize| {
                let product = dot(&self.slopes[row], &self.slopes[column]);
                if row == column { product + damping } else { product }
            };
            (0..n).map(cell).chain([-dot(&self.slopes[row], &self.left)]).collect()
        };
        eliminate((0..n).map(row).collect()).unwrap_or_else(|| vec![0.0; n])
    }
}

/// How large each value is: what is left of it at the seed, or what the unknowns change it by. Those that are not of very different sizes are
/// measured alike, so that what is nearest is so in the usual sense.
fn scales(trial: &Trial, units: &[f64]) -> Vec<f64> {
    let scale = |row: usize| trial.left[row].abs().max(trial.change(row, units));
    let scales: Vec<f64> = (0..trial.left.len()).map(scale).collect();
    let largest = scales.iter().fold(0.0, |largest: f64, &scale| largest.max(scale));
    let rounded = |scale: &f64| if *scale > ALIKE * largest { largest } else { scale.max(SMALLEST * largest) };
    if largest > 0.0 { scales.iter().map(rounded).collect() } else { vec![1.0; scales.len()] }
}

/// By how much each unknown would be changed to see what it does.
fn units(at: &[f64], sizes: &[f64]) -> Vec<f64> {
    at.iter().zip(sizes).map(|(x, size)| x.abs().max(size.min(1.0))).collect()
}

/// Where a search came nearest to what it was for, and which unknowns were of no use there.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    pub left: Vec<f64>,
    /// Values that hardly change with any unknown.
    pub fixed: Vec<usize>,
    /// Unknowns that hardly change any value.
    pub idle: Vec<usize>,
    /// Unknowns of which each does nothing that the others could not do.
    pub alike: Vec<usize>,
}

impl Missed {
    pub fn new(at: &[f64], seed: &[f64], trial: Trial) -> Missed {
        const HARDLY: f64 = 1e-3;
        let units = units(at, &sizes(seed));
        let changes: Vec<f64> = (0..trial.left.len()).map(|row| trial.change(row, &units)).collect();
        let fixed = (0..trial.left.len()).filter(|&row| changes[row] <= HARDLY * trial.left[row].abs()).collect();
        // By how much each unknown changes the values, beside all others and what is left.
        let share = |row: usize, by: f64| match trial.left[row].abs().max(changes[row]) {
            0.0 => 0.0,
            scale => by / scale,
        };
        let column = |(slopes, unit): (&Vec<f64>, &f64)| -> Vec<f64> {
            slopes.iter().enumerate().map(|(row, slope)| share(row, slope * unit)).collect()
        };
        let columns: Vec<Vec<f64>> = trial.slopes.iter().zip(&units).map(column).collect();
        let (idle, busy) = (0..columns.len()).partition(|&it| size(&columns[it]) <= HARDLY);
        Missed { left: trial.left, fixed, idle, alike: fewest_dependent(busy, &columns) }
    }
}

/// Of some columns a few that depend on one another, none of which could be left out; none if all are independent.
fn fewest_dependent(mut among: Vec<usize>, columns: &[Vec<f64>]) -> Vec<usize> {
    if !are_dependent(&among, columns) {
        return Vec::new();
    }
    for at in (0..among.len()).rev() {
        let mut fewer = among.clone();
        fewer.remove(at);
        if are_dependent(&fewer, columns) {
            among = fewer;
        }
    }
    among
}

/// Whether, one after the other, the longest is taken out of the others, until hardly anything is left of one.
fn are_dependent(among: &[usize], columns: &[Vec<f64>]) -> bool {
    const HARDLY: f64 = 1e-2;
    let unit = |column: &[f64]| -> Vec<f64> { column.iter().map(|value| value / size(column)).collect() };
    let mut rest: Vec<Vec<f64>> = among.iter().map(|&at| unit(&columns[at])).collect();
    while let Some(longest) = (0..rest.len()).max_by(|&a, &b| size(&rest[a]).total_cmp(&size(&rest[b]))) {
        let longest = rest.swap_remove(longest);
        if size(&longest) <= HARDLY {
            return true;
        }
        let direction = unit(&longest);
        for column in &mut rest {
            let along = dot(column, &direction);
            column.iter_mut().zip(&direction).for_each(|(value, part)| *value -= along * part);
        }
    }
    false
}

/// Whether what is left is so little that other unknowns would hardly be chosen.
pub fn is_met(at: &[f64], seed: &[f64], trial: &Trial) -> bool {
    newton_step(trial).is_none_or(|change| is_small(at, &change, &sizes(seed), MET))
}

/// How large each unknown is, as far as its seed tells. What is but rounding beside the other seeds tells nothing.
fn sizes(seed: &[f64]) -> Vec<f64> {
    let largest = seed.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    seed.iter().map(|x| if x.abs() > NO_SEED * largest { x.abs() } else { f64::INFINITY }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn sum_of_squares(values: &[f64]) -> f64 {
    dot(values, values)
}

fn size(values: &[f64]) -> f64 {
    sum_of_squares(values).sqrt()
}

fn quotient(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

/// Whether every change is small, relative to what it changes, or to some least size if the unknown is not known to be smaller.
fn is_small(at: &[f64], change: &[f64], sizes: &[f64], (relative, least): (f64, f64)) -> bool {
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
        if rows[column][column].abs() < NO_PIVOT {
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

    /// What was found, and with how many trials.
    fn counted(seed: &[f64], function: impl Fn(&[f64]) -> Trial) -> (Found, usize) {
        let mut trials = 0;
        let found = solve(seed, |x| {
            trials += 1;
            Some(function(x))
        });
        (found, trials)
    }

    fn assert_found(seed: &[f64], root: &[f64], most: usize, function: impl Fn(&[f64]) -> Trial) {
        let (found, trials) = counted(seed, function);
        let (at, _) = found.unwrap_or_else(|nearest| panic!("{nearest:?} after {trials}"));
        for (x, root) in at.iter().zip(root) {
            assert!((x - root).abs() <= 1e-12 * root.abs().max(1e-3), "{at:?} is not {root:?}, after {trials}");
        }
        assert!(trials <= most, "{trials}");
    }

    /// Problems 1, 13 and 27 of Moré, Garbow and Hillstrom, "Testing unconstrained optimization software", 1981.
    #[test]
    fn finds_roots_that_are_known_to_be_hard_to_find() {
        assert_found(&[-1.2, 1.0], &[1.0, 1.0], 30, |x| Trial {
            left: vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]],
            slopes: vec![vec![-20.0 * x[0], -1.0], vec![10.0, 0.0]],
        });
        let brown = |x: &[f64]| {
            let (sum, product) = x.iter().fold((0.0, 1.0), |(sum, product), x| (sum + x, product * x));
            let n = x.len();
            let left = |row: usize| if row + 1 < n { x[row] + sum - (n as f64 + 1.0) } else { product - 1.0 };
            let slope = |row: usize, by: usize| match row + 1 < n {
                true => 1.0 + f64::from(u8::from(row == by)),
                false => product / x[by],
            };
            Trial {
                left: (0..n).map(left).collect(),
                slopes: (0..n).map(|by| (0..n).map(|row| slope(row, by)).collect()).collect(),
            }
        };
        // It has three roots.
        let (found, trials) = counted(&[0.5; 5], brown);
        let (at, trial) = found.unwrap_or_else(|nearest| panic!("{nearest:?} after {trials}"));
        assert!(trial.left.iter().all(|left| left.abs() < 1e-12) && trials <= 20, "{at:?} after {trials}");
        // All slopes of two of its values vanish at the root.
        let powell = |x: &[f64]| {
            let [a, b] = [x[1] - 2.0 * x[2], x[0] - x[3]];
            let [five, ten] = [5.0_f64.sqrt(), 10.0_f64.sqrt()];
            Trial {
                left: vec![x[0] + 10.0 * x[1], five * (x[2] - x[3]), a * a, ten * b * b],
                slopes: vec![
                    vec![1.0, 0.0, 0.0, 2.0 * ten * b],
                    vec![10.0, 0.0, 2.0 * a, 0.0],
                    vec![0.0, five, -4.0 * a, 0.0],
                    vec![0.0, -five, 0.0, -2.0 * ten * b],
                ],
            }
        };
        let (found, trials) = counted(&[3.0, -1.0, 0.0, 1.0], powell);
        let (at, _) = found.unwrap_or_else(|nearest| panic!("{nearest:?} after {trials}"));
        assert!(at.iter().all(|x| x.abs() < 1e-5) && trials <= 60, "{at:?} after {trials}");
    }

    #[test]
    fn tells_which_unknowns_are_of_no_use() {
        let missed = |slopes: &[[f64; 3]]| {
            let slopes: Vec<Vec<f64>> = slopes.iter().map(|slopes| slopes.to_vec()).collect();
            let missed = Missed::new(&[1.0; 3], &[1.0; 3], Trial { left: vec![1.0; 3], slopes });
            (missed.fixed, missed.idle, missed.alike)
        };
        assert_eq!(missed(&[[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [1.0, 0.0, 0.0]]), (vec![2], vec![], vec![0, 1]));
        assert_eq!(missed(&[[1.0, 2.0, 3.0], [0.0; 3], [1.0, 0.0, 0.0]]), (vec![], vec![1], vec![]));
        assert_eq!(missed(&[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -2.0, -1.0]]), (vec![], vec![], vec![0, 1, 2]));
        assert_eq!(missed(&[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -2.0, 1.0]]), (vec![], vec![], vec![]));
    }

    /// Freudenstein and Roth: problem 2 there, with the local minimum that is known; from nearer to it, the root at (5, 4) is found.
    #[test]
    fn ends_where_nothing_is_nearer_and_says_what_is_left_there() {
        let roth = |x: &[f64]| {
            let y = x[1];
            Trial {
                left: vec![-13.0 + x[0] + ((5.0 - y) * y - 2.0) * y, -29.0 + x[0] + ((y + 1.0) * y - 14.0) * y],
                slopes: vec![vec![1.0, 1.0], vec![10.0 * y - 3.0 * y * y - 2.0, 3.0 * y * y + 2.0 * y - 14.0]],
            }
        };
        let (found, trials) = counted(&[0.5, -2.0], roth);
        let (at, trial) = found.unwrap_err().unwrap();
        assert!((at[0] - 11.412_8).abs() < 0.1 && (at[1] + 0.896_805).abs() < 0.01, "{at:?}, {trials}");
        assert!((sum_of_squares(&trial.left) - 48.984_25).abs() < 0.01, "{trial:?}");
        assert!(trials <= 30, "{trials}");
        assert_found(&[6.0, 3.0], &[5.0, 4.0], 12, roth);
    }

    /// What meets all aims is good enough, even if not all that is chosen matters.
    #[test]
    fn unknowns_that_act_alike_may_do() {
        let sum = |x: &[f64]| Trial {
            left: vec![x[0] + x[1] - 2.0, 2.0 * (x[0] + x[1]) - 4.0],
            slopes: vec![vec![1.0, 2.0]; 2],
        };
        let (found, trials) = counted(&[0.0, 0.0], sum);
        let (at, _) = found.unwrap();
        assert!((at[0] + at[1] - 2.0).abs() < 1e-9 && trials <= 4, "{at:?}, {trials}");
        // A double root, where the slope vanishes.
        let touch =
            |x: &[f64]| Trial { left: vec![(x[0] - 1.0) * (x[0] - 1.0)], slopes: vec![vec![2.0 * (x[0] - 1.0)]] };
        let (found, trials) = counted(&[3.0], touch);
        assert!((found.unwrap().0[0] - 1.0).abs() < 1e-4, "{trials}");
    }

    /// The nearest is never farther than the seed.
    #[test]
    fn a_search_without_success_is_short() {
        let above = |x: &[f64]| Trial { left: vec![x[0] * x[0] + 1.0], slopes: vec![vec![2.0 * x[0]]] };
        for seed in [1e-6, 0.3, 1.0, 17.0, 1e5] {
            let (found, trials) = counted(&[seed], above);
            let (at, trial) = found.unwrap_err().unwrap();
            assert!(trial.left[0] <= seed * seed + 1.0 && trials < 40, "{at:?} after {trials}");
        }
    }

    #[test]
    fn says_so_where_there_is_nothing_to_find() {
        let above = |x: f64| Trial { left: vec![x * x + 1.0], slopes: vec![vec![2.0 * x]] };
        assert!(solve(&[1.0], |x| Some(above(x[0]))).is_err());
        assert!(solve(&[1.0], |_| None).is_err());
    }
}
