//! What is looked at where somebody asks for words about a motion.

use base::{Dimension, Span, Unit};
use syntax::{Describe, Expr, Word, print_expression};

use super::space::Scope;
use super::{Outcome, Resolver, Sense, ThingId, Value, all};
use crate::question::{Described, Moment, Motion, Question};
use crate::term::{Shape, TermId};

/// How long a run is that nobody says more about, in seconds.
const SECONDS: f64 = 10.0;

impl<'t> Resolver<'t, '_> {
    pub(super) fn describe(&mut self, describe: &'t Describe, scope: &Scope, span: Span) -> Outcome<()> {
        let things = all(describe.things.iter().map(|thing| self.described(thing, scope)));
        let seconds = describe.over.as_ref().map_or(Ok(SECONDS), |over| self.seconds_of_run(over, scope))?;
        let motion = Motion { things: things?, seconds, shaped: self.shapes.clone() };
        let text = describe.things.iter().map(print_expression).collect::<Vec<_>>().join(", ");
        let moment = Some(Moment::Motion(motion));
        self.model.questions.push(Question { text, asked: Vec::new(), given: Vec::new(), moment, sweep: None, span });
        Ok(())
    }

    fn described(&mut self, thing: &Expr, scope: &Scope) -> Outcome<Described> {
        match self.value_as(thing, scope, Sense::Thing)? {
            Value::Frame(frame) => {
                let name = self.model.frame(frame).name.clone();
                let axes = ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"].map(|axis| format!("({axis} in {name})"));
                let [x, y, z] = axes;
                Ok(Described {
                    frame: Some(frame),
                    value: format!("{name}.position"),
                    rate: format!("{name}.velocity"),
                    unit: Unit::coherent(Dimension::LENGTH),
                    is_place: true,
                    turning: Some([format!("({name}.omega in {name})"), x, y, z]),
                    name,
                })
            }
            Value::Thing(id) => self.described_thing(id, thing.span),
            Value::Term(term) => self.described_number(term, thing),
            _ => Err(self.wrong_kind(
                thing.span,
                "the motion of one thing is described, or of several with commas between",
                "name a body, a frame, a thing or a quantity",
            )),
        }
    }

    /// A thing of a theory: where it is, and how it is turned, as far as its kind says so.
    fn described_thing(&mut self, id: ThingId, span: Span) -> Outcome<Described> {
        let name = self.things[id.index()].name.clone();
        if !self.has_member(id, "position", Shape::Vector, span) {
            let first = "a thing is described by its `position`";
            return Err(self.wrong_kind(span, first, "its kind has none; describe one of its quantities"));
        }
        let turns = self.has_member(id, "omega", Shape::Vector, span);
        let axes = match turns {
            true if self.has_member(id, "axes", Shape::Matrix, span) => Some(format!("transpose({name}.axes)")),
            true if self.has_member(id, "orientation", Shape::Quaternion, span) => {
                Some(format!("transpose(rotation({name}.orientation))"))
            }
            _ => None,
        };
        let turning = axes.map(|axes| {
            [format!("{name}.omega"), "(1, 0, 0)".into(), "(0, 1, 0)".into(), "(0, 0, 1)".into()]
                .map(|of_world| format!("{axes} * {of_world}"))
        });
        Ok(Described {
            frame: None,
            value: format!("{name}.position"),
            rate: format!("der({name}.position)"),
            unit: Unit::coherent(Dimension::LENGTH),
            is_place: true,
            turning,
            name,
        })
    }

    fn has_member(&mut self, id: ThingId, name: &str, shape: Shape, span: Span) -> bool {
        let space = self.things[id.index()].space;
        if self.spaces[space.index()].get(name, Sense::Quantity).is_none() {
            return false;
        }
        let word = Word { text: name.to_string(), span };
        match self.member(id, span, &word, Sense::Quantity) {
            Ok(Value::Term(term)) => self.type_of(term).shape == shape,
            _ => false,
        }
    }

    fn described_number(&mut self, term: TermId, written: &Expr) -> Outcome<Described> {
        let type_ = self.type_of(term);
        if !matches!(type_.shape, Shape::Scalar | Shape::Vector) {
            let second = "this is something else";
            return Err(self.wrong_kind(written.span, "things, numbers and vectors can be described", second));
        }
        let name = print_expression(written);
        Ok(Described {
            frame: None,
            value: name.clone(),
            rate: format!("der({name})"),
            unit: self.model.told_unit(term),
            is_place: false,
            turning: None,
            name,
        })
    }
}
