//! What moves, and forces and torques that move nothing.

use base::{Diagnostic, Diagnostics};

use crate::codes;
use crate::model::{Component, Frame, FrameId, Model, ParameterId, Rotation, WORLD};

/// Warns of forces on what is fixed, and of torques on what cannot turn.
pub fn warn_of_idle(model: &Model, sink: &mut Diagnostics) {
    for torque in model
        .torques
        .iter()
        .filter(|torque| !torque.mutual && !above(model, torque.frame).any(|frame| turns(model, frame)))
    {
        let name = &model.frame(torque.frame).name;
        sink.report(
            Diagnostic::warning(codes::NO_EFFECT, "this torque has no effect")
                .at(torque.span, format!("`{name}` cannot turn"))
                .hint("let it turn, as in `rotation = free` or `rotation = about z free`"),
        );
    }
    for force in
        model.forces.iter().filter(|force| !force.mutual && !above(model, force.frame).any(|frame| moves(model, frame)))
    {
        let name = &model.frame(force.frame).name;
        sink.report(
            Diagnostic::warning(codes::NO_EFFECT, "this force has no effect")
                .at(force.span, format!("`{name}` cannot move"))
                .hint("let it move, as in `position = free` or `position = (free, 0, 0)`"),
        );
    }
}

/// Whether a frame moves in its parent: freely, with time, with a control, or with others.
pub fn moves(model: &Model, frame: &Frame) -> bool {
    turns(model, frame) || frame.position.iter().chain(&frame.scale).any(|component| changes(model, component))
}

fn turns(model: &Model, frame: &Frame) -> bool {
    match &frame.rotation {
        Rotation::None => false,
        Rotation::Free(_) => true,
        Rotation::About { angle, .. } => changes(model, angle),
        Rotation::Quaternion(parts) => parts.iter().any(|part| changes(model, part)),
    }
}

fn changes(model: &Model, component: &Component) -> bool {
    let default = |id: ParameterId| model.parameters.get(id.index()).map(|parameter| parameter.default);
    match component {
        Component::Free(_) => true,
        Component::Given(term) => model.terms.constant(*term, &default).is_none(),
    }
}

/// A frame, its parent, and so on.
fn above(model: &Model, frame: FrameId) -> impl Iterator<Item = &Frame> {
    let next = |frame: &FrameId| Some(model.frame(*frame).parent).filter(|parent| *parent != WORLD);
    std::iter::successors(Some(frame), next).map(|frame| model.frame(frame))
}
