//! Terms: typed expressions in which names have become ids.

use base::{Dimension, Pile, Span};
use expr::Operator;
use rustc_hash::FxHashSet;

use crate::change::{DiscreteId, ModeId};
use crate::contact::ContactQuantity;
use crate::model::{ControlId, FrameId, ParameterId, QuantityId};
use crate::reaction::ReactionId;

base::ids! {
    TermId;
    /// A parameter of a function that was called; every call has its own.
    BoundId;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    Vector,
    /// Three rows of three.
    Matrix,
    /// Four components w, x, y, z.
    Quaternion,
    Condition,
}

/// How much there is of what. A plain zero has any dimension: `(0, 0, -length)` is a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Of(Dimension),
    Zero,
}

impl Amount {
    /// What both can be, if they agree.
    pub fn agree(self, other: Amount) -> Option<Amount> {
        match (self, other) {
            (Amount::Zero, amount) | (amount, Amount::Zero) => Some(amount),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// A zero of nothing in particular counts as a plain number.
    pub fn dimension(self) -> Dimension {
        match self {
            Amount::Of(dimension) => dimension,
            Amount::Zero => Dimension::NONE,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub shape: Shape,
    pub amount: Amount,
}

impl Type {
    pub const fn scalar(dimension: Dimension) -> Type {
        Type { shape: Shape::Scalar, amount: Amount::Of(dimension) }
    }

    pub const fn vector(dimension: Dimension) -> Type {
        Type { shape: Shape::Vector, amount: Amount::Of(dimension) }
    }

    pub const CONDITION: Type = Type { shape: Shape::Condition, amount: Amount::Of(Dimension::NONE) };
}

/// What can be asked of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameQuantity {
    Position,
    Velocity,
    Acceleration,
    Omega,
    Alpha,
    Scale,
    Angle,
    Euler,
    Orientation,
    X,
    Y,
    Z,
    Mass,
    Kinetic,
}

/// What can be asked of the whole scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneQuantity {
    Energy,
    Kinetic,
    Potential,
    Momentum,
    AngularMomentum,
    CentreOfMass,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// In SI units.
    Number(f64),
    Parameter(ParameterId),
    Control(ControlId),
    Time,
    /// An unknown of the author's own.
    Quantity(QuantityId),
    /// A number that only transitions change.
    Discrete(DiscreteId),
    /// Which of its values a mode has, counted from zero.
    Mode(ModeId),
    ModeIs(ModeId, usize),
    /// The value before a transition.
    Pre(TermId),
    Bound(BoundId),
    Negate(TermId),
    Add(TermId, TermId),
    Subtract(TermId, TermId),
    /// A scalar times a scalar or a vector.
    Multiply(TermId, TermId),
    Divide(TermId, TermId),
    /// To a constant power.
    Power(TermId, f64),
    Apply(Operator, Vec<TermId>),
    If(TermId, TermId, TermId),
    Vector([TermId; 3]),
    /// Row by row.
    Matrix(Box<[TermId; 9]>),
    Quaternion([TermId; 4]),
    /// The sum of nothing: zero, of whatever it is compared with.
    EmptySum,
    /// Of two or more.
    Sum(Vec<TermId>),
    /// Matrix times vector, matrix times matrix, quaternion times quaternion.
    Product(TermId, TermId),
    Transpose(TermId),
    Conjugate(TermId),
    /// The matrix of a unit quaternion.
    RotationOf(TermId),
    /// The unit quaternion of a turn about a unit vector.
    Turn([f64; 3], TermId),
    /// The derivatives of a term by the components of a quantity; by those of a small turn, for a rotation.
    Jacobian(TermId, QuantityId),
    Component(TermId, usize),
    Dot(TermId, TermId),
    Cross(TermId, TermId),
    Norm(TermId),
    Frame(FrameId, FrameQuantity),
    Scene(SceneQuantity),
    /// Of a pair, by its place among [`Contacts::pairs`](crate::Contacts::pairs).
    Contact(usize, ContactQuantity),
    /// A force of constraint.
    Reaction(ReactionId),
    /// The world position of the point with these coordinates in a frame.
    PointOf(FrameId, TermId),
    /// The world vector with these components along a frame's axes.
    VectorOf(FrameId, TermId),
    /// The components of a vector along a frame's axes.
    InFrame(TermId, FrameId),
    /// A position measured from a frame's origin, in the frame's axes.
    RelativeTo(TermId, FrameId),
    /// The velocity of the material point of a frame that is at this position.
    VelocityAt(FrameId, TermId),
    Derivative(TermId),
    Partial(TermId, TermId),
    /// What something was at an earlier time, by its place among [`Model::delays`](crate::Model::delays).
    Delayed(TermId, usize),
    /// A function's body with its parameters standing for the arguments.
    Call {
        arguments: Vec<(BoundId, TermId)>,
        body: TermId,
    },
}

impl TermKind {
    /// The terms that it is made of.
    pub fn parts(&self) -> Vec<TermId> {
        match self {
            TermKind::Number(_)
            | TermKind::Parameter(_)
            | TermKind::Control(_)
            | TermKind::Time
            | TermKind::Quantity(_)
            | TermKind::Discrete(_)
            | TermKind::Mode(_)
            | TermKind::ModeIs(..)
            | TermKind::Bound(_)
            | TermKind::EmptySum
            | TermKind::Frame(..)
            | TermKind::Scene(_)
            | TermKind::Contact(..)
            | TermKind::Reaction(_) => Vec::new(),
            TermKind::Pre(a)
            | TermKind::Negate(a)
            | TermKind::Power(a, _)
            | TermKind::Transpose(a)
            | TermKind::Conjugate(a)
            | TermKind::RotationOf(a)
            | TermKind::Turn(_, a)
            | TermKind::Jacobian(a, _)
            | TermKind::Component(a, _)
            | TermKind::Norm(a)
            | TermKind::PointOf(_, a)
            | TermKind::VectorOf(_, a)
            | TermKind::InFrame(a, _)
            | TermKind::RelativeTo(a, _)
            | TermKind::VelocityAt(_, a)
            | TermKind::Derivative(a)
            | TermKind::Delayed(a, _) => vec![*a],
            TermKind::Add(a, b)
            | TermKind::Subtract(a, b)
            | TermKind::Multiply(a, b)
            | TermKind::Divide(a, b)
            | TermKind::Product(a, b)
            | TermKind::Dot(a, b)
            | TermKind::Cross(a, b)
            | TermKind::Partial(a, b) => vec![*a, *b],
            TermKind::If(condition, a, b) => vec![*condition, *a, *b],
            TermKind::Apply(_, parts) | TermKind::Sum(parts) => parts.clone(),
            TermKind::Vector(parts) => parts.to_vec(),
            TermKind::Matrix(parts) => parts.to_vec(),
            TermKind::Quaternion(parts) => parts.to_vec(),
            TermKind::Call { arguments, body } => {
                arguments.iter().map(|(_, argument)| *argument).chain([*body]).collect()
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub kind: TermKind,
    pub type_: Type,
    pub span: Span,
}

/// All terms of a model; a term's parts are older than the term.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Pile<Term>,
    bounds: Vec<String>,
}

impl Terms {
    pub fn push(&mut self, kind: TermKind, type_: Type, span: Span) -> TermId {
        self.terms.push(Term { kind, type_, span });
        TermId(self.terms.len() as u32 - 1)
    }

    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Puts something else of the same type in the place of a term.
    pub(crate) fn replace(&mut self, id: TermId, kind: TermKind) {
        self.terms[id.index()].kind = kind;
    }

    /// The first term that fits, of those that a term is made of and itself; each is looked at once, however often it is shared.
    pub(crate) fn find(&self, root: TermId, mut fits: impl FnMut(&TermKind) -> bool) -> Option<TermId> {
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = &self.get(id).kind;
            if fits(kind) {
                return Some(id);
            }
            open.extend(kind.parts().into_iter().rev());
        }
        None
    }

    pub(crate) fn new_bound(&mut self, name: &str) -> BoundId {
        self.bounds.push(name.to_string());
        BoundId(self.bounds.len() as u32 - 1)
    }

    pub fn bound_name(&self, id: BoundId) -> &str {
        &self.bounds[id.index()]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
