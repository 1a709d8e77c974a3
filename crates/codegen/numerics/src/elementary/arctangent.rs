//! The arc tangent, and the angle of a point in the plane.
//!
//! The angle is that of a point (b, a) in the first octant, 0 ≤ a ≤ b, turned by quarter turns and reflected. There, a
//! table of the angles of (1, c) for c = i/16 reduces it: artan(a/b) = artan(c) + artan(t), t = (a - c·b)/(b + c·a), with
//! |t| ≤ 1/32; but c = 0 for a/b < 7/32, where the rounding of a difference would show. The polynomial is that of
//! (artan t - t)/t³ in t².

use super::Elementary;
use super::double_double::{fast_two_sum, split, two_product};
use super::fixed_point::{Fixed, power_of_two};
use super::polynomial::polynomial;
use super::quarter_turns::ROUNDING_SHIFT;
use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Term};

/// The angle of (1, x). Error below 0.7 ulp (0.61 found).
pub fn atan(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let magnitude = f.bind("magnitude", x.abs());
    f.note("So small that the result is x, so large that it is a quarter turn, or not a number");
    f.if_(magnitude.gt(power_of_two(-30)).and(magnitude.lt(power_of_two(60))).logical_not(), |f| {
        f.if_(magnitude.gt(1.0), |f| f.return_(Expression::from(std::f64::consts::FRAC_PI_2).copysign(x)));
        f.return_(x);
    });
    let steep = f.bind("steep", magnitude.gt(1.0));
    let a = f.bind("a", magnitude.min(1.0));
    let b = f.bind("b", magnitude.max(1.0));
    let ratio = f.bind("ratio", a / b);
    let direction = f.bind("direction", direction(steep.get()));
    let result = angle(elementary, f, Octant { a, b, ratio, quarters: steep, direction });
    f.return_(result.copysign(x));
}

/// The angle of (x, y). Error below 0.7 ulp (0.60 found).
pub fn atan2(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [y, x] = f.parameters();
    let steep = f.bind("steep", y.abs().gt(x.abs()));
    let backward = f.bind("backward", x.to_bits().shift_right_logical(63));
    let quarters = f.bind("quarters", steep.select(1, 2 * backward));
    let direction = f.bind("direction", direction(steep.xor(backward)));
    let a = f.bind("a", x.abs().min(y.abs()));
    f.note("The other way round, for a minimum or maximum with what is not a number is its second operand");
    let b = f.bind("b", y.abs().max(x.abs()));
    let ratio = f.bind("ratio", a / b);
    let octant = Octant { a, b, ratio, quarters, direction };
    let ordinary = ratio.gt(LEAST_RATIO).and(b.gt(LEAST_SIZE)).and(b.lt(LARGEST_SIZE));
    f.if_(ordinary.logical_not(), |f| prepare_extreme(f, x, y, octant));
    let result = angle(elementary, f, octant);
    f.return_(result.copysign(y));
}

/// Zeros, infinities, what is not a number, and sizes where an intermediate result would over- or underflow.
fn prepare_extreme(f: &mut FunctionBuilder, x: LocalId, y: LocalId, octant: Octant) {
    let Octant { a, b, ratio, quarters, .. } = octant;
    f.if_(x.ne_(x).or(y.ne_(y)), |f| f.return_(f64::NAN));
    f.if_(b.eq_(0.0), |f| f.assign(b, 1.0));
    f.if_(b.eq_(f64::INFINITY), |f| {
        f.assign(a, a.eq_(f64::INFINITY).select(1.0, 0.0));
        f.assign(b, 1.0);
    });
    let scale = f.bind("scale", 1.0);
    f.if_(b.le(LEAST_SIZE), |f| f.assign(scale, power_of_two(600)));
    f.if_(b.ge(LARGEST_SIZE), |f| f.assign(scale, power_of_two(-60)));
    f.assign(a, a * scale);
    f.assign(b, b * scale);
    f.assign(ratio, a / b);
    f.note("An angle so small that it is the ratio, or nothing beside a quarter turn");
    f.if_(ratio.le(LEAST_RATIO), |f| {
        f.if_(quarters.eq_(0), |f| f.return_(ratio.copysign(y)));
        f.assign(a, 0.0);
        f.assign(ratio, 0.0);
    });
}

