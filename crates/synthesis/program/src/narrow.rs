//! What may be narrow in space: parts of the rates of states that are large, or change, only where some number of the states is small,
//! such as `exp(-(d/w)^2)`, `1/(1 + (d/w)^2)` or `tanh(x/w)`. A step that begins and ends far from there need not have seen it.
//!
//! Only sharp operators of what moves are listed, and of these only those that can change much: the determinants of mass matrices, for
//! one, are bounded, and so most scenes have none.

use equations::{Family, System};
use expr::{Arena, Differentiator, Expr, Interval, Node, Operator, Region, SymbolId, enclose};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Integral, Program};

/// What a step may pass over.
pub struct Narrow {
    /// The sharp part itself.
    pub value: Expr,
    /// A number of the states near whose extremes the part is at its largest.
    pub argument: Expr,
    /// How fast the argument changes, if that follows from the states directly.
    pub rate: Option<Expr>,
    pub shape: Shape,
    /// Whether it may have flanks far from the extremes of its argument, so that its values at both ends of a step tell more.
    pub has_flanks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Large where the argument is small: it counts if the argument falls below this part of what it is at both ends of a step.
    Pole(f64),
    /// Large where the argument is large: it counts if the argument exceeds what it is at both ends by so much.
    Peak(f64),
    /// From one value to another, with nothing to be seen of it far from there: any extreme of the argument counts.
    Step,
    /// An angle whose sine or cosine some argument is made of: it has extremes wherever that goes round.
    Angle,
}

/// A part that changes by less than this factor is seen well enough by the stages.
const FACTOR: f64 = 4.0;
/// Smaller whole powers are not sharp.
const SHARP_POWER: i32 = 8;
/// Sums of squares may be below zero by so much.
const ROUNDING: f64 = 1e-300;
/// A part that changes by less than this, relative to its size, is no step.
const STEP: f64 = 0.5;
/// Powers of a squared distance down to which a pole is seen from afar: directions `d/|d|` and `d/|d|²` fall off so slowly that stages far
/// away see what they do, and so do the forces `d/|d|³` between the rows of a family.
const SEEN_FROM_AFAR: f64 = -1.0;
const SEEN_IN_ROWS: f64 = -1.5;

/// Which poles count as seen by the stages of any step.
#[derive(Clone, Copy)]
struct Seen {
    /// The lowest power of what is not negative.
    power: f64,
    /// What is added to a squared distance so that the pole has a height: poles that are softened by less count.
    softening: f64,
}

/// What may be narrow in the rates of the states of an integral; `still` is what stays the same while time passes.
pub fn narrow(program: &Program, integral: &Integral, still: impl Fn(SymbolId) -> bool) -> Vec<Narrow> {
    narrow_in(program, integral, &integral.derivative.expressions(), still)
}

/// What may be narrow in the signals that are remembered: the steps of the states, which do not depend on it until later, need not see it.
pub fn narrow_in_signals(program: &Program, integral: &Integral, still: impl Fn(SymbolId) -> bool) -> Vec<Narrow> {
    let signals: Vec<Expr> = program.memory.iter().flat_map(|memory| memory.signals.expressions()).collect();
    narrow_in(program, integral, &signals, still)
}

fn narrow_in(program: &Program, integral: &Integral, roots: &[Expr], still: impl Fn(SymbolId) -> bool) -> Vec<Narrow> {
    let arena = &program.arena;
    let states: FxHashSet<SymbolId> = integral.states.iter().map(|state| state.symbol).collect();
    let is_known = |&symbol: &SymbolId| states.contains(&symbol) || symbol == program.time || still(symbol);
    let given = program.parameters.iter().map(|input| (input.symbol, Interval::point(input.default)));
    let region: Region = given.collect();
    let mut in_time = Differentiator::new();
    in_time.seed(arena.symbol(program.time), arena.one());
    for (state, &rate) in integral.states.iter().zip(&integral.derivative.results) {
        in_time.seed(arena.symbol(state.symbol), rate);
    }
    let ranges = enclose(arena, roots, &region);
    let seen = Seen { power: SEEN_FROM_AFAR, softening: ROUNDING };
    let (mut moving, mut unknown): (FxHashSet<Expr>, FxHashSet<Expr>) = Default::default();
    let mut found: Vec<Narrow> = Vec::new();
    let mut place: FxHashMap<Expr, usize> = FxHashMap::default();
    for node in arena.reachable(roots) {
        let (children, symbol) = (arena.node(node).children(), arena.as_symbol(node));
        let has = |set: &FxHashSet<Expr>| children.iter().any(|child| set.contains(child));
        if has(&moving) || symbol.is_some_and(|symbol| states.contains(&symbol)) {
            moving.insert(node);
        }
        if has(&unknown) || symbol.is_some_and(|symbol| !is_known(&symbol)) {
            unknown.insert(node);
        }
        for (base, value, argument, shape) in sharp(arena, node, &ranges, seen) {
            if !moving.contains(&base) || unknown.contains(&base) {
                continue;
            }
            if let Some(&at) = place.get(&argument) {
                found[at].shape = sharper(found[at].shape, shape);
                continue;
            }
            for angle in angles(arena, argument, &states) {
                place.entry(angle).or_insert_with(|| {
                    found.push(Narrow {
                        value: angle,
                        argument: angle,
                        rate: Some(arena.zero()),
                        shape: Shape::Angle,
                        has_flanks: false,
                    });
                    found.len() - 1
                });
            }
            place.insert(argument, found.len());
            let rate = in_time.derivative(arena, argument);
            let rate = arena.symbols_in(&[rate]).iter().all(is_known).then_some(rate);
            let has_flanks = degree(arena, argument, &states).is_none_or(|degree| degree > 2) || shape == Shape::Step;
            found.push(Narrow { value, argument, rate, shape, has_flanks });
        }
    }
    found
}

