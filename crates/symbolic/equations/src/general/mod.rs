//! The general form: nothing but equations between quantities and their derivatives, whatever physics they come from.

mod eliminate;
mod explicit;
mod form;

use std::sync::Arc;

use base::{Dimension, Span};
use expr::{Arena, Differentiator, Expr, Substitution, SymbolId};

pub use eliminate::eliminate_known;
pub use explicit::{eliminate_explicit, eliminate_idle};
pub use form::general_form;

pub struct GeneralForm {
    pub arena: Arc<Arena>,
    pub clock: Differentiator,
    pub quantities: Vec<Quantity>,
    pub turns: Vec<Turn>,
    /// What holds at all times.
    pub equations: Vec<Equation>,
    /// What holds at the start besides.
    pub initial: Vec<Equation>,
    /// Quantities that are known from others, or beforehand.
    pub replaced: Vec<Replaced>,
    /// Symbols of what was replaced, and what stands in their place.
    pub replacements: Vec<(Expr, Expr)>,
}

/// A scalar that changes with time, or a constant that is not known beforehand.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub name: String,
    pub role: Role,
    /// The quantity and its derivatives, as far as they are needed; of a [`Role::Turning`] the derivatives only.
    pub chain: Vec<SymbolId>,
    /// Where it starts unless something else says so.
    pub start: Option<Expr>,
    pub dimension: Dimension,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Coordinate,
    /// A turn about an axis: it has no value, only a speed. The coordinates of its [`Turn`] stand for its value.
    Turning,
    /// What keeps a constraint.
    Force,
    Variable,
    Constant,
}

/// A free rotation: more coordinates than speeds, so that the rate of each coordinate is an expression.
#[derive(Clone, Debug)]
pub struct Turn {
    pub coordinates: Vec<TurnCoordinate>,
    /// The quantities that are [`Role::Turning`].
    pub speeds: Vec<usize>,
    /// What the kinematics keeps by itself.
    pub invariants: Vec<Equation>,
}

#[derive(Clone, Debug)]
pub struct TurnCoordinate {
    pub name: String,
    pub symbol: SymbolId,
    pub rate: Expr,
    pub guess: Expr,
    pub dimension: Dimension,
    pub span: Span,
}

/// `residual = 0`.
#[derive(Clone, Debug)]
pub struct Equation {
    pub label: String,
    pub residual: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Replaced {
    pub name: String,
    pub symbol: SymbolId,
    pub by: Expr,
    /// Where it was to start, if that may be another place than its definition says.
    pub start: Option<Expr>,
    pub span: Span,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A derivative of a quantity.
    Derivative { quantity: usize, order: usize },
    /// A coordinate of a turn.
    Turn(usize),
}

/// What each symbol stands for: a quantity and an order, or [`TURN`], or [`NOTHING`].
pub struct Places(Vec<(u32, u32)>);

const TURN: u32 = u32::MAX;
const NOTHING: u32 = u32::MAX - 1;

impl Places {
    pub fn get(&self, symbol: SymbolId) -> Option<Place> {
        match *self.0.get(symbol.0 as usize)? {
            (_, NOTHING) => None,
            (turn, TURN) => Some(Place::Turn(turn as usize)),
            (quantity, order) => Some(Place::Derivative { quantity: quantity as usize, order: order as usize }),
        }
    }

    fn insert(&mut self, symbol: SymbolId, place: Place) {
        let at = symbol.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, (0, NOTHING));
        }
        self.0[at] = match place {
            Place::Derivative { quantity, order } => (quantity as u32, order as u32),
            Place::Turn(turn) => (turn as u32, TURN),
        };
    }
}

impl Quantity {
    /// The order of the first symbol of the chain.
    pub fn first(&self) -> usize {
        usize::from(self.role == Role::Turning)
    }

    /// The symbol of a derivative, where it has been needed.
    pub fn at(&self, order: usize) -> Option<SymbolId> {
        self.chain.get(order.checked_sub(self.first())?).copied()
    }

    /// The name of a derivative.
    pub fn name_of(&self, order: usize) -> String {
        format!("{}{}", self.name, "'".repeat(order.saturating_sub(self.first())))
    }

    /// The dimension of a derivative.
    pub fn dimension_of(&self, order: usize) -> Dimension {
        let over = |dimension: Dimension, _| dimension.over(Dimension::TIME).unwrap_or(Dimension::NONE);
        (self.first()..order).fold(self.dimension, over)
    }
}

impl GeneralForm {
    /// What each symbol of the quantities and turns stands for.
    pub fn places(&self) -> Places {
        let mut places = Places(vec![(0, NOTHING); self.arena.symbols()]);
        for (quantity, row) in self.quantities.iter().enumerate() {
            for (at, &symbol) in row.chain.iter().enumerate() {
                places.insert(symbol, Place::Derivative { quantity, order: at + row.first() });
            }
        }
        for (at, turn) in self.turns.iter().enumerate() {
            turn.coordinates.iter().for_each(|coordinate| places.insert(coordinate.symbol, Place::Turn(at)));
        }
        places
    }

    /// The quantities that an expression mentions, each with its highest derivative, ascending. Who mentions a coordinate of a turn
    /// mentions the value of each of its turnings.
    pub fn mentions(&self, places: &Places, expr: Expr) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for symbol in self.arena.symbols_in(&[expr]) {
            match places.get(symbol) {
                Some(Place::Derivative { quantity, order }) => found.push((quantity, order)),
                Some(Place::Turn(turn)) => found.extend(self.turns[turn].speeds.iter().map(|&speed| (speed, 0))),
                None => {}
            }
        }
        found.sort_unstable_by_key(|&(quantity, order)| (quantity, std::cmp::Reverse(order)));
        found.dedup_by_key(|&mut (quantity, _)| quantity);
        found
    }

    /// Makes the chain of a quantity reach up to a derivative.
    pub fn extend_chain(&mut self, quantity: usize, order: usize) {
        let row = &mut self.quantities[quantity];
        while row.first() + row.chain.len() <= order {
            let Some(&last) = row.chain.last() else { return };
            let rate = self.clock.derivative(&self.arena, self.arena.symbol(last));
            let Some(rate) = self.arena.as_symbol(rate) else { return };
            row.chain.push(rate);
        }
    }

    /// Expressions of the scene in terms of the quantities that are left.
    pub fn replacement(&self) -> Substitution {
        Substitution::new(self.replacements.iter().copied())
    }
}
