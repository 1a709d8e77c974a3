//! Replacing nodes by others throughout an expression.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr};

/// Rebuilds `expr` with every node that is a key of `replacements` replaced by its value. The replacement itself is not
/// searched again.
pub fn substitute(arena: &Arena, expr: Expr, replacements: &FxHashMap<Expr, Expr>) -> Expr {
    let mut done = replacements.clone();
    for node in arena.reachable_until(&[expr], |node| replacements.contains_key(&node)) {
        if done.contains_key(&node) {
            continue;
        }
        let rebuilt = match arena.node(node) {
            Node::Number(_) | Node::Symbol(_) => node,
            Node::Sum(terms, constant) => {
                let terms = terms.iter().map(|&(coefficient, term)| (coefficient, done[&term]));
                arena.sum(terms.chain([(constant, arena.one())]).collect::<Vec<_>>())
            }
            Node::Product(factors) => {
                arena.product(factors.iter().map(|&(base, exponent)| (done[&base], exponent)).collect::<Vec<_>>())
            }
            Node::Apply(operator, arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(|argument| done[argument]).collect();
                arena.apply(operator, &arguments)
            }
        };
        done.insert(node, rebuilt);
    }
    done[&expr]
}
