//! `every 10 [ms] { u == -k * pre(x) }`: a transition of a clock that counts, so that its instants are multiples of the period however many there are.

use base::{Diagnostic, Dimension, Span};
use expr::Operator;
use syntax::{Effect, EffectKind, Expr, ExprKind, Relation};

use super::change::{Moment, new_transition};
use super::space::Scope;
use super::{Entity, Outcome, Resolver, Sense};
use crate::codes;
use crate::model::{Equation, QuantityId};
use crate::term::{TermId, TermKind, Type};

impl<'t> Resolver<'t, '_> {
    pub(super) fn every(&mut self, every: &'t syntax::Every, scope: &Scope, span: Span) -> Outcome<()> {
        let name = match &every.name {
            Some(name) => {
                let outer = self.outer_name(name, scope)?;
                self.refuse_twice(&outer, name.span)?;
                outer
            }
            None => self.unused_name("every"),
        };
        let period = self.expect(&every.period, scope, Type::scalar(Dimension::TIME), "a period");
        let period = period.and_then(|period| self.refuse_standing_clock(period, &every.period));
        let mut transition = new_transition(name.clone(), TermId(0), span);
        // A clock changes what it says, and nothing else.
        (transition.kept.positions, transition.kept.velocities) = (true, true);
        self.moment = Some(Moment::default());
        let outcome = self.effects(&every.effects, &mut transition, scope);
        self.moment = None;
        let period = period?;
        outcome?;
        let mut held: Vec<QuantityId> = Vec::new();
        for effect in &every.effects {
            held.extend(self.held_by(effect, scope));
        }
        let count = self.new_discrete(format!("{name}.count"), Type::scalar(Dimension::NONE), span);
        let counted = self.discrete_term(count, span);
        let one = self.plain_number(1.0, span);
        let next = self.push(TermKind::Add(counted, one), Type::scalar(Dimension::NONE), span);
        let due = self.push(TermKind::Multiply(counted, period), Type::scalar(Dimension::TIME), span);
        let time = self.push(TermKind::Time, Type::scalar(Dimension::TIME), span);
        transition.guard = self.push(TermKind::Apply(Operator::LessEqual, vec![due, time]), Type::CONDITION, span);
        transition.stores.push((count, next));
        self.model.transitions.push(transition);
        self.held_by_clocks.extend(held);
        Ok(())
    }

    /// A clock that stands still would strike without end.
    fn refuse_standing_clock(&mut self, period: TermId, written: &Expr) -> Outcome<TermId> {
        match self.model.terms.get(period).kind {
            TermKind::Number(value) if value <= 0.0 => Err(self.report(
                Diagnostic::error(
                    codes::UNPHYSICAL_VALUE,
                    "a clock that strikes again after no time never lets time pass",
                )
                .at(written.span, "the period must be positive")
                .hint("write how much time lies between two instants: `every 10 [ms] { … }`"),
            )),
            _ => Ok(period),
        }
    }

    /// The quantity that an effect gives a value: `u` in `u == -k * pre(x)`, or what an actuator exerts.
    fn held_by(&mut self, effect: &Effect, scope: &Scope) -> Option<QuantityId> {
        let EffectKind::Equation(equation) = &effect.kind else { return None };
        let Relation::Equal { left, .. } = &equation.relation else { return None };
        if let ExprKind::Name(name) = &left.kind {
            return match self.entity(name, Sense::Quantity, scope.space)? {
                Entity::Quantity(id) => Some(id),
                _ => None,
            };
        }
        // What is wrong with it has been reported by now.
        let ExprKind::Field { .. } = left.kind else { return None };
        let term = self.term(left, scope).ok()?;
        match self.model.terms.get(term).kind {
            TermKind::Quantity(id) if self.model.actuators.iter().any(|it| it.quantity == id) => Some(id),
            _ => None,
        }
    }

    /// Between two instants a clock's quantities stay what they are, unless a law says how they change.
    pub(super) fn hold_between_instants(&mut self) {
        let mut held = std::mem::take(&mut self.held_by_clocks);
        held.sort_unstable();
        held.dedup();
        for id in held {
            let is_it = |kind: &TermKind| matches!(kind, TermKind::Quantity(known) if *known == id);
            let moves = |kind: &TermKind| match kind {
                TermKind::Derivative(inner) => is_it(&self.model.terms.get(*inner).kind),
                _ => false,
            };
            let laws = self.model.laws.iter().chain(&self.model.constraints);
            let mut sides = laws.flat_map(|law| [law.left, law.right]);
            if sides.any(|side| self.model.terms.find(side, moves).is_some()) {
                continue;
            }
            let quantity = &self.model.quantities[id.index()];
            let (type_, span, label) = (quantity.type_, quantity.span, format!("{} is held", quantity.name));
            let value = self.push(TermKind::Quantity(id), type_, span);
            // Every error has been reported where it arose.
            let Ok(left) = self.derivative(value, span) else { continue };
            let right = self.zero(self.type_of(left), span);
            self.model.laws.push(Equation { label, left, right, condition: None, span });
        }
    }
}
