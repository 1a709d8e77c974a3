//! Resolving: from the syntax tree to the model.
//!
//! Loops over ranges are unrolled and all names are declared first, so that the order of statements does not matter; then
//! every statement is elaborated on its own, and an error in one does not hide errors in others.

mod actuation;
mod algebra;
mod angle;
mod arithmetic;
mod asked;
mod call;
mod change;
mod check;
mod color;
mod contact;
mod control;
mod data;
mod declare;
mod delay;
mod describe;
mod equation;
mod every;
mod expression;
mod family;
mod field;
mod frame;
mod goal;
mod hull;
mod implied;
mod join;
mod law;
mod name;
mod number;
mod passing;
mod plane;
mod quantity;
mod question;
mod reaction;
mod relative;
mod repeat;
mod shape;
mod solid;
mod space;
mod statement;
mod sum;
mod surface;
mod template;
mod thing;
mod total;
mod touch;
mod view;

use std::rc::Rc;

use base::{Diagnostic, Diagnostics, Pile, Unit};
use rustc_hash::FxHashMap;
use syntax::{Expr, Tree};

use crate::change::{DiscreteId, ModeId};
use crate::codes;
use crate::contact::ContactShape;
use crate::idle::warn_of_idle;
use crate::judge::judge;
use crate::model::{ActuatorId, ControlId, FrameId, Model, ParameterId, QuantityId};
use crate::picture::Picture;
use crate::reaction::ReactionId;
use crate::term::{TermId, Terms, Type};
use actuation::Effort;
use change::Moment;
use contact::Touching;
use data::Measured;
use equation::Labelled;
use family::StandIns;
use join::Marker;
use law::{Chosen, Piece};
use space::{Scope, Space, SpaceId};
use sum::Connected;
use template::{Template, TemplateId};
use thing::{Thing, ThingId};
use total::Total;

pub use asked::CONTACT_FIELDS;
pub use call::BUILT_INS;
pub use color::{COLORS, rgb};
pub use contact::CONTACT_PROPERTIES;
pub use data::{DataColumn, DataFile};
pub use field::{FRAME_FIELDS, SCENE_QUANTITIES};
pub use frame::PROPERTIES;
pub use repeat::MOST_STATEMENTS;
pub use solid::SHAPES;

/// A library that a scene uses, directly or through another.
pub struct Theory<'t> {
    pub name: &'t str,
    pub tree: &'t Tree,
    /// The theories that it uses itself, by their places in the list.
    pub uses: Vec<usize>,
}

/// What a scene rests on.
pub struct Library<'t, 'l> {
    /// What it uses, directly or not.
    pub used: &'l [Theory<'t>],
    /// The theory that has a kind of this name, for hints.
    pub elsewhere: &'l dyn Fn(&str) -> Option<String>,
    /// The files of its data, as far as they could be read.
    pub data: &'l [DataFile],
    /// What `use robot`, `use scene` and `use fmu` name, as far as it could be read.
    pub files: &'l [UsedFile<'t>],
    /// Assumptions and laws, by their names, to do without.
    pub without: &'l [String],
}

/// What is in a file of another program, as statements.
#[derive(Clone, Copy)]
pub struct UsedFile<'t> {
    /// Of the statement that uses it.
    pub name: &'t syntax::Word,
    pub items: &'t [syntax::Item],
}

impl Library<'_, '_> {
    pub const NONE: Library<'static, 'static> =
        Library { used: &[], elsewhere: &|_| None, data: &[], files: &[], without: &[] };
}

