//! Replacing nodes by others throughout expressions.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr, SymbolId};

/// Replacements of nodes, with memory: each node is rebuilt once, however many expressions share it.
#[derive(Clone, Default)]
pub struct Substitution {
    done: FxHashMap<Expr, Expr>,
}

impl Substitution {
    /// Every node that is the first of a pair is replaced by the second; the replacement itself is not searched again.
    pub fn new(replacements: impl IntoIterator<Item = (Expr, Expr)>) -> Substitution {
        Substitution { done: replacements.into_iter().collect() }
    }

    /// One more replacement. What was rebuilt before keeps the node, so insert it before anything that mentions it is rebuilt.
    pub fn insert(&mut self, node: Expr, replacement: Expr) {
        self.done.insert(node, replacement);
    }

    pub fn apply(&mut self, arena: &Arena, expr: Expr) -> Expr {
        if self.done.is_empty() {
            return expr;
        }
        if let Some(&done) = self.done.get(&expr) {
            return done;
        }
        for node in arena.reachable_until(&[expr], |node| self.done.contains_key(&node)) {
            if !self.done.contains_key(&node) {
                let rebuilt = self.rebuild(arena, node);
                self.done.insert(node, rebuilt);
            }
        }
        self.done[&expr]
    }

    /// One node whose children are done.
    fn rebuild(&self, arena: &Arena, node: Expr) -> Expr {
        let done = |child: &Expr| self.done[child];
        match arena.node(node) {
            Node::Number(_) | Node::Symbol(_) => node,
            Node::Sum(terms, constant) => {
                let terms = terms.iter().map(|(coefficient, term)| (*coefficient, done(term)));
                arena.sum(terms.chain([(*constant, arena.one())]).collect::<Vec<_>>())
            }
            Node::Product(factors) => {
                arena.product(factors.iter().map(|(base, exponent)| (done(base), *exponent)).collect::<Vec<_>>())
            }
            Node::Apply(operator, arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(done).collect();
                arena.apply(*operator, &arguments)
            }
        }
    }
}
/// An expression rebuilt in another arena, with something in place of each symbol; none if nothing stands for one of them.
pub fn carry(from: &Arena, expr: Expr, to: &Arena, stands_for: impl Fn(SymbolId) -> Option<Expr>) -> Option<Expr> {
    let mut done: FxHashMap<Expr, Expr> = FxHashMap::default();
    for node in from.reachable(&[expr]) {
        let rebuilt = match from.node(node) {
            Node::Number(number) => to.number(*number),
            Node::Symbol(symbol) => stands_for(*symbol)?,
            Node::Sum(terms, constant) => {
                let terms = terms.iter().map(|(coefficient, term)| (*coefficient, done[term]));
                to.sum(terms.chain([(*constant, to.one())]).collect::<Vec<_>>())
            }
            Node::Product(factors) => {
                to.product(factors.iter().map(|(base, exponent)| (done[base], *exponent)).collect::<Vec<_>>())
            }
            Node::Apply(operator, arguments) => {
                to.apply(*operator, &arguments.iter().map(|argument| done[argument]).collect::<Vec<_>>())
            }
        };
        done.insert(node, rebuilt);
    }
    done.get(&expr).copied()
}
