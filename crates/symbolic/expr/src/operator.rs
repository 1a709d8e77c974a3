//! The table of operators: each row says all that is known of one function.

use crate::curve::STEEPNESS;
use crate::{Arena, Expr, Interval, Node};

macro_rules! operators {
    ($($variant:ident $name:literal ($($argument:ident),+) $meaning:literal undefined $undefined:literal
       bends $bends:ident units $units:ident value $value:expr; slope $slope:expr; encloses $encloses:expr; inverse $inverse:expr;)*) => {
        /// A function of one to three arguments; a foreign one may have more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator { $($variant),* }

        /// Every operator, in the order of [`Operator`].
        pub const OPERATORS: &[OperatorRow] = &[$(OperatorRow {
            operator: Operator::$variant,
            name: $name,
            arguments: &[$(stringify!($argument)),+],
            meaning: $meaning,
            undefined: $undefined,
            bends: Bends::$bends,
            value: $value,
            slope: $slope,
            units: Units::$units,
            encloses: $encloses,
            inverse: $inverse,
        }),*];
    };
}

/// What is known of one operator.
pub struct OperatorRow {
    pub operator: Operator,
    /// As written in the language.
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub meaning: &'static str,
    /// Where it is undefined or not differentiable, in words; empty if nowhere.
    pub undefined: &'static str,
    pub value: fn(&[f64]) -> f64,
    /// Whether its slope or its value jumps where what decides is zero.
    pub bends: Bends,
    /// The partial derivative by each argument. Conditions have none: they are piecewise constant.
    pub slope: fn(&Arena, &[Expr]) -> Vec<Expr>,
    /// What becomes of dimensions.
    pub units: Units,
    /// All that the value can be where each argument lies within an interval.
    pub encloses: fn(&[Interval]) -> Interval,
    /// All that each argument can be where the value lies within the first interval and the arguments within the others.
    pub inverse: fn(Interval, &[Interval]) -> Vec<Interval>,
}

/// How the dimension of a function follows from those of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Arguments and value are plain numbers.
    Plain,
    /// The value is of the kind of the argument.
    Kept,
    /// The arguments are of one kind, and the value is of it.
    Alike,
    /// The arguments are of one kind, the value is a plain number.
    Ratio,
    /// Half of the argument's exponents.
    Root,
    /// A plain number, whatever the argument.
    Dropped,
    /// It is not written as a function: signs, words and what the compiler makes have rules of their own.
    Unwritten,
}

/// How smooth an operator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bends {
    Smooth,
    /// Its slope jumps.
    Bends,
    /// Its value jumps.
    Jumps,
}

impl OperatorRow {
    /// Whether it is written as a function; the others have signs or words of their own, or none.
    pub fn is_function(&self) -> bool {
        self.units != Units::Unwritten
    }
}

impl Operator {
    pub fn row(self) -> &'static OperatorRow {
        &OPERATORS[self as usize]
    }

    pub fn named(name: &str) -> Option<Operator> {
        OPERATORS.iter().find(|row| row.name == name).map(|row| row.operator)
    }
}

fn truth(value: bool) -> f64 {
    if value { 1.0 } else { 0.0 }
}

fn flat(arena: &Arena, arguments: &[Expr]) -> Vec<Expr> {
    vec![arena.zero(); arguments.len()]
}

/// 1 / (constant + sign · x²)
fn over_quadratic(arena: &Arena, constant: f64, sign: f64, x: Expr) -> Expr {
    let square = arena.power(x, 2);
    arena.power(arena.add(arena.number(constant), arena.scale(sign, square)), -1)
}

