//! Kernel expressions as Cranelift instructions. There is no fused multiply-add: each operator rounds by itself.

use super::{Translator, machine_type};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use kernel::{ArrayId, Expression, Operator};

/// A place in memory: an address, and a constant distance from it in bytes.
pub(super) struct Place {
    pub flags: MemFlagsData,
    pub address: Value,
    pub offset: i32,
}

const CELL: i64 = 8;

impl Translator<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Constant(kernel::Value::Real(value)) => self.builder.ins().f64const(*value),
            Expression::Constant(kernel::Value::Integer(value)) => self.builder.ins().iconst(types::I64, *value),
            Expression::Local(local) => self.builder.use_var(self.locals[local.index as usize]),
            Expression::Load { array, index } => {
                let place = self.place(*array, index);
                self.builder.ins().load(machine_type(array.element), place.flags, place.address, place.offset)
            }
            Expression::Apply { operator, operands } => match comparison(*operator) {
                Some(comparison) => {
                    let truth = self.compare(comparison, operands);
                    self.builder.ins().uextend(types::I64, truth)
                }
                None => self.apply(*operator, operands),
            },
        }
    }

    /// A value to branch on: nonzero for true.
    pub(super) fn condition(&mut self, condition: &Expression) -> Value {
        if let Expression::Apply { operator, operands } = condition
            && let Some(comparison) = comparison(*operator)
        {
            return self.compare(comparison, operands);
        }
        self.expression(condition)
    }

    /// The element of an array. Constants in the index become part of the offset, where they fit.
    pub(super) fn place(&mut self, array: ArrayId, index: &Expression) -> Place {
        let constant = index.as_integer();
        let (computed, constant_part) = match split(index) {
            (_, part) if i32::try_from(part).is_err() => (Some(index), 0),
            split => split,
        };
        let cells = self.surroundings.layout.offset(array) as i64 + constant_part;
        let flags = self.regions.flags(array, constant, self.surroundings.written, self.builder.func);
        let mut address = self.memory;
        if let Some(computed) = computed {
            let computed = self.expression(computed);
            let bytes = self.builder.ins().ishl_imm_u(computed, i64::from(CELL.trailing_zeros()));
            address = self.builder.ins().iadd(address, bytes);
        }
        match i32::try_from(cells * CELL) {
            Ok(offset) => Place { flags, address, offset },
            Err(_) => Place { flags, address: self.builder.ins().iadd_imm_s(address, cells * CELL), offset: 0 },
        }
    }

    fn compare(&mut self, comparison: Comparison, operands: &[Expression]) -> Value {
        let (a, b) = (self.expression(&operands[0]), self.expression(&operands[1]));
        match comparison {
            Comparison::Real(condition) => self.builder.ins().fcmp(condition, a, b),
            Comparison::Integer(condition) => self.builder.ins().icmp(condition, a, b),
        }
    }

    fn apply(&mut self, operator: Operator, operands: &[Expression]) -> Value {
        if let Operator::RealSelect | Operator::IntegerSelect = operator {
            let condition = self.condition(&operands[0]);
            let (a, b) = (self.expression(&operands[1]), self.expression(&operands[2]));
            return self.builder.ins().select(condition, a, b);
        }
        let values: Vec<Value> = operands.iter().map(|operand| self.expression(operand)).collect();
        self.apply_to_values(operator, &values)
    }

    /// An operator that neither compares nor chooses.
    pub(super) fn apply_to_values(&mut self, operator: Operator, values: &[Value]) -> Value {
        match *values {
            [a] => self.unary(operator, a),
            [a, b] => self.binary(operator, a, b),
            _ => unreachable!("{operator:?} has one operand or two"),
        }
    }

    fn unary(&mut self, operator: Operator, a: Value) -> Value {
        let instruction = self.builder.ins();
        match operator {
            Operator::RealNegate => instruction.fneg(a),
            Operator::RealAbsolute => instruction.fabs(a),
            Operator::RealSquareRoot => instruction.sqrt(a),
            Operator::RealFloor => instruction.floor(a),
            Operator::RealCeiling => instruction.ceil(a),
            Operator::RealTruncate => instruction.trunc(a),
            Operator::RealRound => instruction.nearest(a),
            Operator::IntegerNegate => instruction.ineg(a),
            Operator::IntegerNot => instruction.bnot(a),
            Operator::IntegerToReal => instruction.fcvt_from_sint(types::F64, a),
            Operator::RealToInteger => instruction.fcvt_to_sint_sat(types::I64, a),
            Operator::RealToBits => instruction.bitcast(types::I64, MemFlagsData::new(), a),
            Operator::BitsToReal => instruction.bitcast(types::F64, MemFlagsData::new(), a),
            _ => unreachable!("{operator:?} has not one operand"),
        }
    }

    fn binary(&mut self, operator: Operator, a: Value, b: Value) -> Value {
        let instruction = self.builder.ins();
        match operator {
            Operator::RealAdd => instruction.fadd(a, b),
            Operator::RealSubtract => instruction.fsub(a, b),
            Operator::RealMultiply => instruction.fmul(a, b),
            Operator::RealDivide => instruction.fdiv(a, b),
            Operator::RealCopySign => instruction.fcopysign(a, b),
            Operator::RealMinimum => self.choose(FloatCC::LessThan, a, b),
            Operator::RealMaximum => self.choose(FloatCC::GreaterThan, a, b),
            Operator::IntegerAdd => instruction.iadd(a, b),
            Operator::IntegerSubtract => instruction.isub(a, b),
            Operator::IntegerMultiply => instruction.imul(a, b),
            Operator::IntegerAnd => instruction.band(a, b),
            Operator::IntegerXor => instruction.bxor(a, b),
            Operator::IntegerOr => instruction.bor(a, b),
            Operator::ShiftLeft => instruction.ishl(a, b),
            Operator::ShiftRight => instruction.sshr(a, b),
            Operator::ShiftRightLogical => instruction.ushr(a, b),
            _ => unreachable!("{operator:?} has not two operands, or compares them"),
        }
    }

    /// `if a < b { a } else { b }`
    fn choose(&mut self, condition: FloatCC, a: Value, b: Value) -> Value {
        let holds = self.builder.ins().fcmp(condition, a, b);
        self.builder.ins().select(holds, a, b)
    }
}

