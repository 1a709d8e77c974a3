//! Expressions: from what is written to terms.

use base::{Diagnostic, Dimension, Span, Unit};
use expr::Operator;
use syntax::{Expr, ExprKind, UnitText, print_expression};

use super::change::path_text;
use super::check::found_label;
use super::space::Scope;
use super::{Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    /// What an expression stands for where a number is wanted; where nothing of that name is a number, a thing.
    pub(super) fn value(&mut self, expr: &Expr, scope: &Scope) -> Outcome<Value> {
        self.value_as(expr, scope, Sense::Quantity)
    }

    pub(super) fn value_as(&mut self, expr: &Expr, scope: &Scope, sense: Sense) -> Outcome<Value> {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name, expr.span, scope, sense),
            ExprKind::Index { base, indices } => {
                let ExprKind::Name(name) = &base.kind else {
                    return Err(self.wrong_kind(base.span, "only names can be indexed", "this is not a name"));
                };
                self.refuse_unit(base, indices, expr.span, scope)?;
                let mut full = name.clone();
                for index in indices {
                    full.push_str(&format!("[{}]", self.whole_number(index, scope)?));
                }
                self.lookup(&full, expr.span, scope, sense)
            }
            ExprKind::Field { .. } if self.is_dotted(expr, scope) => {
                self.lookup(&print_expression(expr), expr.span, scope, Sense::Quantity)
            }
            ExprKind::Field { base, field } => {
                if let Some(arguments) = self.contact_arguments(base, scope) {
                    return self.contact_field(arguments, field, expr.span, scope).map(Value::Term);
                }
                let base_value = self.value_as(base, scope, Sense::Thing)?;
                self.field(base_value, base.span, field, sense)
            }
            _ => self.term(expr, scope).map(Value::Term),
        }
    }

    /// Whether something was declared by the name `car1.state`.
    fn is_dotted(&self, path: &Expr, scope: &Scope) -> bool {
        path_text(path).is_some_and(|name| self.entity(&name, Sense::Quantity, scope.space).is_some())
    }

    /// `length [m]` looks like a unit to its author and like an index to the language.
    fn refuse_unit(&mut self, base: &Expr, indices: &[Expr], span: Span, scope: &Scope) -> Outcome<()> {
        let [index] = indices else { return Ok(()) };
        let (name, unit) = (print_expression(base), print_expression(index));
        let known = |name: &str| scope.get(name).is_some() || self.entity(name, Sense::Quantity, scope.space).is_some();
        if !known(&name) || first_name(index).is_none_or(known) || Unit::parse(&unit).is_err() {
            return Ok(());
        }
        Err(self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("`{name}` has no parts that could be numbered `{unit}`"))
                .at(span, "after a name, square brackets hold an index")
                .hint(format!(
                    "to give it a unit, multiply: `{name} * 1 [{unit}]`; if it has its unit already, drop this one"
                )),
        ))
    }

    /// The term of an expression that is a quantity.
    pub(super) fn term(&mut self, expr: &Expr, scope: &Scope) -> Outcome<TermId> {
        let span = expr.span;
        if let Some(stand_in) = self.stand_ins.get(expr) {
            return Ok(stand_in);
        }
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => match self.value(expr, scope)? {
                Value::Term(term) => Ok(term),
                other => Err(self.refuse_value(&other, expr)),
            },
            ExprKind::Number { value, .. } => Ok(self.number(*value, span)),
            ExprKind::Quantity { value, unit } => self.quantity(value, unit, span, scope),
            ExprKind::Tuple(items) => self.tuple(items, span, scope),
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand, span, scope),
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right, span, scope),
            ExprKind::Norm(inner) => self.size(inner, span, scope),
            ExprKind::Derivative(inner) => {
                let inner = self.term(inner, scope)?;
                self.derivative(inner, span)
            }
            ExprKind::InFrame { vector, frame } => {
                let (vector, frame) = (self.vector(vector, scope), self.frame_of(frame, scope));
                let (vector, frame) = (vector?, frame?);
                Ok(self.push(TermKind::InFrame(vector, frame), self.type_of(vector), span))
            }
            ExprKind::RelativeTo { point, frame } => {
                let (what, frame) = (self.vector(point, scope), self.frame_of(frame, scope));
                self.relative(what?, frame?, span)
            }
            ExprKind::If { condition, then, otherwise } => self.choice(condition, then, otherwise, span, scope),
            ExprKind::Call { function, arguments } => self.call(function, arguments, span, scope),
            ExprKind::Sum { value, quantifier, condition } => {
                self.sum(value, quantifier, condition.as_deref(), span, scope)
            }
            ExprKind::Text(_) => {
                Err(self.wrong_kind(span, "text is not a quantity", "a number or a vector is needed here"))
            }
            ExprKind::About { rotation, .. } if !matches!(rotation.kind, ExprKind::Free(_)) => {
                self.turn(expr, Shape::Matrix, scope)
            }
            ExprKind::Free(_) | ExprKind::About { .. } => Err(self.report(
                Diagnostic::error(codes::MISPLACED_FREE, "`free` and `about` describe the transformation of a frame")
                    .at(span, "this is an ordinary expression")
                    .hint("use them as values of `position`, `rotation` or `scale` of a frame or body"),
            )),
            ExprKind::Error => Err(Reported),
        }
    }

    /// What has a name but no value of its own.
    fn refuse_value(&mut self, value: &Value, expr: &Expr) -> Reported {
        let (what, hint) = match value {
            Value::Frame(_) => ("frame", format!("did you mean `{}.position`?", print_expression(expr))),
            Value::Thing(_) => {
                ("thing", format!("ask for one of its quantities, as in `{}.…`", print_expression(expr)))
            }
            _ => return self.wrong_kind(expr.span, "this is not a quantity", "a number or a vector is needed here"),
        };
        let message = format!("`{}` is a {what}, not a quantity", print_expression(expr));
        self.report(
            Diagnostic::error(codes::WRONG_KIND, message)
                .at(expr.span, "a number or a vector is needed here")
                .hint(hint),
        )
    }

    fn quantity(&mut self, value: &Expr, unit: &UnitText, span: Span, scope: &Scope) -> Outcome<TermId> {
        let (value, unit) = (self.term(value, scope), self.unit(unit));
        let (value, unit) = (value?, unit?);
        let type_ = self.type_of(value);
        if let TermKind::Number(number) = self.model.terms.get(value).kind {
            return Ok(self.push(TermKind::Number(number * unit.scale), Type::scalar(unit.dimension), span));
        }
        if !type_.amount.dimension().is_none() {
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "this has a unit already")
                    .at(span, found_label(type_.amount))
                    .hint("drop the second unit, or multiply by `1 [unit]`"),
            ));
        }
        let scale = self.push(TermKind::Number(unit.scale), Type::scalar(unit.dimension), span);
        Ok(self.push(TermKind::Multiply(scale, value), Type { amount: Amount::Of(unit.dimension), ..type_ }, span))
    }

    pub(super) fn unit(&mut self, text: &UnitText) -> Outcome<Unit> {
        if let Some(known) = self.units.get(&text.text) {
            return Ok(known.clone());
        }
        let unit = Unit::parse(&text.text).map_err(|error| {
            let start = text.span.start as usize;
            let place = Span::new(text.span.source, start + error.range.start, start + error.range.end);
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN_UNIT, error.message).at(place, "in this unit");
            diagnostic = match error.nearest {
                Some(nearest) => diagnostic.hint(format!("did you mean `{nearest}`?")),
                None => diagnostic.hint("units are written as in `kg*m/s^2`, `N`, `cm`, `deg` or `rpm`"),
            };
            self.report(diagnostic)
        })?;
        self.units.insert(text.text.clone(), unit.clone());
        Ok(unit)
    }

    fn tuple(&mut self, items: &[Expr], span: Span, scope: &Scope) -> Outcome<TermId> {
        let parts = all(items.iter().map(|item| self.term(item, scope)))?;
        if let &[a, b, c] = &parts[..]
            && parts.iter().any(|&part| self.type_of(part).shape == Shape::Vector)
        {
            return self.matrix_of_rows([a, b, c], span);
        }
        for &part in &parts {
            self.need_shape(part, Shape::Scalar)?;
        }
        let Ok(components) = <[TermId; 3]>::try_from(parts) else {
            let message = format!("a vector has three components, not {}", items.len());
            return Err(self.wrong_kind(span, &message, "write `(x, y, z)`"));
        };
        let [x, y, z] = components;
        let mut amount = Amount::Zero;
        for (a, b) in [(x, y), (y, z), (x, z)] {
            let joined = self.join_types(a, b, "the components of a vector")?;
            // Where this fails, as for a length, a zero and a plain number, the pair that is to blame is still to come.
            amount = amount.agree(joined.amount).unwrap_or(amount);
        }
        Ok(self.push(TermKind::Vector(components), Type { shape: Shape::Vector, amount }, span))
    }

    /// The size of a vector or a number.
    fn size(&mut self, inner: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let inner = self.term(inner, scope)?;
        let type_ = self.type_of(inner);
        if matches!(type_.shape, Shape::Vector | Shape::Quaternion) {
            return self.norm(inner, span);
        }
        self.need_shape(inner, Shape::Scalar)?;
        Ok(self.push(TermKind::Apply(Operator::Abs, vec![inner]), type_, span))
    }

    pub(super) fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let condition = self.term(condition, scope);
        let (then, otherwise) = (self.term(then, scope), self.term(otherwise, scope));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.need_shape(condition, Shape::Condition)?;
        self.need_quantity(then)?;
        let type_ = self.join_types(then, otherwise, "the two branches")?;
        Ok(self.push(TermKind::If(condition, then, otherwise), type_, span))
    }

    pub(super) fn type_of(&self, term: TermId) -> Type {
        self.model.terms.get(term).type_
    }

    pub(super) fn push(&mut self, kind: TermKind, type_: Type, span: Span) -> TermId {
        self.model.terms.push(kind, type_, span)
    }

    /// A literal: a plain zero has any dimension.
    pub(super) fn number(&mut self, value: f64, span: Span) -> TermId {
        let amount = if value == 0.0 { Amount::Zero } else { Amount::Of(Dimension::NONE) };
        self.push(TermKind::Number(value), Type { shape: Shape::Scalar, amount }, span)
    }

    pub(super) fn plain_number(&mut self, value: f64, span: Span) -> TermId {
        self.push(TermKind::Number(value), Type::scalar(Dimension::NONE), span)
    }
}

/// The first name in an expression that could be a unit: products and powers of names.
fn first_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Binary { left, right, .. } => first_name(left).or_else(|| first_name(right)),
        _ => None,
    }
}
