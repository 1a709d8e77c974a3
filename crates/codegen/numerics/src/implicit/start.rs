//! The beginning: algebraic unknowns that satisfy their equations, the first slope, and a guess of the first step.

use super::Implicit;
use crate::steps::{Integrator, IntegratorArrays, first_guess, ratio};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// How often the algebraic equations are linearised.
const MOST_ITERATIONS: usize = 60;
/// A correction of this size, in units of what is allowed for a step, is the last.
const SMALL: f64 = 1e-2;
/// Shorter parts of a correction are not tried.
const LEAST_PART: f64 = 1e-9;

impl Implicit<'_> {
    pub fn start(&self, module: &mut ModuleBuilder, settle: Option<FunctionId>) -> FunctionId {
        let note = "Begins at the state: 0, 3 if there is no derivative, 5 or 6 if there is no consistent beginning.";
        let start = self.steps.function(module, "start", &[("t", Real)], &[Integer], note);
        module.define(start, |f| {
            let [t] = f.parameters();
            self.steps.reset(f, t);
            if let Some(settle) = settle {
                let status = f.call1(settle, t);
                f.if_(status.ne_(0), |f| f.return_(status));
                self.steps.reset(f, t);
            }
            let code = self.steps.evaluate(f, t.get(), 0);
            let finite = self.steps.is_finite(f, 0);
            f.if_(code.eq_(0).and(finite).logical_not(), |f| self.fail(f, code));
            let code = self.linearise(f, t.get());
            f.if_(code.ne_(0), |f| self.fail(f, code));
            self.choose_first(f, t);
            f.return_(Integrator::REACHED);
        });
        start
    }

    fn fail(&self, f: &mut FunctionBuilder, code: LocalId) {
        f.store(self.steps.arrays.failure_code, 0, code);
        self.steps.fail(f, Integrator::NOT_EVALUATED);
    }

    /// A step in which the state changes by a small part. The first trial is implicit, so that nothing more need be known.
    fn choose_first(&self, f: &mut FunctionBuilder, t: LocalId) {
        let (arrays, mass) = (self.steps.arrays, self.matrix.mass);
        let tolerance = self.steps.tolerance(f);
        let state = self.steps.norm(f, tolerance, |i| arrays.state.at(i) * mass.at(i));
        let slope = self.steps.norm(f, tolerance, |i| self.steps.slope(0, i) * mass.at(i));
        f.store(self.steps.step, 0, first_guess(t, state, slope));
    }

    /// `(t: real) -> integer`: makes the algebraic components of `state` satisfy their equations, by Newton's method with steps
    /// that are shortened until the next correction would be smaller (Deuflhard, *Newton Methods for Nonlinear Problems*,
    /// section 3.3). Leaves the state in `stage`, too.
    pub fn settle(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Solves the algebraic equations: 0, 3 not evaluated, 5 singular, 6 not solved.";
        let settle = self.steps.function(module, "settle", &[("t", Real)], &[Integer], note);
        let IntegratorArrays { state, stage, .. } = *self.steps.arrays;
        module.define(settle, |f| {
            let [t] = f.parameters();
            let tolerance = self.steps.tolerance(f);
            f.for_each("iteration", 0, MOST_ITERATIONS, |f, _| {
                f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i)));
                let code = self.steps.evaluate(f, t.get(), 0);
                f.if_(code.ne_(0), |f| self.fail(f, code));
                let code = self.linearise(f, t.get());
                f.if_(code.ne_(0), |f| self.fail(f, code));
                self.matrix.form_algebraic(f);
                let singular = self.factorise(f, &self.solver);
                f.if_(singular.ne_(0), |f| {
                    self.steps.blame_one(f, singular - 1);
                    f.return_(Integrator::SINGULAR);
                });
                self.correct(f);
                let part = f.real("part", 1.0);
                f.for_each("i", 0, self.n(), |f, i| {
                    f.store(self.correction, i, self.solver.right.at(i));
                    f.store(stage, i, state.at(i) + self.solver.right.at(i));
                });
                self.measure(f, tolerance);
                let size = self.size_of_correction(f);
                f.if_(size.le(SMALL), |f| {
                    f.for_each("i", 0, self.n(), |f, i| f.store(state, i, stage.at(i)));
                    f.return_(Integrator::REACHED);
                });
                f.loop_(|f| {
                    f.for_each("i", 0, self.n(), |f, i| {
                        f.store(stage, i, state.at(i) + part * self.correction.at(i));
                    });
                    let next = f.real("next", f64::INFINITY);
                    let code = self.steps.evaluate(f, t.get(), 0);
                    f.if_(code.eq_(0), |f| {
                        self.correct(f);
                        let measured = self.size_of_correction(f);
                        f.assign(next, measured);
                    });
                    f.if_(next.le(SMALL).or(next.le(size * (1.0 - part * 0.25))), |f| f.break_());
                    f.assign(part, part * 0.5);
                    f.if_(part.lt(LEAST_PART), |f| self.blame_algebraic(f, t));
                });
                f.for_each("i", 0, self.n(), |f, i| f.store(state, i, stage.at(i)));
            });
            self.blame_algebraic(f, t);
        });
        settle
    }

    /// What the algebraic equations at `stage` want changed, in `right`.
    fn correct(&self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, self.n(), |f, i| {
            let residual = self.matrix.mass.at(i).eq_(0.0).select(self.steps.slope(0, i), 0.0);
            f.store(self.solver.right, i, residual);
        });
        f.call(self.solver.solve, ());
    }

    /// The scale of corrections: what is allowed for the components in `stage`.
    pub fn measure(&self, f: &mut FunctionBuilder, tolerance: LocalId) {
        self.steps.measure_groups(f);
        f.for_each("i", 0, self.n(), |f, i| {
            let allowed = self.steps.allowed(f, tolerance, i);
            f.store(self.scale, i, allowed);
        });
    }

    /// The correction in `right` on that scale; infinite if it is not a number.
    fn size_of_correction(&self, f: &mut FunctionBuilder) -> LocalId {
        let sum = f.real("sum", 0.0);
        f.for_each("i", 0, self.n(), |f, i| {
            let scale = f.real("scale", self.scale.at(i));
            let part = f.real("part", ratio(self.solver.right.at(i), scale));
            f.increase(sum, part * part);
        });
        let norm = f.real("norm", (sum / self.steps.components()).sqrt());
        f.real("measured", norm.eq_(norm).select(norm, f64::INFINITY))
    }

    /// Returns with the algebraic equation that is worst, at the state.
    fn blame_algebraic(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { state, stage, failure_component, .. } = *self.steps.arrays;
        f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i)));
        self.steps.evaluate(f, t.get(), 0);
        let worst = f.real("worst", -1.0);
        self.steps.blame_one(f, (-1).into());
        f.for_each("i", 0, self.n(), |f, i| {
            let amount = f.real("amount", self.steps.slope(0, i).abs());
            f.if_(self.matrix.mass.at(i).eq_(0.0).and(amount.le(worst).logical_not()), |f| {
                f.assign(worst, amount);
                f.store(failure_component, 0, i);
            });
        });
        f.return_(Integrator::INCONSISTENT);
    }
}
