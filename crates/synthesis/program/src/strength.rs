//! How much the entries of a matrix weigh at generic points: a pivot is better where they are strong.

use expr::{Arena, Expr, Point, Tape};

/// What is known of an entry that has no value at a point.
const UNKNOWN: f64 = 1e-2;

/// For each entry, its least part of the largest in its row.
pub fn strengths(arena: &Arena, matrix: &[(usize, usize, Expr)], points: &[Point]) -> Vec<f64> {
    let entries: Vec<Expr> = matrix.iter().map(|&(_, _, value)| value).collect();
    let tape = Tape::new(arena, &entries);
    let rows = matrix.iter().map(|&(row, _, _)| row + 1).max().unwrap_or(0);
    let mut strengths = vec![1.0_f64; matrix.len()];
    // Numbers have their values anywhere.
    let nowhere = [Point::default()];
    for point in if points.is_empty() { &nowhere } else { points } {
        let values = tape.run(point);
        let mut largest = vec![0.0_f64; rows];
        for (&(row, _, _), value) in matrix.iter().zip(&values).filter(|(_, value)| value.is_finite()) {
            largest[row] = largest[row].max(value.abs());
        }
        for ((strength, &(row, _, _)), value) in strengths.iter_mut().zip(matrix).zip(values) {
            let found = if value.is_finite() && largest[row] > 0.0 { value.abs() / largest[row] } else { UNKNOWN };
            *strength = strength.min(found);
        }
    }
    strengths
}
