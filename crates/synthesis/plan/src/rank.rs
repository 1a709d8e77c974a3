//! Numerical rank of sparse matrices, row after row, so that dependent rows can be named: of two that say the same, the second is.
//!
//! Gram–Schmidt without its vectors, which fill up: for the rows A that are independent it keeps the triangle L of A·Aᵀ = L·Lᵀ, which has
//! entries only where rows share columns, directly or through rows before them. Squares lose half of the digits, so where little of a row is
//! left that is computed from the row itself (corrected semi-normal equations; Björck, *Numerical Methods for Least Squares Problems*,
//! section 6.6.5).

use crate::sparse::SparseRow;

/// What is left of a row counts as nothing below this part of its original size.
// Test: a_row_is_independent_by_as_little_as_counts
pub const VANISHING: f64 = 1e-8;

/// Rows that depend on rows before them, ascending. Values that are not finite tell nothing, so nothing is found wanting.
pub fn dependent_rows(rows: &[SparseRow], columns: usize) -> Vec<usize> {
    if rows.iter().flatten().any(|(_, value)| !value.is_finite()) {
        return Vec::new();
    }
    let mut basis = Basis::new(columns, VANISHING);
    (0..rows.len()).filter(|&at| basis.add(&rows[at]).is_none()).collect()
}

/// The factors with which some rows add up to others, each of which depends on those of them that come before it; what depends
/// on rows before it has none.
pub fn combinations(rows: &[SparseRow], columns: usize, independent: &[usize], sums: &[usize]) -> Vec<Vec<f64>> {
    let mut basis = Basis::new(columns, VANISHING);
    let mut used = Vec::new();
    let mut next = 0;
    let factors = |&sum: &usize| {
        while let Some(&row) = independent.get(next).filter(|&&row| row < sum) {
            used.extend(basis.add(&rows[row]).map(|_| next));
            next += 1;
        }
        let mut factors = vec![0.0; independent.len()];
        let parts = basis.parts(&rows[sum]);
        let nearest = basis.nearest(&rows[sum], parts).factors;
        used.iter().zip(nearest).for_each(|(&at, factor)| factors[at] = factor);
        factors
    };
    sums.iter().map(factors).collect()
}

/// The shortest step x with rows · x = -residuals, as far as the rows are independent. A row of which less than the part
/// `vanishing` goes beyond those before it counts as dependent on them.
pub fn shortest_step(rows: &[SparseRow], residuals: &[f64], columns: usize, vanishing: f64) -> Vec<f64> {
    let mut basis = Basis::new(columns, vanishing);
    // The step in terms of the vectors of Gram and Schmidt.
    let mut along: Vec<f64> = Vec::new();
    for (row, residual) in rows.iter().zip(residuals) {
        if let Some((parts, left)) = basis.add(row) {
            let reached: f64 = parts.iter().map(|&(at, part)| part * along[at]).sum();
            along.push((-residual - reached) / left);
        }
    }
    let along: SparseRow = along.into_iter().enumerate().collect();
    basis.sum(&basis.factors(&along))
}

/// Independent rows, and the triangle of their products.
struct Basis<'r> {
    vanishing: f64,
    rows: Vec<&'r [(usize, f64)]>,
    /// The diagonal of the triangle: how much of each row goes beyond those before it.
    left: Vec<f64>,
    /// For each row the later ones in which it has a part, and that part: the columns of the triangle.
    later: Vec<Vec<(usize, f64)>>,
    /// For each column, the rows that mention it.
    mentioning: Vec<Vec<(usize, f64)>>,
    /// Zeros, to work with.
    sums: Vec<f64>,
    seen: Vec<bool>,
}

/// The combination of rows that comes nearest to a vector.
struct Nearest {
    parts: SparseRow,
    factors: Vec<f64>,
    /// How far it is away.
    distance: f64,
}