/// The model of a scene, or nothing if there were errors. Each probe is a quantity that a run will print under its name.
pub fn resolve(
    tree: &Tree,
    library: &Library<'_, '_>,
    probes: &[(String, Expr)],
    sink: &mut Diagnostics,
) -> Option<Model> {
    let mut resolver = Resolver::new(library.elsewhere, sink);
    resolver.files = library.data;
    resolver.used_files = library.files.to_vec();
    resolver.without = library.without;
    let statements = resolver.declare(tree, library.used);
    resolver.place_markers();
    // Where everything is decides what can touch what, and that may be asked for in every other statement.
    let (frames, others): (Vec<_>, Vec<_>) = statements.iter().partition(|statement| statement.places());
    frames.into_iter().for_each(|statement| resolver.elaborate(statement));
    resolver.check_parents();
    resolver.declare_actuators(&statements);
    resolver.touch(&statements);
    resolver.elaborate_families(&others);
    resolver.watch_assumptions();
    resolver.claim_limits();
    resolver.find_passing(&statements);
    resolver.refuse_feedback();
    resolver.feed_reactions_back();
    resolver.hold_between_instants();
    resolver.list_things();
    resolver.imply_picture();
    resolver.outputs(probes);
    resolver.claim_ranges();
    resolver.find_reactions();
    if !resolver.sink.has_errors() {
        judge(&resolver.model, &|_| None, resolver.sink);
        warn_of_idle(&resolver.model, resolver.sink);
    }
    let empty = resolver.model.frames.len() == 1 && resolver.model.quantities.is_empty();
    if empty && !resolver.sink.has_errors() {
        resolver.report(
            Diagnostic::error(codes::EMPTY_SCENE, "there is nothing in this scene that could move")
                .at(tree.span, "no `frame`, no `body` and no thing of a kind here")
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
    Frames(Rc<[FrameId]>),
    Surface(usize),
    Thing(ThingId),
    Things(Rc<[ThingId]>),
}

/// Whether a name is wanted for a number or for a thing: the two may share a name, as a weight and its mass do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Quantity,
    Thing,
}

/// What a declared name stands for.
#[derive(Clone)]
enum Entity<'t> {
    Parameter(ParameterId),
    Control(ControlId),
    Let(usize),
    /// With the space in which it is written.
    Function(&'t syntax::Function, SpaceId),
    /// By its place in [`Model::curves`].
    Data(usize),
    Quantity(QuantityId),
    Discrete(DiscreteId),
    Mode(ModeId),
    Total(usize),
    Thing(ThingId),
    /// A kind or a connection; as a list, all things of it.
    Template(TemplateId),
    Frame(FrameId),
    Group(usize),
    Surface(usize),
    /// Declared in a statement that could not be read and has been reported.
    Broken,
}

impl Entity<'_> {
    fn sense(&self) -> Sense {
        match self {
            Entity::Parameter(_)
            | Entity::Control(_)
            | Entity::Let(_)
            | Entity::Function(..)
            | Entity::Data(_)
            | Entity::Quantity(_)
            | Entity::Discrete(_)
            | Entity::Mode(_)
            | Entity::Total(_)
            | Entity::Broken => Sense::Quantity,
            Entity::Frame(_) | Entity::Group(_) | Entity::Surface(_) | Entity::Thing(_) | Entity::Template(_) => {
                Sense::Thing
            }
        }
    }
}

/// A definition is elaborated when it is first needed, so that the order of statements does not matter.
enum Definition<'t, T> {
    Waiting(&'t Expr, Scope),
    InProgress,
    Done(Outcome<T>),
}

/// What the value of a definition must be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Anything,
    Quantity(Type),
    Thing(TemplateId),
    Frame,
}

