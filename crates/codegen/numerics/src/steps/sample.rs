//! Samples: the solution within the last step. Between the state before and the end of the step as it was computed: a projection
//! after the step shows only at its very end.

use super::{Dense, First, Integrator, IntegratorArrays, Steps};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

impl Steps<'_> {
    /// `(t: real) -> integer`: see [`Integrator`]. The next trial overwrites what a step leaves, so `keep` stores what
    /// `interpolate` needs of it, or returns why it cannot.
    pub fn sample(
        &self,
        module: &mut ModuleBuilder,
        keep: impl FnOnce(&mut FunctionBuilder),
        interpolate: impl FnOnce(&mut FunctionBuilder, LocalId),
    ) -> FunctionId {
        let note = "The solution at a time of the last step: 0, 1 if outside, 3 if not evaluated.";
        let sample = self.function(module, "sample", &[("t", Real)], &[Integer], note);
        module.define(sample, |f| {
            let [t] = f.parameters();
            let IntegratorArrays { state, previous, time, previous_time, .. } = *self.arrays;
            f.if_(t.eq_(time.at(0)), |f| self.copy_sample(f, state));
            f.if_(t.eq_(previous_time.at(0)), |f| self.copy_sample(f, previous));
            let inside = t.gt(previous_time.at(0)).and(t.lt(time.at(0)));
            let known = self.dense.at(0).ne_(Dense::Nothing as i64);
            f.if_(inside.and(known).logical_not(), |f| f.return_(Integrator::OUTSIDE));
            f.if_(self.dense.at(0).eq_(Dense::Slopes as i64), |f| {
                keep(f);
                f.store(self.dense, 0, Dense::Coefficients as i64);
            });
            interpolate(f, t);
            f.return_(Integrator::REACHED);
        });
        sample
    }

    /// `(t: real) -> integer`: makes a time of the last step its end, as `sample` gives it. Whoever cuts a step says that the state has
    /// `moved` before the next.
    pub fn cut(&self, module: &mut ModuleBuilder, sample: FunctionId) -> FunctionId {
        let cut = self.function(module, "cut", &[("t", Real)], &[Integer], "Ends the last step at this time.");
        module.define(cut, |f| {
            let [t] = f.parameters();
            let status = f.call1(sample, t);
            f.if_(status.ne_(Integrator::REACHED), |f| f.return_(status));
            let IntegratorArrays { state, sampled, time, .. } = *self.arrays;
            f.for_each("i", 0, self.n(), |f, i| f.store(state, i, sampled.at(i)));
            f.store(time, 0, t);
            f.store(self.first, 0, First::Unknown as i64);
            f.return_(Integrator::REACHED);
        });
        cut
    }

    /// `()`: takes the last step back.
    pub fn retake(&self, module: &mut ModuleBuilder) -> FunctionId {
        let retake = self.function(module, "retake", &[], &[], "Takes the last step back.");
        module.define(retake, |f| {
            let IntegratorArrays { state, previous, time, previous_time, .. } = *self.arrays;
            f.for_each("i", 0, self.n(), |f, i| f.store(state, i, previous.at(i)));
            f.store(time, 0, previous_time.at(0));
            f.store(self.first, 0, First::Unknown as i64);
            f.store(self.dense, 0, Dense::Nothing as i64);
        });
        retake
    }

    fn copy_sample(&self, f: &mut FunctionBuilder, from: ArrayId) {
        f.for_each("i", 0, self.n(), |f, i| f.store(self.arrays.sampled, i, from.at(i)));
        f.return_(Integrator::REACHED);
    }
}
