//! The beginning: the first slope, and a guess of the first step (section II.4, "starting step size").

use super::{Integrator, Template};
use crate::steps::{BLIND_STEP, first_guess, least_step, power};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// The first step may be longer than the probe by this factor.
const LONGEST: f64 = 100.0;

impl Template<'_> {
    pub fn start(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Begins at the state: 0, or 3 if there is no derivative.";
        let start = self.steps.function(module, "start", &[("t", Real)], &[Integer], note);
        module.define(start, |f| {
            let [t] = f.parameters();
            self.steps.reset(f, t);
            let code = self.steps.evaluate(f, t.get(), 0);
            let finite = self.steps.is_finite(f, 0);
            f.if_(code.eq_(0).and(finite).logical_not(), |f| {
                f.store(self.steps.arrays.failure_code, 0, code);
                self.steps.fail(f, Integrator::NOT_EVALUATED);
            });
            self.choose_first(f, t);
            f.return_(Integrator::REACHED);
        });
        start
    }

    /// A step in which the second derivative, estimated by a probe of Euler's method, makes a small difference.
    fn choose_first(&self, f: &mut FunctionBuilder, t: LocalId) {
        let tolerance = self.steps.tolerance(f);
        let state = self.steps.norm(f, tolerance, |i| self.steps.arrays.state.at(i));
        let slope = self.steps.norm(f, tolerance, |i| self.steps.slope(0, i));
        let probe = f.real("probe", first_guess(t, state, slope));
        f.store(self.steps.step, 0, probe);

        let h = f.real("h", probe.min(self.steps.arrays.horizon.at(0) - t));
        f.if_(h.gt(0.0), |f| {
            f.for_each("i", 0, self.steps.n(), |f, i| {
                f.store(self.steps.arrays.stage, i, self.steps.arrays.state.at(i) + h * self.steps.slope(0, i));
            });
            let code = self.steps.evaluate(f, t + h, 1);
            let bend = self.steps.norm(f, tolerance, |i| (self.steps.slope(1, i) - self.steps.slope(0, i)) / h);
            // A probe that fails says nothing; the guess stays at its length, and rejections will make it shorter.
            f.if_(code.eq_(0).and(bend.lt(f64::INFINITY)), |f| {
                let size = f.real("size", slope.max(bend));
                let guess = power(f, 0.01 / size, self.tableau.control.start_power);
                let guess = size.le(1e-15).select((probe * 1e-3).max(BLIND_STEP), guess);
                f.store(self.steps.step, 0, (probe * LONGEST).min(guess).max(least_step(t) * 4.0));
            });
        });
    }
}
