//! Matrices and quaternions: how they are written, and what can be done with them.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, ExprKind};

use super::space::Scope;
use super::{Outcome, Reported, Resolver};
use crate::codes;
use crate::term::{Amount, Shape, TermId, TermKind, Type};

/// The names of the entries of a matrix, row by row.
pub(super) const ENTRIES: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

const PLAIN: Amount = Amount::Of(Dimension::NONE);

impl Resolver<'_, '_> {
    /// A matrix of three rows.
    pub(super) fn matrix_of_rows(&mut self, rows: [TermId; 3], span: Span) -> Outcome<TermId> {
        let mut amount = Amount::Zero;
        for (at, &row) in rows.iter().enumerate() {
            self.need_shape(row, Shape::Vector)?;
            let joined = self.join_types(rows[0], row, "the rows of a matrix")?;
            amount = amount.agree(joined.amount).unwrap_or(amount);
            debug_assert!(at < 3);
        }
        let [a, b, c] = rows.map(|row| self.components(row, span));
        let entries = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        Ok(self.push(TermKind::Matrix(Box::new(entries)), Type { shape: Shape::Matrix, amount }, span))
    }

    /// `diagonal(a, b, c)`
    pub(super) fn diagonal(&mut self, entries: [TermId; 3], span: Span) -> Outcome<TermId> {
        let zero = self.number(0.0, span);
        let mut amount = Amount::Zero;
        for entry in entries {
            self.need_shape(entry, Shape::Scalar)?;
            let joined = self.join_types(entries[0], entry, "the entries of a matrix")?;
            amount = amount.agree(joined.amount).unwrap_or(amount);
        }
        let mut matrix = [zero; 9];
        for (at, entry) in entries.into_iter().enumerate() {
            matrix[4 * at] = entry;
        }
        Ok(self.push(TermKind::Matrix(Box::new(matrix)), Type { shape: Shape::Matrix, amount }, span))
    }

    /// `quaternion(w, x, y, z)`
    pub(super) fn quaternion(&mut self, parts: [TermId; 4], span: Span) -> Outcome<TermId> {
        for part in parts {
            self.need_shape(part, Shape::Scalar)?;
            self.need_plain(part, "a component of a quaternion")?;
        }
        Ok(self.push(TermKind::Quaternion(parts), Type { shape: Shape::Quaternion, amount: PLAIN }, span))
    }

    /// `transpose(m)`; a row of derivatives is a vector already.
    pub(super) fn transpose(&mut self, term: TermId, span: Span) -> Outcome<TermId> {
        let type_ = self.type_of(term);
        match type_.shape {
            Shape::Matrix => Ok(self.push(TermKind::Transpose(term), type_, span)),
            Shape::Scalar | Shape::Vector => Ok(term),
            _ => self.need_shape(term, Shape::Matrix).and(Err(Reported)),
        }
    }

    pub(super) fn conjugate(&mut self, term: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(term, Shape::Quaternion)?;
        Ok(self.push(TermKind::Conjugate(term), self.type_of(term), span))
    }

    /// `rotation(q)`: the matrix of a unit quaternion.
    pub(super) fn rotation_matrix(&mut self, term: TermId, span: Span) -> Outcome<TermId> {
        self.need_shape(term, Shape::Quaternion)?;
        Ok(self.push(TermKind::RotationOf(term), Type { shape: Shape::Matrix, amount: PLAIN }, span))
    }

    /// `about z 30 [deg]` as a value of the wanted shape.
    pub(super) fn turn(&mut self, turn: &Expr, shape: Shape, scope: &Scope) -> Outcome<TermId> {
        let ExprKind::About { axis, rotation } = &turn.kind else { return Err(Reported) };
        if matches!(rotation.kind, ExprKind::Free(_)) {
            return Err(self.report(
                Diagnostic::error(codes::MISPLACED_FREE, "`free` describes the transformation of a frame")
                    .at(rotation.span, "an angle is needed here"),
            ));
        }
        let axis = self.axis(axis, scope)?;
        let angle = self.scalar(rotation, scope)?;
        self.need_plain(angle, "an angle")?;
        let type_ = Type { shape: Shape::Quaternion, amount: PLAIN };
        let quaternion = self.push(TermKind::Turn(axis, angle), type_, turn.span);
        match shape {
            Shape::Quaternion => Ok(quaternion),
            _ => self.rotation_matrix(quaternion, turn.span),
        }
    }

    /// Products that are no multiples: matrix by vector, matrix by matrix, quaternion by quaternion.
    pub(super) fn product(&mut self, a: TermId, b: TermId, amount: Amount, span: Span) -> Outcome<TermId> {
        use Shape::{Matrix, Quaternion, Vector};
        let shape = match (self.type_of(a).shape, self.type_of(b).shape) {
            (Matrix, Vector) => Vector,
            (Matrix, Matrix) => Matrix,
            (Quaternion, Quaternion) => Quaternion,
            (Vector, Vector) => {
                return Err(self.report(
                    Diagnostic::error(codes::WRONG_KIND, "the product of two vectors is not unique")
                        .at(span, "vector times vector")
                        .hint("write `dot(a, b)` for a number, `cross(a, b)` for a vector"),
                ));
            }
            _ => {
                let hint = "a matrix stands before the vector it acts on; a quaternion turns a vector through `rotation(q) * v`";
                return Err(self.report(
                    Diagnostic::error(codes::WRONG_KIND, "these cannot be multiplied in this order")
                        .at(span, "this product has no meaning")
                        .hint(hint),
                ));
            }
        };
        Ok(self.push(TermKind::Product(a, b), Type { shape, amount }, span))
    }

    pub(super) fn add(&mut self, a: TermId, b: TermId, span: Span) -> Outcome<TermId> {
        let (a, b) = self.fill_empty(a, b);
        if self.is_empty_sum(b) {
            return Ok(a);
        }
        let type_ = self.join_types(a, b, "what is added")?;
        self.need_quantity(a)?;
        Ok(self.push(TermKind::Add(a, b), type_, span))
    }

    pub(super) fn is_empty_sum(&self, term: TermId) -> bool {
        matches!(self.model.terms.get(term).kind, TermKind::EmptySum)
    }

    /// An empty sum is the zero of whatever stands on the other side.
    pub(super) fn fill_empty(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        let empty = |term: TermId| self.is_empty_sum(term);
        let span = |term: TermId| self.model.terms.get(term).span;
        match (empty(a), empty(b)) {
            (true, false) => (self.zero(self.type_of(b), span(a)), b),
            (false, true) => (a, self.zero(self.type_of(a), span(b))),
            _ => (a, b),
        }
    }
}
