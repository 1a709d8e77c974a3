//! Structural index: how often each equation must be differentiated until the highest derivatives can be found.

use crate::{Incidence, Matching, decompose, extend_matching, maximum_matching};

/// Which derivative of which column is the highest in each row: `(column, order)`.
pub type Orders = Vec<Vec<(usize, usize)>>;

/// How often each row is differentiated, and up to which derivative each column then occurs: the smallest such numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
}

/// Differentiates the smallest sets of rows that cannot be solved for highest derivatives, until none is left (Pantelides 1988;
/// the result is the canonical offsets of Pryce's Σ-method, 2001). Each column counts as occurring up to its `least` derivative
/// at least. Nothing if no number of differentiations helps: then some rows mention too few columns altogether.
pub fn reduce_index(least: &[usize], orders: &Orders) -> Option<Offsets> {
    let mentioned = orders.iter().map(|row| row.iter().map(|&(column, _)| column).collect());
    let mut matching = maximum_matching(&Incidence::new(least.len(), mentioned.collect()));
    if matching.size() < orders.len() {
        return None;
    }
    let mut rows = vec![0; orders.len()];
    loop {
        let mut highest = least.to_vec();
        for (row, &times) in orders.iter().zip(&rows) {
            for &(column, order) in row {
                highest[column] = highest[column].max(order + times);
            }
        }
        let leading = |(row, &times): (&Vec<(usize, usize)>, &usize)| -> Vec<usize> {
            row.iter().filter(|&&(column, order)| order + times == highest[column]).map(|&(column, _)| column).collect()
        };
        let incidence = Incidence::new(least.len(), orders.iter().zip(&rows).map(leading).collect());
        // Most pairs of the round before are still good.
        matching = extend_matching(&incidence, still_valid(&incidence, matching));
        let singular = decompose(&incidence, &matching).over_rows;
        if singular.is_empty() {
            return Some(Offsets { rows, columns: highest });
        }
        singular.into_iter().for_each(|row| rows[row] += 1);
    }
}

fn still_valid(incidence: &Incidence, mut matching: Matching) -> Matching {
    for row in 0..incidence.rows() {
        if let Some(column) = matching.column_of_row[row]
            && incidence.row(row).binary_search(&column).is_err()
        {
            matching.column_of_row[row] = None;
            matching.row_of_column[column] = None;
        }
    }
    matching
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x'' = -λ x, y'' = -λ y - g, x² + y² = 1: the constraint is differentiated twice.
    #[test]
    fn a_pendulum_in_cartesian_coordinates_has_index_three() {
        let (x, y, force) = (0, 1, 2);
        let orders = vec![vec![(x, 2), (force, 0)], vec![(y, 2), (force, 0)], vec![(x, 0), (y, 0)]];
        let offsets = reduce_index(&[0; 3], &orders);
        assert_eq!(offsets, Some(Offsets { rows: vec![0, 0, 2], columns: vec![2, 2, 0] }));
    }

    /// Ordinary differential equations need nothing; a prescribed state needs one derivative.
    #[test]
    fn nothing_is_differentiated_without_need() {
        let explicit = vec![vec![(0, 1), (1, 0)], vec![(0, 0), (1, 1)]];
        assert_eq!(reduce_index(&[0; 2], &explicit).map(|offsets| offsets.rows), Some(vec![0, 0]));
        // x' = y, x = f(t): y follows from f'.
        let prescribed = vec![vec![(0, 1), (1, 0)], vec![(0, 0)]];
        assert_eq!(reduce_index(&[0; 2], &prescribed).map(|offsets| offsets.rows), Some(vec![0, 1]));
    }

    /// x = f(t), where x'' counts as an unknown.
    #[test]
    fn a_column_is_found_from_the_least_derivative_on() {
        let offsets = reduce_index(&[2], &vec![vec![(0, 0)]]);
        assert_eq!(offsets, Some(Offsets { rows: vec![2], columns: vec![2] }));
    }

    #[test]
    fn too_few_unknowns_are_found_out() {
        assert_eq!(reduce_index(&[0; 1], &vec![vec![(0, 0)], vec![(0, 1)]]), None);
        assert_eq!(reduce_index(&[0; 2], &vec![vec![(0, 0)], vec![]]), None);
    }
}
