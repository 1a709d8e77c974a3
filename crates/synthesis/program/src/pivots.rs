//! The order in which a linear system is eliminated, chosen once: sparse, and safe at generic points.
//!
//! Markowitz's rule with a threshold (Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, section 7.2). For small systems many
//! orders are tried, and what they cost is counted: a rule that looks one step ahead does not see that two pivots are the same
//! number, which is divided by only once. The program that follows the order checks every pivot against a bound and falls back to
//! elimination with pivoting where one is too small.

use expr::{Arena, Expr, Point, Tape};

use crate::program::{LinearSystem, Pivot};

/// A pivot is at least this part of the largest entry of its row, at every point.
const THRESHOLD: f64 = 0.1;
/// At run time a pivot may be this much smaller than it was at any point.
const MARGIN: f64 = 1e-3;
/// Larger systems, or those that need more operations than this, are left to the loops of the dense solver.
const MOST_UNKNOWNS: usize = 64;
const MOST_OPERATIONS: usize = 6000;
/// Up to this size, so many orders are pursued side by side.
const FEW_UNKNOWNS: usize = 8;
const ORDERS: usize = 24;
/// Operations for which a division stands, with the comparison that guards it.
const DIVISION: usize = 8;

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
    let mut values = vec![vec![Entry::Zero; n]; n];
    system.matrix.iter().for_each(|&(row, column, value)| values[row][column] = Entry::Given(value));
    let start = Elimination {
        samples: samples.collect(),
        values,
        rows: vec![true; n],
        columns: vec![true; n],
        operations: 0,
        pivots: Vec::new(),
    };
    // The cheapest so far go on, each with all its next steps; larger systems take the one best step.
    let (orders, steps) = if n <= FEW_UNKNOWNS { (ORDERS, n * n) } else { (1, 1) };
    let mut pursued = vec![start];
    for _ in 0..n {
        let mut next: Vec<Elimination> = Vec::new();
        for state in &pursued {
            let candidates = state.candidates().into_iter().take(steps);
            next.extend(candidates.map(|(row, column)| state.eliminated(arena, row, column)));
        }
        next.sort_by_key(|state| state.operations);
        next.truncate(orders);
        pursued = next;
    }
    let best = pursued.into_iter().next()?;
    (best.operations <= MOST_OPERATIONS).then_some(best.pivots)
}

/// What is known of an entry of the partly eliminated matrix.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Zero,
    /// Still as it was.
    Given(Expr),
    Computed,
}

#[derive(Clone)]
struct Elimination {
    /// The partly eliminated matrix at each point.
    samples: Vec<Vec<Vec<f64>>>,
    values: Vec<Vec<Entry>>,
    /// What has not been eliminated yet.
    rows: Vec<bool>,
    columns: Vec<bool>,
    operations: usize,
    pivots: Vec<Pivot>,
}

impl Elimination {
    /// The safe entries, those first that touch the fewest others.
    fn candidates(&self) -> Vec<(usize, usize)> {
        let n = self.rows.len();
        let active = |i: usize, j: usize| self.rows[i] && self.columns[j] && self.values[i][j] != Entry::Zero;
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
        let mut all: Vec<(usize, usize)> = all.collect();
        all.sort_by_key(|&(i, j)| (in_row[i] - 1) * (in_column[j] - 1));
        all
    }

    /// The matrix one step later.
    fn eliminated(&self, arena: &Arena, row: usize, column: usize) -> Elimination {
        let mut next = self.clone();
        let n = self.rows.len();
        let least = self.samples.iter().map(|matrix| matrix[row][column].abs()).fold(f64::INFINITY, f64::min);
        next.operations += self.inversion(arena, row, column);
        next.pivots.push(Pivot { row, column, least: MARGIN * least });
        next.rows[row] = false;
        next.columns[column] = false;
        let others: Vec<usize> = (0..n).filter(|&j| next.columns[j] && self.values[row][j] != Entry::Zero).collect();
        // What is left of the row is what gives its unknown in the end.
        next.operations += 1 + 2 * others.len();
        for i in (0..n).filter(|&i| next.rows[i] && self.values[i][column] != Entry::Zero) {
            next.operations += 3;
            for &j in &others {
                next.operations += if self.values[i][j] == Entry::Zero { 1 } else { 2 };
                next.values[i][j] = Entry::Computed;
                for matrix in &mut next.samples {
                    matrix[i][j] -= matrix[i][column] / matrix[row][column] * matrix[row][j];
                }
            }
        }
        next
    }

    /// What the inverse of a pivot costs: nothing if it is a number, or that of an earlier pivot.
    fn inversion(&self, arena: &Arena, row: usize, column: usize) -> usize {
        let Entry::Given(value) = self.values[row][column] else { return DIVISION };
        let same = |pivot: &Pivot| self.values[pivot.row][pivot.column] == Entry::Given(value);
        if arena.as_number(value).is_some() || self.pivots.iter().any(same) { 0 } else { DIVISION }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::SystemId;

    /// Three masses in a row, tied by two constraints: a constraint gives the acceleration of a mass, and the equation of motion of that
    /// mass its force, with the same divisor. Only the last mass needs one of its own.
    #[test]
    fn constraints_are_eliminated_first_where_that_saves_divisions() {
        let arena = Arena::new();
        let names = ["m", "n", "o", "a", "b", "c", "d"];
        let symbols = names.map(|name| arena.new_symbol(name));
        let [m, n, o, a, b, c, d] = symbols.map(|symbol| arena.symbol(symbol));
        let matrix = vec![
            (0, 0, m),
            (0, 3, a),
            (1, 1, n),
            (1, 3, b),
            (1, 4, c),
            (2, 2, o),
            (2, 4, d),
            (3, 0, a),
            (3, 1, b),
            (4, 1, c),
            (4, 2, d),
        ];
        let unknowns = (0..5).map(|at| arena.new_symbol(&format!("x{at}"))).collect();
        let right = vec![arena.one(); 5];
        let system = LinearSystem { id: SystemId(0), unknowns, matrix, right, pivots: None };
        let point: Point = symbols.into_iter().zip([1.0, 1.1, 0.9, 0.8, 1.2, 0.7, 1.3]).collect();
        let pivots = pivot_order(&arena, &system, &[point]).expect("an order");
        let entry = |pivot: &Pivot| {
            system.matrix.iter().find(|entry| (entry.0, entry.1) == (pivot.row, pivot.column)).map(|entry| entry.2)
        };
        let divisors: Vec<Option<Expr>> = pivots[..4].iter().map(entry).collect();
        let distinct: std::collections::BTreeSet<Option<Expr>> = divisors.iter().copied().collect();
        assert_eq!(distinct.len(), 2, "{pivots:?}");
        assert!(distinct.iter().all(|value| [a, b, c, d].map(Some).contains(value)), "{pivots:?}");
    }
}
