//! Surfaces that are planes: an equation that is linear in x, y, z bounds a half-space.

use base::{Dimension, Span};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::surface::Level;
use crate::term::{Amount, BoundId, Shape, TermId, TermKind, Type};

/// Coefficients of x, y and z, and what is left at the origin; nothing where it is zero.
type Linear = [Option<TermId>; 4];

/// What a name stands for while a function's body is read.
type Bounds = FxHashMap<BoundId, Linear>;

impl Resolver<'_, '_> {
    /// The gradient of a surface's equation and its value at the frame's origin, if the gradient is the same everywhere.
    pub(super) fn plane(&mut self, level: &Level, span: Span) -> Option<[TermId; 4]> {
        let type_ = self.type_of(level.residual);
        let over = type_.amount.dimension().over(Dimension::LENGTH)?;
        let mut bounds = Bounds::default();
        for (at, coordinate) in level.coordinates.into_iter().enumerate() {
            let mut own = [None; 4];
            own[at] = Some(self.plain_number(1.0, span));
            bounds.insert(coordinate, own);
        }
        let mut found = self.linear(level.residual, &bounds)?;
        // A constant has no sides.
        found[..3].iter().any(Option::is_some).then_some(())?;
        let slope = Type { shape: Shape::Scalar, amount: Amount::Of(over) };
        for (at, part) in found.iter_mut().enumerate() {
            let type_ = if at < 3 { slope } else { type_ };
            let zero = || TermKind::Number(0.0);
            *part = Some(part.unwrap_or_else(|| self.push(zero(), type_, span)));
        }
        let [Some(x), Some(y), Some(z), Some(rest)] = found else { return None };
        Some([x, y, z, rest])
    }

    /// A term as a linear function of the coordinates that are among the bounds; nothing if it is not one.
    fn linear(&mut self, term: TermId, bounds: &Bounds) -> Option<Linear> {
        let involved = |kind: &TermKind| matches!(kind, TermKind::Bound(bound) if bounds.contains_key(bound));
        if self.model.terms.find(term, involved).is_none() {
            return Some([None, None, None, Some(term)]);
        }
        let kind = self.model.terms.get(term).kind.clone();
        match kind {
            TermKind::Bound(bound) => bounds.get(&bound).copied(),
            TermKind::Negate(a) => {
                let a = self.linear(a, bounds)?;
                self.negated(a)
            }
            TermKind::Add(a, b) => {
                let (a, b) = (self.linear(a, bounds)?, self.linear(b, bounds)?);
                Some(self.sum_linear(a, b))
            }
            TermKind::Subtract(a, b) => {
                let (a, b) = (self.linear(a, bounds)?, self.linear(b, bounds)?);
                let b = self.negated(b)?;
                Some(self.sum_linear(a, b))
            }
            TermKind::Sum(parts) => {
                let mut sum = [None; 4];
                for part in parts {
                    let part = self.linear(part, bounds)?;
                    sum = self.sum_linear(sum, part);
                }
                Some(sum)
            }
            TermKind::Multiply(a, b) => match (self.linear(a, bounds)?, self.linear(b, bounds)?) {
                ([None, None, None, Some(factor)], other) | (other, [None, None, None, Some(factor)]) => {
                    let dimension = self.dimension_of(factor);
                    self.each(other, |own| own.times(dimension), |part| TermKind::Multiply(factor, part))
                }
                _ => None,
            },
            TermKind::Divide(a, b) => match (self.linear(a, bounds)?, self.linear(b, bounds)?) {
                (other, [None, None, None, Some(divisor)]) => {
                    let dimension = self.dimension_of(divisor);
                    self.each(other, |own| own.over(dimension), |part| TermKind::Divide(part, divisor))
                }
                _ => None,
            },
            TermKind::Call { arguments, body } => self.linear_call(arguments, body, bounds),
            _ => None,
        }
    }

    /// A function of the coordinates, or of what is linear in them.
    fn linear_call(&mut self, arguments: Vec<(BoundId, TermId)>, body: TermId, bounds: &Bounds) -> Option<Linear> {
        let mut inner = bounds.clone();
        let mut others = Vec::new();
        for (bound, argument) in arguments {
            match self.linear(argument, bounds)? {
                [None, None, None, _] => others.push((bound, argument)),
                linear => {
                    inner.insert(bound, linear);
                }
            }
        }
        let found = self.linear(body, &inner)?;
        // What the coefficients are made of may speak of the other arguments.
        self.each(found, Some, |part| TermKind::Call { arguments: others.clone(), body: part })
    }

    fn sum_linear(&mut self, a: Linear, b: Linear) -> Linear {
        std::array::from_fn(|at| match (a[at], b[at]) {
            (Some(a), Some(b)) => {
                let dimension = self.dimension_of(a);
                Some(self.scalar_of(TermKind::Add(a, b), dimension, a))
            }
            (a, b) => a.or(b),
        })
    }

    fn negated(&mut self, linear: Linear) -> Option<Linear> {
        self.each(linear, Some, TermKind::Negate)
    }

    /// Each coefficient made into another of another dimension; nothing where that has no exponents.
    fn each(
        &mut self,
        linear: Linear,
        dimension: impl Fn(Dimension) -> Option<Dimension>,
        make: impl Fn(TermId) -> TermKind,
    ) -> Option<Linear> {
        let mut made = [None; 4];
        for (to, part) in made.iter_mut().zip(linear) {
            let Some(part) = part else { continue };
            let dimension = dimension(self.dimension_of(part))?;
            *to = Some(self.scalar_of(make(part), dimension, part));
        }
        Some(made)
    }

    fn dimension_of(&self, term: TermId) -> Dimension {
        self.type_of(term).amount.dimension()
    }

    /// A number at the place of the term that it is made of.
    fn scalar_of(&mut self, kind: TermKind, dimension: Dimension, place: TermId) -> TermId {
        let span = self.model.terms.get(place).span;
        self.push(kind, Type::scalar(dimension), span)
    }
}
