//! The data of contact: what has shapes, which pairs of it may touch, and by which law.

use base::{Hull, Span};

use crate::model::FrameId;
use crate::term::{BoundId, TermId};

/// Everything that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// In the order of the text.
    pub things: Vec<Touchable>,
    pub shapes: Vec<ContactShape>,
    /// In lexicographic order of their things: the order in which impacts at one instant are resolved.
    pub pairs: Vec<ContactPair>,
    /// Pairs that a statement speaks of and that never touch all the same, by the names of their things, in the order of the text.
    pub left_out: Vec<([String; 2], Apart)>,
    /// The step of the time-stepping law, where the author chose that one.
    pub step: Option<TermId>,
}

/// Why two things with shapes never touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// A statement says so.
    None,
    /// A joint, or one being placed in the other.
    Held,
    /// Neither gives way.
    Fixed,
    /// Parts of one rigid thing.
    Same,
    /// Two surfaces, of which one is curved.
    Curved,
}

impl Apart {
    pub fn words(self) -> &'static str {
        match self {
            Apart::None => "`contact none` says so",
            Apart::Held => "a joint or a parent frame holds them together",
            Apart::Fixed => "neither of them can move",
            Apart::Same => "they are parts of one rigid thing",
            Apart::Curved => "surfaces do not touch one another",
        }
    }
}

/// A body, a frame with shapes, or a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Touchable {
    pub name: String,
    pub frame: FrameId,
    pub span: Span,
}

/// A solid, or a half-space, fixed in a frame. Its numbers depend on parameters only.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactShape {
    /// By its place among [`Contacts::things`].
    pub thing: usize,
    /// The name of a solid in [`SHAPES`](crate::SHAPES), [`HALF_SPACE`] or [`SURFACE`].
    pub solid: &'static str,
    /// As written; of a half-space the gradient of left − right by x, y and z, and its value at the frame's origin.
    pub sizes: Vec<TermId>,
    /// The corners and faces of a hull, about its centre.
    pub hull: Option<Hull>,
    /// Of a curved surface: what stands for the coordinates in its frame, and left − right.
    pub level: Option<([BoundId; 3], TermId)>,
    /// Where its centre is, in the axes of the frame; none is the frame's origin.
    pub at: Option<TermId>,
    /// How it is turned in the frame about that: a unit quaternion.
    pub turned: Option<TermId>,
    pub span: Span,
}

/// The solid of a surface whose equation is linear: what is on one side of a plane.
pub const HALF_SPACE: &str = "half-space";

/// The solid of any other surface.
pub const SURFACE: &str = "surface";

/// Two things that may touch, and what happens where they do.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// By their places among [`Contacts::things`], the smaller first.
    pub things: [usize; 2],
    pub restitution: TermId,
    pub friction: TermId,
    /// Whether its impacts are resolved with others at the same instant, and not one after the other.
    pub together: bool,
    /// Of the statement that decides.
    pub span: Span,
}

/// What can be asked of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContactQuantity {
    /// The distance.
    Gap,
    /// Of the first on the second, as a vector.
    Force,
    /// One of [`CONTACT_STATES`], as its number.
    State,
    /// The normal impulse of the last impact.
    Impulse,
    /// How many impacts there were.
    Impacts,
}

/// The states of a pair and their numbers. 1 is left for points that touch without force, which no author sees.
pub const CONTACT_STATES: [(&str, usize); 3] = [("open", 0), ("sliding", 2), ("sticking", 3)];
