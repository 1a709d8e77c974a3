//! The one form that all formats are read into: a tree of parts, each with a joint to the one above, and what holds parts together besides.

use base::Span;

use crate::turn::{Turn, Vector, plus};

/// A place in another frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub position: Vector,
    pub turn: Turn,
}

impl Place {
    pub const HERE: Place = Place { position: [0.0; 3], turn: Turn::NONE };
}

/// Everything that a file describes.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    pub name: String,
    /// In m/s²; that of the earth where the file says nothing.
    pub gravity: Option<Vector>,
    /// Parents stand before children.
    pub parts: Vec<Part>,
    /// What closes loops, and couples joints.
    pub ties: Vec<Tie>,
    pub floors: Vec<Floor>,
    /// Between the floors and what stands on them.
    pub friction: f64,
}

impl Robot {
    /// Where a part, or the world, is while all joints are at zero.
    pub fn at_start(&self, part: Option<usize>) -> Place {
        let Some(part) = part.map(|part| &self.parts[part]) else { return Place::HERE };
        let above = self.at_start(part.parent);
        let position = plus(above.position, above.turn.apply(part.place.position));
        Place { position, turn: above.turn.then(part.place.turn) }
    }

    /// The part on which one, or what it is fixed to, moves; none is the world.
    pub fn rigid_with(&self, part: Option<usize>) -> Option<usize> {
        let mut part = part;
        while let Some(at) = part.filter(|&at| self.parts[at].motion == Motion::Fixed) {
            part = self.parts[at].parent;
        }
        part
    }

    /// Lets a joint go along with another, as far as that goes times a ratio, and something more. What brakes the follower brakes its leader, as through
    /// a gear. Says whether both have one coordinate.
    pub fn follow(&mut self, own: usize, leader: usize, ratio: f64, offset: f64) -> bool {
        let Motion::Axis(axis) = self.parts[own].motion.clone() else { return false };
        if own == leader {
            return false;
        }
        let Motion::Axis(leading) = &mut self.parts[leader].motion else { return false };
        leading.damping += ratio * ratio * axis.damping;
        leading.friction += ratio.abs() * axis.friction;
        self.parts[own].motion = Motion::Follows { leader, ratio, offset, slides: axis.slides, axis: axis.direction };
        true
    }
}

/// A plane of which z is the normal.
#[derive(Clone, Debug)]
pub struct Floor {
    pub name: String,
    pub place: Place,
}

/// What holds besides the tree.
#[derive(Clone, Debug)]
pub enum Tie {
    /// A point of a part is a point of another, or of the world.
    Meets { a: usize, point_a: Vector, b: Option<usize>, point_b: Vector },
    /// A joint of which no part has the coordinate. Its two frames stand alike at the start, in parts or in the world.
    Joined { name: String, joint: Closing, a: (Option<usize>, Place), b: (Option<usize>, Place) },
    /// The coordinate of a joint is an offset, and that of another times a ratio.
    Coupled { a: usize, offset: f64, leader: Option<(usize, f64)> },
}

/// What a joint that closes a loop leaves free; axes stand in its two frames.
#[derive(Clone, Debug)]
pub enum Closing {
    Ball,
    Weld,
    Revolute { axis: Vector, damping: f64 },
    Prismatic { axis: Vector },
    Universal { first: Vector, second: Vector },
}

/// A frame, how it moves in its parent, and what is fixed in it.
#[derive(Clone, Debug)]
pub struct Part {
    /// Of the joint, or of the frame if there is none.
    pub name: String,
    /// What the file says that it is, as in `the joint "elbow" of the link "forearm"`.
    pub told: String,
    pub span: Span,
    /// None is the world.
    pub parent: Option<usize>,
    /// Where it is while its joint is at zero.
    pub place: Place,
    pub motion: Motion,
    pub body: Option<Body>,
    /// What may touch others.
    pub shapes: Vec<Solid>,
    /// What is seen.
    pub figures: Vec<Solid>,
}

impl Part {
    pub fn new(name: &str, told: String, span: Span, motion: Motion) -> Part {
        let (name, place) = (name.to_string(), Place::HERE);
        Part { name, told, span, parent: None, place, motion, body: None, shapes: Vec::new(), figures: Vec::new() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    Fixed,
    /// About an axis, or along it.
    Axis(Axis),
    /// As far as another part goes, times a ratio, and something more.
    Follows {
        leader: usize,
        ratio: f64,
        offset: f64,
        slides: bool,
        axis: Vector,
    },
    /// In the plane across an axis, and about it.
    Planar {
        axis: Vector,
    },
    /// About every axis.
    Ball,
    /// Every way, from where it is.
    Free,
}

/// A joint with one coordinate, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub slides: bool,
    /// In the axes of the part; of any length but zero.
    pub direction: Vector,
    pub limits: Option<[f64; 2]>,
    /// What a motor can exert, from and to.
    pub effort: Option<[f64; 2]>,
    pub damping: f64,
    pub friction: f64,
    /// The inertia of its rotor, as the joint feels it.
    pub armature: f64,
    /// A stiffness, and where it is at rest.
    pub spring: Option<[f64; 2]>,
}

impl Axis {
    pub fn new(slides: bool, direction: Vector) -> Axis {
        Axis { slides, direction, limits: None, effort: None, damping: 0.0, friction: 0.0, armature: 0.0, spring: None }
    }

    /// Whether a motor, a limit, a spring or a brake acts in it.
    pub fn acts(&self) -> bool {
        self.effort.is_some()
            || self.limits.is_some()
            || self.spring.is_some()
            || self.damping > 0.0
            || self.friction > 0.0
    }

    /// Where the joint starts: at zero, or where its limits let it be.
    pub fn start(&self) -> f64 {
        self.limits.map_or(0.0, |[low, high]| 0.0_f64.clamp(low, high))
    }
}

/// Mass, its centre, and the moments about it.
#[derive(Clone, Debug)]
pub struct Body {
    pub name: String,
    pub span: Span,
    /// Of the centre, with the axes of the moments.
    pub place: Place,
    pub mass: f64,
    /// xx, yy, zz, xy, xz, yz.
    pub moments: [f64; 6],
}

#[derive(Clone, Debug)]
pub struct Solid {
    pub shape: Shape,
    pub place: Place,
    /// Red, green, blue and opacity, from 0 to 1.
    pub color: Option<[f64; 4]>,
    pub span: Span,
}

/// Sizes in metres, as the language has them.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Box(Vector),
    /// Its semi-axes.
    Ellipsoid(Vector),
    Sphere(f64),
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    /// The corners of a convex solid.
    Hull(Vec<Vector>),
}

impl Shape {
    /// The lengths that have to be positive.
    pub fn sizes(&self) -> Vec<f64> {
        match *self {
            Shape::Hull(_) => Vec::new(),
            Shape::Box(sizes) | Shape::Ellipsoid(sizes) => sizes.to_vec(),
            Shape::Sphere(radius) => vec![radius],
            Shape::Cylinder { radius, length } | Shape::Capsule { radius, length } => vec![radius, length],
        }
    }

    /// What the language calls it.
    pub fn word(&self) -> &'static str {
        match self {
            Shape::Box(_) => "box",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Sphere(_) => "sphere",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Capsule { .. } => "capsule",
            Shape::Hull(_) => "hull",
        }
    }
}
