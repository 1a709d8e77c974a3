//! Joints: connections between frames, or between points fixed in frames, which become frames of their own.

use base::{Diagnostic, Span};
use syntax::{Argument, Expr, ExprKind, Item, Parameter, ParameterType, print_expression};

use super::repeat::Unrolled;
use super::space::Scope;
use super::thing::Making;
use super::{Definition, Entity, Outcome, Reported, Resolver, Value};
use crate::codes;
use crate::model::{Frame, FrameId};

/// A frame at a point of another, made for one end of a joint.
pub(super) struct Marker<'t> {
    pub frame: FrameId,
    parent: &'t Expr,
    arguments: &'t [Argument],
    span: Span,
    scope: Scope,
}

impl<'t> Resolver<'t, '_> {
    /// `join NAME: END to END with CONNECTION(ARGUMENTS) { PROPERTIES }`
    pub(super) fn make_joint(
        &mut self,
        join: &'t syntax::Join,
        item: &'t Item,
        scope: &Scope,
        out: &mut Unrolled<'t>,
    ) -> Outcome<()> {
        let template = self.template(&join.kind, scope.space)?;
        let parameters = self.parameters(template)?;
        let (ends, others) = self.ends_and_others(join, &parameters)?;
        let name = match &join.name {
            Some(name) => self.full_name(name, scope)?,
            None => {
                let [a, b] = [&join.ends[0], &join.ends[1]].map(|end| self.end_text(end, scope));
                format!("{}({a}, {b})", join.kind.text)
            }
        };
        let span = join.name.as_ref().map_or(join.kind.span, |name| name.span);
        let rest = self.arguments(others, &join.arguments, join.kind.span, scope)?;
        let making = Making { name, properties: &join.properties, span };
        let id = self.new_thing(&making, template, scope);
        if join.name.is_some() {
            self.declare_name(&making.name, making.span, Entity::Thing(id), scope.space);
        }
        let mut given = Vec::new();
        for (end, parameter) in join.ends.iter().zip(ends) {
            let name = format!("{}.{}", self.things[id.index()].name, parameter.name.text);
            given.push(Some(self.end(end, name, scope)));
        }
        given.extend(rest);
        self.furnish(id, item, (&parameters, given), out)
    }

    /// The first two parameters, which must be frames, and the others.
    fn ends_and_others<'p>(
        &mut self,
        join: &syntax::Join,
        parameters: &'p [&'t Parameter],
    ) -> Outcome<([&'t Parameter; 2], &'p [&'t Parameter])> {
        let is_frame = |parameter: &Parameter| matches!(&parameter.type_, ParameterType::Thing(kind) if matches!(kind.text.as_str(), "frame" | "body"));
        match parameters {
            [a, b, others @ ..] if is_frame(a) && is_frame(b) => Ok(([*a, *b], others)),
            _ => Err(self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, format!("`{}` does not join two frames", join.kind.text))
                    .at(join.kind.span, "its first two parameters are not frames")
                    .hint("a joint is declared `connection hinge(a: frame, b: frame) { … }`"),
            )),
        }
    }

    /// A frame as it is, or a new one at the point.
    fn end(&mut self, end: &'t Expr, name: String, scope: &Scope) -> Definition<'t, Value> {
        let ExprKind::Call { function, arguments } = &end.kind else {
            return Definition::Waiting(end, scope.clone());
        };
        let ExprKind::Field { base, field } = &function.kind else {
            return Definition::Waiting(end, scope.clone());
        };
        if field.text != "point" {
            return Definition::Waiting(end, scope.clone());
        }
        let frame = FrameId(self.model.frames.len() as u32);
        let world = self.model.frames[0].clone();
        self.model.frames.push(Frame { name, span: end.span, ..world });
        self.markers.push(Marker { frame, parent: base, arguments, span: end.span, scope: scope.clone() });
        Definition::Done(Ok(Value::Frame(frame)))
    }

    /// Puts the ends of joints where they belong, once all frames are declared.
    pub(super) fn place_markers(&mut self) {
        for marker in std::mem::take(&mut self.markers) {
            // Every error has been reported where it arose.
            let _ = self.place_marker(&marker);
            self.markers.push(marker);
        }
    }

    fn place_marker(&mut self, marker: &Marker<'t>) -> Outcome<()> {
        let Marker { frame, parent, arguments, span, scope } = marker;
        let parent = self.frame_of(parent, scope)?;
        let position = match arguments {
            [one] => self.position(&one.value, scope)?,
            [_, _, _] => {
                let list = arguments.iter().map(|argument| argument.value.clone()).collect();
                self.position(&Expr::new(ExprKind::Tuple(list), *span), scope)?
            }
            _ => {
                return Err(self.report(
                    Diagnostic::error(codes::WRONG_ARGUMENTS, "a point has three coordinates")
                        .at(*span, "here are others")
                        .hint("write `f.point(x, y, z)`, or `f.point((0, 0, 1) [m])`"),
                ));
            }
        };
        let frame = &mut self.model.frames[frame.index()];
        (frame.parent, frame.position) = (parent, position);
        Ok(())
    }

    /// `link[1]` for `link[i].point(0, 0, 1)`.
    pub(super) fn end_text(&mut self, end: &Expr, scope: &Scope) -> String {
        match &end.kind {
            ExprKind::Call { function, .. } => self.end_text(function, scope),
            ExprKind::Field { base, field } if field.text == "point" => self.end_text(base, scope),
            ExprKind::Field { base, field } => format!("{}.{}", self.end_text(base, scope), field.text),
            ExprKind::Index { base, indices } => {
                let numbers: Result<Vec<String>, Reported> =
                    indices.iter().map(|index| Ok(self.whole_number(index, scope)?.to_string())).collect();
                match numbers {
                    Ok(numbers) => format!("{}[{}]", self.end_text(base, scope), numbers.join("][")),
                    Err(Reported) => print_expression(end),
                }
            }
            _ => print_expression(end),
        }
    }
}
