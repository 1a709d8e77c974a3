//! Expressions for all lanes: numbers are vectors, conditions are masks.

use kernel::{ArrayId, Expression, FunctionId, LocalId, Operator};

use super::{Place, Program, of, scalar};
use crate::expression::Writer;

/// Writes the expressions of one function.
pub struct LaneWriter<'m> {
    pub program: &'m Program<'m>,
    pub function: FunctionId,
    /// Writes what is the same in all lanes.
    pub scalar: Writer<'m>,
    /// The mask under which expressions are evaluated: lanes beside it may hold places that do not exist.
    pub mask: String,
}

impl LaneWriter<'_> {
    pub fn local(&self, local: LocalId) -> String {
        self.scalar.local(local)
    }

    pub fn is_uniform(&self, expression: &Expression) -> bool {
        self.program.uniform.expression(self.function, expression)
    }

    /// A number for each lane.
    pub fn vector(&mut self, expression: &Expression) -> String {
        if self.is_uniform(expression) {
            let kind = expression.kind();
            return format!(
                "all_{}(({}){})",
                of(kind),
                scalar(kind),
                parenthesized(self.scalar.expression(expression))
            );
        }
        match expression {
            Expression::Constant(_) => unreachable!("constants are uniform"),
            Expression::Local(local) => self.local(*local),
            Expression::Load { array, index } => self.load(*array, index),
            Expression::Apply { operator, operands } => self.apply(*operator, operands),
        }
    }

    /// Whether something holds, for each lane.
    pub fn mask(&mut self, expression: &Expression) -> String {
        use Operator::{IntegerAnd, IntegerEqual, IntegerOr, IntegerXor};
        if self.is_uniform(expression) {
            return format!("mask_if({} != 0)", parenthesized(self.scalar.expression(expression)));
        }
        if let Expression::Apply { operator, operands } = expression {
            let both = |symbol: &str, masks: [String; 2]| format!("({} {symbol} {})", masks[0], masks[1]);
            let truths = is_truth(&operands[0]) && operands.get(1).is_some_and(is_truth);
            match operator {
                IntegerAnd | IntegerOr | IntegerXor if truths => {
                    let symbol = match operator {
                        IntegerAnd => "&",
                        IntegerOr => "|",
                        _ => "^",
                    };
                    return both(symbol, [self.mask(&operands[0]), self.mask(&operands[1])]);
                }
                IntegerEqual if is_truth(&operands[0]) && operands[1].as_integer() == Some(0) => {
                    return format!("mask_not({})", self.mask(&operands[0]));
                }
                _ => {}
            }
            if let Some(name) = comparison(*operator) {
                let kind = operands[0].kind();
                let [a, b] = [0, 1].map(|at| self.vector(&operands[at]));
                return format!("{}_{name}({a}, {b})", of(kind));
            }
        }
        format!("integer_differs({}, all_integer(0))", self.vector(expression))
    }

    /// An element that all lanes speak of, as something that can be assigned.
    pub fn element(&mut self, array: ArrayId, index: &Expression) -> String {
        let index = self.scalar.expression(index);
        format!("self->{}[{index}]", self.program.module.array(array).name)
    }

    fn load(&mut self, array: ArrayId, index: &Expression) -> String {
        let (kind, name) = (of(array.element), &self.program.module.array(array).name);
        match self.program.place(array) {
            Place::Record if self.is_uniform(index) => self.element(array, index),
            Place::Record => format!("gather_{kind}({}, self->{name}, {})", self.mask.clone(), self.vector(index)),
            Place::Table => format!("look_up_{kind}({}, {name}, {})", self.mask.clone(), self.vector(index)),
            Place::Apart(cell) => {
                format!("gather_apart_{kind}({}, self->apart, {cell}, {})", self.mask.clone(), self.vector(index))
            }
            Place::Unused => unreachable!("it is used here"),
        }
    }

    fn apply(&mut self, operator: Operator, operands: &[Expression]) -> String {
        use Operator::*;
        if comparison(operator).is_some() {
            let whole = Expression::Apply { operator, operands: operands.into() };
            return format!("number_if({})", self.mask(&whole));
        }
        if let RealSelect | IntegerSelect = operator {
            let condition = self.mask(&operands[0]);
            let [a, b] = [1, 2].map(|at| self.vector(&operands[at]));
            return format!("select_{}({condition}, {a}, {b})", of(operands[1].kind()));
        }
        let operands: Vec<String> = operands.iter().map(|operand| self.vector(operand)).collect();
        let infix = |symbol: &str| format!("({} {symbol} {})", operands[0], operands[1]);
        let call = |name: &str| format!("{name}({})", operands.join(", "));
        match operator {
            RealNegate | IntegerNegate => format!("(-{})", operands[0]),
            IntegerNot => format!("(~{})", operands[0]),
            RealAdd | IntegerAdd => infix("+"),
            RealSubtract | IntegerSubtract => infix("-"),
            RealMultiply | IntegerMultiply => infix("*"),
            RealDivide => infix("/"),
            IntegerAnd => infix("&"),
            IntegerOr => infix("|"),
            IntegerXor => infix("^"),
            RealAbsolute => call("absolute"),
            RealSquareRoot => call("square_root"),
            RealFloor => call("round_down"),
            RealCeiling => call("round_up"),
            RealTruncate => call("round_to_zero"),
            RealRound => call("round_to_nearest"),
            RealCopySign => call("copy_sign"),
            RealMinimum => call("minimum_of"),
            RealMaximum => call("maximum_of"),
            ShiftLeft => call("left"),
            ShiftRight => call("right"),
            ShiftRightLogical => call("right_logical"),
            IntegerToReal => call("real_of"),
            RealToInteger => call("integer_of"),
            RealToBits => call("bits_of"),
            BitsToReal => call("of_bits"),
            RealSelect | IntegerSelect => unreachable!("written above"),
            RealEqual | RealNotEqual | RealLess | RealLessEqual | RealGreater | RealGreaterEqual | IntegerEqual
            | IntegerNotEqual | IntegerLess | IntegerLessEqual | IntegerGreater | IntegerGreaterEqual => {
                unreachable!("written above")
            }
        }
    }
}

/// The name of a comparison, behind the type of what is compared.
fn comparison(operator: Operator) -> Option<&'static str> {
    use Operator::*;
    Some(match operator {
        RealEqual | IntegerEqual => "equals",
        RealNotEqual | IntegerNotEqual => "differs",
        RealLess | IntegerLess => "less",
        RealLessEqual | IntegerLessEqual => "at_most",
        RealGreater | IntegerGreater => "greater",
        RealGreaterEqual | IntegerGreaterEqual => "at_least",
        _ => return None,
    })
}

/// Whether it is 0 or 1, whatever happens.
fn is_truth(expression: &Expression) -> bool {
    use Operator::{IntegerAnd, IntegerOr, IntegerXor};
    match expression {
        Expression::Apply { operator: IntegerAnd | IntegerOr | IntegerXor, operands } => operands.iter().all(is_truth),
        Expression::Apply { operator, .. } => comparison(*operator).is_some(),
        Expression::Constant(value) => matches!(value.as_integer(), Some(0 | 1)),
        _ => false,
    }
}

fn parenthesized(text: String) -> String {
    format!("({text})")
}
