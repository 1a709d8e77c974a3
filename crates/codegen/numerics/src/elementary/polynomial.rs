//! Polynomials, in the form that a processor with several adders likes.

use kernel::{Expression, LocalId};

/// c₀ + c₁z + c₂z² + …, given z and z²: Horner's rule in z² for the pairs (c₀ + c₁z) + z²·((c₂ + c₃z) + …), which costs
/// what Horner's rule costs, but the pairs are computed side by side and the chain of dependent operations is half as
/// long. Constants stand on the right, where many processors take them from memory without a register.
pub fn polynomial(z: LocalId, z2: LocalId, coefficients: &[f64]) -> Expression {
    let mut pairs = coefficients.chunks(2).rev().map(|pair| match *pair {
        [even, odd] => z * odd + even,
        [even] => Expression::from(even),
        _ => unreachable!("chunks of two"),
    });
    let last = pairs.next().expect("a coefficient");
    pairs.fold(last, |sum, pair| z2 * sum + pair)
}
