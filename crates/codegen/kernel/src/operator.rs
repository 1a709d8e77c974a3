//! The operator table: one row gives an operator's text form, types and meaning. Verifier, interpreter, printer and
//! parser read the rows; back ends match on [`Operator`], so the compiler lists what a new row still needs.

use crate::Type;

/// How an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `name(a, b)`
    Call(&'static str),
    /// `-a`; binds tighter than every infix operator.
    Prefix(&'static str),
    /// `a + b`, left-associative; the higher level binds tighter.
    Infix(&'static str, u8),
}

/// A row of the table.
pub struct Row {
    pub operator: Operator,
    pub notation: Notation,
    pub operands: &'static [Type],
    pub result: Type,
    /// The meaning, from cells to a cell.
    pub evaluate: fn(&[u64]) -> u64,
}

/// No operator has more operands.
pub const MOST_OPERANDS: usize = 3;

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident $notation:ident($($text:literal),+)
       ($($operand:ident: $kind:ident),+) -> $result:ident = $meaning:expr;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operator { $($(#[$doc])* $name),+ }

        static ROWS: &[Row] = &[$(Row {
            operator: Operator::$name,
            notation: Notation::$notation($($text),+),
            operands: &[$(Type::$kind),+],
            result: Type::$result,
            evaluate: |cells| {
                let mut cells = cells.iter();
                $(let $operand = $kind::from_cell(*cells.next().expect("one cell for each operand"));)+
                let result: $result = $meaning;
                result.into_cell()
            },
        }),+];
    };
}

operators! {
    RealNegate        Prefix("-")       (a: Real) -> Real = -a;
    RealAbsolute      Call("abs")       (a: Real) -> Real = a.abs();
    RealSquareRoot    Call("sqrt")      (a: Real) -> Real = a.sqrt();
    RealFloor         Call("floor")     (a: Real) -> Real = a.floor();
    RealCeiling       Call("ceil")      (a: Real) -> Real = a.ceil();
    RealTruncate      Call("trunc")     (a: Real) -> Real = a.trunc();
    /// To the nearest integer, ties to even.
    RealRound         Call("round")     (a: Real) -> Real = a.round_ties_even();

    RealAdd           Infix("+", 6)     (a: Real, b: Real) -> Real = a + b;
    RealSubtract      Infix("-", 6)     (a: Real, b: Real) -> Real = a - b;
    RealMultiply      Infix("*", 7)     (a: Real, b: Real) -> Real = a * b;
    RealDivide        Infix("/", 7)     (a: Real, b: Real) -> Real = a / b;
    /// The magnitude of `a` with the sign of `b`.
    RealCopySign      Call("copysign")  (a: Real, b: Real) -> Real = a.copysign(b);
    /// `b` if either is not a number or both are zero.
    RealMinimum       Call("min")       (a: Real, b: Real) -> Real = if a < b { a } else { b };
    /// `b` if either is not a number or both are zero.
    RealMaximum       Call("max")       (a: Real, b: Real) -> Real = if a > b { a } else { b };

    RealEqual         Infix("==", 4)    (a: Real, b: Real) -> Integer = Integer::from(a == b);
    RealNotEqual      Infix("!=", 4)    (a: Real, b: Real) -> Integer = Integer::from(a != b);
    RealLess          Infix("<", 4)     (a: Real, b: Real) -> Integer = Integer::from(a < b);
    RealLessEqual     Infix("<=", 4)    (a: Real, b: Real) -> Integer = Integer::from(a <= b);
    RealGreater       Infix(">", 4)     (a: Real, b: Real) -> Integer = Integer::from(a > b);
    RealGreaterEqual  Infix(">=", 4)    (a: Real, b: Real) -> Integer = Integer::from(a >= b);

    // Integer arithmetic wraps around; shift amounts are taken modulo 64.
    IntegerNegate     Prefix("-")       (a: Integer) -> Integer = a.wrapping_neg();
    /// All bits inverted; not a logical negation.
    IntegerNot        Prefix("~")       (a: Integer) -> Integer = !a;
    IntegerAdd        Infix("+", 6)     (a: Integer, b: Integer) -> Integer = a.wrapping_add(b);
    IntegerSubtract   Infix("-", 6)     (a: Integer, b: Integer) -> Integer = a.wrapping_sub(b);
    IntegerMultiply   Infix("*", 7)     (a: Integer, b: Integer) -> Integer = a.wrapping_mul(b);
    IntegerAnd        Infix("&", 3)     (a: Integer, b: Integer) -> Integer = a & b;
    IntegerXor        Infix("^", 2)     (a: Integer, b: Integer) -> Integer = a ^ b;
    IntegerOr         Infix("|", 1)     (a: Integer, b: Integer) -> Integer = a | b;
    ShiftLeft         Infix("<<", 5)    (a: Integer, b: Integer) -> Integer = a.wrapping_shl(b as u32);
    /// Copies of the sign bit come in from the left.
    ShiftRight        Infix(">>", 5)    (a: Integer, b: Integer) -> Integer = a.wrapping_shr(b as u32);
    /// Zeros come in from the left.
    ShiftRightLogical Infix(">>>", 5)   (a: Integer, b: Integer) -> Integer = (a as u64).wrapping_shr(b as u32) as i64;

    IntegerEqual         Infix("==", 4) (a: Integer, b: Integer) -> Integer = Integer::from(a == b);
    IntegerNotEqual      Infix("!=", 4) (a: Integer, b: Integer) -> Integer = Integer::from(a != b);
    IntegerLess          Infix("<", 4)  (a: Integer, b: Integer) -> Integer = Integer::from(a < b);
    IntegerLessEqual     Infix("<=", 4) (a: Integer, b: Integer) -> Integer = Integer::from(a <= b);
    IntegerGreater       Infix(">", 4)  (a: Integer, b: Integer) -> Integer = Integer::from(a > b);
    IntegerGreaterEqual  Infix(">=", 4) (a: Integer, b: Integer) -> Integer = Integer::from(a >= b);

    /// The nearest real, ties to even.
    IntegerToReal     Call("real")      (a: Integer) -> Real = a as f64;
    /// Rounds towards zero; saturates, and gives 0 for what is not a number.
    RealToInteger     Call("integer")   (a: Real) -> Integer = a as i64;
    RealToBits        Call("bits")      (a: Real) -> Integer = a.to_bits() as i64;
    BitsToReal        Call("from_bits") (a: Integer) -> Real = f64::from_bits(a as u64);

    /// Both alternatives are evaluated, so both must be free of traps.
    RealSelect        Call("select")    (c: Integer, a: Real, b: Real) -> Real = if c != 0 { a } else { b };
    /// Both alternatives are evaluated, so both must be free of traps.
    IntegerSelect     Call("select")    (c: Integer, a: Integer, b: Integer) -> Integer = if c != 0 { a } else { b };
}

impl Operator {
    /// Every operator, in the order of the table.
    pub fn all() -> impl Iterator<Item = Operator> {
        ROWS.iter().map(|row| row.operator)
    }

    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The operator written so, for operands of these types.
    pub fn find(notation: impl Fn(Notation) -> bool, operands: &[Type]) -> Option<Operator> {
        ROWS.iter().find(|row| row.operands == operands && notation(row.notation)).map(|row| row.operator)
    }
}

type Real = f64;
type Integer = i64;

/// What the rows are written in, from and to the bits of a cell.
trait Cell {
    fn from_cell(cell: u64) -> Self;
    fn into_cell(self) -> u64;
}

impl Cell for Real {
    fn from_cell(cell: u64) -> Real {
        f64::from_bits(cell)
    }

    fn into_cell(self) -> u64 {
        self.to_bits()
    }
}

impl Cell for Integer {
    fn from_cell(cell: u64) -> Integer {
        cell as i64
    }

    fn into_cell(self) -> u64 {
        self as u64
    }
}
