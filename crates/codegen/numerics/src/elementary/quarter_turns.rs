//! Reduction of an angle to a number of quarter turns and a rest of at most π/4.
//!
//! The rest is needed to more than 53 bits, for x may lie as close to a multiple of π/2 as 2⁻⁶²: it is a sum of two
//! doubles, `rest + rest_low`.

use super::double_double::{Pair, fast_two_sum, two_product};
use super::fixed_point::power_of_two;
use super::{Elementary, Function};
use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, LocalId, Term};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// x = quarters·π/2 + rest + rest_low. Only the last two bits of `quarters` count.
#[derive(Clone, Copy)]
pub struct Reduced {
    pub quarters: LocalId,
    pub rest: LocalId,
    pub rest_low: LocalId,
}

/// 11 operations and a branch for |x| below 200 000; a call beyond.
pub fn reduce(elementary: &mut Elementary, f: &mut FunctionBuilder, x: LocalId) -> Reduced {
    let large = elementary.function(f.module(), Function::QuarterTurns);
    let quarters = f.local("quarters", Integer);
    let rest = f.local("rest", Real);
    let rest_low = f.local("rest_low", Real);
    f.if_else(
        x.abs().lt(MODERATE),
        |f| reduce_moderate(f, x, Reduced { quarters, rest, rest_low }),
        |f| f.call_into(&[quarters, rest, rest_low], large, x),
    );
    Reduced { quarters, rest, rest_low }
}

/// Below this, the number of quarter turns has at most 17 bits.
const MODERATE: f64 = 200_000.0;

/// π/2 in three parts, the first two of 36 bits, so that their products with 17 bits are exact. (Cody and Waite, 1980)
const HALF_PI: [f64; 3] = [1.5707963267923333, 2.5633441515839558e-12, 1.0562999066987428e-23];

/// 1.5·2⁵²: adding it rounds to an integer, whose low bits are then the low bits of the sum.
pub const ROUNDING_SHIFT: f64 = 6755399441055744.0;

/// The first difference is exact, and so is the second as a sum of two doubles: x is a multiple of 2⁻⁵³. What remains
/// is the rounding in the third part, below 2⁻¹²⁹ for each quarter turn. The doubles with up to 2¹⁷ quarter turns keep
/// at least 2⁻⁶⁸ for each quarter turn away from a multiple of π/2 (searched), so the rest is good to 2⁻⁶⁰ of itself.
fn reduce_moderate(f: &mut FunctionBuilder, x: LocalId, reduced: Reduced) {
    let shifted = f.bind("shifted", x * FRAC_2_PI + ROUNDING_SHIFT);
    f.assign(reduced.quarters, shifted.to_bits());
    let n = f.bind("n", shifted - ROUNDING_SHIFT);
    let first = f.bind("first", x - n * HALF_PI[0]);
    let second = f.bind("second", n * HALF_PI[1]);
    f.assign(reduced.rest, first - second);
    f.assign(reduced.rest_low, ((first - reduced.rest) - second) - n * HALF_PI[2]);
}

