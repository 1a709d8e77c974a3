//! What is needed for what: dependencies through bindings, and the removal of bindings that nobody needs.

use expr::{Arena, Expr, SymbolId};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Function};

/// What the bindings of a function depend on, found once for all its results.
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

    /// The symbols from outside the function that a result depends on, ascending.
    pub fn of(&self, arena: &Arena, result: Expr) -> Vec<SymbolId> {
        let mut outside: Vec<SymbolId> = self.trace(arena, &[result]).1.into_iter().collect();
        outside.sort_unstable();
        outside
    }

    /// The places of the bindings that some results need, ascending.
    pub fn bindings_for(&self, arena: &Arena, results: &[Expr]) -> Vec<usize> {
        self.trace(arena, results).0
    }

    /// Backwards past the bindings: each that provides something wanted is needed, and what it evaluates is wanted in its place.
    fn trace(&self, arena: &Arena, results: &[Expr]) -> (Vec<usize>, FxHashSet<SymbolId>) {
        let mut wanted: FxHashSet<SymbolId> = arena.symbols_in(results).into_iter().collect();
        let mut needed = Vec::new();
        for (at, (unknowns, needs)) in self.bindings.iter().enumerate().rev() {
            if unknowns.iter().any(|unknown| wanted.contains(unknown)) {
                needed.push(at);
                wanted.extend(&needs.inside);
                unknowns.iter().for_each(|unknown| {
                    wanted.remove(unknown);
                });
                wanted.extend(&needs.before);
            }
        }
        needed.reverse();
        (needed, wanted)
    }
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

/// Drops bindings whose unknowns nobody uses. Keeps: what the function computes.
pub fn prune(arena: &Arena, function: &mut Function) {
    let kept = Dependencies::new(arena, function).bindings_for(arena, &function.results);
    let mut at = 0..;
    function.body.retain(|_| at.next().is_some_and(|at| kept.binary_search(&at).is_ok()));
}
