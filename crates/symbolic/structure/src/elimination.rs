//! Elimination of a sparse square matrix: an order that creates few new entries, and where these are.
//!
//! Minimum degree on the graph that rows and columns share (Duff, Erisman and Reid, *Direct Methods for Sparse Matrices*,
//! chapters 7 and 11), with the graph written out: its cost is that of one numerical elimination.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::Incidence;

/// The pivots in their order, and the pattern of the factors L (with ones on its diagonal) and U.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elimination {
    /// The row and the column of each pivot.
    pub pivots: Vec<(usize, usize)>,
    /// For each step, the earlier steps whose multiples are subtracted from its row, ascending.
    pub lower: Vec<Vec<usize>>,
    /// For each step, the later steps in whose columns its row has entries, ascending.
    pub upper: Vec<Vec<usize>>,
}

/// Orders the pivots, one in each row and column, and finds the pattern of the factors. `column_of_row` says where the pivot of
/// each row is, and `last` which rows come after all others; the same input gives the same order.
///
/// # Panics
/// If `column_of_row` is not a permutation of the columns.
pub fn eliminate(incidence: &Incidence, column_of_row: &[usize], last: &[usize]) -> Elimination {
    let n = column_of_row.len();
    let mut row_of_column = vec![usize::MAX; n];
    column_of_row.iter().enumerate().for_each(|(row, &column)| row_of_column[column] = row);
    assert!(incidence.rows() == n && row_of_column.iter().all(|&row| row < n), "a pivot in each row and column");
    // A pivot is known by its row.
    let mut neighbours = Neighbours::new(n);
    for row in 0..n {
        incidence.row(row).iter().for_each(|&column| neighbours.join(row, row_of_column[column]));
    }
    let order = minimum_degree(neighbours, last);
    let mut step_of_column = vec![0; n];
    order.iter().enumerate().for_each(|(step, &row)| step_of_column[column_of_row[row]] = step);
    let rows = order.iter().map(|&row| incidence.row(row).iter().map(|&column| step_of_column[column]).collect());
    let (lower, upper) = fill(rows.collect());
    Elimination { pivots: order.into_iter().map(|row| (row, column_of_row[row])).collect(), lower, upper }
}

/// Who is next to whom.
pub(crate) struct Neighbours(Vec<BTreeSet<usize>>);

impl Neighbours {
    pub fn new(n: usize) -> Neighbours {
        Neighbours(vec![BTreeSet::new(); n])
    }

    pub fn join(&mut self, one: usize, other: usize) {
        if one != other {
            self.0[one].insert(other);
            self.0[other].insert(one);
        }
    }
}

/// The next to go is always one that has the fewest neighbours left, and those that are to be last after the others; its neighbours become
/// neighbours of one another.
pub(crate) fn minimum_degree(Neighbours(mut neighbours): Neighbours, last: &[usize]) -> Vec<usize> {
    let mut is_last = vec![false; neighbours.len()];
    last.iter().for_each(|&one| is_last[one] = true);
    let mut waiting: BTreeSet<(bool, usize, usize)> =
        neighbours.iter().enumerate().map(|(one, others)| (is_last[one], others.len(), one)).collect();
    let mut order = Vec::with_capacity(neighbours.len());
    while let Some((_, degree, one)) = waiting.pop_first() {
        order.push(one);
        if degree == waiting.len() {
            // All that are left are neighbours of one another, now and ever after.
            order.extend(std::mem::take(&mut waiting).into_iter().map(|(_, _, other)| other));
            break;
        }
        let around: Vec<usize> = std::mem::take(&mut neighbours[one]).into_iter().collect();
        for &other in &around {
            waiting.remove(&(is_last[other], neighbours[other].len(), other));
            neighbours[other].remove(&one);
            neighbours[other].extend(around.iter().copied().filter(|&third| third != other));
            waiting.insert((is_last[other], neighbours[other].len(), other));
        }
    }
    order
}

/// The pattern of the factors, from the steps in whose columns each row has entries.
fn fill(rows: Vec<Vec<usize>>) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut lower: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    let mut upper: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    let mut seen = vec![usize::MAX; rows.len()];
    for (step, row) in rows.into_iter().enumerate() {
        let (mut earlier, mut before, mut after) = (BinaryHeap::new(), Vec::new(), Vec::new());
        let mut visit = |columns: &[usize], earlier: &mut BinaryHeap<Reverse<usize>>| {
            for &column in columns {
                if std::mem::replace(&mut seen[column], step) != step {
                    match column.cmp(&step) {
                        std::cmp::Ordering::Less => earlier.push(Reverse(column)),
                        std::cmp::Ordering::Equal => {}
                        std::cmp::Ordering::Greater => after.push(column),
                    }
                }
            }
        };
        visit(&row, &mut earlier);
        while let Some(Reverse(pivot)) = earlier.pop() {
            before.push(pivot);
            visit(&upper[pivot], &mut earlier);
        }
        after.sort_unstable();
        lower.push(before);
        upper.push(after);
    }
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(elimination: &Elimination) -> usize {
        elimination.lower.iter().chain(&elimination.upper).map(Vec::len).sum()
    }

    fn diagonal(n: usize) -> Vec<usize> {
        (0..n).collect()
    }

    #[test]
    fn a_chain_gets_no_new_entries() {
        let n = 100_000;
        let rows = (0..n).map(|i: usize| (i.saturating_sub(1)..(i + 2).min(n)).collect()).collect();
        assert_eq!(entries(&eliminate(&Incidence::new(n, rows), &diagonal(n), &[])), 2 * (n - 1));
    }

    #[test]
    fn what_everyone_knows_goes_last() {
        let n = 10_000;
        let mut rows: Vec<Vec<usize>> = (0..n).map(|i| vec![0, i]).collect();
        rows[0] = diagonal(n);
        let star = eliminate(&Incidence::new(n, rows), &diagonal(n), &[]);
        assert_eq!(entries(&star), 2 * (n - 1));
        assert!(star.pivots[n - 2..].iter().any(|&(row, _)| row == 0));
    }

    #[test]
    fn what_is_to_be_last_is_last() {
        let n = 10;
        let rows = (0..n).map(|i: usize| (i.saturating_sub(1)..(i + 2).min(n)).collect()).collect();
        let found = eliminate(&Incidence::new(n, rows), &diagonal(n), &[0, 4]);
        let mut last: Vec<usize> = found.pivots[n - 2..].iter().map(|&(row, _)| row).collect();
        last.sort_unstable();
        assert_eq!(last, [0, 4]);
    }

    #[test]
    fn pivots_may_lie_beside_the_diagonal() {
        // A cyclic shift: every row has one entry.
        let n = 7;
        let shift: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
        let found = eliminate(&Incidence::new(n, shift.iter().map(|&j| vec![j]).collect()), &shift, &[]);
        assert_eq!(entries(&found), 0);
        assert!(found.pivots.iter().all(|&(row, column)| column == shift[row]));
    }

    #[test]
    fn a_full_matrix_stays_full() {
        let n = 12;
        let full = eliminate(&Incidence::new(n, vec![diagonal(n); n]), &diagonal(n), &[]);
        assert_eq!(entries(&full), n * (n - 1));
    }
}
