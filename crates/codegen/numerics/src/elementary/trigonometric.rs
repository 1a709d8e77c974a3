//! Sine, cosine and tangent.
//!
//! After the reduction to x = n·π/2 + r, |r| ≤ π/4, both sin r and cos r are computed, and the quarter n picks one and
//! its sign by integer operations: a branch on the quarter would often be mispredicted. The polynomials are those of
//! (sin r - r)/r³ and (cos r - 1 + r²/2)/r⁴ in r².

use super::Elementary;
use super::double_double::{Pair, fast_two_sum, quotient, two_square};
use super::polynomial::polynomial;
use super::quarter_turns::{Reduced, reduce};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Errors below 0.85 ulp for both (0.83 found): half an ulp from the last addition, a quarter from the rounding of r² in
/// the cosine, less in the sine.
pub fn sincos(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let (reduced, sine, cosine) = both(elementary, f);
    f.return_((sine_in_quarter(reduced, sine, cosine), cosine_in_quarter(reduced, sine, cosine)));
}

pub fn sin(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let (reduced, sine, cosine) = both(elementary, f);
    f.return_(sine_in_quarter(reduced, sine, cosine));
}

pub fn cos(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let (reduced, sine, cosine) = both(elementary, f);
    f.return_(cosine_in_quarter(reduced, sine, cosine));
}

/// sin r / cos r, or -cos r / sin r in odd quarters, both as sums of two doubles. Error below 0.8 ulp (0.77 found).
pub fn tan(elementary: &mut Elementary, f: &mut FunctionBuilder) {
    let [x] = f.parameters();
    let reduced = reduce(elementary, f, x);
    let squares = Squares::exact(f, reduced.rest);
    let drop = sine_drop(f, reduced, squares);
    let sine = fast_two_sum(f, reduced.rest, -drop);
    let cosine = cosine(f, reduced, squares);
    let cosine = fast_two_sum(f, cosine.high, cosine.low);
    let odd = f.bind("odd", reduced.quarters.and(1));
    let choose = |if_odd: LocalId, if_even: LocalId| choose(odd, if_odd, if_even).bits_to_real();
    let numerator = Pair {
        high: f.bind("numerator", choose(cosine.high, sine.high)),
        low: f.bind("numerator_low", choose(cosine.low, sine.low)),
    };
    let denominator = Pair {
        high: f.bind("denominator", choose(sine.high, cosine.high)),
        low: f.bind("denominator_low", choose(sine.low, cosine.low)),
    };
    let ratio = quotient(f, numerator, denominator);
    let ratio = f.bind("ratio", ratio);
    f.note("The sign is set apart, for the correction may have turned -0 into 0");
    let sign = numerator.high.to_bits().xor(denominator.high.to_bits()).xor(odd.shift_left(63));
    f.return_(ratio.copysign(sign.bits_to_real()));
}

/// sin and cos of the rest.
fn both(elementary: &mut Elementary, f: &mut FunctionBuilder) -> (Reduced, LocalId, LocalId) {
    let [x] = f.parameters();
    let reduced = reduce(elementary, f, x);
    let squares = Squares::rounded(f, reduced.rest);
    let drop = sine_drop(f, reduced, squares);
    let cosine = cosine(f, reduced, squares);
    (reduced, f.bind("sine", reduced.rest - drop), f.bind("cosine", cosine.high + cosine.low))
}

/// sin(n·π/2 + r) is sin r, cos r, -sin r, -cos r for n = 0, 1, 2, 3.
fn sine_in_quarter(reduced: Reduced, sine: LocalId, cosine: LocalId) -> Expression {
    let sign = reduced.quarters.and(2).shift_left(62);
    choose(reduced.quarters.and(1), cosine, sine).xor(sign).bits_to_real()
}

/// cos(n·π/2 + r) is cos r, -sin r, -cos r, sin r for n = 0, 1, 2, 3.
fn cosine_in_quarter(reduced: Reduced, sine: LocalId, cosine: LocalId) -> Expression {
    let sign = (reduced.quarters + 1).and(2).shift_left(62);
    choose(reduced.quarters.and(1), sine, cosine).xor(sign).bits_to_real()
}

