//! The bindings of a function: each system of equations is solved, or the function returns with what failed.

use kernel::{Expression, LocalId, Term};
use program::{Binding, Function, SystemId, SystemRole};

use crate::emit::Scope;
use crate::lower::Body;
use crate::singles::Singles;

impl Body<'_, '_, '_> {
    pub fn bindings(&mut self, function: &Function, scope: &mut Scope, time: &Expression) {
        if function.body.len() > 1 {
            scope.expect(&self.lowering.program.arena, &function.expressions());
        }
        let arena = self.lowering.program.arena.clone();
        let mut open = &function.body[..];
        while !open.is_empty() {
            let singles = Singles::leading(&arena, open, scope);
            let (next, rest) = open.split_at(singles.len().max(1));
            if singles.are_many() {
                self.singles(&singles, scope);
            } else {
                next.iter().for_each(|binding| self.binding(binding, scope, time));
            }
            open = rest;
        }
    }

    fn binding(&mut self, binding: &Binding, scope: &mut Scope, time: &Expression) {
        // Where nothing is solved there is nothing to say.
        if binding.equations() > 0 {
            self.announce(&[binding.id()]);
        }
        match binding {
            Binding::Linear(system) => self.linear(system, scope, time),
            Binding::Nonlinear(system) => self.nonlinear(system, scope, time),
            Binding::Sum(sum) => self.family_sum(sum, scope),
        }
    }

    /// A comment: which unknowns follow from which equations, and where these stand in the source.
    pub fn announce(&mut self, systems: &[SystemId]) {
        let sources = self.lowering.sources;
        let all = systems.iter().map(|system| &self.lowering.program.systems[system.index()]);
        let unknowns: Vec<String> =
            all.clone().flat_map(|info| &info.unknowns).map(|unknown| unknown.label.clone()).collect();
        let equations: Vec<String> = all
            .clone()
            .flat_map(|info| &info.equations)
            .map(|equation| match sources.line(equation.span) {
                Some(line) => format!("{} ({line})", equation.label),
                None => equation.label.clone(),
            })
            .collect();
        let Some(what) = all.map(|info| role(info.role)).next() else { return };
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
        SystemRole::Sums => "Sums",
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
