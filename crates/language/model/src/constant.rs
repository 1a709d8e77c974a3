//! The numbers that terms stand for, where these are known before the scene moves.

use expr::Operator;
use rustc_hash::FxHashMap;

use crate::model::ParameterId;
use crate::term::{Shape, TermId, TermKind, Terms};

/// A component of a term; a number is its own component 0.
type Part = (TermId, usize);

impl Terms {
    /// The value of a scalar made of numbers and, where `parameter` knows them, parameters.
    ///
    /// Terms share their parts, and chains of definitions are as long as their author likes: so each part is computed once, and
    /// nothing here calls itself.
    pub fn constant(&self, id: TermId, parameter: &dyn Fn(ParameterId) -> Option<f64>) -> Option<f64> {
        if !matches!(self.get(id).type_.shape, Shape::Scalar | Shape::Condition) {
            return None;
        }
        if let TermKind::Number(value) = self.get(id).kind {
            return Some(value);
        }
        let mut known: FxHashMap<Part, f64> = FxHashMap::default();
        let mut open: Vec<Part> = vec![(id, 0)];
        while let Some(&part) = open.last() {
            let operands = self.operands(part)?;
            let values: Vec<f64> = operands.iter().map_while(|operand| known.get(operand).copied()).collect();
            if values.len() < operands.len() {
                open.push(operands[values.len()]);
                continue;
            }
            known.insert(part, self.combine(part.0, &values, parameter)?);
            open.pop();
        }
        known.get(&(id, 0)).copied()
    }

    /// What a part is computed from; nothing for what is not known in advance.
    fn operands(&self, (id, at): Part) -> Option<Vec<Part>> {
        Some(match &self.get(id).kind {
            TermKind::Number(_) | TermKind::Parameter(_) => Vec::new(),
            TermKind::Negate(a) => vec![(*a, at)],
            TermKind::EmptySum => Vec::new(),
            TermKind::Sum(parts) => parts.iter().map(|&part| (part, at)).collect(),
            TermKind::Add(a, b) | TermKind::Subtract(a, b) => vec![(*a, at), (*b, at)],
            TermKind::Multiply(a, b) => vec![(*a, 0), (*b, at)],
            TermKind::Divide(a, b) => vec![(*a, at), (*b, 0)],
            TermKind::Power(a, _) => vec![(*a, 0)],
            TermKind::Apply(_, arguments) => arguments.iter().map(|&argument| (argument, 0)).collect(),
            TermKind::Component(whole, at) => vec![(*whole, *at)],
            TermKind::Vector(parts) => vec![(parts[at], 0)],
            TermKind::Matrix(parts) => vec![(parts[at], 0)],
            TermKind::Quaternion(parts) => vec![(parts[at], 0)],
            _ => return None,
        })
    }

    fn combine(&self, id: TermId, values: &[f64], parameter: &dyn Fn(ParameterId) -> Option<f64>) -> Option<f64> {
        Some(match (&self.get(id).kind, values) {
            (TermKind::Number(value), _) => *value,
            (TermKind::Parameter(id), _) => parameter(*id)?,
            (TermKind::Negate(_), [a]) => -a,
            (TermKind::EmptySum, _) => 0.0,
            (TermKind::Sum(_), parts) => parts.iter().sum(),
            (TermKind::Add(..), [a, b]) => a + b,
            (TermKind::Subtract(..), [a, b]) => a - b,
            (TermKind::Multiply(..), [a, b]) => a * b,
            (TermKind::Divide(..), [a, b]) => a / b,
            (TermKind::Power(_, exponent), [a]) if exponent.fract() == 0.0 && exponent.abs() < 1e6 => {
                expr::whole_power(*a, *exponent as i32)
            }
            (TermKind::Power(_, exponent), [a]) => (Operator::Pow.row().value)(&[*a, *exponent]),
            // What was measured is known to the arena alone, and what others wrote is called by runs alone.
            (TermKind::Apply(Operator::Place | Operator::Cell | Operator::Foreign, _), _) => return None,
            (TermKind::Apply(operator, _), values) => (operator.row().value)(values),
            (TermKind::Component(..) | TermKind::Vector(_) | TermKind::Matrix(_) | TermKind::Quaternion(_), [part]) => {
                *part
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use base::{Dimension, Span};

    use super::*;
    use crate::term::Type;

    fn push(terms: &mut Terms, kind: TermKind) -> TermId {
        terms.push(kind, Type::scalar(Dimension::NONE), Span::default())
    }

    #[test]
    fn shared_parts_are_computed_once_however_long_the_chain() {
        let mut terms = Terms::default();
        let mut sum = push(&mut terms, TermKind::Number(1.0));
        for _ in 0..1000 {
            sum = push(&mut terms, TermKind::Add(sum, sum));
        }
        for _ in 0..200_000 {
            sum = push(&mut terms, TermKind::Negate(sum));
        }
        assert_eq!(terms.constant(sum, &|_| None), Some(expr::whole_power(2.0, 1000)));
    }

    #[test]
    fn components_of_vectors_are_numbers_even_if_others_are_not_known() {
        let mut terms = Terms::default();
        let (two, time) = (push(&mut terms, TermKind::Number(2.0)), push(&mut terms, TermKind::Time));
        let vector = terms.push(TermKind::Vector([two, time, two]), Type::vector(Dimension::NONE), Span::default());
        let scaled = terms.push(TermKind::Multiply(two, vector), Type::vector(Dimension::NONE), Span::default());
        let component = |terms: &mut Terms, at| push(terms, TermKind::Component(scaled, at));
        let [x, y] = [0, 1].map(|at| component(&mut terms, at));
        assert_eq!(terms.constant(x, &|_| None), Some(4.0));
        assert_eq!(terms.constant(y, &|_| None), None);
        assert_eq!(terms.constant(vector, &|_| None), None);
    }
}
