//! The natural logarithm, to 53 bits and to the more than 64 that powers need.
//!
//! x = 2ᵏ·m with 0.7 < m < 1.41. A table gives a short number c near 1/m and its logarithm; then
//! log x = k·log 2 - log c + log(1 + r) with r = m·c - 1, |r| ≤ 2⁻⁶, and no division. (Tang, *Table-driven implementation
//! of the logarithm function*, 1990.) Around 1 the table has c = 1, so that nothing cancels there.

use super::Elementary;
use super::double_double::{Pair, fast_two_sum, two_square};
use super::exponential::LOG_2;
use super::fixed_point::{Fixed, power_of_two};
use super::polynomial::polynomial;
use kernel::{ArrayId, FunctionBuilder, LocalId, ModuleBuilder, Term};

/// Error below 0.55 ulp (0.51 found).
pub fn log(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let normal = f.bind("normal", x);
    let exponent = f.integer("exponent", 0);
    f.if_(is_normal(x).logical_not(), |f| {
        f.if_(x.eq_(0.0), |f| f.return_(f64::NEG_INFINITY));
        f.if_(x.eq_(f64::INFINITY), |f| f.return_(x));
        f.if_(x.gt(0.0).logical_not(), |f| f.return_(f64::NAN));
        normalise(f, normal, exponent);
    });
    let table = table(elementary, f.module());
    let reduced = reduce(f, table, normal, exponent);
    let r = reduced.r.high;
    let tail = f.bind("tail", reduced.r.low + reduced.low);
    let sum = fast_two_sum(f, reduced.high, r);
    let square = f.bind("square", r * r);
    let series = (r * square) * polynomial(r, square, &SERIES) - square * 0.5;
    f.return_(sum.high + (sum.low + (tail + series)));
}

/// log x as a sum of two doubles, for a positive normal x times 2^exponent. Relative error below 2⁻⁶⁵.
///
/// Beside what [`log`] does, the rounding of r²/2 is kept, and the derivative for the low part of r. What remains is the
/// rounding of the cubic term, 2⁻⁵³·r²/3 of the whole around x = 1.
pub fn log_pair(elementary: &mut Elementary, f: &mut FunctionBuilder, x: LocalId, exponent: LocalId) -> Pair {
    let table = table(elementary, f.module());
    let reduced = reduce(f, table, x, exponent);
    let r = reduced.r.high;
    let square = two_square(f, r);
    let linear = fast_two_sum(f, reduced.high, r);
    let quadratic = fast_two_sum(f, linear.high, square.high * -0.5);
    let cubic = (r * square.high) * polynomial(r, square.high, &SERIES);
    let tail = (reduced.r.low - r * reduced.r.low) + (reduced.low - square.low * 0.5);
    let low = f.bind("low", cubic + (tail + (linear.low + quadratic.low)));
    fast_two_sum(f, quadratic.high, low)
}

/// For -0.0091 ≤ r ≤ 2⁻⁶, r - r²/2 + r³·polynomial(r) is log(1 + r) to 2⁻⁶⁶ of itself.
const SERIES: [f64; 7] = [
    0.3333333333333342,
    -0.2500000000000711,
    0.19999999996180293,
    -0.16666666419561207,
    0.14285760081084897,
    -0.12502778014019864,
    0.10948467783147145,
];

/// log x = high + log(1 + r) + low, where `high` is exact and larger than r, or zero.
struct Reduced {
    high: LocalId,
    r: Pair,
    low: LocalId,
}

fn reduce(f: &mut FunctionBuilder, table: Table, x: LocalId, exponent: LocalId) -> Reduced {
    f.note("x = 2^k * m, and the place of m in the table");
    let bits = f.bind("bits", x.to_bits());
    let above = f.bind("above", bits - LEAST.to_bits() as i64);
    let shift = f.bind("shift", above.shift_right(52));
    let place = f.bind("place", above.shift_right(52 - PLACE_BITS).and(PLACES as i64 - 1));
    let m = f.bind("m", (bits - shift.shift_left(52)).bits_to_real());
    let k = f.bind("k", (shift + exponent).to_real());

    f.note("r = m * c - 1, exact: the upper half of m has 26 bits, c has 9");
    let c = f.bind("c", table.inverse.at(place));
    let upper = f.bind("upper", m.to_bits().and(-1 << 27).bits_to_real());
    let r = fast_two_sum(f, upper * c - 1.0, (m - upper) * c);

    let high = f.bind("high", k * LOG_2[0] + table.log_high.at(place));
    let low = f.bind("low", k * LOG_2[1] + table.log_low.at(place));
    Reduced { high, r, low }
}

/// Whether x is a positive normal number.
pub fn is_normal(x: LocalId) -> kernel::Expression {
    x.ge(f64::MIN_POSITIVE).and(x.lt(f64::INFINITY))
}

/// Turns a subnormal x into a normal one, times 2^exponent.
pub fn normalise(f: &mut FunctionBuilder, x: LocalId, exponent: LocalId) {
    f.assign(x, x * power_of_two(54));
    f.assign(exponent, -54);
}

/// For each interval of m: c, and -log c in two parts, of which the first is a multiple of 2⁻⁴² as that of log 2.
#[derive(Clone, Copy)]
pub struct Table {
    inverse: ArrayId,
    log_high: ArrayId,
    log_low: ArrayId,
}

/// The least m. It ends an interval, and so does 1.
const LEAST: f64 = 0.703125;
const PLACE_BITS: usize = 6;
const PLACES: usize = 1 << PLACE_BITS;

fn table(elementary: &mut Elementary, module: &mut ModuleBuilder) -> Table {
    *elementary.tables.logarithm.get_or_insert_with(|| {
        let inverses: Vec<i128> = (0..PLACES as u64).map(inverse).collect();
        let logs: Vec<(f64, f64)> = inverses.iter().map(|&c| Fixed::log(256, c).parts(42)).collect();
        let (high, low): (Vec<f64>, Vec<f64>) = logs.into_iter().unzip();
        let inverses: Vec<f64> = inverses.iter().map(|&c| c as f64 / 256.0).collect();
        Table {
            inverse: module.reals("log_inverse", &inverses, "c, near 1/m for each interval of m"),
            log_high: module.reals("log_high", &high, "-log c to 42 binary places"),
            log_low: module.reals("log_low", &low, "-log c, the rest"),
        }
    })
}

/// 256 times the c of an interval: the inverse of its middle, but 1 on both sides of 1.
fn inverse(place: u64) -> i128 {
    let bound = |place: u64| f64::from_bits(LEAST.to_bits() + (place << (52 - PLACE_BITS)));
    let (from, to) = (bound(place), bound(place + 1));
    if from == 1.0 || to == 1.0 { 256 } else { (512.0 / (from + to)).round() as i128 }
}
