//! Block order: which equations to solve together, and in which sequence.

use crate::{Incidence, Matching, strong_components};

/// Equations that must be solved together for as many unknowns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
}

/// The strong components of the matched graph, so that every block needs only unknowns of blocks before it.
/// Unmatched rows and columns are left out.
pub fn order_blocks(incidence: &Incidence, matching: &Matching) -> Vec<Block> {
    let matched: Vec<usize> = (0..incidence.rows()).filter(|&row| matching.column_of_row[row].is_some()).collect();
    let mut place = vec![usize::MAX; incidence.rows()];
    matched.iter().enumerate().for_each(|(at, &row)| place[row] = at);
    // A row depends on the rows that determine its other unknowns.
    let needs = |row: usize| -> Vec<usize> {
        let other = incidence.row(row).iter().filter(|&&column| matching.column_of_row[row] != Some(column));
        other.filter_map(|&column| matching.row_of_column[column]).map(|row| place[row]).collect()
    };
    let graph: Vec<Vec<usize>> = matched.iter().map(|&row| needs(row)).collect();
    let block = |component: Vec<usize>| {
        let rows: Vec<usize> = component.into_iter().map(|at| matched[at]).collect();
        let mut columns: Vec<usize> = rows.iter().filter_map(|&row| matching.column_of_row[row]).collect();
        columns.sort_unstable();
        Block { rows, columns }
    };
    strong_components(&graph).into_iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maximum_matching;

    #[test]
    fn blocks_come_after_what_they_need() {
        // x0 + x1 = …, x0 - x1 = …, x2 = f(x0), x3 = g(x2)
        let incidence = Incidence::new(4, vec![vec![2, 3], vec![0, 1], vec![0, 2], vec![0, 1]]);
        let blocks = order_blocks(&incidence, &maximum_matching(&incidence));
        let columns: Vec<Vec<usize>> = blocks.into_iter().map(|block| block.columns).collect();
        assert_eq!(columns, [vec![0, 1], vec![2], vec![3]]);
    }
}
