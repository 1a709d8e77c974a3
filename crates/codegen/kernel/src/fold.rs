//! Constant folding while expressions are built: index arithmetic disappears, and no bit of any result changes.

use crate::{Expression, Operator, Value};

/// The operator applied to the operands, simplified where all operands are constants or one is neutral.
///
/// A result that is not a number is left to run time, for its bits differ between processors.
pub fn fold(operator: Operator, operands: Box<[Expression]>) -> Expression {
    if let Some(value) = constant(operator, &operands) {
        return Expression::Constant(value);
    }
    match neutral(operator, &operands) {
        Some(kept) => operands.into_vec().swap_remove(kept),
        None => gather(operator, operands),
    }
}

fn constant(operator: Operator, operands: &[Expression]) -> Option<Value> {
    let cells: Option<Vec<u64>> = operands
        .iter()
        .map(|operand| match operand {
            Expression::Constant(value) => Some(value.cell()),
            _ => None,
        })
        .collect();
    let result = Value::from_cell((operator.row().evaluate)(&cells?), operator.row().result);
    let exact = result.as_real().is_none_or(|real| !real.is_nan());
    exact.then_some(result)
}

/// The operand that the result is equal to. `x + 0.0` is not `x`: it turns -0 into 0.
fn neutral(operator: Operator, operands: &[Expression]) -> Option<usize> {
    let integer = |operand: usize, value: i64| operands[operand].as_integer() == Some(value);
    let real = |operand: usize, value: f64| operands[operand].as_real().map(f64::to_bits) == Some(value.to_bits());
    match operator {
        Operator::IntegerAdd if integer(0, 0) => Some(1),
        Operator::IntegerMultiply if integer(0, 1) => Some(1),
        Operator::RealMultiply if real(0, 1.0) => Some(1),
        Operator::IntegerAdd | Operator::IntegerSubtract if integer(1, 0) => Some(0),
        Operator::IntegerMultiply if integer(1, 1) => Some(0),
        Operator::RealMultiply | Operator::RealDivide if real(1, 1.0) => Some(0),
        Operator::RealSubtract if real(1, 0.0) => Some(0),
        Operator::RealSelect | Operator::IntegerSelect => operands[0].as_integer().map(|c| if c != 0 { 1 } else { 2 }),
        _ => None,
    }
}

/// `(x + a) + b` and `(x - a) + b` and the like become `x + c`: wrapping addition is associative.
fn gather(operator: Operator, operands: Box<[Expression]>) -> Expression {
    if let Some((base, outer)) = offset(operator, &operands)
        && let Expression::Apply { operator, operands } = base
        && let Some((base, inner)) = offset(*operator, operands)
    {
        return fold(Operator::IntegerAdd, Box::new([base.clone(), Expression::from(outer.wrapping_add(inner))]));
    }
    Expression::Apply { operator, operands }
}

fn offset(operator: Operator, operands: &[Expression]) -> Option<(&Expression, i64)> {
    match operator {
        Operator::IntegerAdd => Some((&operands[0], operands[1].as_integer()?)),
        Operator::IntegerSubtract => Some((&operands[0], operands[1].as_integer()?.wrapping_neg())),
        _ => None,
    }
}
