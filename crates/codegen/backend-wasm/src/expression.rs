//! Expressions: an instruction for each operator.

use kernel::{ArrayId, Expression, Operator, Type, Value};
use wasm_encoder::{MemArg, MemArgTarget};

use crate::function::Translator;

/// Bytes of a cell, and the same as a power of two.
const CELL: i64 = 8;
const CELL_POWER: u32 = 3;

impl Translator<'_> {
    pub fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Constant(Value::Real(value)) => {
                self.sink.f64_const((*value).into());
            }
            Expression::Constant(Value::Integer(value)) => {
                self.sink.i64_const(*value);
            }
            Expression::Local(local) => {
                self.sink.local_get(local.index);
            }
            Expression::Load { array, index } => {
                let place = self.place(*array, index);
                match array.element {
                    Type::Real => self.sink.f64_load(place),
                    Type::Integer => self.sink.i64_load(place),
                };
            }
            Expression::Apply { operator, operands } => {
                self.apply(*operator, operands);
                if is_comparison(*operator) {
                    self.sink.i64_extend_i32_u();
                }
            }
        }
    }

    /// An `i32` to branch on: nonzero for true.
    pub fn condition(&mut self, condition: &Expression) {
        match condition {
            Expression::Apply { operator, operands } if is_comparison(*operator) => self.apply(*operator, operands),
            _ => {
                self.expression(condition);
                self.sink.i64_const(0).i64_ne();
            }
        }
    }

    /// The address of an element, of which the constant part goes into the instruction.
    pub fn place(&mut self, array: ArrayId, index: &Expression) -> MemArg {
        let first = self.layout.offset(array) as i64;
        let (computed, constant) = match split(index) {
            (computed, constant) if first + constant >= 0 => (computed, first + constant),
            _ => (Some(index), first),
        };
        match computed {
            None => {
                self.sink.i32_const(0);
            }
            Some(computed) => {
                self.expression(computed);
                self.sink.i32_wrap_i64().i32_const(CELL_POWER as i32).i32_shl();
            }
        }
        MemArg { offset: (constant * CELL) as u64, align: CELL_POWER, target: MemArgTarget::Memory(0), ordering: None }
    }

    /// The result of a comparison is an `i32`.
    // Long: one arm for each operator; this is the table of their instructions.
    fn apply(&mut self, operator: Operator, operands: &[Expression]) {
        use Operator::*;
        if operator == IntegerNegate {
            self.sink.i64_const(0);
        }
        if matches!(operator, RealSelect | IntegerSelect) {
            self.expression(&operands[1]);
            self.expression(&operands[2]);
            self.condition(&operands[0]);
        } else {
            operands.iter().for_each(|operand| self.expression(operand));
        }
        let sink = &mut self.sink;
        match operator {
            RealNegate => sink.f64_neg(),
            RealAbsolute => sink.f64_abs(),
            RealSquareRoot => sink.f64_sqrt(),
            RealFloor => sink.f64_floor(),
            RealCeiling => sink.f64_ceil(),
            RealTruncate => sink.f64_trunc(),
            RealRound => sink.f64_nearest(),
            RealAdd => sink.f64_add(),
            RealSubtract => sink.f64_sub(),
            RealMultiply => sink.f64_mul(),
            RealDivide => sink.f64_div(),
            RealCopySign => sink.f64_copysign(),
            // WebAssembly's own minimum and maximum treat what is not a number, and zeros, in another way.
            RealMinimum | RealMaximum => {
                let [a, b] = self.scratch;
                sink.local_set(b).local_tee(a).local_get(b).local_get(a).local_get(b);
                if operator == RealMinimum {
                    sink.f64_lt()
                } else {
                    sink.f64_gt()
                };
                sink.select()
            }
            RealEqual => sink.f64_eq(),
            RealNotEqual => sink.f64_ne(),
            RealLess => sink.f64_lt(),
            RealLessEqual => sink.f64_le(),
            RealGreater => sink.f64_gt(),
            RealGreaterEqual => sink.f64_ge(),
            IntegerNegate | IntegerSubtract => sink.i64_sub(),
            IntegerNot => sink.i64_const(-1).i64_xor(),
            IntegerAdd => sink.i64_add(),
            IntegerMultiply => sink.i64_mul(),
            IntegerAnd => sink.i64_and(),
            IntegerXor => sink.i64_xor(),
            IntegerOr => sink.i64_or(),
            ShiftLeft => sink.i64_shl(),
            ShiftRight => sink.i64_shr_s(),
            ShiftRightLogical => sink.i64_shr_u(),
            IntegerEqual => sink.i64_eq(),
            IntegerNotEqual => sink.i64_ne(),
            IntegerLess => sink.i64_lt_s(),
            IntegerLessEqual => sink.i64_le_s(),
            IntegerGreater => sink.i64_gt_s(),
            IntegerGreaterEqual => sink.i64_ge_s(),
            IntegerToReal => sink.f64_convert_i64_s(),
            RealToInteger => sink.i64_trunc_sat_f64_s(),
            RealToBits => sink.i64_reinterpret_f64(),
            BitsToReal => sink.f64_reinterpret_i64(),
            RealSelect | IntegerSelect => sink.select(),
        };
    }
}

fn is_comparison(operator: Operator) -> bool {
    use Operator::*;
    matches!(
        operator,
        RealEqual
            | RealNotEqual
            | RealLess
            | RealLessEqual
            | RealGreater
            | RealGreaterEqual
            | IntegerEqual
            | IntegerNotEqual
            | IntegerLess
            | IntegerLessEqual
            | IntegerGreater
            | IntegerGreaterEqual
    )
}

/// An index as a computed and a constant part.
fn split(index: &Expression) -> (Option<&Expression>, i64) {
    if let Some(constant) = index.as_integer() {
        return (None, constant);
    }
    match index {
        Expression::Apply { operator: Operator::IntegerAdd, operands } => match operands[1].as_integer() {
            Some(constant) if constant.unsigned_abs() < 1 << 31 => (Some(&operands[0]), constant),
            _ => (Some(index), 0),
        },
        _ => (Some(index), 0),
    }
}
