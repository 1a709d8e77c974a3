//! `sum(g.force for g in gravitation if g.a is p)`: sums over things, and the conditions that choose among them.

use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use syntax::{BinaryOperator, Binding, Domain, Expr, ExprKind, Quantifier, UnaryOperator};

use super::space::Scope;
use super::template::TemplateId;
use super::{Outcome, Resolver, Sense, ThingId, Value, all};
use crate::codes;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

/// For each thing, the connections that it takes part in, in one of their roles.
pub(super) type Connected = FxHashMap<ThingId, Vec<ThingId>>;

impl<'t> Resolver<'t, '_> {
    pub(super) fn sum(
        &mut self,
        value: &Expr,
        quantifier: &Quantifier,
        condition: Option<&Expr>,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let rounds = match self.chosen_rounds(quantifier, condition, scope)? {
            Some(rounds) => rounds,
            None => self.repetitions(quantifier, scope)?,
        };
        let mut parts = Vec::new();
        for round in rounds {
            let chosen = condition.map_or(Ok(true), |condition| self.holds(condition, &round));
            parts.push(match chosen {
                Ok(false) => continue,
                Ok(true) => self.term(value, &round),
                Err(reported) => Err(reported),
            });
        }
        let parts = all(parts.into_iter())?;
        self.sum_of(parts, span)
    }

    /// The sum of some terms of one type; of none, it is the zero of whatever it is added to or compared with.
    pub(super) fn sum_of(&mut self, parts: Vec<TermId>, span: Span) -> Outcome<TermId> {
        let Some(&first) = parts.first() else {
            let type_ = Type { shape: Shape::Scalar, amount: Amount::Zero };
            return Ok(self.push(TermKind::EmptySum, type_, span));
        };
        let mut type_ = self.type_of(first);
        self.need_quantity(first)?;
        for &part in &parts[1..] {
            let joined = self.join_types(first, part, "what is added")?;
            type_.amount = type_.amount.agree(joined.amount).unwrap_or(type_.amount);
        }
        Ok(if parts.len() == 1 { first } else { self.push(TermKind::Sum(parts), type_, span) })
    }

    /// The rounds of a sum over connections of one thing, without going through all connections.
    fn chosen_rounds(
        &mut self,
        quantifier: &Quantifier,
        condition: Option<&Expr>,
        scope: &Scope,
    ) -> Outcome<Option<Vec<Scope>>> {
        let (Binding::Each(name), Domain::List(list)) = (&quantifier.binding, &quantifier.domain) else {
            return Ok(None);
        };
        let (ExprKind::Name(kind), Some((role, other))) = (&list.kind, condition.and_then(|c| role_of(c, &name.text)))
        else {
            return Ok(None);
        };
        let Some(template) = self.named_template(kind, scope.space).filter(|_| scope.get(kind).is_none()) else {
            return Ok(None);
        };
        let Value::Thing(thing) = self.value_as(other, scope, Sense::Thing)? else { return Ok(None) };
        let connected = self.connected(template, role, thing);
        Ok(Some(connected.into_iter().map(|id| scope.with(&name.text, Value::Thing(id))).collect()))
    }

    /// The things of a kind in which another has a role.
    fn connected(&mut self, template: TemplateId, role: &str, thing: ThingId) -> Vec<ThingId> {
        let key = (template, role.to_string());
        if !self.connections.contains_key(&key) {
            let mut connected = Connected::default();
            for &id in self.things_of(template).iter() {
                let (space, span) = (self.things[id.index()].space, self.things[id.index()].span);
                let is_declared = self.spaces[space.index()].get(role, Sense::Thing).is_some();
                if is_declared && let Ok(Value::Thing(other)) = self.lookup(role, span, &Scope::of(space), Sense::Thing)
                {
                    connected.entry(other).or_default().push(id);
                }
            }
            self.connections.insert(key.clone(), connected);
        }
        self.connections[&key].get(&thing).cloned().unwrap_or_default()
    }

    /// Whether a condition on things and numbers holds, before anything moves.
    pub(super) fn holds(&mut self, condition: &Expr, scope: &Scope) -> Outcome<bool> {
        let undecided = "this must be decided before the scene moves";
        let hint = "ask which things are meant, as in `g.a is p`; for a value that changes, write `if … then … else …`";
        self.decide(condition, scope, (undecided, hint))
    }

    /// The same, with what is said and advised where it changes.
    pub(super) fn decide(&mut self, condition: &Expr, scope: &Scope, said: (&str, &str)) -> Outcome<bool> {
        match &condition.kind {
            ExprKind::Unary { operator: UnaryOperator::Not, operand } => Ok(!self.decide(operand, scope, said)?),
            ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
                Ok(self.decide(left, scope, said)? && self.decide(right, scope, said)?)
            }
            ExprKind::Binary { operator: BinaryOperator::Or, left, right } => {
                Ok(self.decide(left, scope, said)? || self.decide(right, scope, said)?)
            }
            ExprKind::Binary { operator: BinaryOperator::Is, left, right } => self.holds_is(left, right, scope),
            _ => {
                let term = self.term(condition, scope)?;
                self.need_shape(term, Shape::Condition)?;
                match self.model.terms.constant(term, &|_| None) {
                    Some(value) => Ok(value != 0.0),
                    None => Err(self.report(
                        Diagnostic::error(codes::NOT_CONSTANT, said.0)
                            .at(condition.span, "depends on what changes, or on a parameter")
                            .hint(said.1),
                    )),
                }
            }
        }
    }

    /// `g.a is p`: both are the same; `c is resistor`: it is of that kind.
    pub(super) fn holds_is(&mut self, left: &Expr, right: &Expr, scope: &Scope) -> Outcome<bool> {
        let first = self.value_as(left, scope, Sense::Thing)?;
        if let (ExprKind::Name(name), Value::Thing(thing)) = (&right.kind, &first)
            && scope.get(name).is_none()
            && let Some(kind) = self.named_template(name, scope.space)
        {
            let template = self.things[thing.index()].template;
            return Ok(self.inherits(template, kind));
        }
        let second = self.value_as(right, scope, Sense::Thing)?;
        match (first, second) {
            (Value::Thing(a), Value::Thing(b)) => Ok(a == b),
            (Value::Frame(a), Value::Frame(b)) => Ok(a == b),
            (Value::Thing(_) | Value::Frame(_), Value::Thing(_) | Value::Frame(_)) => Ok(false),
            (first, _) => {
                let wrong = if matches!(first, Value::Thing(_) | Value::Frame(_)) { right } else { left };
                Err(self.wrong_kind(
                    wrong.span,
                    "`is` compares things",
                    "this is not a thing; numbers are compared with `==`",
                ))
            }
        }
    }
}

/// The role and the other side of `v.role is other` in a condition, or in one of several that must hold.
fn role_of<'e>(condition: &'e Expr, variable: &str) -> Option<(&'e str, &'e Expr)> {
    match &condition.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            role_of(left, variable).or_else(|| role_of(right, variable))
        }
        ExprKind::Binary { operator: BinaryOperator::Is, left, right } => {
            let role = |side: &'e Expr| match &side.kind {
                ExprKind::Field { base, field } if matches!(&base.kind, ExprKind::Name(name) if name == variable) => {
                    Some(field.text.as_str())
                }
                _ => None,
            };
            // What is asked for must not depend on the variable itself.
            let free = |side: &Expr| !mentions(side, variable);
            role(left)
                .filter(|_| free(right))
                .map(|role| (role, &**right))
                .or_else(|| role(right).filter(|_| free(left)).map(|role| (role, &**left)))
        }
        _ => None,
    }
}

fn mentions(expr: &Expr, variable: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == variable)
        || expr.children().any(|child| mentions(child, variable))
}
