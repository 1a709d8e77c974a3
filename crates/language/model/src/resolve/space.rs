//! Name spaces: the scene, each theory and each thing has one, and names are searched from the inside out.

use std::borrow::Cow;
use std::rc::Rc;

use base::Span;
use rustc_hash::FxHashMap;

use super::{Entity, Resolver, Sense, Value};

base::ids! {
    SpaceId;
}

/// The space of the scene itself.
pub(super) const SCENE: SpaceId = SpaceId(0);

/// What is declared in one place.
#[derive(Default)]
pub(super) struct Space<'t> {
    /// What stands before the names of this space, such as `car[1].`; nothing for the scene and for theories.
    pub path: String,
    /// Numbers and vectors; they may share a name with a thing, as a weight and its mass do.
    pub quantities: FxHashMap<Cow<'t, str>, Declared<'t>>,
    pub things: FxHashMap<Cow<'t, str>, Declared<'t>>,
    /// Equations that have a label, by it.
    pub equations: FxHashMap<Cow<'t, str>, usize>,
    /// Where else to look: the theory of a thing's kind, the theories that a scene uses.
    pub outer: Rc<[SpaceId]>,
}

pub(super) struct Declared<'t> {
    pub entity: Entity<'t>,
    pub span: Span,
}

impl<'t> Space<'t> {
    /// The declaration of a name, of the wanted sense if there is one.
    pub fn get(&self, name: &str, sense: Sense) -> Option<&Declared<'t>> {
        let (first, second) = match sense {
            Sense::Quantity => (&self.quantities, &self.things),
            Sense::Thing => (&self.things, &self.quantities),
        };
        first.get(name).or_else(|| second.get(name))
    }
}

/// Where an expression stands: the space whose names it sees, and the names that loops and functions bind, innermost first.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub space: SpaceId,
    bindings: Option<Rc<Bound>>,
}

#[derive(Debug)]
struct Bound {
    name: String,
    value: Value,
    outer: Option<Rc<Bound>>,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope::of(SCENE)
    }
}

impl Scope {
    /// Nothing is bound but what the space declares.
    pub fn of(space: SpaceId) -> Scope {
        Scope { space, bindings: None }
    }

    pub fn with(&self, name: &str, value: Value) -> Scope {
        let bound = Bound { name: name.to_string(), value, outer: self.bindings.clone() };
        Scope { space: self.space, bindings: Some(Rc::new(bound)) }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.bound().find(|bound| bound.name == name).map(|bound| &bound.value)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bound().map(|bound| bound.name.as_str())
    }

    fn bound(&self) -> impl Iterator<Item = &Bound> {
        std::iter::successors(self.bindings.as_deref(), |bound| bound.outer.as_deref())
    }
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn new_space(&mut self, path: String, outer: Rc<[SpaceId]>) -> SpaceId {
        self.spaces.push(Space { path, outer, ..Space::default() });
        SpaceId(self.spaces.len() as u32 - 1)
    }

    /// What a name is declared as, in a space or around it. What the wanted sense does not find, the other may.
    pub(super) fn entity(&self, name: &str, sense: Sense, space: SpaceId) -> Option<Entity<'t>> {
        self.visible(space).find_map(|space| Some(space.get(name, sense)?.entity.clone()))
    }

    /// The spaces whose names can be seen from one: itself, then those around it, each once.
    pub(super) fn visible(&self, space: SpaceId) -> impl Iterator<Item = &Space<'t>> {
        let mut seen = vec![space];
        let mut at = 0;
        std::iter::from_fn(move || {
            let space = &self.spaces[seen.get(at)?.index()];
            at += 1;
            for &outer in space.outer.iter() {
                if !seen.contains(&outer) {
                    seen.push(outer);
                }
            }
            Some(space)
        })
    }

    /// A name as the author of the scene would write it from outside.
    pub(super) fn path(&self, space: SpaceId, name: &str) -> String {
        format!("{}{name}", self.spaces[space.index()].path)
    }
}