operators! {
    Sin "sin"(x) "sine of an angle" undefined ""
        bends Smooth units Plain value |x| libm::sin(x[0]); slope |a, x| vec![a.apply(Operator::Cos, &[x[0]])];
        encloses |x| x[0].sine(); inverse open;
    Cos "cos"(x) "cosine of an angle" undefined ""
        bends Smooth units Plain value |x| libm::cos(x[0]); slope |a, x| vec![a.negate(a.apply(Operator::Sin, &[x[0]]))];
        encloses |x| x[0].cosine(); inverse open;
    Tan "tan"(x) "tangent of an angle" undefined "cos(x) = 0"
        bends Smooth units Plain value |x| libm::tan(x[0]);
        slope |a, x| vec![a.add(a.one(), a.power(a.apply(Operator::Tan, &[x[0]]), 2))];
        encloses anything; inverse open;
    Asin "asin"(x) "angle whose sine is x" undefined "|x| > 1"
        bends Smooth units Plain value |x| libm::asin(x[0]);
        slope |a, x| vec![a.apply(Operator::Sqrt, &[over_quadratic(a, 1.0, -1.0, x[0])])];
        encloses |x| x[0].meet(Interval::SINES).growing(libm::asin); inverse |_, _| vec![Interval::SINES];
    Acos "acos"(x) "angle whose cosine is x" undefined "|x| > 1"
        bends Smooth units Plain value |x| libm::acos(x[0]);
        slope |a, x| vec![a.negate(a.apply(Operator::Sqrt, &[over_quadratic(a, 1.0, -1.0, x[0])]))];
        encloses |_| Interval::TURN.size(); inverse |_, _| vec![Interval::SINES];
    Atan "atan"(x) "angle whose tangent is x" undefined ""
        bends Smooth units Plain value |x| libm::atan(x[0]); slope |a, x| vec![over_quadratic(a, 1.0, 1.0, x[0])];
        encloses |x| x[0].growing(libm::atan); inverse open;
    Atan2 "atan2"(y, x) "angle of the point (x, y)" undefined "x = y = 0"
        bends Smooth units Ratio value |x| libm::atan2(x[0], x[1]);
        slope |a, x| {
            let size = a.power(a.add(a.power(x[0], 2), a.power(x[1], 2)), -1);
            vec![a.multiply(x[1], size), a.negate(a.multiply(x[0], size))]
        };
        encloses |_| Interval::TURN; inverse open;
    Sinh "sinh"(x) "hyperbolic sine" undefined ""
        bends Smooth units Plain value |x| libm::sinh(x[0]); slope |a, x| vec![a.apply(Operator::Cosh, &[x[0]])];
        encloses |x| x[0].growing(libm::sinh); inverse open;
    Cosh "cosh"(x) "hyperbolic cosine" undefined ""
        bends Smooth units Plain value |x| libm::cosh(x[0]); slope |a, x| vec![a.apply(Operator::Sinh, &[x[0]])];
        encloses |x| x[0].size().growing(libm::cosh); inverse open;
    Tanh "tanh"(x) "hyperbolic tangent" undefined ""
        bends Smooth units Plain value |x| libm::tanh(x[0]);
        slope |a, x| vec![a.subtract(a.one(), a.power(a.apply(Operator::Tanh, &[x[0]]), 2))];
        encloses |x| x[0].growing(libm::tanh); inverse open;
    Exp "exp"(x) "exponential function" undefined ""
        bends Smooth units Plain value |x| libm::exp(x[0]); slope |a, x| vec![a.apply(Operator::Exp, &[x[0]])];
        encloses |x| x[0].growing(libm::exp).meet(Interval::NOT_NEGATIVE);
        inverse |own, _| vec![own.meet(Interval::NOT_NEGATIVE).growing(libm::log)];
    Log "log"(x) "natural logarithm" undefined "x <= 0"
        bends Smooth units Plain value |x| libm::log(x[0]); slope |a, x| vec![a.power(x[0], -1)];
        encloses |x| x[0].meet(Interval::NOT_NEGATIVE).growing(libm::log); inverse |own, _| vec![own.growing(libm::exp)];
    Sqrt "sqrt"(x) "square root" undefined "x < 0"
        bends Smooth units Root value |x| libm::sqrt(x[0]);
        slope |a, x| vec![where_clipped(a, x[0], a.scale(0.5, a.power(a.apply(Operator::Sqrt, &[x[0]]), -1)))];
        encloses |x| x[0].meet(Interval::NOT_NEGATIVE).growing(libm::sqrt).meet(Interval::NOT_NEGATIVE);
        inverse |own, _| vec![own.meet(Interval::NOT_NEGATIVE).power(2)];
    Pow "pow"(x, y) "x to a power that is not a whole number" undefined "x <= 0"
        bends Smooth units Plain value |x| libm::pow(x[0], x[1]);
        slope |a, x| vec![
            where_clipped(a, x[0], a.multiply(x[1], a.apply(Operator::Pow, &[x[0], a.subtract(x[1], a.one())]))),
            a.multiply(a.apply(Operator::Log, &[x[0]]), a.apply(Operator::Pow, &[x[0], x[1]])),
        ];
        encloses |x| x[0].real_power(x[1]); inverse open;
    Abs "abs"(x) "size of a number" undefined ""
        bends Bends units Kept value |x| x[0].abs(); slope |a, x| vec![a.apply(Operator::Sign, &[x[0]])];
        encloses |x| x[0].size(); inverse |own, x| {
            let own = own.meet(Interval::NOT_NEGATIVE);
            vec![own.meet(x[0]).hull(own.negated().meet(x[0]))]
        };
    Sign "sign"(x) "-1, 0 or 1" undefined ""
        bends Jumps units Dropped value |x| truth(x[0] > 0.0) - truth(x[0] < 0.0); slope flat;
        encloses |x| x[0].sign(); inverse open;
    Floor "floor"(x) "largest whole number not above x" undefined ""
        bends Jumps units Plain value |x| x[0].floor(); slope flat;
        encloses |x| x[0].growing(f64::floor); inverse open;
    Min "min"(x, y) "smaller of two" undefined ""
        bends Bends units Alike value |x| if x[0] < x[1] { x[0] } else { x[1] };
        slope |a, x| choose(a, a.apply(Operator::Less, &[x[0], x[1]])).to_vec();
        encloses |x| Interval::new(x[0].low.min(x[1].low), x[0].high.min(x[1].high)); inverse |own, x| {
            // The other one may be the smaller.
            let alone = |other: Interval| if other.low > own.high { own } else { Interval::above(own.low) };
            vec![alone(x[1]), alone(x[0])]
        };
    Max "max"(x, y) "larger of two" undefined ""
        bends Bends units Alike value |x| if x[0] > x[1] { x[0] } else { x[1] };
        slope |a, x| choose(a, a.apply(Operator::Less, &[x[1], x[0]])).to_vec();
        encloses |x| Interval::new(x[0].low.max(x[1].low), x[0].high.max(x[1].high)); inverse |own, x| {
            let alone = |other: Interval| if other.high < own.low { own } else { Interval::below(own.high) };
            vec![alone(x[1]), alone(x[0])]
        };
    Less "<"(x, y) "x is less than y" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] < x[1]); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    LessEqual "<="(x, y) "x is at most y" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] <= x[1]); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    Equal "=="(x, y) "x equals y" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] == x[1]); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    And "and"(x, y) "both hold" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] != 0.0 && x[1] != 0.0); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    Or "or"(x, y) "at least one holds" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] != 0.0 || x[1] != 0.0); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    Not "not"(x) "does not hold" undefined ""
        bends Jumps units Unwritten value |x| truth(x[0] == 0.0); slope flat;
        encloses |_| Interval::TRUTH; inverse open;
    Select "select"(condition, x, y) "x if the condition holds, otherwise y" undefined ""
        bends Jumps units Unwritten value |x| if x[0] != 0.0 { x[1] } else { x[2] };
        slope |a, x| {
            let [first, second] = choose(a, x[0]);
            vec![a.zero(), first, second]
        };
        encloses |x| match x[0] {
            Interval { low, high } if low > 0.0 || high < 0.0 => x[1],
            Interval { low: 0.0, high: 0.0 } => x[2],
            _ => x[1].hull(x[2]),
        }; inverse open;
    Place "place on curve"(curve, x) "between which knots of a curve x is: their number, and which part of the way" undefined ""
        bends Smooth units Unwritten value |_| f64::NAN;
        slope |a, x| {
            let piece = a.apply(Operator::Floor, &[a.apply(Operator::Place, x)]);
            vec![a.zero(), a.apply(Operator::Cell, &[x[0], a.number(STEEPNESS as f64), piece])]
        };
        encloses anything; inverse open;
    Cell "cell of curve"(curve, part, piece) "a number of a piece of a curve" undefined ""
        bends Smooth units Unwritten value |_| f64::NAN; slope flat;
        encloses anything; inverse open;
    Past "past"(signal, order, time) "the value of a signal at an earlier time, or its derivative of some order" undefined ""
        bends Smooth units Unwritten value |_| f64::NAN;
        slope |a, x| vec![a.zero(), a.zero(), a.apply(Operator::Past, &[x[0], a.add(x[1], a.one()), x[2]])];
        encloses anything; inverse open;
    Foreign "foreign"(number, result, direction) "a result of a function that others wrote, of the arguments behind these; or its derivative by some of them" undefined ""
        bends Smooth units Unwritten value |_| f64::NAN; slope foreign_slopes;
        encloses anything; inverse open;
    Impulse "impulse of"(x) "the rate of what jumps, where it jumps; zero everywhere else" undefined ""
        bends Smooth units Unwritten value |_| 0.0; slope flat;
        encloses |_| Interval::point(0.0); inverse open;
    Border "border of"(x) "how strongly what jumps acts at its border; zero everywhere else" undefined ""
        bends Smooth units Unwritten value |_| 0.0; slope flat;
        encloses |_| Interval::point(0.0); inverse open;
    Leap "leap of"(x) "the rate of such an impulse; zero everywhere else" undefined ""
        bends Smooth units Unwritten value |_| 0.0; slope flat;
        encloses |_| Interval::point(0.0); inverse open;
}

