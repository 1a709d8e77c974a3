//! Totals: quantities declared as a `sum`, and what laws and connections add to them.

use base::{Diagnostic, Span};
use syntax::{Expr, ExprKind, print_expression};

use super::space::Scope;
use super::{Entity, Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::term::{TermId, TermKind, Type};

/// A quantity that is the sum of its parts.
pub(super) struct Total<'t> {
    pub name: String,
    pub type_: Type,
    pub span: Span,
    pub parts: Vec<(&'t Expr, Scope)>,
    pub value: Option<Outcome<TermId>>,
}

impl<'t> Resolver<'t, '_> {
    /// `total += part`, before anybody asks for the total.
    pub(super) fn add_part(&mut self, addition: &'t syntax::Addition, scope: &Scope) -> Outcome<()> {
        let at = self.total_of(&addition.total, scope)?;
        self.totals[at].parts.push((&addition.part, scope.clone()));
        Ok(())
    }

    /// The total that a path names.
    fn total_of(&mut self, path: &Expr, scope: &Scope) -> Outcome<usize> {
        let entity = match &path.kind {
            ExprKind::Name(name) => self.entity(name, Sense::Quantity, scope.space),
            ExprKind::Field { base, field } => match self.value_as(base, scope, Sense::Thing)? {
                Value::Thing(thing) => {
                    let space = self.things[thing.index()].space;
                    let declared = self.spaces[space.index()].get(&field.text, Sense::Quantity);
                    let Some(declared) = declared else {
                        return self.member(thing, base.span, field, Sense::Quantity).and(Err(Reported));
                    };
                    Some(declared.entity.clone())
                }
                _ => None,
            },
            _ => None,
        };
        match entity {
            Some(Entity::Total(at)) => Ok(at),
            Some(Entity::Broken) => Err(Reported),
            _ => {
                let name = print_expression(path);
                Err(self.report(
                    Diagnostic::error(
                        codes::WRONG_KIND,
                        format!("`{name}` is not a sum, so nothing can be added to it"),
                    )
                    .at(path.span, "`+=` adds to quantities declared as `sum`")
                    .hint("declare it so, as in `force: sum vec [N]`, or state an equation with `==`"),
                ))
            }
        }
    }

    pub(super) fn total(&mut self, at: usize, span: Span) -> Outcome<TermId> {
        if let Some(value) = self.totals[at].value {
            return value;
        }
        if self.early {
            return Err(Reported);
        }
        // A part that asks for the total would go round in circles.
        let name = self.totals[at].name.clone();
        let circle = Diagnostic::error(codes::CYCLIC_DEFINITION, format!("`{name}` is a part of itself"))
            .at(span, "needed here before it is known");
        let parts = std::mem::take(&mut self.totals[at].parts);
        let before = self.sink.iter().count();
        self.totals[at].value = Some(Err(Reported));
        let value = self.sum_of_parts(at, &parts);
        if value.is_err() && self.sink.iter().count() == before {
            self.report(circle);
        }
        self.totals[at].value = Some(value);
        value
    }

    fn sum_of_parts(&mut self, at: usize, parts: &[(&'t Expr, Scope)]) -> Outcome<TermId> {
        let Total { type_, span, .. } = self.totals[at];
        let what = format!("what is added to `{}`", self.totals[at].name);
        let parts = all(parts.iter().map(|(part, scope)| {
            let before = self.model.terms.len();
            let mut value = self.expect(part, scope, type_, &what)?;
            if value.index() < before {
                // Somebody else names it too, and whoever does must not seem to rest on this law.
                value = self.push(TermKind::Sum(vec![value]), type_, part.span);
            }
            self.note_addition(scope.space, value);
            let in_force = self.law_in_force(scope.space, part.span);
            Ok(self.value_while(in_force, value))
        }))?;
        match parts.len() {
            0 => Ok(self.zero(type_, span)),
            // A sum even so: whoever names it gets a copy of its term, and the part is to be found in it.
            1 => Ok(self.push(TermKind::Sum(parts), type_, span)),
            _ => self.sum_of(parts, span),
        }
    }
}
