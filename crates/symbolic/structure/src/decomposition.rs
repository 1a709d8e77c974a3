//! The coarse decomposition of Dulmage and Mendelsohn: what is over-, under- and exactly determined.

use crate::{Incidence, Matching};

/// Every row and every column is in one of the three parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decomposition {
    /// More rows than columns: reached from unmatched rows along alternating paths.
    pub over_rows: Vec<usize>,
    pub over_columns: Vec<usize>,
    /// As many rows as columns, all matched.
    pub square_rows: Vec<usize>,
    pub square_columns: Vec<usize>,
    /// More columns than rows: reached from unmatched columns.
    pub under_rows: Vec<usize>,
    pub under_columns: Vec<usize>,
}

pub fn decompose(incidence: &Incidence, matching: &Matching) -> Decomposition {
    let unmatched =
        |partner: &[Option<usize>]| (0..partner.len()).filter(|&i| partner[i].is_none()).collect::<Vec<_>>();
    let (over_row, over_column) = alternate(incidence, &matching.row_of_column, unmatched(&matching.column_of_row));
    let (under_column, under_row) =
        alternate(&incidence.transposed(), &matching.column_of_row, unmatched(&matching.row_of_column));
    let mut result = Decomposition::default();
    for row in 0..incidence.rows() {
        match (over_row[row], under_row[row]) {
            (true, _) => result.over_rows.push(row),
            (_, true) => result.under_rows.push(row),
            _ => result.square_rows.push(row),
        }
    }
    for column in 0..incidence.columns() {
        match (over_column[column], under_column[column]) {
            (true, _) => result.over_columns.push(column),
            (_, true) => result.under_columns.push(column),
            _ => result.square_columns.push(column),
        }
    }
    result
}

/// What alternating paths reach from the starting rows: along any edge to a column, back along its matched edge.
fn alternate(incidence: &Incidence, partner: &[Option<usize>], start: Vec<usize>) -> (Vec<bool>, Vec<bool>) {
    let (mut rows, mut columns) = (vec![false; incidence.rows()], vec![false; incidence.columns()]);
    let mut open = start;
    open.iter().for_each(|&row| rows[row] = true);
    while let Some(row) = open.pop() {
        for &column in incidence.row(row) {
            columns[column] = true;
            if let Some(next) = partner[column]
                && !std::mem::replace(&mut rows[next], true)
            {
                open.push(next);
            }
        }
    }
    (rows, columns)
}
