//! The table of operators: each row says all that is known of one function.

use crate::curve::STEEPNESS;
use crate::{Arena, Expr};

macro_rules! operators {
    ($($variant:ident $name:literal ($($argument:ident),+) $meaning:literal undefined $undefined:literal
       bends $bends:ident value $value:expr; slope $slope:expr;)*) => {
        /// A function of one to three arguments.
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
        bends Smooth value |x| libm::sin(x[0]); slope |a, x| vec![a.apply(Operator::Cos, &[x[0]])];
    Cos "cos"(x) "cosine of an angle" undefined ""
        bends Smooth value |x| libm::cos(x[0]); slope |a, x| vec![a.negate(a.apply(Operator::Sin, &[x[0]]))];
    Tan "tan"(x) "tangent of an angle" undefined "cos(x) = 0"
        bends Smooth value |x| libm::tan(x[0]);
        slope |a, x| vec![a.add(a.one(), a.power(a.apply(Operator::Tan, &[x[0]]), 2))];
    Asin "asin"(x) "angle whose sine is x" undefined "|x| > 1"
        bends Smooth value |x| libm::asin(x[0]);
        slope |a, x| vec![a.apply(Operator::Sqrt, &[over_quadratic(a, 1.0, -1.0, x[0])])];
    Acos "acos"(x) "angle whose cosine is x" undefined "|x| > 1"
        bends Smooth value |x| libm::acos(x[0]);
        slope |a, x| vec![a.negate(a.apply(Operator::Sqrt, &[over_quadratic(a, 1.0, -1.0, x[0])]))];
    Atan "atan"(x) "angle whose tangent is x" undefined ""
        bends Smooth value |x| libm::atan(x[0]); slope |a, x| vec![over_quadratic(a, 1.0, 1.0, x[0])];
    Atan2 "atan2"(y, x) "angle of the point (x, y)" undefined "x = y = 0"
        bends Smooth value |x| libm::atan2(x[0], x[1]);
        slope |a, x| {
            let size = a.power(a.add(a.power(x[0], 2), a.power(x[1], 2)), -1);
            vec![a.multiply(x[1], size), a.negate(a.multiply(x[0], size))]
        };
    Sinh "sinh"(x) "hyperbolic sine" undefined ""
        bends Smooth value |x| libm::sinh(x[0]); slope |a, x| vec![a.apply(Operator::Cosh, &[x[0]])];
    Cosh "cosh"(x) "hyperbolic cosine" undefined ""
        bends Smooth value |x| libm::cosh(x[0]); slope |a, x| vec![a.apply(Operator::Sinh, &[x[0]])];
    Tanh "tanh"(x) "hyperbolic tangent" undefined ""
        bends Smooth value |x| libm::tanh(x[0]);
        slope |a, x| vec![a.subtract(a.one(), a.power(a.apply(Operator::Tanh, &[x[0]]), 2))];
    Exp "exp"(x) "exponential function" undefined ""
        bends Smooth value |x| libm::exp(x[0]); slope |a, x| vec![a.apply(Operator::Exp, &[x[0]])];
    Log "log"(x) "natural logarithm" undefined "x <= 0"
        bends Smooth value |x| libm::log(x[0]); slope |a, x| vec![a.power(x[0], -1)];
    Sqrt "sqrt"(x) "square root" undefined "x < 0"
        bends Smooth value |x| libm::sqrt(x[0]);
        slope |a, x| vec![a.scale(0.5, a.power(a.apply(Operator::Sqrt, &[x[0]]), -1))];
    Pow "pow"(x, y) "x to a power that is not a whole number" undefined "x <= 0"
        bends Smooth value |x| libm::pow(x[0], x[1]);
        slope |a, x| vec![
            a.multiply(x[1], a.apply(Operator::Pow, &[x[0], a.subtract(x[1], a.one())])),
            a.multiply(a.apply(Operator::Log, &[x[0]]), a.apply(Operator::Pow, &[x[0], x[1]])),
        ];
    Abs "abs"(x) "size of a number" undefined ""
        bends Bends value |x| x[0].abs(); slope |a, x| vec![a.apply(Operator::Sign, &[x[0]])];
    Sign "sign"(x) "-1, 0 or 1" undefined ""
        bends Jumps value |x| truth(x[0] > 0.0) - truth(x[0] < 0.0); slope flat;
    Floor "floor"(x) "largest whole number not above x" undefined ""
        bends Jumps value |x| x[0].floor(); slope flat;
    Min "min"(x, y) "smaller of two" undefined ""
        bends Bends value |x| if x[0] < x[1] { x[0] } else { x[1] };
        slope |a, x| choose(a, a.apply(Operator::Less, &[x[0], x[1]])).to_vec();
    Max "max"(x, y) "larger of two" undefined ""
        bends Bends value |x| if x[0] > x[1] { x[0] } else { x[1] };
        slope |a, x| choose(a, a.apply(Operator::Less, &[x[1], x[0]])).to_vec();
    Less "<"(x, y) "x is less than y" undefined ""
        bends Jumps value |x| truth(x[0] < x[1]); slope flat;
    LessEqual "<="(x, y) "x is at most y" undefined ""
        bends Jumps value |x| truth(x[0] <= x[1]); slope flat;
    Equal "=="(x, y) "x equals y" undefined ""
        bends Jumps value |x| truth(x[0] == x[1]); slope flat;
    And "and"(x, y) "both hold" undefined ""
        bends Jumps value |x| truth(x[0] != 0.0 && x[1] != 0.0); slope flat;
    Or "or"(x, y) "at least one holds" undefined ""
        bends Jumps value |x| truth(x[0] != 0.0 || x[1] != 0.0); slope flat;
    Not "not"(x) "does not hold" undefined ""
        bends Jumps value |x| truth(x[0] == 0.0); slope flat;
    Select "select"(condition, x, y) "x if the condition holds, otherwise y" undefined ""
        bends Jumps value |x| if x[0] != 0.0 { x[1] } else { x[2] };
        slope |a, x| {
            let [first, second] = choose(a, x[0]);
            vec![a.zero(), first, second]
        };
    Place "place on curve"(curve, x) "between which knots of a curve x is: their number, and which part of the way" undefined ""
        bends Smooth value |_| f64::NAN;
        slope |a, x| {
            let piece = a.apply(Operator::Floor, &[a.apply(Operator::Place, x)]);
            vec![a.zero(), a.apply(Operator::Cell, &[x[0], a.number(STEEPNESS as f64), piece])]
        };
    Cell "cell of curve"(curve, part, piece) "a number of a piece of a curve" undefined ""
        bends Smooth value |_| f64::NAN; slope flat;
    Impulse "impulse of"(x) "the rate of what jumps, where it jumps; zero everywhere else" undefined ""
        bends Smooth value |_| 0.0; slope flat;
    Border "border of"(x) "how strongly what jumps acts at its border; zero everywhere else" undefined ""
        bends Smooth value |_| 0.0; slope flat;
    Leap "leap of"(x) "the rate of such an impulse; zero everywhere else" undefined ""
        bends Smooth value |_| 0.0; slope flat;
}

/// 1 and 0 while the condition holds, 0 and 1 otherwise.
fn choose(arena: &Arena, condition: Expr) -> [Expr; 2] {
    let pick = |first, second| arena.apply(Operator::Select, &[condition, first, second]);
    [pick(arena.one(), arena.zero()), pick(arena.zero(), arena.one())]
}
