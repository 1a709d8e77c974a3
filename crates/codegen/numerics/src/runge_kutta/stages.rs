//! The slopes of one step, and the state they lead to.

use super::{IntegratorArrays, Template, tableau::Weights};
use crate::steps::First;
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

impl Template<'_> {
    /// `(t: real, end: real) -> integer`: takes the slopes of a step and leaves the state at its end in `stage`. The
    /// code of a derivative that refused, or 0. The slope at the end is only taken if the error estimate wants it.
    pub fn stages(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Takes the slopes of a step; its end is left in stage.";
        let stages = self.steps.function(module, "stages", &[("t", Real), ("end", Real)], &[Integer], note);
        module.define(stages, |f| {
            let [t, end] = f.parameters();
            let h = f.real("h", end - t);
            for slope in 1..self.tableau.end {
                self.form_stage(f, self.steps.arrays.state, h, slope);
                self.steps.evaluate_or_return(f, self.time_of(slope, t, end, h), slope);
            }
            self.form_stage(f, self.steps.arrays.state, h, self.tableau.end);
            if self.tableau.error_needs_end() {
                self.steps.evaluate_or_return(f, end.get(), self.tableau.end);
            }
            f.return_(0);
        });
        stages
    }

    /// `() -> integer`: puts the slope at the current time in its place. The code of a derivative that refused, or 0.
    pub fn first_slope(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Puts the slope at the current time in its place.";
        let function = self.steps.function(module, "first_slope", &[], &[Integer], note);
        module.define(function, |f| {
            let IntegratorArrays { state, stage, slopes, time, .. } = *self.steps.arrays;
            f.if_(self.steps.first.at(0).eq_(First::AtEnd as i64), |f| {
                let end = self.tableau.end * self.steps.n();
                f.for_each("i", 0, self.steps.n(), |f, i| f.store(slopes, i, slopes.at(i + end)));
            });
            f.if_(self.steps.first.at(0).eq_(First::Unknown as i64), |f| {
                f.for_each("i", 0, self.steps.n(), |f, i| f.store(stage, i, state.at(i)));
                self.steps.evaluate_or_return(f, time.at(0), 0);
            });
            f.store(self.steps.first, 0, First::InPlace as i64);
            f.return_(0);
        });
        function
    }

    /// The argument of a slope, in `stage`.
    pub fn form_stage(&self, f: &mut FunctionBuilder, from: ArrayId, h: LocalId, slope: usize) {
        f.for_each("i", 0, self.steps.n(), |f, i| {
            f.store(self.steps.arrays.stage, i, from.at(i) + h * self.sum(self.tableau.rows[slope], i));
        });
    }

    /// When a slope is taken. The last ones are taken at the end itself, which may be the horizon.
    pub fn time_of(&self, slope: usize, t: LocalId, end: LocalId, h: LocalId) -> Expression {
        let node = self.tableau.nodes[slope];
        if node == 1.0 { end.get() } else { t + h * node }
    }

    /// The slopes of component i, weighed; added up in the order of the table.
    pub fn sum(&self, weights: Weights, i: LocalId) -> Expression {
        let term = |&(slope, weight): &(usize, f64)| weight * self.steps.slope(slope, i);
        weights.iter().map(term).reduce(|sum, term| sum + term).expect("at least one weight")
    }

    /// `(end: real) -> integer`: takes the slope at the end; see [`Scheme`](crate::steps::Scheme).
    pub fn end_slope(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Takes the slope at the end: 0, a code, or -1 if it is not finite.";
        let function = self.steps.function(module, "end_slope", &[("end", Real)], &[Integer], note);
        module.define(function, |f| {
            let [end] = f.parameters();
            self.steps.evaluate_or_return(f, end.get(), self.tableau.end);
            let finite = self.steps.is_finite(f, self.tableau.end);
            f.return_(finite.select(0, -1));
        });
        function
    }
}
