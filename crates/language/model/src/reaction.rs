//! Forces of constraint that are asked for by name: `tension(rod)`, `force(hinge)`, `torque(hinge)`.

use base::Span;

use crate::model::FrameId;

base::ids! {
    ReactionId;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// As it is written.
    pub name: String,
    pub of: Held,
    pub part: ReactionPart,
    pub span: Span,
}

/// What it is that holds something.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// An equation, by its place among [`Model::constraints`](crate::Model::constraints); none if it is not among them, and exerts no force.
    Equation(Option<usize>),
    /// The equations of a joint, and the frames that it joins: the force is that of the first on the second.
    Joint { equations: Vec<usize>, ends: [FrameId; 2] },
    /// What a frame's parent does to it and to all that hangs on it, where its transformation leaves it no choice.
    Frame(FrameId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionPart {
    /// Towards one another, along the line between the two; of an equation, against the growth of its left side.
    Tension,
    Force,
    /// About the origin of what is held.
    Torque,
}
