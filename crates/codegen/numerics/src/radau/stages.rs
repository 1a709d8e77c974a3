//! The stages of one step, found by Newton's method, and its error. The iteration begins where the polynomial of the step before leads.

use super::dense::weights;
use super::radau_13::{BACK, ERROR, INTEGRALS, PAIRS, PARTS, REAL, STAGES};
use super::{Template, radau_13};
use crate::implicit::Implicit;
use crate::rosenbrock::weighed;
use crate::steps::{IntegratorArrays, ratio};
use kernel::{
    Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term,
    Type::{Integer, Real},
};

/// How often the stages are corrected.
const MOST_ITERATIONS: usize = 20;
/// Where corrections are this small, in relation to the state, nothing is left to correct: what is nothing but rounding has no smaller ones.
const LAST_DIGIT: f64 = 0.5 * f64::EPSILON;
/// A correction this small, in units of what is allowed, that does not become much smaller is rounding.
const SMALL: f64 = 0.1;
const MUCH_SMALLER: f64 = 0.3;
/// What further corrections would add may be left out if it is below this, in units of what is allowed. Steps are far better than what is
/// allowed, and what is left out adds up over all of them.
const LEFT_OUT: f64 = 1e-5;
/// Nor may it be more than this part of the state, so that loose tolerances do not spoil the order at the ends of steps.
const LEFT_OF_STATE: f64 = 1e-14;
/// A polynomial says nothing of times further beyond its end than so many of its lengths.
const FURTHEST: f64 = 4.0;
/// Corrections that grow by this factor, or that hardly shrink after some, lead nowhere.
const GROWTH: f64 = 2.0;
const HARDLY_SMALLER: f64 = 0.9;
const SOME: i64 = 6;
/// After so many, the next step should not be longer: an error of this size keeps it as it is.
const SLOW: i64 = 9;
const KEEPING: f64 = 0.43;

