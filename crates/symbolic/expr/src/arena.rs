//! The arena: every distinct node exists once.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Number, Operator};

/// Names a node of an [`Arena`]. Older nodes have smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub u32);

/// Names a symbol of an [`Arena`]; symbols are distinct even if their names are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Number(Number),
    Symbol(SymbolId),
    /// Σ coefficient · term + constant. No term is a number or a multiple; terms ascend and occur once.
    Sum(Rc<[(Number, Expr)]>, Number),
    /// Π base ^ exponent. No base is a number; bases ascend; a base occurs twice only with exponents of opposite signs,
    /// which cancel where it is nonzero.
    Product(Rc<[(Expr, i32)]>),
    Apply(Operator, Rc<[Expr]>),
}

impl Node {
    /// The nodes this one is made of.
    pub fn children(&self) -> Vec<Expr> {
        let mut children = Vec::new();
        self.append_children(&mut children);
        children
    }

    fn append_children(&self, to: &mut Vec<Expr>) {
        match self {
            Node::Number(_) | Node::Symbol(_) => {}
            Node::Sum(terms, _) => to.extend(terms.iter().map(|&(_, term)| term)),
            Node::Product(factors) => to.extend(factors.iter().map(|&(base, _)| base)),
            Node::Apply(_, arguments) => to.extend(arguments.iter()),
        }
    }
}

/// Shared and append-only; the interior mutability lets formulas be written with ordinary operators (see `Term`).
#[derive(Default)]
pub struct Arena {
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    nodes: Vec<Node>,
    index: FxHashMap<Node, Expr>,
    symbols: Vec<Rc<str>>,
}

impl Arena {
    pub fn new() -> Arena {
        Arena::default()
    }

    pub fn node(&self, expr: Expr) -> Node {
        self.inner.borrow().nodes[expr.0 as usize].clone()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn intern(&self, node: Node) -> Expr {
        let mut inner = self.inner.borrow_mut();
        if let Some(&expr) = inner.index.get(&node) {
            return expr;
        }
        let expr = Expr(inner.nodes.len() as u32);
        inner.nodes.push(node.clone());
        inner.index.insert(node, expr);
        expr
    }

    /// A symbol that differs from all others, whatever its name.
    pub fn new_symbol(&self, name: &str) -> SymbolId {
        let mut inner = self.inner.borrow_mut();
        inner.symbols.push(name.into());
        SymbolId(inner.symbols.len() as u32 - 1)
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> Rc<str> {
        self.inner.borrow().symbols[symbol.0 as usize].clone()
    }

    pub fn symbol(&self, symbol: SymbolId) -> Expr {
        self.intern(Node::Symbol(symbol))
    }

    /// The symbol that this expression is, if it is one.
    pub fn as_symbol(&self, expr: Expr) -> Option<SymbolId> {
        match self.node(expr) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    pub fn as_number(&self, expr: Expr) -> Option<Number> {
        match self.node(expr) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The factor and what it multiplies, if this is a number times something else.
    pub fn as_multiple(&self, expr: Expr) -> Option<(Number, Expr)> {
        match self.node(expr) {
            Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() => Some(terms[0]),
            _ => None,
        }
    }

    pub fn is_zero(&self, expr: Expr) -> bool {
        self.as_number(expr).is_some_and(Number::is_zero)
    }

    /// All nodes that the roots are made of, children before parents.
    pub fn reachable(&self, roots: &[Expr]) -> Vec<Expr> {
        self.reachable_until(roots, |_| false)
    }

    /// As [`Arena::reachable`], without what lies below nodes for which `stop` holds; these are included.
    pub fn reachable_until(&self, roots: &[Expr], stop: impl Fn(Expr) -> bool) -> Vec<Expr> {
        let inner = self.inner.borrow();
        let mut seen = FxHashSet::default();
        let mut open: Vec<Expr> = roots.to_vec();
        while let Some(expr) = open.pop() {
            if seen.insert(expr) && !stop(expr) {
                inner.nodes[expr.0 as usize].append_children(&mut open);
            }
        }
        let mut order: Vec<Expr> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// How often each node is used: by the given nodes, and as a root.
    pub fn count_uses(&self, nodes: &[Expr], roots: &[Expr]) -> FxHashMap<Expr, usize> {
        let mut uses: FxHashMap<Expr, usize> = FxHashMap::default();
        for used in nodes.iter().flat_map(|&node| self.node(node).children()).chain(roots.iter().copied()) {
            *uses.entry(used).or_default() += 1;
        }
        uses
    }

    /// The symbols that occur in the roots, ascending.
    pub fn symbols_in(&self, roots: &[Expr]) -> Vec<SymbolId> {
        let mut symbols: Vec<SymbolId> =
            self.reachable(roots).into_iter().filter_map(|expr| self.as_symbol(expr)).collect();
        symbols.sort_unstable();
        symbols
    }
}
