//! What can be asked of frames, vectors and the scene: the tables behind `bob.position` and `energy`.

use base::{Diagnostic, Dimension, Span};
use syntax::Word;

use super::actuation::Effort;
use super::algebra::ENTRIES;
use super::{Outcome, Resolver, Sense, Value};
use crate::codes;
use crate::model::FrameId;
use crate::term::{FrameQuantity, SceneQuantity, Shape, TermKind, Type};

/// One thing that can be asked of a frame.
pub struct FrameField {
    pub name: &'static str,
    pub quantity: FrameQuantity,
    pub type_: Type,
    pub meaning: &'static str,
}

const fn field(name: &'static str, quantity: FrameQuantity, type_: Type, meaning: &'static str) -> FrameField {
    FrameField { name, quantity, type_, meaning }
}

#[rustfmt::skip]
pub const FRAME_FIELDS: &[FrameField] = &[
    field("position",     FrameQuantity::Position,     Type::vector(Dimension::LENGTH),       "of the origin, from the world's origin"),
    field("velocity",     FrameQuantity::Velocity,     Type::vector(Dimension::SPEED),        "of the origin, relative to the world"),
    field("acceleration", FrameQuantity::Acceleration, Type::vector(Dimension::ACCELERATION), "of the origin, relative to the world"),
    field("omega",        FrameQuantity::Omega,        Type::vector(Dimension::FREQUENCY),    "angular velocity relative to the world"),
    field("alpha",        FrameQuantity::Alpha,        Type::vector(Dimension::ANGULAR_ACCELERATION), "angular acceleration relative to the world"),
    field("scale",        FrameQuantity::Scale,        Type::vector(Dimension::NONE),         "stretch along its own axes, relative to the world"),
    field("angle",        FrameQuantity::Angle,        Type::scalar(Dimension::NONE),         "total angle of its rotation, relative to its parent"),
    field("euler",        FrameQuantity::Euler,        Type::vector(Dimension::NONE),         "Euler angles about x, y, z, relative to its parent"),
    field("x",            FrameQuantity::X,            Type::scalar(Dimension::LENGTH),       "first coordinate of the origin in its parent"),
    field("y",            FrameQuantity::Y,            Type::scalar(Dimension::LENGTH),       "second coordinate of the origin in its parent"),
    field("z",            FrameQuantity::Z,            Type::scalar(Dimension::LENGTH),       "third coordinate of the origin in its parent"),
    field("mass",         FrameQuantity::Mass,         Type::scalar(Dimension::MASS),         "of a body"),
    field("kinetic",      FrameQuantity::Kinetic,      Type::scalar(Dimension::ENERGY),       "kinetic energy of a body"),
    field("orientation",  FrameQuantity::Orientation,  QUATERNION,                            "unit quaternion w, x, y, z of its rotation relative to its parent"),
];

const QUATERNION: Type = Type { shape: Shape::Quaternion, amount: crate::term::Amount::Of(Dimension::NONE) };

/// One thing that can be asked of the scene, by a plain name.
pub struct SceneField {
    pub name: &'static str,
    pub quantity: Option<SceneQuantity>,
    pub type_: Type,
    pub meaning: &'static str,
}

const fn whole(name: &'static str, quantity: SceneQuantity, type_: Type, meaning: &'static str) -> SceneField {
    SceneField { name, quantity: Some(quantity), type_, meaning }
}

#[rustfmt::skip]
pub const SCENE_QUANTITIES: &[SceneField] = &[
    whole("energy",    SceneQuantity::Energy,    Type::scalar(Dimension::ENERGY),   "kinetic and potential energy of the whole scene"),
    whole("kinetic",   SceneQuantity::Kinetic,   Type::scalar(Dimension::ENERGY),   "kinetic energy of all bodies"),
    whole("potential", SceneQuantity::Potential, Type::scalar(Dimension::ENERGY),   "potential energy of the scene"),
    whole("momentum",  SceneQuantity::Momentum,  Type::vector(Dimension::MOMENTUM), "linear momentum of all bodies"),
    whole("angular_momentum", SceneQuantity::AngularMomentum, Type::vector(Dimension::ANGULAR_MOMENTUM), "angular momentum about the world's origin"),
    whole("centre_of_mass", SceneQuantity::CentreOfMass, Type::vector(Dimension::LENGTH), "of all bodies"),
    SceneField { name: "t",  quantity: None, type_: Type::scalar(Dimension::TIME), meaning: "the time" },
    SceneField { name: "pi", quantity: None, type_: Type::scalar(Dimension::NONE), meaning: "3.14159…" },
    SceneField { name: "bodies", quantity: None, type_: Type::scalar(Dimension::NONE), meaning: "the list of all bodies" },
];

