//! States that can be chosen independently where constraints hold, and how the others follow.

use super::matrix::{Matrix, norm, zero};

pub struct Independent {
    /// Their places among all states.
    pub places: Vec<usize>,
    /// How all states follow these: one row for each state.
    pub follow: Matrix,
}

/// What cancels down to this part of its row is nothing: the constraint follows from others.
const VANISHING: f64 = 1e-9;
/// How much rather the speed of a dependent coordinate becomes dependent than another.
const TOGETHER: f64 = 1e3;
/// How much rather a coordinate becomes dependent whose speed is no state.
const ALONE: f64 = 30.0;

/// `constraints` are derivatives by all states, those on positions first; `speed_of` says which state is the rate of which. States that
/// are not `moving` are as they are.
pub fn independent(constraints: &[Matrix], speed_of: &[Option<usize>], moving: &[bool]) -> Independent {
    let n = moving.len();
    let mut dependent: Vec<Option<usize>> = vec![None; n];
    // Reduced rows, each with one in the column of its own dependent state and zero in those of the others.
    let mut reduced: Matrix = Vec::new();
    let mut favoured = vec![false; n];
    for group in constraints {
        let mut rows: Matrix = group.iter().map(|row| scaled(row, moving)).collect();
        for row in &mut rows {
            for (at, pivot) in reduced.iter().enumerate() {
                let column = dependent.iter().position(|place| *place == Some(at)).unwrap_or(0);
                subtract(row, pivot, column);
            }
        }
        while let Some((row, column)) = pivot(&rows, speed_of, &favoured) {
            let mut chosen = rows.swap_remove(row);
            let factor = chosen[column];
            chosen.iter_mut().for_each(|entry| *entry /= factor);
            for other in rows.iter_mut().chain(&mut reduced) {
                subtract(other, &chosen, column);
            }
            dependent[column] = Some(reduced.len());
            reduced.push(chosen);
            if let Some(speed) = speed_of[column] {
                favoured[speed] = true;
            }
        }
    }
    let places: Vec<usize> = (0..n).filter(|&at| moving[at] && dependent[at].is_none()).collect();
    let mut follow = zero(n, places.len());
    for (at, &place) in places.iter().enumerate() {
        follow[place][at] = 1.0;
        for (state, row) in dependent.iter().enumerate().filter_map(|(state, row)| Some((state, (*row)?))) {
            follow[state][at] = -reduced[row][place];
        }
    }
    Independent { places, follow }
}

/// In units of its own size, without what does not move.
fn scaled(row: &[f64], moving: &[bool]) -> Vec<f64> {
    let row: Vec<f64> = row.iter().zip(moving).map(|(&entry, &moves)| if moves { entry } else { 0.0 }).collect();
    let size = norm(&row);
    if size == 0.0 { row } else { row.into_iter().map(|entry| entry / size).collect() }
}

fn subtract(row: &mut [f64], pivot: &[f64], column: usize) {
    let factor = row[column];
    if factor != 0.0 {
        row.iter_mut().zip(pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        row[column] = 0.0;
    }
}

/// The largest entry.
fn pivot(rows: &Matrix, speed_of: &[Option<usize>], favoured: &[bool]) -> Option<(usize, usize)> {
    let mut best = (VANISHING, None);
    for (row, entries) in rows.iter().enumerate() {
        for (column, entry) in entries.iter().enumerate() {
            let weight = match (favoured[column], speed_of[column]) {
                (true, _) => TOGETHER,
                (false, None) => ALONE,
                (false, Some(_)) => 1.0,
            };
            if entry.abs() > VANISHING && entry.abs() * weight > best.0 {
                best = (entry.abs() * weight, Some((row, column)));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point on a circle, x y' tied: of x, y, x', y' one position and its speed are left.
    #[test]
    fn coordinates_keep_their_speeds() {
        let positions = vec![vec![0.6, 0.8, 0.0, 0.0]];
        let velocities = vec![vec![0.1, 0.2, 0.8, 0.6], vec![0.1, 0.2, 0.8, 0.6]];
        let speeds = [Some(2), Some(3), None, None];
        let found = independent(&[positions, velocities], &speeds, &[true; 4]);
        assert_eq!(found.places, [0, 2]);
        assert!((found.follow[1][0] + 0.75).abs() < 1e-15);
        let expected = (-0.1 + 0.2 * 0.75) / 0.6;
        assert!((found.follow[3][0] - expected).abs() < 1e-15 && (found.follow[3][1] + 0.8 / 0.6).abs() < 1e-15);
    }
}
