//! Checks of shapes and dimensions, and what to say where they fail.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, ExprKind, UnaryOperator, print_expression};

use super::space::Scope;
use super::{Outcome, Reported, Resolver};
use crate::codes;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    pub(super) fn scalar(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        self.need_shape(term, Shape::Scalar)?;
        Ok(term)
    }

    pub(super) fn vector(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let term = self.term(expr, scope)?;
        self.need_shape(term, Shape::Vector)?;
        Ok(term)
    }

    /// A term of a given shape and dimension; `what` says what it is for.
    pub(super) fn expect(&mut self, expr: &Expr, scope: &Scope, type_: Type, what: &str) -> Outcome<TermId> {
        let turns = matches!(expr.kind, ExprKind::About { .. });
        let term = if turns { self.turn(expr, type_.shape, scope)? } else { self.term(expr, scope)? };
        if self.is_empty_sum(term) {
            return Ok(self.zero(type_, expr.span));
        }
        let Type { shape, amount: found } = self.type_of(term);
        if shape != type_.shape {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("{what} is {}", shape_word(type_.shape)))
                    .at(expr.span, format!("this is {}", shape_word(shape)))
                    .hint(shape_hint(type_.shape, shape)),
            ));
        }
        if found.agree(type_.amount).is_none() {
            let wanted = type_.amount.dimension();
            // Energies and torques share a dimension, but not the unit that people write.
            let unit = if what == "a torque" { "N*m".to_string() } else { wanted.unit() };
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, format!("{what} is measured in [{unit}]"))
                    .at(expr.span, found_label(found))
                    .hint(unit_hint(expr, found.dimension(), wanted, &unit)),
            ));
        }
        Ok(term)
    }

    pub(super) fn need_shape(&mut self, term: TermId, shape: Shape) -> Outcome<()> {
        let found = self.type_of(term).shape;
        if found == shape {
            return Ok(());
        }
        let span = self.model.terms.get(term).span;
        if let TermKind::Mode(mode) = self.model.terms.get(term).kind {
            let crate::change::Mode { name, values, .. } = &self.model.modes[mode.index()];
            let hint = format!("compare it with one of its values: `{name} == {}`", values[0]);
            let diagnostic = Diagnostic::error(codes::WRONG_KIND, format!("{} is needed here", shape_word(shape)));
            return Err(self.report(diagnostic.at(span, "this is a mode").hint(hint)));
        }
        Err(self.report(
            Diagnostic::error(codes::WRONG_KIND, format!("{} is needed here", shape_word(shape)))
                .at(span, format!("this is {}", shape_word(found)))
                .hint(shape_hint(shape, found)),
        ))
    }

    pub(super) fn need_quantity(&mut self, term: TermId) -> Outcome<()> {
        match self.type_of(term).shape {
            Shape::Scalar | Shape::Vector | Shape::Matrix | Shape::Quaternion => Ok(()),
            _ => self.need_shape(term, Shape::Scalar),
        }
    }

    pub(super) fn need_plain(&mut self, term: TermId, what: &str) -> Outcome<()> {
        let amount = self.type_of(term).amount;
        if amount.dimension().is_none() {
            return Ok(());
        }
        let span = self.model.terms.get(term).span;
        Err(self.report(
            Diagnostic::error(codes::DIMENSION_MISMATCH, format!("{what} must be a plain number"))
                .at(span, found_label(amount))
                .hint("divide by a quantity of the same dimension; angles are plain numbers"),
        ))
    }

    /// The common type of two terms, or an error that shows both sides.
    pub(super) fn join_types(&mut self, a: TermId, b: TermId, what: &str) -> Outcome<Type> {
        let (x, y) = (self.type_of(a), self.type_of(b));
        let (first, second) = (self.model.terms.get(a).span, self.model.terms.get(b).span);
        if x.shape != y.shape {
            let zero = [x, y].iter().any(|type_| type_.shape == Shape::Scalar && type_.amount == Amount::Zero);
            let hint = if zero {
                "the zero of vectors is written `(0, 0, 0)`"
            } else {
                "a number and a vector cannot be mixed; take a component (`.x`) or the size (`|v|`)"
            };
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("{what} must be of one kind"))
                    .at(first, format!("this is {}", shape_word(x.shape)))
                    .at(second, format!("this is {}", shape_word(y.shape)))
                    .hint(hint),
            ));
        }
        match x.amount.agree(y.amount) {
            Some(amount) => Ok(Type { amount, ..x }),
            None => {
                let message = format!("{what} must have the same dimension");
                let (first, second) = ((first, found_label(x.amount)), (second, found_label(y.amount)));
                // The place of a diagnostic is what its hint would change: the number that lacks a unit.
                let (hint, [one, other]) = match self.bare_number(a, b) {
                    Some((true, hint)) => (hint, [second, first]),
                    Some((false, hint)) => (hint, [first, second]),
                    None => (self.balance_hint(a, b), [first, second]),
                };
                let diagnostic = Diagnostic::error(codes::DIMENSION_MISMATCH, message);
                Err(self.report(diagnostic.at(one.0, one.1).at(other.0, other.1).hint(hint)))
            }
        }
    }

    /// Which of two terms is a number that lacks the other's unit (true for the second), and how it would be written with it.
    fn bare_number(&self, a: TermId, b: TermId) -> Option<(bool, String)> {
        [(a, b, false), (b, a, true)].into_iter().find_map(|(term, other, second)| {
            let kind = |term: TermId| &self.model.terms.get(term).kind;
            let value = match *kind(term) {
                TermKind::Number(value) => value,
                TermKind::Negate(inner) if let TermKind::Number(value) = *kind(inner) => -value,
                _ => return None,
            };
            let plain = self.type_of(term).amount.dimension().is_none();
            plain.then(|| {
                (second, format!("give it a unit: `{value} [{}]`", self.type_of(other).amount.dimension().unit()))
            })
        })
    }

    /// What would make two terms of different dimensions agree.
    fn balance_hint(&self, a: TermId, b: TermId) -> String {
        let (x, y) = (self.type_of(a).amount.dimension(), self.type_of(b).amount.dimension());
        match x.over(y) {
            Some(ratio) => format!("one side lacks a factor {}, or has one too many", factor(ratio)),
            None => "check the units".to_string(),
        }
    }

    pub(super) fn wrong_kind(&mut self, span: Span, message: &str, label: &str) -> Reported {
        self.report(Diagnostic::error(codes::WRONG_KIND, message).at(span, label))
    }
}

