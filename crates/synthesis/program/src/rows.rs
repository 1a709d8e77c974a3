//! Rows that are in use now and then. Of constraints that depend on one another, as many are enforced at a time as are independent;
//! which of them follows the motion, without another program: each row has a mask, a number that is one where the row is in use and
//! zero where it is not.
//!
//! In a linear system the row of a constraint with its force λ is `mask · residual + (1 − mask) · λ`: the constraint, or no force. It is
//! linear like any other, so whatever decomposes, differentiates or solves systems knows nothing of masks. In an iteration it is
//! `mask · residual`, which leaves nothing to satisfy. Products with one are exact.

use equations::{ConstraintId, Level, System};
use expr::{Arena, Expr, Substitution, SymbolId, jacobian};
use plan::{Plan, RowGroup};
use rustc_hash::FxHashMap;

use crate::needed::prune;
use crate::program::{Function, Group, Integral, Program};
use crate::solved::Solved;

/// A choice among rows that depend on one another.
#[derive(Clone, Debug)]
pub struct RowChoice {
    pub masks: Vec<SymbolId>,
    /// The masks before anything was chosen: as many ones as the rank.
    pub first: Vec<bool>,
    /// Where the rows have slopes by accelerations, as row and column, and from the states what these are.
    pub places: Vec<(usize, usize)>,
    pub slopes: Function,
}

impl RowChoice {
    /// How many rows are in use at a time.
    pub fn rank(&self) -> usize {
        self.first.iter().filter(|&&first| first).count()
    }

    /// How many accelerations the rows speak of.
    pub fn columns(&self) -> usize {
        self.places.iter().map(|&(_, column)| column + 1).max().unwrap_or(0)
    }

    /// The masks and their first values.
    pub fn first_values(&self) -> impl Iterator<Item = (SymbolId, f64)> {
        self.masks.iter().copied().zip(self.first.iter().map(|&first| f64::from(u8::from(first))))
    }

    /// Whether an integral solves any of these rows.
    pub fn concerns(&self, arena: &Arena, integral: &Integral) -> bool {
        let mut solved = integral.derivative.expressions();
        solved.extend(integral.stabilize.iter().flat_map(Function::expressions));
        let symbols = arena.symbols_in(&solved);
        self.masks.iter().any(|mask| symbols.binary_search(mask).is_ok())
    }
}

impl Program {
    pub fn choices(&self) -> impl Iterator<Item = &RowChoice> {
        self.integrals.iter().flat_map(|integral| &integral.choices)
    }

    /// Every mask, and its value before anything was chosen.
    pub fn first_masks(&self) -> Vec<(SymbolId, f64)> {
        self.choices().flat_map(RowChoice::first_values).collect()
    }

    /// Puts the rows that are in use at first in the place of those that may be.
    pub fn without_masks(&self) -> Substitution {
        let arena = &self.arena;
        let first = self.first_masks().into_iter();
        Substitution::new(first.map(|(mask, value)| (arena.symbol(mask), arena.number(value))))
    }
}

/// The masks of the rows of some groups.
#[derive(Default)]
pub struct Masks(FxHashMap<ConstraintId, SymbolId>);

impl Masks {
    pub fn new(system: &System, groups: &[RowGroup]) -> Masks {
        let mask = |id: &ConstraintId| {
            let name = format!("uses({})", system.constraints[id.index()].label);
            (*id, system.arena.new_symbol(&name))
        };
        Masks(groups.iter().flat_map(|group| &group.rows).map(mask).collect())
    }

    /// What a constraint says at a level, where it is in use.
    pub fn apply(&self, system: &System, id: ConstraintId, level: Level, residual: Expr) -> Expr {
        let Some(&mask) = self.0.get(&id) else { return residual };
        let arena = &system.arena;
        let mask = arena.symbol(mask);
        let said = arena.multiply(mask, residual);
        match system.constraints[id.index()].multiplier.filter(|_| level == Level::Acceleration) {
            Some(force) => {
                let idle = arena.subtract(arena.one(), mask);
                arena.add(said, arena.multiply(idle, arena.symbol(force)))
            }
            None => said,
        }
    }

    /// The choices; their slopes are found from the states, and from what follows from these.
    pub fn choices(&self, plan: &Plan, solved: &mut Solved<'_>, (system, states): (&System, &Group)) -> Vec<RowChoice> {
        let moving = plan.classes.moving();
        let accelerations: Vec<SymbolId> = moving.iter().map(|id| system.speeds[id.index()].acceleration).collect();
        let choice = |group: &RowGroup| {
            let levels = group.rows.iter().filter_map(|id| system.constraints[id.index()].at(Level::Acceleration));
            let entries = jacobian(&system.arena, &levels.collect::<Vec<_>>(), &accelerations);
            let mut columns: Vec<usize> = entries.iter().map(|&(_, column, _)| column).collect();
            columns.sort_unstable();
            columns.dedup();
            let place = |&(row, column, _): &(usize, usize, Expr)| (row, columns.partition_point(|&it| it < column));
            let results = entries.iter().map(|&(_, _, slope)| solved.known.apply(&system.arena, slope)).collect();
            let body = solved.body.clone();
            let mut slopes = Function { name: "rows".into(), inputs: states.clone(), body, results };
            prune(&system.arena, &mut slopes);
            RowChoice {
                masks: group.rows.iter().map(|id| self.0[id]).collect(),
                first: group.rows.iter().map(|id| plan.redundant.binary_search(id).is_err()).collect(),
                places: entries.iter().map(place).collect(),
                slopes,
            }
        };
        plan.groups.iter().map(choice).collect()
    }
}
