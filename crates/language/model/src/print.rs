//! The model as text: what the compiler understood.

use std::fmt::Write;

use base::{Sources, Span, Unit};

use crate::contact::{Apart, Contacts};
use crate::idle::moves;
use crate::model::{Component, Control, Frame, Model, Prescription, Quantity, Rotation};
use crate::term::Shape;

/// One line for every thing, with the place it comes from.
// Long: one line of output for each kind of thing, in the order of the model.
pub fn print(model: &Model, sources: &Sources) -> String {
    let mut out = format!("scene {}\n", model.name);
    let mut line = |text: String, span: base::Span| {
        let _ = writeln!(out, "  {text:<72} {}", sources.locate(span));
    };
    for parameter in &model.parameters {
        let value = parameter.unit.count(parameter.default);
        line(format!("parameter {} = {value}{}", parameter.name, bracketed(&parameter.unit)), parameter.span);
    }
    for control in &model.controls {
        let Control { name, unit, .. } = control;
        let range = control.range.map(|(low, high)| (unit.count(low), unit.count(high)));
        let range = range.map_or(String::new(), |(low, high)| format!(" in [{low}, {high}]{}", bracketed(unit)));
        line(format!("control {name}{range} = {}{}", unit.count(control.default), bracketed(unit)), control.span);
    }
    for (frame, body) in model.frames.iter().zip(model.bodies_of_frames()).skip(1) {
        let kind = match body {
            None => "frame",
            Some(body) if body.inertia.is_some() => "body",
            Some(_) => "point",
        };
        let free = freedom(model, frame);
        line(format!("{kind} {} in {} ({free})", frame.name, model.frame(frame.parent).name), frame.span);
    }
    if let Some(gravity) = &model.gravity {
        line("gravity".to_string(), gravity.span);
    }
    for potential in &model.potentials {
        line(format!("potential {}", potential.label), potential.span);
    }
    for family in &model.families {
        line(format!("potential {} for {} rows", family.label, family.rows.len()), family.span);
    }
    for force in &model.forces {
        line(format!("force on {}", model.frame(force.frame).name), force.span);
    }
    for torque in &model.torques {
        line(format!("torque on {}", model.frame(torque.frame).name), torque.span);
    }
    for quantity in &model.quantities {
        line(unknown(quantity), quantity.span);
    }
    for prescription in &model.prescriptions {
        line(prescribed(model, prescription), prescription.equation.span);
    }
    for equation in &model.laws {
        line(format!("law {}", equation.label), equation.span);
    }
    for equation in &model.constraints {
        line(format!("always {}", equation.label), equation.span);
    }
    for equation in &model.initial {
        line(format!("initially {}", equation.label), equation.span);
    }
    if let Some(contacts) = &model.contacts {
        for (text, span) in contact_lines(contacts) {
            line(text, span);
        }
    }
    out
}

fn freedom(model: &Model, frame: &Frame) -> String {
    match degrees(frame).as_slice() {
        [] if moves(model, frame) => "driven".to_string(),
        [] => "fixed".to_string(),
        free => format!("free: {}", free.join(", ")),
    }
}

fn unknown(quantity: &Quantity) -> String {
    let constant = if quantity.constant { "constant " } else { "" };
    let domain = match quantity.type_.shape {
        Shape::Vector => "vec ",
        Shape::Matrix if quantity.rotation => "rotation ",
        Shape::Matrix => "matrix ",
        Shape::Quaternion => "quaternion ",
        Shape::Scalar | Shape::Condition => "",
    };
    let unit = quantity.unit.clone().unwrap_or_else(|| quantity.type_.amount.dimension().unit());
    format!("unknown {}: {constant}{domain}[{unit}]", quantity.name)
}

/// What is prescribed, by which actuators, and what decides where these could do it in several ways.
fn prescribed(model: &Model, prescription: &Prescription) -> String {
    let name = |id: &crate::ActuatorId| model.quantities[model.actuators[id.index()].quantity.index()].name.as_str();
    let using: Vec<&str> = prescription.using.iter().map(name).collect();
    let cost = prescription.cost.as_ref().map_or(String::new(), |cost| format!(" minimizing {}", cost.label));
    format!("prescribe {} using {}{cost}", prescription.equation.label, using.join(", "))
}

/// What touches, and the pairs with the statements that decide for them.
fn contact_lines(contacts: &Contacts) -> Vec<(String, Span)> {
    // A pile of a hundred has five thousand pairs, which nobody reads.
    const MOST_PAIRS: usize = 100;
    let mut lines: Vec<(String, Span)> = Vec::new();
    for (at, thing) in contacts.things.iter().enumerate() {
        let solids: Vec<&str> =
            contacts.shapes.iter().filter(|shape| shape.thing == at).map(|shape| shape.solid).collect();
        lines.push((format!("touches {}: {}", thing.name, solids.join(", ")), thing.span));
    }
    for pair in contacts.pairs.iter().take(MOST_PAIRS) {
        let [a, b] = pair.things.map(|thing| contacts.things[thing].name.as_str());
        let together = if pair.together { " together" } else { "" };
        lines.push((format!("contact {a}, {b}{together}"), pair.span));
    }
    let held = contacts.left_out.iter().filter(|(_, apart)| *apart == Apart::Held);
    for ([a, b], _) in held.take(MOST_PAIRS) {
        let place = contacts.things.iter().find(|thing| thing.name == *b || thing.name == *a);
        lines.push((format!("no contact {a}, {b}: held together"), place.map_or(Span::default(), |thing| thing.span)));
    }
    if let Some(first) = contacts.pairs.get(MOST_PAIRS) {
        lines.push((format!("contact of {} more pairs", contacts.pairs.len() - MOST_PAIRS), first.span));
    }
    lines
}

fn bracketed(unit: &Unit) -> String {
    if unit.text == "1" { String::new() } else { format!(" [{}]", unit.text) }
}

/// The names of a frame's free components.
fn degrees(frame: &crate::Frame) -> Vec<&'static str> {
    let free = |component: &Component| matches!(component, Component::Free(_));
    let named = |components: &[Component; 3], names: [&'static str; 3]| -> Vec<&'static str> {
        components.iter().zip(names).filter(|(component, _)| free(component)).map(|(_, name)| name).collect()
    };
    let mut all = named(&frame.position, ["x", "y", "z"]);
    match &frame.rotation {
        Rotation::About { angle, .. } if free(angle) => all.push("angle"),
        Rotation::Free(_) => all.push("rotation"),
        Rotation::Quaternion(components) if components.iter().any(free) => all.push("quaternion"),
        _ => {}
    }
    all.extend(named(&frame.scale, ["scale x", "scale y", "scale z"]));
    all
}