/// Whether some row of a family may be narrow in space. What attracts as masses do is not, softened or not: at any distance the force is at
/// most that of a point, which falls off so slowly that the steps of whoever comes near get short by themselves.
pub fn has_sharp_parts(system: &System, family: &Family) -> bool {
    let arena = &system.arena;
    let given = system.parameters.iter().map(|input| (input.symbol, Interval::point(input.default)));
    let slopes: Vec<Expr> = family.slots.iter().filter_map(|slot| slot.slope).collect();
    let ranges = enclose(arena, &slopes, &given.collect());
    let seen = Seen { power: SEEN_IN_ROWS, softening: f64::INFINITY };
    arena.reachable(&slopes).into_iter().any(|node| !sharp(arena, node, &ranges, seen).is_empty())
}

/// The terms of sums that may be narrow in time, each with its factors: beside something large that goes on, nobody would see them in the whole.
pub(crate) fn narrow_terms(program: &Program, part: Expr) -> Vec<Expr> {
    terms_of(&program.arena, part, &may_be_narrow(program, part))
}

/// Whether something that depends on time alone may be narrow.
pub fn is_narrow(program: &Program, part: Expr) -> bool {
    may_be_narrow(program, part).contains(&part)
}

/// What is sharp, or made of what is.
fn may_be_narrow(program: &Program, part: Expr) -> FxHashSet<Expr> {
    let arena = &program.arena;
    let given = program.parameters.iter().map(|input| (input.symbol, Interval::point(input.default)));
    let ranges = enclose(arena, &[part], &given.collect());
    let seen = Seen { power: SEEN_FROM_AFAR, softening: ROUNDING };
    let mut may_be: FxHashSet<Expr> = FxHashSet::default();
    for node in arena.reachable(&[part]) {
        let inherits = arena.node(node).children().iter().any(|child| may_be.contains(child));
        if inherits || !sharp(arena, node, &ranges, seen).is_empty() {
            may_be.insert(node);
        }
    }
    may_be
}

fn terms_of(arena: &Arena, of: Expr, may_be: &FxHashSet<Expr>) -> Vec<Expr> {
    let mut found = Vec::new();
    if !may_be.contains(&of) {
        return found;
    }
    match arena.node(of) {
        Node::Sum(terms, _) => {
            for &(coefficient, term) in terms.iter().filter(|(_, term)| may_be.contains(term)) {
                let parts = terms_of(arena, term, may_be).into_iter().chain([term]);
                found.extend(parts.map(|part| arena.scale(coefficient.value(), part)));
            }
        }
        Node::Product(factors) => {
            for (at, &(base, exponent)) in factors.iter().enumerate() {
                let others = factors.iter().enumerate().filter(|(other, _)| exponent == 1 && *other != at);
                let others = arena.product(others.map(|(_, &factor)| factor));
                found.extend(terms_of(arena, base, may_be).into_iter().map(|term| arena.multiply(term, others)));
            }
        }
        node => node.children().iter().for_each(|&child| found.extend(terms_of(arena, child, may_be))),
    }
    found
}

fn sharper(one: Shape, other: Shape) -> Shape {
    match (one, other) {
        (Shape::Pole(a), Shape::Pole(b)) => Shape::Pole(a.max(b)),
        (Shape::Peak(a), Shape::Peak(b)) => Shape::Peak(a.min(b)),
        _ => Shape::Step,
    }
}

