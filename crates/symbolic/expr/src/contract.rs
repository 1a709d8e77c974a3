//! Which values symbols can have where some expressions lie in given intervals: everything that is left out is impossible.
//!
//! Each expression is enclosed from its symbols upwards, and what it must be narrows its parts downwards, again and again. Where that
//! comes to a standstill, the widest symbol is cut in two. (Benhamou, Goualard, Granvilliers and Puget: Revising hull and box
//! consistency, 1999.)

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr, Interval, Number, SymbolId};

/// What symbols can be. Those that are missing can be anything.
pub type Region = FxHashMap<SymbolId, Interval>;

/// An expression that must lie in an interval.
pub type Demand = (Expr, Interval);

/// Rounds of narrowing, at most.
const ROUNDS: usize = 30;
/// Regions that are looked at before the question is given up.
const REGIONS: usize = 120;

/// Whether no point of a region meets all demands. `false` means unknown.
pub fn is_impossible(arena: &Arena, demands: &[Demand], region: &Region) -> bool {
    let net = Net::new(arena, demands);
    let mut open = vec![region.clone()];
    let mut looked_at = 0;
    while let Some(mut region) = open.pop() {
        looked_at += 1;
        if looked_at > REGIONS {
            return false;
        }
        if !net.narrow(&mut region) {
            continue;
        }
        let Some((symbol, [low, high])) = net.halves(&region) else { return false };
        for half in [low, high] {
            let mut part = region.clone();
            part.insert(symbol, half);
            open.push(part);
        }
    }
    true
}

/// A region without parts in which no point meets all demands; nothing if none is left.
pub fn contract(arena: &Arena, demands: &[Demand], region: &Region) -> Option<Region> {
    let mut region = region.clone();
    Net::new(arena, demands).narrow(&mut region).then_some(region)
}

/// All that each part of some expressions can be where their symbols lie in a region.
pub fn enclose(arena: &Arena, roots: &[Expr], region: &Region) -> FxHashMap<Expr, Interval> {
    let net = Net::of(arena, &roots.iter().map(|&root| (root, Interval::WHOLE)).collect::<Vec<_>>());
    arena.reachable(roots).into_iter().zip(net.all(region)).collect()
}

/// Expressions with all that they are made of, children before parents.
pub(crate) struct Net<'a> {
    nodes: Vec<&'a Node>,
    /// For each node the places of its children, in their order.
    children: Vec<Vec<usize>>,
    /// For each node what is demanded of it.
    wanted: Vec<Interval>,
    symbols: Vec<(usize, SymbolId)>,
}

