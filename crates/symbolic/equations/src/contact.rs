//! What may touch: frames that bear shapes, and which of these meet with which restitution and friction.
//!
//! Forces of contact are not unknowns of the system. Each frame that bears shapes has six symbols, a force and a moment about its origin, which
//! are given at every instant like the time; whoever solves for contact gives them their values.

use base::{Hull, Span};
use expr::{Expr, SymbolId};

pub struct ContactSet {
    pub frames: Vec<ContactFrame>,
    /// What can be named: a body, a frame, a surface.
    pub things: Vec<ContactThing>,
    pub shapes: Vec<ContactShape>,
    /// Things that may touch, in the order of the text.
    pub pairs: Vec<ContactPair>,
    /// The length of the steps in which forces and impacts are gathered, where the author chose that; it depends on parameters only.
    pub step: Option<Expr>,
}

/// A frame that bears shapes, seen from the world.
pub struct ContactFrame {
    /// The force on it and the moment about its origin that contacts exert.
    pub wrench: [SymbolId; 6],
    /// Its origin, then its axes row by row.
    pub pose: [Expr; 12],
    /// The velocity of its origin, then its angular velocity.
    pub twist: [Expr; 6],
    /// The time derivative of that.
    pub acceleration: [Expr; 6],
    pub span: Span,
}

pub struct ContactThing {
    pub name: String,
    /// By its place among the frames.
    pub frame: usize,
    pub span: Span,
}

/// A solid, or what lies behind a plane; its sizes depend on parameters only.
pub struct ContactShape {
    pub thing: usize,
    pub solid: &'static str,
    /// As they are written.
    pub sizes: Vec<Expr>,
    /// The corners and faces of a hull, about its origin.
    pub hull: Option<Hull>,
    /// Of a curved surface.
    pub field: Option<ContactField>,
    /// Its origin and its axes, row by row, in its frame.
    pub place: [Expr; 12],
    pub span: Span,
}

/// The function that vanishes on a curved surface, in the axes of its frame.
pub struct ContactField {
    /// What stands for x, y and z.
    pub at: [SymbolId; 3],
    /// Its value, its gradient, and its second derivatives by xx, yy, zz, xy, xz, yz.
    pub values: [Expr; 10],
}

pub struct ContactPair {
    pub things: [usize; 2],
    pub restitution: Expr,
    pub friction: Expr,
    /// Whether impacts of touching pairs happen all at once.
    pub together: bool,
    /// What can be asked of it.
    pub seen: ContactSymbols,
    pub span: Span,
}

/// What is known of a pair at every instant.
#[derive(Clone, Copy, Debug)]
pub struct ContactSymbols {
    pub gap: SymbolId,
    /// Of the first thing on the second.
    pub force: [SymbolId; 3],
    /// 0 open, 2 sliding, 3 sticking.
    pub state: SymbolId,
    /// Of the last impact.
    pub impulse: SymbolId,
    pub impacts: SymbolId,
}

impl ContactSymbols {
    /// All of them, in the order in which they are kept.
    pub fn all(&self) -> [SymbolId; Self::COUNT] {
        let [x, y, z] = self.force;
        [self.gap, x, y, z, self.state, self.impulse, self.impacts]
    }

    pub const COUNT: usize = 7;
    /// The places of what changes at instants only, and by whole numbers.
    pub const STATE: usize = 4;
    pub const IMPACTS: usize = 6;
}

impl ContactSet {
    /// What changes while the time passes, and not only at events.
    pub fn moving(&self) -> impl Iterator<Item = SymbolId> {
        self.pairs.iter().flat_map(|pair| [pair.seen.gap].into_iter().chain(pair.seen.force))
    }

    /// What is given at every instant.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        let wrenches = self.frames.iter().flat_map(|frame| frame.wrench);
        wrenches.chain(self.pairs.iter().flat_map(|pair| pair.seen.all()))
    }
}
