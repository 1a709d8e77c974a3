//! Statements about what changes all at once: modes, transitions, sequences and plans of transitions, and claims.

use base::Span;

use super::{Equation, Expr, Name, QuantityType, ValueRange, Word};

/// `mode motion: bouncing | rolling = bouncing`
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    pub name: Name,
    pub values: Vec<Word>,
    /// Where it starts; the first value if nothing is said.
    pub start: Option<Word>,
}

/// `when land: gap <= 0 { motion == rolling; keep positions }`
#[derive(Clone, Debug, PartialEq)]
pub struct When {
    pub name: Name,
    pub guard: Expr,
    pub effects: Vec<Effect>,
}

/// `every 10 [ms] { u == -k * pre(x) }`
#[derive(Clone, Debug, PartialEq)]
pub struct Every {
    /// What the list of events calls it; `every` if nothing is said.
    pub name: Option<Name>,
    pub period: Expr,
    pub effects: Vec<Effect>,
}

/// `stop when ball.position.z <= 0`
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// What the list of events calls it; `stop` if nothing is said.
    pub name: Option<Name>,
    pub condition: Expr,
}

/// A chain of transitions that begins when a condition holds: a sequence, or a plan, which chooses numbers so that it reaches what it
/// aims at.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    pub name: Name,
    pub guard: Expr,
    /// What a plan chooses; a sequence chooses nothing.
    pub choices: Vec<Choice>,
    pub begin: Vec<Effect>,
    pub phases: Vec<Phase>,
}

/// `choose v: [m/s] from 1 [m/s] in [0, 20] [m/s]`
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub name: Name,
    pub type_: QuantityType,
    /// Where the search begins.
    pub seed: Option<Expr>,
    /// Between which values it is chosen.
    pub range: Option<ValueRange>,
    pub span: Span,
}

/// One phase of a sequence or a plan: how it ends, and what happens then.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    pub end: PhaseEnd,
    /// What a plan aims at: `aim a == b, c == d`
    pub aims: Vec<Equation>,
    /// What must not be greater than something else: `aim a <= b`
    pub limits: Vec<Limit>,
    /// What is to be as small as it can: `minimizing effort`
    pub cost: Option<Expr>,
    pub effects: Vec<Effect>,
    pub span: Span,
}

/// `smaller <= larger`, or the other way round
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    pub smaller: Expr,
    pub larger: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PhaseEnd {
    /// `until CONDITION`
    Until(Expr),
    /// `after DURATION`
    After(Expr),
}

/// One statement in the braces of a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub kind: EffectKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    /// An equation between values before, in `pre(…)`, and after.
    Equation(Box<Equation>),
    /// `keep positions, velocities`, `keep all except ball.velocity`: what does not change.
    Keep { what: Vec<Expr>, except: Vec<Expr> },
    /// `satisfy velocity constraints`
    Satisfy(Satisfied),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Satisfied {
    Positions,
    Velocities,
}

/// `claim never_below_floor: always ball.position.z >= 0`
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub name: Name,
    pub formula: Formula,
}

/// What is said of a behaviour, from one moment on.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Holds(Expr),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    /// After the transition that happens now.
    Next(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    /// Where both sides are conditions, they are one condition.
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Not(Box<Formula>),
}
