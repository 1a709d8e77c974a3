//! Whether expressions of different arenas are the same, as far as names tell.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr, SymbolId};

/// Compares expressions of two arenas whose symbols have the same names. What is not found alike may still be equal.
pub struct Alike<'a> {
    arenas: [&'a Arena; 2],
    /// Symbols whose names do not tell them apart, and what to call them instead.
    renamed: [FxHashMap<SymbolId, String>; 2],
    known: FxHashMap<(Expr, Expr), bool>,
}

impl<'a> Alike<'a> {
    pub fn new(first: &'a Arena, second: &'a Arena) -> Alike<'a> {
        Alike { arenas: [first, second], renamed: Default::default(), known: FxHashMap::default() }
    }

    /// Symbols that correspond to one another, whatever they are called.
    pub fn rename(&mut self, first: &[SymbolId], second: &[SymbolId]) {
        for (side, symbols) in [first, second].into_iter().enumerate() {
            let name = |at: usize| format!("{at} of {}", symbols.len());
            self.renamed[side].extend(symbols.iter().enumerate().map(|(at, &symbol)| (symbol, name(at))));
        }
    }

    pub fn are(&mut self, a: Expr, b: Expr) -> bool {
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        let found = match (self.arenas[0].node(a), self.arenas[1].node(b)) {
            (Node::Number(a), Node::Number(b)) => a == b,
            (Node::Symbol(a), Node::Symbol(b)) => self.name(0, *a) == self.name(1, *b),
            (Node::Sum(a, constant), Node::Sum(b, other)) => constant == other && self.are_all(a, b),
            (Node::Product(a), Node::Product(b)) => {
                let turned = |factors: &[(Expr, i32)]| factors.iter().map(|&(base, e)| (e, base)).collect::<Vec<_>>();
                self.are_all(&turned(a), &turned(b))
            }
            (Node::Apply(a, x), Node::Apply(b, y)) => {
                a == b && x.len() == y.len() && x.iter().zip(y.iter()).all(|(&x, &y)| self.are(x, y))
            }
            _ => false,
        };
        self.known.insert((a, b), found);
        found
    }

    /// Whether each of some has its match among others. Their order comes from the arena, so it may differ.
    pub fn are_all<W: Copy + PartialEq>(&mut self, first: &[(W, Expr)], second: &[(W, Expr)]) -> bool {
        const MANY: usize = 200;
        if first.len() != second.len() || first.len() > MANY {
            return false;
        }
        let mut left: Vec<(W, Expr)> = second.to_vec();
        first.iter().all(|&(weight, a)| {
            let found = left.iter().position(|&(other, b)| weight == other && self.are(a, b));
            found.map(|at| left.remove(at)).is_some()
        })
    }

    fn name(&self, side: usize, symbol: SymbolId) -> String {
        let renamed = self.renamed[side].get(&symbol).cloned();
        renamed.unwrap_or_else(|| self.arenas[side].symbol_name(symbol).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    #[test]
    fn the_order_of_making_does_not_matter() {
        let (first, second) = (Arena::new(), Arena::new());
        let make = |arena: &Arena, names: [&str; 2]| {
            let parts = names.map(|name| arena.symbol(arena.new_symbol(name)));
            let place = |name: &str| parts[names.iter().position(|it| *it == name).expect("a name")];
            let (x, y) = (place("x"), place("y"));
            let sine = arena.apply(Operator::Sin, &[arena.multiply(x, y)]);
            (arena.add(arena.scale(2.0, x), arena.divide(sine, y)), x, y)
        };
        let (a, x, y) = make(&first, ["x", "y"]);
        let (b, ..) = make(&second, ["y", "x"]);
        let mut alike = Alike::new(&first, &second);
        assert!(alike.are(a, b));
        let other =
            first.add(first.scale(2.0, y), first.divide(first.apply(Operator::Sin, &[first.multiply(x, y)]), y));
        assert!(!alike.are(other, b));
    }
}
