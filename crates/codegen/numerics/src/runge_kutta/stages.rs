//! The slopes of one step, and the state they lead to.

use super::{IntegratorArrays, Template, tableau::Weights};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

/// Where the slope at the current time is found.
pub enum First {
    /// In its place, number 0.
    InPlace = 0,
    /// At the end of the last step.
    AtEnd = 1,
    /// Nowhere: `state` was changed after the last step.
    Unknown = 2,
}

impl Template<'_> {
    /// `(t: real, end: real) -> integer`: takes the slopes of a step and leaves the state at its end in `stage`. The
    /// code of a derivative that refused, or 0. The slope at the end is only taken if the error estimate wants it.
    pub fn stages(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Takes the slopes of a step; its end is left in stage.";
        let stages = self.function(module, "stages", &[("t", Real), ("end", Real)], &[Integer], note);
        module.define(stages, |f| {
            let [t, end] = f.parameters();
            let h = f.real("h", end - t);
            for slope in 1..self.tableau.end {
                self.form_stage(f, self.arrays.state, h, slope);
                self.evaluate_or_return(f, self.time_of(slope, t, end, h), slope);
            }
            self.form_stage(f, self.arrays.state, h, self.tableau.end);
            if self.tableau.error_needs_end() {
                self.evaluate_or_return(f, end.get(), self.tableau.end);
            }
            f.return_(0);
        });
        stages
    }

    /// `() -> integer`: puts the slope at the current time in its place. The code of a derivative that refused, or 0.
    pub fn first_slope(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Puts the slope at the current time in its place.";
        let function = self.function(module, "first_slope", &[], &[Integer], note);
        module.define(function, |f| {
            let IntegratorArrays { state, stage, slopes, time, .. } = *self.arrays;
            f.if_(self.first.at(0).eq_(First::AtEnd as i64), |f| {
                let end = self.tableau.end * self.n();
                f.for_each("i", 0, self.n(), |f, i| f.store(slopes, i, slopes.at(i + end)));
            });
            f.if_(self.first.at(0).eq_(First::Unknown as i64), |f| {
                f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i)));
                self.evaluate_or_return(f, time.at(0), 0);
            });
            f.store(self.first, 0, First::InPlace as i64);
            f.return_(0);
        });
        function
    }

    /// The argument of a slope, in `stage`.
    pub fn form_stage(&self, f: &mut FunctionBuilder, from: ArrayId, h: LocalId, slope: usize) {
        f.for_each("i", 0, self.n(), |f, i| {
            f.store(self.arrays.stage, i, from.at(i) + h * self.sum(self.tableau.rows[slope], i));
        });
    }

    /// When a slope is taken. The last ones are taken at the end itself, which may be the horizon.
    pub fn time_of(&self, slope: usize, t: LocalId, end: LocalId, h: LocalId) -> Expression {
        let node = self.tableau.nodes[slope];
        if node == 1.0 { end.get() } else { t + h * node }
    }

    /// The slopes of component i, weighed; added up in the order of the table.
    pub fn sum(&self, weights: Weights, i: LocalId) -> Expression {
        let term = |&(slope, weight): &(usize, f64)| weight * self.slope(slope, i);
        weights.iter().map(term).reduce(|sum, term| sum + term).expect("at least one weight")
    }

    /// Component i of a slope.
    pub fn slope(&self, slope: usize, i: LocalId) -> Expression {
        self.arrays.slopes.at(i + slope * self.n())
    }

    /// Takes a slope at `stage`; the code of the derivative.
    pub fn evaluate(&self, f: &mut FunctionBuilder, t: Expression, slope: usize) -> LocalId {
        let IntegratorArrays { counters, failure_code, .. } = *self.arrays;
        let evaluations = IntegratorArrays::EVALUATIONS;
        f.store(counters, evaluations, counters.at(evaluations) + 1);
        let code = f.call1(self.problem.derivative, (t, slope * self.n()));
        f.if_(code.ne_(0), |f| f.store(failure_code, 0, code));
        code
    }

    /// Takes a slope at `stage`, in a function that returns the code of the derivative.
    pub fn evaluate_or_return(&self, f: &mut FunctionBuilder, t: Expression, slope: usize) {
        let code = self.evaluate(f, t, slope);
        f.if_(code.ne_(0), |f| f.return_(code));
    }

    /// Whether all components of a slope are finite.
    pub fn is_finite(&self, f: &mut FunctionBuilder, slope: usize) -> Expression {
        // Zero times a finite number is zero, and times any other is not a number.
        let zero = f.real("zero", 0.0);
        f.for_each("i", 0, self.n(), |f, i| f.increase(zero, self.slope(slope, i) * 0.0));
        zero.eq_(0.0)
    }
}