impl<'r> Basis<'r> {
    fn new(columns: usize, vanishing: f64) -> Basis<'r> {
        let mentioning = vec![Vec::new(); columns];
        let (left, later, sums, seen) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Basis { vanishing, rows: Vec::new(), left, later, mentioning, sums, seen }
    }

    /// The parts of a row that lie in those before it, and the size of what goes beyond them; nothing if it depends on them.
    fn add(&mut self, row: &'r [(usize, f64)]) -> Option<(SparseRow, f64)> {
        // Below this part of the square of a size, too much of it has cancelled.
        const CANCELLED: f64 = 1e-4;
        let size = norm(row);
        let mut parts = self.parts(row);
        let square = size * size - parts.iter().map(|(_, part)| part * part).sum::<f64>();
        let mut left = square.max(0.0).sqrt();
        if square <= CANCELLED * size * size {
            Nearest { parts, distance: left, .. } = self.nearest(row, parts);
        }
        if left <= self.vanishing * size || left == 0.0 {
            return None;
        }
        let own = self.rows.len();
        row.iter().for_each(|&(column, value)| self.mentioning[column].push((own, value)));
        parts.iter().for_each(|&(at, part)| self.later[at].push((own, part)));
        self.rows.push(row);
        self.left.push(left);
        self.later.push(Vec::new());
        self.sums.push(0.0);
        self.seen.push(false);
        Some((parts, left))
    }

    /// How much of a vector lies in the direction in which each row goes beyond those before it: the solution l of L·l = A·vector.
    fn parts(&mut self, vector: &[(usize, f64)]) -> SparseRow {
        let mut touched = Vec::new();
        for &(column, value) in vector {
            for &(row, other) in &self.mentioning[column] {
                self.sums[row] += value * other;
                // From each row on along the first of the later ones it has a part in (the elimination tree, Liu 1990).
                let mut next = Some(row);
                while let Some(at) = next.filter(|&at| !std::mem::replace(&mut self.seen[at], true)) {
                    touched.push(at);
                    next = self.later[at].first().map(|&(later, _)| later);
                }
            }
        }
        touched.sort_unstable();
        let mut parts = Vec::with_capacity(touched.len());
        for at in touched {
            let part = std::mem::take(&mut self.sums[at]) / self.left[at];
            self.seen[at] = false;
            self.later[at].iter().for_each(|&(later, share)| self.sums[later] -= share * part);
            parts.push((at, part));
        }
        parts
    }

    /// The factors with which the rows add up to a vector of which the parts are known: the solution y of Lᵀ·y = parts.
    fn factors(&self, parts: &[(usize, f64)]) -> Vec<f64> {
        let mut factors = vec![0.0; self.rows.len()];
        parts.iter().for_each(|&(at, part)| factors[at] = part);
        for at in (0..factors.len()).rev() {
            let taken: f64 = self.later[at].iter().map(|&(later, share)| share * factors[later]).sum();
            factors[at] = (factors[at] - taken) / self.left[at];
        }
        factors
    }

    /// The sum of the rows with some factors.
    fn sum(&self, factors: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.mentioning.len()];
        for (row, factor) in self.rows.iter().zip(factors) {
            row.iter().for_each(|&(column, value)| sum[column] += factor * value);
        }
        sum
    }

    /// The combination that is nearest to a row with such parts; each round removes what rounding left.
    fn nearest(&mut self, row: &[(usize, f64)], mut parts: SparseRow) -> Nearest {
        const ROUNDS: usize = 2;
        let mut factors = self.factors(&parts);
        let mut rest = self.rest(row, &factors);
        for _ in 0..ROUNDS {
            let missed = self.parts(&rest);
            for (at, part) in &mut parts {
                *part += missed.binary_search_by_key(at, |&(other, _)| other).map_or(0.0, |found| missed[found].1);
            }
            factors.iter_mut().zip(self.factors(&missed)).for_each(|(factor, more)| *factor += more);
            rest = self.rest(row, &factors);
        }
        Nearest { parts, factors, distance: norm(&rest) }
    }

    /// A row without a combination of those of the basis.
    fn rest(&self, row: &[(usize, f64)], factors: &[f64]) -> SparseRow {
        let mut rest = self.sum(factors);
        rest.iter_mut().for_each(|value| *value = -*value);
        row.iter().for_each(|&(column, value)| rest[column] += value);
        rest.into_iter().enumerate().filter(|(_, value)| *value != 0.0).collect()
    }
}

