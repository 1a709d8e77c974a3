//! The first pass: names are declared, frames given their numbers, parameters their values.

use base::{Diagnostic, Dimension, Span, Unit};
use syntax::{Definition, ExprKind, Item, ItemKind, Name, Param, Tree};

use super::repeat::{Statement, Unrolled};
use super::space::{Declared, SCENE, Scope, SpaceId};
use super::{Entity, Outcome, Reported, Resolver, SCENE_QUANTITIES, Sense, Theory, Wanted};
use crate::codes;
use crate::model::{Component, Frame, FrameId, Parameter, ParameterId, Rotation, WORLD};

impl<'t> Resolver<'t, '_> {
    /// All statements with loops unrolled, things made and laws stated, after declaring everything they declare.
    pub(super) fn declare(&mut self, tree: &'t Tree, theories: &[Theory<'t>]) -> Vec<Statement<'t>> {
        self.declare_world(tree.span);
        let spaces: Vec<SpaceId> = theories.iter().map(|_| self.new_space(String::new(), [].into())).collect();
        for (theory, space) in theories.iter().zip(&spaces) {
            self.spaces[space.index()].outer = theory.uses.iter().map(|&other| spaces[other]).collect();
        }
        self.spaces[SCENE.index()].outer = spaces.iter().copied().collect();
        let texts: Vec<(SpaceId, &'t Tree)> =
            spaces.iter().copied().zip(theories.iter().map(|theory| theory.tree)).chain([(SCENE, tree)]).collect();
        for &(space, text) in &texts {
            self.declare_templates(&text.items, space);
        }
        self.valued_later =
            texts.iter().flat_map(|(_, text)| &text.items).filter_map(|item| declared_value(&item.kind)).collect();
        self.counts = tree.items.iter().filter_map(|item| named_number(&item.kind)).collect();
        let mut out = Unrolled::default();
        for (space, text) in texts {
            self.unroll(&text.items, &Scope::of(space), &mut out);
        }
        self.valued_later.clear();
        self.declare_items(&out, 0);
        // Loops over lists wait for the things that the lists are made of, and laws for all things.
        while let Some((item, scope)) = out.lists.pop_front() {
            let from = out.statements.len();
            let _ = self.unroll_list(item, &scope, &mut out);
            self.declare_items(&out, from);
        }
        let from = out.statements.len();
        self.apply_laws(&mut out);
        self.declare_items(&out, from);
        for Statement { item, scope } in &out.statements {
            if let ItemKind::Addition(addition) = &item.kind {
                let _ = self.add_part(addition, scope);
            }
        }
        out.statements
    }

    /// One statement after the other, from a place on; then the values that others may need.
    fn declare_items(&mut self, out: &Unrolled<'t>, from: usize) {
        let first_parameter = self.model.parameters.len();
        for statement in &out.statements[from..] {
            self.declare_item(statement);
        }
        for statement in &out.statements[from..] {
            if let ItemKind::Control(control) = &statement.item.kind {
                self.settle_control(control, &statement.scope);
            }
        }
        for at in first_parameter..self.model.parameters.len() {
            let span = self.model.parameters[at].span;
            // Every error has been reported where it arose.
            let _ = self.parameter_value(ParameterId(at as u32), span);
        }
    }

    fn unroll_list(&mut self, item: &'t Item, scope: &Scope, out: &mut Unrolled<'t>) -> Outcome<()> {
        match &item.kind {
            ItemKind::Connections(connections) => self.make_connections(connections, item, scope, out),
            ItemKind::For(repeated) => {
                for scope in self.repetitions(&repeated.quantifier, scope)? {
                    self.unroll(&repeated.items, &scope, out);
                    if out.is_full() {
                        self.too_many(item.span);
                        return Err(Reported);
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
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
        let world = Declared { entity: Entity::Frame(WORLD), span };
        self.spaces[SCENE.index()].things.insert("world".into(), world);
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

    pub(super) fn declare_name(&mut self, name: &str, span: Span, entity: Entity<'t>, space: SpaceId) {
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
            Sense::Quantity => &mut self.spaces[space.index()].quantities,
            Sense::Thing => &mut self.spaces[space.index()].things,
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
        names.insert(name.to_string().into(), Declared { entity, span });
    }

    /// Declares names; nothing is looked up yet but loop variables.
    fn declare_item(&mut self, statement: &Statement<'t>) {
        let Statement { item, scope } = statement;
        match &item.kind {
            ItemKind::Scene(name) => self.model.name = name.text.clone(),
            ItemKind::Let(Definition { name, .. }) | ItemKind::Param(Param { name, .. }) if item.broken => {
                let Ok(full) = self.full_name(name, scope) else { return };
                self.declare_name(&full, name.span, Entity::Broken, scope.space);
            }
            ItemKind::Function(function) if item.broken => {
                self.declare_name(&function.name.text, function.name.span, Entity::Broken, scope.space);
            }
            ItemKind::Param(param) => self.declare_parameter(param, scope),
            ItemKind::Control(control) => self.declare_control(control, scope),
            ItemKind::Let(definition) => {
                let Ok(name) = self.full_name(&definition.name, scope) else { return };
                let waiting = super::Definition::Waiting(&definition.value, scope.clone());
                self.definitions.push((waiting, Wanted::Anything));
                self.declare_name(&name, definition.name.span, Entity::Let(self.definitions.len() - 1), scope.space);
            }
            ItemKind::Function(function) => {
                self.declare_name(
                    &function.name.text,
                    function.name.span,
                    Entity::Function(function, scope.space),
                    scope.space,
                );
            }
            ItemKind::Data(data) => self.declare_data(data, item.broken, scope),
            ItemKind::Group(group) => {
                let Ok(name) = self.full_name(&group.name, scope) else { return };
                self.groups.push((group, scope.clone()));
                self.declare_name(&name, group.name.span, Entity::Group(self.groups.len() - 1), scope.space);
            }
            ItemKind::Surface(surface) => {
                let Ok(name) = self.full_name(&surface.name, scope) else { return };
                self.surfaces.push((surface, scope.clone()));
                self.declare_name(&name, surface.name.span, Entity::Surface(self.surfaces.len() - 1), scope.space);
            }
            ItemKind::Frame(frame) | ItemKind::Body(frame) => {
                let Ok(local) = self.full_name(&frame.name, scope) else { return };
                let name = self.path(scope.space, &local);
                let id = FrameId(self.model.frames.len() as u32);
                let world = self.model.frames[0].clone();
                self.declare_name(&local, frame.name.span, Entity::Frame(id), scope.space);
                if matches!(item.kind, ItemKind::Body(_)) {
                    self.declared_bodies.push(id);
                }
                self.model.frames.push(Frame { name, span: frame.name.span, ..world });
            }
            ItemKind::Mode(mode) => self.declare_mode(mode, scope),
            ItemKind::Sequence(course) | ItemKind::Plan(course) => self.declare_course(course, scope),
            ItemKind::Quantity(quantity) => self.declare_quantity(quantity, scope),
            ItemKind::Equation(equation) | ItemKind::Always(equation) if !item.broken => {
                self.declare_equation(equation, scope, item.span);
            }
            _ => {}
        }
    }

    fn declare_parameter(&mut self, param: &'t Param, scope: &Scope) {
        let Ok(local) = self.full_name(&param.name, scope) else { return };
        let name = self.path(scope.space, &local);
        let span = param.name.span;
        let id = ParameterId(self.model.parameters.len() as u32);
        self.declare_name(&local, span, Entity::Parameter(id), scope.space);
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
/// What `let n = 3` declares.
fn named_number(item: &ItemKind) -> Option<(&str, f64)> {
    let ItemKind::Let(Definition { name, value }) = item else { return None };
    match value.kind {
        ExprKind::Number { value, .. } if name.indices.is_empty() => Some((&name.text, value)),
        _ => None,
    }
}

fn declared_value(item: &ItemKind) -> Option<&str> {
    match item {
        ItemKind::Param(Param { name, .. }) | ItemKind::Let(Definition { name, .. }) => Some(&name.text),
        ItemKind::Control(syntax::Control { name, .. }) => Some(&name.text),
        _ => None,
    }
}
