//! The first pass: loops are unrolled, names declared, frames given their numbers.

use base::{Diagnostic, Dimension, Span, Unit};
use syntax::{Binding, Domain, Expr, ExprKind, Item, ItemKind, Name, Quantifier, Tree};

use super::{Declared, Definition, Entity, Outcome, Resolver, Scope, Sense, Value};
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
        self.unroll(&tree.items, &Scope::default(), &mut statements, &mut lists);
        for statement in &statements {
            self.declare_item(statement);
        }
        for statement in &statements {
            self.declare_value(statement);
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
            ItemKind::Let(definition) => {
                let Ok(name) = self.full_name(&definition.name, scope) else { return };
                self.definitions.push(Definition::Waiting(&definition.value, scope.clone()));
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

    /// Declares what has a value that other declarations may need: parameters and controls.
    fn declare_value(&mut self, statement: &Statement<'t>) {
        let Statement { item, scope } = statement;
        match &item.kind {
            ItemKind::Param(param) => {
                let Ok(name) = self.full_name(&param.name, scope) else { return };
                let Ok((default, unit)) = self.constant_with_unit(&param.value, scope) else { return };
                let description = param.description.as_ref().map(|text| text.value.clone());
                let id = ParameterId(self.model.parameters.len() as u32);
                self.declare_name(&name, param.name.span, Entity::Parameter(id));
                self.model.parameters.push(Parameter { name, default, unit, description, span: param.name.span });
            }
            ItemKind::Control(control) => {
                let _ = self.declare_control(control, scope);
            }
            _ => {}
        }
    }

    fn declare_control(&mut self, control: &'t syntax::Control, scope: &Scope) -> Outcome<()> {
        let name = self.full_name(&control.name, scope)?;
        let mut unit = Unit::coherent(Dimension::NONE);
        let mut range = None;
        if let Some(written) = &control.range {
            let (low, high) =
                (self.constant_with_unit(&written.low, scope)?, self.constant_with_unit(&written.high, scope)?);
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
        let description = control.description.as_ref().map(|text| text.value.clone());
        let id = ControlId(self.model.controls.len() as u32);
        self.declare_name(&name, control.name.span, Entity::Control(id));
        self.model.controls.push(Control { name, default, range, unit, description, span: control.name.span });
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
            Some(_) => Err(self.report(
                Diagnostic::error(codes::NOT_CONSTANT, "this value is not a finite number")
                    .at(span, "overflows, or divides by zero"),
            )),
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
                let hint = if is_parameter {
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
