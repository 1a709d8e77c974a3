//! What a plan is for: what it aims at where its phases end, what must not be exceeded there, what is to be least, and whether what it chooses is
//! enough for that.

use base::Diagnostic;
use syntax::{Course, Phase, ValueRange, print_expression};

use super::space::Scope;
use super::{Outcome, Resolver};
use crate::change::{DiscreteId, Transition};
use crate::codes;
use crate::model::{Equation, Limits};
use crate::term::{Shape, Type};

impl<'t> Resolver<'t, '_> {
    /// What is behind `aim` and `minimizing` at the end of a phase.
    pub(super) fn goals(&mut self, phase: &'t Phase, transition: &mut Transition, scope: &Scope) -> Outcome<()> {
        for aim in &phase.aims {
            let span = aim.sides().map_or(phase.span, |(left, right)| left.span.to(right.span));
            let aim = self.equation(aim, scope, span)?;
            transition.aims.push(aim);
        }
        for limit in &phase.limits {
            let left = self.scalar(&limit.larger, scope)?;
            let right = self.scalar(&limit.smaller, scope)?;
            self.join_types(left, right, "what is compared")?;
            let label = format!("{} <= {}", print_expression(&limit.smaller), print_expression(&limit.larger));
            transition.limits.push(Equation { label, left, right, condition: None, span: limit.span });
        }
        if let Some(cost) = &phase.cost {
            transition.cost = Some(self.scalar(cost, scope)?);
        }
        Ok(())
    }

    /// Between which values a number is chosen, in SI units.
    pub(super) fn range_of_choice(&mut self, range: &ValueRange, id: DiscreteId, scope: &Scope) -> Outcome<Limits> {
        let (low, high, unit) = self.control_range(range, scope)?;
        let (name, type_) = (self.model.discrete[id.index()].name.clone(), self.model.discrete[id.index()].type_);
        let dimension = type_.amount.dimension();
        if type_.shape == Shape::Vector {
            return Err(self.report(
                Diagnostic::error(
                    codes::DIMENSION_MISMATCH,
                    format!("`{name}` is a vector, and a range is for one number"),
                )
                .at(range.span, "")
                .hint(format!("limit a component or a length where a phase ends: `aim |{name}| <= …`")),
            ));
        }
        if unit.dimension != dimension {
            return Err(self.report(
                Diagnostic::error(codes::DIMENSION_MISMATCH, format!("the range of `{name}` has another dimension"))
                    .at(range.span, format!("this is in `{}`", unit.text))
                    .hint(format!("write the unit after the range, as in `in [0, 20] [{}]`", dimension.unit())),
            ));
        }
        Ok(Limits { low, high, unit, span: range.span })
    }

    /// A plan needs as many aims as it has choices, or something that is to be least where it has fewer.
    pub(super) fn check_plan(&mut self, course: &Course, transitions: &[Transition]) -> Outcome<()> {
        let size = |type_: Type| if type_.shape == Shape::Vector { 3 } else { 1 };
        let chosen: usize = transitions[0].choices.iter().map(|(id, _)| self.model.discrete[id.index()].size()).sum();
        let aims = transitions.iter().flat_map(|transition| &transition.aims);
        let aimed: usize = aims.map(|aim| size(self.type_of(aim.left))).sum();
        let costs: Vec<_> = transitions.iter().filter_map(|transition| transition.cost).collect();
        for &cost in costs.iter().skip(1) {
            self.join_types(costs[0], cost, "what is to be least, over all phases,")?;
        }
        if (chosen == aimed && costs.is_empty()) || (chosen > aimed && !costs.is_empty()) {
            return Ok(());
        }
        let name = &course.name.text;
        let (message, hint) = if chosen == aimed {
            (
                format!("`{name}` leaves nothing to choose for what is to be least"),
                "let it choose more numbers than it aims at, or leave out `minimizing`",
            )
        } else {
            let message = format!("`{name}` chooses {} and aims at {}", numbers(chosen), numbers(aimed));
            (
                message,
                match chosen < aimed {
                    true => {
                        "let it choose more, as in `choose push: [N] from 1 [N]`; or drop some of what stands after `aim`"
                    }
                    false => {
                        "let it aim at more, as in `after 2 [s] aim x == 1 [m], x' == 0`, drop some of its choices, or say what is to be least: `minimizing effort`"
                    }
                },
            )
        };
        Err(self.report(
            Diagnostic::error(codes::UNBALANCED_PLAN, message)
                .at(course.name.span, "a vector counts as three")
                .hint(hint),
        ))
    }
}

fn numbers(count: usize) -> String {
    match count {
        0 => "nothing".to_string(),
        1 => "one number".to_string(),
        count => format!("{count} numbers"),
    }
}
