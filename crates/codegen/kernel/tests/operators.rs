//! Each operator against values worked out by hand from IEEE 754 and two's complement.

use kernel::{Operator, Value};

/// A row: the operator, its operands, its result.
struct Case(Operator, &'static [Value], Value);

const fn r(value: f64) -> Value {
    Value::Real(value)
}

const fn i(value: i64) -> Value {
    Value::Integer(value)
}

use Operator::*;

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case(RealNegate,        &[r(0.0)],              r(-0.0)),
    Case(RealAbsolute,      &[r(-0.0)],             r(0.0)),
    Case(RealSquareRoot,    &[r(3.0)],              r(1.7320508075688772)),
    Case(RealSquareRoot,    &[r(-0.0)],             r(-0.0)),
    Case(RealFloor,         &[r(-0.5)],             r(-1.0)),
    Case(RealCeiling,       &[r(-0.5)],             r(-0.0)),
    Case(RealTruncate,      &[r(-2.9)],             r(-2.0)),
    Case(RealRound,         &[r(2.5)],              r(2.0)),
    Case(RealRound,         &[r(3.5)],              r(4.0)),
    Case(RealRound,         &[r(-0.5)],             r(-0.0)),
    Case(RealAdd,           &[r(0.1), r(0.2)],      r(0.30000000000000004)),
    Case(RealSubtract,      &[r(1e16), r(1.0)],     r(9999999999999999.0)),
    Case(RealMultiply,      &[r(1e200), r(1e200)],  r(INFINITY)),
    Case(RealDivide,        &[r(1.0), r(-0.0)],     r(-INFINITY)),
    Case(RealDivide,        &[r(5e-324), r(2.0)],   r(0.0)),
    Case(RealCopySign,      &[r(3.0), r(-0.0)],     r(-3.0)),
    Case(RealMinimum,       &[r(0.0), r(-0.0)],     r(-0.0)),
    Case(RealMinimum,       &[r(-0.0), r(0.0)],     r(0.0)),
    Case(RealMinimum,       &[r(NAN), r(1.0)],      r(1.0)),
    Case(RealMaximum,       &[r(NAN), r(1.0)],      r(1.0)),
    Case(RealMaximum,       &[r(2.0), r(1.0)],      r(2.0)),
    Case(RealEqual,         &[r(0.0), r(-0.0)],     i(1)),
    Case(RealNotEqual,      &[r(NAN), r(NAN)],      i(1)),
    Case(RealLess,          &[r(1.0), r(NAN)],      i(0)),
    Case(RealLessEqual,     &[r(1.0), r(1.0)],      i(1)),
    Case(RealGreater,       &[r(INFINITY), r(1.0)], i(1)),
    Case(RealGreaterEqual,  &[r(NAN), r(NAN)],      i(0)),
    Case(IntegerNegate,     &[i(i64::MIN)],         i(i64::MIN)),
    Case(IntegerNot,        &[i(1)],                i(-2)),
    Case(IntegerAdd,        &[i(i64::MAX), i(1)],   i(i64::MIN)),
    Case(IntegerSubtract,   &[i(i64::MIN), i(1)],   i(i64::MAX)),
    Case(IntegerMultiply,   &[i(i64::MIN), i(-1)],  i(i64::MIN)),
    Case(IntegerAnd,        &[i(12), i(10)],        i(8)),
    Case(IntegerXor,        &[i(12), i(10)],        i(6)),
    Case(IntegerOr,         &[i(12), i(10)],        i(14)),
    Case(ShiftLeft,         &[i(1), i(65)],         i(2)),
    Case(ShiftLeft,         &[i(1), i(-1)],         i(i64::MIN)),
    Case(ShiftRight,        &[i(-8), i(1)],         i(-4)),
    Case(ShiftRightLogical, &[i(-1), i(63)],        i(1)),
    Case(IntegerEqual,      &[i(3), i(3)],          i(1)),
    Case(IntegerNotEqual,   &[i(3), i(3)],          i(0)),
    Case(IntegerLess,       &[i(-1), i(0)],         i(1)),
    Case(IntegerLessEqual,  &[i(0), i(-1)],         i(0)),
    Case(IntegerGreater,    &[i(0), i(-1)],         i(1)),
    Case(IntegerGreaterEqual, &[i(-1), i(-1)],      i(1)),
    Case(IntegerToReal,     &[i((1 << 53) + 1)],    r(9007199254740992.0)),
    Case(RealToInteger,     &[r(-1.9)],             i(-1)),
    Case(RealToInteger,     &[r(1e300)],            i(i64::MAX)),
    Case(RealToInteger,     &[r(-INFINITY)],        i(i64::MIN)),
    Case(RealToInteger,     &[r(NAN)],              i(0)),
    Case(RealToBits,        &[r(1.0)],              i(0x3ff0_0000_0000_0000)),
    Case(BitsToReal,        &[i(i64::MIN)],         r(-0.0)),
    Case(RealSelect,        &[i(-7), r(1.0), r(2.0)], r(1.0)),
    Case(IntegerSelect,     &[i(0), i(1), i(2)],    i(2)),
];

#[test]
fn operators_give_the_values_worked_out_by_hand() {
    for Case(operator, operands, expected) in CASES {
        let cells: Vec<u64> = operands.iter().map(|operand| operand.cell()).collect();
        let result = Value::from_cell((operator.row().evaluate)(&cells), operator.row().result);
        assert_eq!(result, *expected, "{operator:?} {operands:?}");
    }
}

#[test]
fn every_operator_has_a_case_of_its_types() {
    for operator in Operator::all() {
        let row = operator.row();
        let case = CASES.iter().find(|case| case.0 == operator).unwrap_or_else(|| panic!("no case for {operator:?}"));
        assert!(case.1.iter().map(|value| value.kind()).eq(row.operands.iter().copied()), "{operator:?}");
        assert_eq!(case.2.kind(), row.result, "{operator:?}");
    }
}

#[test]
fn no_two_operators_are_written_alike() {
    for operator in Operator::all() {
        let row = operator.row();
        assert_eq!(Operator::find(|notation| notation == row.notation, row.operands), Some(operator));
    }
}
