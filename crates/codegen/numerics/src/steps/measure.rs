//! What an error is measured by.

use super::Steps;
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// A component is measured at least by this part of the largest one in its group, or by less; see [`StepControl`](super::StepControl).
// Test: groups_share_their_size
const GROUP_PART: f64 = 1e-3;

/// Rounding makes smaller tolerances pointless.
const LEAST_TOLERANCE: f64 = 1e-14;

/// Less than this, in whatever unit, has too few digits for any error to be measured by it.
const UNDERFLOW: f64 = 1e-200;

impl Steps<'_> {
    /// Notes the component with the largest error of the last trial.
    pub fn blame(&self, f: &mut FunctionBuilder, estimate: &dyn Fn(LocalId) -> Expression) {
        let worst = f.real("worst", -1.0);
        let tolerance = self.tolerance(f);
        f.for_each("i", 0, self.n(), |f, i| {
            let allowed = self.allowed(f, tolerance, i);
            let ratio = f.real("ratio", ratio(estimate(i), allowed));
            // What is not a number is worst of all.
            let amount = f.real("amount", ratio.eq_(ratio).select(ratio.abs(), f64::INFINITY));
            f.if_(amount.gt(worst), |f| {
                f.assign(worst, amount);
                f.store(self.arrays.failure_component, 0, i);
            });
        });
    }

    /// The largest magnitude in each group, with what is in `stage`.
    pub fn measure_groups(&self, f: &mut FunctionBuilder) {
        let groups = f.module().length(self.trial_size);
        f.for_each("g", 0, groups, |f, g| f.store(self.trial_size, g, self.group_size.at(g)));
        if groups == 0 {
            return;
        }
        // Neighbours are mostly of one group. Its size goes to memory only where another begins, for each round would wait for what the last one stored.
        let now = f.integer("now", 0);
        let largest = f.real("largest", self.trial_size.at(0));
        f.for_each("i", 0, self.n(), |f, i| {
            let g = f.integer("g", self.group.at(i));
            f.if_(g.ne_(now), |f| {
                f.store(self.trial_size, now, largest);
                f.assign(largest, self.trial_size.at(g));
                f.assign(now, g);
            });
            f.assign(largest, self.arrays.stage.at(i).abs().max(largest));
        });
        f.store(self.trial_size, now, largest);
    }

    /// Makes the magnitudes of the trial those of the solution.
    pub fn keep_groups(&self, f: &mut FunctionBuilder) {
        let groups = f.module().length(self.trial_size);
        f.for_each("g", 0, groups, |f, g| f.store(self.group_size, g, self.trial_size.at(g)));
    }

    pub fn tolerance(&self, f: &mut FunctionBuilder) -> LocalId {
        f.real("tolerance", self.arrays.tolerance.at(0).max(LEAST_TOLERANCE))
    }

    /// Σ (valueᵢ / what is allowed for component i)², over the components, for several values at once.
    /// What rounding makes of them in so many seconds does not count.
    pub fn sums_of_squares<const N: usize>(
        &self,
        f: &mut FunctionBuilder,
        tolerance: LocalId,
        seconds: impl Into<Expression>,
        values: impl Fn(LocalId) -> [Expression; N],
    ) -> [LocalId; N] {
        let sums = std::array::from_fn(|_| f.real("sum", 0.0));
        let seconds = seconds.into();
        f.for_each("i", 0, self.n(), |f, i| {
            let allowed = self.allowed(f, tolerance, i);
            let noise = f.real("noise", self.noise.at(i) * seconds.clone());
            for (sum, value) in sums.into_iter().zip(values(i)) {
                let value = f.real("value", value.abs());
                // Written so that what is not a number stays so.
                let ratio = f.real("ratio", ratio(value.le(noise).select(0.0, value - noise), allowed));
                f.increase(sum, ratio * ratio);
            }
        });
        sums
    }

    /// The error allowed for component i, with what is in `stage`; not a number if that is not finite.
    pub fn allowed(&self, f: &mut FunctionBuilder, tolerance: LocalId, i: LocalId) -> LocalId {
        let stage = f.real("stage", self.arrays.stage.at(i));
        let own = match self.control.memory_of_size {
            1.0 => stage.abs().max(self.size.at(i)),
            part => stage.abs().max(self.arrays.state.at(i).abs()).max(self.size.at(i) * part),
        };
        let led = f.integer("led", self.rate_of.at(i));
        let horizon = f.real("horizon", self.arrays.horizon.at(0));
        let reach = self.arrays.stage.at(led).abs().max(self.size.at(led)) / horizon;
        let rate = led.ne_(i).and(horizon.gt(0.0)).select(reach, 0.0);
        let size = own.max(rate);
        let part = (tolerance * GROUP_PART).min(self.control.least_part);
        let least = self.trial_size.at(self.group.at(i)) * part;
        let least =
            if self.can_measure_noise() { least.max(self.noise.at(i) * self.trial_length.at(0)) } else { least };
        // Without the last term, an infinite stage would be allowed any error.
        f.real("allowed", (size * tolerance).max(least) + stage * 0.0)
    }

    /// The root of the mean square of a vector of rates in units of what is allowed.
    pub fn norm(&self, f: &mut FunctionBuilder, tolerance: LocalId, value: impl Fn(LocalId) -> Expression) -> LocalId {
        let [sum] = self.sums_of_squares(f, tolerance, 1.0, |i| [value(i)]);
        f.real("norm", (sum / self.components()).sqrt())
    }

    /// The number of components as a real, for means.
    pub fn components(&self) -> f64 {
        self.n().max(1) as f64
    }
}

/// A value in units of what is allowed; 0 if nothing is, for then all of its group has always been zero, or has underflowed.
pub fn ratio(value: Expression, allowed: LocalId) -> Expression {
    allowed.lt(UNDERFLOW).select(0.0, value / allowed)
}
