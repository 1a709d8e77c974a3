//! The data of the equation system.

use std::sync::Arc;

use base::{Dimension, Span, Unit};
use expr::{Arena, Differentiator, Expr, SymbolId};

use crate::balance::Balance;
use crate::change::Automaton;
use crate::contact::ContactSet;
use crate::family::Family;
use crate::picture::Picture;

base::ids! {
    CoordinateId;
    SpeedId;
    ConstraintId;
    VariableId;
    LawId;
}

pub struct System {
    pub name: String,
    /// Shared with the program that is made from the system.
    pub arena: Arc<Arena>,
    pub time: SymbolId,
    pub parameters: Vec<Parameter>,
    pub controls: Vec<Control>,
    /// Unknown positions.
    pub coordinates: Vec<Coordinate>,
    /// Unknown velocities. Most are the rate of one coordinate; a free rotation has four coordinates and three speeds.
    pub speeds: Vec<Speed>,
    pub constraints: Vec<Constraint>,
    /// One equation of motion for each speed, in the order of `speeds`.
    pub motion: Vec<Motion>,
    /// Unknowns of the author's own physics.
    pub variables: Vec<Variable>,
    /// What the author's own physics says of them, and of the motion, at all times.
    pub laws: Vec<Law>,
    /// The derivative with respect to time. The rates of variables, accelerations and multipliers are symbols, made when first
    /// needed.
    pub clock: Differentiator,
    pub initial: Vec<Initial>,
    /// Sums over many rows of a table that potentials are made of; their symbols stand in equations of motion and energies.
    pub families: Vec<Arc<Family>>,
    /// What drives the motion, each by itself, so that a value that is not finite can be traced to its line.
    pub acting: Vec<Acting>,
    /// Forces of constraint that somebody asks for.
    pub reactions: Vec<Acting>,
    /// What decides where something bends or jumps, or may have no direction, with the term that it stands in.
    pub bending: Vec<(Expr, Span)>,
    pub energy: Energy,
    /// The strength of gravity in m/s², where the text gives it as a number.
    pub gravity: Option<f64>,
    pub outputs: Vec<Output>,
    /// What is asked for at earlier times, in the order of the numbers by which expressions name it.
    pub signals: Vec<Signal>,
    /// What changes all at once.
    pub automaton: Automaton,
    /// None if nothing can touch.
    pub contacts: Option<ContactSet>,
    /// Empty unless it was asked for.
    pub picture: Picture,
    /// Each body by itself, for people; empty without a picture, and where there are too many to look at.
    pub bodies: Vec<Balance>,
}

/// What is remembered, because something depends on what it was a while ago.
pub struct Signal {
    /// As the author writes it.
    pub name: String,
    pub value: Expr,
    /// What it was before the run, as a function of the time.
    pub history: Expr,
    /// By how much earlier it is asked for; depends on parameters only.
    pub delay: Expr,
    pub span: Span,
}

#[derive(Clone)]
pub struct Parameter {
    pub name: String,
    pub symbol: SymbolId,
    /// In SI units.
    pub default: f64,
    pub unit: Unit,
    pub description: Option<String>,
    pub span: Span,
}

pub struct Control {
    pub name: String,
    pub symbol: SymbolId,
    pub default: f64,
    pub range: Option<(f64, f64)>,
    pub unit: Unit,
    pub span: Span,
}

pub struct Coordinate {
    pub name: String,
    pub symbol: SymbolId,
    /// Its time derivative, linear in the speeds.
    pub rate: Expr,
    /// The speed that is its rate, if it has one of its own.
    pub speed: Option<SpeedId>,
    /// Where the search for a consistent start begins; depends on parameters only.
    pub guess: Expr,
    pub dimension: Dimension,
    pub span: Span,
}

pub struct Speed {
    pub name: String,
    pub symbol: SymbolId,
    pub acceleration: SymbolId,
    pub dimension: Dimension,
    /// A frame without a mass goes where constraints put it, or what hangs on it.
    pub of_body: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// On positions.
    Holonomic,
    /// On velocities.
    Nonholonomic,
    /// On positions, and kept by the kinematics itself, such as the norm of a unit quaternion: it needs no force.
    Invariant,
}

/// An equation `residual = 0` that holds at all times.
pub struct Constraint {
    /// As the user knows it.
    pub label: String,
    pub kind: ConstraintKind,
    /// The residual and its time derivatives up to the accelerations: three levels for a constraint on positions, two for one
    /// on velocities.
    levels: Vec<Expr>,
    /// The size of the force that keeps it; none for an invariant.
    pub multiplier: Option<SymbolId>,
    pub span: Span,
}

/// What an equation speaks of at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Position,
    Velocity,
    Acceleration,
}

impl Constraint {
    pub fn holonomic(label: String, levels: [Expr; 3], multiplier: SymbolId, span: Span) -> Constraint {
        Constraint { label, kind: ConstraintKind::Holonomic, levels: levels.into(), multiplier: Some(multiplier), span }
    }

