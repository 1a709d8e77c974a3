//! Quantities of the author's own: their domains, their units, and what is given of them.

use base::{Dimension, Span, Unit};
use syntax::{Modifier, QuantityDomain, QuantityType};

use super::space::Scope;
use super::{Definition, Entity, Outcome, Reported, Resolver, Sense, Total, Value, Wanted};
use crate::model::{Bound, Quantity, QuantityId};
use crate::term::{Amount, Shape, TermId, Type};

impl<'t> Resolver<'t, '_> {
    /// Declares a quantity: what is given stands for its value, a sum waits for its parts, all else is unknown.
    pub(super) fn declare_quantity(&mut self, quantity: &'t syntax::Quantity, scope: &Scope) {
        let span = quantity.name.span;
        let (Ok(local), Ok(type_)) = (self.full_name(&quantity.name, scope), self.quantity_type(&quantity.type_))
        else {
            if let Ok(local) = self.full_name(&quantity.name, scope) {
                self.declare_name(&local, span, Entity::Broken, scope.space);
            }
            return;
        };
        let name = self.path(scope.space, &local);
        let constant = quantity.modifier == Some(Modifier::Constant);
        let given = self.thing_of_space(scope.space).and_then(|thing| {
            let thing = &self.things[thing.index()];
            let property = thing.properties.iter().find(|property| property.name.text == local)?;
            Some(Definition::Waiting(&property.value, thing.scope.clone()))
        });
        let fixed = quantity.default.as_ref().filter(|_| constant);
        let value = given.or_else(|| Some(Definition::Waiting(fixed?, scope.clone())));
        let entity = match value {
            Some(value) => {
                self.definitions.push((value, Wanted::Quantity(type_)));
                Entity::Let(self.definitions.len() - 1)
            }
            None if quantity.modifier == Some(Modifier::Sum) => {
                let parts = quantity.default.iter().map(|first| (first, scope.clone())).collect();
                self.totals.push(Total { name, type_, span, parts, value: None });
                Entity::Total(self.totals.len() - 1)
            }
            None => {
                let rotation = quantity.type_.domain == QuantityDomain::Rotation;
                // What is said of it is said of the thing that has it, in the author's own scene.
                let owner = self.thing_of_space(scope.space).map(|thing| self.things[thing.index()].span);
                let span = owner.unwrap_or(span);
                let unit = quantity.type_.unit.as_ref().map(|unit| unit.text.clone());
                let unit = unit.filter(|text| self.units.get(text).is_some_and(|unit| unit.scale == 1.0));
                let quantity =
                    Quantity { name, type_, unit, rotation, constant, range: None, start: None, left_out: false, span };
                Entity::Quantity(self.new_quantity(quantity))
            }
        };
        self.declare_name(&local, span, entity, scope.space);
    }

    pub(super) fn new_quantity(&mut self, quantity: Quantity) -> QuantityId {
        self.model.quantities.push(quantity);
        QuantityId(self.model.quantities.len() as u32 - 1)
    }

    /// Where a quantity starts unless the scene says something else.
    pub(super) fn start_of_quantity(&mut self, quantity: &'t syntax::Quantity, scope: &Scope) -> Outcome<()> {
        let local = self.full_name(&quantity.name, scope)?;
        self.bound_quantity(quantity, &local, scope)?;
        let declared = self.spaces[scope.space.index()].quantities.get(local.as_str());
        let Some(Entity::Quantity(id)) = declared.map(|declared| declared.entity.clone()) else { return Ok(()) };
        if let Some(default) = &quantity.default {
            let (type_, name) =
                (self.model.quantities[id.index()].type_, self.model.quantities[id.index()].name.clone());
            let start = self.expect(default, scope, type_, &format!("the start of `{name}`"))?;
            self.model.quantities[id.index()].start = Some(start);
        }
        Ok(())
    }

    /// What is given of a quantity with a range must lie in it; what is not given is looked for there.
    fn bound_quantity(&mut self, quantity: &'t syntax::Quantity, local: &str, scope: &Scope) -> Outcome<()> {
        let Some(range) = &quantity.range else { return Ok(()) };
        let (low, high) = (self.constant_with_unit(&range.low, scope), self.constant_with_unit(&range.high, scope));
        let (low, high) = (low?.0, high?.0);
        let unit = match (&range.unit, &quantity.type_.unit) {
            (Some(unit), _) | (None, Some(unit)) => self.unit(unit)?,
            (None, None) => Unit::coherent(Dimension::NONE),
        };
        match self.spaces[scope.space.index()].quantities.get(local).map(|declared| &declared.entity) {
            Some(Entity::Let(_)) => {}
            Some(&Entity::Quantity(id)) => {
                self.model.quantities[id.index()].range = Some((low * unit.scale, high * unit.scale));
                return Ok(());
            }
            _ => return Ok(()),
        }
        let Ok(Value::Term(value)) = self.lookup(local, quantity.name.span, &Scope::of(scope.space), Sense::Quantity)
        else {
            return Err(Reported);
        };
        let name = self.path(scope.space, local);
        let place = self.thing_of_space(scope.space).and_then(|thing| {
            let given = self.things[thing.index()].properties.iter().find(|property| property.name.text == local)?;
            Some(given.value.span)
        });
        let span = place.unwrap_or(quantity.name.span);
        let (low, high) = (low * unit.scale, high * unit.scale);
        self.model.bounds.push(Bound { name, value, low, high, unit, span, declared: range.span });
        Ok(())
    }

    pub(super) fn quantity_type(&mut self, written: &QuantityType) -> Outcome<Type> {
        let dimension = match &written.unit {
            Some(unit) => self.unit(unit)?.dimension,
            None => Dimension::NONE,
        };
        let shape = match written.domain {
            QuantityDomain::Real => Shape::Scalar,
            QuantityDomain::Vec => Shape::Vector,
            QuantityDomain::Matrix | QuantityDomain::Rotation => Shape::Matrix,
            QuantityDomain::Quaternion => Shape::Quaternion,
        };
        Ok(Type { shape, amount: Amount::Of(dimension) })
    }

    /// The zero of a type.
    pub(super) fn zero(&mut self, type_: Type, span: Span) -> TermId {
        use crate::term::TermKind;
        let zero = self.number(0.0, span);
        let kind = match type_.shape {
            Shape::Scalar | Shape::Condition => return zero,
            Shape::Vector => TermKind::Vector([zero; 3]),
            Shape::Quaternion => TermKind::Quaternion([zero; 4]),
            Shape::Matrix => TermKind::Matrix(Box::new([zero; 9])),
        };
        self.push(kind, Type { amount: Amount::Zero, ..type_ }, span)
    }
}
