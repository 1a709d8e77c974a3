//! The arena: every distinct node exists once.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use base::Ledger;
use rustc_hash::{FxHashMap, FxHasher};

use crate::{Curve, Number, Operator};

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
    Sum(Arc<[(Number, Expr)]>, Number),
    /// Π base ^ exponent. No base is a number; bases ascend; a base occurs twice only with exponents of opposite signs,
    /// which cancel where it is nonzero.
    Product(Arc<[(Expr, i32)]>),
    Apply(Operator, Arc<[Expr]>),
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

/// Shared and append-only; the interior mutability lets formulas be written with ordinary operators (see `Term`). Threads may share it:
/// reading takes no lock, and what is read stays where it is.
#[derive(Default)]
pub struct Arena {
    nodes: Ledger<Node>,
    index: Mutex<Index>,
    symbols: Ledger<Symbol>,
    zero: OnceLock<Expr>,
    one: OnceLock<Expr>,
    /// What `Place` and `Cell` name by its number.
    curves: OnceLock<Vec<Arc<Curve>>>,
    /// What `Past` names by its number, as the author writes it.
    signals: OnceLock<Vec<String>>,
    marks: Mutex<Marks>,
}

struct Symbol {
    name: Box<str>,
    /// Its node, once there is one.
    expr: OnceLock<Expr>,
}

/// Finds a node among all. The nodes themselves are not in it, which is most of what a table of them would take.
#[derive(Default)]
struct Index {
    /// At the place that its hash names, or behind it: each node, with a part of its hash. Never more than half full.
    slots: Vec<(u32, Expr)>,
}

const NOBODY: Expr = Expr(u32::MAX);

impl Index {
    /// Where a node is, or the place where it belongs.
    fn find(&self, nodes: &Ledger<Node>, node: &Node, hash: u32) -> Result<Expr, usize> {
        let mut at = hash as usize;
        loop {
            at &= self.slots.len() - 1;
            match self.slots[at] {
                (_, NOBODY) => return Err(at),
                (known, expr) if known == hash && nodes[expr.0 as usize] == *node => return Ok(expr),
                _ => at += 1,
            }
        }
    }

    fn make_room(&mut self, nodes: usize) {
        if 2 * nodes < self.slots.len() {
            return;
        }
        let room = vec![(0, NOBODY); (4 * nodes).next_power_of_two().max(64)];
        let known = std::mem::replace(&mut self.slots, room);
        for (hash, expr) in known.into_iter().filter(|&(_, expr)| expr != NOBODY) {
            let mut at = hash as usize & (self.slots.len() - 1);
            while self.slots[at].1 != NOBODY {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = (hash, expr);
        }
    }
}

/// Which nodes a search has seen: those that bear its number. Kept from one search to the next, most of which are short.
#[derive(Default)]
pub struct Marks {
    number: u32,
    of_node: Vec<u32>,
    open: Vec<Expr>,
}

impl Marks {
    /// For another search, which has seen nothing yet.
    pub fn forget(&mut self) {
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.of_node.fill(0);
            self.number = 1;
        }
    }

    /// Whether a node has been seen.
    pub fn has(&self, expr: Expr) -> bool {
        self.of_node.get(expr.0 as usize).is_some_and(|&number| number == self.number)
    }

    /// Whether a node is seen for the first time.
    fn is_new(&mut self, expr: Expr) -> bool {
        std::mem::replace(&mut self.of_node[expr.0 as usize], self.number) != self.number
    }
}

