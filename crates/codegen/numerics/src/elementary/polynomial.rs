//! Polynomials, in the form that a processor with several adders likes.

use kernel::{Expression, LocalId};

/// c₀ + c₁z + c₂z² + …, given z and z²: Horner's rule for the even and the odd powers apart, so that the two chains of
/// dependent operations run at the same time and each is half as long.
pub fn polynomial(z: LocalId, z2: LocalId, coefficients: &[f64]) -> Expression {
    let even: Vec<f64> = coefficients.iter().copied().step_by(2).collect();
    let odd: Vec<f64> = coefficients.iter().copied().skip(1).step_by(2).collect();
    horner(z2, &even) + z * horner(z2, &odd)
}

fn horner(z: LocalId, coefficients: &[f64]) -> Expression {
    let (last, rest) = coefficients.split_last().expect("a coefficient");
    rest.iter().rev().fold(Expression::from(*last), |sum, &coefficient| coefficient + z * sum)
}
