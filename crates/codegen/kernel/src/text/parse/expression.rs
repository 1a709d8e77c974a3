//! Expressions in text: the operator table says what is written how, the operand types choose among equal names.

use super::{Parsed, Parser};
use crate::text::print::PLAIN_NAN;
use crate::text::token::Token;
use crate::{Expression, Notation, Operator, Type, Value};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.infix(0)
    }

    /// One or more expressions with commas between them.
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expression>> {
        let mut expressions = vec![self.expression()?];
        while self.take(",") {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// Operands and the infix operators between them that bind at least as tightly as the level.
    fn infix(&mut self, level: u8) -> Parsed<Expression> {
        let mut left = self.prefix()?;
        while let Token::Symbol(symbol) = self.peek() {
            let Some(own) = infix_level(symbol).filter(|&own| own >= level) else { break };
            let at = self.at;
            self.at += 1;
            let right = self.infix(own + 1)?;
            let notation = |notation| matches!(notation, Notation::Infix(name, _) if name == symbol);
            left = self.apply(at, symbol, notation, vec![left, right])?;
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expression> {
        let Token::Symbol(symbol) = self.peek() else { return self.atom() };
        let at = self.at;
        if symbol == "-" && matches!(self.tokens[at + 1].0, Token::Number(_) | Token::Word("inf")) {
            return Ok(self.constant()?.into());
        }
        let notation = |notation| matches!(notation, Notation::Prefix(name) if name == symbol);
        if !Operator::all().any(|operator| notation(operator.row().notation)) {
            return self.atom();
        }
        self.at += 1;
        let operand = self.prefix()?;
        self.apply(at, symbol, notation, vec![operand])
    }

    fn atom(&mut self) -> Parsed<Expression> {
        let at = self.at;
        match self.next() {
            Token::Symbol("(") => {
                let inside = self.expression()?;
                self.symbol(")")?;
                Ok(inside)
            }
            Token::Number(_) | Token::Word("inf" | "nan") => {
                self.at -= 1;
                Ok(self.constant()?.into())
            }
            Token::Word(name) if self.take("(") => {
                let operands = self.list(")", Parser::expression)?;
                let notation = |notation| matches!(notation, Notation::Call(called) if called == name);
                self.apply(at, name, notation, operands)
            }
            Token::Word(name) if self.peek() == Token::Symbol("[") => {
                let array = self.known_array(name)?;
                self.symbol("[")?;
                let index = Box::new(self.expression()?);
                self.symbol("]")?;
                Ok(Expression::Load { array, index })
            }
            Token::Word(name) => Ok(self.known_local(name)?.into()),
            _ => self.expected_before("an expression"),
        }
    }

    fn apply(
        &self,
        at: usize,
        name: &str,
        notation: impl Fn(Notation) -> bool,
        operands: Vec<Expression>,
    ) -> Parsed<Expression> {
        let kinds: Vec<Type> = operands.iter().map(Expression::kind).collect();
        match Operator::find(notation, &kinds) {
            Some(operator) => Ok(Expression::Apply { operator, operands: operands.into() }),
            None => self.expected(at, &format!("an operator for {kinds:?}, which `{name}` is not")),
        }
    }

    /// A number with its sign.
    pub(super) fn constant(&mut self) -> Parsed<Value> {
        let sign = if self.take("-") { "-" } else { "" };
        let value = match self.next() {
            Token::Number(digits) => number(&format!("{sign}{digits}")),
            Token::Word("inf") => Some(Value::Real(if sign.is_empty() { f64::INFINITY } else { f64::NEG_INFINITY })),
            Token::Word("nan") if sign.is_empty() => Some(self.not_a_number()?),
            _ => None,
        };
        value.map_or_else(|| self.expected_before("a number"), Ok)
    }

    /// The bits after `nan`, if any.
    fn not_a_number(&mut self) -> Parsed<Value> {
        if !self.take("(") {
            return Ok(Value::Real(f64::from_bits(PLAIN_NAN)));
        }
        let bits = match self.next() {
            Token::Number(digits) => digits.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        let Some(bits) = bits else { return self.expected_before("bits such as `0x7ff8000000000000`") };
        self.symbol(")")?;
        Ok(Value::Real(f64::from_bits(bits)))
    }
}

fn infix_level(symbol: &str) -> Option<u8> {
    Operator::all().find_map(|operator| match operator.row().notation {
        Notation::Infix(name, level) if name == symbol => Some(level),
        _ => None,
    })
}

fn number(text: &str) -> Option<Value> {
    if text.contains(['.', 'e']) { text.parse().ok().map(Value::Real) } else { text.parse().ok().map(Value::Integer) }
}
