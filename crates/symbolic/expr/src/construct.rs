//! The constructors: canonical sums, products and applications, and the rewrite laws they apply.
//!
//! Laws (every one is checked numerically by the property tests):
//! ```text
//! fold          a number made of numbers is a number, where it is finite
//! vanish        0*x                        =>  0
//! collect       a*x + b*x                  =>  (a + b)*x
//! gather        x^a * x^b                  =>  x^(a + b)     if a, b have one sign or x is proven nonzero
//! open          (x + y) + (x + z)          =>  2*x + y + z   only where terms meet, so that sharing survives otherwise;
//!               (x*y) * (x*z)              =>  x^2*y*z       likewise
//! factor        (2*x - 2*y)*z              =>  2*((x - y)*z)
//! pythagoras    k*sin(x)^2 + k*cos(x)^2    =>  k
//! root          sqrt(x)^2                  =>  x             where the left side has a value
//! size          abs(x)^2                   =>  x^2
//! odd, even     sin(-x) => -sin(x), cos(-x) => cos(x), and likewise for the other operators listed
//! choose        select(1, x, y) => x, select(0, x, y) => y, select(c, x, x) => x
//! condition     see `condition.rs`
//! ```
//! Sums and products are not flattened into one another: a chain of frames stays as long as the chain, and what is computed
//! once stays one node.

use crate::arena::Node;
use crate::{Arena, Expr, Number, Operator};

/// Beyond this many parts a nested sum or product is not opened.
const OPEN_LIMIT: usize = 12;

impl Arena {
    pub fn number(&self, value: impl Into<Number>) -> Expr {
        self.intern(Node::Number(value.into()))
    }

    pub fn add(&self, x: Expr, y: Expr) -> Expr {
        self.sum([(Number::ONE, x), (Number::ONE, y)])
    }

    pub fn subtract(&self, x: Expr, y: Expr) -> Expr {
        self.sum([(Number::ONE, x), (Number::MINUS_ONE, y)])
    }

    pub fn negate(&self, x: Expr) -> Expr {
        self.scale(Number::MINUS_ONE, x)
    }

    pub fn scale(&self, factor: impl Into<Number>, x: Expr) -> Expr {
        self.sum([(factor.into(), x)])
    }

    pub fn multiply(&self, x: Expr, y: Expr) -> Expr {
        self.product([(x, 1), (y, 1)])
    }

    pub fn divide(&self, x: Expr, y: Expr) -> Expr {
        self.product([(x, 1), (y, -1)])
    }

    pub fn power(&self, x: Expr, exponent: i32) -> Expr {
        self.product([(x, exponent)])
    }

    /// Σ coefficient · term.
    pub fn sum(&self, parts: impl IntoIterator<Item = (Number, Expr)>) -> Expr {
        let parts = parts.into_iter();
        let mut terms = Vec::with_capacity(parts.size_hint().0);
        let mut constant = Number::ZERO;
        for (coefficient, part) in parts {
            self.add_part(coefficient, part, &mut terms, &mut constant);
        }
        collect(&mut terms);
        while self.open_sum(&mut terms, &mut constant) || self.pythagoras(&mut terms, &mut constant) {}
        match terms.as_slice() {
            [] => self.number(constant),
            [(coefficient, term)] if coefficient.is_one() && constant.is_zero() => *term,
            _ => self.intern(Node::Sum(terms.into(), constant)),
        }
    }

    fn add_part(&self, coefficient: Number, part: Expr, terms: &mut Vec<(Number, Expr)>, constant: &mut Number) {
        if let Some(number) = self.as_number(part) {
            *constant = constant.plus(coefficient.times(number));
        } else if let Some((factor, term)) = self.as_multiple(part) {
            terms.push((coefficient.times(factor), term));
        } else {
            terms.push((coefficient, part));
        }
    }

    /// The law `open`: replaces one nested sum by its parts if any of them meets a like term or another constant.
    fn open_sum(&self, terms: &mut Vec<(Number, Expr)>, constant: &mut Number) -> bool {
        for (at, &(coefficient, term)) in terms.iter().enumerate() {
            let Node::Sum(inner, offset) = self.node(term) else { continue };
            let alone = terms.len() == 1 && coefficient.is_one();
            let constants_meet = !offset.is_zero() && !constant.is_zero();
            let terms_meet = || inner.iter().any(|(_, part)| terms.iter().any(|(_, other)| other == part));
            if inner.len() > OPEN_LIMIT || terms.len() > OPEN_LIMIT || !(alone || constants_meet || terms_meet()) {
                continue;
            }
            terms.remove(at);
            *constant = constant.plus(coefficient.times(*offset));
            terms.extend(inner.iter().map(|&(inner_coefficient, part)| (coefficient.times(inner_coefficient), part)));
            collect(terms);
            return true;
        }
        false
    }

