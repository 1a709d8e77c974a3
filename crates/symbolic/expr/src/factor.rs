//! Polynomials as formulas to read: common factors outside, parameters first, accelerations last.

use crate::arena::Node;
use crate::formula::{Formula, power, sum};
use crate::polynomial::{Expander, Monomial, Polynomial, inverse, join};
use crate::{Expr, Number, SymbolId};

/// What a symbol is to a reader; factors are written in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The same at all times.
    Constant,
    /// Given from outside.
    Input,
    Position,
    Velocity,
    /// A function of what changes.
    Function,
    Acceleration,
    /// The size of a force of constraint.
    Multiplier,
}

type Term = (Monomial, Number);

/// Writes polynomials as formulas.
pub struct Reader<'a, 'b> {
    pub expander: &'b mut Expander<'a>,
    pub kind: &'b dyn Fn(SymbolId) -> Kind,
}

impl Reader<'_, '_> {
    pub fn formula(&mut self, polynomial: &Polynomial) -> Formula {
        let (minus, formula) = self.signed(polynomial);
        if minus { Formula::Sum(vec![(true, formula)]) } else { formula }
    }

    /// A sum whose terms stand apart, each group with its common factor.
    pub fn spread(&mut self, polynomial: &Polynomial) -> Vec<(bool, Formula)> {
        let terms = polynomial.terms.iter().map(|(monomial, number)| (monomial.clone(), *number)).collect();
        self.grouped(terms)
    }

    /// As [`Reader::spread`], as one formula.
    pub fn spread_formula(&mut self, polynomial: &Polynomial) -> Formula {
        sum(self.spread(polynomial))
    }

    /// The sign and the size of a polynomial.
    pub fn signed(&mut self, polynomial: &Polynomial) -> (bool, Formula) {
        self.factored(polynomial.terms.iter().map(|(monomial, number)| (monomial.clone(), *number)).collect())
    }

    /// One polynomial over another, without what all terms of both share.
    pub fn fraction(&mut self, above: &Polynomial, below: &Polynomial) -> Formula {
        let mut monomials = above.terms.keys().chain(below.terms.keys());
        let first = monomials.next().cloned().unwrap_or_default();
        let common = inverse(&monomials.fold(first, |common, other| shared(&common, other)));
        let divided = |polynomial: &Polynomial| {
            let terms = polynomial.terms.iter().map(|(monomial, number)| (join(monomial, &common), *number));
            Polynomial { terms: terms.collect() }
        };
        let (minus, top) = self.signed(&divided(above));
        let (under, bottom) = self.signed(&divided(below));
        let ratio = Formula::Product(Number::ONE, vec![top], vec![bottom]);
        if minus == under { ratio } else { Formula::Sum(vec![(true, ratio)]) }
    }

    pub fn kind_of(&self, atom: Expr) -> Kind {
        match self.expander.arena.node(atom) {
            Node::Symbol(symbol) => (self.kind)(*symbol),
            _ => {
                let symbols = self.expander.arena.symbols_in(&[atom]);
                let most = symbols.into_iter().map(|symbol| (self.kind)(symbol)).max().unwrap_or(Kind::Constant);
                if most == Kind::Constant { most } else { most.max(Kind::Function) }
            }
        }
    }

    fn kind_of_term(&self, monomial: &Monomial) -> Kind {
        monomial.iter().map(|&(atom, _)| self.kind_of(atom)).max().unwrap_or(Kind::Constant)
    }

    /// The sign and the size of a sum, with what all terms share outside.
    fn factored(&mut self, mut terms: Vec<Term>) -> (bool, Formula) {
        if terms.len() < 2 {
            let (monomial, number) = terms.pop().unwrap_or((Vec::new(), Number::ZERO));
            return (number.value() < 0.0, self.product(number.size(), &monomial, None));
        }
        let common = terms.iter().skip(1).fold(terms[0].0.clone(), |common, (monomial, _)| shared(&common, monomial));
        let mut number = numeric_content(&terms);
        let minus = terms.iter().all(|(_, coefficient)| coefficient.value() < 0.0);
        if minus {
            number = number.times(Number::MINUS_ONE);
        }
        let (outside, over) = (inverse(&common), number.power(-1));
        let rest =
            terms.into_iter().map(|(monomial, coefficient)| (join(&monomial, &outside), coefficient.times(over)));
        let inside = self.spread_sum(rest.collect());
        (
            minus,
            if common.is_empty() && number.size().is_one() {
                inside.1
            } else {
                self.product(number.size(), &common, Some(inside))
            },
        )
    }

    fn spread_sum(&mut self, terms: Vec<Term>) -> (Kind, Formula) {
        let kind = terms.iter().map(|(monomial, _)| self.kind_of_term(monomial)).max().unwrap_or(Kind::Constant);
        (kind, sum(self.grouped(terms)))
    }

    /// Terms in the order of reading: what depends on velocities, on positions, on nothing; constants behind, constraints last.
    fn ordered(&self, mut terms: Vec<Term>) -> Vec<Term> {
        let place = |(monomial, _): &Term| match self.kind_of_term(monomial) {
            _ if monomial.is_empty() => 5,
            Kind::Acceleration => 0,
            Kind::Velocity => 1,
            Kind::Function if monomial.iter().any(|&(atom, _)| self.kind_of(atom) == Kind::Velocity) => 1,
            Kind::Function | Kind::Position | Kind::Constant => 2,
            Kind::Input => 3,
            Kind::Multiplier => 4,
        };
        terms.sort_by_key(place);
        terms
    }

