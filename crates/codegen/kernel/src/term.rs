//! The arithmetic that templates are written in: `x * 2.0 + load(y, i + 1)`, `a.lt(b).select(a, b)`.
//!
//! The operand types choose the operator. Mixing real and integer is a mistake in the template and panics at its line.

use crate::{ArrayId, Expression, LocalId, Operator, Type, load};
use std::ops;

/// What has the methods below: expressions and locals.
pub trait Term: Into<Expression> + Sized {
    /// The value, as an expression.
    fn get(self) -> Expression {
        self.into()
    }

    #[track_caller]
    fn abs(self) -> Expression {
        unary(self, Some(Operator::RealAbsolute), None)
    }

    #[track_caller]
    fn sqrt(self) -> Expression {
        unary(self, Some(Operator::RealSquareRoot), None)
    }

    #[track_caller]
    fn floor(self) -> Expression {
        unary(self, Some(Operator::RealFloor), None)
    }

    #[track_caller]
    fn ceil(self) -> Expression {
        unary(self, Some(Operator::RealCeiling), None)
    }

    #[track_caller]
    fn trunc(self) -> Expression {
        unary(self, Some(Operator::RealTruncate), None)
    }

    /// To the nearest integer, ties to even.
    #[track_caller]
    fn round(self) -> Expression {
        unary(self, Some(Operator::RealRound), None)
    }

    /// An integer as the nearest real.
    #[track_caller]
    fn to_real(self) -> Expression {
        unary(self, None, Some(Operator::IntegerToReal))
    }

    /// A real rounded towards zero; saturates, and gives 0 for what is not a number.
    #[track_caller]
    fn to_integer(self) -> Expression {
        unary(self, Some(Operator::RealToInteger), None)
    }

    /// The bits of a real.
    #[track_caller]
    fn to_bits(self) -> Expression {
        unary(self, Some(Operator::RealToBits), None)
    }

    /// The real of these bits.
    #[track_caller]
    fn bits_to_real(self) -> Expression {
        unary(self, None, Some(Operator::BitsToReal))
    }

    /// All bits of an integer inverted; for conditions see [`logical_not`](Term::logical_not).
    #[track_caller]
    fn complement(self) -> Expression {
        unary(self, None, Some(Operator::IntegerNot))
    }

    /// The magnitude of this with the sign of the other.
    #[track_caller]
    fn copysign(self, sign: impl Into<Expression>) -> Expression {
        binary(self, sign, Some(Operator::RealCopySign), None)
    }

    /// `if a < b { a } else { b }`
    #[track_caller]
    fn min(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealMinimum), None)
    }

    /// `if a > b { a } else { b }`
    #[track_caller]
    fn max(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealMaximum), None)
    }

    #[track_caller]
    fn eq_(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealEqual), Some(Operator::IntegerEqual))
    }

    #[track_caller]
    fn ne_(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealNotEqual), Some(Operator::IntegerNotEqual))
    }

    #[track_caller]
    fn lt(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealLess), Some(Operator::IntegerLess))
    }

    #[track_caller]
    fn le(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealLessEqual), Some(Operator::IntegerLessEqual))
    }

    #[track_caller]
    fn gt(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealGreater), Some(Operator::IntegerGreater))
    }

    #[track_caller]
    fn ge(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, Some(Operator::RealGreaterEqual), Some(Operator::IntegerGreaterEqual))
    }

    /// Bit by bit, which is also the logical *and* of comparisons.
    #[track_caller]
    fn and(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, None, Some(Operator::IntegerAnd))
    }

    /// Bit by bit, which is also the logical *or* of comparisons.
    #[track_caller]
    fn or(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, None, Some(Operator::IntegerOr))
    }

    /// Bit by bit.
    #[track_caller]
    fn xor(self, other: impl Into<Expression>) -> Expression {
        binary(self, other, None, Some(Operator::IntegerXor))
    }

    /// The logical negation of a condition: 1 if it is zero, else 0.
    #[track_caller]
    fn logical_not(self) -> Expression {
        binary(self, 0, None, Some(Operator::IntegerEqual))
    }

    /// Shifts modulo 64.
    #[track_caller]
    fn shift_left(self, by: impl Into<Expression>) -> Expression {
        binary(self, by, None, Some(Operator::ShiftLeft))
    }

    /// Shifts modulo 64; copies of the sign bit come in from the left.
    #[track_caller]
    fn shift_right(self, by: impl Into<Expression>) -> Expression {
        binary(self, by, None, Some(Operator::ShiftRight))
    }

    /// Shifts modulo 64; zeros come in from the left.
    #[track_caller]
    fn shift_right_logical(self, by: impl Into<Expression>) -> Expression {
        binary(self, by, None, Some(Operator::ShiftRightLogical))
    }

    /// The first if this condition is nonzero, else the second. Both are evaluated.
    #[track_caller]
    fn select(self, if_true: impl Into<Expression>, if_false: impl Into<Expression>) -> Expression {
        let (condition, if_true, if_false) = (self.into(), if_true.into(), if_false.into());
        assert!(condition.kind() == Type::Integer, "a condition is an integer: {condition:?}");
        assert!(if_true.kind() == if_false.kind(), "both alternatives must be of one type: {if_true:?}, {if_false:?}");
        let operator = match if_true.kind() {
            Type::Real => Operator::RealSelect,
            Type::Integer => Operator::IntegerSelect,
        };
        Expression::apply(operator, [condition, if_true, if_false])
    }
}

