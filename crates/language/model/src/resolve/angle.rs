//! Angles without a unit: numbers are radians, and whoever writes `60` means degrees.

use std::f64::consts::TAU;

use base::Diagnostic;
use syntax::{Expr, ExprKind, UnaryOperator, print_expression};

use super::Resolver;
use crate::codes;
use crate::term::{TermId, TermKind};

impl Resolver<'_, '_> {
    /// Warns of a plain number that an angle is equal to, or compared with.
    pub(super) fn compare_with_angle(&mut self, (left, a): (&Expr, TermId), (right, b): (&Expr, TermId)) {
        for ((expr, term), other) in [((left, a), b), ((right, b), a)] {
            // What is an angle is looked for last, because it takes a walk through all terms.
            if self.beyond_a_turn(expr, term).is_some() && self.model.turns(other) {
                self.warn_of_angle(expr, term);
            }
        }
    }

    /// Warns of a plain number that is no angle a person would write in radians. One turn is the measure: within it `1.5` is as likely as
    /// `90 [deg]`, and beyond it nobody thinks in radians.
    pub(super) fn warn_of_angle(&mut self, expr: &Expr, term: TermId) {
        let Some(value) = self.beyond_a_turn(expr, term) else { return };
        let written = print_expression(expr);
        let reading = format!("read as {value} rad, which is {:.1}°", value.to_degrees());
        let diagnostic =
            Diagnostic::warning(codes::BARE_ANGLE, format!("the angle `{written}` has no unit")).at(expr.span, reading);
        self.report(match self.model.terms.get(term).kind {
            TermKind::Parameter(_) => diagnostic.hint(format!(
                "give its declaration a unit: `param {written} = {value} [deg]`, or `[rad]` if radians are meant"
            )),
            _ => diagnostic
                .hint(format!("give it a unit: `{written} [deg]`"))
                .hint(format!("give it a unit: `{written} [rad]`")),
        });
    }

    /// The value of a number without a unit, or of a parameter without one, that is more than a turn in radians.
    fn beyond_a_turn(&self, expr: &Expr, term: TermId) -> Option<f64> {
        let value = match (&expr.kind, &self.model.terms.get(term).kind) {
            (ExprKind::Number { value, .. }, _) => *value,
            (ExprKind::Unary { operator: UnaryOperator::Negate, operand }, _) => match operand.kind {
                ExprKind::Number { value, .. } => -value,
                _ => return None,
            },
            (ExprKind::Name(_), TermKind::Parameter(id)) => {
                let parameter = &self.model.parameters[id.index()];
                let plain = parameter.unit.dimension.is_none() && matches!(parameter.unit.text.as_str(), "" | "1");
                plain.then_some(parameter.default)?
            }
            _ => return None,
        };
        (value.abs() > TAU).then_some(value)
    }
}
