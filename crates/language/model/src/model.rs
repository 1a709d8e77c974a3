//! The data of the model.

use std::collections::HashSet;
use std::sync::Arc;

use base::{Dimension, Span, Unit};
use expr::Rows;

use crate::change::{Claim, Discrete, Mode, Transition};
use crate::contact::{Contacts, Touchable};
use crate::picture::Picture;
use crate::question::{Assumption, Fragment, Question};
use crate::reaction::Reaction;
use crate::term::{BoundId, FrameQuantity, SceneQuantity, TermId, TermKind, Terms, Type};

base::ids! {
    ParameterId;
    ControlId;
    /// A frame of the tree; [`WORLD`] is its root.
    FrameId;
    QuantityId;
    ActuatorId;
}

pub const WORLD: FrameId = FrameId(0);

/// One scene, ready for physics.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub controls: Vec<Control>,
    /// The world first, then in the order of declaration.
    pub frames: Vec<Frame>,
    pub bodies: Vec<Body>,
    pub gravity: Option<Gravity>,
    /// Functions through measured points.
    pub curves: Vec<Arc<expr::Curve>>,
    pub potentials: Vec<Potential>,
    /// Potentials that are alike but for what they are about.
    pub families: Vec<Family>,
    pub forces: Vec<Force>,
    pub torques: Vec<Torque>,
    /// Things of the author's own kinds, and connections between them.
    pub things: Vec<Thing>,
    /// Unknowns of the author's own.
    pub quantities: Vec<Quantity>,
    /// Ranges of what is given.
    pub bounds: Vec<Bound>,
    /// What the author's own physics says: equations that hold at all times and exert no force.
    pub laws: Vec<Equation>,
    /// Unknowns that belong to laws: the label of the law, and the unknown.
    pub multipliers: Vec<(String, QuantityId)>,
    /// What holds at all times.
    pub constraints: Vec<Equation>,
    /// Torques and forces of joints that something decides.
    pub actuators: Vec<Actuator>,
    /// Motions that actuators bring about.
    pub prescriptions: Vec<Prescription>,
    /// Forces of constraint that somebody asks for.
    pub reactions: Vec<Reaction>,
    /// What holds at the start.
    pub initial: Vec<Equation>,
    /// What something depends on after a delay, and what it was before the start.
    pub delays: Vec<Delay>,
    pub histories: Vec<Equation>,
    /// What may touch; none where nothing can.
    pub contacts: Option<Contacts>,
    /// Two things with shapes that could meet, where nothing is said of contact.
    pub passing: Option<[Touchable; 2]>,
    /// Discrete states, and what changes them.
    pub modes: Vec<Mode>,
    /// Numbers that only transitions change.
    pub discrete: Vec<Discrete>,
    pub transitions: Vec<Transition>,
    pub claims: Vec<Claim>,
    /// What claims speak of.
    pub conditions: Vec<TermId>,
    /// Laws, each time for some things, in the order of the text.
    pub fragments: Vec<Fragment>,
    /// What the author takes for granted.
    pub assumptions: Vec<Assumption>,
    pub questions: Vec<Question>,
    /// Names of assumptions and laws of the text that somebody asked to do without.
    pub done_without: Vec<String>,
    /// What a run was asked to print.
    pub outputs: Vec<Output>,
    pub plots: Vec<Plot>,
    pub picture: Picture,
    pub terms: Terms,
}

impl Model {
    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.index()]
    }

    /// What to print if nobody says: what the scene plots, or where its bodies are and its energy.
    pub fn print_by_default(&mut self) {
        let mut known: HashSet<&str> = HashSet::new();
        for plot in &self.plots {
            // The time is in every row anyway.
            let against = plot.against.iter().filter(|output| output.name != "t");
            let wanted = plot.values.iter().chain(against).filter(|output| known.insert(&output.name));
            self.outputs.extend(wanted.cloned());
        }
        if !self.outputs.is_empty() {
            return;
        }
        for body in &self.bodies {
            let kind = TermKind::Frame(body.frame, FrameQuantity::Position);
            let term = self.terms.push(kind, Type::vector(Dimension::LENGTH), body.span);
            self.outputs.push(Output { name: format!("{}.position", self.frames[body.frame.index()].name), term });
        }
        let energy = TermKind::Scene(SceneQuantity::Energy);
        let term = self.terms.push(energy, Type::scalar(Dimension::ENERGY), self.frames[0].span);
        self.outputs.push(Output { name: "energy".to_string(), term });
    }

    /// For each frame, the body that it is.
    pub fn bodies_of_frames(&self) -> Vec<Option<&Body>> {
        let mut bodies = vec![None; self.frames.len()];
        self.bodies.iter().for_each(|body| bodies[body.frame.index()] = Some(body));
        bodies
    }
}

/// Something at an earlier time.
#[derive(Clone, Debug, PartialEq)]
pub struct Delay {
    /// As the author writes it.
    pub name: String,
    pub signal: TermId,
    /// When: the time, less the delay.
    pub at: TermId,
    pub span: Span,
}

/// A number that stays fixed during a run and may change between runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// In SI units.
    pub default: f64,
    /// As the author wrote it; plain numbers given by a user are in this unit.
    pub unit: Unit,
    pub description: Option<String>,
    pub span: Span,
}

/// A live input.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub name: String,
    pub default: f64,
    pub range: Option<(f64, f64)>,
    pub unit: Unit,
    pub description: Option<String>,
    pub span: Span,
}

/// A coordinate system: where it is, how it is turned and how it is stretched, relative to its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub name: String,
    pub parent: FrameId,
    pub position: [Component; 3],
    pub rotation: Rotation,
    pub scale: [Component; 3],
    pub span: Span,
}