impl<'a> Net<'a> {
    pub fn new(arena: &'a Arena, demands: &[Demand]) -> Net<'a> {
        let demands: Vec<Demand> = demands.iter().map(|&demand| turned(arena, demand)).collect();
        Net::of(arena, &demands)
    }

    pub fn of(arena: &'a Arena, demands: &[Demand]) -> Net<'a> {
        let roots: Vec<Expr> = demands.iter().map(|&(expr, _)| expr).collect();
        let order = arena.reachable(&roots);
        let place: FxHashMap<Expr, usize> = order.iter().enumerate().map(|(at, &expr)| (expr, at)).collect();
        let nodes: Vec<&Node> = order.iter().map(|&expr| arena.node(expr)).collect();
        let children = nodes.iter().map(|node| node.children().iter().map(|child| place[child]).collect()).collect();
        let symbols = nodes.iter().enumerate().filter_map(|(at, node)| match node {
            Node::Symbol(symbol) => Some((at, *symbol)),
            _ => None,
        });
        let symbols = symbols.collect();
        let mut wanted = vec![Interval::WHOLE; nodes.len()];
        for (expr, interval) in demands {
            wanted[place[expr]] = wanted[place[expr]].meet(*interval);
        }
        Net { nodes, children, wanted, symbols }
    }

    /// All that each node can be, in their order.
    pub fn all(&self, region: &Region) -> Vec<Interval> {
        let mut values: Vec<Interval> = Vec::with_capacity(self.nodes.len());
        for at in 0..self.nodes.len() {
            values.push(self.enclose(at, &values, region));
        }
        values
    }

    /// Narrows a region; whether anything is left of it.
    pub fn narrow(&self, region: &mut Region) -> bool {
        for _ in 0..ROUNDS {
            let before: Vec<Interval> = self.symbols.iter().map(|(_, symbol)| known(region, *symbol)).collect();
            let mut values: Vec<Interval> = Vec::with_capacity(self.nodes.len());
            for at in 0..self.nodes.len() {
                values.push(self.enclose(at, &values, region).meet(self.wanted[at]));
            }
            for at in (0..self.nodes.len()).rev() {
                if values[at].is_empty() {
                    return false;
                }
                self.push_down(at, &mut values);
            }
            let mut progress = false;
            for (&(at, symbol), before) in self.symbols.iter().zip(before) {
                let now = values[at];
                if now.is_empty() {
                    return false;
                }
                progress |= is_narrower(now, before);
                region.insert(symbol, now);
            }
            if !progress {
                break;
            }
        }
        true
    }

    fn enclose(&self, at: usize, values: &[Interval], region: &Region) -> Interval {
        let of = |child: usize| values[self.children[at][child]];
        match self.nodes[at] {
            Node::Number(number) => Interval::point(number.value()),
            Node::Symbol(symbol) => known(region, *symbol),
            Node::Sum(terms, constant) => {
                let parts = terms.iter().enumerate().map(|(at, (c, _))| of(at).times(Interval::point(c.value())));
                parts.fold(Interval::point(constant.value()), Interval::plus)
            }
            Node::Product(factors) => {
                let parts = factors.iter().enumerate().map(|(at, &(_, exponent))| of(at).power(exponent));
                parts.reduce(Interval::times).unwrap_or(Interval::point(1.0))
            }
            Node::Apply(operator, arguments) => {
                let arguments: Vec<Interval> = (0..arguments.len()).map(of).collect();
                (operator.row().encloses)(&arguments)
            }
        }
    }

    /// What a node is narrows its children.
    fn push_down(&self, at: usize, values: &mut [Interval]) {
        let (own, children) = (values[at], &self.children[at]);
        let narrow = |values: &mut [Interval], child: usize, to: Interval| {
            values[children[child]] = values[children[child]].meet(to);
        };
        match self.nodes[at] {
            Node::Number(_) | Node::Symbol(_) => {}
            Node::Sum(terms, constant) => {
                let part =
                    |values: &[Interval], at: usize| values[children[at]].times(Interval::point(terms[at].0.value()));
                for child in 0..children.len() {
                    let others = (0..children.len()).filter(|&other| other != child).map(|other| part(values, other));
                    let others = others.fold(Interval::point(constant.value()), Interval::plus);
                    let scaled = own.minus(others).times(Interval::point(terms[child].0.value()).inverse());
                    narrow(values, child, scaled);
                }
            }
            Node::Product(factors) => {
                for child in 0..children.len() {
                    let others = (0..children.len()).filter(|&other| other != child);
                    let others = others.map(|other| values[children[other]].power(factors[other].1));
                    let others = others.reduce(Interval::times).unwrap_or(Interval::point(1.0));
                    if others.contains(0.0) {
                        continue;
                    }
                    let known = values[children[child]];
                    narrow(values, child, own.times(others.inverse()).root(factors[child].1, known));
                }
            }
            Node::Apply(operator, _) => {
                let arguments: Vec<Interval> = children.iter().map(|&child| values[child]).collect();
                for (child, to) in (operator.row().inverse)(own, &arguments).into_iter().enumerate() {
                    narrow(values, child, to);
                }
            }
        }
    }

    /// The symbol that can be the most, and its two halves; none if all are narrow.
    fn halves(&self, region: &Region) -> Option<(SymbolId, [Interval; 2])> {
        let width = |symbol: SymbolId| {
            let Interval { low, high } = known(region, symbol);
            // What is unbounded is wide, and wider if it is so on both sides.
            (high - low) / (1.0 + low.abs().min(high.abs()))
        };
        let widest = self.symbols.iter().map(|&(_, symbol)| symbol).max_by(|&a, &b| width(a).total_cmp(&width(b)))?;
        let Interval { low, high } = known(region, widest);
        let middle = match (low.is_finite(), high.is_finite()) {
            (true, true) => low + 0.5 * (high - low),
            (true, false) => low + low.abs().max(1.0),
            (false, true) => high - high.abs().max(1.0),
            (false, false) => 0.0,
        };
        let narrow = width(widest) < 1e-6;
        (!narrow && middle > low && middle < high)
            .then(|| (widest, [Interval::new(low, middle), Interval::new(middle, high)]))
    }
}

/// The same demand on the negative where that begins with a plus, so that x - y and y - x are one thing.
fn turned(arena: &Arena, (expr, wanted): Demand) -> Demand {
    match arena.node(expr) {
        Node::Sum(terms, constant) if terms[0].0.value() < 0.0 => {
            let minus = |number: Number| number.times(Number::MINUS_ONE);
            let terms = terms.iter().map(|&(coefficient, term)| (minus(coefficient), term));
            (arena.sum(terms.chain([(minus(*constant), arena.one())]).collect::<Vec<_>>()), wanted.negated())
        }
        _ => (expr, wanted),
    }
}

fn known(region: &Region, symbol: SymbolId) -> Interval {
    region.get(&symbol).copied().unwrap_or(Interval::WHOLE)
}

fn is_narrower(now: Interval, before: Interval) -> bool {
    // An interval that shrinks by less, as a part of its width, is not worth another round: rounds would go on for ever.
    // Test: a_little_is_no_reason_for_another_round
    const MUCH: f64 = 1e-3;
    let less = |now: f64, before: f64, width: f64| match (now.is_finite(), before.is_finite()) {
        (true, false) => true,
        (true, true) => (now - before).abs() > MUCH * width,
        _ => false,
    };
    let width = before.high - before.low;
    let width = if width.is_finite() { width } else { 1.0 + now.low.abs().min(now.high.abs()) };
    less(now.low, before.low, width) || less(now.high, before.high, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    fn at_least(expr: Expr) -> Demand {
        (expr, Interval::NOT_NEGATIVE)
    }

    #[test]
    fn what_cannot_be_is_found() {
        let arena = Arena::new();
        let [x, y] = ["x", "y"].map(|name| arena.symbol(arena.new_symbol(name)));
        let number = |value: f64| arena.number(value);
        let minus = |a: Expr, b: Expr| at_least(arena.subtract(a, b));
        let circle = arena.add(arena.power(x, 2), arena.power(y, 2));
        let size = |x: Expr| arena.apply(Operator::Abs, &[x]);
        let norm = arena.apply(Operator::Sqrt, &[circle]);
        let both = arena.multiply(x, y);
        for (impossible, demands) in [
            (true, vec![minus(x, number(2.0)), minus(number(1.0), x)]),
            (false, vec![minus(x, number(1.0)), minus(number(1.0), x)]),
            (true, vec![minus(number(1.0), circle), minus(y, number(2.0))]),
            (true, vec![minus(number(1.0), norm), minus(arena.add(x, y), number(1.5))]),
            (false, vec![minus(number(1.0), norm), minus(arena.add(x, y), number(1.4))]),
            (true, vec![minus(number(1.0), size(x)), minus(x, number(1.1))]),
            (true, vec![minus(size(x), number(2.0)), minus(number(1.0), x), minus(x, number(-1.0))]),
            (true, vec![minus(number(-1.0), both), minus(x, number(0.5)), minus(y, number(0.0))]),
            (true, vec![minus(arena.power(arena.subtract(x, y), 2), number(1.0)), minus(x, y), minus(y, x)]),
            (true, vec![minus(arena.apply(Operator::Sin, &[x]), number(1.01))]),
            (true, vec![minus(arena.apply(Operator::Exp, &[x]), number(3.0)), minus(number(1.0), x)]),
            (true, vec![minus(number(1.0), arena.apply(Operator::Max, &[x, y])), minus(x, number(2.0))]),
        ] {
            let texts: Vec<String> = demands.iter().map(|(expr, _)| crate::print(&arena, *expr)).collect();
            assert_eq!(is_impossible(&arena, &demands, &Region::default()), impossible, "{texts:?}");
        }
    }

    #[test]
    fn a_little_is_no_reason_for_another_round() {
        let shrunk_by = |part: f64| is_narrower(Interval::new(2.0, 4.0 - 2.0 * part), Interval::new(2.0, 4.0));
        assert!(shrunk_by(1e-2) && !shrunk_by(1e-4));
    }

    #[test]
    fn regions_become_narrow() {
        let arena = Arena::new();
        let symbol = arena.new_symbol("x");
        let x = arena.symbol(symbol);
        let demands = [(arena.apply(Operator::Sqrt, &[x]), Interval::new(2.0, 3.0))];
        let region = contract(&arena, &demands, &Region::default()).expect("there are some");
        assert!((region[&symbol].low - 4.0).abs() < 1e-9 && (region[&symbol].high - 9.0).abs() < 1e-9);
    }
}
