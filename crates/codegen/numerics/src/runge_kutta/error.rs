//! The error of a step, in units of what is allowed.

use super::{Template, tableau::ErrorEstimate};
use kernel::{FunctionId, ModuleBuilder, Term, Type::Real};

impl Template<'_> {
    /// `(h: real) -> real`: the error of the step whose end is in `stage`; it passes if that is at most 1. Not a number
    /// if anything that enters it is not finite.
    pub fn error(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "The error of the trial, in units of what is allowed.";
        let error = self.steps.function(module, "error", &[("h", Real)], &[Real], note);
        module.define(error, |f| {
            let [h] = f.parameters();
            self.steps.measure_groups(f);
            let tolerance = self.steps.tolerance(f);
            let norm = match self.tableau.error {
                ErrorEstimate::Embedded(weights) => {
                    let [sum] = self.steps.sums_of_squares(f, tolerance, 1.0, |i| [self.sum(weights, i)]);
                    (sum / self.steps.components()).sqrt()
                }
                ErrorEstimate::Combined { fifth, third } => {
                    let estimates = |i| [self.sum(fifth, i), self.sum(third, i)];
                    let [fifth, third] = self.steps.sums_of_squares(f, tolerance, 1.0, estimates);
                    let both = f.real("both", fifth + 0.01 * third);
                    both.eq_(0.0).select(0.0, fifth / (both * self.steps.components()).sqrt())
                }
            };
            f.return_(h * norm);
        });
        error
    }
}
