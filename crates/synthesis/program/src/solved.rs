//! Unknowns that are found one after the other: some are expressions of what was known before, the others are bound.

use equations::System;
use expr::{Arena, Differentiator, Expr, Substitution, SymbolId, jacobian};
use rustc_hash::FxHashSet;

use crate::program::{Binding, SystemRole};
use crate::systems::{Row, Systems};
use crate::tear::tear;

#[derive(Clone)]
pub struct Solved<'s> {
    pub arena: &'s Arena,
    parameters: FxHashSet<SymbolId>,
    pub known: Substitution,
    pub body: Vec<Binding>,
}

impl<'s> Solved<'s> {
    pub fn new(system: &'s System) -> Solved<'s> {
        let parameters = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        Solved { arena: &system.arena, parameters, known: Substitution::default(), body: Vec::new() }
    }

    /// Linear equations for as many unknowns: an expression for a single unknown with a factor that does not change, else a system.
    pub fn linear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>, systems: &mut Systems<'_>) {
        if let ([row], [unknown]) = (&rows[..], &unknowns[..])
            && let Some(value) = self.explicit(row.residual, *unknown)
        {
            self.known.insert(self.arena.symbol(*unknown), value);
            return;
        }
        let (rows, unknowns) = self.torn(rows, unknowns);
        if !unknowns.is_empty() {
            let binding = systems.linear(role, rows, unknowns);
            self.body.push(binding);
        }
    }

    /// Makes expressions of the unknowns that follow from a few others; the rest, with everything known put in its place.
    fn torn(&mut self, mut rows: Vec<Row>, unknowns: Vec<SymbolId>) -> (Vec<Row>, Vec<SymbolId>) {
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let torn = tear(self.arena, &residuals, &unknowns);
        let order: Vec<SymbolId> = torn.explicit.iter().map(|&(_, unknown)| unknowns[unknown]).collect();
        for (at, &(row, _)) in torn.explicit.iter().enumerate() {
            let residual = self.without_cancelled(residuals[row], &order[at + 1..]);
            if let Some(value) = self.explicit(residual, order[at]) {
                self.known.insert(self.arena.symbol(order[at]), value);
            }
        }
        let mut at = 0..;
        rows.retain(|_| at.next().is_some_and(|at| torn.rows.binary_search(&at).is_ok()));
        for row in &mut rows {
            row.residual = self.known.apply(self.arena, row.residual);
        }
        (rows, torn.unknowns.into_iter().map(|at| unknowns[at]).collect())
    }

    /// A row as it is without unknowns that are found later. It depends on none of them, or it would have to wait; but it may mention one that
    /// cancels, as the torque of a joint does with its reaction in the row of what bears the joint.
    fn without_cancelled(&self, row: Expr, later: &[SymbolId]) -> Expr {
        let mentioned = self.arena.symbols_in(&[row]);
        let cancelled = later.iter().filter(|unknown| mentioned.binary_search(unknown).is_ok());
        let zero = cancelled.map(|&unknown| (self.arena.symbol(unknown), self.arena.zero()));
        Substitution::new(zero).apply(self.arena, row)
    }

    /// The value of an unknown whose factor is a number or depends on parameters only.
    fn explicit(&mut self, residual: Expr, unknown: SymbolId) -> Option<Expr> {
        if let Some((factor, rest)) = self.arena.without_term(residual, unknown) {
            let rest = self.known.apply(self.arena, rest);
            return Some(self.arena.negate(self.arena.divide(rest, self.arena.number(factor))));
        }
        let symbol = self.arena.symbol(unknown);
        let slope = Differentiator::by(self.arena, symbol).derivative(self.arena, residual);
        let factor = self.known.apply(self.arena, slope);
        let lasting = self.arena.symbols_in(&[factor]).iter().all(|symbol| self.parameters.contains(symbol));
        if !lasting || self.arena.is_zero(factor) {
            return None;
        }
        // The unknown itself must not get into the memory of what is known, before it is.
        let rest = Substitution::new([(symbol, self.arena.zero())]).apply(self.arena, residual);
        let rest = self.known.apply(self.arena, rest);
        Some(self.arena.negate(self.arena.divide(rest, factor)))
    }

    /// Equations for as many unknowns, solved by iteration from some seeds.
    pub fn nonlinear(
        &mut self,
        role: SystemRole,
        rows: Vec<Row>,
        unknowns: Vec<SymbolId>,
        seed: impl Fn(SymbolId) -> Expr,
        systems: &mut Systems<'_>,
    ) {
        let (rows, unknowns) = self.torn(rows, unknowns);
        self.nearest(role, rows, unknowns, seed, systems);
    }

    /// Equations for any number of unknowns: the solution that is nearest to the seeds.
    pub fn nearest(
        &mut self,
        role: SystemRole,
        mut rows: Vec<Row>,
        unknowns: Vec<SymbolId>,
        seed: impl Fn(SymbolId) -> Expr,
        systems: &mut Systems<'_>,
    ) {
        for row in &mut rows {
            row.residual = self.known.apply(self.arena, row.residual);
        }
        let seeds = unknowns.iter().map(|&unknown| seed(unknown)).collect();
        let binding = systems.nonlinear(role, rows, unknowns, seeds);
        self.body.push(binding);
    }

    /// The unknowns that systems have been solved for.
    pub fn bound(&self) -> FxHashSet<SymbolId> {
        self.body.iter().flat_map(Binding::unknowns).copied().collect()
    }

    /// Whether all of some unknowns have been found, in systems or as expressions.
    pub fn has(&mut self, unknowns: &[SymbolId], bound: &FxHashSet<SymbolId>) -> bool {
        unknowns.iter().all(|&unknown| bound.contains(&unknown) || self.value(unknown) != self.arena.symbol(unknown))
    }

    /// Rows with everything known put in its place.
    pub fn applied(&mut self, mut rows: Vec<Row>) -> Vec<Row> {
        rows.iter_mut().for_each(|row| row.residual = self.known.apply(self.arena, row.residual));
        rows
    }

    pub fn value(&mut self, symbol: SymbolId) -> Expr {
        self.known.apply(self.arena, self.arena.symbol(symbol))
    }
}

/// Whether some rows are linear in some unknowns.
pub fn is_linear(arena: &Arena, rows: &[Row], unknowns: &[SymbolId]) -> bool {
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let slopes: Vec<Expr> = jacobian(arena, &residuals, unknowns).into_iter().map(|(_, _, slope)| slope).collect();
    let own: FxHashSet<SymbolId> = unknowns.iter().copied().collect();
    !arena.symbols_in(&slopes).iter().any(|symbol| own.contains(symbol))
}
