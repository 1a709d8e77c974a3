//! Sides of borders: the switches that decide by the sign of a margin, and how operators are made of what they are on each side, and on the
//! border itself.
//!
//! `v > 0`, `v >= 0` and `sign(v)` differ only where v is zero and stays so, as at rest. Each of the three has a switch there, since what rests
//! is not above zero, though the friction that holds it lies between its two values.

use expr::{Arena, Expr, Node, Number, Operator, Substitution, SymbolId};

use crate::switch::{AtZero, Naming, SwitchKind};

/// Beyond so many borders in its arguments an operator is not written out for all of their sides.
pub(crate) const MOST_SIDES: usize = 4;

/// The switches that decide by one margin.
pub(crate) struct Sides {
    margin: Expr,
    /// The margin without its factor, and whether that is positive: others that differ from it by their factor have the same border.
    without_factor: Expr,
    is_positive: bool,
    places: Vec<usize>,
}

impl Naming<'_> {
    /// 1 where the margin is positive, 0 where it is negative.
    pub fn side(&mut self, margin: Expr, at_zero: Option<AtZero>) -> Expr {
        let arena = self.arena;
        if arena.symbols_in(&[margin]).iter().all(|symbol| self.still.contains(symbol)) {
            // `x <= x` is always so.
            let at_zero = arena.number(at_zero.map_or(0.0, AtZero::value));
            let negative = arena.apply(Operator::Less, &[margin, arena.zero()]);
            let otherwise = arena.apply(Operator::Select, &[negative, arena.zero(), at_zero]);
            let positive = arena.apply(Operator::Less, &[arena.zero(), margin]);
            return arena.apply(Operator::Select, &[positive, arena.one(), otherwise]);
        }
        let (without_factor, is_positive) = without_factor(arena, margin);
        let known = self.sides.iter().position(|sides| sides.without_factor == without_factor);
        let sides = known.unwrap_or_else(|| {
            self.sides.push(Sides { margin, without_factor, is_positive, places: Vec::new() });
            self.sides.len() - 1
        });
        let is_opposite = self.sides[sides].is_positive != is_positive;
        let at_zero = if is_opposite { at_zero.map(AtZero::opposite) } else { at_zero };
        let side = self.side_of(sides, at_zero);
        if is_opposite { arena.subtract(arena.one(), side) } else { side }
    }

    /// The switch with this meaning at zero.
    fn side_of(&mut self, sides: usize, at_zero: Option<AtZero>) -> Expr {
        let arena = self.arena;
        let places = self.sides[sides].places.clone();
        let exact = places.iter().copied().find(|&at| self.switches[at].at_zero == at_zero);
        let fits = |&at: &usize| {
            at_zero.is_none() || self.switches[at].at_zero.is_none() || self.switches[at].only_passes(arena)
        };
        let place = exact.or_else(|| places.iter().copied().find(fits)).unwrap_or_else(|| {
            let new = self.switch(SwitchKind::Side, self.sides[sides].margin, at_zero);
            self.sides[sides].places.push(new);
            self.switches[new].border = self.sides[sides].places[0];
            new
        });
        let switch = &mut self.switches[place];
        switch.at_zero = switch.at_zero.or(at_zero);
        arena.symbol(switch.symbol)
    }

    /// The operator with switches in place of what bends, where its arguments have some already: a mixture of what it is on each side of
    /// their borders. So what decides it does not leap where they turn, and they may take values between. What nothing but
    /// switches decide, as in `floor(t) >= 2`, has none of its own.
    pub fn spread(&mut self, operator: Operator, arguments: &[Expr], most: usize) -> Option<Expr> {
        let arena = self.arena;
        // These are mixtures themselves, unless a border is in more than one of their arguments.
        let mixes = matches!(operator, Operator::Select | Operator::And | Operator::Or | Operator::Not);
        let spreads = mixes || !arguments.iter().any(|&argument| self.may_have_no_value(argument));
        let borders = self.borders_in(arguments, if mixes { 2 } else { 1 });
        match borders.first().filter(|_| spreads && borders.len() <= most) {
            Some(&sides) => {
                let truth = self.only_side(sides, arguments);
                let part = |of: &mut Self, value: &dyn Fn(AtZero) -> f64| {
                    let arguments: Vec<Expr> = arguments.iter().map(|&it| of.put(sides, value, it)).collect();
                    of.spread(operator, &arguments, most - 1)
                };
                let (below, above) = (part(self, &|_| 0.0)?, part(self, &|_| 1.0)?);
                let is_plain = self.borders_in(&[below, above], 1).iter().all(|&it| it != sides);
                if let Some(truth) = truth.filter(|_| is_plain) {
                    return Some(self.choose(truth, above, below));
                }
                let between = part(self, &AtZero::value)?;
                // What the parts are made of may have this border too.
                let [below, above] = [(below, 0.0), (above, 1.0)].map(|(it, value)| self.put(sides, &|_| value, it));
                let between = self.put(sides, &AtZero::value, between);
                Some(self.mixture(sides, [below, between, above]))
            }
            None if !mixes && arena.symbols_in(arguments).iter().all(|symbol| self.still.contains(symbol)) => {
                Some(arena.apply(operator, arguments))
            }
            None => self.smooth(operator, arguments),
        }
    }

    /// The switch of a border that the arguments have, if there is only one, and if on the border it is as on one of the sides.
    fn only_side(&self, sides: usize, arguments: &[Expr]) -> Option<Expr> {
        let symbols = self.arena.symbols_in(arguments);
        let places = self.sides[sides].places.iter().map(|&at| &self.switches[at]);
        let used: Vec<_> = places.filter(|switch| symbols.contains(&switch.symbol)).collect();
        match used.as_slice() {
            [only] if only.at_zero != Some(AtZero::Middle) => Some(self.arena.symbol(only.symbol)),
            _ => None,
        }
    }

    /// An expression with values for the switches of a border, by what they are at zero.
    fn put(&self, sides: usize, value: &dyn Fn(AtZero) -> f64, expr: Expr) -> Expr {
        let values = self.sides[sides].places.iter().map(|&at| {
            let switch = &self.switches[at];
            let value = value(switch.at_zero.unwrap_or(AtZero::Off));
            (self.arena.symbol(switch.symbol), self.arena.number(value))
        });
        Substitution::new(values).apply(self.arena, expr)
    }

    /// The borders of so many of the arguments, at least.
    fn borders_in(&self, arguments: &[Expr], least: usize) -> Vec<usize> {
        let used: Vec<Vec<SymbolId>> = arguments.iter().map(|&argument| self.arena.symbols_in(&[argument])).collect();
        let is_in = |sides: &Sides, used: &Vec<SymbolId>| {
            sides.places.iter().any(|&at| used.contains(&self.switches[at].symbol))
        };
        let of = |sides: &Sides| used.iter().filter(|used| is_in(sides, used)).count();
        (0..self.sides.len()).filter(|&at| of(&self.sides[at]) >= least).collect()
    }

    /// What has these values below a border, on it and above it.
    fn mixture(&mut self, sides: usize, [below, between, above]: [Expr; 3]) -> Expr {
        let arena = self.arena;
        let is_middle = arena.scale(2.0, between) == arena.add(below, above);
        let at_zero = match between {
            _ if between == above => AtZero::On,
            _ if between == below => AtZero::Off,
            _ if is_middle => AtZero::Middle,
            _ => {
                let [is_above, is_not_below] = [AtZero::Off, AtZero::On].map(|it| self.side_of(sides, Some(it)));
                let rest = self.choose(is_not_below, between, below);
                if [below, between, above].into_iter().any(|part| self.may_have_no_value(part)) {
                    return self.choose(is_above, above, rest);
                }
                let on_border = arena.subtract(is_not_below, is_above);
                let is_below = arena.subtract(arena.one(), is_not_below);
                let parts = [(is_above, above), (on_border, between), (is_below, below)];
                return arena.sum(parts.map(|(share, part)| (Number::ONE, arena.multiply(share, part))));
            }
        };
        let truth = self.side_of(sides, Some(at_zero));
        self.choose(truth, above, below)
    }

    /// One of two, as a mixture that a switch between 0 and 1 may take part in, where both have values everywhere.
    pub fn choose(&self, truth: Expr, a: Expr, b: Expr) -> Expr {
        let arena = self.arena;
        if [a, b].into_iter().any(|branch| self.may_have_no_value(branch)) {
            return arena.apply(Operator::Select, &[truth, a, b]);
        }
        let otherwise = arena.subtract(arena.one(), truth);
        arena.add(arena.multiply(truth, a), arena.multiply(otherwise, b))
    }

    fn may_have_no_value(&self, branch: Expr) -> bool {
        self.arena.reachable(&[branch]).into_iter().any(|node| match self.arena.node(node) {
            Node::Product(factors) => factors.iter().any(|&(_, exponent)| exponent < 0),
            Node::Apply(operator, _) => !operator.row().undefined.is_empty(),
            _ => false,
        })
    }
}

/// A margin as a multiple of something, and whether it is a positive one.
fn without_factor(arena: &Arena, margin: Expr) -> (Expr, bool) {
    let Node::Sum(terms, _) = arena.node(margin) else { return (margin, true) };
    let factor = terms[0].0;
    let inverse = factor.power(-1);
    (arena.scale(inverse, margin), factor.value() > 0.0)
}