impl Term for Expression {}
impl Term for LocalId {}

impl ArrayId {
    /// The element at the index; the same as [`load`].
    pub fn at(self, index: impl Into<Expression>) -> Expression {
        load(self, index)
    }
}

/// Applies the operator that fits the operand.
#[track_caller]
fn unary(a: impl Into<Expression>, real: Option<Operator>, integer: Option<Operator>) -> Expression {
    let a = a.into();
    let operator = match a.kind() {
        Type::Real => real,
        Type::Integer => integer,
    };
    match operator {
        Some(operator) => Expression::apply(operator, [a]),
        None => panic!("no such operation on {}: {a:?}", a.kind()),
    }
}

/// Applies the operator that fits both operands.
#[track_caller]
fn binary(
    a: impl Into<Expression>,
    b: impl Into<Expression>,
    real: Option<Operator>,
    integer: Option<Operator>,
) -> Expression {
    let (a, b) = (a.into(), b.into());
    let operator = match (a.kind(), b.kind()) {
        (Type::Real, Type::Real) => real,
        (Type::Integer, Type::Integer) => integer,
        _ => None,
    };
    match operator {
        Some(operator) => Expression::apply(operator, [a, b]),
        None => panic!("no such operation between {} and {}: {a:?}, {b:?}", a.kind(), b.kind()),
    }
}

macro_rules! infix {
    ($($trait:ident $method:ident $real:expr, $integer:expr;)+) => {$(
        infix! { @left Expression, $trait $method $real, $integer }
        infix! { @left &Expression, $trait $method $real, $integer }
        infix! { @left LocalId, $trait $method $real, $integer }
        infix! { @number f64, $trait $method $real, $integer }
        infix! { @number i32, $trait $method $real, $integer }
        infix! { @number i64, $trait $method $real, $integer }
        infix! { @number usize, $trait $method $real, $integer }
    )+};
    (@left $left:ty, $trait:ident $method:ident $real:expr, $integer:expr) => {
        impl<T: Into<Expression>> ops::$trait<T> for $left {
            type Output = Expression;

            #[track_caller]
            fn $method(self, other: T) -> Expression {
                binary(self, other, $real, $integer)
            }
        }
    };
    (@number $number:ty, $trait:ident $method:ident $real:expr, $integer:expr) => {
        infix! { @pair $number, Expression, $trait $method $real, $integer }
        infix! { @pair $number, LocalId, $trait $method $real, $integer }
    };
    (@pair $left:ty, $right:ty, $trait:ident $method:ident $real:expr, $integer:expr) => {
        impl ops::$trait<$right> for $left {
            type Output = Expression;

            #[track_caller]
            fn $method(self, other: $right) -> Expression {
                binary(self, other, $real, $integer)
            }
        }
    };
}

infix! {
    Add add Some(Operator::RealAdd), Some(Operator::IntegerAdd);
    Sub sub Some(Operator::RealSubtract), Some(Operator::IntegerSubtract);
    Mul mul Some(Operator::RealMultiply), Some(Operator::IntegerMultiply);
    Div div Some(Operator::RealDivide), None;
}

macro_rules! negation {
    ($($operand:ty),+) => {$(
        impl ops::Neg for $operand {
            type Output = Expression;

            #[track_caller]
            fn neg(self) -> Expression {
                unary(self, Some(Operator::RealNegate), Some(Operator::IntegerNegate))
            }
        }
    )+};
}

negation!(Expression, &Expression, LocalId);
