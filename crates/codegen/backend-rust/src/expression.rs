//! Expressions in Rust.

use kernel::{ArrayId, Expression, Function, LocalId, Module, Notation, Operator, Usage, Value};

use crate::memory::{constant, element, indexed, kind_name};
use crate::names::plain;

/// What the expressions of one function speak of.
pub struct Writer<'m> {
    pub module: &'m Module,
    pub usage: &'m Usage,
    pub function: &'m Function,
}

/// Levels of binding above those of the kernel's infix operators, and below them.
const TIGHT: u8 = 20;
const CAST: u8 = 10;
const PREFIX: u8 = 11;
const LOOSE: u8 = 0;

impl Writer<'_> {
    pub fn expression(&self, expression: &Expression) -> String {
        self.write(expression).0
    }

    pub fn local(&self, local: LocalId) -> String {
        plain(&self.function.local(local).name)
    }

    pub fn place(&self, array: ArrayId, index: &Expression) -> String {
        match index.as_integer() {
            Some(at) => element(self.module, self.usage, array, at as usize),
            None => {
                let index = self.index(index);
                let index = if is_word(&index) { index } else { format!("({index})") };
                format!("{}[{index} as usize]", indexed(self.module, self.usage, array))
            }
        }
    }

    /// As a `bool`.
    pub fn condition(&self, condition: &Expression) -> String {
        self.truth(condition).0
    }

    fn write(&self, expression: &Expression) -> (String, u8) {
        match expression {
            Expression::Constant(value) => {
                let text = constant(*value);
                let level = if text.starts_with('-') { PREFIX } else { TIGHT };
                (text, level)
            }
            Expression::Local(local) => (self.local(*local), TIGHT),
            Expression::Load { array, index } => (self.place(*array, index), TIGHT),
            Expression::Apply { operator, operands } => self.apply(*operator, operands),
        }
    }

    fn apply(&self, operator: Operator, operands: &[Expression]) -> (String, u8) {
        use Operator::*;
        let method = |name: &str| {
            let others: Vec<String> = operands[1..].iter().map(|operand| self.expression(operand)).collect();
            (format!("{}.{name}({})", self.typed(&operands[0]), others.join(", ")), TIGHT)
        };
        let function = |name: &str| {
            let all: Vec<String> = operands.iter().map(|operand| self.expression(operand)).collect();
            (format!("{name}({})", all.join(", ")), TIGHT)
        };
        let shift = |name: &str| (format!("{}.{name}({})", self.typed(&operands[0]), self.amount(&operands[1])), TIGHT);
        let infix = |symbol: &str, level: u8| {
            let (left, right) = (self.at_level(&operands[0], level), self.at_level(&operands[1], level + 1));
            (format!("{left} {symbol} {right}"), level)
        };
        match operator {
            RealNegate => (format!("-{}", self.at_level(&operands[0], TIGHT)), PREFIX),
            IntegerNot => (format!("!{}", self.typed(&operands[0])), PREFIX),
            RealAbsolute => method("abs"),
            RealCopySign => method("copysign"),
            RealSquareRoot => function("math::sqrt"),
            RealFloor => function("math::floor"),
            RealCeiling => function("math::ceiling"),
            RealTruncate => function("math::truncate"),
            RealRound => function("math::round"),
            RealMinimum => function("math::minimum"),
            RealMaximum => function("math::maximum"),
            IntegerNegate => method("wrapping_neg"),
            IntegerAdd => method("wrapping_add"),
            IntegerSubtract => method("wrapping_sub"),
            IntegerMultiply => method("wrapping_mul"),
            ShiftLeft => shift("wrapping_shl"),
            ShiftRight => shift("wrapping_shr"),
            ShiftRightLogical => (
                format!("({} as u64).wrapping_shr({}) as i64", self.typed(&operands[0]), self.amount(&operands[1])),
                CAST,
            ),
            IntegerToReal => (format!("{} as f64", self.typed(&operands[0])), CAST),
            RealToInteger => (format!("{} as i64", self.typed(&operands[0])), CAST),
            RealToBits => (format!("{}.to_bits() as i64", self.typed(&operands[0])), CAST),
            BitsToReal => (format!("f64::from_bits({} as u64)", self.typed(&operands[0])), TIGHT),
            RealSelect | IntegerSelect => {
                let [a, b] = [1, 2].map(|at| self.expression(&operands[at]));
                (format!("if {} {{ {a} }} else {{ {b} }}", self.condition(&operands[0])), LOOSE)
            }
            RealAdd | RealSubtract | RealMultiply | RealDivide | IntegerAnd | IntegerXor | IntegerOr => {
                match operator.row().notation {
                    Notation::Infix(symbol, level) => infix(symbol, level),
                    _ => unreachable!("{operator:?} is written between its operands"),
                }
            }
            _ => (format!("i64::from({})", self.comparison(operator, operands).0), TIGHT),
        }
    }

    /// As a `bool`, and how tightly it binds.
    fn truth(&self, condition: &Expression) -> (String, u8) {
        use Operator::*;
        match condition {
            Expression::Apply { operator, operands } if is_comparison(*operator) => {
                match (operator, &operands[0], operands[1].as_integer()) {
                    (IntegerEqual, Expression::Apply { operator: inner, operands }, Some(0))
                        if is_comparison(*inner) =>
                    {
                        (format!("!({})", self.comparison(*inner, operands).0), PREFIX)
                    }
                    _ => self.comparison(*operator, operands),
                }
            }
            Expression::Apply { operator: operator @ (IntegerAnd | IntegerOr), operands }
                if operands.iter().all(is_truth) =>
            {
                let symbol = if *operator == IntegerAnd { "&&" } else { "||" };
                let [a, b] = [0, 1].map(|at| match self.truth(&operands[at]) {
                    (text, LOOSE) => format!("({text})"),
                    (text, _) => text,
                });
                (format!("{a} {symbol} {b}"), LOOSE)
            }
            Expression::Constant(value) => ((value.as_integer() != Some(0)).to_string(), TIGHT),
            _ => (format!("{} != 0", self.at_level(condition, COMPARED)), COMPARISON),
        }
    }

    fn comparison(&self, operator: Operator, operands: &[Expression]) -> (String, u8) {
        let Notation::Infix(symbol, _) = operator.row().notation else {
            unreachable!("{operator:?} is written between its operands")
        };
        // Otherwise `a as i64 < b` would begin a list of types.
        let left = match self.write(&operands[0]) {
            (text, own) if own >= COMPARED && own != CAST => text,
            (text, _) => format!("({text})"),
        };
        (format!("{left} {symbol} {}", self.at_level(&operands[1], COMPARED)), COMPARISON)
    }

    /// In parentheses if it binds less tightly.
    fn at_level(&self, operand: &Expression, level: u8) -> String {
        match self.write(operand) {
            (text, own) if own >= level => text,
            (text, _) => format!("({text})"),
        }
    }

    /// By how much to shift.
    fn amount(&self, operand: &Expression) -> String {
        match operand.as_integer() {
            Some(amount) => (amount as u32).to_string(),
            None => format!("{} as u32", self.typed(operand)),
        }
    }

    /// What a method is called on, or converted: there the type of numbers cannot be inferred.
    pub fn typed(&self, operand: &Expression) -> String {
        match operand {
            Expression::Constant(value) => {
                let suffix = match value {
                    Value::Integer(value) if *value != i64::MIN => "_i64",
                    Value::Real(value) if value.is_finite() => "_f64",
                    _ => "",
                };
                let text = constant(*value);
                if text.starts_with('-') { format!("({text}{suffix})") } else { format!("{text}{suffix}") }
            }
            _ if has_type(operand) => self.at_level(operand, TIGHT),
            _ => {
                let kind = kind_name(operand.kind());
                format!("core::convert::identity::<{kind}>({})", self.expression(operand))
            }
        }
    }

    /// An index is in range, and so is what it is computed from: nothing wraps around.
    fn index(&self, index: &Expression) -> String {
        match index {
            Expression::Apply { operator, operands } if is_plain(index) => {
                let symbol = match operator {
                    Operator::IntegerAdd => "+",
                    Operator::IntegerSubtract => "-",
                    _ => "*",
                };
                let side = |text: String| if symbol == "+" || is_word(&text) { text } else { format!("({text})") };
                let (left, right) = (self.index(&operands[0]), self.index(&operands[1]));
                format!("{} {symbol} {}", side(left), side(right))
            }
            _ => self.expression(index),
        }
    }
}

