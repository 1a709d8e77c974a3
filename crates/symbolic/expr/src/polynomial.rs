//! Sums of products of atoms, multiplied out: what readers can collect, compare and factor.
//!
//! An atom is a symbol, a function of something tidy, or a sum that stands below a line. Code never needs this form, because
//! multiplying out makes everything longer before it makes it shorter; so there is a limit, beyond which nothing is expanded.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Expr, Number, Operator};

/// Π atom ^ exponent, atoms ascending.
pub type Monomial = Vec<(Expr, i32)>;

/// More terms than this nobody multiplies out.
const TERM_LIMIT: usize = 150;
/// Larger powers of sums stay powers.
const POWER_LIMIT: i32 = 4;
/// Coefficients that differ by less than this, compared with their size, are equal but for rounding.
// Test: what_cancels_but_for_rounding_is_nothing
const ROUNDING: f64 = 1e-13;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial {
    pub terms: BTreeMap<Monomial, Number>,
}

impl Polynomial {
    pub fn of(monomial: Monomial, coefficient: Number) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add(monomial, coefficient);
        polynomial
    }

    pub fn add(&mut self, monomial: Monomial, coefficient: Number) {
        let known = self.terms.get(&monomial).copied().unwrap_or(Number::ZERO);
        let sum = known.plus(coefficient);
        let largest = known.value().abs().max(coefficient.value().abs());
        if sum.value().abs() <= ROUNDING * largest {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }

    pub fn add_all(&mut self, other: &Polynomial, factor: Number) {
        for (monomial, coefficient) in &other.terms {
            self.add(monomial.clone(), coefficient.times(factor));
        }
    }

    /// None if it would be too long.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.terms.len() * other.terms.len() > TERM_LIMIT {
            return None;
        }
        let mut product = Polynomial::default();
        for (a, c) in &self.terms {
            for (b, d) in &other.terms {
                product.add(join(a, b), c.times(*d));
            }
        }
        Some(product)
    }

    /// Its only term, if it has one only.
    pub fn single(&self) -> Option<(&Monomial, Number)> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (Some((monomial, coefficient)), None) => Some((monomial, *coefficient)),
            _ => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Whether two coefficients are equal but for rounding.
pub(crate) fn alike(a: Number, b: Number) -> bool {
    (a.value() - b.value()).abs() <= ROUNDING * a.value().abs().max(b.value().abs())
}

/// The product of two monomials.
pub fn join(a: &[(Expr, i32)], b: &[(Expr, i32)]) -> Monomial {
    let mut all: BTreeMap<Expr, i32> = a.iter().copied().collect();
    for &(atom, exponent) in b {
        *all.entry(atom).or_default() += exponent;
    }
    all.into_iter().filter(|&(_, exponent)| exponent != 0).collect()
}

/// One over a monomial.
pub fn inverse(monomial: &[(Expr, i32)]) -> Monomial {
    monomial.iter().map(|&(atom, exponent)| (atom, -exponent)).collect()
}

/// Multiplies expressions out, each node once.
pub struct Expander<'a> {
    pub arena: &'a Arena,
    memory: FxHashMap<Expr, Option<Rc<Polynomial>>>,
}