/// Whoever panicked while holding one of these locks has left it as it was, or with fewer marks than it could have.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Arena {
    pub fn new() -> Arena {
        Arena::default()
    }

    /// An arena whose expressions may name these curves, by their places.
    pub fn with_curves(curves: Vec<Arc<Curve>>) -> Arena {
        Arena { curves: OnceLock::from(curves), ..Arena::default() }
    }

    pub fn curves(&self) -> &[Arc<Curve>] {
        self.curves.get().map_or(&[], Vec::as_slice)
    }

    /// Says what the signals are called whose past is spoken of, once.
    pub fn name_signals(&self, names: Vec<String>) {
        let _ = self.signals.set(names);
    }

    pub fn signals(&self) -> &[String] {
        self.signals.get().map_or(&[], Vec::as_slice)
    }

    /// The signal that a number names, with a prime for each derivative.
    pub(crate) fn signal_of(&self, number: Expr, order: Expr) -> String {
        let value = |expr| self.as_number(expr).map_or(0, |number| number.value() as usize);
        let name = self.signals().get(value(number)).map_or("past", String::as_str);
        format!("{name}{}", "'".repeat(value(order)))
    }

    /// The curve that a number names.
    pub(crate) fn curve_of(&self, number: Expr) -> Arc<Curve> {
        let number = self.as_number(number).expect("a curve is named by a number");
        self.curves()[number.value() as usize].clone()
    }

    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.0 as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn intern(&self, node: Node) -> Expr {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let hash = hasher.finish() as u32;
        let mut index = lock(&self.index);
        index.make_room(self.nodes.len());
        index.find(&self.nodes, &node, hash).unwrap_or_else(|place| {
            let expr = Expr(self.nodes.push(node) as u32);
            index.slots[place] = (hash, expr);
            expr
        })
    }

    /// A symbol that differs from all others, whatever its name.
    pub fn new_symbol(&self, name: &str) -> SymbolId {
        SymbolId(self.symbols.push(Symbol { name: name.into(), expr: OnceLock::new() }) as u32)
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize].name
    }

    pub fn symbol(&self, symbol: SymbolId) -> Expr {
        *self.symbols[symbol.0 as usize].expr.get_or_init(|| self.intern(Node::Symbol(symbol)))
    }

    pub fn zero(&self) -> Expr {
        *self.zero.get_or_init(|| self.number(Number::ZERO))
    }

    pub fn one(&self) -> Expr {
        *self.one.get_or_init(|| self.number(Number::ONE))
    }

    /// The factor and the term of a node that is a multiple.
    pub(crate) fn as_multiple(&self, expr: Expr) -> Option<(Number, Expr)> {
        match self.node(expr) {
            Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() => Some(terms[0]),
            _ => None,
        }
    }

    /// A sum without one of its terms, and the factor of that: for an unknown that is a term and occurs nowhere else in it.
    pub fn without_term(&self, sum: Expr, unknown: SymbolId) -> Option<(Number, Expr)> {
        let Node::Sum(terms, constant) = self.node(sum) else { return None };
        let symbol = self.symbol(unknown);
        let at = terms.binary_search_by_key(&symbol, |&(_, term)| term).ok()?;
        let others: Vec<(Number, Expr)> = terms[..at].iter().chain(&terms[at + 1..]).copied().collect();
        let inside: Vec<Expr> = others.iter().map(|&(_, term)| term).collect();
        if self.symbols_in(&inside).binary_search(&unknown).is_ok() {
            return None;
        }
        Some((terms[at].0, self.sum(others.into_iter().chain([(*constant, self.one())]))))
    }

    /// The symbol that this expression is, if it is one.
    pub fn as_symbol(&self, expr: Expr) -> Option<SymbolId> {
        match *self.node(expr) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    pub fn as_number(&self, expr: Expr) -> Option<Number> {
        match *self.node(expr) {
            Node::Number(number) => Some(number),
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
        let mut order = Vec::with_capacity(16);
        self.search(roots, stop, |expr, _| order.push(expr));
        order.sort_unstable();
        order
    }

    /// Visits all nodes that the roots are made of once, in any order.
    fn search(&self, roots: &[Expr], stop: impl Fn(Expr) -> bool, mut visit: impl FnMut(Expr, &Node)) {
        // A search within a search, or in another thread, has marks of its own.
        let mut marks = std::mem::take(&mut *lock(&self.marks));
        marks.forget();
        self.search_on(&mut marks, roots, stop, &mut visit);
        *lock(&self.marks) = marks;
    }

    /// Goes on with a search from other roots.
    fn search_on(
        &self,
        marks: &mut Marks,
        roots: &[Expr],
        stop: impl Fn(Expr) -> bool,
        visit: &mut impl FnMut(Expr, &Node),
    ) {
        if marks.of_node.len() < self.nodes.len() {
            marks.of_node.resize(self.nodes.len().next_power_of_two(), 0);
        }
        let mut open = std::mem::take(&mut marks.open);
        open.extend(roots);
        while let Some(expr) = open.pop() {
            if marks.is_new(expr) {
                let node = self.node(expr);
                visit(expr, node);
                if !stop(expr) {
                    node.append_children(&mut open);
                }
            }
        }
        marks.open = open;
    }

    /// What the roots are made of and a search has not seen yet, ascending: whoever asks for one expression after another meets each node once.
    pub fn unseen(&self, roots: &[Expr], marks: &mut Marks) -> Vec<Expr> {
        let mut order = Vec::new();
        self.search_on(marks, roots, |_| false, &mut |expr, _| order.push(expr));
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
        let mut symbols = Vec::with_capacity(8);
        self.search(
            roots,
            |_| false,
            |_, node| {
                if let Node::Symbol(symbol) = node {
                    symbols.push(*symbol);
                }
            },
        );
        symbols.sort_unstable();
        symbols
    }
}
