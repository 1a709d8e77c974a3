//! Actuators: a torque about the axis of a joint or a force along it, with its reaction, and the motions that they bring about.

use base::{Diagnostic, Dimension, Span};
use expr::Operator;
use syntax::{Expr, ExprKind, ItemKind, Word, print_expression};

use super::repeat::Statement;
use super::space::Scope;
use super::thing::ThingId;
use super::{Entity, Outcome, Reported, Resolver, Sense, Value, all};
use crate::change::{Claim, Formula};
use crate::codes;
use crate::model::{
    Actuator, ActuatorId, Component, Cost, Equation, Force, FrameId, Limits, Prescription, Quantity, Rotation, Torque,
};
use crate::term::{FrameQuantity, TermId, TermKind, Type};

/// How far beyond a limit an actuator may be found, as a part of the range: where it is kept at the limit, equations are solved for it.
const ROUNDING: f64 = 1e-9;

/// What an actuator of a joint exerts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Effort {
    Torque,
    Force,
}

/// The two frames of a joint, the direction in which it gives way, and how fast it does.
struct Joint {
    name: String,
    a: FrameId,
    b: FrameId,
    /// A unit vector.
    direction: TermId,
    speed: TermId,
}

impl Effort {
    pub fn of(field: &str) -> Option<Effort> {
        match field {
            "torque" => Some(Effort::Torque),
            "force" => Some(Effort::Force),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Effort::Torque => "torque",
            Effort::Force => "force",
        }
    }

    fn dimension(self) -> Dimension {
        match self {
            Effort::Torque => Dimension::ENERGY,
            Effort::Force => Dimension::FORCE,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Effort::Torque => "N*m",
            Effort::Force => "N",
        }
    }
}