struct Resolver<'t, 's> {
    sink: &'s mut Diagnostics,
    /// The theory that has a kind of this name, for hints.
    elsewhere: &'s dyn Fn(&str) -> Option<String>,
    model: Model,
    /// The scene's first.
    spaces: Pile<Space<'t>>,
    templates: Vec<Template<'t>>,
    things: Vec<Thing<'t>>,
    laws: Vec<(&'t syntax::Law, SpaceId)>,
    /// The same for each combination of things, as the fragments of the model.
    pieces: Vec<Piece<'t>>,
    piece_of_space: FxHashMap<SpaceId, usize>,
    chosen: Chosen<'t>,
    /// While something is decided before all is added to sums: nothing that is found is kept.
    early: bool,
    totals: Vec<Total<'t>>,
    /// Which things take part in which connections, by kind and role.
    connections: FxHashMap<(TemplateId, String), Connected>,
    labelled: Vec<Labelled<'t>>,
    /// Equations and joints, by their names, whose forces are asked for.
    equations_asked: Vec<(String, ReactionId)>,
    /// Quantities to which clocks give values.
    held_by_clocks: Vec<QuantityId>,
    joints_asked: Vec<(String, ReactionId)>,
    /// Units that have been read, by their texts.
    units: FxHashMap<String, Unit>,
    definitions: Pile<(Definition<'t, Value>, Wanted)>,
    /// Of each parameter of the model.
    parameter_values: Vec<Definition<'t, ()>>,
    /// What the text declares with a value, while loops are unrolled and nothing has one yet.
    valued_later: Vec<&'t str>,
    /// How many names stood for nothing.
    unknown_names: usize,
    /// Plain numbers that the scene names with `let`. Nothing changes them, so they may say how many parts there are.
    counts: FxHashMap<&'t str, f64>,
    /// Assumptions and laws to do without.
    without: &'s [String],
    /// Files of data, and the curves that are made of them, as [`Model::curves`].
    files: &'s [DataFile],
    measured: Vec<Measured>,
    /// Files of other programs that the scene uses.
    used_files: Vec<UsedFile<'t>>,
    groups: Vec<(&'t syntax::Group, Scope)>,
    surfaces: Vec<(&'t syntax::Surface, Scope)>,
    /// Frames declared as bodies, known before their masses are.
    declared_bodies: Vec<FrameId>,
    /// Torques and forces of frames that are actuators.
    actuated: FxHashMap<(FrameId, Effort), ActuatorId>,
    /// Ends of joints.
    markers: Vec<Marker<'t>>,
    /// Solids of frames and bodies, in the order in which these are stated.
    shapes: Vec<(FrameId, ContactShape)>,
    touching: Touching,
    /// Surfaces of which constraints speak.
    stated_surfaces: Vec<usize>,
    /// The step that `contact all` asks for.
    contact_step: Option<TermId>,
    /// While the effects of a transition are read.
    moment: Option<Moment>,
    call_depth: usize,
    /// While the template of a family is read: what stands for its parts that differ from row to row.
    stand_ins: StandIns,
    /// Things of things, while they are made.
    nesting: usize,
}

/// A scene in which nothing is.
fn empty_model() -> Model {
    Model {
        name: "scene".to_string(),
        parameters: Vec::new(),
        controls: Vec::new(),
        frames: Vec::new(),
        bodies: Vec::new(),
        gravity: None,
        potentials: Vec::new(),
        families: Vec::new(),
        forces: Vec::new(),
        torques: Vec::new(),
        things: Vec::new(),
        quantities: Vec::new(),
        bounds: Vec::new(),
        laws: Vec::new(),
        multipliers: Vec::new(),
        constraints: Vec::new(),
        actuators: Vec::new(),
        prescriptions: Vec::new(),
        reactions: Vec::new(),
        initial: Vec::new(),
        delays: Vec::new(),
        histories: Vec::new(),
        curves: Vec::new(),
        contacts: None,
        passing: None,
        modes: Vec::new(),
        discrete: Vec::new(),
        transitions: Vec::new(),
        claims: Vec::new(),
        conditions: Vec::new(),
        fragments: Vec::new(),
        assumptions: Vec::new(),
        questions: Vec::new(),
        done_without: Vec::new(),
        outputs: Vec::new(),
        plots: Vec::new(),
        picture: Picture::default(),
        terms: Terms::default(),
    }
}

impl<'s> Resolver<'_, 's> {
    fn new(elsewhere: &'s dyn Fn(&str) -> Option<String>, sink: &'s mut Diagnostics) -> Self {
        Resolver {
            sink,
            elsewhere,
            model: empty_model(),
            spaces: [Space::default()].into_iter().collect(),
            templates: Vec::new(),
            things: Vec::new(),
            laws: Vec::new(),
            pieces: Vec::new(),
            piece_of_space: FxHashMap::default(),
            chosen: Chosen::default(),
            early: false,
            totals: Vec::new(),
            connections: FxHashMap::default(),
            labelled: Vec::new(),
            equations_asked: Vec::new(),
            held_by_clocks: Vec::new(),
            joints_asked: Vec::new(),
            units: FxHashMap::default(),
            definitions: Pile::default(),
            parameter_values: Vec::new(),
            valued_later: Vec::new(),
            unknown_names: 0,
            counts: FxHashMap::default(),
            without: &[],
            files: &[],
            measured: Vec::new(),
            used_files: Vec::new(),
            groups: Vec::new(),
            surfaces: Vec::new(),
            declared_bodies: Vec::new(),
            actuated: FxHashMap::default(),
            markers: Vec::new(),
            shapes: Vec::new(),
            touching: Touching::default(),
            stated_surfaces: Vec::new(),
            contact_step: None,
            moment: None,
            call_depth: 0,
            stand_ins: StandIns::default(),
            nesting: 0,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.sink.report(diagnostic);
        Reported
    }
}
