//! `tension(rod)`, `force(hinge)`, `torque(hinge)`: what is asked of whom, and where it may stand.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, ParameterType, print_expression};

use super::space::Scope;
use super::thing::ThingId;
use super::{Outcome, Reported, Resolver, Sense, Value};
use crate::codes;
use crate::model::{Equation, Family, FrameId, Quantity, WORLD};
use crate::reaction::{Held, Reaction, ReactionId, ReactionPart};
use crate::term::{Amount, FrameQuantity, SceneQuantity, Shape, TermId, TermKind, Type};

impl Resolver<'_, '_> {
    /// The term for what a constraint, a joint or a frame's parent exerts. What these are is found out once everything is stated.
    pub(super) fn reaction(&mut self, part: ReactionPart, asked: &Expr, span: Span, scope: &Scope) -> Outcome<TermId> {
        let label = self.end_text(asked, scope);
        let type_ = match self.labelled_as(asked, &label, scope) {
            Some(at) => {
                let type_ = self.type_of_labelled(at, part, asked)?;
                let label = self.label_of(at);
                self.equations_asked.push((label, ReactionId(self.model.reactions.len() as u32)));
                self.new_reaction(Held::Equation(None), part, (asked, span));
                type_
            }
            None => {
                let of = self.holder(asked, scope)?;
                self.new_reaction(of, part, (asked, span));
                match part {
                    ReactionPart::Tension => Type::scalar(Dimension::FORCE),
                    ReactionPart::Force => Type::vector(Dimension::FORCE),
                    ReactionPart::Torque => Type::vector(Dimension::ENERGY),
                }
            }
        };
        let id = ReactionId(self.model.reactions.len() as u32 - 1);
        Ok(self.push(TermKind::Reaction(id), type_, span))
    }

    fn new_reaction(&mut self, of: Held, part: ReactionPart, (asked, span): (&Expr, Span)) {
        let name = format!("{}({})", word(part), print_expression(asked));
        self.model.reactions.push(Reaction { name, of, part, span });
    }

