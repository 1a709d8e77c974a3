//! Numerical rank of small dense matrices, row by row, so that dependent rows can be named.

/// Rows that depend on rows before them, ascending, and a direction that no row sees, if there is one.
pub struct Analysis {
    pub dependent_rows: Vec<usize>,
    pub null_vector: Option<Vec<f64>>,
}

/// What is left of a row counts as nothing below this part of its original size.
const VANISHING: f64 = 1e-8;

/// Modified Gram–Schmidt, twice, in the given order of rows.
///
/// Values that are not finite tell nothing, so nothing is found wanting.
pub fn analyse(rows: &[Vec<f64>], columns: usize) -> Analysis {
    if rows.iter().flatten().any(|value| !value.is_finite()) {
        return Analysis { dependent_rows: Vec::new(), null_vector: None };
    }
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut dependent_rows = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let size = norm(row);
        let mut rest = row.clone();
        remove(&mut rest, &basis);
        let left = norm(&rest);
        if left <= VANISHING * size || left == 0.0 {
            dependent_rows.push(at);
        } else {
            rest.iter_mut().for_each(|x| *x /= left);
            basis.push(rest);
        }
    }
    let null_vector = (basis.len() < columns).then(|| unseen(&basis, columns));
    Analysis { dependent_rows, null_vector }
}

/// The factors with which some independent rows add up to another row.
pub fn combination(independent: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for row in independent {
        let mut rest = row.clone();
        remove(&mut rest, &basis);
        let left = norm(&rest);
        rest.iter_mut().for_each(|x| *x /= left);
        basis.push(rest);
    }
    // The last direction occurs in the last row only, the one before it in two, and so on.
    let mut factors = vec![0.0; basis.len()];
    for at in (0..basis.len()).rev() {
        let rest = dot(row, &basis[at])
            - (at + 1..basis.len()).map(|later| factors[later] * dot(&independent[later], &basis[at])).sum::<f64>();
        factors[at] = rest / dot(&independent[at], &basis[at]);
    }
    factors
}

/// Takes away what the basis spans; the second round removes what rounding left.
fn remove(vector: &mut [f64], basis: &[Vec<f64>]) {
    for _ in 0..2 {
        for direction in basis {
            let part = dot(vector, direction);
            vector.iter_mut().zip(direction).for_each(|(a, b)| *a -= part * b);
        }
    }
}

/// A unit vector orthogonal to the basis: the axis that sticks out most, made orthogonal.
fn unseen(basis: &[Vec<f64>], columns: usize) -> Vec<f64> {
    let seen = |axis: usize| basis.iter().map(|direction| direction[axis] * direction[axis]).sum::<f64>();
    let axis = (0..columns).min_by(|&a, &b| seen(a).total_cmp(&seen(b))).unwrap_or(0);
    let mut vector = vec![0.0; columns];
    vector[axis] = 1.0;
    remove(&mut vector, basis);
    let size = norm(&vector);
    vector.iter_mut().for_each(|x| *x /= size);
    vector
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// The shortest step x with rows · x = -residuals, as far as the rows are independent.
pub fn shortest_step(rows: &[Vec<f64>], residuals: &[f64], columns: usize) -> Vec<f64> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut step = vec![0.0; columns];
    for (row, residual) in rows.iter().zip(residuals) {
        let size = norm(row);
        let mut rest = row.clone();
        remove(&mut rest, &basis);
        let left = norm(&rest);
        if left <= VANISHING * size || left == 0.0 {
            continue;
        }
        rest.iter_mut().for_each(|x| *x /= left);
        let reached: f64 = row.iter().zip(&step).map(|(a, b)| a * b).sum();
        let missing = (-residual - reached) / left;
        step.iter_mut().zip(&rest).for_each(|(x, direction)| *x += missing * direction);
        basis.push(rest);
    }
    step
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
