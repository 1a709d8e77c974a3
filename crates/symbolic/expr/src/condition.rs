//! Conditions on what takes few values: `sign(x) > 0` is `x > 0`, `floor(x) >= 2` is `x >= 2`, `(if a then 1 else 0) > 0.5` is `a`. So a
//! potential that is written with such a condition has a step where it says, and not a product of two.
//!
//! ```text
//! sign       sign(x) > 0, sign(x) >= 1        =>  x > 0           and likewise for the other comparisons with numbers
//! whole      floor(x) >= n, floor(x) > n - 1  =>  x >= n          if n is a whole number; `<`, `<=` and `==` likewise
//! either     select(c, x, y) > z              =>  c, not c, 0, 1  if x, y and z are numbers
//! ```

use crate::arena::Node;
use crate::number::EXACT;
use crate::{Arena, Expr, Operator};

impl Arena {
    /// A comparison of a number with a multiple of something that takes few values, said without that.
    pub(crate) fn condition(&self, operator: Operator, arguments: &[Expr]) -> Option<Expr> {
        let &[a, b] = arguments else { return None };
        if !matches!(operator, Operator::Less | Operator::LessEqual | Operator::Equal) {
            return None;
        }
        let (side, number, is_left) = match (self.as_number(a), self.as_number(b)) {
            (None, Some(number)) => (a, number.value(), true),
            (Some(number), None) => (b, number.value(), false),
            _ => return None,
        };
        let (factor, of, offset) = match self.node(side) {
            Node::Sum(terms, offset) if terms.len() == 1 => (terms[0].0.value(), terms[0].1, offset.value()),
            _ => (1.0, side, 0.0),
        };
        let holds = |value: f64| {
            let value = factor * value + offset;
            let pair = if is_left { [value, number] } else { [number, value] };
            (operator.row().value)(&pair) != 0.0
        };
        let Node::Apply(few, inner) = self.node(of) else { return None };
        match (few, &inner[..]) {
            (Operator::Sign, &[x]) => Some(self.of_sign(x, [-1.0, 0.0, 1.0].map(holds))),
            (Operator::Select, &[truth, x, y]) => {
                let [x, y] = [self.as_number(x)?, self.as_number(y)?].map(|number| holds(number.value()));
                Some(match (x, y) {
                    (true, false) => truth,
                    (false, true) => self.apply(Operator::Not, &[truth]),
                    (constant, _) => self.number(f64::from(u8::from(constant))),
                })
            }
            (Operator::Floor, &[x]) => self.of_whole(x, ((number - offset) / factor).floor(), holds),
            _ => None,
        }
    }

    /// What holds for these signs of a number.
    fn of_sign(&self, x: Expr, holds: [bool; 3]) -> Expr {
        let zero = self.zero();
        match holds {
            [false, false, false] => zero,
            [false, false, true] => self.apply(Operator::Less, &[zero, x]),
            [false, true, false] => self.apply(Operator::Equal, &[x, zero]),
            [false, true, true] => self.apply(Operator::LessEqual, &[zero, x]),
            [true, false, false] => self.apply(Operator::Less, &[x, zero]),
            [true, false, true] => self.apply(Operator::Not, &[self.apply(Operator::Equal, &[x, zero])]),
            [true, true, false] => self.apply(Operator::LessEqual, &[x, zero]),
            [true, true, true] => self.one(),
        }
    }

    /// What holds for the whole part of a number on one side of a place near `near`, or there alone. None where numbers are too large.
    fn of_whole(&self, x: Expr, near: f64, holds: impl Fn(f64) -> bool) -> Option<Expr> {
        if near.is_nan() || near.abs() >= EXACT - 4.0 {
            return None;
        }
        // Rounding may have moved the place by one.
        let around = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|beside| near + beside);
        let from = |whole: f64| self.apply(Operator::LessEqual, &[self.number(whole), x]);
        let below = |whole: f64| self.apply(Operator::Less, &[x, self.number(whole)]);
        let turns: Vec<f64> =
            around.windows(2).filter(|pair| holds(pair[0]) != holds(pair[1])).map(|it| it[1]).collect();
        match (turns.as_slice(), holds(around[0])) {
            (&[at], false) => Some(from(at)),
            (&[at], true) => Some(below(at)),
            (&[first, last], false) => Some(self.apply(Operator::And, &[from(first), below(last)])),
            ([], false) => Some(self.zero()),
            _ => None,
        }
    }
}
