//! Unevaluated sums of two doubles, about 106 bits, from exact sums and products without fused multiply-add.
//!
//! Dekker, *A floating-point technique for extending the available precision*, 1971. The exactness of each step needs
//! rounding to nearest and neither overflow nor underflow.

use kernel::{Expression, FunctionBuilder, LocalId};

/// The number `high + low`, where `low` is a correction that is small beside `high`.
#[derive(Clone, Copy)]
pub struct Pair {
    pub high: LocalId,
    pub low: LocalId,
}

/// a + b as the rounded sum and its exact error (3 operations). Needs |a| ≥ |b|, or a = 0, or a multiple of the last
/// place of b in a.
pub fn fast_two_sum(f: &mut FunctionBuilder, a: impl Into<Expression>, b: impl Into<Expression>) -> Pair {
    let a = f.bind("a", a);
    let b = f.bind("b", b);
    let high = f.bind("sum", a + b);
    let low = f.bind("sum_low", (a - high) + b);
    Pair { high, low }
}

/// a·b as the rounded product and its exact error (17 operations).
pub fn two_product(f: &mut FunctionBuilder, a: LocalId, b: LocalId) -> Pair {
    let high = f.bind("product", a * b);
    let (a, b) = (split(f, a), split(f, b));
    let low = ((a.high * b.high - high) + a.high * b.low + a.low * b.high) + a.low * b.low;
    let low = f.bind("product_low", low);
    Pair { high, low }
}

/// a² as the rounded square and its exact error (11 operations).
pub fn two_square(f: &mut FunctionBuilder, a: LocalId) -> Pair {
    let high = f.bind("square", a * a);
    let a = split(f, a);
    let low = f.bind("square_low", ((a.high * a.high - high) + (a.high * 2.0) * a.low) + a.low * a.low);
    Pair { high, low }
}

/// Two halves of 26 bits each, whose products are exact (4 operations, Veltkamp). Overflows above 2⁹⁹⁶.
pub fn split(f: &mut FunctionBuilder, a: LocalId) -> Pair {
    let scaled = f.bind("scaled", a * 134217729.0);
    let high = f.bind("half_high", scaled - (scaled - a));
    let low = f.bind("half_low", a - high);
    Pair { high, low }
}

/// The quotient, rounded to a double: off by half an ulp and by what the pairs are off themselves (26 operations).
///
/// A first quotient is corrected by its remainder, of which all large parts are exact.
pub fn quotient(f: &mut FunctionBuilder, numerator: Pair, denominator: Pair) -> Expression {
    let inverse = f.bind("inverse", 1.0 / denominator.high);
    let quotient = f.bind("quotient", numerator.high * inverse);
    let product = two_product(f, quotient, denominator.high);
    let remainder = ((numerator.high - product.high) - product.low) + (numerator.low - quotient * denominator.low);
    quotient + remainder * inverse
}
