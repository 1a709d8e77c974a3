//! The second pass: one statement after the other.

use base::{Diagnostic, Dimension, Span};
use syntax::{Expr, Item, ItemKind, print_expression};

use super::repeat::Statement;
use super::space::Scope;
use super::{Outcome, Reported, Resolver, Sense, Value, all};
use crate::codes;
use crate::model::{Equation, Force, FrameId, Gravity, Output, Plot, Potential, Torque};
use crate::term::{Shape, TermId, TermKind, Type};

impl<'t> Resolver<'t, '_> {
    pub(super) fn elaborate(&mut self, statement: &Statement<'t>) {
        // What the parser has reported is not reported again in other words.
        let before = statement.item.broken.then(|| std::mem::take(self.sink));
        let outcome = self.try_elaborate(statement);
        if let Some(before) = before {
            *self.sink = before;
        }
        debug_assert!(outcome.is_ok() || self.sink.has_errors(), "every error is reported where it arises");
    }

    // Long: one arm for each statement; those that are read elsewhere are listed, so that a new one is not forgotten.
    fn try_elaborate(&mut self, statement: &Statement<'t>) -> Outcome<()> {
        let Statement { item, scope } = statement;
        let condition = match &item.condition {
            Some(condition) => Some(self.while_condition(condition, item, scope)?),
            None => None,
        };
        let condition = match (condition, self.law_in_force(scope.space, item.span)) {
            (Some(condition), Some(in_force)) => Some(self.all_of(vec![in_force, condition], item.span)),
            (condition, in_force) => condition.or(in_force),
        };
        match &item.kind {
            ItemKind::Frame(frame) => self.frame(frame, scope, item.span)?,
            ItemKind::Body(body) => self.body(body, scope, item.span)?,
            ItemKind::Gravity(value) => self.gravity(value, scope, item.span)?,
            ItemKind::Potential(potential) => self.potential(potential, condition, scope, item.span)?,
            ItemKind::Force(force) => self.force(force, condition, scope, item.span)?,
            ItemKind::Torque(torque) => self.torque(torque, condition, scope, item.span)?,
            ItemKind::Always(equation) => {
                let span = self.place_in_scene(scope.space).unwrap_or(item.span);
                let equation = self.equation(equation, scope, span)?;
                let equation = self.within_limits(equation)?;
                self.model.constraints.push(Equation { condition, ..equation });
            }
            ItemKind::Equation(equation) => {
                let equation = self.equation(equation, scope, item.span)?;
                let equation = self.within_limits(equation)?;
                self.model.laws.push(Equation { condition, ..equation });
            }
            ItemKind::Prescribe(prescribe) => self.prescribe(prescribe, condition, scope, item.span)?,
            ItemKind::Quantity(quantity) => self.start_of_quantity(quantity, scope)?,
            ItemKind::Thing(_) | ItemKind::Connections(_) | ItemKind::Join(_) | ItemKind::Use(syntax::Use::File(_)) => {
                self.check_given(scope.space)
            }
            ItemKind::Initially(equation) => {
                let equation = self.equation(equation, scope, item.span)?;
                self.model.initial.push(equation);
            }
            ItemKind::History(equation) => {
                let equation = self.equation(equation, scope, item.span)?;
                self.model.histories.push(equation);
            }
            ItemKind::Let(definition) => {
                // Elaborated even if nobody uses it, for its errors.
                let name = self.full_name(&definition.name, scope)?;
                self.lookup(&name, definition.name.span, &Scope::of(scope.space), Sense::Quantity)?;
            }
            ItemKind::Plot(plot) => self.plot(plot, scope, item.span)?,
            ItemKind::Show(_) | ItemKind::Camera(_) | ItemKind::Light(_) | ItemKind::Trace(_) => {
                self.view(item, condition, scope)?
            }
            ItemKind::When(when) => self.when(when, scope, item.span)?,
            ItemKind::Every(every) => self.every(every, scope, item.span)?,
            ItemKind::Stop(stop) => self.stop(stop, scope, item.span)?,
            ItemKind::Sequence(course) | ItemKind::Plan(course) => self.course(course, scope, item.span)?,
            ItemKind::Claim(claim) => self.claim(claim, scope, item.span)?,
            ItemKind::Assume(assume) => self.assume(assume, scope, item.span)?,
            ItemKind::Find(find) => self.find(find, scope, item.span)?,
            ItemKind::Describe(describe) => self.describe(describe, scope, item.span)?,
            ItemKind::Scene(_)
            | ItemKind::Mode(_)
            | ItemKind::Use(_)
            | ItemKind::Param(_)
            | ItemKind::Function(_)
            | ItemKind::Data(_)
            | ItemKind::Control(_)
            | ItemKind::For(_)
            | ItemKind::Group(_)
            | ItemKind::Surface(_)
            | ItemKind::Contact(_)
            | ItemKind::Actuator(_)
            | ItemKind::Theory(_)
            | ItemKind::Kind(_)
            | ItemKind::Connection(_)
            | ItemKind::Law(_)
            | ItemKind::Addition(_)
            | ItemKind::Neglect(_)
            | ItemKind::Error => {}
        }
        Ok(())
    }

    fn force(&mut self, force: &syntax::Force, condition: Option<TermId>, scope: &Scope, span: Span) -> Outcome<()> {
        let frame = self.frame_of(&force.target, scope);
        let value = self.expect(&force.value, scope, Type::vector(Dimension::FORCE), "a force");
        let at = force.at.as_ref().map(|at| self.expect(at, scope, Type::vector(Dimension::LENGTH), "a position"));
        let (frame, value, at) = (frame?, value?, at.transpose()?);
        let value = self.value_while(condition, value);
        let mutual = self.thing_of_space(scope.space).is_some();
        self.model.forces.push(Force { frame, at, value, mutual, span });
        Ok(())
    }

    fn torque(&mut self, torque: &syntax::Torque, condition: Option<TermId>, scope: &Scope, span: Span) -> Outcome<()> {
        let frame = self.frame_of(&torque.target, scope);
        let value = self.expect(&torque.value, scope, Type::vector(Dimension::ENERGY), "a torque");
        let (frame, value) = (frame?, value?);
        let value = self.value_while(condition, value);
        let mutual = self.thing_of_space(scope.space).is_some();
        self.model.torques.push(Torque { frame, value, mutual, span });
        Ok(())
    }

    fn plot(&mut self, plot: &syntax::Plot, scope: &Scope, span: Span) -> Outcome<()> {
        let values = all(plot.values.iter().map(|value| self.output(value, scope)));
        let against = plot.against.as_ref().map(|against| self.output(against, scope)).transpose()?;
        if let Some(against) = &against {
            self.need_shape(against.term, Shape::Scalar)?;
        }
        self.model.plots.push(Plot { values: values?, against, span });
        Ok(())
    }

    /// The condition of a statement that does not hold everywhere.
    fn while_condition(&mut self, condition: &Expr, item: &Item, scope: &Scope) -> Outcome<TermId> {
        use ItemKind::{Always, Equation, Force, Potential, Prescribe, Show, Torque};
        if !matches!(item.kind, Always(_) | Equation(_) | Prescribe(_) | Force(_) | Torque(_) | Potential(_) | Show(_))
        {
            return Err(self.misplaced_while(condition));
        }
        self.condition(condition, scope)
    }

    pub(super) fn misplaced_while(&mut self, condition: &Expr) -> Reported {
        self.report(
            Diagnostic::error(codes::MISPLACED_WHILE, "this holds always, or not at all")
                .at(condition.span, "`while` has no place here")
                .hint(
                    "`while` may follow `always`, an equation, `prescribe`, `force`, `torque`, `potential` and `show`",
                ),
        )
    }

    fn gravity(&mut self, value: &Expr, scope: &Scope, span: Span) -> Outcome<()> {
        if let Some(before) = &self.model.gravity {
            let before = before.span;
            return Err(self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, "gravity is stated twice")
                    .at(span, "again here")
                    .at(before, "first here"),
            ));
        }
        let term = self.term(value, scope)?;
        let acceleration = match self.model.terms.get(term).type_.shape {
            Shape::Vector => self.expect(value, scope, Type::vector(Dimension::ACCELERATION), "gravity")?,
            _ => {
                let size = self.expect(value, scope, Type::scalar(Dimension::ACCELERATION), "gravity")?;
                let zero = self.number(0.0, span);
                let type_ = Type::scalar(Dimension::ACCELERATION);
                let down = self.model.terms.push(TermKind::Negate(size), type_, span);
                self.model.terms.push(TermKind::Vector([zero, zero, down]), Type::vector(Dimension::ACCELERATION), span)
            }
        };
        self.model.gravity = Some(Gravity { acceleration, span });
        Ok(())
    }

    fn potential(
        &mut self,
        potential: &syntax::Potential,
        condition: Option<TermId>,
        scope: &Scope,
        span: Span,
    ) -> Outcome<()> {
        let scopes = match &potential.repeated {
            Some(quantifier) => self.repetitions(quantifier, scope)?,
            None => vec![scope.clone()],
        };
        let label = match &potential.label {
            Some(name) => self.full_name(name, scope)?,
            None => "potential".to_string(),
        };
        for scope in scopes {
            let value = self.expect(&potential.value, &scope, Type::scalar(Dimension::ENERGY), "a potential energy")?;
            let value = self.value_while(condition, value);
            self.model.potentials.push(Potential { label: label.clone(), value, span });
        }
        Ok(())
    }

    /// The frame that a path names.
    pub(super) fn frame_of(&mut self, path: &Expr, scope: &Scope) -> Outcome<FrameId> {
        match self.value_as(path, scope, Sense::Thing)? {
            Value::Frame(frame) => Ok(frame),
            _ => Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{}` is not a frame or a body", print_expression(path)))
                    .at(path.span, "a frame or a body is needed here"),
            )),
        }
    }

    pub(super) fn outputs(&mut self, probes: &[(String, Expr)]) {
        for (name, probe) in probes {
            if let Ok(term) = self.term(probe, &Scope::default()) {
                self.model.outputs.push(Output { name: name.clone(), term });
            }
        }
    }

    fn output(&mut self, value: &Expr, scope: &Scope) -> Outcome<Output> {
        let term = self.term(value, scope)?;
        Ok(Output { name: print_expression(value), term })
    }
}
