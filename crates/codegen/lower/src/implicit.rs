//! Integrals that are solved implicitly: the rows of the differential-algebraic system and their derivatives as kernel functions.

use expr::{Expr, Point, SymbolId};
use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, Value, protocol};
use numerics::{ImplicitPattern, ImplicitProblem, Integrator, IntegratorArrays, IntegratorProblem, Method};
use program::{ImplicitSystem, Solver, implicit_system, strengths};

use crate::emit::Scope;
use crate::lower::{Body, Lowering};
use crate::roll::{Row, Target};

/// The system of equations that hold borders.
const NO_SYSTEM: i64 = -1;

/// The system of an integral, the pattern of its Jacobian, and where the equations come from.
pub(crate) struct Implicit {
    system: ImplicitSystem,
    pattern: ImplicitPattern,
    states: usize,
    /// For each algebraic equation the number of the system it comes from.
    system_of_row: ArrayId,
    /// For each algebraic equation its place in that system.
    place_of_row: ArrayId,
    pub sliders: Option<SlidersSolved>,
}

/// Sliders as unknowns of a step.
#[derive(Clone, Copy)]
pub(crate) struct SlidersSolved {
    /// The place of the first among the unknowns.
    pub first: usize,
    /// Of each: 1 where its value follows from its border, else 0; and its value there.
    pub solved: ArrayId,
    pub kept: ArrayId,
}

impl Lowering<'_> {
    /// None if the integral is to be solved explicitly, or cannot be solved otherwise.
    pub fn implicit(&mut self, index: usize, name: &str) -> Option<Implicit> {
        let integral = &self.program.integrals[index];
        // Forces of contact are found by explicit steps alone.
        if integral.solver == Solver::Explicit || self.program.contacts.is_some() {
            return None;
        }
        let switches = self.program.switches.as_ref();
        let system = implicit_system(&self.program.arena, self.program.time, integral, switches)?;
        let states = integral.states.len();
        let is_differential = (0..system.unknowns.len()).map(|at| at < states).collect();
        let entries = system.jacobian.iter().map(|&(row, column, _)| (row, column)).collect();
        // Pivots are chosen for motion that does not slide.
        let still = |point: &Point| {
            let slides = system.sliders.iter().map(|slider| (slider.slides, 0.0));
            point.iter().map(|(&symbol, &value)| (symbol, value)).chain(slides).collect()
        };
        let points: Vec<Point> = self.program.points.iter().map(still).collect();
        let strengths = strengths(&self.program.arena, &system.jacobian, &points);
        let mut pattern = ImplicitPattern::new(is_differential, entries, &strengths)?;
        pattern.last = (system.unknowns.len() - system.sliders.len()..system.unknowns.len()).collect();
        let borders = switches.map_or(&[][..], |switches| &switches.sliders);
        let systems = system.origins.iter().map(|(id, _)| i64::from(id.0)).chain(borders.iter().map(|_| NO_SYSTEM));
        let places = system.origins.iter().map(|(_, place)| place).chain(borders).map(|&place| place as i64);
        let (systems, places): (Vec<i64>, Vec<i64>) = (systems.collect(), places.collect());
        let mut table =
            |what: &str, values: &[i64], note| self.module.integers(&format!("{name}_{what}"), values, note);
        let system_of_row = table("system_of_row", &systems, "the system of each algebraic equation");
        let place_of_row = table("place_of_row", &places, "the place of each algebraic equation in its system");
        let count = system.sliders.len();
        let sliders = (count > 0).then(|| {
            let mut array = |what: &str, note| self.module.real_array(&format!("sliders_{what}"), count, note);
            let solved = array("solved", "1 where the value of each follows from its border");
            SlidersSolved { first: system.unknowns.len() - count, solved, kept: array("kept", "its value elsewhere") }
        });
        Some(Implicit { system, pattern, states, system_of_row, place_of_row, sliders })
    }

    /// The rows, from the stage to the slopes.
    pub fn implicit_derivative(&mut self, implicit: &Implicit, name: &str, arrays: &IntegratorArrays) -> FunctionId {
        let parameters = [("t", Real), ("offset", Integer)];
        let function = self.module.declare(&format!("{name}_derivative"), &parameters, &[Integer]);
        self.module.describe(function, "The rate of every state and what algebraic equations leave.");
        self.define(function, |body| {
            let [t, offset] = body.f.parameters();
            let mut scope = implicit.scope(body, t, arrays.stage);
            scope.careful = arrays.method == Method::Radau13;
            let rows: Vec<Row> = implicit.system.rows.iter().copied().enumerate().collect();
            body.store_rows(&Target { array: arrays.slopes, offset: offset.get() }, &rows, &mut scope);
            body.f.return_(protocol::DONE);
        });
        function
    }

    /// What the integrator needs besides the derivative: the Jacobian, and the derivative by time. Entries that are numbers are
    /// there from the beginning, and no code is written for them.
    pub fn implicit_problem<'a>(
        &mut self,
        implicit: &'a Implicit,
        steps: IntegratorProblem<'a>,
        arrays: &IntegratorArrays,
    ) -> ImplicitProblem<'a> {
        let ImplicitSystem { jacobian, time_slopes, unknowns, .. } = &implicit.system;
        let entries = jacobian.iter().enumerate().map(|(at, &(_, _, value))| (at, value)).collect();
        let name = |what: &str| format!("{}_{what}", steps.name);
        let (jacobian, varying) = self.values(&name("jacobian"), jacobian.len(), entries, "derivatives by unknowns");
        let (time_slopes, varying_in_time) =
            self.values(&name("time_slopes"), unknowns.len(), time_slopes.clone(), "derivatives by time");
        let evaluate_jacobian = self.module.declare(&name("evaluate_jacobian"), &[("t", Real)], &[Integer]);
        self.module.describe(evaluate_jacobian, "The derivatives at the stage.");
        self.define(evaluate_jacobian, |body| {
            let [t] = body.f.parameters();
            let mut scope = implicit.scope(body, t, arrays.stage);
            body.store_rows(&Target { array: jacobian, offset: 0.into() }, &varying, &mut scope);
            body.store_rows(&Target { array: time_slopes, offset: 0.into() }, &varying_in_time, &mut scope);
            body.f.return_(protocol::DONE);
        });
        ImplicitProblem { steps, pattern: &implicit.pattern, evaluate_jacobian, jacobian, time_slopes }
    }

    /// An array that holds those of the values that are numbers, and the others.
    fn values(&mut self, name: &str, length: usize, values: Vec<Row>, note: &str) -> (ArrayId, Vec<Row>) {
        let mut initial = vec![0.0; length];
        let mut varying = Vec::new();
        for (at, value) in values {
            match self.program.arena.as_number(value) {
                Some(number) => initial[at] = number.value(),
                None => varying.push((at, value)),
            }
        }
        let array = self.module.real_array(name, length, note);
        self.module.set_initial(array, initial.into_iter().map(Value::Real).collect());
        (array, varying)
    }
}

