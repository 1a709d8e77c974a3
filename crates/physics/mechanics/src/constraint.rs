//! Constraints and initial conditions: residuals, their kind, and their time derivatives.

use base::Diagnostic;
use equations::{Constraint, Initial, Level, component_label};
use expr::Expr;
use model::Equation;

use crate::codes;
use crate::formulate::Formulation;
use crate::reaction::Multiplier;

impl<'a> Formulation<'a> {
    /// The invariants of rotations first, then what the scene states.
    pub fn constraints(&mut self) -> Vec<Constraint> {
        let mut constraints = std::mem::take(&mut self.invariants);
        self.own_constraints = constraints.len();
        for (place, equation) in self.model.constraints.iter().enumerate() {
            if !self.holds_in_mode(equation.condition, equation.span) {
                continue;
            }
            for (part, (label, residual)) in self.residuals(equation).into_iter().enumerate() {
                let kept = self.kept.len();
                let found = self.constraint(label, residual, equation);
                if self.kept.len() > kept {
                    self.lawful.push(place);
                }
                if let Some(symbol) = found.as_ref().and_then(|found| found.multiplier) {
                    let level = self.level(&[residual]);
                    self.multipliers.push(Multiplier { equation: place, part, symbol, level });
                }
                constraints.extend(found);
            }
        }
        constraints
    }

    fn constraint(&mut self, label: String, residual: Expr, equation: &Equation) -> Option<Constraint> {
        let span = equation.span;
        if self.decided(&label, residual, equation) {
            return None;
        }
        if self.keep_as_law(&label, residual, span) {
            return None;
        }
        let multiplier = self.arena.new_symbol(&format!("λ({label})"));
        // A force of constraint is found with the accelerations.
        self.levels.insert(multiplier, Level::Acceleration);
        if !self.variables.is_empty() {
            self.clock.seed_unknown(self.arena.symbol(multiplier));
        }
        let first = self.derivative(residual);
        match self.level(&[residual]) {
            Level::Position => {
                let second = self.derivative(first);
                Some(Constraint::holonomic(label, [residual, first, second], multiplier, span))
            }
            Level::Velocity => Some(Constraint::nonholonomic(label, [residual, first], multiplier, span)),
            Level::Acceleration => {
                self.sink.report(
                    Diagnostic::error(codes::ACCELERATION_CONSTRAINT, "a constraint cannot speak of accelerations")
                        .at(span, "accelerations follow from the forces")
                        .hint("state it for velocities or positions, or apply a force"),
                );
                None
            }
        }
    }

    pub fn initial_conditions(&mut self) -> Vec<Initial> {
        let mut conditions = Vec::new();
        for equation in &self.model.initial {
            for (label, residual) in self.residuals(equation) {
                if self.decided(&label, residual, equation) {
                    continue;
                }
                let level = self.level(&[residual]);
                if level == Level::Acceleration && self.variables.is_empty() {
                    self.sink.report(
                        Diagnostic::error(
                            codes::ACCELERATION_CONSTRAINT,
                            "an initial condition cannot speak of accelerations",
                        )
                        .at(equation.span, "accelerations follow from the forces")
                        .hint("give positions and velocities"),
                    );
                    continue;
                }
                conditions.push(Initial { label, residual, level, span: equation.span });
            }
        }
        conditions
    }

    /// left - right, one for each component, with its label.
    pub fn residuals(&mut self, equation: &Equation) -> Vec<(String, Expr)> {
        let reports = self.sink.iter().count();
        let (left, right) = (self.meaning(equation.left), self.meaning(equation.right));
        if self.sink.iter().count() > reports {
            // What speaks of something that does not exist says nothing else.
            return Vec::new();
        }
        let parts = left.zip(right, |left, right| left - right).parts().into_iter();
        parts.map(|(part, residual)| (component_label(&equation.label, part), residual)).collect()
    }

    /// Whether an equation holds, or fails, whatever the scene does: then it determines nothing.
    pub fn decided(&mut self, label: &str, residual: Expr, equation: &Equation) -> bool {
        let span = equation.span;
        match self.arena.as_number(residual) {
            None => {
                let free = self.arena.symbols_in(&[residual]).iter().any(|&symbol| {
                    self.levels.contains_key(&symbol) || self.clock.is_unknown(self.arena.symbol(symbol))
                });
                if !free {
                    self.sink.report(
                        Diagnostic::error(
                            codes::CONTRADICTION,
                            format!("`{label}` does not depend on anything that can move"),
                        )
                        .at(span, "both sides are given; whether they are equal is not for the scene to decide")
                        .hint("make a component of a frame `free`, or drop the equation"),
                    );
                }
                !free
            }
            // A component of a vector equation such as 0 == 0 says nothing, and nobody needs to hear of it.
            Some(number) if number.is_zero() => true,
            Some(number) => {
                self.sink.report(
                    Diagnostic::error(codes::CONTRADICTION, format!("`{label}` can never hold"))
                        .at(
                            span,
                            format!("the two sides differ by {number}{}, however the scene moves", self.unit(equation)),
                        )
                        .hint("check the numbers, or make the component that should adapt `free`"),
                );
                true
            }
        }
    }

    /// The unit of both sides, after a space; nothing for plain numbers.
    fn unit(&self, equation: &Equation) -> String {
        let dimension = |term| self.model.terms.get(term).type_.amount.dimension();
        let sides = [dimension(equation.left), dimension(equation.right)];
        sides.into_iter().find(|side| !side.is_none()).map_or(String::new(), |side| format!(" {}", side.unit()))
    }

    /// The highest derivative that occurs.
    pub fn level(&self, exprs: &[Expr]) -> Level {
        let levels = self.arena.symbols_in(exprs).into_iter().filter_map(|symbol| self.levels.get(&symbol).copied());
        levels.max().unwrap_or(Level::Position)
    }
}