    /// A force times what its equation says is an energy; a power, where the equation speaks of velocities.
    fn type_of_labelled(&mut self, at: usize, part: ReactionPart, asked: &Expr) -> Outcome<Type> {
        let residual = self.residual(at, asked.span)?.1;
        let fits = match part {
            ReactionPart::Tension => residual.shape == Shape::Scalar,
            ReactionPart::Force => residual.shape == Shape::Vector,
            ReactionPart::Torque => false,
        };
        if !fits {
            let (message, hint) = match residual.shape {
                Shape::Scalar => ("an equation between numbers has a tension", "write `tension(…)`"),
                _ => ("an equation between vectors has a force", "write `force(…)`"),
            };
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, message)
                    .at(asked.span, "this is the label of an equation")
                    .hint(format!("{hint}; a joint, or a frame that hangs on another, has all of them")),
            ));
        }
        let (left, right) = self.labelled_sides(at)?;
        let moves = |term| self.model.terms.find(term, speaks_of_velocities).is_some();
        let in_time = if moves(left) || moves(right) { Dimension::TIME } else { Dimension::NONE };
        let dimension = residual.amount.dimension().times(in_time).and_then(|it| Dimension::ENERGY.over(it));
        let amount = self.in_range(dimension, Amount::Of(Dimension::NONE), asked.span)?;
        Ok(Type { amount, ..residual })
    }

    fn holder(&mut self, asked: &Expr, scope: &Scope) -> Outcome<Held> {
        match self.value_as(asked, scope, Sense::Thing)? {
            Value::Frame(frame) if frame != WORLD => Ok(Held::Frame(frame)),
            Value::Thing(thing) => {
                let ends = self.ends_of(thing, asked)?;
                let name = self.things[thing.index()].name.clone();
                self.joints_asked.push((name, ReactionId(self.model.reactions.len() as u32)));
                Ok(Held::Joint { equations: Vec::new(), ends })
            }
            _ => Err(self.holds_nothing(asked)),
        }
    }

    fn holds_nothing(&mut self, asked: &Expr) -> Reported {
        self.report(
            Diagnostic::error(codes::NO_REACTION, format!("`{}` holds nothing", print_expression(asked)))
                .at(asked.span, "a joint, a frame in another, or the label of an `always` is needed here")
                .hint("name the joint, `join hinge: a to b with revolute`, or the equation, `always rod: |a.position| == l`"),
        )
    }

    /// The frames that a connection joins: its first two parameters that are frames.
    fn ends_of(&mut self, thing: ThingId, asked: &Expr) -> Outcome<[FrameId; 2]> {
        let (template, space) = (self.things[thing.index()].template, self.things[thing.index()].space);
        let is_frame = |kind: &str| matches!(kind, "frame" | "body");
        let parameters = self.parameters(template)?;
        let frames =
            parameters.iter().filter(|it| matches!(&it.type_, ParameterType::Thing(kind) if is_frame(&kind.text)));
        let names: Vec<String> = frames.map(|parameter| parameter.name.text.clone()).take(2).collect();
        let mut ends = Vec::new();
        for name in &names {
            if let Value::Frame(frame) = self.lookup(name, asked.span, &Scope::of(space), Sense::Thing)? {
                ends.push(frame);
            }
        }
        <[FrameId; 2]>::try_from(ends).map_err(|_| self.holds_nothing(asked))
    }

    /// Once all is stated: which equations these are, and what moves things and depends on them.
    pub(super) fn find_reactions(&mut self) {
        for (label, id) in std::mem::take(&mut self.equations_asked) {
            let place = self.model.constraints.iter().position(|equation| equation.label == label);
            self.model.reactions[id.index()].of = Held::Equation(place);
        }
        for (name, id) in std::mem::take(&mut self.joints_asked) {
            let owned = |label: &str| {
                label.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.') || rest.starts_with(": "))
            };
            let found: Vec<usize> =
                (0..self.model.constraints.len()).filter(|&at| owned(&self.model.constraints[at].label)).collect();
            if let Held::Joint { equations, .. } = &mut self.model.reactions[id.index()].of {
                *equations = found;
            }
        }
    }

    /// A force that depends on a force of constraint is found together with it: through a quantity that stands for it. What is stated of
    /// positions and velocities cannot wait for that.
    pub(super) fn feed_reactions_back(&mut self) {
        self.refuse_reactions();
        let forces = self.model.forces.iter().map(|force| force.value);
        let torques = self.model.torques.iter().map(|torque| torque.value);
        for value in forces.chain(torques).collect::<Vec<TermId>>() {
            while let Some(term) = self.model.terms.find(value, |kind| matches!(kind, TermKind::Reaction(_))) {
                self.stand_in(term);
            }
        }
    }

    fn stand_in(&mut self, term: TermId) {
        let asked = self.model.terms.get(term).clone();
        let TermKind::Reaction(id) = asked.kind else { return };
        let (type_, span) = (asked.type_, asked.span);
        let name = self.model.reactions[id.index()].name.clone();
        let quantity = Quantity::plain(name.clone(), type_, span);
        let known = self.model.quantities.iter().position(|known| known.name == name);
        let quantity = match known {
            Some(at) => TermKind::Quantity(crate::model::QuantityId(at as u32)),
            None => {
                let quantity = TermKind::Quantity(self.new_quantity(quantity));
                let left = self.push(quantity.clone(), type_, span);
                let right = self.push(TermKind::Reaction(id), type_, span);
                self.model.laws.push(Equation { label: name, left, right, condition: None, span });
                quantity
            }
        };
        self.model.terms.replace(term, quantity);
    }

    fn refuse_reactions(&mut self) {
        let model = &self.model;
        let equations = model.constraints.iter().chain(&model.initial);
        let values = equations.flat_map(|equation| [equation.left, equation.right]);
        let values = values.chain(model.potentials.iter().map(|potential| potential.value));
        let values: Vec<TermId> = values.chain(model.families.iter().flat_map(Family::terms)).collect();
        for value in values {
            if let Some(term) = self.model.terms.find(value, |kind| matches!(kind, TermKind::Reaction(_))) {
                let place = self.model.terms.get(term).span;
                self.report(
                    Diagnostic::error(codes::WRONG_KIND, "no constraint, start or potential can depend on a force of constraint")
                        .at(place, "it follows from them")
                        .hint("ask for it in plots, in forces, in laws of your own, in the conditions of `when` and `stop`, and in claims"),
                );
            }
        }
    }
}

fn speaks_of_velocities(kind: &TermKind) -> bool {
    use FrameQuantity::{Kinetic, Omega, Velocity};
    use SceneQuantity::{AngularMomentum, Energy, Momentum};
    matches!(
        kind,
        TermKind::Derivative(_)
            | TermKind::VelocityAt(..)
            | TermKind::Frame(_, Velocity | Omega | Kinetic)
            | TermKind::Scene(Energy | SceneQuantity::Kinetic | Momentum | AngularMomentum)
    )
}

/// How a part is asked for.
fn word(part: ReactionPart) -> &'static str {
    match part {
        ReactionPart::Tension => "tension",
        ReactionPart::Force => "force",
        ReactionPart::Torque => "torque",
    }
}