/// Where the arguments of a foreign function begin, behind what says which it is.
pub const FOREIGN_ARGUMENTS: usize = 3;

/// The derivative by each argument is asked of the same function: directions are digits, counted from one, in a system of one more than there are
/// arguments.
fn foreign_slopes(arena: &Arena, x: &[Expr]) -> Vec<Expr> {
    let count = x.len() - FOREIGN_ARGUMENTS;
    let before = arena.scale((count + 1) as f64, x[2]);
    let slope = |at: usize| {
        let mut own = x.to_vec();
        own[2] = arena.add(before, arena.number((at + 1) as f64));
        arena.apply(Operator::Foreign, &own)
    };
    std::iter::repeat_n(arena.zero(), FOREIGN_ARGUMENTS).chain((0..count).map(slope)).collect()
}

fn anything(_: &[Interval]) -> Interval {
    Interval::WHOLE
}

/// The value tells nothing of the arguments.
fn open(_: Interval, x: &[Interval]) -> Vec<Interval> {
    vec![Interval::WHOLE; x.len()]
}

/// 1 and 0 while the condition holds, 0 and 1 otherwise.
/// The slope of a root by what it is taken of: nothing where `max(x, 0)` is zero, for nothing times infinity is no number.
fn where_clipped(arena: &Arena, of: Expr, slope: Expr) -> Expr {
    let Node::Apply(Operator::Max, arguments) = arena.node(of) else { return slope };
    match arguments[..] {
        [x, zero] | [zero, x] if arena.is_zero(zero) => {
            let positive = arena.apply(Operator::Less, &[arena.zero(), x]);
            arena.apply(Operator::Select, &[positive, slope, arena.zero()])
        }
        _ => slope,
    }
}

