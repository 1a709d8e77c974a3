//! Mechanisms beside laws: which of them are solved by themselves, in the classes of Ellman et al., whatever else the scene has.
//!
//! To the laws such a mechanism is given, as the time is; to it their quantities are. That is possible where everything can be found in one
//! order: what acts on the mechanism, its accelerations, then what depends on these. Where a law puts an acceleration into a force,
//! holds a constraint of its own, or asks for more than accelerations, the mechanism is solved together with the laws.

use base::Diagnostics;
use equations::{ConstraintId, Level, Mechanism, System};
use expr::{Expr, Point, SymbolId};
use rustc_hash::FxHashSet;

use crate::general::{Candidates, LawPlan, Phase, asked, plan_laws, start_rows};

/// The mechanism that is solved by itself, the plan of all else, and points at which both have values.
pub fn apart(
    system: &System,
    redundant: &[ConstraintId],
    points: Vec<Point>,
    candidates: Candidates<'_>,
    sink: &mut Diagnostics,
) -> Option<(Mechanism, LawPlan, Vec<Point>)> {
    if !system.has_laws() {
        let whole = Mechanism::whole(system);
        let laws = LawPlan::none(system, &whole, redundant);
        return Some((whole, laws, points));
    }
    let all = system.mechanisms();
    let touched = touched(system, &all);
    let mut apart: Vec<bool> = touched.iter().map(|&touched| !touched).collect();
    loop {
        let alone = all.iter().zip(&apart).filter(|(_, apart)| **apart).map(|(mechanism, _)| mechanism.clone());
        let mechanism = Mechanism::joined(alone);
        let mut said = Diagnostics::default();
        let found = plan_laws(system, (&mechanism, redundant), &points, candidates, &mut said);
        let fits = |at: usize| match &found {
            Some((laws, _)) => fits(system, laws, (&mechanism, &all[at])),
            None => !touched[at],
        };
        let misfits: Vec<usize> = (0..all.len()).filter(|&at| apart[at] && !fits(at)).collect();
        if misfits.is_empty() {
            said.iter().for_each(|diagnostic| sink.report(diagnostic.clone()));
            return found.map(|(laws, points)| (mechanism, laws, points));
        }
        misfits.into_iter().for_each(|at| apart[at] = false);
    }
}

/// For each mechanism whether laws speak of it, or it of their quantities.
fn touched(system: &System, all: &[Mechanism]) -> Vec<bool> {
    let arena = &system.arena;
    let inputs = system.parameters.iter().chain(&system.automaton.held).map(|parameter| parameter.symbol);
    let controls = system.controls.iter().map(|control| control.symbol);
    let mut known: FxHashSet<SymbolId> = inputs.chain(controls).chain([system.time]).collect();
    known.extend(Mechanism::whole(system).symbols(system));
    let laws: Vec<Expr> = system.laws.iter().map(|law| law.residual).collect();
    let spoken: FxHashSet<SymbolId> = arena.symbols_in(&laws).into_iter().collect();
    let touched = |mechanism: &Mechanism| {
        let foreign = arena.symbols_in(&equations_of(system, mechanism)).iter().any(|symbol| !known.contains(symbol));
        foreign || mechanism.symbols(system).iter().any(|symbol| spoken.contains(symbol))
    };
    all.iter().map(touched).collect()
}

fn equations_of(system: &System, mechanism: &Mechanism) -> Vec<Expr> {
    let motion = mechanism.speeds.iter().map(|id| system.motion[id.index()].residual);
    let constraints = mechanism.constraints.iter().flat_map(|id| {
        let levels = [Level::Position, Level::Velocity, Level::Acceleration].into_iter();
        levels.filter_map(|level| system.constraints[id.index()].at(level))
    });
    motion.chain(constraints).collect()
}

/// Whether one of the mechanisms that are apart can be found in one order with the laws.
fn fits(system: &System, laws: &LawPlan, (apart, own): (&Mechanism, &Mechanism)) -> bool {
    let arena = &system.arena;
    let set = |symbols: Vec<SymbolId>| -> FxHashSet<SymbolId> { symbols.into_iter().collect() };
    let mentions = |exprs: &[Expr], of: &FxHashSet<SymbolId>| arena.symbols_in(exprs).iter().any(|it| of.contains(it));
    // What acts on it is known before any acceleration is.
    let mut late = set(apart.acceleration_symbols(system));
    let after = laws.blocks.iter().filter(|block| block.phase != Phase::Before);
    late.extend(after.flat_map(|block| &block.quantities).filter_map(|&quantity| laws.leading(quantity, 0)));
    let further = laws.further.iter().flat_map(|further| {
        let quantities = laws.blocks[further.block].quantities.iter();
        quantities.filter_map(|&quantity| laws.leading(quantity, further.times))
    });
    late.extend(further);
    let rows: Vec<Expr> = own.speeds.iter().map(|id| system.motion[id.index()].residual).collect();
    let speaks_of: FxHashSet<SymbolId> = set(arena.symbols_in(&rows));
    let mut acting: Vec<Expr> = speaks_of.iter().map(|&symbol| arena.symbol(symbol)).collect();
    let own_accelerations = set(own.acceleration_symbols(system));
    acting.retain(|&symbol| arena.as_symbol(symbol).is_none_or(|symbol| !own_accelerations.contains(&symbol)));
    let mut replacement = laws.form.replacement();
    let acting: Vec<Expr> = acting.into_iter().map(|symbol| replacement.apply(arena, symbol)).collect();
    if mentions(&acting, &late) {
        return false;
    }
    // Nothing about the states, at the start or after a transition, waits for its accelerations.
    let mut stated = start_rows(laws);
    stated.extend(system.automaton.entries.iter().flat_map(|entry| &entry.equations).map(|row| row.residual));
    if mentions(&stated, &own_accelerations) {
        return false;
    }
    // Nobody asks how its accelerations and forces change.
    let rate = |&symbol: &SymbolId| arena.as_symbol(laws.form.clock.known(arena.symbol(symbol))?);
    let beyond: FxHashSet<SymbolId> = own_accelerations.iter().filter_map(rate).collect();
    let levels = laws.rows.iter().flat_map(|row| row.levels.iter().copied());
    let further = laws.further.iter().flat_map(|further| further.residuals.iter().copied());
    let asked: Vec<Expr> = levels.chain(further).chain(asked(system, &laws.form)).collect();
    !mentions(&asked, &beyond)
}
