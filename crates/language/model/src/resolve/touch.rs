//! What can touch what: everything that has a shape, less the pairs that something holds together.

use base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{ItemKind, ParameterType};

use super::repeat::Statement;
use super::space::Scope;
use super::{Outcome, Resolver, Sense, Value};
use crate::codes;
use crate::contact::{Apart, ContactShape, HALF_SPACE, SURFACE};
use crate::model::{Component, FrameId, Model, Rotation, WORLD};
use crate::term::{FrameQuantity, TermId, TermKind};

/// Something with a shape.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    pub name: String,
    pub frame: FrameId,
    /// Of the surface that it is, if it is one.
    pub surface: Option<usize>,
    pub span: Span,
}

/// Everything with a shape.
#[derive(Default)]
pub(super) struct Bearers {
    pub list: Vec<Bearer>,
    /// By places in the list.
    pub shapes: Vec<ContactShape>,
}

impl Bearers {
    /// Whether something is a surface that is not a plane.
    pub fn is_curved(&self, thing: usize) -> bool {
        self.shapes.iter().any(|shape| shape.thing == thing && shape.solid == SURFACE)
    }

    /// Whether two are surfaces, one of which is curved: they go on for ever, and have only one side that anything is known of.
    pub fn pass_through(&self, things: [usize; 2]) -> bool {
        things.iter().all(|&thing| self.list[thing].surface.is_some())
            && things.iter().any(|&thing| self.is_curved(thing))
    }
}

