//! Resolving: from the syntax tree to the model.
//!
//! Loops over ranges are unrolled and all names are declared first, so that the order of statements does not matter; then
//! every statement is elaborated on its own, and an error in one does not hide errors in others.

mod arithmetic;
mod call;
mod check;
mod control;
mod declare;
mod expression;
mod field;
mod frame;
mod later;
mod name;
mod number;
mod relative;
mod repeat;
mod solid;
mod statement;
mod surface;

use std::collections::HashMap;

use base::{Diagnostic, Diagnostics, Span};
use syntax::{Expr, Tree};

use crate::codes;
use crate::judge::judge;
use crate::model::{ControlId, FrameId, Model, ParameterId};
use crate::term::{TermId, Terms};

pub use call::BUILT_INS;
pub use field::{FRAME_FIELDS, SCENE_QUANTITIES};
pub use frame::PROPERTIES;
pub use solid::SHAPES;

/// The model of a scene, or nothing if there were errors. Each probe is a quantity that a run will print under its name.
pub fn resolve(tree: &Tree, probes: &[(String, Expr)], sink: &mut Diagnostics) -> Option<Model> {
    let mut resolver = Resolver::new(sink);
    if resolver.report_later(&tree.items) {
        // What else there would be to say rests on these.
        return None;
    }
    let statements = resolver.declare(tree);
    for statement in &statements {
        resolver.elaborate(statement);
    }
    resolver.check_parents();
    resolver.outputs(probes);
    if !resolver.sink.has_errors() {
        judge(&resolver.model, &|_| None, resolver.sink);
    }
    if resolver.model.frames.len() == 1 && !resolver.sink.has_errors() {
        resolver.report(
            Diagnostic::error(codes::EMPTY_SCENE, "there is nothing in this scene that could move")
                .at(tree.span, "no `frame` and no `body` here")
                .hint("declare a body: `body ball { position = (0, 0, free); mass = 1 [kg] }`"),
        );
    }
    let model = resolver.model;
    (!sink.has_errors()).then_some(model)
}

/// The trouble has been reported already; whoever meets it stays silent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Outcome<T> = Result<T, Reported>;

/// All outcomes, if all are good. Each is worked out even if one before it failed, so that every trouble is reported.
fn all<T>(outcomes: impl Iterator<Item = Outcome<T>>) -> Outcome<Vec<T>> {
    let outcomes: Vec<Outcome<T>> = outcomes.collect();
    outcomes.into_iter().collect()
}

/// What a name or an expression can stand for.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Term(TermId),
    Frame(FrameId),
    Frames(Vec<FrameId>),
    Surface(usize),
}

/// Whether a name is wanted for a number or for a thing: the two may share a name, as a weight and its mass do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Quantity,
    Thing,
}

/// Names that loops and functions bind, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    bindings: Vec<(String, Value)>,
}

impl Scope {
    fn with(&self, name: &str, value: Value) -> Scope {
        let mut bindings = self.bindings.clone();
        bindings.push((name.to_string(), value));
        Scope { bindings }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.bindings.iter().rev().find(|(bound, _)| bound == name).map(|(_, value)| value)
    }
}

/// What a declared name stands for.
#[derive(Clone)]
enum Entity<'t> {
    Parameter(ParameterId),
    Control(ControlId),
    Let(usize),
    Function(&'t syntax::Function),
    Frame(FrameId),
    Group(usize),
    Surface(usize),
    /// Declared in a statement that could not be read and has been reported.
    Broken,
}

impl Entity<'_> {
    fn sense(&self) -> Sense {
        match self {
            Entity::Parameter(_) | Entity::Control(_) | Entity::Let(_) | Entity::Function(_) | Entity::Broken => {
                Sense::Quantity
            }
            Entity::Frame(_) | Entity::Group(_) | Entity::Surface(_) => Sense::Thing,
        }
    }
}

struct Declared<'t> {
    entity: Entity<'t>,
    span: Span,
}

/// A definition is elaborated when it is first needed, so that the order of statements does not matter.
enum Definition<'t, T> {
    Waiting(&'t Expr, Scope),
    InProgress,
    Done(Outcome<T>),
}

struct Resolver<'t, 's> {
    sink: &'s mut Diagnostics,
    model: Model,
    quantities: HashMap<String, Declared<'t>>,
    things: HashMap<String, Declared<'t>>,
    definitions: Vec<Definition<'t, Value>>,
    /// Of each parameter of the model.
    parameter_values: Vec<Definition<'t, ()>>,
    /// What the text declares with a value, while loops are unrolled and nothing has one yet.
    valued_later: Vec<&'t str>,
    groups: Vec<(&'t syntax::Group, Scope)>,
    surfaces: Vec<(&'t syntax::Surface, Scope)>,
    /// Frames declared as bodies, known before their masses are.
    declared_bodies: Vec<FrameId>,
    call_depth: usize,
}

impl<'s> Resolver<'_, 's> {
    fn new(sink: &'s mut Diagnostics) -> Self {
        let model = Model {
            name: "scene".to_string(),
            parameters: Vec::new(),
            controls: Vec::new(),
            frames: Vec::new(),
            bodies: Vec::new(),
            gravity: None,
            potentials: Vec::new(),
            forces: Vec::new(),
            torques: Vec::new(),
            constraints: Vec::new(),
            initial: Vec::new(),
            outputs: Vec::new(),
            plots: Vec::new(),
            views: Vec::new(),
            terms: Terms::default(),
        };
        Resolver {
            sink,
            model,
            quantities: HashMap::new(),
            things: HashMap::new(),
            definitions: Vec::new(),
            parameter_values: Vec::new(),
            valued_later: Vec::new(),
            groups: Vec::new(),
            surfaces: Vec::new(),
            declared_bodies: Vec::new(),
            call_depth: 0,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.sink.report(diagnostic);
        Reported
    }
}
