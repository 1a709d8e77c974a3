//! Integrals: the derivative as the integrator wants it, the projection onto the constraints, and what to say when it fails.

use expr::SymbolId;
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionId, LocalId, Term, protocol};
use numerics::{
    Constraints, Integrator, IntegratorArrays, IntegratorProblem, Method, implicit_integrator, integrator,
    stepping_integrator,
};
use program::{Integral, Program};
use rustc_hash::FxHashMap;

use crate::contact::Contacting;
use crate::implicit::Implicit;
use crate::lower::{Body, ConstraintIndependence, Lowering};
use crate::roll::{Row, Target};
use crate::rows::RowsInUse;
use crate::sliding::{RowRates, Sliding, SlidingFunctions};

pub(crate) struct LoweredIntegral {
    pub index: usize,
    /// In the arrays of an implicit integrator, algebraic unknowns follow the states.
    pub arrays: IntegratorArrays,
    pub integrator: Integrator,
    pub settling: Option<Settling>,
    pub implicit: Option<Implicit>,
    rows: Option<RowsInUse>,
    /// How the rates of what switches may keep to are found.
    pub row_rates: Option<RowRates>,
    /// What may slide.
    pub sliding: Option<(Sliding, SlidingFunctions)>,
    pub contacting: Option<Contacting>,
    /// `(t, offset) -> integer`: the rates at the stage.
    pub derivative: FunctionId,
    /// `(t) -> integer`: settles the state itself.
    pub after_step: Option<FunctionId>,
    pub states: usize,
    pub follower_count: usize,
}

/// What is done to a state before anyone sees it: it is moved onto the constraints, and what follows from it is found.
#[derive(Clone, Copy)]
pub(crate) struct Settling {
    /// The state to be settled.
    point: ArrayId,
    /// `(t) -> integer`: moves the point; 0 unchanged, negative changed, positive failed.
    project: Option<FunctionId>,
    pub follow: Option<Following>,
}

#[derive(Clone, Copy)]
pub(crate) struct Following {
    /// Followers at the end of the last step.
    pub settled: ArrayId,
    /// Followers of the point.
    pub followers: ArrayId,
    /// `(t) -> integer`: finds the followers of the point, from the settled ones; 0, or positive if it failed.
    follow: FunctionId,
}

pub(crate) fn motion_name(program: &Program, index: usize) -> String {
    if program.integrals.len() == 1 { "motion".to_string() } else { format!("motion{}", index + 1) }
}

/// The array that holds the states of an integral after each step.
pub fn state_array(program: &Program, index: usize) -> String {
    format!("{}_state", motion_name(program, index))
}

