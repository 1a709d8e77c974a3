//! Conditions as inequalities, and whether some of them can hold together in any state of a mode.

use equations::{Level, System};
use expr::{Arena, Demand, Expr, Interval, Node, Number, Operator, Region, Substitution, SymbolId, is_impossible};

/// An inequality: `margin >= 0`, or `margin > 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    pub margin: Expr,
    pub strict: bool,
}

/// Inequalities all of which must hold.
pub type Case = Vec<Atom>;

/// A condition with more cases than this is not looked into.
const MOST_CASES: usize = 32;

/// The cases of a condition, one of which holds wherever it does; none if it is made of something else than inequalities.
pub fn cases(arena: &Arena, condition: Expr) -> Option<Vec<Case>> {
    split(arena, condition, true)
}

fn split(arena: &Arena, condition: Expr, holds: bool) -> Option<Vec<Case>> {
    if let Some(number) = arena.as_number(condition) {
        return Some(if number.is_zero() == holds { Vec::new() } else { vec![Case::new()] });
    }
    let Node::Apply(operator, parts) = arena.node(condition) else { return None };
    let part = |at: usize, holds: bool| split(arena, parts[at], holds);
    let less = |low: usize, high: usize, strict: bool| {
        without_bends(arena, Atom { margin: arena.subtract(parts[high], parts[low]), strict })
    };
    let found = match (operator, holds) {
        (Operator::Less, true) => less(0, 1, true),
        (Operator::Less, false) => less(1, 0, false),
        (Operator::LessEqual, true) => less(0, 1, false),
        (Operator::LessEqual, false) => less(1, 0, true),
        (Operator::Equal, true) => both(&less(0, 1, false), &less(1, 0, false)),
        (Operator::Equal, false) => [less(0, 1, true), less(1, 0, true)].concat(),
        (Operator::Not, _) => part(0, !holds)?,
        (Operator::And, true) | (Operator::Or, false) => both(&part(0, holds)?, &part(1, holds)?),
        (Operator::And, false) | (Operator::Or, true) => [part(0, holds)?, part(1, holds)?].concat(),
        (Operator::Select, _) => {
            let then = both(&part(0, true)?, &part(1, holds)?);
            [then, both(&part(0, false)?, &part(2, holds)?)].concat()
        }
        _ => return None,
    };
    (found.len() <= MOST_CASES).then_some(found)
}

/// An inequality without `|x|`, `min` and `max` among its terms: `|x| <= 1` is `x <= 1 and -x <= 1`, and `|x| >= 1` is `x >= 1 or -x >= 1`.
fn without_bends(arena: &Arena, atom: Atom) -> Vec<Case> {
    let terms = match arena.node(atom.margin) {
        Node::Sum(terms, _) => terms.to_vec(),
        _ => vec![(Number::ONE, atom.margin)],
    };
    for (coefficient, term) in terms {
        let Node::Apply(operator, parts) = arena.node(term) else { continue };
        let (sides, larger) = match operator {
            Operator::Abs => ([parts[0], arena.negate(parts[0])], true),
            Operator::Max => ([parts[0], parts[1]], true),
            Operator::Min => ([parts[0], parts[1]], false),
            _ => continue,
        };
        let rest = arena.sum([(Number::ONE, atom.margin), (coefficient.times(Number::MINUS_ONE), term)]);
        let [a, b] = sides.map(|side| {
            let margin = arena.sum([(Number::ONE, rest), (coefficient, side)]);
            without_bends(arena, Atom { margin, ..atom })
        });
        return if larger == (coefficient.value() > 0.0) { [a, b].concat() } else { both(&a, &b) };
    }
    vec![vec![atom]]
}

/// The cases of two conditions together.
pub fn both(first: &[Case], second: &[Case]) -> Vec<Case> {
    first.iter().flat_map(|a| second.iter().map(move |b| [a.clone(), b.clone()].concat())).collect()
}

/// Whether conditions exclude one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Excluded {
    /// As far as is known, they do not.
    No,
    /// With the parameters as they are.
    AsItIs,
    /// With any parameters.
    Always,
}

/// What is known of all states of a mode.
pub struct Ground<'s> {
    pub system: &'s System,
    /// What is zero in each of them.
    pub zeros: Vec<Expr>,
}

/// More equations than this are not reckoned with.
const MOST_ZEROS: usize = 40;