/// The reduction of |x| ≥ 1, however large, by exact multiplication with as many bits of 2/π as matter. (Payne and
/// Hanek, 1983)
///
/// With |x| = m·2ᵉ, the words of 2/π that would give multiples of four quarter turns are left out; the next 210 bits of
/// the product follow from integer multiplication, 30 bits in a column. Doubles keep 2⁻⁶² away from multiples of π/2, so
/// that the rest is good to 2⁻⁸⁰ of itself.
// Long: one multiplication, column by column, in which the carries are handed on.
pub fn reduce_large(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    f.note("Infinite or not a number");
    f.if_(x.abs().lt(f64::INFINITY).logical_not(), |f| f.return_((0, f64::NAN, 0.0)));
    let words = *elementary.tables.two_over_pi.get_or_insert_with(|| {
        f.module().integers(
            "two_over_pi",
            &TWO_OVER_PI_WORDS,
            "2/π as a binary fraction: 60 zeros, then 30 bits a word",
        )
    });

    f.note("|x| = (m1 * 2^30 + m0) * 2^e");
    let bits = f.bind("bits", x.to_bits());
    let m0 = f.bind("m0", bits.and(WORD));
    let m1 = f.bind("m1", bits.shift_right(30).and((1 << 22) - 1).or(1 << 22));
    let exponent = f.bind("exponent", bits.shift_right(52).and(0x7ff));

    f.note("The first word that matters, at 30-bit steps, and the bits left over: (e + 58) / 30 and the remainder");
    let steps = f.bind("steps", exponent - (1075 - 58));
    let start = f.bind("start", (steps * 34953).shift_right(20));
    let shift = f.bind("shift", steps - start * 30);

    f.note("The product, column by column from the right; what is carried out of the left end is whole turns");
    let carry = f.integer("carry", 0);
    let mut columns = Vec::new();
    for column in (0..COLUMNS).rev() {
        let sum = f.bind("sum", m0 * words.at(start + column) + m1 * words.at(start + (column + 1)) + carry);
        f.assign(carry, sum.shift_right(30));
        columns.push(f.bind("column", sum.and(WORD)));
    }
    columns.reverse();

    f.note("60 bits a piece, moved left so that the first two bits count quarter turns");
    let piece = |i: usize| columns[2 * i].shift_left(30).or(columns[2 * i + 1]);
    let pieces = [0, 1, 2].map(|i| f.bind("piece", piece(i)));
    let moved = |i: usize| pieces[i].shift_left(shift).and(TWO_WORDS).or(pieces[i + 1].shift_right(60 - shift.get()));
    let first = f.bind("first", moved(0));
    let second = f.bind("second", moved(1));
    let third = f.bind("third", pieces[2].shift_left(shift).and(TWO_WORDS));

    f.note("More than half a quarter turn: round up, and take the complement of the fraction");
    let up = f.bind("up", first.shift_right(57).and(1));
    let flip = f.bind("flip", -up);
    let negative = f.bind("negative", bits.shift_right(63));
    let quarters = f.bind("quarters", first.shift_right(58) + up);
    let first = f.bind("first", first.xor(flip).and((1i64 << 58) - 1));
    let second = f.bind("second", second.xor(flip).and(TWO_WORDS));
    let third = f.bind("third", third.xor(flip).and(TWO_WORDS));
    let sign = f.bind("sign", flip.xor(negative).or(1).to_real());

    let fraction = sum_of_words(f, first, second, third);
    let high = f.bind("high", sign * fraction.high);
    let low = f.bind("low", sign * fraction.low);

    f.note("Times pi / 2");
    let half_pi = f.bind("half_pi", FRAC_PI_2);
    let rest = two_product(f, high, half_pi);
    let rest_low = rest.low + (high * HALF_PI_LOW + low * half_pi);
    f.return_((quarters.xor(negative) - negative, rest.high, rest_low));
}

/// π/2 - fl(π/2)
const HALF_PI_LOW: f64 = 6.123233995736766e-17;

const COLUMNS: usize = 7;
const WORD: i64 = (1 << 30) - 1;
const TWO_WORDS: i64 = (1 << 60) - 1;

/// 2⁻⁵⁸·first + 2⁻¹¹⁸·second + 2⁻¹⁷⁸·third to about 100 bits, however many of them lead with zeros.
fn sum_of_words(f: &mut FunctionBuilder, first: LocalId, second: LocalId, third: LocalId) -> Pair {
    let scaled = |word: Expression, exponent: i32| word.to_real() * power_of_two(exponent);
    let top = fast_two_sum(f, scaled(first.shift_right(30), -28), scaled(first.and(WORD), -58));
    let middle = fast_two_sum(f, top.low + scaled(second.shift_right(30), -88), scaled(second.and(WORD), -118));
    let sum = fast_two_sum(f, top.high, middle.high);
    let low = f.bind("low", sum.low + (middle.low + scaled(third.shift_right(30), -148)));
    Pair { high: sum.high, low }
}

#[rustfmt::skip]
static TWO_OVER_PI_WORDS: [i64; 42] = [
    0x00000000, 0x00000000, 0x28be60db, 0x24e44152, 0x27f09d5f, 0x11f534dd, 0x3036d8a5,
    0x1993c439, 0x0107f945, 0x23abdebb, 0x31586dc9, 0x06e3a424, 0x374b8019, 0x092eea09,
    0x3464873f, 0x21deb1cb, 0x04a69cfb, 0x288235f5, 0x0baed121, 0x0e99c702, 0x1ad17df9,
    0x013991d6, 0x0e60d4ce, 0x1f49c845, 0x3e2ef7e4, 0x283b1ff8, 0x25fff781, 0x1980fef2,
    0x3c462d68, 0x0a6d1f6d, 0x0d9fb3c9, 0x3cb09b74, 0x3d18fd9a, 0x1e5fea2d, 0x1d49eeb1,
    0x3ebe5f17, 0x2cf41ce7, 0x378a5292, 0x3a9afed7, 0x3b11f8d5, 0x3421580c, 0x3046fc7b,
];
