//! What changes all at once, as scalar equations: the transitions that can happen in one mode of a system.

use base::{Dimension, Span};
use expr::{Expr, SymbolId};

use crate::general::Equation;
use crate::system::Parameter;

/// The discrete side of a system, in the mode that it was formulated for.
#[derive(Default)]
pub struct Automaton {
    pub modes: Vec<Mode>,
    /// Numbers that only transitions change.
    pub discrete: Vec<Parameter>,
    /// Those whose guards can hold in this mode.
    pub transitions: Vec<Transition>,
    /// What claims speak of.
    pub conditions: Vec<Condition>,
    /// Of systems with physics of their own: what is carried from mode to mode besides coordinates and speeds.
    pub carried: Vec<Carried>,
    /// The transitions that can lead into this mode.
    pub entries: Vec<Entry>,
}

/// A variable, or a derivative of one, whose value goes from the mode before a transition to the mode after it.
pub struct Carried {
    pub name: String,
    pub symbol: SymbolId,
    /// How fast it changes, if the laws of this mode say so; else zero.
    pub rate: Expr,
    pub dimension: Dimension,
    pub span: Span,
}

/// What a transition says, read in the mode that it leads to.
pub struct Entry {
    /// The place of the transition among all transitions of the scene.
    pub number: usize,
    pub name: String,
    pub positions: Sought,
    pub velocities: Sought,
    /// What is said of the author's own quantities, between values after the transition, which are the symbols of the system, and values
    /// before it.
    pub equations: Vec<Equation>,
    /// What coordinates, speeds and [`Automaton::carried`] were given as, one symbol for each.
    pub given: Vec<SymbolId>,
    /// What stands in `pre`; in the order of [`Transition::pre`].
    pub pre: Vec<SymbolId>,
    /// The rates of [`Automaton::carried`] before; no equation speaks of them.
    pub rates: Vec<SymbolId>,
    /// What is not kept, although no equation speaks of it.
    pub open: Vec<SymbolId>,
    /// Numbers that are remembered, by their places in [`Automaton::discrete`].
    pub stores: Vec<(usize, Expr)>,
    pub span: Span,
}

/// Coordinates, or speeds, that a transition does not keep, and what determines them.
#[derive(Clone, Debug, Default)]
pub struct Sought {
    pub unknowns: Vec<SymbolId>,
    pub equations: Vec<Equation>,
    /// Whether they change as little as the equations allow.
    pub least: bool,
}

impl Automaton {
    /// Whether there is anything but smooth motion to look at.
    pub fn is_there(&self) -> bool {
        !(self.modes.is_empty() && self.transitions.is_empty() && self.conditions.is_empty())
    }
}

/// A condition as numbers.
pub struct Condition {
    /// Not negative where it holds.
    pub margin: Expr,
    /// The derivative of that with respect to time.
    pub slope: Expr,
    /// How large the numbers are that it compares.
    pub size: Expr,
    /// The numbers that it compares, but for those that stand in the text.
    pub compared: Vec<Compared>,
}

pub struct Compared {
    pub value: Expr,
    pub dimension: Dimension,
    pub span: Span,
}

pub struct Mode {
    pub name: String,
    pub values: Vec<String>,
    /// The value in the mode that the system was formulated for.
    pub value: usize,
    pub hidden: bool,
    pub span: Span,
}

/// A change that happens as soon as its guard holds.
pub struct Transition {
    /// Its place among all transitions of the scene.
    pub number: usize,
    pub name: String,
    /// Not negative where the guard holds, but for strict inequalities.
    pub margin: Expr,
    /// The derivative of that with respect to time.
    pub slope: Expr,
    /// One where the guard holds, zero elsewhere.
    pub guard: Expr,
    /// The value of each mode after it.
    pub target: Vec<usize>,
    pub positions: Reset,
    pub velocities: Reset,
    /// Values just before it, for the [`Entry`] in the next mode.
    pub pre: Vec<Expr>,
    /// Numbers that are remembered, by their places in [`Automaton::discrete`], from values before and after.
    pub stores: Vec<(usize, Expr)>,
    /// What is zero just before it if a plan was right.
    pub aims: Vec<Equation>,
    /// What is not negative then.
    pub limits: Vec<Equation>,
    /// What is to be as small as it can then.
    pub cost: Option<Expr>,
    /// What a plan that begins here chooses, by places in [`Automaton::discrete`], and where the search begins.
    pub choices: Vec<(usize, Expr)>,
    /// Between which values some of these are chosen, by their places among them.
    pub ranges: Vec<(usize, [f64; 2])>,
    /// The transitions that end the phases of that plan, by their numbers.
    pub phases: Vec<usize>,
    pub span: Span,
}

impl Transition {
    /// What a plan asks of the end of a phase: what is to vanish, what must not be negative, what is to be least.
    pub fn goals(&self) -> impl Iterator<Item = Expr> + '_ {
        self.aims.iter().chain(&self.limits).map(|goal| goal.residual).chain(self.cost)
    }
}

/// New values of coordinates, or of speeds.
pub struct Reset {
    pub before: Vec<SymbolId>,
    /// For each of them its value afterwards: what it was before, or an unknown.
    pub after: Vec<Expr>,
    pub unknowns: Vec<SymbolId>,
    /// What determines the unknowns.
    pub equations: Vec<Equation>,
    /// Whether the unknowns change as little as the equations allow.
    pub least: bool,
}
