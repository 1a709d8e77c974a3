//! What is needed for what: dependencies through bindings, and the removal of bindings that nobody needs.
//!
//! Expressions share most of what they are made of: of a long chain every binding speaks of half of all symbols. So nothing here lists the
//! symbols of a binding; a search goes on from binding to binding and meets each node once.

use std::cell::RefCell;
use std::collections::BinaryHeap;

use expr::{Arena, Expr, Marks, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Binding, Function};

/// Which bindings of a function give what its results, and other bindings, speak of.
pub struct Dependencies<'f> {
    pub function: &'f Function,
    /// The places of the bindings that give a symbol, ascending.
    givers: FxHashMap<SymbolId, Vec<usize>>,
    marks: RefCell<Marks>,
}

impl<'f> Dependencies<'f> {
    pub fn new(function: &'f Function) -> Dependencies<'f> {
        let mut givers: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
        for (at, binding) in function.body.iter().enumerate() {
            binding.unknowns().iter().for_each(|&unknown| givers.entry(unknown).or_default().push(at));
        }
        Dependencies { function, givers, marks: RefCell::default() }
    }

    /// The places of the bindings that some of the results need, ascending.
    ///
    /// The latest user comes first, so that whoever meets a symbol knows which bindings come too late to give it. Of several that give the
    /// same symbol all are kept.
    pub fn bindings_for(&self, arena: &Arena, results: &[Expr]) -> Vec<usize> {
        let mut marks = self.marks.borrow_mut();
        marks.forget();
        let (mut needed, mut open) = (FxHashSet::default(), BinaryHeap::new());
        let mut want = |roots: &[Expr], end: usize, open: &mut BinaryHeap<usize>| {
            for symbol in arena.unseen(roots, &mut marks).into_iter().filter_map(|node| arena.as_symbol(node)) {
                let givers = self.givers.get(&symbol).into_iter().flatten();
                open.extend(givers.filter(|&&at| at < end && needed.insert(at)));
            }
        };
        want(results, self.function.body.len(), &mut open);
        while let Some(at) = open.pop() {
            let [inside, before] = evaluated(&self.function.body[at]);
            want(&inside, at + 1, &mut open);
            want(&before, at, &mut open);
        }
        let mut needed: Vec<usize> = needed.into_iter().collect();
        needed.sort_unstable();
        needed
    }

    /// Which of some places, which symbols from outside have, go together since a result or a binding that it needs depends on both; and a
    /// place for each result, if it depends on any. What depends on no place is the same for everybody and joins nobody.
    pub fn joined(
        &self,
        arena: &Arena,
        results: &[Expr],
        place: impl Fn(SymbolId) -> Option<usize>,
    ) -> (Vec<Vec<usize>>, Vec<Option<usize>>) {
        let mut joining = Joining { arena, place, bound: FxHashMap::default(), of_node: Vec::new(), pairs: Vec::new() };
        joining.of_node.resize(arena.len(), None);
        let needed = self.bindings_for(arena, results);
        let mut marks = self.marks.borrow_mut();
        marks.forget();
        for at in needed {
            let binding = &self.function.body[at];
            let [inside, before] = evaluated(binding);
            let before: Vec<_> = arena.symbols_in(&before).into_iter().map(|it| joining.of_symbol(it)).collect();
            // Whoever spoke of an unknown earlier meant what was there before, so that nothing of it holds from now on.
            if binding.unknowns().iter().any(|&unknown| marks.has(arena.symbol(unknown))) {
                marks.forget();
            }
            let nodes = arena.unseen(&inside, &mut marks);
            joining.bind(binding.unknowns(), None);
            joining.visit(&nodes);
            let inside: Vec<_> = inside.iter().map(|&root| joining.of_node[root.0 as usize]).collect();
            if let Some(place) = joining.join(inside.into_iter().chain(before)) {
                joining.bind(binding.unknowns(), Some(place));
                joining.visit(&nodes);
            }
        }
        let nodes = arena.unseen(results, &mut marks);
        joining.visit(&nodes);
        let of_results = results.iter().map(|&result| joining.of_node[result.0 as usize]).collect();
        (joining.pairs, of_results)
    }
}

/// A place that each node depends on, as far as a function has been read, and the pairs of places that nodes join.
struct Joining<'a, P> {
    arena: &'a Arena,
    place: P,
    /// What has been bound so far.
    bound: FxHashMap<SymbolId, Option<usize>>,
    of_node: Vec<Option<usize>>,
    pairs: Vec<Vec<usize>>,
}

impl<P: Fn(SymbolId) -> Option<usize>> Joining<'_, P> {
    fn bind(&mut self, unknowns: &[SymbolId], place: Option<usize>) {
        self.bound.extend(unknowns.iter().map(|&unknown| (unknown, place)));
    }

    fn of_symbol(&self, symbol: SymbolId) -> Option<usize> {
        self.bound.get(&symbol).copied().unwrap_or_else(|| (self.place)(symbol))
    }

    fn join(&mut self, places: impl Iterator<Item = Option<usize>>) -> Option<usize> {
        let mut places = places.flatten();
        let first = places.next()?;
        self.pairs.extend(places.filter(|&other| other != first).map(|other| vec![first, other]));
        Some(first)
    }

    /// Nodes, what they are made of before them.
    fn visit(&mut self, nodes: &[Expr]) {
        for &node in nodes {
            self.of_node[node.0 as usize] = match self.arena.as_symbol(node) {
                Some(symbol) => self.of_symbol(symbol),
                None => {
                    let children = self.arena.node(node).children();
                    let places: Vec<_> = children.iter().map(|child| self.of_node[child.0 as usize]).collect();
                    self.join(places.into_iter())
                }
            };
        }
    }
}

/// What a binding evaluates, and its seeds, which speak of the symbols as they were before.
fn evaluated(binding: &Binding) -> [Vec<Expr>; 2] {
    match binding {
        Binding::Linear(_) | Binding::Sum(_) => [binding.expressions(), Vec::new()],
        Binding::Nonlinear(system) => {
            let slopes = system.jacobian.iter().map(|&(_, _, value)| value);
            [system.residuals.iter().copied().chain(slopes).collect(), system.seeds.clone()]
        }
    }
}

/// Drops bindings whose unknowns nobody uses. Keeps: what the function computes.
pub fn prune(arena: &Arena, function: &mut Function) {
    let kept = Dependencies::new(function).bindings_for(arena, &function.results);
    let mut at = 0..;
    function.body.retain(|_| at.next().is_some_and(|at| kept.binary_search(&at).is_ok()));
}
