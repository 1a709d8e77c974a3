//! What can be asked of two things that may touch: `contact(a, b).gap`.

use base::{Diagnostic, Dimension, Span};
use expr::Operator;
use syntax::{Argument, Expr, ExprKind, Word, print_expression};

use super::contact::Touching;
use super::space::Scope;
use super::{Entity, Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::contact::Apart;
use crate::contact::{CONTACT_STATES, ContactQuantity};
use crate::model::Family;
use crate::term::{TermId, TermKind, Type};

/// One thing that can be asked of two things that may touch.
pub struct ContactField {
    pub name: &'static str,
    pub quantity: ContactQuantity,
    pub type_: Type,
    pub meaning: &'static str,
}

#[rustfmt::skip]
pub const CONTACT_FIELDS: &[ContactField] = &[
    ContactField { name: "gap",     quantity: ContactQuantity::Gap,     type_: Type::scalar(Dimension::LENGTH),   meaning: "distance of the two" },
    ContactField { name: "force",   quantity: ContactQuantity::Force,   type_: Type::vector(Dimension::FORCE),    meaning: "total force of the first on the second" },
    ContactField { name: "state",   quantity: ContactQuantity::State,   type_: Type::scalar(Dimension::NONE),     meaning: "`open`, `sliding` or `sticking`; rolling is sticking" },
    ContactField { name: "impulse", quantity: ContactQuantity::Impulse, type_: Type::scalar(Dimension::MOMENTUM), meaning: "impulse of the last impact, along its normal" },
    ContactField { name: "impacts", quantity: ContactQuantity::Impacts, type_: Type::scalar(Dimension::NONE),     meaning: "number of impacts so far" },
];

impl Resolver<'_, '_> {
    /// The two things of `contact(a, b)`, if the expression is that and not a function of the author's.
    pub(super) fn contact_arguments<'e>(&self, expr: &'e Expr, scope: &Scope) -> Option<&'e [Argument]> {
        let ExprKind::Call { function, arguments } = &expr.kind else { return None };
        let named = matches!(&function.kind, ExprKind::Name(name) if name == "contact");
        let own = matches!(self.entity("contact", Sense::Quantity, scope.space), Some(Entity::Function(..)));
        (named && !own).then_some(arguments)
    }

    /// `contact(a, b).gap`
    pub(super) fn contact_field(
        &mut self,
        arguments: &[Argument],
        field: &Word,
        span: Span,
        scope: &Scope,
    ) -> Outcome<TermId> {
        let Some(row) = CONTACT_FIELDS.iter().find(|row| row.name == field.text) else {
            let known: Vec<&str> = CONTACT_FIELDS.iter().map(|row| row.name).collect();
            let hint = match base::nearest(&field.text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.join(", ")),
            };
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_FIELD, format!("a contact has no quantity `{}`", field.text))
                    .at(field.span, "unknown")
                    .hint(hint),
            ));
        };
        let (pair, reversed) = self.contact_pair(arguments, span, scope)?;
        let term = self.push(TermKind::Contact(pair, row.quantity), row.type_, span);
        if reversed && row.quantity == ContactQuantity::Force {
            return Ok(self.push(TermKind::Negate(term), row.type_, span));
        }
        Ok(term)
    }

    /// The pair, and whether the second thing was named first.
    fn contact_pair(&mut self, arguments: &[Argument], span: Span, scope: &Scope) -> Outcome<(usize, bool)> {
        let [first, second] = arguments else {
            return Err(self.report(
                Diagnostic::error(
                    codes::WRONG_ARGUMENTS,
                    format!("`contact` takes two things, not {}", arguments.len()),
                )
                .at(span, "asked for here")
                .hint("write `contact(a, b).gap`"),
            ));
        };
        let sides = [&first.value, &second.value];
        let values = all(sides.iter().map(|side| self.value_as(side, scope, Sense::Thing)))?;
        let known = match &self.touching {
            Touching::Known(known) => known,
            Touching::Broken => return Err(Reported),
            Touching::Unknown => {
                return Err(self.report(
                    Diagnostic::error(codes::CYCLIC_DEFINITION, "where things are cannot depend on what touches")
                        .at(span, "asked for where a frame is placed")
                        .hint("let it move freely, and state what holds with `always`, `force` or `when`"),
                ));
            }
        };
        let place = |value: &Value| {
            known.bearers.list.iter().position(|bearer| match value {
                Value::Frame(frame) => bearer.surface.is_none() && bearer.frame == *frame,
                Value::Surface(surface) => bearer.surface == Some(*surface),
                _ => false,
            })
        };
        let places: Vec<Option<usize>> = values.iter().map(place).collect();
        let [Some(a), Some(b)] = places[..] else {
            let (stated, missing) = (known.stated, places.iter().position(Option::is_none).unwrap_or(0));
            return Err(self.nothing_to_touch(sides[missing], stated));
        };
        let key = [a.min(b), a.max(b)];
        match known.pairs.get(&key) {
            Some(&pair) => Ok((pair, a > b)),
            None => {
                let apart = known.apart.get(&key).copied();
                Err(self.never_touch([sides[0], sides[1]], apart, span))
            }
        }
    }

    /// `contact(a, b)` without a quantity.
    pub(super) fn contact_alone(&mut self, span: Span) -> Reported {
        let known: Vec<String> = CONTACT_FIELDS.iter().map(|row| format!("`.{}`", row.name)).collect();
        self.wrong_kind(span, "a contact is no number by itself", &format!("ask for {}", known.join(", ")))
    }

    fn nothing_to_touch(&mut self, side: &Expr, stated: bool) -> Reported {
        let name = print_expression(side);
        let (message, label, hint) = match stated {
            true => (
                format!("`{name}` cannot be touched"),
                "a body or a frame with a shape, or a surface, is needed here",
                "give it a `shape`, and ask for two things by their own names",
            ),
            false => (
                "nothing touches in this scene".to_string(),
                "no `contact` statement says so",
                "write `contact all { restitution = 0; friction = 0.3 }`",
            ),
        };
        self.report(Diagnostic::error(codes::CONTACT_OF_NOTHING, message).at(side.span, label).hint(hint))
    }

    fn never_touch(&mut self, sides: [&Expr; 2], apart: Option<Apart>, span: Span) -> Reported {
        let [a, b] = sides.map(print_expression);
        let label = match apart {
            None => "no `contact` statement speaks of both",
            Some(apart) => apart.words(),
        };
        self.report(
            Diagnostic::error(codes::CONTACT_OF_NOTHING, format!("`{a}` and `{b}` never touch"))
                .at(span, label)
                .hint(format!("where they should, write `contact {a}, {b} {{ … }}`")),
        )
    }

    /// `contact(a, b).state == sticking`, or nothing if neither side is the state of a contact.
    pub(super) fn contact_test(
        &mut self,
        left: &Expr,
        right: &Expr,
        span: Span,
        scope: &Scope,
    ) -> Option<Outcome<TermId>> {
        let is_state = |expr: &Expr| match &expr.kind {
            ExprKind::Field { base, field } => field.text == "state" && self.contact_arguments(base, scope).is_some(),
            _ => false,
        };
        let (state, value) = match (is_state(left), is_state(right)) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) => return None,
        };
        Some(self.state_is(state, value, span, scope))
    }

    /// The states are numbers in a row, so each is a range; a guard then has a margin.
    fn state_is(&mut self, state: &Expr, value: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let text = print_expression(value);
        let number = CONTACT_STATES.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
        let state = self.term(state, scope);
        let Some(number) = number else {
            let known: Vec<String> = CONTACT_STATES.iter().map(|(name, _)| format!("`{name}`")).collect();
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_MODE, format!("a contact is never `{text}`"))
                    .at(value.span, "not among its states")
                    .hint(format!("it is one of {}", known.join(", "))),
            ));
        };
        let state = state?;
        let low = self.plain_number(number as f64 - 0.5, span);
        let high = self.plain_number(number as f64 + 0.5, span);
        let above = self.push(TermKind::Apply(Operator::Less, vec![low, state]), Type::CONDITION, span);
        let below = self.push(TermKind::Apply(Operator::Less, vec![state, high]), Type::CONDITION, span);
        Ok(self.push(TermKind::Apply(Operator::And, vec![above, below]), Type::CONDITION, span))
    }

    /// Contact is resolved where the motion is known, so nothing that makes the motion can speak of it.
    pub(super) fn refuse_feedback(&mut self) {
        if self.model.contacts.is_none() {
            return;
        }
        let model = &self.model;
        let equations = model.constraints.iter().chain(&model.laws).chain(&model.initial);
        let values = equations.flat_map(|equation| [Some(equation.left), Some(equation.right), equation.condition]);
        let values: Vec<TermId> = values
            .flatten()
            .chain(model.potentials.iter().map(|potential| potential.value))
            .chain(model.families.iter().flat_map(Family::terms))
            .chain(model.forces.iter().flat_map(|force| force.at.into_iter().chain([force.value])))
            .chain(model.torques.iter().map(|torque| torque.value))
            .collect();
        for value in values {
            if let Some(term) = self.model.terms.find(value, |kind| matches!(kind, TermKind::Contact(..))) {
                let place = self.model.terms.get(term).span;
                self.report(
                    Diagnostic::error(codes::WRONG_KIND, "what moves things cannot depend on how they touch")
                        .at(place, "known only where the motion is known")
                        .hint("ask for it in plots, in the conditions of `when` and in claims; a `mode` that these set may stand here"),
                );
            }
        }
    }
}
