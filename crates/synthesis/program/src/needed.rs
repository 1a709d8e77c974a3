//! What is needed for what: dependencies through bindings, and the removal of bindings that nobody needs.

use expr::{Arena, Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Function};

/// Which symbols from outside a function's results depend on, found once for all its bindings.
pub struct Dependencies<'f> {
    bindings: Vec<(&'f [SymbolId], Needs)>,
}

/// What a binding evaluates. The seeds of a nonlinear system speak of the symbols as they were before.
struct Needs {
    inside: Vec<SymbolId>,
    before: Vec<SymbolId>,
}

impl<'f> Dependencies<'f> {
    pub fn new(arena: &Arena, function: &'f Function) -> Dependencies<'f> {
        let bindings = function.body.iter().map(|binding| (binding.unknowns(), needs(arena, binding)));
        Dependencies { bindings: bindings.collect() }
    }

    pub fn of(&self, arena: &Arena, result: Expr) -> Vec<SymbolId> {
        let mut wanted: FxHashSet<SymbolId> = arena.symbols_in(&[result]).into_iter().collect();
        for (unknowns, needs) in self.bindings.iter().rev() {
            if unknowns.iter().any(|unknown| wanted.contains(unknown)) {
                want(unknowns, needs, &mut wanted);
            }
        }
        let mut wanted: Vec<SymbolId> = wanted.into_iter().collect();
        wanted.sort_unstable();
        wanted
    }
}

/// Drops bindings whose unknowns nobody uses.
pub fn prune(arena: &Arena, function: &mut Function) {
    let mut wanted: FxHashSet<SymbolId> = arena.symbols_in(&function.results).into_iter().collect();
    let mut kept = Vec::new();
    for binding in std::mem::take(&mut function.body).into_iter().rev() {
        if binding.unknowns().iter().any(|unknown| wanted.contains(unknown)) {
            want(binding.unknowns(), &needs(arena, &binding), &mut wanted);
            kept.push(binding);
        }
    }
    kept.reverse();
    function.body = kept;
}

fn needs(arena: &Arena, binding: &Binding) -> Needs {
    match binding {
        Binding::Linear(_) => Needs { inside: arena.symbols_in(&binding.expressions()), before: Vec::new() },
        Binding::Nonlinear(system) => {
            let mut inside: Vec<Expr> = system.residuals.clone();
            inside.extend(system.jacobian.iter().map(|&(_, _, value)| value));
            Needs { inside: arena.symbols_in(&inside), before: arena.symbols_in(&system.seeds) }
        }
    }
}

/// Going backwards past a binding: its unknowns are provided, what it evaluates is wanted.
fn want(unknowns: &[SymbolId], needs: &Needs, wanted: &mut FxHashSet<SymbolId>) {
    wanted.extend(&needs.inside);
    unknowns.iter().for_each(|unknown| {
        wanted.remove(unknown);
    });
    wanted.extend(&needs.before);
}
