//! What a search that found nothing tells of its unknowns.

use kernel::executive::shooting::NO_SEED;

use crate::changing::{Nearest, Trial};

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
    pub fn new(Nearest { choices: at, seeds, trial }: Nearest) -> Missed {
        // An aim that all choices together move by less than this part of what is left of it is out of their reach.
        // Test: tells_which_unknowns_are_of_no_use
        const HARDLY: f64 = 1e-3;
        let units = units(&at, &sizes(&seeds));
        let changes: Vec<f64> = (0..trial.left.len()).map(|row| change(&trial, row, &units)).collect();
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
    // Directions of unit length: choices are told to do the same where less than a hundredth of one is its own.
    // Test: tells_which_unknowns_are_of_no_use
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

/// By how much what is left would change with all unknowns, each by some unit.
fn change(trial: &Trial, row: usize, units: &[f64]) -> f64 {
    trial.slopes.iter().zip(units).fold(0.0, |sum, (slopes, unit)| sum + slopes[row].abs() * unit)
}

/// By how much each unknown would be changed to see what it does.
fn units(at: &[f64], sizes: &[f64]) -> Vec<f64> {
    at.iter().zip(sizes).map(|(x, size)| x.abs().max(size.min(1.0))).collect()
}

/// How large each unknown is, as far as its seed tells. What is but rounding beside the other seeds tells nothing.
fn sizes(seed: &[f64]) -> Vec<f64> {
    let largest = seed.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    seed.iter().map(|x| if x.abs() > NO_SEED * largest { x.abs() } else { f64::INFINITY }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn size(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_which_unknowns_are_of_no_use() {
        let missed = |slopes: &[[f64; 3]]| {
            let slopes: Vec<Vec<f64>> = slopes.iter().map(|slopes| slopes.to_vec()).collect();
            let trial = Trial { left: vec![1.0; 3], slopes };
            let missed = Missed::new(Nearest { choices: vec![1.0; 3], seeds: vec![1.0; 3], trial });
            (missed.fixed, missed.idle, missed.alike)
        };
        assert_eq!(missed(&[[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [1.0, 0.0, 0.0]]), (vec![2], vec![], vec![0, 1]));
        assert_eq!(missed(&[[1.0, 2.0, 3.0], [0.0; 3], [1.0, 0.0, 0.0]]), (vec![], vec![1], vec![]));
        assert_eq!(missed(&[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -2.0, -1.0]]), (vec![], vec![], vec![0, 1, 2]));
        assert_eq!(missed(&[[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -2.0, 1.0]]), (vec![], vec![], vec![]));
        // Little is not hardly, and nearly alike is not alike.
        assert_eq!(missed(&[[1.0, 0.0, 0.02], [0.0, 1.0, 0.02], [0.0, 0.0, 0.02]]), (vec![], vec![], vec![]));
        assert_eq!(missed(&[[1.0, 0.05, 0.0], [1.0, -0.05, 0.0], [0.0, 0.0, 1.0]]), (vec![], vec![], vec![]));
    }
}
