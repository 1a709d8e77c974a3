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

/// The factors with which some rows add up to another row; what depends on rows before it has none.
pub fn combination(rows: &[Vec<f64>], sum: &[f64]) -> Vec<f64> {
    let mut basis = Basis::default();
    let used: Vec<usize> = (0..rows.len()).filter(|&at| basis.add(&rows[at]).is_some()).collect();
    // The last direction occurs in the last row only, the one before it in two, and so on.
    let mut factors = vec![0.0; rows.len()];
    for (&at, direction) in used.iter().zip(&basis.directions).rev() {
        let later: f64 = rows.iter().zip(&factors).map(|(row, factor)| factor * dot(row, direction)).sum();
        factors[at] = (dot(sum, direction) - later) / dot(&rows[at], direction);
    }
    factors
}

/// The shortest step x with rows · x = -residuals, as far as the rows are independent.
pub fn shortest_step(rows: &[Vec<f64>], residuals: &[f64], columns: usize) -> Vec<f64> {
    let mut basis = Basis::default();
    let mut step = vec![0.0; columns];
    for (row, residual) in rows.iter().zip(residuals) {
        let reached = dot(row, &step);
        if let Some((direction, size)) = basis.add(row) {
            let missing = (-residual - reached) / size;
            step.iter_mut().zip(direction).for_each(|(x, part)| *x += missing * part);
        }
    }
    step
}

/// Orthogonal unit vectors, by modified Gram–Schmidt, twice.
#[derive(Default)]
struct Basis {
    directions: Vec<Vec<f64>>,
}

impl Basis {
    /// The direction in which a row goes beyond those before it, and by how much; nothing if it depends on them.
    fn add(&mut self, row: &[f64]) -> Option<(&[f64], f64)> {
        /// What is left of a row counts as nothing below this part of its original size.
        const VANISHING: f64 = 1e-8;
        let rest = self.beyond(row);
        let left = norm(&rest);
        if left <= VANISHING * norm(row) || left == 0.0 {
            return None;
        }
        self.directions.push(rest.iter().map(|x| x / left).collect());
        self.directions.last().map(|direction| (direction.as_slice(), left))
    }

    /// A vector without what the basis spans; the second round removes what rounding left.
    fn beyond(&self, vector: &[f64]) -> Vec<f64> {
        let mut rest = vector.to_vec();
        for direction in self.directions.iter().chain(&self.directions) {
            let part = dot(&rest, direction);
            rest.iter_mut().zip(direction).for_each(|(a, b)| *a -= part * b);
        }
        rest
    }

    /// A unit vector orthogonal to the basis: the axis that sticks out most, made orthogonal.
    fn unseen(&self, columns: usize) -> Vec<f64> {
        let seen = |axis: usize| self.directions.iter().map(|direction| direction[axis] * direction[axis]).sum::<f64>();
        let axis = (0..columns).min_by(|&a, &b| seen(a).total_cmp(&seen(b))).unwrap_or(0);
        let vector: Vec<f64> = (0..columns).map(|at| if at == axis { 1.0 } else { 0.0 }).collect();
        let rest = self.beyond(&vector);
        let size = norm(&rest);
        rest.iter().map(|x| x / size).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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
        let rows = [vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 0.0], vec![1.0, 1.0, 1.0]];
        let factors = combination(&rows, &[2.0, 1.0, -1.0]);
        [3.0, -4.0, -1.0].iter().zip(factors).for_each(|(expected, found)| assert!((expected - found).abs() < 1e-12));
    }

    #[test]
    fn the_shortest_step_solves_the_rows() {
        let step = shortest_step(&[vec![1.0, 1.0], vec![2.0, 2.0]], &[-2.0, -4.0], 2);
        assert!((step[0] - 1.0).abs() < 1e-12 && (step[1] - 1.0).abs() < 1e-12);
    }
}
