//! Implicit surfaces: an equation in the coordinates x, y, z of a frame, its residual and its gradient at a point.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, print_expression};

use super::space::Scope;
use super::{Outcome, Resolver, Sense, Value};
use crate::codes;
use crate::model::{FrameId, WORLD};
use crate::term::{Amount, BoundId, Shape, TermId, TermKind, Type};

/// A surface's equation, elaborated: left - right as a function of its coordinates.
pub(super) struct Level {
    pub frame: FrameId,
    pub coordinates: [BoundId; 3],
    pub residual: TermId,
}

impl Resolver<'_, '_> {
    /// The surface that a path names.
    pub(super) fn surface_of(&mut self, path: &Expr, scope: &Scope) -> Outcome<usize> {
        match self.value_as(path, scope, Sense::Thing)? {
            Value::Surface(surface) => Ok(surface),
            _ => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{}` is not a surface", print_expression(path)))
                    .at(path.span, "a surface is needed here")
                    .hint("declare one: `surface floor in world: z == 0`"),
            )),
        }
    }

    /// Zero where the point is on the surface.
    pub(super) fn surface_residual(&mut self, surface: usize, point: TermId, span: Span) -> Outcome<TermId> {
        self.stated_surfaces.push(surface);
        let level = self.level(surface, span)?;
        Ok(self.at_point(&level, level.residual, point, span))
    }

    /// The gradient at a point, as a vector in the world.
    pub(super) fn surface_gradient(&mut self, surface: usize, point: TermId, span: Span) -> Outcome<TermId> {
        self.stated_surfaces.push(surface);
        let level = self.level(surface, span)?;
        let dimension = self.type_of(level.residual).amount.dimension().over(Dimension::LENGTH);
        let amount = self.in_range(dimension, Amount::Of(Dimension::NONE), span)?;
        let slopes = level.coordinates.map(|coordinate| {
            let by = self.push(TermKind::Bound(coordinate), Type::scalar(Dimension::LENGTH), span);
            self.push(TermKind::Partial(level.residual, by), Type { shape: Shape::Scalar, amount }, span)
        });
        let type_ = Type { shape: Shape::Vector, amount };
        let gradient = self.push(TermKind::Vector(slopes), type_, span);
        let local = self.at_point(&level, gradient, point, span);
        Ok(self.push(TermKind::VectorOf(level.frame, local), type_, span))
    }

    pub(super) fn surface_normal(&mut self, surface: usize, point: TermId, span: Span) -> Outcome<TermId> {
        let gradient = self.surface_gradient(surface, point, span)?;
        let type_ = self.type_of(gradient);
        let size = self.push(TermKind::Norm(gradient), Type { shape: Shape::Scalar, ..type_ }, span);
        Ok(self.push(TermKind::Divide(gradient, size), Type::vector(Dimension::NONE), span))
    }

    pub(super) fn level(&mut self, surface: usize, span: Span) -> Outcome<Level> {
        let (item, outer) = self.surfaces[surface].clone();
        let frame = match &item.parent {
            Some(parent) => self.frame_of(parent, &outer)?,
            None => WORLD,
        };
        let mut scope = outer;
        let coordinates = ["x", "y", "z"].map(|name| {
            let bound = self.model.terms.new_bound(name);
            let stand_in = self.push(TermKind::Bound(bound), Type::scalar(Dimension::LENGTH), item.name.span);
            scope = scope.with(name, Value::Term(stand_in));
            bound
        });
        let (left, right) = (self.scalar(&item.left, &scope), self.scalar(&item.right, &scope));
        let (left, right) = (left?, right?);
        let type_ = self.join_types(left, right, "the two sides of a surface's equation")?;
        let residual = self.push(TermKind::Subtract(left, right), type_, span);
        Ok(Level { frame, coordinates, residual })
    }

    /// A function of a surface's coordinates, at a point of the world.
    fn at_point(&mut self, level: &Level, body: TermId, point: TermId, span: Span) -> TermId {
        let local = self.push(TermKind::RelativeTo(point, level.frame), Type::vector(Dimension::LENGTH), span);
        let arguments = level.coordinates.iter().copied().zip(self.components(local, span)).collect();
        let kind = TermKind::Call { arguments, body };
        self.push(kind, self.type_of(body), span)
    }
}