fn choose(arena: &Arena, condition: Expr) -> [Expr; 2] {
    let pick = |first, second| arena.apply(Operator::Select, &[condition, first, second]);
    [pick(arena.one(), arena.zero()), pick(arena.zero(), arena.one())]
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    /// Wherever arguments are, the value is within what encloses it, and the arguments are within what the value tells of them.
    #[test]
    fn enclosures_leave_nothing_out() {
        // What curves, the past and functions of others are is not known here.
        let unknown = [Operator::Place, Operator::Cell, Operator::Past, Operator::Foreign];
        let is_known = |row: &&OperatorRow| !unknown.contains(&row.operator);
        for row in OPERATORS.iter().filter(is_known) {
            let mut random = Random::new(7);
            let mut tried = 0;
            for _ in 0..4000 {
                let ends = |random: &mut Random| [0, 1].map(|_| random.between(-4.0, 4.0));
                let intervals: Vec<Interval> = row
                    .arguments
                    .iter()
                    .map(|_| {
                        let [a, b] = ends(&mut random);
                        Interval::new(a.min(b), a.max(b))
                    })
                    .collect();
                let point: Vec<f64> = intervals.iter().map(|x| random.between(x.low, x.high)).collect();
                let value = (row.value)(&point);
                if !value.is_finite() {
                    continue;
                }
                tried += 1;
                let enclosed = (row.encloses)(&intervals);
                assert!(enclosed.contains(value), "{}{point:?} = {value} outside of {enclosed:?}", row.name);
                // A value that rounding moved is not asked for its argument to the last digit.
                let own = Interval::new(value - 1e-12, value + 1e-12);
                for (argument, back) in point.iter().zip((row.inverse)(own, &intervals)) {
                    assert!(back.contains(*argument), "{} = {value} without {argument} in {back:?}", row.name);
                }
            }
            assert!(tried > 100, "{} has hardly a value", row.name);
        }
    }
}
