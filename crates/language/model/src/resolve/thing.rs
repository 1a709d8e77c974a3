//! Things: what a scene has of a kind, and the connections between them.

use std::borrow::Cow;
use std::rc::Rc;

use base::{Diagnostic, Span, listed};
use syntax::{Argument, Expr, Item, Parameter, ParameterType, Property, Word};

use super::repeat::Unrolled;
use super::space::{Declared, SCENE, Scope, SpaceId};
use super::template::{Template, TemplateId};
use super::{Definition, Entity, Outcome, Reported, Resolver, Sense, Value, Wanted};
use crate::codes;

base::ids! {
    ThingId;
}

/// Something of a kind, or a connection; its members are declared in a space of their own.
pub(super) struct Thing<'t> {
    /// As the author of the scene writes it.
    pub name: String,
    pub template: TemplateId,
    pub space: SpaceId,
    /// What it is given in braces, and where that is said.
    pub properties: &'t [Property],
    pub scope: Scope,
    pub span: Span,
}

/// Things of things, and kinds that contain themselves, are not nested deeper than this.
const DEEPEST_NESTING: usize = 32;

/// What a thing is made with.
pub(super) struct Making<'t> {
    /// Its name in the space where it is declared; a nameless connection has none there.
    pub name: String,
    pub properties: &'t [Property],
    pub span: Span,
}

