//! The data of questions: laws as pieces that apply or not, what is assumed, and what is asked.

use base::{Span, Unit};
pub use syntax::Extreme;

use crate::change::ModeId;
use crate::contact::ContactShape;
use crate::model::{FrameId, ParameterId};
use crate::term::TermId;

/// A law for some things: one of the pieces that a model is composed of.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    /// `lift(hull, water)`
    pub name: String,
    pub law: String,
    /// What it assumes of what can change, or depends on parameters.
    pub assumption: Option<Condition>,
    pub standing: Standing,
    /// What would have to be written for it to apply, where the author left it out by a word: `assume stiffening`, `drop neglect drag`.
    pub remedy: Option<String>,
    /// What it adds to sums; nothing else is made of these very terms.
    pub additions: Vec<TermId>,
    /// Where the law is named.
    pub span: Span,
}

/// Whether a law is part of the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// As long as its assumption holds.
    Holds,
    /// Where a mode has a value: laws of one phenomenon exclude one another.
    Chosen(ModeId, usize),
    /// Not at all, and why.
    Left(String),
}

/// A condition, and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub term: TermId,
    pub text: String,
}

/// What the author takes for granted.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    pub name: String,
    /// As it is written.
    pub text: String,
    pub kind: AssumptionKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AssumptionKind {
    /// Left minus right is zero.
    Equation([TermId; 2]),
    Condition(TermId),
    /// Nothing of the thing or frame of this name changes.
    Steady(String),
    /// A word that laws speak of.
    Choice,
}

/// What is to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// As it is written.
    pub text: String,
    pub asked: Vec<Asked>,
    /// What is taken for granted here only.
    pub given: Vec<Assumption>,
    /// The part of a run that it is about, if it is about one.
    pub moment: Option<Moment>,
    pub sweep: Option<Sweep>,
    pub span: Span,
}

/// What of a run is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// Where this begins to hold, as it is written.
    When(String),
    /// Where this many seconds have passed.
    After(f64),
    /// Wherever it is largest or smallest within this many seconds.
    Extreme(Extreme, f64),
    /// All of it, in words.
    Motion(Motion),
}

/// Whose motion is to be described, and for how many seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    pub things: Vec<Described>,
    pub seconds: f64,
    /// All frames with shapes, for what might be hit.
    pub shaped: Vec<(FrameId, ContactShape)>,
}

/// Something that moves, as expressions of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// As it is written.
    pub name: String,
    pub frame: Option<FrameId>,
    /// Where it is, or the number or vector that is described.
    pub value: String,
    pub rate: String,
    pub unit: Unit,
    /// Whether the value is a place in the world.
    pub is_place: bool,
    /// The angular velocity along its own axes, and the axes of the world along its own, of what can turn.
    pub turning: Option<[String; 4]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// As it is written.
    pub text: String,
    pub term: TermId,
    /// In which the answer is told to people.
    pub unit: Unit,
}

/// Values of a parameter, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub parameter: ParameterId,
    pub first: f64,
    pub last: f64,
    pub step: Option<f64>,
}