/// The sharp parts that a node brings: what they are of, value, argument and shape.
fn sharp(arena: &Arena, node: Expr, ranges: &FxHashMap<Expr, Interval>, seen: Seen) -> Vec<(Expr, Expr, Expr, Shape)> {
    match arena.node(node) {
        Node::Product(factors) => {
            let factors = factors.iter().filter(|&&(_, exponent)| !(0..SHARP_POWER).contains(&exponent));
            factors.filter_map(|&(base, exponent)| power(arena, base, f64::from(exponent), ranges, seen)).collect()
        }
        Node::Apply(Operator::Pow, arguments) => {
            let exponent = arena.as_number(arguments[1]).map_or(-FACTOR, |number| number.value());
            let sharp = !(0.0..f64::from(SHARP_POWER)).contains(&exponent);
            sharp.then(|| power(arena, arguments[0], exponent, ranges, seen)).flatten().into_iter().collect()
        }
        Node::Apply(Operator::Exp, arguments) => {
            let Interval { low, high } = ranges[&arguments[0]];
            let peak = (arguments[0], node, arguments[0], Shape::Peak(libm::log(FACTOR)));
            if high - low > libm::log(FACTOR) { vec![peak] } else { Vec::new() }
        }
        Node::Apply(Operator::Tanh | Operator::Atan, arguments) => {
            let Interval { low, high } = ranges[&node];
            if high - low > STEP { vec![(arguments[0], node, arguments[0], Shape::Step)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// A base to some power, if that can change much.
fn power(
    arena: &Arena,
    base: Expr,
    exponent: f64,
    ranges: &FxHashMap<Expr, Interval>,
    seen: Seen,
) -> Option<(Expr, Expr, Expr, Shape)> {
    let exact = exponent as i32;
    let value = match f64::from(exact) == exponent {
        true => arena.power(base, exact),
        false => arena.apply(Operator::Pow, &[base, arena.number(exponent)]),
    };
    let (base, exponent) = match arena.node(base) {
        Node::Apply(Operator::Sqrt, arguments) => (arguments[0], exponent / 2.0),
        // Far from zero it is too large for a number.
        Node::Apply(Operator::Cosh, arguments) => {
            return Some((base, value, arena.power(arguments[0], 2), Shape::Pole(0.5)));
        }
        _ => (base, exponent),
    };
    let Interval { low, high } = ranges[&base];
    let sign = if low > -ROUNDING || high < ROUNDING { 1 } else { 2 };
    let sizes = [low.abs().min(high.abs()), low.abs().max(high.abs())];
    if sign == 1 && sizes[0] < seen.softening && (seen.power..0.0).contains(&exponent) {
        return None;
    }
    if sign == 1 && libm::pow(sizes[1] / sizes[0], exponent.abs()) < FACTOR {
        return None;
    }
    let argument = arena.power(if high < ROUNDING { arena.negate(base) } else { base }, sign);
    let part = libm::pow(FACTOR, -f64::from(sign) / exponent.abs());
    let shape = match exponent > 0.0 {
        true => Shape::Peak(0.0),
        false => Shape::Pole(part),
    };
    Some((base, value, argument, shape))
}

/// What moves in the sines and cosines of an expression.
fn angles(arena: &Arena, expr: Expr, states: &FxHashSet<SymbolId>) -> Vec<Expr> {
    let nodes = arena.reachable(&[expr]).into_iter();
    let angle = |node| match arena.node(node) {
        Node::Apply(Operator::Sin | Operator::Cos | Operator::Tan, arguments) => Some(arguments[0]),
        _ => None,
    };
    nodes.filter_map(angle).filter(|&angle| arena.symbols_in(&[angle]).iter().any(|one| states.contains(one))).collect()
}

/// The degree of a polynomial of the states; none if it is something else.
fn degree(arena: &Arena, expr: Expr, states: &FxHashSet<SymbolId>) -> Option<i32> {
    match arena.node(expr) {
        Node::Number(_) => Some(0),
        Node::Symbol(symbol) => Some(i32::from(states.contains(symbol))),
        Node::Sum(terms, _) => {
            let degrees = terms.iter().map(|&(_, term)| degree(arena, term, states));
            degrees.collect::<Option<Vec<_>>>().map(|degrees| degrees.into_iter().max().unwrap_or(0))
        }
        Node::Product(factors) => {
            let degrees = factors.iter().map(|&(base, exponent)| {
                degree(arena, base, states)
                    .filter(|&degree| degree == 0 || exponent > 0)
                    .map(|degree| degree * exponent)
            });
            degrees.collect::<Option<Vec<_>>>().map(|degrees| degrees.into_iter().sum())
        }
        Node::Apply(..) => arena.symbols_in(&[expr]).iter().all(|symbol| !states.contains(symbol)).then_some(0),
    }
}
