//! Operators in C: as an operator where C has the same one, else as a small function that the source brings along.

use kernel::Operator;

/// How an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Prefix(&'static str),
    /// The level says what needs parentheses inside it; see `expression.rs`.
    Infix(&'static str, Level),
    /// A function of the C library that rounds to the nearest, or not at all.
    Library(&'static str),
    Helper(&'static Helper),
    Conversion(&'static str),
    Select,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Bits: the precedence of C misleads readers, so that everything inside stands in parentheses.
    Bits,
    Comparison,
    Sum,
    Product,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Helper {
    pub name: &'static str,
    /// Without what stands before functions.
    pub definition: &'static str,
}

macro_rules! helpers {
    ($($constant:ident $name:literal $definition:literal;)+) => {
        $(static $constant: Helper = Helper { name: $name, definition: $definition };)+
    };
}

// Overflow of signed integers is undefined in C, and defined for unsigned ones.
helpers! {
    MINIMUM "minimum" "double minimum(double a, double b) { return a < b ? a : b; }";
    MAXIMUM "maximum" "double maximum(double a, double b) { return a > b ? a : b; }";
    NEGATE "wrapping_negate"
        "int64_t wrapping_negate(int64_t a) { return (int64_t)(0 - (uint64_t)a); }";
    ADD "wrapping_add"
        "int64_t wrapping_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }";
    SUBTRACT "wrapping_subtract"
        "int64_t wrapping_subtract(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }";
    MULTIPLY "wrapping_multiply"
        "int64_t wrapping_multiply(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }";
    LEFT "shift_left"
        "int64_t shift_left(int64_t a, int64_t by) { return (int64_t)((uint64_t)a << (by & 63)); }";
    RIGHT "shift_right"
        "int64_t shift_right(int64_t a, int64_t by) { return a >> (by & 63); }";
    RIGHT_LOGICAL "shift_right_logical"
        "int64_t shift_right_logical(int64_t a, int64_t by) { return (int64_t)((uint64_t)a >> (by & 63)); }";
    TO_INTEGER "to_integer" "\
int64_t to_integer(double a)
{
    /* Towards zero; saturates, and gives 0 for what is not a number. */
    if (a != a) return 0;
    if (a >= 9223372036854775808.0) return INT64_MAX;
    if (a < -9223372036854775808.0) return INT64_MIN;
    return (int64_t)a;
}";
    TO_BITS "to_bits" "int64_t to_bits(double a) { int64_t bits; memcpy(&bits, &a, sizeof bits); return bits; }";
    FROM_BITS "from_bits" "double from_bits(int64_t bits) { double a; memcpy(&a, &bits, sizeof a); return a; }";
}

/// The form of every operator.
pub fn form(operator: Operator) -> Form {
    use Operator::*;
    match operator {
        RealNegate => Form::Prefix("-"),
        IntegerNot => Form::Prefix("~"),
        RealAbsolute => Form::Library("fabs"),
        RealSquareRoot => Form::Library("sqrt"),
        RealFloor => Form::Library("floor"),
        RealCeiling => Form::Library("ceil"),
        RealTruncate => Form::Library("trunc"),
        RealRound => Form::Library("rint"),
        RealCopySign => Form::Library("copysign"),
        RealAdd => Form::Infix("+", Level::Sum),
        RealSubtract => Form::Infix("-", Level::Sum),
        RealMultiply => Form::Infix("*", Level::Product),
        RealDivide => Form::Infix("/", Level::Product),
        RealMinimum => Form::Helper(&MINIMUM),
        RealMaximum => Form::Helper(&MAXIMUM),
        RealEqual | IntegerEqual => Form::Infix("==", Level::Comparison),
        RealNotEqual | IntegerNotEqual => Form::Infix("!=", Level::Comparison),
        RealLess | IntegerLess => Form::Infix("<", Level::Comparison),
        RealLessEqual | IntegerLessEqual => Form::Infix("<=", Level::Comparison),
        RealGreater | IntegerGreater => Form::Infix(">", Level::Comparison),
        RealGreaterEqual | IntegerGreaterEqual => Form::Infix(">=", Level::Comparison),
        IntegerNegate => Form::Helper(&NEGATE),
        IntegerAdd => Form::Helper(&ADD),
        IntegerSubtract => Form::Helper(&SUBTRACT),
        IntegerMultiply => Form::Helper(&MULTIPLY),
        IntegerAnd => Form::Infix("&", Level::Bits),
        IntegerXor => Form::Infix("^", Level::Bits),
        IntegerOr => Form::Infix("|", Level::Bits),
        ShiftLeft => Form::Helper(&LEFT),
        ShiftRight => Form::Helper(&RIGHT),
        ShiftRightLogical => Form::Helper(&RIGHT_LOGICAL),
        IntegerToReal => Form::Conversion("double"),
        RealToInteger => Form::Helper(&TO_INTEGER),
        RealToBits => Form::Helper(&TO_BITS),
        BitsToReal => Form::Helper(&FROM_BITS),
        RealSelect | IntegerSelect => Form::Select,
    }
}