    pub fn nonholonomic(label: String, levels: [Expr; 2], multiplier: SymbolId, span: Span) -> Constraint {
        Constraint {
            label,
            kind: ConstraintKind::Nonholonomic,
            levels: levels.into(),
            multiplier: Some(multiplier),
            span,
        }
    }

    pub fn invariant(label: String, residual: Expr, span: Span) -> Constraint {
        Constraint { label, kind: ConstraintKind::Invariant, levels: vec![residual], multiplier: None, span }
    }

    /// The equation at a level, where it has one: a constraint on velocities says nothing of positions alone.
    pub fn at(&self, level: Level) -> Option<Expr> {
        let index = match (self.kind, level) {
            (ConstraintKind::Nonholonomic, Level::Position) => return None,
            (ConstraintKind::Nonholonomic, level) => level as usize - 1,
            (_, level) => level as usize,
        };
        self.levels.get(index).copied()
    }
}

/// The equation of motion of one speed, linear in accelerations and multipliers: `residual = 0`.
pub struct Motion {
    pub label: String,
    pub residual: Expr,
    pub span: Span,
}

/// A number that equations determine, such as a voltage or a component of a momentum.
pub struct Variable {
    pub name: String,
    pub symbol: SymbolId,
    /// The same at all times, though not known beforehand.
    pub constant: bool,
    /// Where it starts unless something else says so; depends on parameters only.
    pub start: Option<Expr>,
    pub dimension: Dimension,
    pub span: Span,
}

/// An equation `residual = 0` between quantities and their derivatives that holds at all times and exerts no force.
pub struct Law {
    pub label: String,
    pub residual: Expr,
    /// The unknown that belongs to it, if there is one: idle where the law follows from others.
    pub multiplier: Option<SymbolId>,
    pub role: LawRole,
    pub span: Span,
}

/// Where a law comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawRole {
    /// The author's own physics.
    Stated,
    /// A motion that actuators bring about.
    Prescribed,
    /// What picks the least of several ways to do what is prescribed.
    Least,
}

impl Law {
    pub fn new(label: String, residual: Expr, role: LawRole, span: Span) -> Law {
        Law { label, residual, multiplier: None, role, span }
    }
}

/// An equation `residual = 0` that holds at the start.
pub struct Initial {
    pub label: String,
    pub residual: Expr,
    pub level: Level,
    pub span: Span,
}

/// A force, a torque or a potential energy.
pub struct Acting {
    pub label: String,
    /// Its components.
    pub parts: Vec<Expr>,
    pub span: Span,
}

pub struct Energy {
    pub kinetic: Expr,
    pub potential: Expr,
    /// Whether nothing in the scene can feed or drain energy.
    pub conserved: bool,
}

/// A quantity to print: one column for a number, three for a vector.
pub struct Output {
    pub name: String,
    pub columns: Vec<(String, Expr)>,
    /// What its values are called, if it is a mode.
    pub words: Option<Vec<String>>,
}

impl System {
    /// Whether there is physics of the author's own.
    pub fn has_laws(&self) -> bool {
        !self.variables.is_empty() || !self.laws.is_empty()
    }

    /// What is given from outside at every instant: the time, parameters, numbers that only transitions change, controls, and what contacts
    /// exert.
    pub fn input_symbols(&self) -> Vec<SymbolId> {
        let parameters = self.parameters.iter().chain(&self.automaton.discrete).map(|parameter| parameter.symbol);
        let controls = self.controls.iter().map(|control| control.symbol);
        let contacts = self.contacts.iter().flat_map(ContactSet::symbols);
        std::iter::once(self.time).chain(parameters).chain(controls).chain(contacts).collect()
    }

    pub fn coordinate_symbols(&self) -> Vec<SymbolId> {
        self.coordinates.iter().map(|coordinate| coordinate.symbol).collect()
    }

    pub fn speed_symbols(&self) -> Vec<SymbolId> {
        self.speeds.iter().map(|speed| speed.symbol).collect()
    }

    pub fn multiplier_symbols(&self) -> Vec<SymbolId> {
        self.constraints.iter().filter_map(|constraint| constraint.multiplier).collect()
    }

    /// The equations that accelerations and the forces of constraints follow from, and these unknowns: first those of what
    /// moves, then those of what is kept by forces.
    pub fn accelerations(&self, moving: &[SpeedId], forced: &[ConstraintId]) -> (Vec<Expr>, Vec<SymbolId>) {
        let kept = || forced.iter().map(|id| &self.constraints[id.index()]);
        let motion = moving.iter().map(|id| self.motion[id.index()].residual);
        let accelerations = moving.iter().map(|id| self.speeds[id.index()].acceleration);
        (
            motion.chain(kept().filter_map(|constraint| constraint.at(Level::Acceleration))).collect(),
            accelerations.chain(kept().filter_map(|constraint| constraint.multiplier)).collect(),
        )
    }

    /// The equations that constraints impose at a level, with the constraint each comes from.
    pub fn constraints_at(&self, level: Level) -> Vec<(ConstraintId, Expr)> {
        let all = self.constraints.iter().enumerate();
        all.filter_map(|(at, constraint)| Some((ConstraintId(at as u32), constraint.at(level)?))).collect()
    }
}