impl Template<'_> {
    /// `(t: real, end: real) -> integer`: see [`Scheme`](crate::steps::Scheme).
    ///
    /// With increments zᵢ from the state to the stages: M zᵢ = h Σ aᵢⱼ f(t + cⱼ h, y + zⱼ).
    pub fn stages(&self, module: &mut ModuleBuilder) -> FunctionId {
        let iterate = self.iterate(module);
        let note = "Finds the stages of a step; its end is left in stage.";
        let stages = self.implicit.steps.function(module, "stages", &[("t", Real), ("end", Real)], &[Integer], note);
        module.define(stages, |f| {
            let [t, end] = f.parameters();
            let h = f.real("h", end - t);
            self.factorise_all(f, h);
            self.keep_last(f);
            f.if_(self.continues(t, h), |f| {
                self.extrapolate(f, t, h);
                let code = f.call1(iterate, (t, end));
                // Where something happened since, the last step may lead astray, or to where nothing can be evaluated.
                f.if_(code.eq_(0).and(self.iterations.at(0).gt(0)), |f| f.return_(0));
            });
            f.for_each("k", 0, STAGES * self.n(), |f, k| f.store(self.increments, k, 0.0));
            let code = f.call1(iterate, (t, end));
            f.return_(code);
        });
        stages
    }

    /// The increments of the last step are kept before the first trial of the next.
    fn keep_last(&self, f: &mut FunctionBuilder) {
        let steps = &self.implicit.steps;
        f.if_(steps.is_first_trial(), |f| self.keep(f));
    }

    /// Whether a step of length h from t goes on where the last one ended.
    fn continues(&self, t: LocalId, h: LocalId) -> Expression {
        let IntegratorArrays { previous_time, computed_end, counters, .. } = *self.implicit.steps.arrays;
        let last = t - previous_time.at(0);
        let any = counters.at(IntegratorArrays::ACCEPTED).gt(0);
        any.and(computed_end.at(0).eq_(t)).and(last.clone().gt(0.0)).and(h.le(last * FURTHEST))
    }

    /// The increments that the polynomial of the last step has beyond its end.
    fn extrapolate(&self, f: &mut FunctionBuilder, t: LocalId, h: LocalId) {
        let last = f.real("last", t - self.implicit.steps.arrays.previous_time.at(0));
        f.for_each("s", 0, STAGES, |f, s| {
            let theta = f.real("theta", self.nodes.at(s) * h / last + 1.0);
            let weights = weights(f, theta);
            let offset = f.integer("offset", s * self.n() as i64);
            f.for_each("i", 0, self.n(), |f, i| {
                let sum = self.weighed_increments(i, weights);
                let end = self.coefficients.at(i + (STAGES - 1) * self.n());
                f.store(self.increments, i + offset, sum - end);
            });
        });
    }

    /// `(t: real, end: real) -> integer`: corrects the increments until nothing is left to correct; leaves the number of iterations, or 0 if
    /// they lead nowhere. The code of a derivative that refused, or 0.
    fn iterate(&self, module: &mut ModuleBuilder) -> FunctionId {
        let correct = self.correct(module);
        let note = "Corrects the increments as often as it takes.";
        let iterate = self.implicit.steps.function(module, "iterate", &[("t", Real), ("end", Real)], &[Integer], note);
        module.define(iterate, |f| {
            let [t, end] = f.parameters();
            let h = f.real("h", end - t);
            f.store(self.iterations, 0, 0);
            let tolerance = self.implicit.steps.tolerance(f);
            let left_out = f.real("left_out", (LEFT_OF_STATE / tolerance).min(LEFT_OUT));
            let old = f.real("old", f64::INFINITY);
            f.for_each("iteration", 0, MOST_ITERATIONS, |f, iteration| {
                self.evaluate_stages(f, t, end, h);
                let size = f.call1(correct, h);
                self.place_end(f);
                // Written so that what is not a number leads nowhere.
                let last_digit = size.le(LAST_DIGIT / tolerance);
                let rounding = size.le(SMALL).and(size.gt(old * MUCH_SMALLER));
                // What a geometric series with the last ratio of corrections, size / old, would still add.
                let settled = (size * size).le((old - size) * left_out);
                // One correction alone does not tell how much is left.
                f.if_(last_digit.or(iteration.gt(0).and(rounding.or(settled))), |f| {
                    f.store(self.iterations, 0, iteration + 1);
                    f.return_(0);
                });
                let shrinks = size.lt(old * GROWTH).and(iteration.lt(SOME).or(size.lt(old * HARDLY_SMALLER)));
                f.if_(shrinks.logical_not(), |f| f.return_(0));
                f.assign(old, size);
            });
            f.return_(0);
        });
        iterate
    }

    /// Factors the matrices of the real part and of the pairs, or returns.
    fn factorise_all(&self, f: &mut FunctionBuilder, h: LocalId) {
        let Implicit { matrix, solver, .. } = &self.implicit;
        let solvers = [solver].into_iter().chain(self.pairs.iter().map(|pair| &pair.solver));
        matrix.form(f, REAL / h);
        for (pair, (alpha, beta)) in self.pairs.iter().zip(PAIRS) {
            pair.form(f, matrix, alpha / h, beta / h);
        }
        for solver in solvers {
            let singular = self.implicit.factorise(f, solver);
            // The second copy of a row is no other.
            let n = self.n() as i64;
            f.if_(singular.ne_(0), |f| f.return_(-singular.gt(n).select(singular - n, singular)));
        }
    }

    /// The slopes at all stages, in places 1 and on; `stage` is left at the end. Returns if the derivative refuses.
    fn evaluate_stages(&self, f: &mut FunctionBuilder, t: LocalId, end: LocalId, h: LocalId) {
        let steps = &self.implicit.steps;
        let IntegratorArrays { state, stage, failure_code, .. } = *steps.arrays;
        f.for_each("s", 0, STAGES, |f, s| {
            let offset = f.integer("offset", s * self.n() as i64);
            f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i) + self.increments.at(i + offset)));
            let when = f.real("when", s.eq_(STAGES as i64 - 1).select(end, t + h * self.nodes.at(s)));
            steps.count(f, IntegratorArrays::EVALUATIONS);
            let code = f.call1(steps.problem.derivative, (when, offset + self.n() as i64));
            f.if_(code.ne_(0), |f| {
                f.store(failure_code, 0, code);
                f.return_(code);
            });
        });
    }

    /// The end of the step, in `stage`.
    fn place_end(&self, f: &mut FunctionBuilder) {
        let IntegratorArrays { state, stage, .. } = *self.implicit.steps.arrays;
        let last = (STAGES - 1) * self.n();
        f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i) + self.increments.at(i + last)));
    }

    /// `(h: real) -> real`: corrects the increments by what the slopes at the stages say, and gives the size of the correction.
    ///
    /// (M Λ / h − ∂f/∂y) Δw = Λ / h T⁻¹ (h A f − z) for differential components, and T⁻¹ f for algebraic ones; z changes by T Δw.
    /// Rounding enters where it must, in h A f − z.
    fn correct(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Corrects the increments; gives the size of the correction, in units of what is allowed.";
        let correct = self.implicit.steps.function(module, "correct", &[("h", Real)], &[Real], note);
        module.define(correct, |f| {
            let [h] = f.parameters();
            f.for_each("i", 0, self.n(), |f, i| self.split_residual(f, h, i));
            let Implicit { solver, steps, scale, matrix, .. } = &self.implicit;
            self.solve(f, solver.right, solver.solve, 0, self.n());
            for (k, pair) in self.pairs.iter().enumerate() {
                self.solve(f, pair.solver.right, pair.solver.solve, 1 + 2 * k, 2 * self.n());
            }
            let tolerance = steps.tolerance(f);
            self.implicit.measure(f, tolerance);
            let sum = f.real("sum", 0.0);
            f.for_each("i", 0, self.n(), |f, i| {
                let parts = self.of_stages(self.parts, i).map(|part| f.real("part", part));
                let unit = f.real("unit", scale.at(i));
                let mass = f.real("mass", matrix.mass.at(i));
                for (stage, weights) in PARTS.iter().enumerate() {
                    let change = f.real("change", weighed(weights, |k| parts[k].get()));
                    let place = i + stage * self.n();
                    f.store(self.increments, place.clone(), self.increments.at(place) + change);
                    let part = f.real("ratio", ratio(change * mass, unit));
                    f.increase(sum, part * part);
                }
            });
            f.return_((sum / (self.implicit.differential() * STAGES as f64)).sqrt());
        });
        correct
    }

    /// The right-hand sides for component i, in `parts`.
    fn split_residual(&self, f: &mut FunctionBuilder, h: LocalId, i: LocalId) {
        let slopes: [LocalId; STAGES] = std::array::from_fn(|s| f.real("slope", self.implicit.steps.slope(s + 1, i)));
        let is_differential = f.integer("is_differential", self.implicit.matrix.mass.at(i).ne_(0.0));
        let increments = self.of_stages(self.increments, i);
        let residuals: Vec<LocalId> = std::iter::zip(INTEGRALS, increments)
            .enumerate()
            .map(|(stage, (weights, increment))| {
                let left = h * weighed(&weights, |j| slopes[j].get()) - increment;
                f.real("left", is_differential.select(left, slopes[stage]))
            })
            .collect();
        let split = BACK.map(|weights| f.real("split", weighed(&weights, |j| residuals[j].get())));
        let store = |f: &mut FunctionBuilder, part: usize, differential: Expression| {
            f.store(self.parts, i + part * self.n(), is_differential.select(differential, split[part]));
        };
        store(f, 0, split[0] * REAL / h);
        for (k, (alpha, beta)) in PAIRS.into_iter().enumerate() {
            let (first, second) = (1 + 2 * k, 2 + 2 * k);
            store(f, first, (split[first] * alpha + split[second] * beta) / h);
            store(f, second, (split[second] * alpha - split[first] * beta) / h);
        }
    }

    /// Solves for some of the parts.
    fn solve(&self, f: &mut FunctionBuilder, right: kernel::ArrayId, solve: FunctionId, part: usize, length: usize) {
        let from = part * self.n();
        f.for_each("k", 0, length, |f, k| f.store(right, k, self.parts.at(k + from)));
        f.call(solve, ());
        f.for_each("k", 0, length, |f, k| f.store(self.parts, k + from, right.at(k)));
    }

    /// `(h: real) -> real`: the difference to a formula of lower order, smoothed by the matrix, in units of what is allowed. Where it is
    /// too large, it is taken once more from where it leads, for what is stiff may have made it so.
    pub fn error(&self, module: &mut ModuleBuilder) -> FunctionId {
        let Implicit { steps, .. } = &self.implicit;
        let note = "The error of the trial, in units of what is allowed.";
        let error = steps.function(module, "error", &[("h", Real)], &[Real], note);
        let IntegratorArrays { state, stage, time, .. } = *steps.arrays;
        module.define(error, |f| {
            let [h] = f.parameters();
            f.if_(self.iterations.at(0).eq_(0), |f| f.return_(f64::INFINITY));
            steps.measure_groups(f);
            self.estimate(f, h, 0);
            let size = self.implicit.norm(f, |i| self.error.at(i));
            f.if_(size.gt(1.0), |f| {
                f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i) + self.error.at(i)));
                let code = steps.evaluate(f, time.at(0), 1);
                self.place_end(f);
                f.if_(code.eq_(0), |f| {
                    self.estimate(f, h, 1);
                    let again = self.implicit.norm(f, |i| self.error.at(i));
                    f.assign(size, again);
                });
            });
            let slow = self.iterations.at(0).ge(SLOW);
            f.return_(slow.select(size.max(KEEPING), size));
        });
        error
    }

    /// (M γ / h − ∂f/∂y) e = f + M γ / h Σ eᵢ zᵢ, with a slope at the beginning.
    fn estimate(&self, f: &mut FunctionBuilder, h: LocalId, slope: usize) {
        let Implicit { steps, matrix, solver, .. } = &self.implicit;
        f.for_each("i", 0, self.n(), |f, i| {
            let increments = self.of_stages(self.increments, i);
            let difference = weighed(&ERROR, |stage| increments[stage].clone());
            let known = matrix.mass.at(i) * (difference * radau_13::REAL / h);
            f.store(solver.right, i, steps.slope(slope, i) + known);
        });
        f.call(solver.solve, ());
        f.for_each("i", 0, self.n(), |f, i| f.store(self.error, i, solver.right.at(i)));
    }
}
