//! Expressions in C.

use std::collections::BTreeSet;

use kernel::{Expression, Function, LocalId, Module, Operator, Usage};

use crate::memory::{constant, element, indexed};
use crate::names;
use crate::operator::{Form, Helper, Level, form};

/// What the expressions of one function speak of.
pub struct Writer<'m> {
    pub module: &'m Module,
    pub usage: &'m Usage,
    pub function: &'m Function,
    /// The helpers that were needed so far.
    pub helpers: BTreeSet<&'static Helper>,
}

/// How tightly a written expression binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    Tight,
    Prefix,
    Infix(Level),
    Loose,
}

impl Writer<'_> {
    pub fn expression(&mut self, expression: &Expression) -> String {
        self.write(expression).0
    }

    pub fn local(&self, local: LocalId) -> String {
        names::local(self.module, &self.function.local(local).name)
    }

    pub fn place(&mut self, array: kernel::ArrayId, index: &Expression) -> String {
        match index.as_integer() {
            Some(at) => element(self.module, self.usage, array, at as usize),
            None => format!("{}[{}]", indexed(self.module, self.usage, array), self.index(index)),
        }
    }

    fn write(&mut self, expression: &Expression) -> (String, Binding) {
        match expression {
            Expression::Constant(value) => {
                let text = constant(*value);
                let binding = if text.starts_with('-') { Binding::Prefix } else { Binding::Tight };
                (text, binding)
            }
            Expression::Local(local) => (self.local(*local), Binding::Tight),
            Expression::Load { array, index } => (self.place(*array, index), Binding::Tight),
            Expression::Apply { operator, operands } => self.apply(*operator, operands),
        }
    }

    fn apply(&mut self, operator: Operator, operands: &[Expression]) -> (String, Binding) {
        match form(operator) {
            Form::Prefix(symbol) => (format!("{symbol}{}", self.tight(&operands[0])), Binding::Prefix),
            Form::Infix(symbol, level) => {
                let (left, right) = (self.operand(&operands[0], level, false), self.operand(&operands[1], level, true));
                (format!("{left} {symbol} {right}"), Binding::Infix(level))
            }
            Form::Library(name) => (self.call(name, operands), Binding::Tight),
            Form::Helper(helper) => {
                self.helpers.insert(helper);
                (self.call(helper.name, operands), Binding::Tight)
            }
            Form::Conversion(kind) => (format!("({kind}){}", self.tight(&operands[0])), Binding::Prefix),
            Form::Select => {
                let [condition, a, b] = [0, 1, 2].map(|at| self.guarded(&operands[at]));
                (format!("{condition} ? {a} : {b}"), Binding::Loose)
            }
        }
    }

    fn call(&mut self, name: &str, operands: &[Expression]) -> String {
        let operands: Vec<String> = operands.iter().map(|operand| self.expression(operand)).collect();
        format!("{name}({})", operands.join(", "))
    }

    /// In parentheses unless it is one word.
    fn tight(&mut self, operand: &Expression) -> String {
        match self.write(operand) {
            (text, Binding::Tight) => text,
            (text, _) => format!("({text})"),
        }
    }

    /// In parentheses if it is a choice, or made of bits: compilers warn of the latter before a question mark.
    fn guarded(&mut self, operand: &Expression) -> String {
        match self.write(operand) {
            (text, Binding::Loose | Binding::Infix(Level::Bits)) => format!("({text})"),
            (text, _) => text,
        }
    }

    /// In parentheses unless C, and its readers, see the same structure without.
    fn operand(&mut self, operand: &Expression, parent: Level, right: bool) -> String {
        let (text, binding) = self.write(operand);
        let clear = match binding {
            Binding::Tight | Binding::Prefix => true,
            Binding::Loose => false,
            Binding::Infix(child) => match parent {
                Level::Bits => false,
                Level::Comparison => child > parent,
                Level::Sum | Level::Product => child > parent || (child == parent && !right),
            },
        };
        if clear { text } else { format!("({text})") }
    }

    /// An index is in range, and so is what it is computed from: nothing wraps around.
    fn index(&mut self, index: &Expression) -> String {
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

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
