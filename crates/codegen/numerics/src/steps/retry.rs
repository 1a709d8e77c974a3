//! What to try after a trial that failed: a shorter step, or, where shorter ones are no better, a more careful one.
//!
//! Where constraints come near to depending on one another, motions that they barely forbid amplify every rounding: by the inverse of
//! the distance to the position where they do depend, and a step that covers it multiplies that from stage to stage. Then shorter steps
//! are worse, for they end nearer to it. So stages are moved onto the constraints for a while, which leaves them nothing to
//! multiply, and lengths are tried that do not differ much from the first: one of them has no stage too near.

use super::control::SAFETY;
use super::{IntegratorArrays, Scheme, Steps};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Real};

/// An error that falls with less than this power of the length, here its cube, is not that of the method.
fn expected(ratio: &Expression) -> Expression {
    ratio.clone() * ratio.clone() * ratio.clone()
}

/// For so many steps stages are moved onto the constraints.
const CAREFUL_STEPS: i64 = 3;
/// So many trials from one place are careful ones; then the step is made shorter as ever.
const CAREFUL_TRIALS: i64 = 10;
/// The first careful trial is a little shorter than the first that failed.
const FIRST_AGAIN: f64 = 0.9;
/// Those after it are at least so long in relation to the one before.
const SLOWLY: f64 = 0.8;

impl Steps<'_> {
    /// `(h: real, error: real) -> ()`: chooses another length. The error may be infinite or not a number.
    pub fn reject(&self, module: &mut ModuleBuilder, scheme: &Scheme<'_>) -> FunctionId {
        let measure_noise = self.can_measure_noise().then(|| self.measure_noise(module, scheme));
        let note = "Chooses another length after a trial that failed.";
        let reject = self.function(module, "reject", &[("h", Real), ("error", Real)], &[], note);
        module.define(reject, |f| {
            let [h, error] = f.parameters();
            let control = self.control;
            let power = super::power(f, error.get(), control.error_power);
            let factor = f.real("factor", (SAFETY / power).max(control.least_factor));
            let next = f.real("next", h * factor);
            if let Some(measure_noise) = measure_noise {
                self.retry_otherwise(f, h, error, factor, next, measure_noise);
            }
            f.store(self.step, 0, next);
            f.store(self.rejected, 0, self.rejected.at(0) + 1);
            self.count(f, IntegratorArrays::REJECTED);
        });
        reject
    }

    /// Notes that a trial passed.
    pub fn forget_failures(&self, f: &mut FunctionBuilder) {
        f.store(self.rejected, 0, 0);
        if self.can_be_careful() {
            let careful = f.integer("careful", self.arrays.careful.at(0));
            f.store(self.arrays.careful, 0, careful.gt(0).select(careful - 1, 0));
        }
    }

    /// Where a shorter trial is no better: with care first, and if that is no better either, with an eye for rounding.
    fn retry_otherwise(
        &self,
        f: &mut FunctionBuilder,
        h: LocalId,
        error: LocalId,
        factor: LocalId,
        next: LocalId,
        measure_noise: FunctionId,
    ) {
        const LENGTH: usize = 0;
        const ERROR: usize = 1;
        const FIRST: usize = 2;
        let rejected = f.integer("rejected", self.rejected.at(0));
        f.if_(rejected.eq_(0), |f| f.store(self.failed, FIRST, h));
        // Written as a negation, so that what is not a number counts as no better.
        let ratio = h / self.failed.at(LENGTH);
        let better = error.lt(self.failed.at(ERROR) * expected(&ratio));
        let no_better = f.integer("no_better", rejected.gt(0).and(better.logical_not()));
        // What is nothing but rounding errs by the same part of itself as well, so that is looked for first.
        let like_a_root = f.integer("like_a_root", no_better.and(self.measured.at(0).ge(super::noise::MOST_MEASURES)));
        f.if_(rejected.gt(0), |f| self.note_onset(f, like_a_root, h));
        let careful = f.integer("careful", self.arrays.careful.at(0));
        // How long a step across a singular position may be says the place of that.
        let t = f.real("t", self.arrays.time.at(0));
        let near = self.is_near(f, t, h);
        f.assign(no_better, no_better.and(near.logical_not()));
        if self.can_be_careful() {
            let few = near.logical_not().and(rejected.lt(CAREFUL_TRIALS));
            f.if_(careful.gt(0).and(few), |f| f.assign(next, h * factor.max(SLOWLY)));
            f.if_(careful.eq_(0).and(no_better), |f| {
                f.store(self.arrays.careful, 0, CAREFUL_STEPS);
                f.assign(next, self.failed.at(FIRST) * FIRST_AGAIN);
            });
        }
        let in_vain = if self.can_be_careful() { careful.gt(0).and(no_better) } else { no_better.and(rejected.gt(1)) };
        // What did not help is no rounding.
        f.if_(self.measured.at(0).gt(0), |f| self.forget_noise(f));
        f.if_(in_vain, |f| self.allow_for_noise(f, measure_noise, h, next));
        f.store(self.failed, LENGTH, h);
        f.store(self.failed, ERROR, error);
    }
}
