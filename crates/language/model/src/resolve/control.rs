//! Controls: an input has a range, a value it begins with, and one dimension for both.

use base::{Diagnostic, Dimension, Unit};
use syntax::{Expr, ValueRange};

use super::{Entity, Outcome, Resolver, Scope};
use crate::codes;
use crate::model::{Control, ControlId};
use crate::term::{Amount, Type};

impl<'t> Resolver<'t, '_> {
    pub(super) fn declare_control(&mut self, control: &'t syntax::Control, scope: &Scope) {
        let Ok(local) = self.full_name(&control.name, scope) else { return };
        let name = self.path(scope.space, &local);
        let span = control.name.span;
        let id = ControlId(self.model.controls.len() as u32);
        self.declare_name(&local, span, Entity::Control(id), scope.space);
        let description = control.description.as_ref().map(|text| text.value.clone());
        let unit = Unit::coherent(Dimension::NONE);
        self.model.controls.push(Control { name, default: 0.0, range: None, unit, description, span });
    }

    /// Works out the range of a control and the value it begins with.
    pub(super) fn settle_control(&mut self, control: &syntax::Control, scope: &Scope) {
        let Ok(name) = self.full_name(&control.name, scope) else { return };
        let Some(declared) = self.spaces[scope.space.index()].quantities.get(name.as_str()) else { return };
        let Entity::Control(id) = declared.entity else { return };
        let outcome = match &control.range {
            Some(range) => self.bounded_control(id, control, range, scope),
            None => self.boundless_control(id, control, scope),
        };
        if outcome.is_err() {
            // What is wrong has been reported; that the dimension is not known is no second error.
            let names = &mut self.spaces[scope.space.index()].quantities;
            names.entry(name.into()).and_modify(|declared| declared.entity = Entity::Broken);
        }
    }

    fn boundless_control(&mut self, id: ControlId, control: &syntax::Control, scope: &Scope) -> Outcome<()> {
        if let Some(value) = &control.default {
            let (default, unit) = self.constant_with_unit(value, scope)?;
            let stored = &mut self.model.controls[id.index()];
            (stored.default, stored.unit) = (default, unit);
        }
        Ok(())
    }

    fn bounded_control(
        &mut self,
        id: ControlId,
        control: &syntax::Control,
        range: &ValueRange,
        scope: &Scope,
    ) -> Outcome<()> {
        let (low, high, unit) = self.control_range(range, scope)?;
        let default = match &control.default {
            Some(value) => self.fitting_value(range, &unit, value, scope)?,
            None => 0.0,
        };
        if !(low..=high).contains(&default) {
            let (span, label) = match &control.default {
                Some(value) => (value.span, format!("this is {}", unit.count(default))),
                None => (control.name.span, "without a value, it begins at 0".to_string()),
            };
            let message = format!("`{}` begins out of its own range", control.name.text);
            return Err(self.report(
                Diagnostic::error(codes::UNPHYSICAL_VALUE, message).at(span, label).hint(format!(
                    "let it begin between {} and {}",
                    unit.count(low),
                    unit.count(high)
                )),
            ));
        }
        let stored = &mut self.model.controls[id.index()];
        (stored.default, stored.range, stored.unit) = (default, Some((low, high)), unit);
        Ok(())
    }

    /// The ends of a range in SI units, and the unit they are written in.
    pub(super) fn control_range(&mut self, range: &ValueRange, scope: &Scope) -> Outcome<(f64, f64, Unit)> {
        let (low, high) = (self.scalar(&range.low, scope), self.scalar(&range.high, scope));
        let (low, high) = (low?, high?);
        let unit = match &range.unit {
            Some(text) => {
                self.need_plain(low, "an end of a range that has a unit")?;
                self.need_plain(high, "an end of a range that has a unit")?;
                self.unit(text)?
            }
            None => {
                self.join_types(low, high, "the ends of a range")?;
                // Zero is the same in any unit.
                let end = if self.type_of(low).amount == Amount::Zero { &range.high } else { &range.low };
                self.constant_with_unit(end, scope)?.1
            }
        };
        let factor = if range.unit.is_some() { unit.scale } else { 1.0 };
        let low = self.constant(low, range.low.span)? * factor;
        let high = self.constant(high, range.high.span)? * factor;
        if low > high {
            return Err(self.report(
                Diagnostic::error(codes::UNPHYSICAL_VALUE, "this range is empty")
                    .at(range.span, "it ends before it begins")
                    .hint("write the lower end first, as in `[-1, 1]`"),
            ));
        }
        Ok((low, high, unit))
    }

    /// The value that a control begins with, of the same dimension as its range.
    fn fitting_value(&mut self, range: &ValueRange, unit: &Unit, value: &Expr, scope: &Scope) -> Outcome<f64> {
        let term = match range.unit {
            Some(_) => self.expect(value, scope, Type::scalar(unit.dimension), "the value of this control")?,
            None => {
                let term = self.scalar(value, scope)?;
                for end in [&range.low, &range.high] {
                    let end = self.scalar(end, scope)?;
                    self.join_types(end, term, "the range of a control and its value")?;
                }
                term
            }
        };
        self.constant(term, value.span)
    }
}