fn shape_word(shape: Shape) -> &'static str {
    match shape {
        Shape::Scalar => "a number",
        Shape::Vector => "a vector",
        Shape::Matrix => "a matrix",
        Shape::Quaternion => "a quaternion",
        Shape::Condition => "a condition",
    }
}

/// How to make one shape of another.
fn shape_hint(wanted: Shape, found: Shape) -> &'static str {
    match (wanted, found) {
        (Shape::Scalar, Shape::Vector) => "take a component (`.x`) or the size (`|v|`)",
        (Shape::Vector, Shape::Scalar) => {
            "give it a direction: `(x, y, z)`, or a number times a vector, as in `5 [N] * (1, 0, 0)`"
        }
        (Shape::Condition, _) => "compare it with something, as in `x > 0`",
        (_, Shape::Condition) => "choose between values: `if x > 0 then 1 else 0`",
        _ => "see what else can be asked of a frame, such as `.position` or `.angle`",
    }
}

pub(super) fn found_label(found: Amount) -> String {
    let dimension = found.dimension();
    match dimension.word() {
        Some(word) if dimension.is_none() => format!("this is {word}, without a unit"),
        Some(word) => format!("this is {word} [{}]", dimension.unit()),
        None => format!("this is a quantity in [{}]", dimension.unit()),
    }
}

fn unit_hint(expr: &Expr, found: Dimension, wanted: Dimension, unit: &str) -> String {
    let literal = match &expr.kind {
        ExprKind::Unary { operator: UnaryOperator::Negate, operand } => operand.as_ref(),
        _ => expr,
    };
    match &literal.kind {
        ExprKind::Number { .. } => format!("give it a unit: `{} [{unit}]`", print_expression(expr)),
        ExprKind::Tuple(_) if found.is_none() => format!("give it a unit: `{} [{unit}]`", print_expression(expr)),
        ExprKind::Quantity { .. } => format!("give it in [{unit}]"),
        _ => match wanted.over(found) {
            Some(ratio) => format!("it lacks a factor {}, or a unit is missing in it", factor(ratio)),
            None => format!("check the units in `{}`", print_expression(expr)),
        },
    }
}

/// A dimension as something to multiply or divide by.
fn factor(ratio: Dimension) -> String {
    let inverse = Dimension::NONE.over(ratio).unwrap_or(ratio);
    let (plain, inverted) = (ratio.unit(), inverse.unit());
    let word = |dimension: Dimension| dimension.word().map_or(String::new(), |word| format!(", {word}"));
    if plain.starts_with("1/") && !inverted.starts_with("1/") {
        format!("in [{inverted}] to divide by{}", word(inverse))
    } else {
        format!("in [{plain}]{}", word(ratio))
    }
}
