//! Structural index: how often each equation must be differentiated until the highest derivatives can be found.

use crate::{Incidence, decompose, maximum_matching};

/// Which derivative of which column is the highest in each row: `(column, order)`.
pub type Orders = Vec<Vec<(usize, usize)>>;

/// How often each row is differentiated, and up to which derivative each column then occurs: the smallest such numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
}

/// Differentiates the smallest sets of rows that cannot be solved for highest derivatives, until none is left (Pantelides 1988;
/// the result is the canonical offsets of Pryce's Σ-method, 2001). Nothing if no number of differentiations helps: then some rows
/// mention too few columns altogether.
pub fn reduce_index(columns: usize, orders: &Orders) -> Option<Offsets> {
    let mentioned =
        Incidence::new(columns, orders.iter().map(|row| row.iter().map(|&(column, _)| column).collect()).collect());
    if maximum_matching(&mentioned).size() < orders.len() {
        return None;
    }
    let mut rows = vec![0; orders.len()];
    loop {
        let mut highest = vec![0; columns];
        for (row, &times) in orders.iter().zip(&rows) {
            for &(column, order) in row {
                highest[column] = highest[column].max(order + times);
            }
        }
        let leading = |(row, &times): (&Vec<(usize, usize)>, &usize)| -> Vec<usize> {
            row.iter().filter(|&&(column, order)| order + times == highest[column]).map(|&(column, _)| column).collect()
        };
        let incidence = Incidence::new(columns, orders.iter().zip(&rows).map(leading).collect());
        let singular = decompose(&incidence, &maximum_matching(&incidence)).over_rows;
        if singular.is_empty() {
            return Some(Offsets { rows, columns: highest });
        }
        singular.into_iter().for_each(|row| rows[row] += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x'' = -λ x, y'' = -λ y - g, x² + y² = 1: the constraint is differentiated twice.
    #[test]
    fn a_pendulum_in_cartesian_coordinates_has_index_three() {
        let (x, y, force) = (0, 1, 2);
        let orders = vec![vec![(x, 2), (force, 0)], vec![(y, 2), (force, 0)], vec![(x, 0), (y, 0)]];
        let offsets = reduce_index(3, &orders);
        assert_eq!(offsets, Some(Offsets { rows: vec![0, 0, 2], columns: vec![2, 2, 0] }));
    }

    /// Ordinary differential equations need nothing; a prescribed state needs one derivative.
    #[test]
    fn nothing_is_differentiated_without_need() {
        let explicit = vec![vec![(0, 1), (1, 0)], vec![(0, 0), (1, 1)]];
        assert_eq!(reduce_index(2, &explicit).map(|offsets| offsets.rows), Some(vec![0, 0]));
        // x' = y, x = f(t): y follows from f'.
        let prescribed = vec![vec![(0, 1), (1, 0)], vec![(0, 0)]];
        assert_eq!(reduce_index(2, &prescribed).map(|offsets| offsets.rows), Some(vec![0, 1]));
    }

    #[test]
    fn too_few_unknowns_are_found_out() {
        assert_eq!(reduce_index(1, &vec![vec![(0, 0)], vec![(0, 1)]]), None);
        assert_eq!(reduce_index(2, &vec![vec![(0, 0)], vec![]]), None);
    }
}
