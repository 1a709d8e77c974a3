//! `p relative to f`: things as an observer sees them who moves with a frame.

use base::{Diagnostic, Dimension, Span};

use super::check::found_label;
use super::{Outcome, Resolver};
use crate::codes;
use crate::model::FrameId;
use crate::term::{Amount, FrameQuantity, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    /// A position, or the velocity, acceleration or angular velocity of a frame, against the motion of another and in its axes.
    pub(super) fn relative(&mut self, what: TermId, frame: FrameId, span: Span) -> Outcome<TermId> {
        let type_ = self.type_of(what);
        let of_frame = match self.model.terms.get(what).kind {
            TermKind::Frame(of, quantity) => Some((of, quantity)),
            _ => None,
        };
        match of_frame {
            Some((of, FrameQuantity::Velocity)) => {
                let position = self.relative_position(of, frame, span);
                self.derivative(position, span)
            }
            Some((of, FrameQuantity::Acceleration)) => {
                let position = self.relative_position(of, frame, span);
                let velocity = self.derivative(position, span)?;
                self.derivative(velocity, span)
            }
            Some((_, FrameQuantity::Omega)) => {
                let own = self.push(TermKind::Frame(frame, FrameQuantity::Omega), type_, span);
                let difference = self.push(TermKind::Subtract(what, own), type_, span);
                Ok(self.push(TermKind::InFrame(difference, frame), type_, span))
            }
            _ if type_.amount.agree(Amount::Of(Dimension::LENGTH)).is_some() => {
                Ok(self.push(TermKind::RelativeTo(what, frame), Type::vector(Dimension::LENGTH), span))
            }
            _ => {
                let message = "only a position, or the motion of a frame, can be seen from another frame";
                let place = self.model.terms.get(what).span;
                Err(self.report(
                    Diagnostic::error(codes::WRONG_KIND, message)
                        .at(place, found_label(type_.amount))
                        .hint("for the components of any vector along a frame's axes, write `v in f`"),
                ))
            }
        }
    }

    fn relative_position(&mut self, of: FrameId, frame: FrameId, span: Span) -> TermId {
        let type_ = Type::vector(Dimension::LENGTH);
        let position = self.push(TermKind::Frame(of, FrameQuantity::Position), type_, span);
        self.push(TermKind::RelativeTo(position, frame), type_, span)
    }
}
