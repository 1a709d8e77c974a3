//! Questions, and what is assumed where they are answered.

use base::{Diagnostic, Span, Unit};
use syntax::{BinaryOperator, Expr, ExprKind, Find, print_expression};

use super::space::Scope;
use super::{Entity, Outcome, Resolver, Sense, Value, all};
use crate::codes;
use crate::model::Equation;
use crate::question::{Asked, Assumption, AssumptionKind, Moment, Question, Sweep};
use crate::term::Shape;

impl<'t> Resolver<'t, '_> {
    /// What holds in the whole scene: its equations are laws, and where a condition fails, a run ends.
    pub(super) fn assume(&mut self, assume: &'t syntax::Assume, scope: &Scope, span: Span) -> Outcome<()> {
        let name = match &assume.label {
            Some(label) => self.full_name(label, scope)?,
            None => print_expression(&assume.statement),
        };
        if self.without.contains(&name) {
            self.model.done_without.push(name);
            return Ok(());
        }
        let assumption = self.assumption(&assume.statement, name.clone(), scope, span)?;
        match assumption.kind {
            AssumptionKind::Equation([left, right]) => {
                self.model.laws.push(Equation { label: name, left, right, condition: None, span });
            }
            AssumptionKind::Condition(term) => {
                let fails = self.not(term, span);
                self.end_where(format!("assumption {name} fails"), fails, span);
            }
            AssumptionKind::Steady(_) | AssumptionKind::Choice => {}
        }
        self.model.assumptions.push(assumption);
        Ok(())
    }

    fn assumption(&mut self, statement: &Expr, name: String, scope: &Scope, span: Span) -> Outcome<Assumption> {
        let kind = match &statement.kind {
            ExprKind::Call { function, arguments }
                if print_expression(function) == "steady" && arguments.len() == 1 =>
            {
                self.steady(&arguments[0].value, scope)?
            }
            ExprKind::Name(word) if self.is_choice(word, scope) => {
                self.check_choice(word, statement.span)?;
                AssumptionKind::Choice
            }
            ExprKind::Binary { operator: BinaryOperator::Equal, left, right } => {
                let (left, right) = self.two_sides(left, right, scope)?;
                let (left, right) = self.fill_empty(left, right);
                self.join_types(left, right, "the two sides of an equation")?;
                AssumptionKind::Equation([left, right])
            }
            _ => AssumptionKind::Condition(self.condition(statement, scope)?),
        };
        Ok(Assumption { name, text: print_expression(statement), kind, span })
    }

    fn steady(&mut self, thing: &Expr, scope: &Scope) -> Outcome<AssumptionKind> {
        match self.value_as(thing, scope, Sense::Thing)? {
            Value::Thing(id) => Ok(AssumptionKind::Steady(self.things[id.index()].name.clone())),
            Value::Frame(id) => Ok(AssumptionKind::Steady(self.model.frame(id).name.clone())),
            _ => Err(self.wrong_kind(
                thing.span,
                "what is steady is a thing, a frame or a body",
                "this is something else; of a number say `der(x) == 0`",
            )),
        }
    }

    /// A word that no law speaks of changes nothing.
    fn check_choice(&mut self, word: &str, span: Span) -> Outcome<()> {
        let mut known: Vec<&str> = Vec::new();
        for (law, _) in &self.laws {
            law.assumption.iter().for_each(|assumption| words(assumption, &mut known));
        }
        if known.contains(&word) {
            return Ok(());
        }
        let hint = match base::nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a word is assumed for laws that are written `law … assuming WORD { … }`; otherwise state an equation or a condition".to_string(),
        };
        Err(self.report(
            Diagnostic::error(codes::UNKNOWN_NAME, format!("no law assumes `{word}`"))
                .at(span, "nothing follows from this")
                .hint(hint),
        ))
    }

    pub(super) fn find(&mut self, find: &'t Find, scope: &Scope, span: Span) -> Outcome<()> {
        let asked = all(find.asked.iter().map(|asked| self.asked(asked, find, scope)));
        let given =
            all(find.given.iter().map(|given| self.assumption(given, print_expression(given), scope, given.span)));
        let sweep = find.sweep.as_ref().map(|sweep| self.sweep(sweep, scope)).transpose()?;
        let moment = self.moment(find, scope)?;
        let text = find.asked.iter().map(print_expression).collect::<Vec<_>>().join(", ");
        self.model.questions.push(Question { text, asked: asked?, given: given?, moment, sweep, span });
        Ok(())
    }

    /// What of a run is asked for, if something is.
    fn moment(&mut self, find: &Find, scope: &Scope) -> Outcome<Option<Moment>> {
        if let (Some(given), true) = (find.given.first(), find.when.is_some() || find.over.is_some()) {
            return Err(self.wrong_kind(
                given.span,
                "this is asked of a run, and a run has its own start",
                "state it with `initially` or `assume`, for the whole scene",
            ));
        }
        let moment = match (&find.when, &find.over) {
            (None, None) => return Ok(None),
            (Some(when), None) => {
                self.condition(when, scope)?;
                Moment::When(print_expression(when))
            }
            (None, Some(over)) => {
                let seconds = self.seconds_of_run(over, scope)?;
                find.extreme.map_or(Moment::After(seconds), |extreme| Moment::Extreme(extreme, seconds))
            }
            (Some(_), Some(over)) => {
                return Err(self.wrong_kind(over.span, "either `when` or `over`", "ask for one of them at a time"));
            }
        };
        Ok(Some(moment))
    }

    pub(super) fn seconds_of_run(&mut self, over: &Expr, scope: &Scope) -> Outcome<f64> {
        let (seconds, unit) = self.constant_with_unit(over, scope)?;
        if unit.dimension != base::Dimension::TIME && unit.dimension != base::Dimension::NONE {
            let found = Diagnostic::error(codes::DIMENSION_MISMATCH, "a run is not as long as this");
            return Err(self.report(found.at(over.span, "this is no time")));
        }
        if seconds.is_nan() || seconds <= 0.0 {
            return Err(self.wrong_kind(over.span, "a run takes some time", "this is not above zero"));
        }
        Ok(seconds)
    }

    fn asked(&mut self, asked: &Expr, find: &Find, scope: &Scope) -> Outcome<Asked> {
        let term = self.term(asked, scope)?;
        let type_ = self.type_of(term);
        if !matches!(type_.shape, Shape::Scalar | Shape::Vector) {
            return Err(self.wrong_kind(asked.span, "numbers and vectors can be asked for", "this is something else"));
        }
        if find.extreme.is_some() && type_.shape != Shape::Scalar {
            return Err(self.wrong_kind(asked.span, "only numbers can be largest or smallest", "ask for `|…|` of it"));
        }
        let dimension = type_.amount.dimension();
        let unit = match &find.unit {
            Some(unit) => {
                let read = self.unit(unit)?;
                if read.dimension != dimension {
                    return Err(self.report(
                        Diagnostic::error(
                            codes::DIMENSION_MISMATCH,
                            format!("the answer is no number of `{}`", unit.text),
                        )
                        .at(unit.span, "this unit does not fit")
                        .at(asked.span, format!("this is measured in `{}`", Unit::coherent(dimension).text)),
                    ));
                }
                read
            }
            None => self.model.told_unit(term),
        };
        Ok(Asked { text: print_expression(asked), term, unit })
    }

    fn sweep(&mut self, sweep: &syntax::Sweep, scope: &Scope) -> Outcome<Sweep> {
        let name = &sweep.parameter;
        let Some(Entity::Parameter(parameter)) = self.entity(&name.text, Sense::Quantity, scope.space) else {
            return Err(self.report(
                Diagnostic::error(codes::WRONG_KIND, format!("`{}` is no parameter", name.text))
                    .at(name.span, "only what a `param` declares can be varied")
                    .hint(format!("declare it: `param {} = …`", name.text)),
            ));
        };
        let first = self.number_like(&sweep.first, parameter, scope);
        let last = self.number_like(&sweep.last, parameter, scope);
        let step = sweep.step.as_ref().map(|step| self.number_like(step, parameter, scope)).transpose()?;
        if let (Some(step), Some(written)) = (step, &sweep.step)
            && step <= 0.0
        {
            return Err(self.wrong_kind(written.span, "a step goes forward", "this is not above zero"));
        }
        Ok(Sweep { parameter, first: first?, last: last?, step })
    }

    /// A number of the dimension of a parameter, in SI units.
    fn number_like(&mut self, value: &Expr, parameter: crate::model::ParameterId, scope: &Scope) -> Outcome<f64> {
        let (number, unit) = self.constant_with_unit(value, scope)?;
        let wanted = self.model.parameters[parameter.index()].unit.clone();
        if unit.dimension != wanted.dimension {
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, "this is no value of the parameter")
                    .at(value.span, format!("the parameter is measured in `{}`", wanted.text)),
            ));
        }
        Ok(number)
    }
}

fn words<'e>(expr: &'e Expr, known: &mut Vec<&'e str>) {
    if let ExprKind::Name(word) = &expr.kind {
        known.push(word);
    }
    expr.children().for_each(|child| words(child, known));
}
