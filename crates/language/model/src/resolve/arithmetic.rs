//! Arithmetic of terms: the shapes and dimensions of sums, products, powers and comparisons.

use base::{Diagnostic, Dimension, Exponent, Span};
use expr::Operator;
use syntax::{BinaryOperator, Expr, UnaryOperator};

use super::space::Scope;
use super::{Outcome, Resolver};
use crate::codes;
use crate::contact::ContactQuantity;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let operand = self.term(operand, scope)?;
        let type_ = self.type_of(operand);
        match operator {
            UnaryOperator::Not => {
                self.need_shape(operand, Shape::Condition)?;
                Ok(self.push(TermKind::Apply(Operator::Not, vec![operand]), type_, span))
            }
            UnaryOperator::Negate => {
                self.need_quantity(operand)?;
                match self.model.terms.get(operand).kind {
                    TermKind::Number(value) => return Ok(self.push(TermKind::Number(-value), type_, span)),
                    TermKind::EmptySum => return Ok(operand),
                    _ => {}
                }
                Ok(self.push(TermKind::Negate(operand), type_, span))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        use BinaryOperator::*;
        if operator == Is {
            // Known before anything moves, so it is a condition on numbers like any other.
            let same = f64::from(u8::from(self.holds_is(left, right, scope)?));
            let (same, one) = (self.plain_number(same, span), self.plain_number(1.0, span));
            return Ok(self.push(TermKind::Apply(Operator::Equal, vec![same, one]), Type::CONDITION, span));
        }
        if matches!(operator, Equal | NotEqual)
            && let Some(test) =
                self.mode_test(left, right, span, scope).or_else(|| self.contact_test(left, right, span, scope))
        {
            let test = test?;
            let differs = operator == NotEqual;
            let not = TermKind::Apply(Operator::Not, vec![test]);
            return Ok(if differs { self.push(not, Type::CONDITION, span) } else { test });
        }
        let (a, b) = (self.term(left, scope), self.term(right, scope));
        let (a, b) = (a?, b?);
        self.need_numbers([(a, left.span), (b, right.span)])?;
        match operator {
            Add => self.add(a, b, span),
            Subtract => self.subtract(a, b, span),
            Multiply => self.multiply(a, b, span),
            Divide => self.divide(a, b, span),
            Power => self.power(a, b, span),
            Dot => self.dot(a, b, span),
            Cross => self.cross(a, b, span),
            And | Or => {
                self.need_shape(a, Shape::Condition)?;
                self.need_shape(b, Shape::Condition)?;
                let operator = if operator == And { Operator::And } else { Operator::Or };
                Ok(self.push(TermKind::Apply(operator, vec![a, b]), Type::CONDITION, span))
            }
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | Is => {
                self.compare(operator, (left, a), (right, b), span)
            }
        }
    }

    /// Modes and states of contacts have values, but these are no numbers.
    fn need_numbers(&mut self, terms: [(TermId, Span); 2]) -> Outcome<()> {
        for (term, place) in terms {
            let (what, label) = match self.model.terms.get(term).kind {
                TermKind::Mode(_) => ("a mode", "this is a mode"),
                TermKind::Contact(_, ContactQuantity::State) => ("the state of a contact", "this is a state"),
                _ => continue,
            };
            let message = format!("{what} is no number: it is compared with `==` to one of its values");
            return Err(self.wrong_kind(place, &message, label));
        }
        Ok(())
    }

    fn subtract(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        let (a, b) = self.fill_empty(a, b);
        if self.is_empty_sum(b) {
            return Ok(a);
        }
        let type_ = self.join_types(a, b, "what is subtracted")?;
        self.need_quantity(a)?;
        Ok(self.push(TermKind::Subtract(a, b), type_, span))
    }

    fn divide(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(b, Shape::Scalar)?;
        self.need_quantity(a)?;
        let (x, y) = (self.type_of(a), self.type_of(b));
        let dimension = x.amount.dimension().over(y.amount.dimension());
        let amount = self.in_range(dimension, x.amount, span)?;
        Ok(self.push(TermKind::Divide(a, b), Type { shape: x.shape, amount }, span))
    }

    /// A comparison of two numbers, each with the text that it comes from.
    fn compare(
        &mut self,
        operator: BinaryOperator,
        (left, a): (&Expr, TermId),
        (right, b): (&Expr, TermId),
        span: Span,
    ) -> Outcome<TermId> {
        use BinaryOperator::*;
        self.need_shape(a, Shape::Scalar)?;
        self.join_types(a, b, "what is compared")?;
        self.compare_with_angle((left, a), (right, b));
        let (operator, arguments, negated) = match operator {
            Equal => (Operator::Equal, vec![a, b], false),
            NotEqual => (Operator::Equal, vec![a, b], true),
            Less => (Operator::Less, vec![a, b], false),
            LessEqual => (Operator::LessEqual, vec![a, b], false),
            Greater => (Operator::Less, vec![b, a], false),
            _ => (Operator::LessEqual, vec![b, a], false),
        };
        let compared = self.push(TermKind::Apply(operator, arguments), Type::CONDITION, span);
        let not = TermKind::Apply(Operator::Not, vec![compared]);
        Ok(if negated { self.push(not, Type::CONDITION, span) } else { compared })
    }

    pub(super) fn multiply(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_quantity(a)?;
        self.need_quantity(b)?;
        let (x, y) = (self.type_of(a), self.type_of(b));
        if let Some(&empty) = [a, b].iter().find(|term| self.is_empty_sum(**term)) {
            return Ok(empty);
        }
        let amount = self.product_amount(x.amount, y.amount, span)?;
        if x.shape != Shape::Scalar && y.shape != Shape::Scalar {
            return self.product(a, b, amount, span);
        }
        let (scalar, other) = if x.shape == Shape::Scalar { (a, b) } else { (b, a) };
        let shape = self.type_of(other).shape;
        Ok(self.push(TermKind::Multiply(scalar, other), Type { shape, amount }, span))
    }

    fn product_amount(&mut self, x: Amount, y: Amount, span: Span) -> Outcome<Amount> {
        let zero = if x == Amount::Zero || y == Amount::Zero { Amount::Zero } else { x };
        self.in_range(x.dimension().times(y.dimension()), zero, span)
    }

    /// The amount of a result, where `like` says whether it is a plain zero.
    pub(super) fn in_range(&mut self, dimension: Option<Dimension>, like: Amount, span: Span) -> Outcome<Amount> {
        match dimension {
            _ if like == Amount::Zero => Ok(Amount::Zero),
            Some(dimension) => Ok(Amount::Of(dimension)),
            None => Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "the dimension of this value is out of all bounds")
                    .at(span, "here"),
            )),
        }
    }

    pub(super) fn power(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Scalar)?;
        self.need_shape(b, Shape::Scalar)?;
        let x = self.type_of(a);
        self.need_plain(b, "an exponent")?;
        if let Some(exponent) = self.model.terms.constant(b, &|_| None)
            && exponent.is_finite()
        {
            let dimension = match (x.amount, rational(exponent)) {
                (Amount::Zero, _) => Some(Dimension::NONE),
                (Amount::Of(dimension), _) if dimension.is_none() => Some(Dimension::NONE),
                (Amount::Of(dimension), Some(exponent)) => dimension.power(exponent),
                (Amount::Of(_), None) => None,
            };
            let amount = self.in_range(dimension, x.amount, span)?;
            return Ok(self.push(TermKind::Power(a, exponent), Type { shape: Shape::Scalar, amount }, span));
        }
        self.need_plain(a, "what is raised to a power that is not a fixed number")?;
        Ok(self.push(TermKind::Apply(Operator::Pow, vec![a, b]), Type::scalar(Dimension::NONE), span))
    }

    pub(super) fn dot(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Vector)?;
        self.need_shape(b, Shape::Vector)?;
        let amount = self.product_amount(self.type_of(a).amount, self.type_of(b).amount, span)?;
        Ok(self.push(TermKind::Dot(a, b), Type { shape: Shape::Scalar, amount }, span))
    }

    pub(super) fn cross(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(a, Shape::Vector)?;
        self.need_shape(b, Shape::Vector)?;
        let amount = self.product_amount(self.type_of(a).amount, self.type_of(b).amount, span)?;
        Ok(self.push(TermKind::Cross(a, b), Type { shape: Shape::Vector, amount }, span))
    }

    pub(super) fn norm(&mut self, vector: TermId, span: Span) -> Outcome<TermId> {
        if self.type_of(vector).shape != Shape::Quaternion {
            self.need_shape(vector, Shape::Vector)?;
        }
        let type_ = Type { shape: Shape::Scalar, ..self.type_of(vector) };
        Ok(self.push(TermKind::Norm(vector), type_, span))
    }

    pub(super) fn derivative(&mut self, inner: TermId, span: Span) -> Outcome<TermId> {
        self.need_quantity(inner)?;
        let type_ = self.type_of(inner);
        let amount = self.in_range(type_.amount.dimension().over(Dimension::TIME), type_.amount, span)?;
        Ok(self.push(TermKind::Derivative(inner), Type { amount, ..type_ }, span))
    }
}

/// The exponent as a fraction with a small denominator.
fn rational(exponent: f64) -> Option<Exponent> {
    (1..=12).find_map(|denominator| {
        let numerator = exponent * f64::from(denominator);
        let near = (numerator - numerator.round()).abs() < 1e-12 * numerator.abs().max(1.0);
        (near && numerator.abs() < 1e6)
            .then(|| Exponent::new(numerator.round() as i64, i64::from(denominator)))
            .flatten()
    })
}
