//! Arc sine and arc cosine.

use super::Elementary;
use super::double_double::{Pair, fast_two_sum};
use super::polynomial::polynomial;
use kernel::{Expression, FunctionBuilder, LocalId, Term};
use std::f64::consts::{FRAC_PI_2, PI};

/// For |x| < 1/2 the polynomial of (asin x - x)/x³ in x², else asin|x| = π/2 - 2·asin(√((1 - |x|)/2)).
/// Error below 0.7 ulp (0.66 found).
pub fn asin(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    f.if_(x.abs().lt(0.5), |f| {
        let z = f.bind("z", x * x);
        let tail = arcsine_tail(f, x, z);
        f.return_(x + tail);
    });
    f.note("At the ends, outside, and what is not a number");
    f.if_(x.abs().lt(1.0).logical_not(), |f| {
        f.return_(x.abs().eq_(1.0).select(Expression::from(FRAC_PI_2).copysign(x), f64::NAN));
    });
    let half = half_angle(f, x.abs());
    let sum = fast_two_sum(f, FRAC_PI_2, half.high * -2.0);
    let result = sum.high + (sum.low + (FRAC_PI_2_LOW - half.low * 2.0));
    f.return_(result.copysign(x));
}

/// For |x| < 1/2 π/2 - asin x, else acos|x| = 2·asin(√((1 - |x|)/2)), and π minus that for a negative x.
/// Error below 0.7 ulp (0.65 found).
pub fn acos(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    f.if_(x.abs().lt(0.5), |f| {
        let z = f.bind("z", x * x);
        let tail = arcsine_tail(f, x, z);
        let sum = fast_two_sum(f, FRAC_PI_2, -x);
        f.return_(sum.high + (sum.low + (FRAC_PI_2_LOW - tail)));
    });
    f.note("At the ends, outside, and what is not a number");
    f.if_(x.abs().lt(1.0).logical_not(), |f| {
        f.return_(x.eq_(1.0).select(0.0, x.eq_(-1.0).select(PI, f64::NAN)));
    });
    let half = half_angle(f, x.abs());
    f.if_(x.gt(0.0), |f| f.return_((half.high + half.low) * 2.0));
    let sum = fast_two_sum(f, PI, half.high * -2.0);
    f.return_(sum.high + (sum.low + (PI_LOW - half.low * 2.0)));
}

/// π/2 - fl(π/2) and π - fl(π)
const FRAC_PI_2_LOW: f64 = 6.123233995736766e-17;
const PI_LOW: f64 = 1.2246467991473532e-16;

/// acos(x)/2 = asin(s) with s = √((1 - x)/2), for 1/2 ≤ x < 1.
///
/// The root is corrected: with its first 26 bits h, s = h + (s² - h²)/(s + h), where s² - h² is exact.
fn half_angle(f: &mut FunctionBuilder, x: Expression) -> Pair {
    let z = f.bind("z", (1.0 - x) * 0.5);
    let s = f.bind("s", z.sqrt());
    let high = f.bind("high", s.to_bits().and(-1 << 27).bits_to_real());
    let correction = (z - high * high) / (s + high);
    let tail = arcsine_tail(f, s, z);
    Pair { high, low: f.bind("low", correction + tail) }
}

/// asin x - x for z = x² ≤ 1/4.
fn arcsine_tail(f: &mut FunctionBuilder, x: LocalId, z: LocalId) -> LocalId {
    let z2 = f.bind("z2", z * z);
    f.bind("tail", x * (z * polynomial(z, z2, &ARCSINE)))
}

/// For |x| ≤ 1/2, x + x³·polynomial(x²) is asin x to 2⁻⁵⁹·⁸ of itself.
const ARCSINE: [f64; 13] = [
    0.1666666666666676,
    0.07499999999970859,
    0.04464285717457152,
    0.030381942709226558,
    0.02237221495671228,
    0.017351612438508378,
    0.013980816690448988,
    0.011398935481834077,
    0.010780161808714462,
    0.003706623744854356,
    0.021707199112395225,
    -0.020999058575237827,
    0.032628816971254165,
];