impl<'t> Resolver<'t, '_> {
    /// `name: kind(arguments) { properties }`
    pub(super) fn make_thing(
        &mut self,
        thing: &'t syntax::Thing,
        item: &'t Item,
        scope: &Scope,
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let name = self.full_name(&thing.name, scope)?;
        let made = self.try_make_thing(thing, item, &name, scope, out);
        if made.is_err() {
            // What is wrong has been said; what is asked of the thing need not be answered.
            let broken = Declared { entity: Entity::Broken, span: thing.name.span };
            self.spaces[scope.space.index()].things.insert(name.into(), broken);
        }
        made
    }

    fn try_make_thing(
        &mut self,
        thing: &'t syntax::Thing,
        item: &'t Item,
        name: &str,
        scope: &Scope,
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let making = Making { name: name.to_string(), properties: &thing.properties, span: thing.name.span };
        let template = self.template(&thing.kind, scope.space)?;
        let parameters = self.parameters(template)?;
        let given = self.arguments(&parameters, &thing.arguments, thing.kind.span, scope)?;
        let id = self.new_thing(&making, template, scope);
        self.declare_name(&making.name, making.span, Entity::Thing(id), scope.space);
        self.furnish(id, item, (&parameters, given), out)
    }

    /// `use robot "arm.urdf" as arm`: a thing whose members are what the file describes. They see the scene, since what they stand in is declared there.
    pub(super) fn make_used(
        &mut self,
        used: &'t syntax::UsedFile,
        item: &'t Item,
        scope: &Scope,
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let name = &used.name;
        let Some(file) = self.used_files.iter().find(|file| file.name.span == name.span).copied() else {
            // What is wrong with the file has been said; what is asked of it need not be answered.
            self.declare_name(&name.text, name.span, Entity::Broken, scope.space);
            return Err(Reported);
        };
        let template = TemplateId(self.templates.len() as u32);
        let members = file.items;
        let space = scope.space;
        self.templates.push(Template { name, parameters: &[], parent: None, members, space, things: Vec::new() });
        let making = Making { name: name.text.clone(), properties: &used.properties, span: name.span };
        let id = self.new_thing(&making, template, scope);
        self.declare_name(&making.name, making.span, Entity::Thing(id), scope.space);
        self.furnish(id, item, (&[], Vec::new()), out)
    }

    /// `kind for pairs (a, b) in list { properties }`: one connection for each round, between what the round binds.
    pub(super) fn make_connections(
        &mut self,
        connections: &'t syntax::Connections,
        item: &'t Item,
        scope: &Scope,
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let kind = &connections.kind;
        let template = self.template(kind, scope.space)?;
        let parameters = self.parameters(template)?;
        let bound: Vec<&Word> = match &connections.quantifier.binding {
            syntax::Binding::Each(name) => vec![name],
            syntax::Binding::Pairs(first, second) => vec![first, second],
        };
        let needed = parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if bound.len() < needed || bound.len() > parameters.len() {
            let names: Vec<String> = parameters.iter().map(|parameter| format!("`{}`", parameter.name.text)).collect();
            return Err(self.report(
                Diagnostic::error(
                    codes::WRONG_ARGUMENTS,
                    format!("`{}` connects {}, and this names {}", kind.text, listed(&names), bound.len()),
                )
                .at(connections.quantifier.span, "one name for each is needed here")
                .at(kind.span, "of this connection")
                .hint("a connection of two things is made `for pairs (a, b) in …`, one of one thing `for a in …`"),
            ));
        }
        for round in self.repetitions(&connections.quantifier, scope)? {
            let values: Vec<Value> = bound.iter().filter_map(|name| round.get(&name.text).cloned()).collect();
            let names: Vec<String> = values.iter().map(|value| self.value_name(value)).collect();
            let name = format!("{}({})", kind.text, names.join(", "));
            let making = Making { name, properties: &connections.properties, span: kind.span };
            let id = self.new_thing(&making, template, &round);
            let given = values.into_iter().map(|value| Some(Definition::Done(Ok(value)))).collect();
            self.furnish(id, item, (&parameters, given), out)?;
            if out.is_full() {
                self.too_many(item.span);
                return Err(Reported);
            }
        }
        Ok(())
    }

    pub(super) fn new_thing(&mut self, making: &Making<'t>, template: TemplateId, scope: &Scope) -> ThingId {
        let name = self.path(scope.space, &making.name);
        let id = ThingId(self.things.len() as u32);
        let around: Rc<[SpaceId]> = [self.templates[template.index()].space].into();
        let space = self.new_space(format!("{name}."), around);
        let Making { properties, span, .. } = *making;
        self.things.push(Thing { name, template, space, properties, scope: scope.clone(), span });
        id
    }

    /// Declares the parameters of a thing and unrolls its members.
    pub(super) fn furnish(
        &mut self,
        id: ThingId,
        item: &'t Item,
        (parameters, given): (&[&'t Parameter], Vec<Option<Definition<'t, Value>>>),
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let Thing { template, space, span, .. } = self.things[id.index()];
        if self.nesting >= DEEPEST_NESTING {
            let name = self.templates[template.index()].name.text.clone();
            let declared = self.template_span(template);
            out.give_up();
            return Err(self.report(
                Diagnostic::error(codes::CYCLIC_DEFINITION, format!("things of the kind `{name}` contain one another"))
                    .at(span, "without end")
                    .at(declared, "declared here"),
            ));
        }
        let mut given = given.into_iter();
        for &parameter in parameters {
            let argument = given.next().flatten().or_else(|| self.given_parameter(id, parameter));
            self.declare_argument(id, parameter, argument)?;
        }
        let lineage = self.lineage(template)?;
        for &ancestor in &lineage {
            self.templates[ancestor.index()].things.push(id);
        }
        self.nesting += 1;
        for ancestor in lineage {
            // What an elder kind says is said in words of its own theory.
            let members = self.templates[ancestor.index()].members;
            self.see_also(space, self.templates[ancestor.index()].space);
            self.unroll(members, &Scope::of(space), out);
        }
        self.nesting -= 1;
        out.push(item, Scope::of(space));
        Ok(())
    }

    /// What a space declares can be seen from another.
    fn see_also(&mut self, space: SpaceId, other: SpaceId) {
        let outer = &self.spaces[space.index()].outer;
        if !outer.contains(&other) {
            let more: Vec<SpaceId> = outer.iter().copied().chain([other]).collect();
            self.spaces[space.index()].outer = more.into();
        }
    }

    /// The parameters of a kind, those it inherits first.
    pub(super) fn parameters(&mut self, template: TemplateId) -> Outcome<Vec<&'t Parameter>> {
        let lineage = self.lineage(template)?;
        Ok(lineage.into_iter().flat_map(|ancestor| self.templates[ancestor.index()].parameters).collect())
    }

    /// The argument of each parameter, by place and then by name.
    pub(super) fn arguments(
        &mut self,
        parameters: &[&'t Parameter],
        arguments: &'t [Argument],
        span: Span,
        scope: &Scope,
    ) -> Outcome<Vec<Option<Definition<'t, Value>>>> {
        let mut given: Vec<Option<&'t Expr>> = vec![None; parameters.len()];
        for (at, argument) in arguments.iter().enumerate() {
            let place = match &argument.name {
                None => Some(at),
                Some(name) => parameters.iter().position(|parameter| parameter.name.text == name.text),
            };
            match place.and_then(|place| given.get_mut(place)) {
                Some(slot) if slot.is_none() => *slot = Some(&argument.value),
                taken => {
                    let names: Vec<String> =
                        parameters.iter().map(|parameter| format!("`{}`", parameter.name.text)).collect();
                    let message =
                        if taken.is_some() { "this argument is given twice" } else { "there is no such parameter" };
                    let hint = match names.is_empty() {
                        true => "this kind has no parameters; give its quantities in braces".to_string(),
                        false => format!("the parameters are {}", listed(&names)),
                    };
                    return Err(self.report(
                        Diagnostic::error(codes::WRONG_ARGUMENTS, message)
                            .at(argument.value.span, "given here")
                            .at(span, "of this kind")
                            .hint(hint),
                    ));
                }
            }
        }
        Ok(given.into_iter().map(|value| Some(Definition::Waiting(value?, scope.clone()))).collect())
    }

    /// A parameter may be given in braces too.
    fn given_parameter(&self, id: ThingId, parameter: &Parameter) -> Option<Definition<'t, Value>> {
        let Thing { properties, ref scope, .. } = self.things[id.index()];
        let property = properties.iter().find(|property| property.name.text == parameter.name.text)?;
        Some(Definition::Waiting(&property.value, scope.clone()))
    }

    fn declare_argument(
        &mut self,
        id: ThingId,
        parameter: &'t Parameter,
        given: Option<Definition<'t, Value>>,
    ) -> Outcome<()> {
        let Thing { space, span, .. } = self.things[id.index()];
        let written = parameter.default.as_ref().map(|default| Definition::Waiting(default, Scope::of(space)));
        let Some(definition) = given.or(written) else {
            let (name, kind) = (self.things[id.index()].name.clone(), self.things[id.index()].template);
            let declared = self.template_span(kind);
            return Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, format!("`{name}` needs its `{}`", parameter.name.text))
                    .at(span, "it is not given here")
                    .at(declared, "its kind asks for it")
                    .hint("arguments stand in parentheses after the kind, as in `r1: resistor(node1, node2)`"),
            ));
        };
        let wanted = match &parameter.type_ {
            ParameterType::Quantity(type_) => Wanted::Quantity(self.quantity_type(type_)?),
            ParameterType::Thing(kind) if matches!(kind.text.as_str(), "frame" | "body") => Wanted::Frame,
            ParameterType::Thing(kind) => {
                let template = self.things[id.index()].template;
                let lineage = self.lineage(template)?;
                let spaces = lineage.into_iter().map(|ancestor| self.templates[ancestor.index()].space);
                let owner = spaces.collect::<Vec<_>>();
                let found = owner.iter().find_map(|&space| self.named_template(&kind.text, space));
                let kind = match found {
                    Some(kind) => kind,
                    None => self.template(kind, owner[0])?,
                };
                Wanted::Thing(kind)
            }
        };
        self.definitions.push((definition, wanted));
        let entity = Entity::Let(self.definitions.len() - 1);
        let declared = Declared { entity, span: parameter.name.span };
        let space = &mut self.spaces[space.index()];
        let names = if matches!(wanted, Wanted::Quantity(_)) { &mut space.quantities } else { &mut space.things };
        names.insert(Cow::Borrowed(&parameter.name.text), declared);
        Ok(())
    }

    /// What a thing is given in braces must be quantities of its kind.
    pub(super) fn check_given(&mut self, space: SpaceId) {
        let Some(id) = self.thing_of_space(space) else { return };
        for (at, property) in self.things[id.index()].properties.iter().enumerate() {
            let (name, earlier) = (&property.name, &self.things[id.index()].properties[..at]);
            if let Some(before) = earlier.iter().find(|before| before.name.text == name.text) {
                let span = before.name.span;
                self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{}` is given twice", name.text))
                        .at(name.span, "again here")
                        .at(span, "first here"),
                );
                continue;
            }
            let declared = self.spaces[space.index()].get(&name.text, Sense::Quantity);
            if declared.is_some_and(|declared| matches!(declared.entity, Entity::Let(_) | Entity::Broken)) {
                // Elaborated even if nobody asks for it, for its errors.
                let _ = self.lookup(&name.text, name.span, &Scope::of(space), Sense::Quantity);
                continue;
            }
            let (kind, known) = (self.kind_name(id).to_string(), self.quantity_names(space));
            let hint = match base::nearest(&name.text, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => format!("`{kind}` has no quantities"),
                None => format!("it has {}", known.join(", ")),
            };
            let declared = self.template_span(self.things[id.index()].template);
            self.report(
                Diagnostic::error(codes::UNKNOWN_PROPERTY, format!("`{kind}` has no quantity `{}`", name.text))
                    .at(name.span, "unknown here")
                    .at(declared, "this kind")
                    .hint(hint),
            );
        }
    }

    /// Writes down for messages what is of which kind.
    pub(super) fn list_things(&mut self) {
        for at in 0..self.things.len() {
            let (name, template) = (self.things[at].name.clone(), self.things[at].template);
            let lineage = self.lineage(template).unwrap_or_default();
            let kinds = lineage.into_iter().map(|elder| self.templates[elder.index()].name.text.clone()).collect();
            self.model.things.push(crate::model::Thing { name, kinds });
        }
    }

    /// `p1.position`: a member of a thing.
    pub(super) fn member(&mut self, id: ThingId, base: Span, field: &Word, sense: Sense) -> Outcome<Value> {
        let space = self.things[id.index()].space;
        if self.spaces[space.index()].get(&field.text, sense).is_some() {
            return self.lookup(&field.text, base.to(field.span), &Scope::of(space), sense);
        }
        let (name, kind) = (self.things[id.index()].name.clone(), self.kind_name(id).to_string());
        let known = self.quantity_names(space);
        let hint = match base::nearest(&field.text, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a `{kind}` has {}", known.join(", ")),
        };
        Err(self.report(
            Diagnostic::error(codes::UNKNOWN_FIELD, format!("`{name}` has no member `{}`", field.text))
                .at(field.span, "unknown")
                .hint(hint),
        ))
    }

    pub(super) fn thing_of_space(&self, space: SpaceId) -> Option<ThingId> {
        // Spaces of things ascend with the things.
        let at = self.things.binary_search_by_key(&space, |thing| thing.space).ok()?;
        Some(ThingId(at as u32))
    }

    /// Where a scene makes the thing that has a space, if the words of its kind are those of a theory.
    pub(super) fn place_in_scene(&self, space: SpaceId) -> Option<Span> {
        let thing = &self.things[self.thing_of_space(space)?.index()];
        (self.templates[thing.template.index()].space != SCENE).then_some(thing.span)
    }

    pub(super) fn kind_name(&self, id: ThingId) -> &'t str {
        &self.templates[self.things[id.index()].template.index()].name.text
    }

    fn quantity_names(&self, space: SpaceId) -> Vec<String> {
        let space = &self.spaces[space.index()];
        let mut known: Vec<String> =
            space.quantities.keys().chain(space.things.keys()).map(ToString::to_string).collect();
        known.sort_unstable();
        known
    }

    pub(super) fn value_name(&self, value: &Value) -> String {
        match value {
            Value::Thing(id) => self.things[id.index()].name.clone(),
            Value::Frame(id) => self.model.frame(*id).name.clone(),
            Value::Term(term) => match self.model.terms.get(*term).kind {
                crate::term::TermKind::Number(value) => value.to_string(),
                _ => "…".to_string(),
            },
            _ => "…".to_string(),
        }
    }
}
