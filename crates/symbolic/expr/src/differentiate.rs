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
    /// What depends on the time and on nothing else that changes.
    timed: FxHashSet<Expr>,
    /// The impulses of what jumps, beside the rates of its smooth pieces in `memory`. What depends on time alone has one as a whole, of the
    /// largest part that does: a triangle wave made of `floor` and `abs` does not jump, though its parts do.
    impulses: FxHashMap<Expr, Expr>,
    /// Whether slopes have values even where parts that are not chosen there have none.
    has_tips: bool,
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
    pub fn in_time(arena: &Arena, time: Expr) -> Differentiator {
        let mut differentiator = Differentiator { jumps: Jumps::Impulses, ..Differentiator::default() };
        differentiator.seed(time, arena.one());
        differentiator.timed.insert(time);
        differentiator
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

    /// At the tip of a root, where a speed is zero perhaps, there is no derivative; from here on any that lies between those around it
    /// will do. Nor has the direction of what rests one: what is not chosen has no part in the derivative of a choice.
    pub fn seed_tips(&mut self, arena: &Arena, values: &[Expr]) {
        self.has_tips = true;
        for node in arena.reachable_until(values, |node| self.known(node).is_some()) {
            if let Node::Apply(Operator::Sqrt, inside) = arena.node(node) {
                let slope = self.derivative(arena, inside[0]);
                if !arena.is_zero(slope) {
                    let beside = arena.divide(arena.scale(0.5, slope), node);
                    let tip = arena.apply(Operator::Equal, &[node, arena.zero()]);
                    self.seed(node, arena.apply(Operator::Select, &[tip, arena.zero(), beside]));
                }
            }
        }
    }

    pub fn derivative(&mut self, arena: &Arena, expr: Expr) -> Expr {
        if !self.memory.contains_key(&expr) {
            for node in arena.reachable_until(&[expr], |node| self.memory.contains_key(&node)) {
                if !self.memory.contains_key(&node) {
                    let derivative = self.of_node(arena, node);
                    self.memory.insert(node, derivative);
                }
            }
        }
        match self.impulses.get(&expr) {
            Some(&impulse) => arena.add(self.memory[&expr], impulse),
            None => self.memory[&expr],
        }
    }

    /// The rules for one node whose children are done.
    fn of_node(&mut self, arena: &Arena, expr: Expr) -> Expr {
        if self.unknowns.contains(&expr) {
            return self.new_rate(arena, expr);
        }
        self.find_impulse(arena, expr);
        let done = |child: Expr| self.memory[&child];
        match arena.node(expr) {
            Node::Number(_) | Node::Symbol(_) => arena.zero(),
            Node::Sum(terms, _) => arena.sum(terms.iter().map(|&(coefficient, term)| (coefficient, done(term)))),
            Node::Product(factors) => product_rule(arena, factors, |base| Some(done(base))),
            Node::Apply(operator, arguments) => {
                if self.jumps == Jumps::Impulses && matches!(operator, Operator::Impulse | Operator::Leap) {
                    return arena.apply(Operator::Leap, arguments);
                }
                if arguments.iter().all(|&argument| arena.is_zero(done(argument))) {
                    return arena.zero();
                }
                if let (Operator::Select, &[condition, x, y], true) = (operator, &arguments[..], self.has_tips) {
                    return arena.apply(Operator::Select, &[condition, done(x), done(y)]);
                }
                let slopes = match (self.jumps, operator.row().bends) {
                    (Jumps::Borders, Bends::Jumps) => border_slopes(arena, expr, *operator, arguments),
                    _ => (operator.row().slope)(arena, arguments),
                };
                let parts = slopes.iter().zip(arguments.iter());
                let parts: Vec<(Number, Expr)> =
                    parts.map(|(&slope, &argument)| (Number::ONE, arena.multiply(slope, done(argument)))).collect();
                arena.sum(parts)
            }
        }
    }

    /// Notes the impulse of a node whose children are done, if it has one.
    fn find_impulse(&mut self, arena: &Arena, expr: Expr) {
        let node = arena.node(expr);
        let mark = matches!(node, Node::Apply(Operator::Impulse | Operator::Leap, _));
        if self.jumps != Jumps::Impulses || mark {
            return;
        }
        let children = node.children();
        let timed = |child: &Expr| self.timed.contains(child);
        let still = |child: &Expr| arena.is_zero(self.memory[child]) && !self.impulses.contains_key(child);
        let whole = |whole: Expr| arena.apply(Operator::Impulse, &[whole]);
        let bends = matches!(node, Node::Apply(operator, _) if operator.row().bends == Bends::Jumps);
        let jumps = children.iter().any(|child| self.impulses.contains_key(child));
        let is_timed = children.iter().any(timed) && children.iter().all(|child| timed(child) || still(child));
        let moves = !children.iter().all(still);
        let impulse = match node {
            _ if is_timed || !jumps => ((jumps || bends) && moves).then(|| whole(expr)),
            Node::Sum(terms, _) => {
                let (alone, others): (Vec<_>, Vec<_>) = terms.iter().copied().partition(|(_, term)| timed(term));
                let jumps = alone.iter().any(|(_, term)| self.impulses.contains_key(term));
                let together = jumps.then(|| whole(arena.sum(alone)));
                let others = others.into_iter().filter_map(|(factor, term)| Some((factor, *self.impulses.get(&term)?)));
                Some(arena.sum(others.chain(together.map(|impulse| (Number::ONE, impulse))).collect::<Vec<_>>()))
            }
            Node::Product(factors) => {
                let (alone, others): (Vec<_>, Vec<_>) = factors.iter().copied().partition(|(base, _)| timed(base));
                let jumps = alone.iter().any(|(base, _)| self.impulses.contains_key(base));
                let rest = arena.product(others);
                let together = jumps.then(|| arena.multiply(whole(arena.product(alone)), rest));
                let each =
                    product_rule(arena, factors, |base| self.impulses.get(&base).copied().filter(|_| !timed(&base)));
                Some(together.map_or(each, |together| arena.add(together, each)))
            }
            // What jumps is judged as a whole; so is what is not linear in what jumps.
            _ => Some(whole(expr)),
        };
        if is_timed {
            self.timed.insert(expr);
        }
        if let Some(impulse) = impulse {
            self.impulses.insert(expr, impulse);
        }
    }

    fn new_rate(&mut self, arena: &Arena, symbol: Expr) -> Expr {
        let name = arena.as_symbol(symbol).map(|symbol| format!("{}'", arena.symbol_name(symbol)));
        let rate = arena.symbol(arena.new_symbol(&name.unwrap_or_default()));
        self.unknowns.insert(rate);
        rate
    }
}

/// The rate of a product, from the rates of those factors that have one.
fn product_rule(arena: &Arena, factors: &[(Expr, i32)], rate: impl Fn(Expr) -> Option<Expr>) -> Expr {
    let parts = factors.iter().enumerate().filter_map(|(at, &(base, exponent))| {
        let rate = rate(base).filter(|&rate| !arena.is_zero(rate))?;
        let mut others = factors.to_vec();
        others[at].1 = exponent - 1;
        Some((Number::from(f64::from(exponent)), arena.multiply(arena.product(others), rate)))
    });
    arena.sum(parts.collect::<Vec<_>>())
}
