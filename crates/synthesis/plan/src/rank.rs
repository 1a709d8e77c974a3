//! Numerical rank of small dense matrices, row by row, so that dependent rows can be named.

/// Rows that depend on rows before them, ascending, and a direction that no row sees, if there is one.
pub struct Analysis {
    pub dependent_rows: Vec<usize>,
    pub null_vector: Option<Vec<f64>>,
}

/// Values that are not finite tell nothing, so nothing is found wanting.
pub fn analyse(rows: &[Vec<f64>], columns: usize) -> Analysis {
    if rows.iter().flatten().any(|value| !value.is_finite()) {
        return Analysis { dependent_rows: Vec::new(), null_vector: None };
    }
    let mut basis = Basis::default();
    let dependent_rows = (0..rows.len()).filter(|&at| basis.add(&rows[at]).is_none()).collect();
    let null_vector = (basis.directions.len() < columns).then(|| basis.unseen(columns));
    Analysis { dependent_rows, null_vector }
}

/// The factors with which some rows add up to others, each of which depends on those of them that come before it; what depends
/// on rows before it has none.
pub fn combinations(rows: &[Vec<f64>], independent: &[usize], sums: &[usize]) -> Vec<Vec<f64>> {
    let mut basis = Basis::default();
    let used: Vec<usize> = (0..independent.len()).filter(|&at| basis.add(&rows[independent[at]]).is_some()).collect();
    // The last direction occurs in the last row only, the one before it in two, and so on.
    let parts = |row: &[f64]| -> Vec<f64> { basis.directions.iter().map(|direction| direction.part(row)).collect() };
    let triangle: Vec<Vec<f64>> = used.iter().map(|&at| parts(&rows[independent[at]])).collect();
    let factors = |&sum: &usize| {
        let mut factors = vec![0.0; independent.len()];
        let mut left = parts(&rows[sum]);
        for at in (0..used.len()).rev().filter(|&at| independent[used[at]] < sum) {
            let factor = left[at] / triangle[at][at];
            left[..=at].iter_mut().zip(&triangle[at]).for_each(|(left, part)| *left -= factor * part);
            factors[used[at]] = factor;
        }
        factors
    };
    sums.iter().map(factors).collect()
}

/// The shortest step x with rows · x = -residuals, as far as the rows are independent. A row of which less than the part
/// `vanishing` goes beyond those before it counts as dependent on them.
pub fn shortest_step(rows: &[Vec<f64>], residuals: &[f64], columns: usize, vanishing: f64) -> Vec<f64> {
    let mut basis = Basis { vanishing, ..Basis::default() };
    let mut step = vec![0.0; columns];
    for (row, residual) in rows.iter().zip(residuals) {
        let reached = dot(row, &step);
        if let Some((direction, size)) = basis.add(row) {
            let missing = (-residual - reached) / size;
            direction.take_from(&mut step, -missing);
        }
    }
    step
}

/// What is left of a row counts as nothing below this part of its original size.
pub const VANISHING: f64 = 1e-8;

/// Orthogonal unit vectors, by modified Gram–Schmidt, twice where the first round leaves little.
struct Basis {
    directions: Vec<Direction>,
    vanishing: f64,
}

/// A unit vector, from the first of its entries that is not zero to the last.
struct Direction {
    first: usize,
    entries: Vec<f64>,
}

impl Default for Basis {
    fn default() -> Basis {
        Basis { directions: Vec::new(), vanishing: VANISHING }
    }
}

impl Direction {
    fn new(vector: &[f64], size: f64) -> Direction {
        let first = vector.iter().position(|x| *x != 0.0).unwrap_or(0);
        let last = vector.iter().rposition(|x| *x != 0.0).map_or(first, |last| last + 1);
        Direction { first, entries: vector[first..last].iter().map(|x| x / size).collect() }
    }

    /// How much of a vector lies in this direction.
    fn part(&self, vector: &[f64]) -> f64 {
        dot(&vector[self.first..self.first + self.entries.len()], &self.entries)
    }

    fn take_from(&self, vector: &mut [f64], part: f64) {
        let range = self.first..self.first + self.entries.len();
        vector[range].iter_mut().zip(&self.entries).for_each(|(a, b)| *a -= part * b);
    }
}

impl Basis {
    /// The direction in which a row goes beyond those before it, and by how much; nothing if it depends on them.
    fn add(&mut self, row: &[f64]) -> Option<(&Direction, f64)> {
        let rest = self.beyond(row);
        let left = norm(&rest);
        if left <= self.vanishing * norm(row) || left == 0.0 {
            return None;
        }
        self.directions.push(Direction::new(&rest, left));
        self.directions.last().map(|direction| (direction, left))
    }

    /// A vector without what the basis spans; the second round removes what rounding left, where that is noticeable.
    fn beyond(&self, vector: &[f64]) -> Vec<f64> {
        const MUCH: f64 = 0.1;
        let mut rest = vector.to_vec();
        for _ in 0..2 {
            for direction in &self.directions {
                let part = direction.part(&rest);
                if part != 0.0 {
                    direction.take_from(&mut rest, part);
                }
            }
            if norm(&rest) > MUCH * norm(vector) {
                break;
            }
        }
        rest
    }

    /// A unit vector orthogonal to the basis: the axis that sticks out most, made orthogonal.
    fn unseen(&self, columns: usize) -> Vec<f64> {
        let mut seen = vec![0.0; columns];
        for direction in &self.directions {
            let places = seen[direction.first..].iter_mut();
            places.zip(&direction.entries).for_each(|(seen, entry)| *seen += entry * entry);
        }
        let axis = (0..columns).min_by(|&a, &b| seen[a].total_cmp(&seen[b])).unwrap_or(0);
        let vector: Vec<f64> = (0..columns).map(|at| if at == axis { 1.0 } else { 0.0 }).collect();
        let rest = self.beyond(&vector);
        let size = norm(&rest);
        rest.iter().map(|x| x / size).collect()
    }
}

/// In several sums, since each addition would wait for the one before it.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const SUMS: usize = 8;
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    for (a, b) in a.iter().zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums.into_iter().sum::<f64>() + rest
}

pub fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_rows_are_found_in_order() {
        let rows = vec![vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 0.0], vec![0.0, 1.0, 0.0]];
        let analysis = analyse(&rows, 3);
        assert_eq!(analysis.dependent_rows, [1]);
        assert_eq!(analysis.null_vector, Some(vec![0.0, 0.0, 1.0]));
        assert!(analyse(&[vec![1.0]], 1).null_vector.is_none());
    }

    #[test]
    fn dependent_rows_are_told_by_their_factors() {
        let rows = [vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 0.0], vec![1.0, 1.0, 1.0], vec![2.0, 1.0, -1.0]];
        let factors = combinations(&rows, &[0, 1, 2], &[3]);
        let expected = [3.0, -4.0, -1.0];
        expected.iter().zip(&factors[0]).for_each(|(expected, found)| assert!((expected - found).abs() < 1e-12));
    }

    #[test]
    fn the_shortest_step_solves_the_rows() {
        let step = shortest_step(&[vec![1.0, 1.0], vec![2.0, 2.0]], &[-2.0, -4.0], 2, VANISHING);
        assert!((step[0] - 1.0).abs() < 1e-12 && (step[1] - 1.0).abs() < 1e-12);
    }
}
