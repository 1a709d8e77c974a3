//! Whether stability, not accuracy, keeps the steps short (Hairer and Wanner, section IV.2, "stiffness detection").

use super::Template;
use crate::steps::IntegratorArrays;
use kernel::{FunctionId, ModuleBuilder, Term};

impl Template<'_> {
    /// `()`: the last two slopes of a step are taken at its end, in places that differ by little. The quotient of their
    /// difference and that of the places estimates the largest eigenvalue; if it is at the edge of what the method bears,
    /// the step is short on its account. At tight tolerances the error that a stiff part makes of what is slow keeps steps further inside
    /// (Prothero and Robinson), by a factor that falls as the eighth root of the tolerance. Steps that resolve a motion fall likewise,
    /// and are five times shorter still.
    pub fn stiffness_test(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Tests whether stability keeps the step short.";
        let test = self.steps.function(module, "stiffness_test", &[], &[], note);
        let end = self.tableau.end;
        module.define(test, |f| {
            self.steps.measure_groups(f);
            let tolerance = self.steps.tolerance(f);
            let slopes = self.steps.norm(f, tolerance, |i| self.steps.slope(end, i) - self.steps.slope(end - 1, i));
            let places = self
                .steps
                .norm(f, tolerance, |i| self.sum(self.tableau.rows[end], i) - self.sum(self.tableau.rows[end - 1], i));
            self.steps.count(f, IntegratorArrays::TESTED);
            // The difference of the places lacks the factor h, so the quotient is h λ.
            let eighth_root = (1e7 * tolerance).sqrt().sqrt().sqrt();
            let edge = self.tableau.stability * (0.5 * eighth_root).min(1.0);
            let at_the_edge = slopes.gt(places * edge);
            f.if_(at_the_edge, |f| self.steps.count(f, IntegratorArrays::STIFF));
        });
        test
    }
}