impl Lowering<'_> {
    // Long: puts an integrator together from its parts, each of which wraps the one before.
    pub fn integral(&mut self, index: usize) -> LoweredIntegral {
        let integral = &self.program.integrals[index];
        let name = motion_name(self.program, index);
        let implicit = self.implicit(index, &name);
        let states = integral.states.len();
        let (size, method) = match &implicit {
            Some(implicit) => (implicit.size(), self.options.implicit),
            None if self.program.contacts.as_ref().is_some_and(|contacts| contacts.steps) => (states, Method::Fixed),
            None => (states, self.options.explicit),
        };
        let arrays = IntegratorArrays::declare(&mut self.module, &name, size, method);
        let settled = integral.follow.as_ref().map(|_| {
            let note = "followers at the end of the last step";
            self.module.real_array(&format!("{name}_settled"), integral.followers.len(), note)
        });
        let derivative = match &implicit {
            Some(implicit) => self.implicit_derivative(implicit, &name, &arrays),
            None => self.derivative(index, &name, &arrays, settled),
        };
        // Where and how the motion slides is decided by the rates of the states, however the steps are taken.
        let slides = self.switching.and_then(|switching| switching.sliding);
        let rates = match &implicit {
            Some(_) if slides.is_some() => self.derivative(index, &format!("{name}_states"), &arrays, settled),
            _ => derivative,
        };
        let row_rates = slides.map(|sliding| self.row_rates(sliding, &arrays));
        let sliding = slides
            .zip(row_rates)
            .map(|(sliding, of_rows)| (sliding, self.sliding_functions(&name, sliding, &arrays, of_rows, rates)));
        let derivative = match (sliding, &implicit) {
            (Some((_, functions)), None) => functions.derivative,
            _ => derivative,
        };
        let exact = self.contacting(&arrays, settled, derivative);
        let derivative = exact.map_or(derivative, |(_, exact)| exact.holding.derivative);
        let plain_derivative = derivative;
        let can_be_careful = implicit.is_none() && method != Method::Fixed;
        let (settling, independence) = self.settling(index, &name, settled, can_be_careful);
        let constraints = settling.and_then(|settling| Some((settling.point, settling.project?)));
        let steps = self.contact_steps(&arrays, settled, derivative, constraints);
        let constraints = constraints.zip(independence).map(|((point, project), independence)| {
            let ConstraintIndependence { least, longest } = independence;
            Constraints { point, project, independence: least, longest }
        });
        let rows = self.rows_in_use(index, &name, &arrays, implicit.as_ref());
        let after_step = settling.map(|settling| self.after_step(&name, &arrays, settling, rows));
        let after_step =
            exact.map(|(_, exact)| self.after_step_onto_contacts(after_step, exact.project)).or(after_step);
        let (mut groups, mut rate_of) = (self.groups(index), self.rates(index));
        // Where algebraic unknowns are measured, it is by the largest of them all: nobody here knows their dimensions.
        groups.resize(size, states);
        rate_of.resize(size, None);
        let problem = IntegratorProblem { name: &name, derivative, after_step, constraints, groups, rate_of };
        let integrator = match (&implicit, steps) {
            (Some(implicit), _) => {
                let problem = self.implicit_problem(implicit, problem, &arrays);
                implicit_integrator(&mut self.module, &arrays, &problem)
            }
            (None, Some((_, take))) => stepping_integrator(&mut self.module, &arrays, &problem, take),
            (None, None) => integrator(&mut self.module, &arrays, &problem),
        };
        // Steps of a fixed length are not taken again, whatever they pass over.
        let integrator = match steps {
            Some(_) => integrator,
            None => self.passing_over_nothing(index, &name, &arrays, integrator),
        };
        let integrator = self.remembering(&name, &arrays, integrator);
        let contacting = exact.map(|(contacting, _)| contacting).or(steps.map(|(contacting, _)| contacting));
        let follower_count = integral.followers.len();
        LoweredIntegral {
            index,
            arrays,
            integrator,
            settling,
            implicit,
            rows,
            row_rates,
            sliding,
            contacting,
            derivative: plain_derivative,
            after_step,
            states,
            follower_count,
        }
    }

    /// A number for each state; states of the same dimension that depend on one another have the same, and none is as large as the number of states. Derivatives of
    /// states are compared with those along the same direction; by parameters they are as large as the states are, and are compared with these.
    fn groups(&self, index: usize) -> Vec<usize> {
        let mut kinds = FxHashMap::default();
        let Integral { states, crowd, .. } = &self.program.integrals[index];
        let alike = (states.len() / (1 + self.program.directions)).max(1);
        let groups = states.iter().enumerate().map(|(at, state)| {
            let direction = if self.program.varied.is_empty() { at / alike } else { 0 };
            let kind = (direction, crowd.get(at), state.dimension);
            let next = kinds.len();
            *kinds.entry(kind).or_insert(next)
        });
        groups.collect()
    }

    /// For each state, the first state whose rate it enters: the speed of a coordinate, the spin of an orientation.
    fn rates(&self, index: usize) -> Vec<Option<usize>> {
        let integral = &self.program.integrals[index];
        let mut led: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for (at, &rate) in integral.derivative.results.iter().enumerate() {
            for symbol in self.program.arena.symbols_in(&[rate]) {
                led.entry(symbol).or_insert(at);
            }
        }
        let own = integral.states.iter().enumerate();
        own.map(|(at, state)| led.get(&state.symbol).copied().filter(|&other| other != at)).collect()
    }

    fn derivative(
        &mut self,
        index: usize,
        name: &str,
        arrays: &IntegratorArrays,
        settled: Option<ArrayId>,
    ) -> FunctionId {
        let program = self.program;
        let integral = &program.integrals[index];
        let parameters = [("t", Real), ("offset", Integer)];
        let function = self.module.declare(&format!("{name}_derivative"), &parameters, &[Integer]);
        self.module.describe(function, "The rate of every state, from the stage to the slopes.");
        self.define(function, |body| {
            let [t, offset] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, arrays.stage);
            // What is found by iteration is sought from where it was.
            if let Some(settled) = settled {
                scope.bind_states(&integral.followers, settled);
            }
            body.bindings(&integral.derivative, &mut scope, &Expression::from(t));
            let rates: Vec<Row> = integral.derivative.results.iter().copied().enumerate().collect();
            body.store_rows(&Target { array: arrays.slopes, offset: offset.get() }, &rates, &mut scope);
            body.f.return_(protocol::DONE);
        });
        function
    }

    fn settling(
        &mut self,
        index: usize,
        name: &str,
        settled: Option<ArrayId>,
        can_be_careful: bool,
    ) -> (Option<Settling>, Option<ConstraintIndependence>) {
        let integral = &self.program.integrals[index];
        let stabilizes = integral.stabilize.as_ref().is_some_and(|stabilize| !stabilize.body.is_empty());
        if !stabilizes && integral.follow.is_none() {
            return (None, None);
        }
        let point = self.module.real_array(&format!("{name}_point"), integral.states.len(), "a state to be settled");
        self.independence = (stabilizes && can_be_careful).then(|| {
            let note = "how independent constraints are where the point was moved onto them last";
            let least = self.module.real_array(&format!("{name}_least_independence"), 1, note);
            ConstraintIndependence { least, longest: Vec::new() }
        });
        let project = stabilizes.then(|| self.projection(index, name, point)).flatten();
        let independence = self.independence.take();
        let follow = settled.and_then(|settled| self.following(index, name, point, settled));
        (Some(Settling { point, project, follow }), independence)
    }

    fn projection(&mut self, index: usize, name: &str, point: ArrayId) -> Option<FunctionId> {
        let program = self.program;
        let integral = &program.integrals[index];
        let stabilize = integral.stabilize.as_ref()?;
        let project = self.module.declare(&format!("{name}_project"), &[("t", Real)], &[Integer]);
        self.module.describe(project, "The smallest change that satisfies the constraints: 0 none, negative some.");
        self.define(project, |body| {
            let [t] = body.f.parameters();
            if let Some(independence) = &body.lowering.independence {
                body.f.store(independence.least, 0, 1.0);
            }
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, point);
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
        Some(project)
    }

    fn following(&mut self, index: usize, name: &str, point: ArrayId, settled: ArrayId) -> Option<Following> {
        let program = self.program;
        let integral = &program.integrals[index];
        let function = integral.follow.as_ref()?;
        let n = integral.followers.len();
        let followers = self.module.real_array(&format!("{name}_followers"), n, "followers of the settled point");
        let follow = self.module.declare(&format!("{name}_follow"), &[("t", Real)], &[Integer]);
        self.module.describe(follow, "What follows from the point, from what followed a moment ago.");
        self.define(follow, |body| {
            let [t] = body.f.parameters();
            let mut scope = body.lowering.scope(t);
            scope.bind_states(&integral.states, point);
            scope.bind_states(&integral.followers, settled);
            body.bindings(function, &mut scope, &Expression::from(t));
            let values = body.emit(&function.results, &mut scope);
            body.store_all(followers, values);
            body.f.return_(protocol::DONE);
        });
        Some(Following { settled, followers, follow })
    }

    /// `(t) -> integer`: the same, and moves the state onto what touches.
    fn after_step_onto_contacts(&mut self, after_step: Option<FunctionId>, project: FunctionId) -> FunctionId {
        self.module.function("contact_after_step", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let status = f.integer("status", 0);
            if let Some(after_step) = after_step {
                f.call_into(&[status], after_step, t);
                f.if_(status.gt(0), |f| f.return_(status));
            }
            let moved = f.call1(project, t);
            f.if_(moved.gt(protocol::UNFINISHED), |f| f.return_(moved));
            f.return_(moved.lt(0).select(moved, status));
        })
    }

    fn after_step(
        &mut self,
        name: &str,
        arrays: &IntegratorArrays,
        settling: Settling,
        rows: Option<RowsInUse>,
    ) -> FunctionId {
        let point = settling.point;
        let n = self.module.length(point);
        let settled_length = settling.follow.map_or(0, |follow| self.module.length(follow.settled));
        self.module.function(&format!("{name}_after_step"), &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, n, |f, i| f.store(point, i, arrays.state.at(i)));
            let status = f.integer("status", 0);
            // The state is moved onto constraints that hold it, so these are chosen first.
            let exchanged = rows.map(|rows| {
                let exchanged = f.call1(rows.follow, t);
                f.if_(exchanged.gt(0), |f| f.return_(exchanged));
                exchanged
            });
            if let Some(project) = settling.project {
                f.call_into(&[status], project, t);
                f.if_(status.gt(0), |f| f.return_(status));
                f.if_(status.lt(0), |f| {
                    f.for_each("i", 0, n, |f, i| f.store(arrays.state, i, point.at(i)));
                });
            }
            if let Some(Following { settled, followers, follow }) = settling.follow {
                let failed = f.call1(follow, t);
                f.if_(failed.gt(0), |f| f.return_(failed));
                f.for_each("i", 0, settled_length, |f, i| f.store(settled, i, followers.at(i)));
            }
            f.return_(exchanged.map_or(status.get(), |exchanged| exchanged.lt(0).select(exchanged, status)));
        })
    }
}

