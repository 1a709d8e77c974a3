//! Elimination in which each pivot is chosen when the values are known: an order of the columns alone, and where everything may
//! come to lie whichever rows are chosen.
//!
//! George and Ng, *Symbolic factorization for sparse Gaussian elimination with partial pivoting*. All rows that have an entry in
//! the next column are brought together, since any of them may be the pivot and is then subtracted from the others. So these have
//! one pattern from then on, and are handed on together. Columns with the same rows are eliminated in one place.

use crate::Incidence;
use crate::elimination::{Neighbours, minimum_degree};

/// A small full matrix in which some columns are eliminated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// Its columns, in the order of elimination.
    pub columns: Vec<usize>,
    /// How many of them are eliminated here.
    pub pivots: usize,
    /// The rows of the matrix that come in here, before those that other fronts hand on.
    pub rows: Vec<usize>,
    /// The number of its rows.
    pub height: usize,
    /// The later front to which the other rows and columns go, and at which of its rows they begin; none if there are none.
    pub parent: Option<(usize, usize)>,
}

impl Front {
    /// The number of its places.
    pub fn size(&self) -> usize {
        self.height * self.columns.len()
    }
}

/// The fronts of a square matrix, each before the one it hands its rows to. None if they need more than so many places, or
/// if some columns have too few rows, whatever the values.
pub fn fronts(incidence: &Incidence, most: usize) -> Option<Vec<Front>> {
    let n = incidence.columns();
    let order = column_order(incidence, most)?;
    let mut step_of_column = vec![0; n];
    order.iter().enumerate().for_each(|(step, &column)| step_of_column[column] = step);
    // Each row comes in where its first column is eliminated.
    let mut coming = vec![Vec::new(); n];
    for row in 0..incidence.rows() {
        let first = incidence.row(row).iter().map(|&column| step_of_column[column]).min()?;
        coming[first].push(row);
    }
    // Until the end, columns are called by their steps.
    let mut fronts: Vec<Front> = Vec::new();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); n];
    let (mut seen, mut places) = (vec![usize::MAX; n], 0);
    for step in 0..n {
        let rows = std::mem::take(&mut coming[step]);
        let children = std::mem::take(&mut waiting[step]);
        let at = match (&rows[..], &children[..]) {
            ([], &[only]) => {
                fronts[only].pivots += 1;
                only
            }
            _ => {
                let mut columns = Vec::new();
                let mine = rows.iter().flat_map(|&row| incidence.row(row)).map(|&column| step_of_column[column]);
                let theirs = children.iter().flat_map(|&child| &fronts[child].columns[fronts[child].pivots..]);
                for column in mine.chain(theirs.copied()) {
                    if std::mem::replace(&mut seen[column], step) != step {
                        columns.push(column);
                    }
                }
                columns.sort_unstable();
                let mut height = rows.len();
                for child in children {
                    fronts[child].parent = Some((fronts.len(), height));
                    height += fronts[child].height - fronts[child].pivots;
                }
                fronts.push(Front { columns, pivots: 1, rows, height, parent: None });
                places += fronts[fronts.len() - 1].size();
                fronts.len() - 1
            }
        };
        let Front { columns, pivots, height, .. } = &fronts[at];
        if height < pivots || places > most {
            return None;
        }
        if let (true, Some(&next)) = (height > pivots, columns.get(*pivots)) {
            waiting[next].push(at);
        }
    }
    for column in fronts.iter_mut().flat_map(|front| &mut front.columns) {
        *column = order[*column];
    }
    Some(fronts)
}

/// Columns that share a row are neighbours; whoever has few of them goes first.
fn column_order(incidence: &Incidence, most: usize) -> Option<Vec<usize>> {
    let pairs: usize = (0..incidence.rows()).map(|row| incidence.row(row).len().pow(2)).sum();
    if pairs > 4 * most {
        return None;
    }
    let mut neighbours = Neighbours::new(incidence.columns());
    for row in 0..incidence.rows() {
        let columns = incidence.row(row);
        for (at, &one) in columns.iter().enumerate() {
            columns[at + 1..].iter().for_each(|&other| neighbours.join(one, other));
        }
    }
    Some(minimum_degree(neighbours, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: usize = 1 << 20;

    fn size(fronts: &[Front]) -> usize {
        fronts.iter().map(Front::size).sum()
    }

    /// Every row comes in once, every column is eliminated once, and what is handed on arrives within the parent.
    fn check(incidence: &Incidence, fronts: &[Front]) {
        let mut rows: Vec<usize> = fronts.iter().flat_map(|front| front.rows.iter().copied()).collect();
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..incidence.rows()));
        let mut columns: Vec<usize> = fronts.iter().flat_map(|front| front.columns[..front.pivots].to_vec()).collect();
        columns.sort_unstable();
        assert!(columns.into_iter().eq(0..incidence.columns()));
        for (at, front) in fronts.iter().enumerate() {
            let inside = |row: &usize| incidence.row(*row).iter().all(|column| front.columns.contains(column));
            assert!(front.rows.iter().all(inside));
            let Some((parent, begin)) = front.parent else {
                assert_eq!(front.height, front.pivots);
                continue;
            };
            let up = &fronts[parent];
            assert!(parent > at && begin + front.height - front.pivots <= up.height);
            assert!(front.columns[front.pivots..].iter().all(|column| up.columns.contains(column)));
        }
    }

    #[test]
    fn a_chain_has_small_fronts() {
        let n = 2000;
        let rows = (0..n).map(|i: usize| (i.saturating_sub(1)..(i + 2).min(n)).collect()).collect();
        let incidence = Incidence::new(n, rows);
        let found = fronts(&incidence, PLENTY).unwrap();
        check(&incidence, &found);
        assert!(size(&found) < 12 * n, "{}", size(&found));
    }

    #[test]
    fn a_full_matrix_is_one_front() {
        let n = 12;
        let incidence = Incidence::new(n, vec![(0..n).collect(); n]);
        let found = fronts(&incidence, PLENTY).unwrap();
        check(&incidence, &found);
        assert_eq!((found.len(), size(&found)), (1, n * n));
        assert_eq!(fronts(&incidence, n * n - 1), None);
    }

    #[test]
    fn too_few_rows_for_some_columns_are_found() {
        // Columns 0 and 1 occur in row 0 only.
        let incidence = Incidence::new(3, vec![vec![0, 1, 2], vec![2], vec![2]]);
        assert_eq!(fronts(&incidence, PLENTY), None);
    }
}