/// 2⁻⁵⁰⁰, 2⁻⁴⁰⁰ and 2⁹⁹⁰
const LEAST_RATIO: f64 = f64::from_bits((1023 - 500) << 52);
const LEAST_SIZE: f64 = f64::from_bits((1023 - 400) << 52);
const LARGEST_SIZE: f64 = f64::from_bits((1023 + 990) << 52);

/// The angle quarters·π/2 + direction·artan(a/b), where 0 ≤ a ≤ b and the direction is 1 or -1.
#[derive(Clone, Copy)]
struct Octant {
    a: LocalId,
    b: LocalId,
    /// a/b
    ratio: LocalId,
    quarters: LocalId,
    direction: LocalId,
}

/// -1 for 1 and 1 for 0: the sign bit of 1.
fn direction(reversed: Expression) -> Expression {
    reversed.shift_left(63).or(1f64.to_bits() as i64).bits_to_real()
}

/// The error is half an ulp, and 2⁻⁵⁷ from the rounding of c·a and b + c·a, which is below 0.2 ulp.
fn angle(elementary: &mut Elementary, f: &mut FunctionBuilder, octant: Octant) -> Expression {
    let Octant { a, b, ratio, quarters, direction } = octant;
    let table = table(elementary, f.module());
    f.note("The nearest angle in the table");
    let nearest = f.bind("nearest", (ratio * STEPS as f64 + ROUNDING_SHIFT).to_bits().and(31));
    let place = f.bind("place", nearest.lt(4).select(0, nearest));
    let c = f.bind("c", place.to_real() * (1.0 / STEPS as f64));

    f.note("t as a sum of two doubles; c * b is exact in two halves, for c has 5 bits");
    let halves = split(f, b);
    let numerator = f.bind("numerator", (a - c * halves.high) - c * halves.low);
    let denominator = f.bind("denominator", b + c * a);
    let inverse = f.bind("inverse", 1.0 / denominator);
    let t = f.bind("t", numerator * inverse);
    let product = two_product(f, t, denominator);
    let t_low = f.bind("t_low", ((numerator - product.high) - product.low) * inverse);

    let z = f.bind("z", t * t);
    let z2 = f.bind("z2", z * z);
    let tail = t_low + t * (z * polynomial(z, z2, &ARCTANGENT));

    f.note("The sum; that of the table's high parts is exact");
    let turns = f.bind("turns", quarters.to_real());
    let (half_pi, half_pi_low) = Fixed::arctangents(STEPS)[STEPS as usize].times(2).parts(TABLE_PLACES);
    let base = turns * half_pi + direction * table.high.at(place);
    let base_low = turns * half_pi_low + direction * (table.low.at(place) + tail);
    let sum = fast_two_sum(f, base, direction * t);
    sum.high + (sum.low + base_low)
}

/// For |t| ≤ 7/32, t + t³·polynomial(t²) is artan t to 2⁻⁶⁰·⁸ of itself.
const ARCTANGENT: [f64; 8] = [
    -0.3333333333333323,
    0.19999999999931017,
    -0.142857142697191,
    0.11111109315181997,
    -0.0909079730052215,
    0.07688237480146641,
    -0.06580051396164163,
    0.04872507794825595,
];

/// artan(i/16) for i = 0, …, 16 in two parts, of which the first is a multiple of 2⁻⁴⁶, as that of π/2.
#[derive(Clone, Copy)]
pub struct Table {
    high: ArrayId,
    low: ArrayId,
}

const STEPS: i128 = 16;
const TABLE_PLACES: u32 = 46;

fn table(elementary: &mut Elementary, module: &mut ModuleBuilder) -> Table {
    *elementary.tables.arctangent.get_or_insert_with(|| {
        let angles = Fixed::arctangents(STEPS).into_iter().map(|angle| angle.parts(TABLE_PLACES));
        let (high, low): (Vec<f64>, Vec<f64>) = angles.unzip();
        Table {
            high: module.reals("arctangent_high", &high, "artan(i/16) to 46 binary places"),
            low: module.reals("arctangent_low", &low, "artan(i/16), the rest"),
        }
    })
}