impl<'t> Resolver<'t, '_> {
    /// In the order of the text.
    pub(super) fn bearers(&mut self, statements: &[Statement<'t>]) -> Outcome<Bearers> {
        let mut found = Bearers::default();
        for Statement { item, scope } in statements {
            let name = match &item.kind {
                ItemKind::Frame(frame) | ItemKind::Body(frame) => &frame.name,
                ItemKind::Surface(surface) => &surface.name,
                _ => continue,
            };
            let local = self.full_name(name, scope)?;
            let full = self.path(scope.space, &local);
            let thing = found.list.len();
            match self.lookup(&local, name.span, &Scope::of(scope.space), Sense::Thing)? {
                Value::Frame(frame) => {
                    let own = self.shapes.iter().filter(|(bearer, _)| *bearer == frame);
                    let own: Vec<ContactShape> =
                        own.map(|(_, shape)| ContactShape { thing, ..shape.clone() }).collect();
                    if !own.is_empty() {
                        found.list.push(Bearer { name: full, frame, surface: None, span: name.span });
                        found.shapes.extend(own);
                    }
                }
                Value::Surface(surface) => {
                    let level = self.level(surface, name.span)?;
                    let (solid, sizes, level_set) = match self.plane(&level, name.span) {
                        Some(plane) => (HALF_SPACE, plane.to_vec(), None),
                        None => (SURFACE, Vec::new(), Some((level.coordinates, level.residual))),
                    };
                    let (at, turned, span) = (None, None, name.span);
                    let shape = ContactShape { thing, solid, sizes, hull: None, level: level_set, at, turned, span };
                    found.shapes.push(shape);
                    let (frame, surface) = (level.frame, Some(surface));
                    found.list.push(Bearer { name: full, frame, surface, span });
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Refuses shapes that change: their sizes are read once, at the start of a run.
    pub(super) fn refuse_changing_shapes(&mut self, bearers: &Bearers, touching: &[bool]) -> Outcome<()> {
        let mut outcome = Ok(());
        for shape in bearers.shapes.iter().filter(|shape| touching[shape.thing]) {
            let name = &bearers.list[shape.thing].name;
            let numbers =
                shape.sizes.iter().copied().chain(shape.at).chain(shape.turned).chain(shape.level.map(|level| level.1));
            let changing = numbers.filter_map(|term| self.model.terms.find(term, |kind| cause(kind) != Cause::Never));
            if let Some(term) = changing.into_iter().next() {
                let place = self.model.terms.get(term).span;
                outcome = Err(self.report(
                    Diagnostic::error(codes::SHAPE_CHANGES, format!("the shape of `{name}` changes while it moves"))
                        .at(place, "this is not the same at all times")
                        .at(shape.span, "the shape")
                        .hint(
                            "the sizes of what touches depend on numbers and parameters only; let a frame move instead",
                        ),
                ));
            } else if let Some(frame) = self.stretched(bearers.list[shape.thing].frame) {
                let place = self.model.frame(frame).span;
                outcome = Err(self.report(
                    Diagnostic::error(codes::SHAPE_CHANGES, format!("`{name}` is stretched by a scale"))
                        .at(shape.span, "this shape touches others")
                        .at(place, "scaled here")
                        .hint("give the shape its true size, and let no frame around it have a `scale`"),
                ));
            }
        }
        outcome
    }

    /// A number that is the same during a run.
    pub(super) fn need_fixed(&mut self, term: TermId, span: Span, what: &str) -> Outcome<()> {
        match self.model.terms.find(term, |kind| cause(kind) != Cause::Never) {
            None => Ok(()),
            Some(_) => Err(self.report(
                Diagnostic::error(codes::NOT_CONSTANT, format!("{what} stays the same during a run"))
                    .at(span, "this changes")
                    .hint("make it of numbers and parameters"),
            )),
        }
    }

    /// The frame that stretches what is in a frame, if one does.
    fn stretched(&self, frame: FrameId) -> Option<FrameId> {
        let one = |component: &Component| match component {
            Component::Given(term) => self.model.terms.constant(*term, &|_| None) == Some(1.0),
            Component::Free(_) => false,
        };
        chain(&self.model, frame).find(|frame| !self.model.frame(*frame).scale.iter().all(one))
    }
}

/// What holds frames together.
pub(super) struct Holding {
    /// Of each frame, the frame that it is fixed to, itself perhaps, and whether a force can move it.
    pub roots: Vec<FrameId>,
    gives_way: Vec<bool>,
    /// Frames with shapes that a joint or the tree of frames holds together, the smaller first.
    held: FxHashSet<[FrameId; 2]>,
}

impl Holding {
    /// Between two things, if anything does.
    pub fn between(&self, a: &Bearer, b: &Bearer) -> Option<Apart> {
        if self.roots[a.frame.index()] == self.roots[b.frame.index()] {
            // What is fixed in the world is one rigid thing too, but nobody sees it so.
            let fixed = self.roots[a.frame.index()] == WORLD;
            return Some(if fixed { Apart::Fixed } else { Apart::Same });
        }
        if !self.gives_way[a.frame.index()] && !self.gives_way[b.frame.index()] {
            return Some(Apart::Fixed);
        }
        self.held.contains(&ordered(a.frame, b.frame)).then_some(Apart::Held)
    }
}

impl<'t> Resolver<'t, '_> {
    pub(super) fn holding(&mut self, bearers: &[Bearer]) -> Outcome<Holding> {
        let mut holding = self.motions();
        // Shapes of a frame, by frame and by what is rigid with it.
        let mut near: FxHashMap<FrameId, Vec<FrameId>> = FxHashMap::default();
        for bearer in bearers.iter().filter(|bearer| bearer.frame != WORLD) {
            let root = holding.roots[bearer.frame.index()];
            near.entry(if root == WORLD { bearer.frame } else { root }).or_default().push(bearer.frame);
        }
        let carriers = |model: &Model, from: FrameId| -> Vec<FrameId> {
            let key = |frame: FrameId| match holding.roots[frame.index()] {
                WORLD => frame,
                root => root,
            };
            chain(model, from).find_map(|frame| near.get(&key(frame))).cloned().unwrap_or_default()
        };
        let mut held = FxHashSet::default();
        for [a, b] in self.joined()? {
            let (first, second) = (carriers(&self.model, a), carriers(&self.model, b));
            held.extend(first.iter().flat_map(|&a| second.iter().map(move |&b| ordered(a, b))));
        }
        for bearer in bearers.iter().filter(|bearer| bearer.frame != WORLD) {
            // What is free to go anywhere in its parent is only measured from it.
            let root = holding.roots[bearer.frame.index()];
            let frame = self.model.frame(root);
            if root == WORLD || frame.position.iter().all(|part| matches!(part, Component::Free(_))) {
                continue;
            }
            held.extend(carriers(&self.model, frame.parent).into_iter().map(|above| ordered(above, bearer.frame)));
        }
        holding.held = held;
        Ok(holding)
    }

    /// What frames are fixed to, and what can be moved by a force; nothing is held yet.
    pub(super) fn motions(&self) -> Holding {
        let model = &self.model;
        let mut known: Vec<Option<(FrameId, bool)>> = vec![None; model.frames.len()];
        known[WORLD.index()] = Some((WORLD, false));
        for at in 0..model.frames.len() {
            // Parents first, which may be declared later.
            let above: Vec<FrameId> =
                chain(model, FrameId(at as u32)).take_while(|it| known[it.index()].is_none()).collect();
            for frame in above.into_iter().rev() {
                let parent = known[model.frame(frame).parent.index()].unwrap_or((WORLD, false));
                known[frame.index()] = Some(match motion(model, frame) {
                    Cause::Never => parent,
                    Cause::Time => (frame, parent.1),
                    Cause::State => (frame, true),
                });
            }
        }
        let (roots, gives_way) = known.into_iter().map(|known| known.unwrap_or((WORLD, false))).unzip();
        Holding { roots, gives_way, held: FxHashSet::default() }
    }

    /// The ends of all joints: connections between frames that state what always holds. A spring is none.
    fn joined(&mut self) -> Outcome<Vec<[FrameId; 2]>> {
        let mut joined = Vec::new();
        for at in 0..self.things.len() {
            let (template, space) = (self.things[at].template, self.things[at].space);
            let lineage = self.lineage(template)?;
            let members = lineage.iter().flat_map(|elder| self.templates[elder.index()].members);
            if !members.into_iter().any(|item| matches!(item.kind, ItemKind::Always(_))) {
                continue;
            }
            let mut ends = Vec::new();
            for parameter in self.parameters(template)? {
                let is_frame = matches!(&parameter.type_, ParameterType::Thing(kind) if matches!(kind.text.as_str(), "frame" | "body"));
                let scope = Scope::of(space);
                if is_frame
                    && let Value::Frame(end) =
                        self.lookup(&parameter.name.text, parameter.name.span, &scope, Sense::Thing)?
                {
                    ends.push(end);
                }
            }
            for (at, &a) in ends.iter().enumerate() {
                joined.extend(ends[at + 1..].iter().map(|&b| [a, b]));
            }
        }
        Ok(joined)
    }
}

fn ordered(a: FrameId, b: FrameId) -> [FrameId; 2] {
    if a.index() < b.index() { [a, b] } else { [b, a] }
}

/// A frame, its parent, and so on, without the world.
fn chain(model: &Model, frame: FrameId) -> impl Iterator<Item = FrameId> {
    let next = |frame: &FrameId| Some(model.frame(*frame).parent);
    std::iter::successors(Some(frame), next).take_while(|frame| *frame != WORLD)
}

/// What makes a number change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Never,
    /// Time, a control, a mode: no force does.
    Time,
    State,
}

/// How a frame moves in its parent.
fn motion(model: &Model, frame: FrameId) -> Cause {
    let frame = model.frame(frame);
    let component = |component: &Component| match component {
        Component::Free(_) => Cause::State,
        Component::Given(term) => change(model, *term),
    };
    let place = frame.position.iter().map(component).max().unwrap_or(Cause::Never);
    place.max(match &frame.rotation {
        Rotation::None => Cause::Never,
        Rotation::Free(_) => Cause::State,
        Rotation::About { angle, .. } => component(angle),
        Rotation::Quaternion(parts) => parts.iter().map(component).max().unwrap_or(Cause::Never),
    })
}

fn change(model: &Model, term: TermId) -> Cause {
    [Cause::State, Cause::Time]
        .into_iter()
        .find(|wanted| model.terms.find(term, |kind| cause(kind) == *wanted).is_some())
        .unwrap_or(Cause::Never)
}

fn cause(kind: &TermKind) -> Cause {
    match kind {
        TermKind::Control(_) | TermKind::Time | TermKind::Discrete(_) | TermKind::Mode(_) | TermKind::ModeIs(..) => {
            Cause::Time
        }
        TermKind::Frame(_, FrameQuantity::Mass) => Cause::Never,
        TermKind::Quantity(_)
        | TermKind::Frame(..)
        | TermKind::Scene(_)
        | TermKind::Contact(..)
        | TermKind::Reaction(_)
        | TermKind::PointOf(..)
        | TermKind::VectorOf(..)
        | TermKind::InFrame(..)
        | TermKind::RelativeTo(..)
        | TermKind::VelocityAt(..) => Cause::State,
        _ => Cause::Never,
    }
}
