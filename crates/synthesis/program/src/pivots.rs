//! The order in which a linear system is eliminated, chosen once: sparse, and safe at generic points.
//!
//! Markowitz's rule with a threshold (Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, section 7.2). The program that
//! follows the order checks every pivot against a bound and falls back to elimination with pivoting where one is too small.

use expr::{Arena, Expr, Point, Tape};

use crate::program::{LinearSystem, Pivot};

/// A pivot is at least this part of the largest entry of its row, at every point.
const THRESHOLD: f64 = 0.1;
/// At run time a pivot may be this much smaller than it was at any point.
const MARGIN: f64 = 1e-3;
/// Larger systems, or those that need more operations than this, are left to the loops of the dense solver.
const MOST_UNKNOWNS: usize = 64;
const MOST_OPERATIONS: usize = 6000;

/// The order for a system, or nothing where none is safe or none pays.
pub fn pivot_order(arena: &Arena, system: &LinearSystem, points: &[Point]) -> Option<Vec<Pivot>> {
    let n = system.unknowns.len();
    if !(2..=MOST_UNKNOWNS).contains(&n) || points.is_empty() {
        return None;
    }
    let entries: Vec<Expr> = system.matrix.iter().map(|&(_, _, value)| value).collect();
    let tape = Tape::new(arena, &entries);
    let samples = points.iter().map(|point| {
        let mut matrix = vec![vec![0.0; n]; n];
        for (&(row, column, _), value) in system.matrix.iter().zip(tape.run(point)) {
            matrix[row][column] = value;
        }
        matrix
    });
    let mut pattern = vec![vec![false; n]; n];
    system.matrix.iter().for_each(|&(row, column, _)| pattern[row][column] = true);
    let state =
        Elimination { samples: samples.collect(), pattern, rows: vec![true; n], columns: vec![true; n], operations: 0 };
    state.run(n)
}

struct Elimination {
    /// The partly eliminated matrix at each point.
    samples: Vec<Vec<Vec<f64>>>,
    pattern: Vec<Vec<bool>>,
    /// What has not been eliminated yet.
    rows: Vec<bool>,
    columns: Vec<bool>,
    operations: usize,
}

impl Elimination {
    fn run(mut self, n: usize) -> Option<Vec<Pivot>> {
        let mut pivots = Vec::with_capacity(n);
        for _ in 0..n {
            let (row, column) = self.best()?;
            let least = self.samples.iter().map(|matrix| matrix[row][column].abs()).fold(f64::INFINITY, f64::min);
            pivots.push(Pivot { row, column, least: MARGIN * least });
            self.eliminate(row, column);
            if self.operations > MOST_OPERATIONS {
                return None;
            }
        }
        Some(pivots)
    }

    /// The safe entry that touches the fewest others; the first of equals.
    fn best(&self) -> Option<(usize, usize)> {
        let n = self.rows.len();
        let active = |i: usize, j: usize| self.rows[i] && self.columns[j] && self.pattern[i][j];
        let in_row: Vec<usize> = (0..n).map(|i| (0..n).filter(|&j| active(i, j)).count()).collect();
        let in_column: Vec<usize> = (0..n).map(|j| (0..n).filter(|&i| active(i, j)).count()).collect();
        let safe = |i: usize, j: usize| {
            self.samples.iter().all(|matrix| {
                let largest =
                    (0..n).filter(|&k| active(i, k)).fold(0.0_f64, |largest, k| largest.max(matrix[i][k].abs()));
                let size = matrix[i][j].abs();
                size > 0.0 && size.is_finite() && size >= THRESHOLD * largest
            })
        };
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|&(i, j)| active(i, j) && safe(i, j));
        all.min_by_key(|&(i, j)| (in_row[i] - 1) * (in_column[j] - 1))
    }

    fn eliminate(&mut self, row: usize, column: usize) {
        let n = self.rows.len();
        self.rows[row] = false;
        self.columns[column] = false;
        for i in (0..n).filter(|&i| self.rows[i] && self.pattern[i][column]).collect::<Vec<_>>() {
            self.operations += 2;
            for j in (0..n).filter(|&j| self.columns[j] && self.pattern[row][j]).collect::<Vec<_>>() {
                self.pattern[i][j] = true;
                self.operations += 1;
                for matrix in &mut self.samples {
                    matrix[i][j] -= matrix[i][column] / matrix[row][column] * matrix[row][j];
                }
            }
        }
    }
}
