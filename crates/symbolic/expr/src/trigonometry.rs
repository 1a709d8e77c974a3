//! Laws of sines and cosines that make sums of products shorter, each by one term:
//! ```text
//! pythagoras   k·sin²x + k·cos²x            =>  k
//! complement   k − k·cos²x                  =>  k·sin²x        and with sine and cosine exchanged
//! difference   k·cos x·cos y + k·sin x·sin y  =>  k·cos(x − y)
//! sum          k·cos x·cos y − k·sin x·sin y  =>  k·cos(x + y)
//!              k·sin x·cos y ± k·cos x·sin y  =>  k·sin(x ± y)
//! ```

use crate::arena::Node;
use crate::polynomial::{Expander, Monomial, Polynomial, alike, join};
use crate::{Expr, Number, Operator};

/// A factor sin(angle) or cos(angle).
#[derive(Clone, Copy)]
struct Wave {
    atom: Expr,
    exponent: i32,
    operator: Operator,
    angle: Expr,
}

/// Two terms that become one.
struct Meeting {
    terms: [Monomial; 2],
    becomes: Polynomial,
}

impl Expander<'_> {
    /// Applies the laws until none fits.
    pub fn simplify(&mut self, mut polynomial: Polynomial) -> Polynomial {
        for law in [Expander::squares, Expander::angles] {
            while let Some(Meeting { terms, becomes }) = law(self, &polynomial) {
                for term in &terms {
                    polynomial.terms.remove(term);
                }
                polynomial.add_all(&becomes, Number::ONE);
            }
        }
        polynomial
    }

    fn waves(&self, monomial: &Monomial) -> Vec<Wave> {
        let wave = |&(atom, exponent): &(Expr, i32)| match self.arena.node(atom) {
            Node::Apply(operator @ (Operator::Sin | Operator::Cos), arguments) if exponent > 0 => {
                Some(Wave { atom, exponent, operator: *operator, angle: arguments[0] })
            }
            _ => None,
        };
        monomial.iter().filter_map(wave).collect()
    }

    fn atom(&self, operator: Operator, angle: Expr) -> Expr {
        self.arena.apply(operator, &[angle])
    }

    /// The laws `pythagoras` and `complement`.
    fn squares(&mut self, polynomial: &Polynomial) -> Option<Meeting> {
        for (monomial, &coefficient) in &polynomial.terms {
            for wave in self.waves(monomial).into_iter().filter(|wave| wave.exponent >= 2) {
                let rest = join(monomial, &[(wave.atom, -2)]);
                let other = join(&rest, &[(self.atom(other(wave.operator), wave.angle), 2)]);
                let with = |partner: &Monomial| polynomial.terms.get(partner).copied();
                if with(&other).is_some_and(|partner| alike(partner, coefficient)) {
                    let becomes = Polynomial::of(rest, coefficient);
                    return Some(Meeting { terms: [monomial.clone(), other], becomes });
                }
                let minus = coefficient.times(Number::MINUS_ONE);
                if with(&rest).is_some_and(|partner| alike(partner, minus)) {
                    return Some(Meeting { terms: [monomial.clone(), rest], becomes: Polynomial::of(other, minus) });
                }
            }
        }
        None
    }

    /// The laws `sum` and `difference`.
    fn angles(&mut self, polynomial: &Polynomial) -> Option<Meeting> {
        for (monomial, &coefficient) in &polynomial.terms {
            let waves = self.waves(monomial);
            for (at, x) in waves.iter().enumerate() {
                for y in waves.iter().skip(at + 1).filter(|y| y.angle != x.angle) {
                    let rest = join(monomial, &[(x.atom, -1), (y.atom, -1)]);
                    let flipped = [x, y].map(|wave| (self.atom(other(wave.operator), wave.angle), 1));
                    let partner = join(&join(&rest, &flipped[..1]), &flipped[1..]);
                    let Some(&second) = polynomial.terms.get(&partner) else { continue };
                    let equal = alike(second, coefficient);
                    if !equal && !alike(second, coefficient.times(Number::MINUS_ONE)) {
                        continue;
                    }
                    let Some(wave) = self.joined(*x, *y, equal) else { continue };
                    let becomes = wave.times(&Polynomial::of(rest, coefficient));
                    return Some(Meeting { terms: [monomial.clone(), partner], becomes: becomes? });
                }
            }
        }
        None
    }

    /// x·y plus (or minus) the same with sines and cosines exchanged, as one wave.
    fn joined(&mut self, x: Wave, y: Wave, plus: bool) -> Option<Polynomial> {
        let sum = self.arena.add(x.angle, y.angle);
        let difference = self.arena.subtract(x.angle, y.angle);
        let (operator, angle, minus) = match (x.operator, y.operator, plus) {
            (Operator::Sin, Operator::Sin, true) | (Operator::Cos, Operator::Cos, true) => {
                (Operator::Cos, difference, false)
            }
            (Operator::Sin, Operator::Sin, false) => (Operator::Cos, sum, true),
            (Operator::Cos, Operator::Cos, false) => (Operator::Cos, sum, false),
            (_, _, true) => (Operator::Sin, sum, false),
            (Operator::Sin, _, false) => (Operator::Sin, difference, false),
            (_, _, false) => (Operator::Sin, difference, true),
        };
        let angle = self.expand(angle)?;
        let angle = self.rebuild(&angle);
        let wave = self.function(operator, &[angle])?;
        let mut signed = Polynomial::default();
        signed.add_all(&wave, if minus { Number::MINUS_ONE } else { Number::ONE });
        Some(signed)
    }
}

