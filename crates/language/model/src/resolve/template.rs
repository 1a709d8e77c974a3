//! Templates: kinds and connections, from which things are made.

use std::rc::Rc;

use base::{Diagnostic, Span};
use syntax::{Item, ItemKind, Parameter, Word};

use super::space::{Declared, SpaceId};
use super::{Entity, Outcome, Resolver, Sense, ThingId};
use crate::codes;

base::ids! {
    TemplateId;
}

/// A kind of things, or of connections between things.
pub(super) struct Template<'t> {
    pub name: &'t Word,
    pub parameters: &'t [Parameter],
    pub parent: Option<&'t Word>,
    pub members: &'t [Item],
    /// Where it is declared: what its members see beside themselves.
    pub space: SpaceId,
    /// All things of this kind, and of kinds that inherit from it.
    pub things: Vec<ThingId>,
}

impl<'t> Resolver<'t, '_> {
    /// Declares the kinds, connections and laws among some statements.
    pub(super) fn declare_templates(&mut self, items: &'t [Item], space: SpaceId) {
        for item in items {
            let (name, parameters, parent, members) = match &item.kind {
                ItemKind::Kind(kind) => (&kind.name, &kind.parameters[..], &kind.parent, &kind.members),
                ItemKind::Connection(connection) => {
                    (&connection.name, &connection.parameters[..], &connection.parent, &connection.members)
                }
                ItemKind::Law(law) => {
                    self.laws.push((law, space));
                    continue;
                }
                _ => continue,
            };
            let id = TemplateId(self.templates.len() as u32);
            let parent = parent.as_ref();
            self.templates.push(Template { name, parameters, parent, members, space, things: Vec::new() });
            self.declare_name(&name.text, name.span, Entity::Template(id), space);
        }
    }

    /// The kind or connection of a name.
    pub(super) fn template(&mut self, name: &Word, space: SpaceId) -> Outcome<TemplateId> {
        let found = self.visible(space).find_map(|space| match space.things.get(name.text.as_str())? {
            Declared { entity: Entity::Template(id), .. } => Some(*id),
            _ => None,
        });
        found.ok_or(()).map_err(|()| self.unknown_template(name, space))
    }

    fn unknown_template(&mut self, name: &Word, space: SpaceId) -> super::Reported {
        let visible = self.visible(space).flat_map(|space| &space.things);
        let known = visible.filter(|(_, declared)| matches!(declared.entity, Entity::Template(_)));
        let mut known: Vec<String> = known.map(|(name, _)| name.to_string()).collect();
        known.sort_unstable();
        if self.sink.iter().any(|known| known.code == codes::UNKNOWN_NAME && known.message.ends_with(&message(name))) {
            return super::Reported;
        }
        let hint = if let Some(theory) = (self.elsewhere)(&name.text) {
            format!("the theory `{theory}` has it: write `use {theory}`")
        } else if base::Unit::parse(&name.text).is_ok() {
            format!("if a quantity is meant, its unit stands in brackets: `[{}]`", name.text)
        } else if let Some(near) = base::nearest(&name.text, known.iter().map(String::as_str)) {
            format!("did you mean `{near}`?")
        } else if known.is_empty() {
            format!("declare it: `kind {} {{ … }}`, or say which theory has it: `use …`", name.text)
        } else {
            format!("there are {}", base::listed(&known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>()))
        };
        self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, message(name)).at(name.span, "not declared anywhere").hint(hint),
        )
    }

    /// A template and those it inherits from, the eldest first.
    pub(super) fn lineage(&mut self, id: TemplateId) -> Outcome<Vec<TemplateId>> {
        let mut line = vec![id];
        let mut at = id;
        while let Some(parent) = self.templates[at.index()].parent {
            at = self.template(parent, self.templates[at.index()].space)?;
            if line.contains(&at) {
                let name = &self.templates[id.index()].name;
                let (name, span) = (name.text.clone(), name.span);
                return Err(self.report(
                    Diagnostic::error(codes::CYCLIC_DEFINITION, format!("`{name}` inherits from itself"))
                        .at(parent.span, "here the circle closes")
                        .at(span, "declared here"),
                ));
            }
            line.push(at);
        }
        line.reverse();
        Ok(line)
    }

    /// Whether all things of one kind are things of another.
    pub(super) fn inherits(&mut self, id: TemplateId, from: TemplateId) -> bool {
        self.lineage(id).is_ok_and(|line| line.contains(&from))
    }

    pub(super) fn things_of(&self, id: TemplateId) -> Rc<[ThingId]> {
        self.templates[id.index()].things.as_slice().into()
    }

    /// Where a kind or connection is declared.
    pub(super) fn template_span(&self, id: TemplateId) -> Span {
        self.templates[id.index()].name.span
    }

    /// The kind that an expression names, if it names one.
    pub(super) fn named_template(&self, name: &str, space: SpaceId) -> Option<TemplateId> {
        match self.entity(name, Sense::Thing, space)? {
            Entity::Template(id) => Some(id),
            _ => None,
        }
    }
}

fn message(name: &Word) -> String {
    format!("there is no kind `{}`", name.text)
}
