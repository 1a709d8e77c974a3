//! Numbers that are known before the scene moves: defaults, axes, ranges and indices.

use base::{Diagnostic, Span, Unit};
use syntax::{BinaryOperator, Expr, ExprKind, print_expression};

use super::space::{SCENE, Scope};
use super::{Outcome, Resolver, Value};
use crate::codes;
use crate::term::{Term, TermId, TermKind};

impl Resolver<'_, '_> {
    /// The value of a constant in SI units, and the unit it was written in.
    pub(super) fn constant_with_unit(&mut self, value: &Expr, scope: &Scope) -> Outcome<(f64, Unit)> {
        let term = self.scalar(value, scope)?;
        let number = self.constant(term, value.span)?;
        let unit = match &value.kind {
            ExprKind::Quantity { unit, .. } => self.unit(unit)?,
            ExprKind::Unary { operand, .. } => match &operand.kind {
                ExprKind::Quantity { unit, .. } => self.unit(unit)?,
                _ => Unit::coherent(self.model.terms.get(term).type_.amount.dimension()),
            },
            _ => Unit::coherent(self.model.terms.get(term).type_.amount.dimension()),
        };
        Ok((number, unit))
    }

    /// The number that a term stands for; parameters count with their defaults.
    pub(super) fn constant(&mut self, term: TermId, span: Span) -> Outcome<f64> {
        let parameters = &self.model.parameters;
        let value =
            self.model.terms.constant(term, &|id| parameters.get(id.index()).map(|parameter| parameter.default));
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) => {
                let (label, hint) = if value.is_nan() {
                    ("has no value", "a root or logarithm of a negative number and 0/0 have none")
                } else {
                    ("is infinite", "a division by zero, or a number beyond 1.8e308, does this")
                };
                let message = "a number is needed here, and this is none";
                Err(self.report(Diagnostic::error(codes::UNDEFINED_VALUE, message).at(span, label).hint(hint)))
            }
            None => Err(self.report(
                Diagnostic::error(codes::NOT_CONSTANT, "a number is needed here that is known before the scene moves")
                    .at(span, "this changes with time, or depends on a live control")
                    .hint("use numbers and parameters only; a quantity that follows others is written with `let`"),
            )),
        }
    }

    /// A whole number known at compile time, as indices and ranges need.
    pub(super) fn whole_number(&mut self, expr: &Expr, scope: &Scope) -> Outcome<i64> {
        if let Some(value) = self.index(expr, scope).filter(|value| value.fract() == 0.0 && value.abs() < 1e9) {
            return Ok(value as i64);
        }
        let term = self.scalar(expr, scope)?;
        let value = self.model.terms.constant(term, &|_| None);
        match value {
            Some(value) if value.fract() == 0.0 && value.abs() < 1e9 => Ok(value as i64),
            _ => {
                let is_parameter = matches!(self.model.terms.get(term).kind, TermKind::Parameter(_));
                let hint = if Unit::parse(&print_expression(expr)).is_ok() {
                    "a unit stands after a number only; to give another value a unit, multiply it: `x * 1 [m]`"
                } else if is_parameter {
                    "a parameter may change between runs, the number of parts may not; name it with `let`, as in `let n = 3`"
                } else {
                    "use whole numbers and loop variables only"
                };
                Err(self.report(
                    Diagnostic::error(codes::NOT_CONSTANT, "a whole number is needed here")
                        .at(expr.span, "is not a whole number known in advance")
                        .hint(hint),
                ))
            }
        }
    }

    /// What is made of plain numbers, names of such numbers and loop variables only, as nearly all indices are: no terms are made of it.
    fn index(&self, expr: &Expr, scope: &Scope) -> Option<f64> {
        match &expr.kind {
            ExprKind::Number { value, .. } => Some(*value),
            ExprKind::Name(name) => match scope.get(name) {
                None if scope.space == SCENE => self.counts.get(name.as_str()).copied(),
                Some(Value::Term(term)) => match self.model.terms.get(*term) {
                    Term { kind: TermKind::Number(value), type_, .. } if type_.amount.dimension().is_none() => {
                        Some(*value)
                    }
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (self.index(left, scope)?, self.index(right, scope)?);
                match operator {
                    BinaryOperator::Add => Some(left + right),
                    BinaryOperator::Subtract => Some(left - right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
