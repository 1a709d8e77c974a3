//! What something was: `x(t - 0.1 [s])`, where `x` is no function.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, ExprKind, print_expression};

use super::call::is_method;
use super::space::Scope;
use super::{Entity, Outcome, Resolver, Sense};
use crate::codes;
use crate::model::Delay;
use crate::term::{Shape, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    /// Whether a call asks for an earlier value of something that is no function.
    pub(super) fn is_delayed(&mut self, function: &Expr, at: &Expr, scope: &Scope) -> bool {
        let is_function = match &function.kind {
            ExprKind::Name(name) => matches!(
                self.entity(name, Sense::Quantity, scope.space),
                None | Some(Entity::Function(..) | Entity::Data(_) | Entity::Broken)
            ),
            ExprKind::Field { field, .. } => is_method(&field.text),
            ExprKind::Error => true,
            _ => false,
        };
        !is_function && speaks_of_time(at)
    }

    pub(super) fn delayed(&mut self, function: &Expr, at: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let signal = self.term(function, scope);
        let time = self.expect(at, scope, Type::scalar(Dimension::TIME), "the time at which something was");
        let (signal, at) = (signal?, time?);
        let name = print_expression(function);
        let passing = |kind: &TermKind| matches!(kind, TermKind::Pre(_) | TermKind::Bound(_));
        if [signal, at].into_iter().any(|term| self.model.terms.find(term, passing).is_some()) {
            return Err(self.report(
                Diagnostic::error(codes::BAD_DELAY, format!("what `{name}` was is not remembered here"))
                    .at(
                        span,
                        "this stands in a function or a sum, where it is another thing each time, or for an instant",
                    )
                    .hint("name it outside: `let earlier = x(t - 0.1 [s])`, and use that"),
            ));
        }
        let type_ = self.type_of(signal);
        if type_.shape == Shape::Condition {
            return Err(self.wrong_kind(span, "only numbers and vectors are remembered", "this is a condition"));
        }
        self.model.delays.push(Delay { name, signal, at, span });
        Ok(self.push(TermKind::Delayed(signal, self.model.delays.len() - 1), type_, span))
    }
}

/// Whether a time is written with the present one, as in `t - 0.1 [s]`.
fn speaks_of_time(at: &Expr) -> bool {
    match &at.kind {
        ExprKind::Name(name) => name == "t",
        ExprKind::Binary { left, right, .. } => speaks_of_time(left) || speaks_of_time(right),
        ExprKind::Unary { operand, .. } => speaks_of_time(operand),
        _ => false,
    }
}