impl<'s> Ground<'s> {
    pub fn new(system: &'s System) -> Ground<'s> {
        let at = |level: Level| system.constraints_at(level).into_iter().map(|(_, residual)| residual);
        let laws = system.laws.iter().map(|law| law.residual);
        Ground { system, zeros: at(Level::Position).chain(at(Level::Velocity)).chain(laws).collect() }
    }

    /// Whether no state of the mode is in any of these cases.
    pub fn excludes_all(&self, cases: &[Case]) -> Excluded {
        cases.iter().map(|case| self.excludes(case, &[])).min().unwrap_or(Excluded::Always)
    }

    /// Whether no state of the mode is in a case where, besides, some expressions lie in given intervals.
    pub fn excludes(&self, case: &[Atom], demands: &[Demand]) -> Excluded {
        let arena = &self.system.arena;
        if contradict(arena, case) || self.is_impossible(case, demands, &Region::default()) {
            return Excluded::Always;
        }
        let parameters = &self.system.parameters;
        let numbers = parameters.iter().map(|it| (arena.symbol(it.symbol), arena.number(it.default)));
        let mut put = Substitution::new(numbers);
        let as_it_is: Case = case.iter().map(|atom| Atom { margin: put.apply(arena, atom.margin), ..*atom }).collect();
        let fixed = parameters.iter().map(|parameter| (parameter.symbol, Interval::point(parameter.default)));
        let fixed: Region = fixed.collect();
        match contradict(arena, &as_it_is) || self.is_impossible(case, demands, &fixed) {
            true => Excluded::AsItIs,
            false => Excluded::No,
        }
    }

    fn is_impossible(&self, case: &[Atom], demands: &[Demand], known: &Region) -> bool {
        // The smallest number that there is.
        let positive = Interval::new(f64::from_bits(1), f64::INFINITY);
        let atoms = case.iter().map(|atom| (atom.margin, if atom.strict { positive } else { Interval::NOT_NEGATIVE }));
        let mut all: Vec<Demand> = atoms.chain(demands.iter().copied()).collect();
        all.extend(self.related(&all).into_iter().map(|zero| (zero, Interval::point(0.0))));
        let mut region = known.clone();
        region.insert(self.system.time, Interval::NOT_NEGATIVE);
        for control in &self.system.controls {
            if let Some((low, high)) = control.range {
                region.insert(control.symbol, Interval::new(low, high));
            }
        }
        is_impossible(&self.system.arena, &all, &region)
    }

    /// Equations that speak of the same things as some expressions, or of what these speak of.
    fn related(&self, demands: &[Demand]) -> Vec<Expr> {
        let arena = &self.system.arena;
        let exprs: Vec<Expr> = demands.iter().map(|&(expr, _)| expr).collect();
        let mut symbols: Vec<SymbolId> = arena.symbols_in(&exprs);
        let mut found: Vec<Expr> = Vec::new();
        loop {
            let near = |zero: &&Expr| {
                !found.contains(zero) && arena.symbols_in(&[**zero]).iter().any(|symbol| symbols.contains(symbol))
            };
            let next: Vec<Expr> = self.zeros.iter().filter(near).copied().collect();
            if next.is_empty() || found.len() + next.len() > MOST_ZEROS {
                return found;
            }
            symbols.extend(arena.symbols_in(&next));
            found.extend(next);
        }
    }
}

/// Whether two of some inequalities leave no room between them, or one is wrong by itself.
fn contradict(arena: &Arena, case: &[Atom]) -> bool {
    let wrong = |sum: Expr, strict: bool| {
        arena.as_number(sum).is_some_and(|number| number.value() < 0.0 || (number.is_zero() && strict))
    };
    let case: Case = case.iter().map(|atom| Atom { margin: scaled(arena, atom.margin), ..*atom }).collect();
    case.iter().enumerate().any(|(at, a)| {
        let pair = |b: &Atom| wrong(flat_sum(arena, a.margin, b.margin), a.strict || b.strict);
        wrong(a.margin, a.strict) || case[at + 1..].iter().any(pair)
    })
}

/// A sum whose terms are those of two sums, so that what cancels does.
fn flat_sum(arena: &Arena, a: Expr, b: Expr) -> Expr {
    let parts = |expr: Expr| match arena.node(expr) {
        Node::Sum(terms, constant) => terms.iter().copied().chain([(*constant, arena.one())]).collect(),
        _ => vec![(Number::ONE, expr)],
    };
    arena.sum([parts(a), parts(b)].concat())
}

/// The same but for a positive factor, so that 2x - 2 and x - 1 are one thing.
pub fn scaled(arena: &Arena, margin: Expr) -> Expr {
    let Node::Sum(terms, constant) = arena.node(margin) else { return margin };
    let by = terms[0].0.size().power(-1);
    let terms = terms.iter().map(|&(coefficient, term)| (coefficient.times(by), term));
    arena.sum(terms.chain([(constant.times(by), arena.one())]).collect::<Vec<(Number, Expr)>>())
}