fn other(operator: Operator) -> Operator {
    if operator == Operator::Sin { Operator::Cos } else { Operator::Sin }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, evaluate, print};

    /// Each law, with the form that it gives; both sides are compared at a point.
    #[test]
    fn sines_and_cosines_are_simplified() {
        let arena = Arena::new();
        let symbols = ["x", "y", "k"].map(|name| arena.new_symbol(name));
        let [x, y, k] = symbols.map(|symbol| arena.symbol(symbol));
        let [sx, cx, sy, cy] = [(Operator::Sin, x), (Operator::Cos, x), (Operator::Sin, y), (Operator::Cos, y)]
            .map(|(operator, angle)| arena.apply(operator, &[angle]));
        let times = |factors: &[Expr]| arena.product(factors.iter().map(|&factor| (factor, 1)));
        let cases = [
            (arena.add(times(&[k, cx, cy]), times(&[k, sx, sy])), "cos(x - y)*k"),
            (arena.subtract(times(&[k, cx, cy]), times(&[k, sx, sy])), "cos(x + y)*k"),
            (arena.add(times(&[k, sx, cy]), times(&[k, cx, sy])), "sin(x + y)*k"),
            (arena.subtract(times(&[k, sx, cy]), times(&[k, cx, sy])), "sin(x - y)*k"),
            (arena.subtract(k, times(&[k, cx, cx])), "sin(x)^2*k"),
            (times(&[k, arena.add(arena.multiply(cx, cx), arena.multiply(times(&[sx, sx]), arena.one()))]), "k"),
        ];
        let point = symbols.into_iter().zip([0.7, -1.3, 2.5]).collect();
        for (expr, expected) in cases {
            let mut expander = Expander::new(&arena);
            let expanded = expander.expand(expr).expect("short");
            let simple = expander.rebuild(&expanded);
            let (before, after) = (evaluate(&arena, expr, &point), evaluate(&arena, simple, &point));
            assert!((before - after).abs() < 1e-14, "{before} is {after}");
            let mut words: Vec<char> = print(&arena, simple).chars().collect();
            let mut other: Vec<char> = expected.chars().collect();
            words.sort_unstable();
            other.sort_unstable();
            assert_eq!(words, other, "{} is not {expected}", print(&arena, simple));
        }
    }
}
