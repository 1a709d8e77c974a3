//! What is needed for what: dependencies through bindings, and the removal of bindings that nobody needs.

use expr::{Arena, Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Function};

/// The symbols from outside that some results of a function depend on, ascending.
pub fn dependencies(arena: &Arena, function: &Function, results: &[Expr]) -> Vec<SymbolId> {
    let mut wanted: FxHashSet<SymbolId> = arena.symbols_in(results).into_iter().collect();
    for binding in function.body.iter().rev() {
        if binding.unknowns().iter().any(|unknown| wanted.contains(unknown)) {
            want(arena, binding, &mut wanted);
        }
    }
    let mut wanted: Vec<SymbolId> = wanted.into_iter().collect();
    wanted.sort_unstable();
    wanted
}

/// Drops bindings whose unknowns nobody uses.
pub fn prune(arena: &Arena, function: &mut Function) {
    let mut wanted: FxHashSet<SymbolId> = arena.symbols_in(&function.results).into_iter().collect();
    let mut kept = Vec::new();
    for binding in std::mem::take(&mut function.body).into_iter().rev() {
        if binding.unknowns().iter().any(|unknown| wanted.contains(unknown)) {
            want(arena, &binding, &mut wanted);
            kept.push(binding);
        }
    }
    kept.reverse();
    function.body = kept;
}

/// Going backwards past a binding: its unknowns are provided, what it evaluates is wanted. The seeds of a nonlinear system speak
/// of the symbols as they were before.
fn want(arena: &Arena, binding: &Binding, wanted: &mut FxHashSet<SymbolId>) {
    match binding {
        Binding::Linear(system) => {
            wanted.retain(|symbol| !system.unknowns.contains(symbol));
            wanted.extend(arena.symbols_in(&binding.expressions()));
        }
        Binding::Nonlinear(system) => {
            let mut inside: Vec<Expr> = system.residuals.clone();
            inside.extend(system.jacobian.iter().map(|&(_, _, value)| value));
            wanted.extend(arena.symbols_in(&inside));
            wanted.retain(|symbol| !system.unknowns.contains(symbol));
            wanted.extend(arena.symbols_in(&system.seeds));
        }
    }
}
