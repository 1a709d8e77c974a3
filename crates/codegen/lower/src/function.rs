//! The bindings of a function: each system of equations is solved, or the function returns with what failed.

use kernel::{Expression, LocalId, Term};
use program::{Binding, Function, SystemId, SystemRole};

use crate::emit::Scope;
use crate::lower::Body;

impl Body<'_, '_, '_> {
    pub fn bindings(&mut self, function: &Function, scope: &mut Scope, time: &Expression) {
        if function.body.len() > 1 {
            scope.expect(&self.lowering.program.arena, &function.expressions());
        }
        for binding in &function.body {
            self.announce(binding.id());
            match binding {
                Binding::Linear(system) => self.linear(system, scope, time),
                Binding::Nonlinear(system) => self.nonlinear(system, scope, time),
            }
        }
    }

    /// A comment: which unknowns follow from which equations, and where these stand in the source.
    fn announce(&mut self, system: SystemId) {
        let info = &self.lowering.program.systems[system.index()];
        let unknowns: Vec<String> = info.unknowns.iter().map(|unknown| unknown.label.clone()).collect();
        let sources = self.lowering.sources;
        let equations: Vec<String> = info
            .equations
            .iter()
            .map(|equation| match sources.line(equation.span) {
                Some(line) => format!("{} ({line})", equation.label),
                None => equation.label.clone(),
            })
            .collect();
        let what = role(info.role);
        self.f.note(&format!("{what} of {} from {}", shortened(&unknowns), shortened(&equations)));
    }

    /// Leaves the function with a code if the condition holds, after noting which system failed and which part of it was worst.
    pub fn fail_if(
        &mut self,
        condition: Expression,
        code: impl Into<Expression>,
        system: SystemId,
        part: Expression,
        time: &Expression,
    ) {
        let (failure, values) = (self.lowering.failure, self.lowering.failure_values);
        let code = code.into();
        self.f.if_(condition, |f| {
            f.store(failure, 0, i64::from(system.0));
            f.store(failure, 1, part);
            f.store(values, 0, time.clone());
            f.return_(code);
        });
    }

    /// True for zero and for what is not a number.
    pub fn unusable(&mut self, value: LocalId) -> Expression {
        value.abs().gt(0.0).logical_not()
    }
}

/// What a system of equations is solved for.
fn role(role: SystemRole) -> &'static str {
    match role {
        SystemRole::InitialPositions | SystemRole::Start => "Initial values",
        SystemRole::InitialVelocities => "Initial rates",
        SystemRole::Zeroth
        | SystemRole::StabilizePositions
        | SystemRole::Watched
        | SystemRole::Stabilize
        | SystemRole::Positions
        | SystemRole::Entry => "Values",
        SystemRole::ZerothVelocities
        | SystemRole::First
        | SystemRole::StabilizeVelocities
        | SystemRole::Rates
        | SystemRole::Velocities => "Rates",
        SystemRole::ZerothAccelerations | SystemRole::Accelerations => "Accelerations",
    }
}

/// A list that fits on a line or two.
fn shortened(names: &[String]) -> String {
    const MOST: usize = 6;
    match names.len() {
        0 => "nothing".to_string(),
        1..=MOST => names.join(", "),
        count => format!("{} and {} more", names[..MOST].join(", "), count - MOST),
    }
}