    /// The law `pythagoras`, also with a common factor: m·sin² + m·cos² is m.
    fn pythagoras(&self, terms: &mut Vec<(Number, Expr)>, constant: &mut Number) -> bool {
        for (at, &(coefficient, term)) in terms.iter().enumerate() {
            let Some((angle, rest)) = self.without_square(term, Operator::Sin) else { continue };
            let partner = terms.iter().position(|&(other_coefficient, other)| {
                other_coefficient == coefficient
                    && self.without_square(other, Operator::Cos) == Some((angle, rest.clone()))
            });
            let Some(partner) = partner else { continue };
            let rest = self.product(rest);
            terms.remove(at.max(partner));
            terms.remove(at.min(partner));
            self.add_part(coefficient, rest, terms, constant);
            collect(terms);
            return true;
        }
        false
    }

    /// If the term is operator(angle)^2 times some rest, perhaps as (operator(angle)·x)^2: the angle and the rest, opened.
    fn without_square(&self, term: Expr, operator: Operator) -> Option<(Expr, Vec<(Expr, i32)>)> {
        let Node::Product(factors) = self.node(term) else { return None };
        if factors.iter().all(|&(_, exponent)| exponent != 2) {
            return None;
        }
        let mut opened: Vec<(Expr, i32)> = Vec::new();
        for &(base, exponent) in factors.iter() {
            match self.node(base) {
                Node::Product(inner) if exponent == 2 && inner.iter().all(|&(_, inner)| inner == 1) => {
                    opened.extend(inner.iter().map(|&(part, _)| (part, 2)));
                }
                _ => opened.push((base, exponent)),
            }
        }
        opened.sort_unstable();
        let square = opened.iter().position(|&(base, exponent)| {
            exponent == 2 && matches!(self.node(base), Node::Apply(found, _) if *found == operator)
        })?;
        let Node::Apply(_, arguments) = self.node(opened.remove(square).0) else { return None };
        Some((arguments[0], opened))
    }

    /// Π base ^ exponent.
    pub fn product(&self, parts: impl IntoIterator<Item = (Expr, i32)>) -> Expr {
        let parts = parts.into_iter();
        let mut factors = Vec::with_capacity(parts.size_hint().0);
        let mut coefficient = Number::ONE;
        for (base, exponent) in parts {
            self.add_factor(base, exponent, &mut factors, &mut coefficient);
        }
        self.gather(&mut factors);
        while self.open_product(&mut factors, &mut coefficient) {}
        if coefficient.is_zero() {
            return self.zero();
        }
        let product = match factors.as_slice() {
            [] => return self.number(coefficient),
            [(base, 1)] => *base,
            _ => self.intern(Node::Product(factors.into())),
        };
        if coefficient.is_one() { product } else { self.scale(coefficient, product) }
    }

    fn add_factor(&self, base: Expr, exponent: i32, factors: &mut Vec<(Expr, i32)>, coefficient: &mut Number) {
        match self.node(base) {
            _ if exponent == 0 => {}
            Node::Number(number) => *coefficient = coefficient.times(number.power(exponent)),
            Node::Sum(inner, offset) if inner.len() == 1 && offset.is_zero() => {
                *coefficient = coefficient.times(inner[0].0.power(exponent));
                self.add_factor(inner[0].1, exponent, factors, coefficient);
            }
            Node::Sum(inner, offset)
                if offset.is_zero()
                    && let Some(content) = content(inner) =>
            {
                *coefficient = coefficient.times(content.power(exponent));
                let sign = |part: Number| if part.value() < 0.0 { Number::MINUS_ONE } else { Number::ONE };
                factors.push((self.sum(inner.iter().map(|&(part, term)| (sign(part), term))), exponent));
            }
            Node::Product(inner) if inner.len() == 1 => match inner[0].1.checked_mul(exponent) {
                Some(exponent) => self.add_factor(inner[0].0, exponent, factors, coefficient),
                None => factors.push((base, exponent)),
            },
            Node::Apply(Operator::Sqrt, arguments) if exponent % 2 == 0 => {
                self.add_factor(arguments[0], exponent / 2, factors, coefficient);
            }
            Node::Apply(Operator::Abs, arguments) if exponent % 2 == 0 => {
                self.add_factor(arguments[0], exponent, factors, coefficient);
            }
            _ => factors.push((base, exponent)),
        }
    }

    /// The law `gather`.
    fn gather(&self, factors: &mut Vec<(Expr, i32)>) {
        factors.sort_unstable();
        let mut at = 0;
        while at + 1 < factors.len() {
            let ((base, a), (next, b)) = (factors[at], factors[at + 1]);
            let may_join = base == next && (a.signum() == b.signum() || self.proven_nonzero(base));
            match a.checked_add(b) {
                Some(exponent) if may_join => {
                    factors[at].1 = exponent;
                    factors.remove(at + 1);
                }
                _ => at += 1,
            }
        }
        factors.retain(|&(_, exponent)| exponent != 0);
    }

