//! Integrals: the derivative as the integrator wants it, the projection onto the constraints, and what to say when it fails.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionId, LocalId, Term, protocol};
use numerics::{Integrator, IntegratorArrays, IntegratorProblem, integrator};

use crate::lower::{Body, Lowering};

pub(crate) struct LoweredIntegral {
    pub index: usize,
    pub arrays: IntegratorArrays,
    pub integrator: Integrator,
    pub projection: Option<Projection>,
}

/// `(t) -> integer`: moves the point onto the constraints; 0 unchanged, negative changed, positive failed.
#[derive(Clone, Copy)]
pub(crate) struct Projection {
    point: ArrayId,
    project: FunctionId,
}

impl Lowering<'_> {
    pub fn integral(&mut self, index: usize) -> LoweredIntegral {
        let integral = &self.program.integrals[index];
        let name =
            if self.program.integrals.len() == 1 { "motion".to_string() } else { format!("motion{}", index + 1) };
        let arrays = IntegratorArrays::declare(&mut self.module, &name, integral.states.len(), self.options.method);
        let derivative = self.derivative(index, &name, &arrays);
        let projection = self.projection(index, &name);
        let after_step = projection.map(|projection| self.after_step(&name, &arrays, projection));
        let mut dimensions = Vec::new();
        let groups = integral.states.iter().map(|state| {
            let known = dimensions.iter().position(|dimension| *dimension == state.dimension);
            known.unwrap_or_else(|| {
                dimensions.push(state.dimension);
                dimensions.len() - 1
            })
        });
        let problem = IntegratorProblem { name: &name, derivative, after_step, groups: groups.collect() };
        let integrator = integrator(&mut self.module, &arrays, &problem);
        LoweredIntegral { index, arrays, integrator, projection }
    }

    fn derivative(&mut self, index: usize, name: &str, arrays: &IntegratorArrays) -> FunctionId {
        let program = self.program;
        let integral = &program.integrals[index];
        let parameters = [("t", Real), ("offset", Integer)];
        let function = self.module.declare(&format!("{name}_derivative"), &parameters, &[Integer]);
        self.module.describe(function, "The rate of every state, from the stage to the slopes.");
        let scope = self.scope(0.0);
        self.define(function, |body| {
            let [t, offset] = body.f.parameters();
            let mut scope = scope;
            scope.bind(program.time, t.into());
            for (at, state) in integral.states.iter().enumerate() {
                scope.bind(state.symbol, arrays.stage.at(at));
            }
            body.bindings(&integral.derivative, &mut scope, &Expression::from(t));
            let rates = body.emit(&integral.derivative.results, &mut scope);
            for (at, rate) in rates.into_iter().enumerate() {
                body.f.store(arrays.slopes, offset + at, rate);
            }
            body.f.return_(protocol::DONE);
        });
        function
    }

    fn projection(&mut self, index: usize, name: &str) -> Option<Projection> {
        let program = self.program;
        let integral = &program.integrals[index];
        let stabilize = integral.stabilize.as_ref().filter(|stabilize| !stabilize.body.is_empty())?;
        let point =
            self.module.real_array(&format!("{name}_point"), integral.states.len(), "moved onto the constraints");
        let project = self.module.declare(&format!("{name}_project"), &[("t", Real)], &[Integer]);
        self.module.describe(project, "The smallest change that satisfies the constraints: 0 none, negative some.");
        let scope = self.scope(0.0);
        self.define(project, |body| {
            let [t] = body.f.parameters();
            let mut scope = scope;
            scope.bind(program.time, t.into());
            for (at, state) in integral.states.iter().enumerate() {
                scope.bind(state.symbol, point.at(at));
            }
            body.bindings(stabilize, &mut scope, &Expression::from(t));
            let values = body.emit(&stabilize.results, &mut scope);
            let changed = body.f.integer("changed", 0);
            for (at, value) in values.into_iter().enumerate() {
                let value = body.f.bind("projected", value);
                body.f.assign(changed, changed.get().or(value.ne_(point.at(at))));
                body.f.store(point, at, value);
            }
            body.f.return_(-changed.get());
        });
        Some(Projection { point, project })
    }

    fn after_step(&mut self, name: &str, arrays: &IntegratorArrays, projection: Projection) -> FunctionId {
        let n = arrays.size;
        self.module.function(&format!("{name}_after_step"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, n, |f, i| f.store(projection.point, i, arrays.state.at(i)));
            let status = f.call1(projection.project, t);
            f.if_(status.lt(0), |f| {
                f.for_each("i", 0, n, |f, i| f.store(arrays.state, i, projection.point.at(i)));
            });
            f.return_(status);
        })
    }
}

impl LoweredIntegral {
    /// Moves the sampled state onto the constraints too.
    pub fn project_sample(&self, body: &mut Body<'_, '_, '_>, t: LocalId) {
        let Some(Projection { point, project }) = self.projection else { return };
        let (n, sampled) = (self.arrays.size, self.arrays.sampled);
        body.f.for_each("i", 0, n, |f, i| f.store(point, i, sampled.at(i)));
        let status = body.f.call1(project, t);
        body.f.if_(status.gt(0), |f| f.return_(status));
        body.f.for_each("i", 0, n, |f, i| f.store(sampled, i, point.at(i)));
    }

    /// Leaves the function if the integrator failed, with the code and the details that the user will read.
    pub fn hand_on(&self, body: &mut Body<'_, '_, '_>, status: LocalId, time: &Expression) {
        let (failure, values) = (body.lowering.failure, body.lowering.failure_values);
        let (arrays, index) = (self.arrays, self.index as i64);
        body.f.if_(status.gt(Integrator::LIMIT), |f| {
            f.store(values, 0, time.clone());
            let inner = f.integer("inner", arrays.failure_code.at(0));
            let from_inside = status.ne_(Integrator::COLLAPSED).and(inner.ne_(0));
            // A system of equations inside the derivative or the projection has left its own details.
            f.if_(from_inside, |f| f.return_(inner));
            f.store(failure, 0, index);
            f.store(failure, 1, arrays.failure_component.at(0));
            let code = status.eq_(Integrator::COLLAPSED).select(protocol::STEP_COLLAPSED, protocol::NOT_FINITE);
            f.return_(code);
        });
    }
}
