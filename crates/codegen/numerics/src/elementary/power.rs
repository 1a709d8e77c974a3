//! Powers: xʸ = exp(y·log x), with the logarithm and the product as sums of two doubles.
//!
//! An absolute error e of y·log x is a relative error e of the power. As |y·log x| < 745 without over- or underflow, the
//! logarithm's 2⁻⁶⁵ become less than 0.2 ulp.

use super::Elementary;
use super::double_double::two_product;
use super::exponential::return_exponential;
use super::logarithm::{is_normal, log_pair, normalise};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Error below 0.8 ulp (0.75 found).
pub fn pow(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [x, y] = f.parameters();
    let base = f.bind("base", x);
    let exponent = f.integer("exponent", 0);
    let sign = f.integer("sign", 0);
    f.if_(is_normal(x).and(y.abs().lt(HUGE)).logical_not(), |f| {
        return_special(f, x, y);
        f.note("A negative base and an integer y: the power of the magnitude, with a sign if y is odd");
        f.assign(base, x.abs());
        f.assign(sign, x.lt(0.0).and(is_odd(y)).shift_left(63));
        f.if_(base.lt(f64::MIN_POSITIVE), |f| normalise(f, base, exponent));
    });
    let log = log_pair(elementary, f, base, exponent);
    let product = two_product(f, y, log.high);
    let low = f.bind("low", product.low + y * log.low);
    return_exponential(f, product.high, Some(low), Some(sign));
}

/// Beyond this magnitude of y every power overflows or underflows, except that of 1; and y is even.
const HUGE: f64 = 1.2e21; // about 2⁷⁰

/// The values that IEEE 754-2019, section 9.2.1 gives for zeros, infinities and what is not a number.
fn return_special(f: &mut FunctionBuilder, x: LocalId, y: LocalId) {
    let magnitude = f.bind("magnitude", x.abs());
    f.if_(y.eq_(0.0).or(x.eq_(1.0)), |f| f.return_(1.0));
    f.if_(x.ne_(x).or(y.ne_(y)), |f| f.return_(f64::NAN));
    f.note("A huge or infinite y");
    f.if_(y.abs().ge(HUGE), |f| {
        f.if_(magnitude.eq_(1.0), |f| f.return_(1.0));
        let grows = magnitude.gt(1.0).eq_(y.gt(0.0));
        f.return_(grows.select(f64::INFINITY, 0.0));
    });
    f.note("A zero or infinite base");
    f.if_(magnitude.eq_(0.0).or(magnitude.eq_(f64::INFINITY)), |f| {
        let grows = magnitude.gt(1.0).eq_(y.gt(0.0));
        let result = f.bind("result", grows.select(f64::INFINITY, 0.0));
        f.return_(is_odd(y).select(result.copysign(x), result));
    });
    f.if_(x.lt(0.0).and(y.ne_(y.floor())), |f| f.return_(f64::NAN));
}

/// Whether y is an odd integer: y/2 lies half way between integers.
fn is_odd(y: LocalId) -> Expression {
    let half = || y * 0.5;
    (half() - half().floor()).eq_(0.5)
}
