//! The general form: nothing but equations between quantities and their derivatives, whatever physics they come from.

mod eliminate;
mod explicit;
mod form;

use std::rc::Rc;

use base::{Dimension, Span};
use expr::{Arena, Differentiator, Expr, Substitution, SymbolId};
use rustc_hash::FxHashMap;

pub use eliminate::eliminate_known;
pub use explicit::{eliminate_explicit, eliminate_idle};
pub use form::general_form;

pub struct GeneralForm {
    pub arena: Rc<Arena>,
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
    pub fn places(&self) -> FxHashMap<SymbolId, Place> {
        let mut places = FxHashMap::default();
        for (quantity, row) in self.quantities.iter().enumerate() {
            let orders = row.chain.iter().enumerate();
            places.extend(orders.map(|(at, &symbol)| {
                let order = at + row.first();
                (symbol, Place::Derivative { quantity, order })
            }));
        }
        for (at, turn) in self.turns.iter().enumerate() {
            places.extend(turn.coordinates.iter().map(|coordinate| (coordinate.symbol, Place::Turn(at))));
        }
        places
    }

    /// The quantities that an expression mentions, each with its highest derivative, ascending. Who mentions a coordinate of a turn
    /// mentions the value of each of its turnings.
    pub fn mentions(&self, places: &FxHashMap<SymbolId, Place>, expr: Expr) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for symbol in self.arena.symbols_in(&[expr]) {
            match places.get(&symbol) {
                Some(&Place::Derivative { quantity, order }) => found.push((quantity, order)),
                Some(&Place::Turn(turn)) => found.extend(self.turns[turn].speeds.iter().map(|&speed| (speed, 0))),
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