pub fn norm(vector: &[(usize, f64)]) -> f64 {
    vector.iter().map(|(_, value)| value * value).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    fn sparse(rows: &[&[f64]]) -> Vec<SparseRow> {
        let entries = |row: &&[f64]| row.iter().copied().enumerate().filter(|(_, value)| *value != 0.0).collect();
        rows.iter().map(entries).collect()
    }

    #[test]
    fn dependent_rows_are_found_in_order() {
        let rows = sparse(&[&[1.0, 2.0, 0.0], &[2.0, 4.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0]]);
        assert_eq!(dependent_rows(&rows, 3), [1, 3]);
    }

    #[test]
    fn dependent_rows_are_told_by_their_factors() {
        let rows = sparse(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 0.0], &[1.0, 1.0, 1.0], &[2.0, 1.0, -1.0]]);
        let factors = combinations(&rows, 3, &[0, 1, 2], &[3]);
        let expected = [3.0, -4.0, -1.0];
        expected.iter().zip(&factors[0]).for_each(|(expected, found)| assert!((expected - found).abs() < 1e-12));
    }

    #[test]
    fn the_shortest_step_solves_the_rows() {
        let step = shortest_step(&sparse(&[&[1.0, 1.0], &[2.0, 2.0]]), &[-2.0, -4.0], 2, VANISHING);
        assert!((step[0] - 1.0).abs() < 1e-12 && (step[1] - 1.0).abs() < 1e-12);
    }

    /// What is left of a row is told from nothing far below the square root of the rounding of its square.
    #[test]
    fn a_row_is_independent_by_as_little_as_counts() {
        for (left, dependent) in [(4e-8, false), (2.5e-9, true)] {
            let rows = sparse(&[&[1.0, 1.0, 0.0], &[0.0, 1.0, 1.0], &[1.0, 2.0, 1.0 + left * 6.0_f64.sqrt()]]);
            assert_eq!(dependent_rows(&rows, 3).is_empty(), !dependent, "{left}");
        }
    }

    /// A chain of rows, each of which shares columns with the next, and sums of some of them in between: the sums are found, whatever
    /// precedes them, with the factors that made them.
    #[test]
    fn sums_within_a_long_chain_are_found() {
        const EACH: usize = 3;
        let mut random = Random::new(5);
        let links = 400;
        let mut rows: Vec<SparseRow> = Vec::new();
        let mut sums: Vec<(usize, [(usize, f64); 2])> = Vec::new();
        for link in 0..links {
            for _ in 0..EACH {
                let columns = 4 * link..4 * link + 8;
                rows.push(columns.map(|column| (column, random.between(-1.0, 1.0))).collect());
            }
            if link % 10 == 9 {
                let parts = [(rows.len() - 1, 2.0), (rows.len() - 2 - EACH, -0.5)];
                let mut sum = vec![0.0; 4 * links + 4];
                for (row, factor) in parts {
                    rows[row].iter().for_each(|&(column, value)| sum[column] += factor * value);
                }
                sums.push((rows.len(), parts));
                rows.push(sum.into_iter().enumerate().filter(|(_, value)| *value != 0.0).collect());
            }
        }
        let columns = 4 * links + 4;
        let dependent = dependent_rows(&rows, columns);
        assert!(dependent.iter().eq(sums.iter().map(|(row, _)| row)), "{dependent:?}");
        let independent: Vec<usize> = (0..rows.len()).filter(|row| dependent.binary_search(row).is_err()).collect();
        for (found, (_, parts)) in combinations(&rows, columns, &independent, &dependent).iter().zip(&sums) {
            for (factor, row) in found.iter().zip(&independent) {
                let made = parts.iter().find(|(part, _)| part == row).map_or(0.0, |(_, factor)| *factor);
                assert!((factor - made).abs() < 1e-9, "{factor} {made}");
            }
        }
    }

    /// A step that is a combination of the rows, and leads to where they want to go, is the shortest.
    #[test]
    fn the_shortest_step_of_a_chain_is_a_combination_of_its_rows() {
        let mut random = Random::new(7);
        let count = 300;
        let rows: Vec<SparseRow> =
            (0..count).map(|row| (row..row + 4).map(|column| (column, random.between(0.5, 1.0))).collect()).collect();
        let factors: Vec<f64> = (0..count).map(|_| random.between(-1.0, 1.0)).collect();
        let mut wanted = vec![0.0; count + 3];
        for (row, factor) in rows.iter().zip(&factors) {
            row.iter().for_each(|&(column, value)| wanted[column] += factor * value);
        }
        let reached = |row: &SparseRow| -row.iter().map(|&(column, value)| value * wanted[column]).sum::<f64>();
        let residuals: Vec<f64> = rows.iter().map(reached).collect();
        let step = shortest_step(&rows, &residuals, count + 3, VANISHING);
        step.iter().zip(&wanted).for_each(|(step, wanted)| assert!((step - wanted).abs() < 1e-9));
    }
}
