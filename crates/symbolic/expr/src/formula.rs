//! A formula as it is written down: order and brackets are what a reader sees, not what is computed.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::evaluate::whole_power;
use crate::{Arena, Expr, Number, Operator, Point, SymbolId};

#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Number(Number),
    Symbol(SymbolId),
    /// A named part, by its place among the definitions.
    Part(usize),
    /// Each with its sign: true for minus.
    Sum(Vec<(bool, Formula)>),
    /// A positive number, what stands above a line, and what stands below it.
    Product(Number, Vec<Formula>, Vec<Formula>),
    Power(Box<Formula>, u32),
    Apply(Operator, Vec<Formula>),
}

impl Formula {
    pub fn zero() -> Formula {
        Formula::Number(Number::ZERO)
    }

    /// How many numbers, names and functions a reader meets.
    pub fn size(&self) -> usize {
        match self {
            Formula::Number(_) | Formula::Symbol(_) | Formula::Part(_) => 1,
            Formula::Sum(terms) => terms.iter().map(|(_, term)| term.size()).sum(),
            Formula::Product(number, above, below) => {
                let factors: usize = above.iter().chain(below).map(Formula::size).sum();
                factors + usize::from(!number.is_one())
            }
            Formula::Power(base, _) => base.size(),
            Formula::Apply(_, arguments) => 1 + arguments.iter().map(Formula::size).sum::<usize>(),
        }
    }

    /// The named parts that it is made of, by their places.
    pub fn parts(&self) -> Vec<usize> {
        self.all().into_iter().filter_map(|it| if let Formula::Part(at) = it { Some(*at) } else { None }).collect()
    }

    /// It and all that it is made of, in the order of reading.
    pub fn all(&self) -> Vec<&Formula> {
        let inner: Vec<&Formula> = match self {
            Formula::Number(_) | Formula::Symbol(_) | Formula::Part(_) => Vec::new(),
            Formula::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
            Formula::Product(_, above, below) => above.iter().chain(below).collect(),
            Formula::Power(base, _) => vec![base],
            Formula::Apply(_, arguments) => arguments.iter().collect(),
        };
        std::iter::once(self).chain(inner.into_iter().flat_map(Formula::all)).collect()
    }

    /// Its value where symbols have these, and parts those; curves of data have none here.
    pub fn value(&self, point: &Point, parts: &[f64]) -> f64 {
        let all = |list: &[Formula]| list.iter().map(|factor| factor.value(point, parts)).product::<f64>();
        match self {
            Formula::Number(number) => number.value(),
            Formula::Symbol(symbol) => point.get(symbol).copied().unwrap_or(f64::NAN),
            Formula::Part(at) => parts[*at],
            Formula::Sum(terms) => terms
                .iter()
                .map(|(minus, term)| if *minus { -term.value(point, parts) } else { term.value(point, parts) })
                .sum(),
            Formula::Product(number, above, below) => number.value() * all(above) / all(below),
            Formula::Power(base, exponent) => whole_power(base.value(point, parts), *exponent as i32),
            Formula::Apply(Operator::Place | Operator::Cell | Operator::Past | Operator::Foreign, _) => f64::NAN,
            Formula::Apply(operator, arguments) => {
                let values: Vec<f64> = arguments.iter().map(|argument| argument.value(point, parts)).collect();
                (operator.row().value)(&values)
            }
        }
    }

    /// An expression as it stands, with places among the definitions for parts that have names.
    pub fn of(arena: &Arena, expr: Expr, parts: &FxHashMap<Expr, usize>) -> Formula {
        if let Some(&part) = parts.get(&expr) {
            return Formula::Part(part);
        }
        let inner = |child: Expr| Formula::of(arena, child, parts);
        match arena.node(expr) {
            Node::Number(number) => Formula::Number(*number),
            Node::Symbol(symbol) => Formula::Symbol(*symbol),
            Node::Sum(terms, constant) => {
                let scaled =
                    |&(factor, term): &(Number, Expr)| (factor.value() < 0.0, times(factor.size(), inner(term)));
                let mut terms: Vec<(bool, Formula)> = terms.iter().map(scaled).collect();
                if !constant.is_zero() {
                    terms.push((constant.value() < 0.0, Formula::Number(constant.size())));
                }
                sum(terms)
            }
            Node::Product(factors) => {
                let side = |sign: i32| {
                    let chosen = factors.iter().filter(|(_, exponent)| exponent.signum() == sign);
                    chosen.map(|&(base, exponent)| power(inner(base), exponent.unsigned_abs())).collect()
                };
                Formula::Product(Number::ONE, side(1), side(-1))
            }
            Node::Apply(operator, arguments) => {
                Formula::Apply(*operator, arguments.iter().map(|&argument| inner(argument)).collect())
            }
        }
    }
}

/// A sum whose positive terms stand first, so that `a - b` is not read as `-b + a`.
pub(crate) fn sum(terms: Vec<(bool, Formula)>) -> Formula {
    let (negative, mut all): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(minus, _)| *minus);
    all.extend(negative);
    match all.len() {
        0 => Formula::zero(),
        1 if !all[0].0 => all.remove(0).1,
        _ => Formula::Sum(all),
    }
}

pub(crate) fn power(base: Formula, exponent: u32) -> Formula {
    if exponent == 1 { base } else { Formula::Power(Box::new(base), exponent) }
}

/// A positive multiple of a formula.
fn times(factor: Number, formula: Formula) -> Formula {
    match formula {
        formula if factor.is_one() => formula,
        Formula::Product(number, above, below) => Formula::Product(number.times(factor), above, below),
        other => Formula::Product(factor, vec![other], Vec::new()),
    }
}