impl Resolver<'_, '_> {
    /// `base.field`
    pub(super) fn field(&mut self, base: Value, base_span: Span, field: &Word, sense: Sense) -> Outcome<Value> {
        let span = base_span.to(field.span);
        match base {
            Value::Frame(frame) => self.frame_field(frame, field, span).map(Value::Term),
            Value::Thing(thing) => self.member(thing, base_span, field, sense),
            Value::Term(term) => {
                let type_ = self.type_of(term);
                let names: &[&str] = match type_.shape {
                    Shape::Vector => &["x", "y", "z"],
                    Shape::Quaternion => &["w", "x", "y", "z"],
                    Shape::Matrix => ENTRIES,
                    Shape::Scalar | Shape::Condition => &[],
                };
                if type_.shape == Shape::Quaternion && field.text == "vector" {
                    let part = Type { shape: Shape::Scalar, ..type_ };
                    let parts = [1, 2, 3].map(|at| self.push(TermKind::Component(term, at), part, span));
                    let type_ = Type { shape: Shape::Vector, ..type_ };
                    return Ok(Value::Term(self.push(TermKind::Vector(parts), type_, span)));
                }
                if let Some(at) = names.iter().position(|name| *name == field.text) {
                    let type_ = Type { shape: Shape::Scalar, ..type_ };
                    return Ok(Value::Term(self.push(TermKind::Component(term, at), type_, span)));
                }
                let hint = if names.is_empty() {
                    "a number has no parts".to_string()
                } else {
                    format!("it has {}", names.join(", "))
                };
                Err(self.report(
                    Diagnostic::error(codes::UNKNOWN_FIELD, format!("there is no component `{}` here", field.text))
                        .at(field.span, "unknown")
                        .hint(hint),
                ))
            }
            Value::Frames(_) | Value::Surface(_) | Value::Things(_) => {
                Err(self.wrong_kind(span, "this has no quantities of its own", "ask a frame or a body"))
            }
        }
    }

    fn frame_field(&mut self, frame: FrameId, field: &Word, span: Span) -> Outcome<crate::TermId> {
        if let Some(actuator) = self.actuator_field(frame, &field.text) {
            let quantity = self.model.actuators[actuator.index()].quantity;
            let type_ = self.model.quantities[quantity.index()].type_;
            return Ok(self.push(TermKind::Quantity(quantity), type_, span));
        }
        let name = self.model.frame(frame).name.clone();
        let Some(row) = FRAME_FIELDS.iter().find(|row| row.name == field.text) else {
            let mut diagnostic =
                Diagnostic::error(codes::UNKNOWN_FIELD, format!("`{name}` has no quantity `{}`", field.text))
                    .at(field.span, "unknown");
            let known: Vec<&str> = FRAME_FIELDS.iter().map(|row| row.name).collect();
            diagnostic = match base::nearest(&field.text, known.iter().copied()) {
                _ if Effort::of(&field.text).is_some() => {
                    diagnostic.hint(format!("to drive a joint, declare it: `actuator {name}.{}`", field.text))
                }
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic.hint(format!("a frame has {}", known.join(", "))),
            };
            return Err(self.report(diagnostic));
        };
        let of_bodies_only = matches!(row.quantity, FrameQuantity::Mass | FrameQuantity::Kinetic);
        if of_bodies_only && !self.declared_bodies.contains(&frame) {
            return Err(self.report(
                Diagnostic::error(codes::UNKNOWN_FIELD, format!("`{name}` is a frame without mass"))
                    .at(span, format!("only a body has a quantity `{}`", row.name))
                    .hint(format!("if it bears mass, declare it as a body: `body {name} {{ mass = 1 [kg] }}`")),
            ));
        }
        Ok(self.push(TermKind::Frame(frame, row.quantity), row.type_, span))
    }

    /// What the scene itself knows under a plain name.
    pub(super) fn scene_quantity(&mut self, name: &str, span: Span) -> Option<Value> {
        let row = SCENE_QUANTITIES.iter().find(|row| row.name == name)?;
        Some(match (row.quantity, row.name) {
            (Some(quantity), _) => Value::Term(self.push(TermKind::Scene(quantity), row.type_, span)),
            (None, "t") => Value::Term(self.push(TermKind::Time, row.type_, span)),
            (None, "pi") => Value::Term(self.push(TermKind::Number(std::f64::consts::PI), row.type_, span)),
            (None, _) => Value::Frames(self.declared_bodies.as_slice().into()),
        })
    }
}
