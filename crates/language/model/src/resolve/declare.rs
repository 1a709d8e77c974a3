//! The first pass: loops are unrolled, names declared, frames given their numbers.

use base::{Diagnostic, Dimension, Span, Unit};
use syntax::{
    Binding, Definition, Domain, Expr, ExprKind, Item, ItemKind, Name, Param, Quantifier, Tree, print_expression,
};

use super::{Declared, Entity, Outcome, Resolver, Scope, Sense, Value};
use crate::codes;
use crate::model::{Component, Control, ControlId, Frame, FrameId, Parameter, ParameterId, Rotation, WORLD};
use crate::term::TermKind;

/// A statement with what the loops around it bind.
pub(super) struct Statement<'t> {
    pub item: &'t Item,
    pub scope: Scope,
}

/// More statements than this are refused: nobody means it, and the machine would not stand it.
const MOST_STATEMENTS: usize = 200_000;

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
                // Every error has been reported where it arose.
                let _ = self.control_value(control, &statement.scope);
            }
        }
        for at in 0..self.model.parameters.len() {
            let span = self.model.parameters[at].span;
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

    fn unroll(
        &mut self,
        items: &'t [Item],
        scope: &Scope,
        out: &mut Vec<Statement<'t>>,
        lists: &mut Vec<(&'t Item, Scope)>,
    ) {
        for item in items {
            match &item.kind {
                ItemKind::For(repeated) if matches!(repeated.quantifier.domain, Domain::List(_)) => {
                    lists.push((item, scope.clone()));
                }
                ItemKind::For(repeated) => {
                    for scope in self.repetitions(&repeated.quantifier, scope).unwrap_or_default() {
                        self.unroll(&repeated.items, &scope, out, lists);
                        if out.len() > MOST_STATEMENTS {
                            return;
                        }
                    }
                }
                _ => out.push(Statement { item, scope: scope.clone() }),
            }
            if out.len() > MOST_STATEMENTS {
                self.too_many(item.span);
                return;
            }
        }
    }

    fn too_many(&mut self, span: Span) {
        let message = format!("the loops of this scene make more than {MOST_STATEMENTS} statements");
        self.report(Diagnostic::error(codes::TOO_LARGE, message).at(span, "this loop").hint("make its range shorter"));
    }

    /// The scope of each round of a loop.
    pub(super) fn repetitions(&mut self, quantifier: &Quantifier, scope: &Scope) -> Outcome<Vec<Scope>> {
        let members: Vec<Value> = match &quantifier.domain {
            Domain::Range { first, last } => {
                let (first, last) = (self.whole_number(first, scope), self.whole_number(last, scope));
                let (first, last) = (first?, last?);
                if last.saturating_sub(first) > MOST_STATEMENTS as i64 {
                    self.too_many(quantifier.span);
                    return Err(super::Reported);
                }
                (first..=last).map(|i| Value::Term(self.plain_number(i as f64, quantifier.span))).collect()
            }
            Domain::List(list) => self.frames(list, scope)?.into_iter().map(Value::Frame).collect(),
        };
        let rounds = match quantifier.binding {
            Binding::Each(_) => members.len(),
            Binding::Pairs(..) => members.len() * members.len().saturating_sub(1) / 2,
        };
        if rounds > MOST_STATEMENTS {
            self.too_many(quantifier.span);
            return Err(super::Reported);
        }
        Ok(match &quantifier.binding {
            Binding::Each(name) => members.into_iter().map(|member| scope.with(&name.text, member)).collect(),
            Binding::Pairs(first, second) => {
                let pair = |i: usize, j: usize| {
                    scope.with(&first.text, members[i].clone()).with(&second.text, members[j].clone())
                };
                let n = members.len();
                (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| pair(i, j)).collect()
            }
        })
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

    fn declare_name(&mut self, name: &str, span: Span, entity: Entity<'t>) {
        const OWN: &[(&str, &str)] = &[
            ("world", "the frame that everything is placed in"),
            ("t", "the time"),
            ("pi", "3.14159…"),
            ("bodies", "the list of all bodies"),
        ];
        if let Some((_, meaning)) = OWN.iter().find(|(own, _)| *own == name) {
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

    fn declare_control(&mut self, control: &'t syntax::Control, scope: &Scope) {
        let Ok(name) = self.full_name(&control.name, scope) else { return };
        let span = control.name.span;
        let id = ControlId(self.model.controls.len() as u32);
        self.declare_name(&name, span, Entity::Control(id));
        let description = control.description.as_ref().map(|text| text.value.clone());
        let unit = Unit::coherent(Dimension::NONE);
        self.model.controls.push(Control { name, default: 0.0, range: None, unit, description, span });
    }

    fn control_value(&mut self, control: &'t syntax::Control, scope: &Scope) -> Outcome<()> {
        let name = self.full_name(&control.name, scope)?;
        let Some(Entity::Control(id)) = self.quantities.get(&name).map(|declared| declared.entity.clone()) else {
            return Err(super::Reported);
        };
        let mut unit = Unit::coherent(Dimension::NONE);
        let mut range = None;
        if let Some(written) = &control.range {
            let (low, high) =
                (self.constant_with_unit(&written.low, scope), self.constant_with_unit(&written.high, scope));
            let (low, high) = (low?, high?);
            unit = low.1;
            let mut factor = 1.0;
            if let Some(text) = &written.unit {
                unit = self.unit(text)?;
                factor = unit.scale;
            }
            range = Some((low.0 * factor, high.0 * factor));
        }
        let mut default = 0.0;
        if let Some(value) = &control.default {
            let (value, written) = self.constant_with_unit(value, scope)?;
            if control.range.is_none() {
                unit = written;
            }
            default = value;
        }
        let stored = &mut self.model.controls[id.index()];
        (stored.default, stored.range, stored.unit) = (default, range, unit);
        Ok(())
    }

    /// The value of a constant in SI units, and the unit it was written in.
    fn constant_with_unit(&mut self, value: &Expr, scope: &Scope) -> Outcome<(f64, Unit)> {
        let term = self.scalar(value, scope)?;
        let number = self.constant(term, value.span)?;
        let unit = match &value.kind {
            ExprKind::Quantity { unit, .. } => self.unit(unit)?,
            ExprKind::Unary { operand, .. } => match &operand.kind {
                ExprKind::Quantity { unit, .. } => self.unit(unit)?,
                _ => Unit::coherent(self.model.terms.get(term).type_.amount.dimension()),
            },
            _ => Unit::coherent(self.model.terms.get(term).type_.amount.dimension()),
        };
        Ok((number, unit))
    }

    /// The number that a term stands for; parameters count with their defaults.
    pub(super) fn constant(&mut self, term: crate::TermId, span: Span) -> Outcome<f64> {
        let parameters = &self.model.parameters;
        let value =
            self.model.terms.constant(term, &|id| parameters.get(id.index()).map(|parameter| parameter.default));
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) => {
                let (label, hint) = if value.is_nan() {
                    ("has no value", "a root or logarithm of a negative number and 0/0 have none")
                } else {
                    ("is infinite", "a division by zero, or a number beyond 1.8e308, does this")
                };
                let message = "a number is needed here, and this is none";
                Err(self.report(Diagnostic::error(codes::UNDEFINED_VALUE, message).at(span, label).hint(hint)))
            }
            None => Err(self.report(
                Diagnostic::error(codes::NOT_CONSTANT, "a number is needed here that is known before the scene moves")
                    .at(span, "this changes with time, or depends on a live control")
                    .hint("use numbers and parameters only; a quantity that follows others is written with `let`"),
            )),
        }
    }

    /// A whole number known at compile time, as indices and ranges need.
    pub(super) fn whole_number(&mut self, expr: &Expr, scope: &Scope) -> Outcome<i64> {
        let term = self.scalar(expr, scope)?;
        let value = self.model.terms.constant(term, &|_| None);
        match value {
            Some(value) if value.fract() == 0.0 && value.abs() < 1e9 => Ok(value as i64),
            _ => {
                let is_parameter = matches!(self.model.terms.get(term).kind, TermKind::Parameter(_));
                let hint = if Unit::parse(&print_expression(expr)).is_ok() {
                    "a unit stands after a number only; to give another value a unit, multiply it: `x * 1 [m]`"
                } else if is_parameter {
                    "a parameter may change between runs, the number of parts may not; write the number itself"
                } else {
                    "use whole numbers and loop variables only"
                };
                Err(self.report(
                    Diagnostic::error(codes::NOT_CONSTANT, "a whole number is needed here")
                        .at(expr.span, "is not a whole number known in advance")
                        .hint(hint),
                ))
            }
        }
    }

    /// The frames that a list, a group or a single frame stands for.
    pub(super) fn frames(&mut self, list: &Expr, scope: &Scope) -> Outcome<Vec<FrameId>> {
        match self.value_as(list, scope, Sense::Thing)? {
            Value::Frame(frame) => Ok(vec![frame]),
            Value::Frames(frames) => Ok(frames),
            Value::Term(_) | Value::Surface(_) => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, "a list of bodies or frames is needed here")
                    .at(list.span, "this is something else")
                    .hint("use `bodies`, or a group: `group planets = sun, earth`"),
            )),
        }
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
