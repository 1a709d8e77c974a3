//! Physics of one's own: kinds of things, connections between them, the laws they obey, and the things of a scene.

use base::Span;

use super::{Argument, Expr, Item, Name, Property, Quantifier, Text, UnitText, ValueRange, Word};

/// `kind Car(start: [deg]) is vehicle { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    pub name: Word,
    pub parameters: Vec<Parameter>,
    /// After `is`: the kind whose members this one has too.
    pub parent: Option<Word>,
    pub members: Vec<Item>,
}

/// `connection gravitation(a: particle, b: particle) is attraction { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    pub name: Word,
    /// Empty only where there is a parent to have them from.
    pub parameters: Vec<Parameter>,
    /// After `is`: the connection whose parameters and members this one has too.
    pub parent: Option<Word>,
    pub members: Vec<Item>,
}

/// `law resultant for p: particle { … }`, `law still for s: foil, f: fluid if s.fluid is f instead of lift assuming s.speed == 0 { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    pub name: Word,
    /// What it holds for, every combination of these; each is a thing.
    pub parameters: Vec<Parameter>,
    /// After `if`: which of these combinations it is about.
    pub condition: Option<Expr>,
    /// After `instead of`: another law of the same phenomenon. Of all such laws one holds at a time.
    pub instead: Option<Word>,
    /// After `assuming`.
    pub assumption: Option<Expr>,
    pub members: Vec<Item>,
}

/// `a: particle`, `start: [deg] = 0 [deg]`
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: Word,
    pub type_: ParameterType,
    pub default: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParameterType {
    /// A thing of the kind of this name.
    Thing(Word),
    Quantity(QuantityType),
}

/// `mass: constant [kg]`, `force: sum vec [N]`, `x: real [m] in [0, 5] [m] = 1 [m] "from the wall"`
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub name: Name,
    pub modifier: Option<Modifier>,
    pub type_: QuantityType,
    pub range: Option<ValueRange>,
    pub default: Option<Expr>,
    pub description: Option<Text>,
}

/// `vec [m]`: where the domain is left out it is `real`, where the unit is left out a plain number is meant. The span
/// covers what is written.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityType {
    pub domain: QuantityDomain,
    pub unit: Option<UnitText>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// The same at all times.
    Constant,
    /// The sum of all that is added to it with `+=`.
    Sum,
}

/// What the values of a quantity are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityDomain {
    Real,
    Vec,
    Matrix,
    Quaternion,
    Rotation,
}

/// `drag: total += part`: a part of a quantity declared as a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Addition {
    pub label: Option<Name>,
    /// The path of the sum.
    pub total: Expr,
    pub part: Expr,
}

/// `r1: resistor(node1, node2) { resistance = 1000 [ohm] }`: a thing or a connection that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub name: Name,
    pub kind: Word,
    pub arguments: Vec<Argument>,
    pub properties: Vec<Property>,
}

/// `gravitation for pairs (a, b) in particle { … }`: a nameless connection for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Connections {
    pub kind: Word,
    pub quantifier: Quantifier,
    pub properties: Vec<Property>,
}

/// `join elbow: upper.point(0, 0, -l) to lower with revolute(axis: (1, 0, 0)) { … }`: a connection between two frames, or points
/// fixed in frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub name: Option<Name>,
    /// What is joined: the path of a frame, or `frame.point(…)`.
    pub ends: [Expr; 2],
    pub kind: Word,
    /// Of the parameters after the first two, which the ends are given for.
    pub arguments: Vec<Argument>,
    pub properties: Vec<Property>,
}

impl Modifier {
    pub const ALL: &[Modifier] = &[Modifier::Constant, Modifier::Sum];

    pub fn word(self) -> &'static str {
        match self {
            Modifier::Constant => "constant",
            Modifier::Sum => "sum",
        }
    }

    pub fn from_word(word: &str) -> Option<Modifier> {
        Modifier::ALL.iter().copied().find(|modifier| modifier.word() == word)
    }
}

impl QuantityDomain {
    pub const ALL: &[QuantityDomain] = &[
        QuantityDomain::Real,
        QuantityDomain::Vec,
        QuantityDomain::Matrix,
        QuantityDomain::Quaternion,
        QuantityDomain::Rotation,
    ];

    pub fn word(self) -> &'static str {
        match self {
            QuantityDomain::Real => "real",
            QuantityDomain::Vec => "vec",
            QuantityDomain::Matrix => "matrix",
            QuantityDomain::Quaternion => "quaternion",
            QuantityDomain::Rotation => "rotation",
        }
    }

    pub fn from_word(word: &str) -> Option<QuantityDomain> {
        QuantityDomain::ALL.iter().copied().find(|domain| domain.word() == word)
    }
}