impl LoweredIntegral {
    pub fn following(&self) -> Option<Following> {
        self.settling.and_then(|settling| settling.follow)
    }

    /// Chooses the rows in use, where a motion begins.
    pub fn choose_rows(&self, body: &mut Body<'_, '_, '_>, t: impl Into<Expression>) {
        let Some(rows) = self.rows else { return };
        let status = body.f.call1(rows.choose, t.into());
        body.f.if_(status.ne_(0), |f| f.return_(status));
    }

    /// Settles the sampled state too.
    pub fn settle_sample(&self, body: &mut Body<'_, '_, '_>, t: LocalId) {
        let Some(Settling { point, project, follow }) = self.settling else { return };
        let (n, sampled) = (self.states, self.arrays.sampled);
        body.f.for_each("i", 0, n, |f, i| f.store(point, i, sampled.at(i)));
        if let Some(project) = project {
            let status = body.f.call1(project, t);
            body.f.if_(status.gt(0), |f| f.return_(status));
            body.f.for_each("i", 0, n, |f, i| f.store(sampled, i, point.at(i)));
        }
        if let Some(Following { follow, .. }) = follow {
            let status = body.f.call1(follow, t);
            body.f.if_(status.gt(0), |f| f.return_(status));
        }
    }

    /// Finds the values of switches that slide, at the sampled state. Between steps the place of the second slope is free.
    pub fn slide_sample(&self, body: &mut Body<'_, '_, '_>, t: LocalId) {
        let Some((sliding, SlidingFunctions { derivative, .. })) = self.sliding else { return };
        let (n, arrays) = (self.states, self.arrays);
        body.f.if_(sliding.is_on(), |f| {
            f.for_each("i", 0, n, |f, i| f.store(arrays.stage, i, arrays.sampled.at(i)));
            let status = f.call1(derivative, (t, arrays.size));
            f.if_(status.gt(0), |f| f.return_(status));
        });
    }