    /// The law `open` for products: replaces one by its factors if any of them meets a like one, or if it stands alone.
    fn open_product(&self, factors: &mut Vec<(Expr, i32)>, coefficient: &mut Number) -> bool {
        for (at, &(base, exponent)) in factors.iter().enumerate() {
            let Node::Product(inner) = self.node(base) else { continue };
            let meets = || inner.iter().any(|(part, _)| factors.iter().any(|(other, _)| other == part));
            let fits = inner.iter().all(|&(_, inner_exponent)| inner_exponent.checked_mul(exponent).is_some());
            let small = inner.len() <= OPEN_LIMIT && factors.len() <= OPEN_LIMIT;
            if !fits || !small || !(factors.len() == 1 || meets()) {
                continue;
            }
            factors.remove(at);
            for &(part, inner_exponent) in inner.iter() {
                self.add_factor(part, inner_exponent * exponent, factors, coefficient);
            }
            self.gather(factors);
            return true;
        }
        false
    }

    pub fn apply(&self, operator: Operator, arguments: &[Expr]) -> Expr {
        let numbers: Option<Vec<f64>> = arguments.iter().map(|&x| self.as_number(x).map(Number::value)).collect();
        if let Some(numbers) = numbers {
            let value = (operator.row().value)(&numbers);
            if value.is_finite() {
                return self.number(value);
            }
        }
        if let Some(condition) = self.condition(operator, arguments) {
            return condition;
        }
        if let Some((negative, flipped)) = self.parity(operator, arguments) {
            let positive = self.intern(Node::Apply(operator, [flipped].into()));
            return if negative { self.negate(positive) } else { positive };
        }
        if matches!(operator, Operator::And | Operator::Or) {
            // A condition that is known decides, or leaves the decision to the other.
            let decisive = operator == Operator::Or;
            for (known, other) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])] {
                if let Some(number) = self.as_number(known) {
                    return if number.is_zero() == decisive { other } else { known };
                }
            }
        }
        if operator == Operator::Select {
            let condition = self.as_number(arguments[0]);
            if arguments[1] == arguments[2] || condition.is_some_and(|condition| !condition.is_zero()) {
                return arguments[1];
            }
            if condition.is_some() {
                return arguments[2];
            }
        }
        self.intern(Node::Apply(operator, arguments.into()))
    }

    /// For an odd or even operator of an argument with a minus sign: whether a minus goes outside, and the argument without it.
    fn parity(&self, operator: Operator, arguments: &[Expr]) -> Option<(bool, Expr)> {
        use Operator::*;
        let odd = match operator {
            Sin | Tan | Asin | Atan | Sinh | Tanh | Sign => true,
            Cos | Cosh | Abs => false,
            _ => return None,
        };
        match self.node(arguments[0]) {
            Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() && terms[0].0.value() < 0.0 => {
                Some((odd, self.negate(arguments[0])))
            }
            _ => None,
        }
    }

    /// Whether the value is known to differ from zero wherever it is defined. `false` means unknown.
    fn proven_nonzero(&self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Number(number) => !number.is_zero(),
            Node::Apply(Operator::Exp | Operator::Cosh, _) => true,
            Node::Sum(terms, constant) => {
                let nonnegative =
                    |&(coefficient, term): &(Number, Expr)| coefficient.value() > 0.0 && self.proven_nonnegative(term);
                constant.value() > 0.0 && terms.iter().all(nonnegative)
            }
            Node::Product(factors) => factors.iter().all(|&(base, exponent)| exponent > 0 && self.proven_nonzero(base)),
            _ => false,
        }
    }

    fn proven_nonnegative(&self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Number(number) => number.value() >= 0.0,
            Node::Apply(Operator::Exp | Operator::Cosh | Operator::Sqrt | Operator::Abs, _) => true,
            Node::Product(factors) => {
                factors.iter().all(|&(base, exponent)| exponent % 2 == 0 || self.proven_nonnegative(base))
            }
            _ => false,
        }
    }
}

/// The size that all coefficients of a sum have in common, if it is not one.
fn content(terms: &[(Number, Expr)]) -> Option<Number> {
    let first = terms.first()?.0.size();
    (!first.is_one() && terms.iter().all(|&(coefficient, _)| coefficient.size() == first)).then_some(first)
}

/// The law `collect`: sorts by term and adds the coefficients of equal ones.
fn collect(terms: &mut Vec<(Number, Expr)>) {
    terms.sort_by_key(|&(_, term)| term);
    terms.dedup_by(|next, kept| {
        let same = next.1 == kept.1;
        if same {
            kept.0 = kept.0.plus(next.0);
        }
        same
    });
    terms.retain(|(coefficient, _)| !coefficient.is_zero());
}