impl<'a> Expander<'a> {
    pub fn new(arena: &'a Arena) -> Expander<'a> {
        Expander { arena, memory: FxHashMap::default() }
    }

    /// None if it would be too long to read.
    pub fn expand(&mut self, expr: Expr) -> Option<Rc<Polynomial>> {
        for node in self.arena.reachable_until(&[expr], |node| self.memory.contains_key(&node)) {
            if !self.memory.contains_key(&node) {
                let expanded = self.expand_node(node).filter(|it| it.terms.len() <= TERM_LIMIT);
                let expanded = expanded.map(|it| Rc::new(self.simplify(it)));
                self.memory.insert(node, expanded);
            }
        }
        self.memory[&expr].clone()
    }

    fn expand_node(&mut self, node: Expr) -> Option<Polynomial> {
        match self.arena.node(node) {
            Node::Number(number) => Some(Polynomial::of(Vec::new(), *number)),
            Node::Symbol(_) => Some(Polynomial::of(vec![(node, 1)], Number::ONE)),
            Node::Sum(terms, constant) => {
                let mut sum = Polynomial::of(Vec::new(), *constant);
                for (coefficient, term) in terms.iter() {
                    sum.add_all(self.memory[term].as_deref()?, *coefficient);
                }
                Some(sum)
            }
            Node::Product(factors) => {
                let mut product = Polynomial::of(Vec::new(), Number::ONE);
                for &(base, exponent) in factors.iter() {
                    product = product.times(&self.power(base, exponent)?)?;
                }
                self.square_roots(product)
            }
            Node::Apply(operator, arguments) => {
                let arguments: Option<Vec<Expr>> = arguments.iter().map(|&argument| self.tidy(argument)).collect();
                self.function(*operator, &arguments?)
            }
        }
    }

    fn power(&mut self, base: Expr, exponent: i32) -> Option<Polynomial> {
        let expanded = self.memory[&base].clone()?;
        if let Some((monomial, coefficient)) = expanded.single() {
            let raised = monomial.iter().map(|&(atom, inner)| (atom, inner * exponent)).collect();
            return Some(Polynomial::of(raised, coefficient.power(exponent)));
        }
        if expanded.is_zero() || !(1..=POWER_LIMIT).contains(&exponent) {
            return Some(Polynomial::of(vec![(self.rebuild(&expanded), exponent)], Number::ONE));
        }
        let mut product = (*expanded).clone();
        for _ in 1..exponent {
            product = product.times(&expanded)?;
        }
        Some(product)
    }

    /// A function of tidy arguments. What it folds to may be anything.
    pub(crate) fn function(&mut self, operator: Operator, arguments: &[Expr]) -> Option<Polynomial> {
        let odd = match operator {
            Operator::Sin => Some(Number::MINUS_ONE),
            Operator::Cos => Some(Number::ONE),
            _ => None,
        };
        // Of two opposite angles, the one whose first term is positive is written.
        if let Some(sign) = odd
            && let Some(angle) = self.expand(arguments[0])
            && angle.terms.values().next().is_some_and(|first| first.value() < 0.0)
        {
            let mut opposite = Polynomial::default();
            opposite.add_all(&angle, Number::MINUS_ONE);
            let opposite = self.rebuild(&opposite);
            let mut flipped = Polynomial::default();
            flipped.add_all(&self.function(operator, &[opposite])?, sign);
            return Some(flipped);
        }
        let applied = self.arena.apply(operator, arguments);
        match self.arena.node(applied) {
            Node::Apply(..) => Some(Polynomial::of(vec![(applied, 1)], Number::ONE)),
            _ => self.expand(applied).map(|it| (*it).clone()),
        }
    }

    /// The laws `root` and `size`: √x·√x is x, |x|·|x| is x².
    fn square_roots(&mut self, polynomial: Polynomial) -> Option<Polynomial> {
        let even = |&(atom, exponent): &(Expr, i32)| match self.arena.node(atom) {
            Node::Apply(Operator::Sqrt | Operator::Abs, arguments) if exponent.abs() >= 2 => {
                Some((atom, exponent, arguments[0]))
            }
            _ => None,
        };
        if !polynomial.terms.keys().flatten().any(|factor| even(factor).is_some()) {
            return Some(polynomial);
        }
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in &polynomial.terms {
            let mut term = Polynomial::of(Vec::new(), *coefficient);
            for factor in monomial {
                let Some((atom, exponent, inner)) = even(factor) else {
                    term = term.times(&Polynomial::of(vec![*factor], Number::ONE))?;
                    continue;
                };
                let whole = matches!(self.arena.node(atom), Node::Apply(Operator::Abs, _));
                let pairs = exponent / 2 * if whole { 2 } else { 1 };
                self.expand(inner)?;
                term = term.times(&self.power(inner, pairs)?)?;
                if exponent % 2 != 0 {
                    term = term.times(&Polynomial::of(vec![(atom, exponent % 2)], Number::ONE))?;
                }
            }
            sum.add_all(&term, Number::ONE);
        }
        Some(sum)
    }

    /// An expression, multiplied out and simplified, as an expression again.
    fn tidy(&mut self, expr: Expr) -> Option<Expr> {
        let expanded = self.expand(expr)?;
        Some(self.rebuild(&expanded))
    }

    pub fn rebuild(&self, polynomial: &Polynomial) -> Expr {
        let term = |(monomial, coefficient): (&Monomial, &Number)| {
            (*coefficient, self.arena.product(monomial.iter().copied()))
        };
        self.arena.sum(polynomial.terms.iter().map(term).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_but_for_rounding_is_nothing() {
        let cancels = |numbers: &[f64]| {
            let mut sum = Polynomial::default();
            numbers.iter().for_each(|&number| sum.add(Monomial::new(), Number::from(number)));
            sum.is_zero()
        };
        assert!(cancels(&[0.1, 0.2, -0.3]));
        assert!(!cancels(&[1.0, -1.0 - 2e-12]));
    }
}
