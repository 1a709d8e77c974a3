//! Rank of large sparse matrices: elimination that keeps rows short, with a memory of what was done, so that dependent rows and
//! open columns can be named.
//!
//! Markowitz's rule with a threshold (Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*, section 7.2), within classes of
//! columns that are taken one after the other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A row as column and value.
pub type SparseRow = Vec<(usize, f64)>;

/// A matrix after its elimination.
pub struct Elimination {
    /// Row and column of each pivot, in the order of elimination.
    pub pivots: Vec<(usize, usize)>,
    /// Rows of which nothing was left, ascending.
    pub dependent_rows: Vec<usize>,
    /// Columns that no row was left for, ascending.
    pub open_columns: Vec<usize>,
    /// What is left of each pivot row.
    rows: Vec<BTreeMap<usize, f64>>,
    /// Which multiple of which row was taken from which: `(from, row, factor)`.
    history: Vec<(usize, usize, f64)>,
}

/// What cancels down to this part counts as nothing.
// Test: what_cancels_but_for_rounding_is_nothing_here
const VANISHING: f64 = 1e-10;
/// A pivot is at least this part of the largest entry of its column.
// Test: a_short_row_is_a_pivot_unless_its_entry_is_small
const THRESHOLD: f64 = 0.1;

/// Eliminates column after column: those of a lower class first, and among those of one class the shortest.
pub fn eliminate(rows: &[SparseRow], classes: &[usize]) -> Elimination {
    let mut state = State::new(rows, classes);
    let mut elimination = Elimination {
        pivots: Vec::new(),
        dependent_rows: Vec::new(),
        open_columns: Vec::new(),
        rows: Vec::new(),
        history: Vec::new(),
    };
    while let Some(Reverse((class, count, column))) = state.queue.pop() {
        let now = state.active_rows(column);
        // The count was that of another time.
        if now.len() != count {
            state.queue.push(Reverse((class, now.len(), column)));
            continue;
        }
        match state.pivot_row(column, &now) {
            Some(row) => {
                state.take_out(row, column, &now, &mut elimination.history);
                elimination.pivots.push((row, column));
            }
            None => elimination.open_columns.push(column),
        }
    }
    elimination.dependent_rows = (0..rows.len()).filter(|&row| state.active[row]).collect();
    elimination.open_columns.sort_unstable();
    elimination.rows = state.rows;
    elimination
}

struct State {
    rows: Vec<BTreeMap<usize, f64>>,
    active: Vec<bool>,
    /// Rows that mention a column, or did so once.
    columns: Vec<Vec<usize>>,
    queue: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

impl State {
    fn new(rows: &[SparseRow], classes: &[usize]) -> State {
        let mut columns = vec![Vec::new(); classes.len()];
        let scaled = |(at, row): (usize, &SparseRow)| {
            let largest = row.iter().fold(0.0_f64, |largest, (_, value)| largest.max(value.abs()));
            let entries = row.iter().filter(|(_, value)| value.abs() > VANISHING * largest);
            entries.clone().for_each(|&(column, _)| columns[column].push(at));
            entries.map(|&(column, value)| (column, value)).collect()
        };
        let rows: Vec<BTreeMap<usize, f64>> = rows.iter().enumerate().map(scaled).collect();
        let queue = (0..classes.len()).map(|column| Reverse((classes[column], columns[column].len(), column)));
        State { active: vec![true; rows.len()], queue: queue.collect(), rows, columns }
    }

    fn active_rows(&mut self, column: usize) -> Vec<usize> {
        let mut list = std::mem::take(&mut self.columns[column]);
        list.retain(|&row| self.active[row] && self.rows[row].contains_key(&column));
        list.sort_unstable();
        list.dedup();
        self.columns[column] = list.clone();
        list
    }

    /// The shortest row whose entry is not small beside the other entries of its row.
    fn pivot_row(&self, column: usize, among: &[usize]) -> Option<usize> {
        let weight = |row: usize| {
            let largest = self.rows[row].values().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            self.rows[row][&column].abs() / largest
        };
        // Long rows are compared by length alone.
        const LONG: usize = 50;
        let weights: Vec<f64> =
            among.iter().map(|&row| if self.rows[row].len() > LONG { THRESHOLD } else { weight(row) }).collect();
        let best = weights.iter().fold(0.0_f64, |best, &weight| best.max(weight));
        let fit = among.iter().zip(&weights).filter(|(_, weight)| **weight >= THRESHOLD * best);
        fit.map(|(&row, _)| row).min_by_key(|&row| (self.rows[row].len(), row))
    }

