//! Differentiation on the shared graph, forward, with memory: each node is differentiated once.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Node;
use crate::operator::{Bends, Operator};
use crate::{Arena, Expr, Number};

/// A derivative given by its values on some nodes, the *seeds*; every other symbol is constant.
///
/// Seeding a symbol with one gives a partial derivative; seeding each coordinate with its rate gives the time derivative.
/// Inner nodes may be seeded too: where the derivative of a rotation matrix is known to be ω × R, nobody needs to find it
/// again from the angles, and where a position is seeded with zero, the derivative is the one at fixed position.
#[derive(Clone, Default)]
pub struct Differentiator {
    /// Known derivatives: the seeds, and what followed from them.
    memory: FxHashMap<Expr, Expr>,
    /// Symbols whose derivative is a symbol of its own.
    unknowns: FxHashSet<Expr>,
    jumps: Jumps,
}

/// What becomes of jumps in a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Jumps {
    /// They are left out: the derivative is that of the smooth pieces.
    #[default]
    Ignored,
    Impulses,
    Borders,
}

/// The slopes of what jumps, with its border for the distribution that stands there: ∂[g > 0] = δ(g) ∂g.
fn border_slopes(arena: &Arena, expr: Expr, operator: Operator, x: &[Expr]) -> Vec<Expr> {
    let border = arena.apply(Operator::Border, &[expr]);
    let not = |truth: Expr| arena.subtract(arena.one(), truth);
    match operator {
        Operator::Less | Operator::LessEqual => vec![arena.negate(border), border],
        Operator::Sign => vec![arena.scale(2.0, border)],
        Operator::Floor => vec![border],
        Operator::And => vec![x[1], x[0]],
        Operator::Or => vec![not(x[1]), not(x[0])],
        Operator::Not => vec![arena.negate(arena.one())],
        Operator::Select => {
            let mut slopes = (operator.row().slope)(arena, x);
            slopes[0] = arena.subtract(x[1], x[2]);
            slopes
        }
        _ => (operator.row().slope)(arena, x),
    }
}

impl Differentiator {
    pub fn new() -> Differentiator {
        Differentiator::default()
    }

    /// The derivative with respect to time: where something jumps, its rate is an impulse, which an operator stands for.
    pub fn in_time() -> Differentiator {
        Differentiator { jumps: Jumps::Impulses, ..Differentiator::default() }
    }

    /// A slope in space, such as the force of a potential: where something jumps, it acts at its border, which an operator stands for.
    pub fn in_space() -> Differentiator {
        Differentiator { jumps: Jumps::Borders, ..Differentiator::default() }
    }

    /// The partial derivative by one symbol.
    pub fn by(arena: &Arena, symbol: Expr) -> Differentiator {
        let mut differentiator = Differentiator::new();
        differentiator.seed(symbol, arena.one());
        differentiator
    }

    /// States the derivative of a node. What was derived before from other seeds is forgotten only for this node, so
    /// seed in the order in which things are built.
    pub fn seed(&mut self, expr: Expr, derivative: Expr) {
        self.memory.insert(expr, derivative);
    }

    /// States that a symbol changes in a way that nobody knows yet: its derivative is a symbol of its own, made when it is first
    /// needed, and so is the derivative of that.
    pub fn seed_unknown(&mut self, symbol: Expr) {
        self.unknowns.insert(symbol);
    }

    /// Whether a symbol was said to change in a way that nobody knows yet, or is the rate of one.
    pub fn is_unknown(&self, symbol: Expr) -> bool {
        self.unknowns.contains(&symbol)
    }

    /// The derivative of a node, where it has been needed before.
    pub fn known(&self, expr: Expr) -> Option<Expr> {
        self.memory.get(&expr).copied()
    }

    pub fn derivative(&mut self, arena: &Arena, expr: Expr) -> Expr {
        if let Some(&known) = self.memory.get(&expr) {
            return known;
        }
        let order = arena.reachable_until(&[expr], |node| self.memory.contains_key(&node));
        for node in order {
            if !self.memory.contains_key(&node) {
                let derivative = self.of_node(arena, node);
                self.memory.insert(node, derivative);
            }
        }
        self.memory[&expr]
    }

    /// The rules for one node whose children are done.
    fn of_node(&mut self, arena: &Arena, expr: Expr) -> Expr {
        if self.unknowns.contains(&expr) {
            return self.new_rate(arena, expr);
        }
        let done = |child: Expr| self.memory[&child];
        match arena.node(expr) {
            Node::Number(_) | Node::Symbol(_) => arena.zero(),
            Node::Sum(terms, _) => arena.sum(terms.iter().map(|&(coefficient, term)| (coefficient, done(term)))),
            Node::Product(factors) => {
                let parts = factors.iter().enumerate().filter(|(_, (base, _))| !arena.is_zero(done(*base)));
                let parts: Vec<(Number, Expr)> = parts
                    .map(|(at, &(base, exponent))| {
                        let mut others = factors.to_vec();
                        others[at].1 = exponent - 1;
                        let others = arena.product(others);
                        (Number::from(f64::from(exponent)), arena.multiply(others, done(base)))
                    })
                    .collect();
                arena.sum(parts)
            }
            Node::Apply(operator, arguments) => {
                if arguments.iter().all(|&argument| arena.is_zero(done(argument))) {
                    return arena.zero();
                }
                if self.jumps == Jumps::Impulses && matches!(operator, Operator::Impulse | Operator::Leap) {
                    return arena.apply(Operator::Leap, arguments);
                }
                let slopes = match (self.jumps, operator.row().bends) {
                    (Jumps::Borders, Bends::Jumps) => border_slopes(arena, expr, *operator, arguments),
                    _ => (operator.row().slope)(arena, arguments),
                };
                let parts = slopes.iter().zip(arguments.iter());
                let parts: Vec<(Number, Expr)> =
                    parts.map(|(&slope, &argument)| (Number::ONE, arena.multiply(slope, done(argument)))).collect();
                let impulse = self.jumps == Jumps::Impulses && operator.row().bends == Bends::Jumps;
                let impulse = impulse.then(|| (Number::ONE, arena.apply(Operator::Impulse, &[expr])));
                arena.sum(parts.into_iter().chain(impulse).collect::<Vec<_>>())
            }
        }
    }

    fn new_rate(&mut self, arena: &Arena, symbol: Expr) -> Expr {
        let name = arena.as_symbol(symbol).map(|symbol| format!("{}'", arena.symbol_name(symbol)));
        let rate = arena.symbol(arena.new_symbol(&name.unwrap_or_default()));
        self.unknowns.insert(rate);
        rate
    }
}