    /// Leaves the function if the integrator failed, with the code and the details that the user will read.
    pub fn hand_on(&self, body: &mut Body<'_, '_, '_>, status: LocalId, time: &Expression) {
        let (failure, values) = (body.lowering.failure, body.lowering.failure_values);
        let (arrays, index) = (self.arrays, self.index as i64);
        body.f.if_(status.gt(Integrator::LIMIT), |f| {
            f.store(values, 0, time.clone());
            let inner = f.integer("inner", arrays.failure_code.at(0));
            let inside = status.eq_(Integrator::NOT_EVALUATED).or(status.eq_(Integrator::NOT_FINISHED));
            let from_inside = inside.and(inner.ne_(0));
            // A system of equations inside the derivative or the projection has left its own details.
            f.if_(from_inside, |f| f.return_(inner));
            let component = f.integer("component", arrays.failure_component.at(0));
            if let Some(implicit) = &self.implicit {
                implicit.hand_on(f, status, component, &arrays, failure, values);
            }
            f.store(failure, 0, index);
            f.store(failure, 1, component.lt(self.states).select(component, -1));
            let finite = status.eq_(Integrator::COLLAPSED).or(status.eq_(Integrator::SINGULAR));
            let code = finite.select(protocol::STEP_COLLAPSED, protocol::NOT_FINITE);
            f.return_(code);
        });
    }
}
