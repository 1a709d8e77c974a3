//! Maximum matching of rows and columns (Hopcroft and Karp 1973).

use crate::Incidence;

/// Pairs of a row and a column that occurs in it, each row and each column in one pair at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    pub column_of_row: Vec<Option<usize>>,
    pub row_of_column: Vec<Option<usize>>,
}

impl Matching {
    pub fn size(&self) -> usize {
        self.column_of_row.iter().flatten().count()
    }
}

/// A matching with as many pairs as possible; the same input gives the same matching.
pub fn maximum_matching(incidence: &Incidence) -> Matching {
    let none = Matching { column_of_row: vec![None; incidence.rows()], row_of_column: vec![None; incidence.columns()] };
    extend_matching(incidence, none)
}

/// The same, beginning with pairs that are known to belong together.
pub fn extend_matching(incidence: &Incidence, mut matching: Matching) -> Matching {
    while let Some(levels) = levels(incidence, &matching) {
        let mut next_edge = vec![0; incidence.rows()];
        for row in 0..incidence.rows() {
            if matching.column_of_row[row].is_none() {
                augment(incidence, &levels, &mut next_edge, &mut matching, row);
            }
        }
    }
    matching
}

/// Distance of each row from an unmatched row along alternating paths; `None` if no unmatched column can be reached.
fn levels(incidence: &Incidence, matching: &Matching) -> Option<Vec<usize>> {
    let mut levels = vec![usize::MAX; incidence.rows()];
    let mut queue: Vec<usize> = (0..incidence.rows()).filter(|&row| matching.column_of_row[row].is_none()).collect();
    queue.iter().for_each(|&row| levels[row] = 0);
    let mut found = false;
    let mut at = 0;
    while at < queue.len() {
        let row = queue[at];
        at += 1;
        for &column in incidence.row(row) {
            match matching.row_of_column[column] {
                None => found = true,
                Some(next) if levels[next] == usize::MAX => {
                    levels[next] = levels[row] + 1;
                    queue.push(next);
                }
                Some(_) => {}
            }
        }
    }
    found.then_some(levels)
}

/// Looks for an augmenting path from a row, level by level, with an explicit stack, and flips it.
fn augment(incidence: &Incidence, levels: &[usize], next_edge: &mut [usize], matching: &mut Matching, start: usize) {
    let mut path = vec![start];
    while let Some(&row) = path.last() {
        let Some(&column) = incidence.row(row).get(next_edge[row]) else {
            path.pop();
            if let Some(&previous) = path.last() {
                next_edge[previous] += 1;
            }
            continue;
        };
        match matching.row_of_column[column] {
            None => {
                for &row in &path {
                    let column = incidence.row(row)[next_edge[row]];
                    matching.column_of_row[row] = Some(column);
                    matching.row_of_column[column] = Some(row);
                }
                return;
            }
            Some(next) if levels[next] == levels[row] + 1 => path.push(next),
            Some(_) => next_edge[row] += 1,
        }
    }
}