    /// Groups terms while a common factor of some of them saves the reader something.
    fn grouped(&mut self, terms: Vec<Term>) -> Vec<(bool, Formula)> {
        let mut left = self.ordered(terms);
        let mut done: Vec<(usize, (bool, Formula))> = Vec::new();
        let places: Vec<Monomial> = left.iter().map(|(monomial, _)| monomial.clone()).collect();
        while let Some(members) = self.best_group(&left) {
            let first = places.iter().position(|monomial| *monomial == left[members[0]].0).expect("a term");
            let (group, others): (Vec<_>, Vec<_>) =
                left.into_iter().enumerate().partition(|(at, _)| members.contains(at));
            left = others.into_iter().map(|(_, term)| term).collect();
            done.push((first, self.factored(group.into_iter().map(|(_, term)| term).collect())));
        }
        for (monomial, number) in left {
            let first = places.iter().position(|known| *known == monomial).expect("a term");
            done.push((first, (number.value() < 0.0, self.product(number.size(), &monomial, None))));
        }
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, term)| term).collect()
    }

    /// Those whose common factor saves most. Parameters alone are taken out only of terms that speak of the same
    /// positions and velocities: (m₁ + m₂)l², but not l(l + r·cos θ).
    fn best_group(&self, terms: &[Term]) -> Option<Vec<usize>> {
        let mut best: Option<(usize, Vec<usize>)> = None;
        let states: Vec<Monomial> = terms.iter().map(|(monomial, _)| self.changing(monomial)).collect();
        for i in 0..terms.len() {
            for j in i + 1..terms.len() {
                let common = shared(&terms[i].0, &terms[j].0);
                let constant = self.changing(&common).is_empty();
                if common.is_empty() || constant && states[i] != states[j] {
                    continue;
                }
                let fits =
                    |&at: &usize| shared(&terms[at].0, &common) == common && (!constant || states[at] == states[i]);
                let members: Vec<usize> = (0..terms.len()).filter(fits).collect();
                let weight: u32 = common.iter().map(|(_, exponent)| exponent.unsigned_abs()).sum();
                let saved = (members.len() - 1) * weight as usize;
                if best.as_ref().is_none_or(|(known, _)| saved > *known) {
                    best = Some((saved, members));
                }
            }
        }
        best.map(|(_, members)| members)
    }

    fn changing(&self, monomial: &Monomial) -> Monomial {
        monomial.iter().copied().filter(|&(atom, _)| self.kind_of(atom) > Kind::Constant).collect()
    }

    /// A positive multiple of a monomial, perhaps times a sum, whose kind tells its place.
    fn product(&mut self, number: Number, monomial: &Monomial, times: Option<(Kind, Formula)>) -> Formula {
        let mut above: Vec<(Kind, Expr, Formula)> = Vec::new();
        let mut below: Vec<(Kind, Expr, Formula)> = Vec::new();
        for &(atom, exponent) in monomial {
            let formula = power(self.atom(atom), exponent.unsigned_abs());
            let side = if exponent > 0 { &mut above } else { &mut below };
            side.push((self.kind_of(atom), atom, formula));
        }
        if let Some((kind, formula)) = times {
            // A sum of constants leads; one of what changes follows the symbols of its kind.
            let place = if kind == Kind::Constant { Expr(0) } else { Expr(u32::MAX) };
            above.push((kind, place, formula));
        }
        let in_order = |mut side: Vec<(Kind, Expr, Formula)>| {
            side.sort_by_key(|(kind, atom, _)| (*kind, *atom));
            side.into_iter().map(|(.., formula)| formula).collect::<Vec<_>>()
        };
        let (mut above, below) = (in_order(above), in_order(below));
        match (above.len(), below.len(), number.is_one()) {
            (0, 0, _) => Formula::Number(number),
            (1, 0, true) => above.remove(0),
            _ => Formula::Product(number, above, below),
        }
    }

    fn atom(&mut self, atom: Expr) -> Formula {
        match self.expander.arena.node(atom) {
            Node::Symbol(symbol) => Formula::Symbol(*symbol),
            Node::Apply(operator, arguments) => {
                let (operator, arguments) = (*operator, arguments.clone());
                Formula::Apply(operator, arguments.iter().map(|&argument| self.whole(argument)).collect())
            }
            _ => self.whole(atom),
        }
    }

    fn whole(&mut self, expr: Expr) -> Formula {
        let expanded = self.expander.expand(expr).expect("what atoms are made of was expanded before");
        match expanded.single() {
            // A sum that stays together, as below a line, is not multiplied out again.
            Some((monomial, number)) if number.is_one() && monomial.len() == 1 && monomial[0] == (expr, 1) => {
                Formula::of(self.expander.arena, expr, &Default::default())
            }
            _ => self.formula(&expanded),
        }
    }
}

/// What two monomials have in common.
fn shared(a: &Monomial, b: &Monomial) -> Monomial {
    let least = |&(atom, exponent): &(Expr, i32)| {
        let (_, other) = *b.iter().find(|(known, _)| *known == atom)?;
        let common = if exponent > 0 { exponent.min(other) } else { exponent.max(other) };
        (exponent.signum() == other.signum()).then_some((atom, common))
    };
    a.iter().filter_map(least).collect()
}

/// A positive number that all coefficients are multiples of: their common size, or the greatest divisor of whole ones.
fn numeric_content(terms: &[Term]) -> Number {
    let first = terms[0].1.size();
    if terms.iter().all(|(_, number)| number.size() == first) {
        return first;
    }
    let whole =
        |number: Number| number.as_fraction().filter(|(_, below)| *below == 1).map(|(above, _)| above.unsigned_abs());
    let divisor = terms.iter().try_fold(0u64, |divisor, (_, number)| Some(greatest_divisor(divisor, whole(*number)?)));
    divisor.filter(|&divisor| divisor > 1).map_or(Number::ONE, |divisor| Number::fraction(divisor as i64, 1))
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}
