//! The beginning: the first slope, and a guess of the first step (section II.4, "starting step size").

use super::{Integrator, IntegratorArrays, Template, control, dense::Dense, stages::First};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// The step of the probe where state or slope give no hint, in seconds.
const BLIND_STEP: f64 = 1e-6;
/// Norms below this give no hint.
const NO_HINT: f64 = 1e-5;
/// The first step may be longer than the probe by this factor.
const LONGEST: f64 = 100.0;

impl Template<'_> {
    pub fn start(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Begins at the state: 0, or 3 if there is no derivative.";
        let start = self.function(module, "start", &[("t", Real)], &[Integer], note);
        module.define(start, |f| {
            let [t] = f.parameters();
            self.reset(f, t);
            let code = self.evaluate(f, t.get(), 0);
            let finite = self.is_finite(f, 0);
            f.if_(code.eq_(0).and(finite).logical_not(), |f| {
                f.store(self.arrays.failure_code, 0, code);
                self.fail(f, Integrator::NOT_EVALUATED);
            });
            self.choose_first(f, t);
            f.return_(Integrator::REACHED);
        });
        start
    }

    /// Sets everything that is remembered from step to step.
    fn reset(&self, f: &mut FunctionBuilder, t: LocalId) {
        let IntegratorArrays { state, stage, previous, time, previous_time, counters, .. } = *self.arrays;
        f.store(time, 0, t);
        f.store(previous_time, 0, t);
        f.for_each("i", 0, self.n(), |f, i| {
            f.store(stage, i, state.at(i));
            f.store(previous, i, state.at(i));
            f.store(self.size, i, state.at(i).abs());
        });
        let groups = f.module().length(self.group_size);
        f.for_each("g", 0, groups, |f, g| f.store(self.group_size, g, 0.0));
        self.measure_groups(f);
        self.keep_groups(f);
        for counter in [IntegratorArrays::ACCEPTED, IntegratorArrays::REJECTED, IntegratorArrays::EVALUATIONS] {
            f.store(counters, counter, 0);
        }
        f.store(self.old_error, 0, control::LEAST_ERROR);
        f.store(self.rejected, 0, 0);
        f.store(self.refused, 0, 0);
        f.store(self.forced, 0, 0);
        f.store(self.first, 0, First::InPlace as i64);
        f.store(self.dense, 0, Dense::Nothing as i64);
    }

    /// A step in which the second derivative, estimated by a probe of Euler's method, makes a small difference.
    fn choose_first(&self, f: &mut FunctionBuilder, t: LocalId) {
        let tolerance = self.tolerance(f);
        let state = self.norm(f, tolerance, |i| self.arrays.state.at(i));
        let slope = self.norm(f, tolerance, |i| self.slope(0, i));
        let no_hint = state.lt(NO_HINT).or(slope.lt(NO_HINT));
        let probe = no_hint.select(BLIND_STEP, state * 0.01 / slope);
        let probe = f.real("probe", probe.max(control::least_step(t) * 4.0));
        f.store(self.step, 0, probe);

        let h = f.real("h", probe.min(self.arrays.horizon.at(0) - t));
        f.if_(h.gt(0.0), |f| {
            f.for_each("i", 0, self.n(), |f, i| {
                f.store(self.arrays.stage, i, self.arrays.state.at(i) + h * self.slope(0, i));
            });
            let code = self.evaluate(f, t + h, 1);
            let bend = self.norm(f, tolerance, |i| (self.slope(1, i) - self.slope(0, i)) / h);
            // A probe that fails says nothing; the guess stays at its length, and rejections will make it shorter.
            f.if_(code.eq_(0).and(bend.lt(f64::INFINITY)), |f| {
                let size = f.real("size", slope.max(bend));
                let guess = control::power(f, 0.01 / size, self.tableau.control.start_power);
                let guess = size.le(1e-15).select((probe * 1e-3).max(BLIND_STEP), guess);
                f.store(self.step, 0, (probe * LONGEST).min(guess).max(control::least_step(t) * 4.0));
            });
        });
    }

    /// The root of the mean square of a vector in units of what is allowed.
    fn norm(&self, f: &mut FunctionBuilder, tolerance: LocalId, value: impl Fn(LocalId) -> Expression) -> LocalId {
        let [sum] = self.sums_of_squares(f, tolerance, |i| [value(i)]);
        f.real("norm", (sum / self.count()).sqrt())
    }
}