impl Implicit {
    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.system.unknowns.len()
    }

    fn algebraic(&self) -> &[SymbolId] {
        &self.system.unknowns[self.states..]
    }

    fn scope(&self, body: &Body<'_, '_, '_>, t: LocalId, stage: ArrayId) -> Scope {
        let mut scope = body.lowering.scope(t);
        for (at, &unknown) in self.system.unknowns.iter().enumerate() {
            scope.bind(unknown, stage.at(at));
        }
        if let Some(SlidersSolved { solved, kept, .. }) = self.sliders {
            for (at, slider) in self.system.sliders.iter().enumerate() {
                scope.bind(slider.slides, solved.at(at));
                scope.bind(slider.kept, kept.at(at));
            }
        }
        scope
    }

    /// Where to search for the algebraic unknowns at the start: where they have been found to be, or where the derivative
    /// would search, or zero.
    pub fn store_guesses(&self, body: &mut Body<'_, '_, '_>, state: ArrayId, scope: &mut Scope) {
        let arena = body.lowering.program.arena.clone();
        for (at, (&unknown, &seed)) in self.algebraic().iter().zip(&self.system.seeds).enumerate() {
            let known = scope.symbol(unknown).map(|_| arena.symbol(unknown));
            let evaluable = |seed: &Expr| arena.symbols_in(&[*seed]).iter().all(|&one| scope.symbol(one).is_some());
            let guess = known.or(seed.filter(evaluable));
            let value = guess.map_or(Expression::from(0.0), |guess| body.emit(&[guess], scope).remove(0));
            body.f.store(state, self.states + at, value);
        }
    }

    /// Leaves the function if an algebraic equation is to blame.
    pub fn hand_on(
        &self,
        f: &mut FunctionBuilder,
        status: LocalId,
        component: LocalId,
        arrays: &IntegratorArrays,
        failure: ArrayId,
        values: ArrayId,
    ) {
        let algebraic = component.ge(self.states);
        let failed = status.eq_(Integrator::SINGULAR).or(status.eq_(Integrator::INCONSISTENT));
        f.if_(algebraic.and(failed), |f| {
            let row = f.integer("row", component - self.states);
            f.if_(self.system_of_row.at(row).eq_(NO_SYSTEM), |f| {
                f.store(failure, 0, self.place_of_row.at(row));
                f.store(values, 1, 0.0);
                f.return_(protocol::SWITCHING);
            });
            f.store(failure, 0, self.system_of_row.at(row));
            f.store(failure, 1, self.place_of_row.at(row));
            f.store(values, 1, arrays.slopes.at(component));
            f.return_(status.eq_(Integrator::SINGULAR).select(protocol::SINGULAR, protocol::NOT_SOLVED));
        });
    }
}