    /// Takes a multiple of the pivot row from every other row that mentions the column.
    fn take_out(&mut self, row: usize, column: usize, among: &[usize], history: &mut Vec<(usize, usize, f64)>) {
        self.active[row] = false;
        let pivot_row = std::mem::take(&mut self.rows[row]);
        for &other in among.iter().filter(|&&other| other != row) {
            let Some(entry) = self.rows[other].remove(&column) else { continue };
            let factor = entry / pivot_row[&column];
            history.push((other, row, factor));
            for (&at, &value) in pivot_row.iter().filter(|(at, _)| **at != column) {
                let (old, change) = (self.rows[other].get(&at).copied().unwrap_or(0.0), factor * value);
                let new = old - change;
                if new.abs() <= VANISHING * old.abs().max(change.abs()) {
                    self.rows[other].remove(&at);
                } else {
                    if old == 0.0 {
                        self.columns[at].push(other);
                    }
                    self.rows[other].insert(at, new);
                }
            }
        }
        self.rows[row] = pivot_row;
    }
}

impl Elimination {
    /// The factors with which rows add up to nothing, for one of the dependent rows: row and factor, ascending.
    pub fn combination(&self, dependent: usize) -> SparseRow {
        let mut factors: BTreeMap<usize, f64> = BTreeMap::from([(dependent, 1.0)]);
        for &(from, row, factor) in self.history.iter().rev() {
            if let Some(&share) = factors.get(&from) {
                *factors.entry(row).or_default() -= share * factor;
            }
        }
        factors.into_iter().filter(|(_, factor)| factor.abs() > VANISHING).collect()
    }

    /// The columns that are left in a pivot row.
    pub fn left(&self, row: usize) -> impl Iterator<Item = usize> {
        self.rows[row].keys().copied()
    }

    /// How the other columns move along when one of the open ones changes by one: column and change, ascending.
    pub fn moving(&self, open: usize) -> SparseRow {
        let mut changes: BTreeMap<usize, f64> = BTreeMap::from([(open, 1.0)]);
        for &(row, column) in self.pivots.iter().rev() {
            let others = self.rows[row].iter().filter(|(at, _)| **at != column);
            let sum: f64 = others.filter_map(|(at, value)| Some(value * changes.get(at)?)).sum();
            let change = -sum / self.rows[row][&column];
            if change.abs() > 1e-8 {
                changes.insert(column, change);
            }
        }
        changes.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_rows_is_found_with_its_factors() {
        let rows = vec![vec![(0, 1.0), (1, 2.0)], vec![(1, 1.0), (2, 1.0)], vec![(0, 1.0), (1, 3.0), (2, 1.0)]];
        let elimination = eliminate(&rows, &[0; 3]);
        assert_eq!((elimination.pivots.len(), elimination.dependent_rows.len()), (2, 1));
        let combination = elimination.combination(elimination.dependent_rows[0]);
        for column in 0..3 {
            let entry =
                |row: usize| rows[row].iter().filter(|(at, _)| *at == column).map(|(_, value)| value).sum::<f64>();
            let sum: f64 = combination.iter().map(|&(row, factor)| factor * entry(row)).sum();
            assert!(sum.abs() < 1e-12);
        }
        assert_eq!(combination.len(), 3);
    }

    #[test]
    fn open_columns_move_together() {
        // A chain of differences fixes everything but a common change.
        let rows: Vec<SparseRow> = (0..4).map(|at| vec![(at, 1.0), (at + 1, -1.0)]).collect();
        let elimination = eliminate(&rows, &[0; 5]);
        assert_eq!(elimination.open_columns.len(), 1);
        let moving = elimination.moving(elimination.open_columns[0]);
        assert_eq!(moving.iter().map(|&(_, change)| change).collect::<Vec<_>>(), [1.0; 5]);
    }

    #[test]
    fn what_cancels_but_for_rounding_is_nothing_here() {
        let rank =
            |left: f64| eliminate(&[vec![(0, 1.0), (1, 1.0)], vec![(0, 1.0), (1, 1.0 + left)]], &[0; 2]).pivots.len();
        assert_eq!((rank(1e-9), rank(1e-11)), (2, 1));
    }

    /// Beside the largest entry of its own row.
    #[test]
    fn a_short_row_is_a_pivot_unless_its_entry_is_small() {
        let first = |entry: f64| {
            let rows = [vec![(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)], vec![(0, entry), (1, 1.0)]];
            eliminate(&rows, &[0, 1, 1, 1]).pivots[0].0
        };
        assert_eq!((first(0.2), first(0.01)), (1, 0));
    }

    /// Columns of a higher class stay open if they can.
    #[test]
    fn classes_say_which_columns_stay_open() {
        for last in 0..3 {
            let classes: Vec<usize> = (0..3).map(|column| usize::from(column == last)).collect();
            let rows = vec![vec![(0, 1.0), (1, 1.0), (2, 1.0)], vec![(0, 1.0), (1, -1.0), (2, 2.0)]];
            assert_eq!(eliminate(&rows, &classes).open_columns, [last]);
        }
    }
}