impl<'t> Resolver<'t, '_> {
    /// Makes all actuators known. Needs: where frames are free.
    pub(super) fn declare_actuators(&mut self, statements: &[Statement<'t>]) {
        for Statement { item, scope } in statements.iter().filter(|statement| !statement.item.broken) {
            if let ItemKind::Actuator(actuator) = &item.kind {
                // Every error has been reported where it arose.
                let _ = all(actuator.quantities.iter().map(|path| self.declare_actuator(path, actuator, scope)));
            }
        }
        // What is named after `using` need not be declared before.
        for Statement { item, scope } in statements.iter().filter(|statement| !statement.item.broken) {
            if let ItemKind::Prescribe(prescribe) = &item.kind {
                let _ = all(prescribe.using.iter().map(|path| self.actuator_of(path, scope)));
            }
        }
    }

    fn declare_actuator(&mut self, path: &Expr, actuator: &syntax::Actuator, scope: &Scope) -> Outcome<()> {
        let known = self.model.actuators.len();
        let id = self.actuator_of(path, scope)?;
        if id.index() < known {
            let (name, first) = (self.actuator_name(id), self.model.actuators[id.index()].span);
            return Err(self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` is declared twice"))
                    .at(path.span, "again here")
                    .at(first, "first here"),
            ));
        }
        if let Some(range) = &actuator.limits {
            let (low, high, unit) = self.control_range(range, scope)?;
            let wanted = self.model.quantities[self.model.actuators[id.index()].quantity.index()].type_;
            if unit.dimension != wanted.amount.dimension() {
                let name = self.actuator_name(id);
                return Err(self.report(
                    Diagnostic::error(
                        codes::DIMENSION_MISMATCH,
                        format!("the limits of `{name}` have another dimension"),
                    )
                    .at(range.span, format!("this is in `{}`", unit.text))
                    .hint(format!(
                        "write the unit after the range, as in `in [-20, 20] [{}]`",
                        wanted.amount.dimension().unit()
                    )),
                ));
            }
            self.model.actuators[id.index()].limits = Some(Limits { low, high, unit, span: range.span });
        }
        Ok(())
    }

    /// The actuator that a path such as `shoulder.torque` names; made where it is first named.
    fn actuator_of(&mut self, path: &Expr, scope: &Scope) -> Outcome<ActuatorId> {
        let ExprKind::Field { base, field } = &path.kind else { return Err(self.no_actuator(path)) };
        let Some(effort) = Effort::of(&field.text) else { return Err(self.no_actuator(path)) };
        let owner = self.value_as(base, scope, Sense::Thing)?;
        let joint = match &owner {
            Value::Frame(frame) => {
                if let Some(known) = self.actuated.get(&(*frame, effort)) {
                    return Ok(*known);
                }
                self.joint_of_frame(*frame, effort, path.span)?
            }
            Value::Thing(thing) => {
                let space = self.things[thing.index()].space;
                let declared = self.spaces[space.index()].get(&field.text, Sense::Quantity);
                if let Some(Entity::Quantity(id)) = declared.map(|declared| &declared.entity)
                    && let Some(at) = self.model.actuators.iter().position(|actuator| actuator.quantity == *id)
                {
                    return Ok(ActuatorId(at as u32));
                }
                self.joint_of_thing(*thing, effort, path.span)?
            }
            _ => return Err(self.no_actuator(path)),
        };
        let id = self.new_actuator(joint, effort, path.span);
        match owner {
            Value::Frame(frame) => {
                self.actuated.insert((frame, effort), id);
            }
            Value::Thing(thing) => {
                let (space, quantity) = (self.things[thing.index()].space, self.model.actuators[id.index()].quantity);
                self.declare_name(effort.word(), path.span, Entity::Quantity(quantity), space);
            }
            _ => {}
        }
        Ok(id)
    }

    /// The unknown, and what it does to both sides of the joint.
    fn new_actuator(&mut self, joint: Joint, effort: Effort, span: Span) -> ActuatorId {
        let Joint { name, a, b, direction, speed } = joint;
        let type_ = Type::scalar(effort.dimension());
        let quantity = self.new_quantity(Quantity {
            unit: Some(effort.unit().to_string()),
            ..Quantity::plain(format!("{name}.{}", effort.word()), type_, span)
        });
        let size = self.push(TermKind::Quantity(quantity), type_, span);
        let type_ = Type::vector(effort.dimension());
        let action = self.push(TermKind::Multiply(size, direction), type_, span);
        let reaction = self.push(TermKind::Negate(action), type_, span);
        for (frame, value) in [(b, action), (a, reaction)].into_iter().filter(|(frame, _)| *frame != crate::WORLD) {
            match effort {
                Effort::Torque => self.model.torques.push(Torque { frame, value, mutual: true, span }),
                Effort::Force => {
                    // Both act along one line, so that they turn nothing.
                    let at = TermKind::Frame(b, FrameQuantity::Position);
                    let at = Some(self.push(at, Type::vector(Dimension::LENGTH), span));
                    self.model.forces.push(Force { frame, at, value, mutual: true, span });
                }
            }
        }
        self.model.actuators.push(Actuator { quantity, speed, frame: b, action, limits: None, span });
        ActuatorId(self.model.actuators.len() as u32 - 1)
    }

    /// A frame and its parent, where exactly one coordinate lies between them.
    fn joint_of_frame(&mut self, b: FrameId, effort: Effort, span: Span) -> Outcome<Joint> {
        let frame = self.model.frame(b).clone();
        let free = |component: &Component| matches!(component, Component::Free(_));
        let (axis, moved) = match (effort, &frame.rotation) {
            (Effort::Torque, Rotation::About { axis, angle }) if free(angle) => (*axis, FrameQuantity::Angle),
            (Effort::Force, _) => {
                let sliding: Vec<usize> = (0..3).filter(|&at| free(&frame.position[at])).collect();
                let &[at] = sliding.as_slice() else { return Err(self.no_joint(&frame.name, effort, span)) };
                let axis = std::array::from_fn(|part| if part == at { 1.0 } else { 0.0 });
                (axis, [FrameQuantity::X, FrameQuantity::Y, FrameQuantity::Z][at])
            }
            _ => return Err(self.no_joint(&frame.name, effort, span)),
        };
        let parts = axis.map(|part| self.plain_number(part, span));
        let plain = Type::vector(Dimension::NONE);
        let axis = self.push(TermKind::Vector(parts), plain, span);
        let direction = self.push(TermKind::VectorOf(frame.parent, axis), plain, span);
        let dimension = if effort == Effort::Torque { Dimension::NONE } else { Dimension::LENGTH };
        let moved = self.push(TermKind::Frame(b, moved), Type::scalar(dimension), span);
        let speed = self.derivative(moved, span)?;
        Ok(Joint { name: frame.name, a: frame.parent, b, direction, speed })
    }

    /// What `join … with revolute` or `with prismatic` made: a connection of two frames that has an axis, and `rate` or `travel`.
    fn joint_of_thing(&mut self, thing: ThingId, effort: Effort, span: Span) -> Outcome<Joint> {
        let name = self.things[thing.index()].name.clone();
        let moved = if effort == Effort::Torque { "rate" } else { "travel" };
        let space = self.things[thing.index()].space;
        let has = |member: &str, sense| self.spaces[space.index()].get(member, sense).is_some();
        let needed = [("a", Sense::Thing), ("b", Sense::Thing), ("axis", Sense::Quantity), (moved, Sense::Quantity)];
        if !needed.into_iter().all(|(member, sense)| has(member, sense)) {
            return Err(self.no_joint(&name, effort, span));
        }
        let member = |this: &mut Self, text: &str, sense| {
            this.member(thing, span, &Word { text: text.to_string(), span }, sense)
        };
        let (Value::Frame(a), Value::Frame(b)) = (member(self, "a", Sense::Thing)?, member(self, "b", Sense::Thing)?)
        else {
            return Err(self.no_joint(&name, effort, span));
        };
        let (Value::Term(axis), Value::Term(moved)) =
            (member(self, "axis", Sense::Quantity)?, member(self, moved, Sense::Quantity)?)
        else {
            return Err(self.no_joint(&name, effort, span));
        };
        let plain = Type::vector(Dimension::NONE);
        let along = self.push(TermKind::VectorOf(a, axis), plain, span);
        let length = self.norm(along, span)?;
        let direction = self.push(TermKind::Divide(along, length), plain, span);
        let speed = if effort == Effort::Torque { moved } else { self.derivative(moved, span)? };
        Ok(Joint { name, a, b, direction, speed })
    }

    /// `prescribe LEFT == RIGHT using ACTUATORS minimizing COST`
    pub(super) fn prescribe(
        &mut self,
        prescribe: &'t syntax::Prescribe,
        condition: Option<TermId>,
        scope: &Scope,
        span: Span,
    ) -> Outcome<()> {
        let equation = self.equation(&prescribe.equation, scope, span);
        let cost = prescribe.cost.as_ref().map(|cost| {
            let term = self.scalar(cost, scope)?;
            Ok(Cost { term, label: print_expression(cost) })
        });
        let cost = cost.transpose();
        if prescribe.using.is_empty() {
            let busy = |id: &ActuatorId| self.model.prescriptions.iter().any(|other| other.using.contains(id));
            let names: Vec<String> = (0..self.model.actuators.len() as u32)
                .map(ActuatorId)
                .filter(|id| !busy(id))
                .map(|id| self.actuator_name(id))
                .collect();
            let driven = |frame: &str| {
                let name = format!("{frame}.torque");
                self.model.actuators.iter().any(|it| self.model.quantities[it.quantity.index()].name == name)
            };
            let turning = self
                .model
                .frames
                .iter()
                .filter(|frame| matches!(frame.rotation, Rotation::About { angle: Component::Free(_), .. }));
            let idle = turning.filter(|frame| !driven(&frame.name));
            let possible: Vec<String> = idle.take(3).map(|frame| format!("{}.torque", frame.name)).collect();
            let named = match (names.is_empty(), possible.is_empty()) {
                (false, _) => names.join(", "),
                (true, false) => possible.join(", "),
                (true, true) => "shoulder.torque, elbow.torque".to_string(),
            };
            return Err(self.report(
                Diagnostic::error(codes::NO_ACTUATOR, "nothing is named that could bring this motion about")
                    .at(span, "the forces that do it are missing")
                    .hint(format!("name the actuators that may change for it: `using {named}`"))
                    .hint("a motion that an ideal force keeps, whatever it takes, is stated with `always`"),
            ));
        }
        let using = all(prescribe.using.iter().map(|path| self.actuator_of(path, scope)));
        let (equation, cost, using) = (equation?, cost?, using?);
        for (at, id) in using.iter().enumerate() {
            if using[..at].contains(id) {
                let name = self.actuator_name(*id);
                return Err(self.report(
                    Diagnostic::error(codes::DUPLICATE_NAME, format!("`{name}` is named twice"))
                        .at(prescribe.using[at].span, "again here"),
                ));
            }
        }
        self.model.prescriptions.push(Prescription { equation: Equation { condition, ..equation }, using, cost });
        Ok(())
    }

    /// Where the left side of an equation is what an actuator with limits exerts, it gives no more than these allow.
    pub(super) fn clamp_given(&mut self, equation: Equation) -> Equation {
        match self.limits_of(equation.left) {
            Some(limits) => Equation { right: self.clamped(equation.right, &limits, equation.span), ..equation },
            None => equation,
        }
    }

    fn limits_of(&self, term: TermId) -> Option<Limits> {
        let TermKind::Quantity(id) = self.model.terms.get(term).kind else { return None };
        self.model.actuators.iter().find(|actuator| actuator.quantity == id)?.limits.clone()
    }

    /// Where an equation says what an actuator with limits exerts, it gives no more than these allow.
    pub(super) fn within_limits(&mut self, equation: Equation) -> Outcome<Equation> {
        let Equation { left, right, span, .. } = equation;
        if self.limits_of(left).is_some() {
            return Ok(self.clamp_given(equation));
        }
        if let Some(limits) = self.limits_of(right) {
            let left = self.clamped(left, &limits, span);
            return Ok(Equation { left, ..equation });
        }
        for side in [left, right] {
            let hidden = self.model.terms.find(side, |kind| {
                let TermKind::Quantity(id) = kind else { return false };
                self.model.actuators.iter().any(|actuator| actuator.quantity == *id && actuator.limits.is_some())
            });
            if let Some(term) = hidden {
                let place = self.model.terms.get(term).span;
                return Err(self.report(
                    Diagnostic::error(codes::HIDDEN_LIMIT, "an actuator with limits is not given by itself here")
                        .at(place, "what happens where it reaches a limit cannot be told")
                        .hint(
                            "solve the equation for it, as in `always shoulder.torque == …`, or leave the limits out",
                        ),
                ));
            }
        }
        Ok(equation)
    }

    /// A motion that is prescribed and leaves no choice takes what it takes: that actuators with limits can give it is a claim, watched as those
    /// of the author are.
    pub(super) fn claim_limits(&mut self) {
        for at in 0..self.model.actuators.len() {
            let Actuator { quantity, ref limits, .. } = self.model.actuators[at];
            let id = ActuatorId(at as u32);
            let Some(Limits { low, high, span, .. }) = limits.clone() else { continue };
            if !self.model.prescriptions.iter().any(|prescription| prescription.using.contains(&id)) {
                continue;
            }
            let type_ = self.model.quantities[quantity.index()].type_;
            let value = self.push(TermKind::Quantity(quantity), type_, span);
            // What stays at a limit is there but for rounding.
            let slack = ROUNDING * (high - low);
            let [low, high] = [low - slack, high + slack].map(|end| self.push(TermKind::Number(end), type_, span));
            let mut compared = |operator: Operator, parts: Vec<TermId>| {
                self.push(TermKind::Apply(operator, parts), Type::CONDITION, span)
            };
            let ends = [vec![low, value], vec![value, high]].map(|pair| compared(Operator::LessEqual, pair));
            let within = compared(Operator::And, ends.into());
            self.model.conditions.push(within);
            let formula = Formula::Always(Box::new(Formula::Holds(self.model.conditions.len() - 1)));
            let name = format!("{} within its limits", self.actuator_name(id));
            self.model.claims.push(Claim { name, formula, span });
        }
    }

    fn clamped(&mut self, value: TermId, limits: &Limits, span: Span) -> TermId {
        let type_ = self.type_of(value);
        let low = self.push(TermKind::Number(limits.low), type_, span);
        let high = self.push(TermKind::Number(limits.high), type_, span);
        let above = self.push(TermKind::Apply(Operator::Max, vec![value, low]), type_, span);
        self.push(TermKind::Apply(Operator::Min, vec![above, high]), type_, span)
    }

    /// What `shoulder.torque` stands for, where it is an actuator.
    pub(super) fn actuator_field(&self, frame: FrameId, field: &str) -> Option<ActuatorId> {
        self.actuated.get(&(frame, Effort::of(field)?)).copied()
    }

    pub(super) fn actuator_name(&self, id: ActuatorId) -> String {
        self.model.quantities[self.model.actuators[id.index()].quantity.index()].name.clone()
    }

    fn no_actuator(&mut self, path: &Expr) -> Reported {
        let message = format!("`{}` is no torque or force of a joint", print_expression(path));
        self.report(
            Diagnostic::error(codes::NO_ACTUATOR, message)
                .at(path.span, "an actuator is needed here")
                .hint("name a joint, and what drives it: `shoulder.torque` about its axis, `slide.force` along it"),
        )
    }

    fn no_joint(&mut self, name: &str, effort: Effort, span: Span) -> Reported {
        let (message, hint) = match effort {
            Effort::Torque => (
                format!("`{name}` does not turn about one axis"),
                "a torque acts about an axis that is free: `rotation = about y free`, or a joint `revolute`",
            ),
            Effort::Force => (
                format!("`{name}` does not slide along one line"),
                "a force acts along one coordinate that is free: `position = (free, 0, 0)`, or a joint `prismatic`; \
                 for others state `force on …`",
            ),
        };
        self.report(
            Diagnostic::error(codes::NO_ACTUATOR, message).at(span, "nothing here for an actuator to drive").hint(hint),
        )
    }
}
