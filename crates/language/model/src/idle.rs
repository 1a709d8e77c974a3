//! What moves, and forces and torques that move nothing.

use base::{Diagnostic, Diagnostics};

use crate::codes;
use crate::model::{ActuatorId, Component, Frame, FrameId, Model, ParameterId, Rotation, WORLD};
use crate::term::{TermId, TermKind};

/// Warns of forces on what is fixed, and of torques on what cannot turn.
pub fn warn_of_idle(model: &Model, sink: &mut Diagnostics) {
    note_undecided(model, sink);
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

/// Says of actuators that nothing decides what they exert.
fn note_undecided(model: &Model, sink: &mut Diagnostics) {
    let equations = model.constraints.iter().chain(&model.laws);
    let sides: Vec<TermId> = equations.flat_map(|equation| [equation.left, equation.right]).collect();
    for (at, actuator) in model.actuators.iter().enumerate() {
        let is_it = |kind: &TermKind| *kind == TermKind::Quantity(actuator.quantity);
        let used = model.prescriptions.iter().any(|row| row.using.contains(&ActuatorId(at as u32)));
        if used || sides.iter().any(|&side| model.terms.find(side, is_it).is_some()) {
            continue;
        }
        let name = &model.quantities[actuator.quantity.index()].name;
        sink.report(
            Diagnostic::notice(codes::NO_EFFECT, format!("nothing says what `{name}` is"))
                .at(actuator.span, "so it is 0")
                .hint(format!("give it, as in `always {name} == …`, or prescribe a motion `using {name}`")),
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
