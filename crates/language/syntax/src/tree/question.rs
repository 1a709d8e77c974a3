//! Questions, and what is taken for granted where they are answered.

use super::{Expr, Name, UnitText, Word};

/// `assume trimmed: partial(boat.force.x, sail.lift) == 0`, `assume steady(boat)`, `assume rigid`
#[derive(Clone, Debug, PartialEq)]
pub struct Assume {
    pub label: Option<Name>,
    /// An equation, a condition, `steady(…)`, or a word that laws speak of.
    pub statement: Expr,
}

/// `find boat.speed as [ft/s] given steady(boat) for course in 40 [deg] .. 90 [deg]`
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// The largest or the smallest value is asked for, not every one.
    pub extreme: Option<Extreme>,
    pub asked: Vec<Expr>,
    /// The unit of the answer, after `as`.
    pub unit: Option<UnitText>,
    /// What is taken for granted in this question only.
    pub given: Vec<Expr>,
    /// The instant of a run that it is about: where this begins to hold.
    pub when: Option<Expr>,
    /// How long a run is that it is about.
    pub over: Option<Expr>,
    pub sweep: Option<Sweep>,
}

/// `describe bob, block over 20 [s]`
#[derive(Clone, Debug, PartialEq)]
pub struct Describe {
    pub things: Vec<Expr>,
    /// How long a run is that is looked at.
    pub over: Option<Expr>,
}

/// `find max |x| over 10 [s]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    Largest,
    Smallest,
}

/// `for course in 40 [deg] .. 90 [deg] by 5 [deg]`: the same question for many values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub parameter: Word,
    pub first: Expr,
    pub last: Expr,
    pub step: Option<Expr>,
}