/// The bits of one of two reals. Chosen as integers, which no machine does by a branch.
fn choose(condition: impl Term, if_true: LocalId, if_false: LocalId) -> Expression {
    condition.select(if_true.to_bits(), if_false.to_bits())
}

/// r² and r⁴ of the rest.
#[derive(Clone, Copy)]
struct Squares {
    z: LocalId,
    z2: LocalId,
    /// r² - z, if the rounding of z is to be corrected.
    z_low: Option<LocalId>,
}

impl Squares {
    fn rounded(f: &mut FunctionBuilder, r: LocalId) -> Squares {
        let z = f.bind("z", r * r);
        Squares { z, z2: f.bind("z2", z * z), z_low: None }
    }

    fn exact(f: &mut FunctionBuilder, r: LocalId) -> Squares {
        let Pair { high: z, low } = two_square(f, r);
        Squares { z, z2: f.bind("z2", z * z), z_low: Some(low) }
    }
}

/// For |r| ≤ π/4, r + r³·polynomial(r²) is sin r to 2⁻⁵⁷·⁹ of itself.
const SINE: [f64; 6] = [
    -0.1666666666666663,
    0.00833333333332184,
    -0.00019841269829358528,
    2.755731353851463e-06,
    -2.5050734389409754e-08,
    1.5895433303551341e-10,
];

/// For |r| ≤ π/4, 1 - r²/2 + r⁴·polynomial(r²) is cos r to 2⁻⁶³·⁹ of itself.
const COSINE: [f64; 6] = [
    0.041666666666666595,
    -0.0013888888888873342,
    2.480158728900208e-05,
    -2.7557314217039046e-07,
    2.087570539610031e-09,
    -1.135874924668815e-11,
];

/// r - sin(r + r_low) = -r_low·cos r - r³·polynomial, with 1 - r²/2 for the cosine. It is 0, not -0, for a zero of
/// either sign, so that the sine has the sign of r.
///
/// Where r² is known exactly, the first term of the polynomial is kept apart, for one rounding less; otherwise the chain of
/// dependent operations is kept short, which costs a tenth of an ulp.
fn sine_drop(f: &mut FunctionBuilder, reduced: Reduced, squares: Squares) -> LocalId {
    let Reduced { rest: r, rest_low: r_low, .. } = reduced;
    let Squares { z, z2, z_low } = squares;
    let cube = f.bind("cube", r * z);
    let drop = match z_low {
        None => (z * (r_low * 0.5) - r_low) - cube * side_by_side(z, z2, &SINE),
        Some(z_low) => {
            let (first, rest) = SINE.split_first().expect("a coefficient");
            let tail = z * (r_low * 0.5 - cube * polynomial(z, z2, rest)) - r_low;
            tail - (r * *first) * z_low - cube * *first
        }
    };
    f.bind("drop", drop)
}

/// cos(r + r_low) = 1 - r²/2 + (r⁴·polynomial - r·r_low), where the first difference is a sum of two doubles.
fn cosine(f: &mut FunctionBuilder, reduced: Reduced, squares: Squares) -> Pair {
    let Reduced { rest: r, rest_low: r_low, .. } = reduced;
    let Squares { z, z2, z_low } = squares;
    let half = f.bind("half", z * 0.5);
    let high = f.bind("cosine_high", 1.0 - half);
    let rounding = f.bind("rounding", (1.0 - high) - half);
    let low = match z_low {
        None => z2 * side_by_side(z, z2, &COSINE) + (rounding - r * r_low),
        Some(z_low) => rounding + (z2 * polynomial(z, z2, &COSINE) - r * r_low - z_low * 0.5),
    };
    Pair { high, low: f.bind("cosine_low", low) }
}

/// The same polynomial as [`polynomial`], with its three pairs computed side by side: an addition less to wait for.
fn side_by_side(z: LocalId, z2: LocalId, [a, b, c, d, e, g]: &[f64; 6]) -> Expression {
    ((z * *b + *a) + z2 * (z * *d + *c)) + (z2 * z2) * (z * *g + *e)
}
