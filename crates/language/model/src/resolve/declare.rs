//! The first pass: names are declared, frames given their numbers, parameters their values.

use base::{Diagnostic, Dimension, Span, Unit};
use syntax::{Definition, ItemKind, Name, Param, Tree};

use super::repeat::{MOST_STATEMENTS, Statement};
use super::{Declared, Entity, Outcome, Resolver, SCENE_QUANTITIES, Scope, Sense};
use crate::codes;
use crate::model::{Component, Frame, FrameId, Parameter, ParameterId, Rotation, WORLD};

impl<'t> Resolver<'t, '_> {
    /// All statements of the tree with loops unrolled, after declaring everything they declare.
    pub(super) fn declare(&mut self, tree: &'t Tree) -> Vec<Statement<'t>> {
        self.declare_world(tree.span);
        let mut statements = Vec::new();
        let mut lists = Vec::new();
        self.valued_later = tree.items.iter().filter_map(|item| declared_value(&item.kind)).collect();
        self.unroll(&tree.items, &Scope::default(), &mut statements, &mut lists);
        self.valued_later.clear();
        for statement in &statements {
            self.declare_item(statement);
        }
        for statement in &statements {
            if let ItemKind::Control(control) = &statement.item.kind {
                self.settle_control(control, &statement.scope);
            }
        }
        for at in 0..self.model.parameters.len() {
            let span = self.model.parameters[at].span;
            // Every error has been reported where it arose.
            let _ = self.parameter_value(ParameterId(at as u32), span);
        }
        // Loops over lists wait for the frames that the lists are made of.
        for (item, scope) in lists {
            let ItemKind::For(repeated) = &item.kind else { continue };
            let Ok(scopes) = self.repetitions(&repeated.quantifier, &scope) else { continue };
            for scope in scopes {
                let mut inner = Vec::new();
                self.unroll(&repeated.items, &scope, &mut inner, &mut Vec::new());
                if statements.len() + inner.len() > MOST_STATEMENTS {
                    self.too_many(item.span);
                    return statements;
                }
                statements.extend(inner);
            }
        }
        statements
    }

    fn declare_world(&mut self, span: Span) {
        let zero = Component::Given(self.number(0.0, span));
        let one = Component::Given(self.plain_number(1.0, span));
        let world = Frame {
            name: "world".into(),
            parent: WORLD,
            position: [zero; 3],
            rotation: Rotation::None,
            scale: [one; 3],
            span,
        };
        self.model.frames.push(world);
        self.things.insert("world".into(), Declared { entity: Entity::Frame(WORLD), span });
    }

    /// `car[i]` with `i` bound to 2 is `car[2]`.
    pub(super) fn full_name(&mut self, name: &Name, scope: &Scope) -> Outcome<String> {
        let indices: Vec<Outcome<i64>> = name.indices.iter().map(|index| self.whole_number(index, scope)).collect();
        let mut full = name.text.clone();
        for index in indices {
            full.push_str(&format!("[{}]", index?));
        }
        Ok(full)
    }

    pub(super) fn declare_name(&mut self, name: &str, span: Span, entity: Entity<'t>) {
        // What the scene can be asked for may be called otherwise; the words of the language may not.
        let words = SCENE_QUANTITIES.iter().filter(|row| row.quantity.is_none()).map(|row| (row.name, row.meaning));
        let mut own = words.chain([("world", "the frame that everything is placed in")]);
        if let Some((_, meaning)) = own.find(|(own, _)| *own == name) {
            self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` has a meaning already: {meaning}"))
                    .at(span, "declared again here")
                    .hint(format!("choose another name, such as `{name}_1`")),
            );
            return;
        }
        let names = match entity.sense() {
            Sense::Quantity => &mut self.quantities,
            Sense::Thing => &mut self.things,
        };
        if let Some(before) = names.get(name) {
            let before = before.span;
            self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` is declared twice"))
                    .at(span, "declared again here")
                    .at(before, "first declared here")
                    .hint("give one of them another name"),
            );
            return;
        }
        names.insert(name.to_string(), Declared { entity, span });
    }

    /// Declares names; nothing is looked up yet but loop variables.
    fn declare_item(&mut self, statement: &Statement<'t>) {
        let Statement { item, scope } = statement;
        match &item.kind {
            ItemKind::Scene(name) => self.model.name = name.text.clone(),
            ItemKind::Let(Definition { name, .. }) | ItemKind::Param(Param { name, .. }) if item.broken => {
                let Ok(full) = self.full_name(name, scope) else { return };
                self.declare_name(&full, name.span, Entity::Broken);
            }
            ItemKind::Function(function) if item.broken => {
                self.declare_name(&function.name.text, function.name.span, Entity::Broken);
            }
            ItemKind::Param(param) => self.declare_parameter(param, scope),
            ItemKind::Control(control) => self.declare_control(control, scope),
            ItemKind::Let(definition) => {
                let Ok(name) = self.full_name(&definition.name, scope) else { return };
                self.definitions.push(super::Definition::Waiting(&definition.value, scope.clone()));
                self.declare_name(&name, definition.name.span, Entity::Let(self.definitions.len() - 1));
            }
            ItemKind::Function(function) => {
                self.declare_name(&function.name.text, function.name.span, Entity::Function(function));
            }
            ItemKind::Group(group) => {
                let Ok(name) = self.full_name(&group.name, scope) else { return };
                self.groups.push((group, scope.clone()));
                self.declare_name(&name, group.name.span, Entity::Group(self.groups.len() - 1));
            }
            ItemKind::Surface(surface) => {
                let Ok(name) = self.full_name(&surface.name, scope) else { return };
                self.surfaces.push((surface, scope.clone()));
                self.declare_name(&name, surface.name.span, Entity::Surface(self.surfaces.len() - 1));
            }
            ItemKind::Frame(frame) | ItemKind::Body(frame) => {
                let Ok(name) = self.full_name(&frame.name, scope) else { return };
                let id = FrameId(self.model.frames.len() as u32);
                let world = self.model.frames[0].clone();
                self.declare_name(&name, frame.name.span, Entity::Frame(id));
                if matches!(item.kind, ItemKind::Body(_)) {
                    self.declared_bodies.push(id);
                }
                self.model.frames.push(Frame { name, span: frame.name.span, ..world });
            }
            _ => {}
        }
    }

    fn declare_parameter(&mut self, param: &'t Param, scope: &Scope) {
        let Ok(name) = self.full_name(&param.name, scope) else { return };
        let span = param.name.span;
        let id = ParameterId(self.model.parameters.len() as u32);
        self.declare_name(&name, span, Entity::Parameter(id));
        let description = param.description.as_ref().map(|text| text.value.clone());
        let unit = Unit::coherent(Dimension::NONE);
        self.model.parameters.push(Parameter { name, default: 0.0, unit, description, span });
        self.parameter_values.push(super::Definition::Waiting(&param.value, scope.clone()));
    }

    /// Works out the default of a parameter, once.
    pub(super) fn parameter_value(&mut self, id: ParameterId, span: Span) -> Outcome<()> {
        use super::Definition::{Done, InProgress, Waiting};
        let outcome = match std::mem::replace(&mut self.parameter_values[id.index()], InProgress) {
            Waiting(value, scope) => self.constant_with_unit(value, &scope).map(|(default, unit)| {
                let parameter = &mut self.model.parameters[id.index()];
                (parameter.default, parameter.unit) = (default, unit);
            }),
            Done(outcome) => outcome,
            InProgress => {
                let name = &self.model.parameters[id.index()].name;
                let message = format!("`{name}` is defined by itself");
                Err(self.report(
                    Diagnostic::error(codes::CYCLIC_DEFINITION, message)
                        .at(span, "needed here before it is known")
                        .hint("give one of the parameters a number of its own"),
                ))
            }
        };
        self.parameter_values[id.index()] = Done(outcome);
        outcome
    }
}

/// The name that a statement gives to a value.
fn declared_value(item: &ItemKind) -> Option<&str> {
    match item {
        ItemKind::Param(Param { name, .. }) | ItemKind::Let(Definition { name, .. }) => Some(&name.text),
        ItemKind::Control(syntax::Control { name, .. }) => Some(&name.text),
        _ => None,
    }
}
