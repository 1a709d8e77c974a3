//! Hyperbolic sine, cosine and tangent.
//!
//! With |x| = k·log 2 + r and q = 2⁻²ᵏ,
//!
//!   sinh |x| = 2ᵏ⁻¹·((1 - q)·cosh r + (1 + q)·sinh r)
//!   cosh |x| = 2ᵏ⁻¹·((1 + q)·cosh r + (1 - q)·sinh r)
//!
//! from the same short polynomials as the exponential function. For k = 0 the first is sinh r and the second cosh r,
//! without cancellation. The large parts of the sums, those without the polynomials, are exact as sums of two doubles.

use super::Elementary;
use super::double_double::{Pair, fast_two_sum, quotient};
use super::exponential::{Reduced, Tails, power_of_two, reduce, scale, tails};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Error below 0.8 ulp (0.73 found).
pub fn sinh(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let halves = Halves::of(f, x, OVERFLOW);
    let sinh = halves.sinh(f);
    let result = halves.value(f, sinh);
    f.return_(result.copysign(x));
}

/// Error below 0.7 ulp (0.64 found).
pub fn cosh(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let halves = Halves::of(f, x, OVERFLOW);
    let cosh = halves.cosh(f);
    let result = halves.value(f, cosh);
    f.return_(result);
}

/// sinh/cosh, but 1 - 2/(exp 2|x| + 1) = 1 - 2q/(q + (exp r)²) from |x| = 1.73 on, where the difference is small.
/// Error below 0.8 ulp (0.70 found).
pub fn tanh(_: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let halves = Halves::of(f, x, SATURATION);
    f.if_(halves.k.ge(3), |f| {
        let Halves { reduced, tails, q, .. } = halves;
        let exponential = f.bind("exponential", (reduced.r.high + (tails.sinh + tails.cosh)) + 1.0);
        let rest = (q * 2.0) / (exponential * exponential + q);
        f.return_((1.0 - rest).copysign(x));
    });
    let (sinh, cosh) = (halves.sinh(f), halves.cosh(f));
    let result = quotient(f, sinh, cosh);
    f.return_(result.copysign(x));
}

/// Beyond this, sinh and cosh overflow.
const OVERFLOW: f64 = 720.0;

/// Beyond this, tanh is 1 to a hundred bits.
const SATURATION: f64 = 40.0;

/// What the three functions are composed of.
#[derive(Clone, Copy)]
struct Halves {
    reduced: Reduced,
    tails: Tails,
    /// k as an integer, not negative.
    k: LocalId,
    q: LocalId,
    /// q·r, exact.
    qr: LocalId,
}

impl Halves {
    /// |x| is cut off at the limit; what is not a number stays so.
    fn of(f: &mut FunctionBuilder, x: LocalId, limit: f64) -> Halves {
        let magnitude = f.bind("magnitude", Expression::from(limit).min(x.abs()));
        let reduced = reduce(f, magnitude, None);
        let tails = tails(f, reduced.r);
        let k = f.bind("k", reduced.k.to_integer());
        f.note("q = 2^(-2k), or something negligible");
        let q = f.bind("q", power_of_two(-2 * k.lt(100).select(k, 100)));
        let qr = f.bind("qr", q * reduced.r.high);
        Halves { reduced, tails, k, q, qr }
    }

    /// 2¹⁻ᵏ·sinh |x| = (1 - q) + (r + q·r) + (1 - q)·cosh_tail + (1 + q)·sinh_tail
    fn sinh(&self, f: &mut FunctionBuilder) -> Pair {
        let constant = fast_two_sum(f, 1.0, -self.q);
        let linear = fast_two_sum(f, self.reduced.r.high, self.qr);
        let tail = constant.high * self.tails.cosh + (self.q + 1.0) * self.tails.sinh;
        self.sum(f, constant, linear, tail)
    }

    /// 2¹⁻ᵏ·cosh |x| = (1 + q) + (r - q·r) + (1 + q)·cosh_tail + (1 - q)·sinh_tail
    fn cosh(&self, f: &mut FunctionBuilder) -> Pair {
        let constant = fast_two_sum(f, 1.0, self.q);
        let linear = fast_two_sum(f, self.reduced.r.high, -self.qr);
        let tail = constant.high * self.tails.cosh + (1.0 - self.q) * self.tails.sinh;
        self.sum(f, constant, linear, tail)
    }

    /// The constant is zero or larger than the linear part, which is larger than the tail.
    fn sum(&self, f: &mut FunctionBuilder, constant: Pair, linear: Pair, tail: Expression) -> Pair {
        let sum = fast_two_sum(f, constant.high, linear.high);
        let low = sum.low + ((constant.low + linear.low) + tail);
        fast_two_sum(f, sum.high, low)
    }

    fn value(&self, f: &mut FunctionBuilder, scaled: Pair) -> Expression {
        let less = f.bind("less", self.k - 1);
        scale(f, scaled.high, less)
    }
}