/// The level of comparisons, and of what may stand in one without parentheses.
const COMPARISON: u8 = 4;
const COMPARED: u8 = 6;

fn is_comparison(operator: Operator) -> bool {
    matches!(operator.row().notation, Notation::Infix("==" | "!=" | "<" | "<=" | ">" | ">=", _))
}

/// Whether an expression is 0 or 1 by its form.
fn is_truth(expression: &Expression) -> bool {
    match expression {
        Expression::Apply { operator: Operator::IntegerAnd | Operator::IntegerOr, operands } => {
            operands.iter().all(is_truth)
        }
        Expression::Apply { operator, .. } => is_comparison(*operator),
        _ => false,
    }
}

/// Whether the type of an expression shows: not if it is made of numbers alone.
fn has_type(expression: &Expression) -> bool {
    match expression {
        Expression::Constant(_) => false,
        Expression::Local(_) | Expression::Load { .. } => true,
        Expression::Apply { operator: Operator::RealSelect | Operator::IntegerSelect, operands } => {
            operands[1..].iter().any(has_type)
        }
        Expression::Apply { operator, operands } => match operator.row().notation {
            Notation::Call(_) => true,
            Notation::Prefix(_) => has_type(&operands[0]),
            Notation::Infix(..) => is_comparison(*operator) || operands.iter().any(has_type),
        },
    }
}

/// Sums and products of variables and small numbers.
fn is_plain(expression: &Expression) -> bool {
    use Operator::{IntegerAdd, IntegerMultiply, IntegerSubtract};
    match expression {
        Expression::Local(_) => true,
        Expression::Constant(value) => value.as_integer().is_some_and(|value| (0..1 << 31).contains(&value)),
        Expression::Apply { operator: IntegerAdd | IntegerSubtract | IntegerMultiply, operands } => {
            operands.iter().all(is_plain)
        }
        _ => false,
    }
}

pub fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
