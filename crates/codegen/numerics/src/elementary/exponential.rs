//! The exponential function, and the parts of it that the hyperbolic functions share.
//!
//! x = k·log 2 + r with |r| ≤ log(2)/2, so that exp x = 2ᵏ·(cosh r + sinh r). The polynomials are those of
//! (sinh r - r)/r³ and (cosh r - 1 - r²/2)/r⁴ in r².

use super::Elementary;
use super::double_double::{Pair, fast_two_sum};
use super::polynomial::polynomial;
use super::quarter_turns::ROUNDING_SHIFT;
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Error below 0.65 ulp (0.60 found); below 0.8 where the result is subnormal and rounded twice.
pub fn exp(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    return_exponential(f, x, None, None);
}

/// Returns exp(x + x_low), where x_low is below 2⁻⁴⁰; with the sign bit of an integer, if there is one.
pub fn return_exponential(f: &mut FunctionBuilder, x: LocalId, x_low: Option<LocalId>, sign: Option<LocalId>) {
    let signed = |result: Expression| match sign {
        Some(sign) => result.xor(sign),
        None => result,
    };
    f.if_(x.abs().lt(NORMAL), |f| {
        let reduced = reduce(f, x, x_low);
        let y = one_plus(f, reduced);
        f.note("2^k * y by adding k to the exponent");
        let result = y.to_bits() + reduced.shifted.to_bits().shift_left(52);
        f.return_(signed(result).bits_to_real());
    });

    f.note("Overflow, underflow, subnormal results, and what is not a number: multiply by 2^(k/2) twice");
    let clamped = f.bind("clamped", Expression::from(-EXTREME).max(Expression::from(EXTREME).min(x)));
    let low = x_low.map(|low| f.bind("low", clamped.eq_(x).select(low, 0.0)));
    let reduced = reduce(f, clamped, low);
    let y = one_plus(f, reduced);
    let k = f.bind("k", reduced.k.to_integer());
    let result = scale(f, y, k);
    f.return_(signed(result.to_bits()).bits_to_real());
}

/// Up to this magnitude of x, exp x is a normal number.
const NORMAL: f64 = 708.0;

/// From this magnitude of x on, exp x overflows or underflows to zero.
const EXTREME: f64 = 800.0;

/// x + x_low = k·log 2 + r, |r| ≤ log(2)/2.
#[derive(Clone, Copy)]
pub struct Reduced {
    pub k: LocalId,
    /// A real whose lowest bits are those of k as an integer.
    pub shifted: LocalId,
    pub r: Pair,
}

/// k·log 2 is subtracted in two parts, of which the first is exact, for k has 11 bits and the part 42; what is lost is
/// below 2⁻⁹⁴·k. (Cody and Waite, 1980)
pub fn reduce(f: &mut FunctionBuilder, x: LocalId, x_low: Option<LocalId>) -> Reduced {
    let shifted = f.bind("shifted", x * std::f64::consts::LOG2_E + ROUNDING_SHIFT);
    let k = f.bind("k", shifted - ROUNDING_SHIFT);
    let first = f.bind("first", x - k * LOG_2[0]);
    let mut r = fast_two_sum(f, first, -(k * LOG_2[1]));
    if let Some(x_low) = x_low {
        r = fast_two_sum(f, r.high, r.low + x_low);
    }
    Reduced { k, shifted, r }
}

/// log 2 in two parts; the first is a multiple of 2⁻⁴².
pub const LOG_2: [f64; 2] = [0.6931471805598903, 5.497923018708371e-14];

/// exp r = 1 + r + the rest, where 1 + r is exact as a sum of two doubles.
fn one_plus(f: &mut FunctionBuilder, reduced: Reduced) -> LocalId {
    let tails = tails(f, reduced.r);
    let sum = fast_two_sum(f, 1.0, reduced.r.high);
    f.bind("y", sum.high + (sum.low + (tails.sinh + tails.cosh)))
}

/// sinh r = r + sinh and cosh r = 1 + cosh.
#[derive(Clone, Copy)]
pub struct Tails {
    pub sinh: LocalId,
    pub cosh: LocalId,
}

/// The low part of r enters by the derivatives, of which sinh' is taken to be 1.
pub fn tails(f: &mut FunctionBuilder, r: Pair) -> Tails {
    let Pair { high: r, low: r_low } = r;
    let z = f.bind("z", r * r);
    let z2 = f.bind("z2", z * z);
    let sinh = f.bind("sinh_tail", r_low + (r * z) * polynomial(z, z2, &SINH));
    let cosh = f.bind("cosh_tail", z * 0.5 + (z2 * polynomial(z, z2, &COSH) + r * r_low));
    Tails { sinh, cosh }
}

/// For |r| ≤ log(2)/2, r + r³·polynomial(r²) is sinh r to 2⁻⁶¹·⁷ of itself.
const SINH: [f64; 5] =
    [0.16666666666666677, 0.008333333333321376, 0.00019841269886867183, 2.755724337644198e-06, 2.5109355045266083e-08];

/// For |r| ≤ log(2)/2, 1 + r²/2 + r⁴·polynomial(r²) is cosh r to 2⁻⁶⁹ of itself.
const COSH: [f64; 5] =
    [0.041666666666666685, 0.001388888888887325, 2.480158734929587e-05, 2.75572517350228e-07, 2.0921793697294768e-09];

/// 2ᵏ·y for |k| ≤ 2000, in two steps of which only the second rounds, overflows or underflows.
pub fn scale(f: &mut FunctionBuilder, y: LocalId, k: LocalId) -> Expression {
    let half = f.bind("half", k.shift_right(1));
    y * power_of_two(half.get()) * power_of_two(k - half)
}

/// 2ᵏ for an integer k within the exponents of normal numbers.
pub fn power_of_two(k: Expression) -> Expression {
    (k + 1023).shift_left(52).bits_to_real()
}
