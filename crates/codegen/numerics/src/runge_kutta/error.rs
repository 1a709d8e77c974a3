//! The error of a step, in units of what is allowed.

use super::{Template, tableau::ErrorEstimate};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Real};

/// Errors of careful trials count so many times: stages that are moved make the derivative less smooth than estimates of high order expect.
/// With less, one start in twenty errs a hundred times more than the others at 10⁻⁸.
const CAREFUL: f64 = 10.0;

impl Template<'_> {
    /// `(h: real) -> real`: the error of the step whose end is in `stage`; it passes if that is at most 1. Not a number
    /// if anything that enters it is not finite.
    pub fn error(&self, module: &mut ModuleBuilder) -> FunctionId {
        let along_constraints = self.steps.can_be_careful().then(|| self.error_along_constraints(module));
        let note = "The error of the trial, in units of what is allowed.";
        let error = self.steps.function(module, "error", &[("h", Real)], &[Real], note);
        module.define(error, |f| {
            let [h] = f.parameters();
            self.steps.measure_groups(f);
            if let Some(along_constraints) = along_constraints {
                f.if_(self.steps.arrays.careful.at(0).gt(0), |f| {
                    let error = f.call1(along_constraints, h);
                    f.return_(error);
                });
            }
            let norm = match self.tableau.error {
                ErrorEstimate::Embedded(weights) => self.norm_of_one(f, |i| self.sum(weights, i)),
                ErrorEstimate::Combined { fifth, third } => {
                    self.norm_of_two(f, |i| [self.sum(fifth, i), self.sum(third, i)])
                }
            };
            f.return_(h * norm);
        });
        error
    }

    /// `(h: real) -> real`: the same of a careful trial, whose end lies on the constraints.
    fn error_along_constraints(&self, module: &mut ModuleBuilder) -> FunctionId {
        let name = |what: &str| format!("{}_{what}", self.steps.problem.name);
        let mut array = |what: &str| {
            module.real_array(&name(what), self.steps.n(), "an estimate of the error along constraints, in each second")
        };
        let (one, other) = (array("error_along"), array("other_error_along"));
        let note = "The error of a careful trial along the constraints, in units of what is allowed.";
        let error = self.steps.function(module, "error_along_constraints", &[("h", Real)], &[Real], note);
        module.set_rare(error, true);
        module.define(error, |f| {
            let [h] = f.parameters();
            let project = |f: &mut FunctionBuilder, weights, into: ArrayId| {
                let status = self.steps.along_constraints(f, h, |i| self.sum(weights, i), into);
                f.if_(status.gt(0), |f| f.return_(f64::INFINITY));
            };
            let norm = match self.tableau.error {
                ErrorEstimate::Embedded(weights) => {
                    project(f, weights, one);
                    self.norm_of_one(f, |i| one.at(i))
                }
                ErrorEstimate::Combined { fifth, third } => {
                    project(f, fifth, one);
                    project(f, third, other);
                    self.norm_of_two(f, |i| [one.at(i), other.at(i)])
                }
            };
            f.return_(h * norm * CAREFUL);
        });
        error
    }

    fn norm_of_one(&self, f: &mut FunctionBuilder, estimate: impl Fn(LocalId) -> Expression) -> Expression {
        let tolerance = self.steps.tolerance(f);
        let [sum] = self.steps.sums_of_squares(f, tolerance, 1.0, |i| [estimate(i)]);
        (sum / self.steps.components()).sqrt()
    }

    /// What estimates of orders 5 and 3 say together.
    fn norm_of_two(&self, f: &mut FunctionBuilder, estimates: impl Fn(LocalId) -> [Expression; 2]) -> Expression {
        let tolerance = self.steps.tolerance(f);
        let [fifth, third] = self.steps.sums_of_squares(f, tolerance, 1.0, estimates);
        let both = f.real("both", fifth + 0.01 * third);
        both.eq_(0.0).select(0.0, fifth / (both * self.steps.components()).sqrt())
    }
}
