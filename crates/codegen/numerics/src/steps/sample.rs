//! Samples: the solution within the last step. Between the state before and the end of the step as it was computed: a projection
//! after the step shows only at its very end.

use super::{Dense, Integrator, IntegratorArrays, Steps};
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

    fn copy_sample(&self, f: &mut FunctionBuilder, from: ArrayId) {
        f.for_each("i", 0, self.n(), |f, i| f.store(self.arrays.sampled, i, from.at(i)));
        f.return_(Integrator::REACHED);
    }
}