/// A number of a frame's transformation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    Given(TermId),
    /// A dynamical variable, with a starting guess; zero (one for a scale) if there is none.
    Free(Option<TermId>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Rotation {
    None,
    /// By an angle about a fixed axis of the parent; the axis is a constant unit vector.
    About {
        axis: [f64; 3],
        angle: Component,
    },
    /// Any rotation, with a starting guess.
    Free(Option<Box<Rotation>>),
    /// Unit quaternion w, x, y, z of which some components may be free.
    Quaternion([Component; 4]),
}

/// A frame that bears mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub frame: FrameId,
    pub mass: TermId,
    /// None for a point.
    pub inertia: Option<Inertia>,
    /// Mean squares of x, y, z over the solid, where the moments of inertia follow from it.
    pub spread: Option<[TermId; 3]>,
    /// Where the centre of mass of its shapes is, where they are several; a body's mass is at its origin.
    pub centre: Option<[TermId; 3]>,
    /// Whether the mass is that of the solid before a scale stretches it.
    pub has_density: bool,
    pub span: Span,
}

/// Moments and products of inertia about the frame's origin, along its axes: Ixx, Iyy, Izz, Ixy, Ixz, Iyz as entries of the tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertia {
    pub entries: [TermId; 6],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// The acceleration, a vector.
    pub acceleration: TermId,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    pub label: String,
    pub value: TermId,
    pub span: Span,
}

/// One potential for each row of a table, written once.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    pub label: String,
    /// Of one row, in terms of what its slots stand for.
    pub value: TermId,
    pub slots: Vec<Slot>,
    pub rows: Rows,
    pub span: Span,
}

impl Family {
    /// All that it is made of.
    pub fn terms(&self) -> Vec<TermId> {
        self.slots.iter().flat_map(|slot| slot.column.iter().copied()).chain([self.value]).collect()
    }

    /// For each member what rows about it have to do with one another; of pairs, all members have.
    pub fn related(&self) -> Vec<Vec<TermId>> {
        match self.rows {
            Rows::Each(members) => {
                (0..members).map(|member| self.slots.iter().map(|slot| slot.column[member]).collect()).collect()
            }
            Rows::Pairs(_) => vec![self.terms()],
        }
    }
}

/// What differs from row to row.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub bound: BoundId,
    /// Whether it is about the first or the second member of a row; the same where a row has but one.
    pub side: usize,
    /// What it is for each member.
    pub column: Vec<TermId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    pub frame: FrameId,
    /// Where it acts; None is the frame's origin.
    pub at: Option<TermId>,
    pub value: TermId,
    /// Stated by a thing or a connection, for whatever it connects; some of that may be fixed.
    pub mutual: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    pub frame: FrameId,
    pub value: TermId,
    /// As that of a force.
    pub mutual: bool,
    pub span: Span,
}

/// A thing, for messages: its quantities begin with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub name: String,
    /// What it is, the most general kind first.
    pub kinds: Vec<String>,
}

/// An unknown of the author's own physics: a voltage, a momentum, an orientation.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub name: String,
    pub type_: Type,
    /// The unit of its declaration, if that is one of the SI: a torque in `N*m` is not shown in `J`.
    pub unit: Option<String>,
    /// Whether it is a matrix that turns vectors.
    pub rotation: bool,
    pub constant: bool,
    /// What it can be, in SI units, as far as its declaration says.
    pub range: Option<(f64, f64)>,
    /// Where it starts unless the scene says something else.
    pub start: Option<TermId>,
    /// Whether nothing determines it and nobody asks for it, so that it is no unknown.
    pub left_out: bool,
    pub span: Span,
}

impl Quantity {
    /// A number or a vector that changes and of which no more is said.
    pub fn plain(name: String, type_: Type, span: Span) -> Quantity {
        Quantity {
            name,
            type_,
            unit: None,
            rotation: false,
            constant: false,
            range: None,
            start: None,
            left_out: false,
            span,
        }
    }
}

/// A value that must lie in a range, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub name: String,
    pub value: TermId,
    pub low: f64,
    pub high: f64,
    /// As the range is written.
    pub unit: Unit,
    pub span: Span,
    /// Where the range is.
    pub declared: Span,
}

/// Two values of one shape that are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The author's label, or the equation as written.
    pub label: String,
    pub left: TermId,
    pub right: TermId,
    /// Where it holds, if not everywhere.
    pub condition: Option<TermId>,
    pub span: Span,
}

/// A torque or a force of a joint that something decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    pub quantity: QuantityId,
    /// How fast the joint gives way: times the quantity it is the power.
    pub speed: TermId,
    /// What it acts on, at its origin; what carries that feels the opposite.
    pub frame: FrameId,
    /// The quantity times a unit vector, as it acts on the frame.
    pub action: TermId,
    pub limits: Option<Limits>,
    pub span: Span,
}

/// The least and the most that an actuator exerts, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    pub low: f64,
    pub high: f64,
    /// As they are written.
    pub unit: Unit,
    pub span: Span,
}

/// A motion that actuators bring about.
#[derive(Clone, Debug, PartialEq)]
pub struct Prescription {
    pub equation: Equation,
    pub using: Vec<ActuatorId>,
    /// What is least, where the motion leaves a choice; nothing stands for the accelerations of what is actuated.
    pub cost: Option<Cost>,
}

/// A number that is to be least.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    pub term: TermId,
    /// As it is written.
    pub label: String,
}

/// A quantity to print.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub name: String,
    pub term: TermId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub values: Vec<Output>,
    pub against: Option<Output>,
    pub span: Span,
}
