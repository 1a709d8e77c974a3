//! The data of what changes all at once: modes, transitions between them, and what is claimed of the behaviour.

use base::{Span, Unit};

use crate::model::{Equation, Limits};
use crate::term::{Shape, TermId, Type};

base::ids! {
    ModeId;
    DiscreteId;
}

/// A discrete state: it keeps its value until a transition gives it another.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    pub name: String,
    pub values: Vec<String>,
    pub start: usize,
    /// Counts the phases of a sequence or a plan; the author has no name for it.
    pub hidden: bool,
    pub span: Span,
}

/// A number or vector that stays fixed between transitions: what a plan has chosen, or a value at an earlier event. It starts as zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrete {
    pub name: String,
    pub type_: Type,
    /// The unit that a choice is declared in, so that messages can speak of it as its author does.
    pub unit: Unit,
    pub span: Span,
}

impl Discrete {
    /// How many numbers it is.
    pub fn size(&self) -> usize {
        if self.type_.shape == Shape::Vector { 3 } else { 1 }
    }
}

/// An instantaneous change of modes, positions and velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    pub name: String,
    /// It happens as soon as this condition holds.
    pub guard: TermId,
    /// The modes that it sets; the others stay.
    pub modes: Vec<(ModeId, usize)>,
    /// Equations between values before it, `Pre`, and after it.
    pub equations: Vec<Equation>,
    pub kept: Kept,
    /// Whether what is not determined otherwise changes as little as possible, so that the constraints of the new mode hold.
    pub satisfies_positions: bool,
    pub satisfies_velocities: bool,
    /// What is remembered, as it is after the transition.
    pub stores: Vec<(DiscreteId, TermId)>,
    /// What a plan aims at: what must hold just before the transition.
    pub aims: Vec<Equation>,
    /// What must not be negative then: the right side taken from the left.
    pub limits: Vec<Equation>,
    /// What is to be as small as it can then.
    pub cost: Option<TermId>,
    /// What a plan that begins here chooses, and where the search begins.
    pub choices: Vec<(DiscreteId, TermId)>,
    /// Between which values some of that is chosen.
    pub ranges: Vec<(DiscreteId, Limits)>,
    /// The transitions that end the phases of the plan that begins here, by their places.
    pub phases: Vec<usize>,
    /// Which of what is remembered says when the phase that begins here ends, if it ends after some time.
    pub due: Option<DiscreteId>,
    /// Whether the run ends here; then nothing else of it is said.
    pub stops: bool,
    pub span: Span,
}

/// What a transition leaves as it is.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Kept {
    pub positions: bool,
    pub velocities: bool,
    /// Quantities by themselves.
    pub terms: Vec<TermId>,
    /// What is not kept although positions or velocities are.
    pub except: Vec<TermId>,
}

/// What must hold of a behaviour.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub name: String,
    pub formula: Formula,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A condition, by its place among [`Model::conditions`](crate::Model::conditions).
    Holds(usize),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Next(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Not(Box<Formula>),
}