/// An index as a computed and a constant part.
fn split(index: &Expression) -> (Option<&Expression>, i64) {
    if let Some(constant) = index.as_integer() {
        return (None, constant);
    }
    match index {
        Expression::Apply { operator: Operator::IntegerAdd, operands } => match operands[1].as_integer() {
            Some(constant) => (Some(&operands[0]), constant),
            None => (Some(index), 0),
        },
        _ => (Some(index), 0),
    }
}

enum Comparison {
    Real(FloatCC),
    Integer(IntCC),
}

fn comparison(operator: Operator) -> Option<Comparison> {
    Some(match operator {
        Operator::RealEqual => Comparison::Real(FloatCC::Equal),
        Operator::RealNotEqual => Comparison::Real(FloatCC::NotEqual),
        Operator::RealLess => Comparison::Real(FloatCC::LessThan),
        Operator::RealLessEqual => Comparison::Real(FloatCC::LessThanOrEqual),
        Operator::RealGreater => Comparison::Real(FloatCC::GreaterThan),
        Operator::RealGreaterEqual => Comparison::Real(FloatCC::GreaterThanOrEqual),
        Operator::IntegerEqual => Comparison::Integer(IntCC::Equal),
        Operator::IntegerNotEqual => Comparison::Integer(IntCC::NotEqual),
        Operator::IntegerLess => Comparison::Integer(IntCC::SignedLessThan),
        Operator::IntegerLessEqual => Comparison::Integer(IntCC::SignedLessThanOrEqual),
        Operator::IntegerGreater => Comparison::Integer(IntCC::SignedGreaterThan),
        Operator::IntegerGreaterEqual => Comparison::Integer(IntCC::SignedGreaterThanOrEqual),
        _ => return None,
    })
}
