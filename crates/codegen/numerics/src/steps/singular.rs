//! Positions where constraints depend on one another, as those of a parallelogram do where it lies flat: motion goes on through them, but no
//! equation there says how.
//!
//! The nearer a slope is taken to such a position, the more it makes of every rounding and of every error of a stage: by the inverse of the
//! distance. So a step goes across, with the position in the middle of the widest gap between its stages, and none ends near it. When that is,
//! the independence of constraints tells, which falls to zero in proportion to the time that is left: after each step, so that it is seen in
//! time, and at the stages of the steps nearby, so that it is known well. These steps are careful ones: stages are moved onto the constraints,
//! and errors count along the constraints alone, since each step ends with a projection that takes what is across. Bayo and Ledesma, *Nonlinear
//! Dynamics* 9 (1996), project what is integrated; González, Dopico, Luaces and Cuadrado, *Nonlinear Dynamics* 85 (2016), say what goes wrong
//! near such positions.

use super::{IntegratorArrays, Steps};
use crate::runge_kutta::Tableau;
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// What the state is moved onto after each step, and at careful stages.
#[derive(Clone, Debug)]
pub struct Constraints {
    /// A state to be moved (n).
    pub point: ArrayId,
    /// `(t: real) -> integer`: moves it onto the constraints; positive if it could not.
    pub project: FunctionId,
    /// How independent they are where it was moved last, one at most (1); see [`Independence`](crate::Independence).
    pub independence: ArrayId,
    /// What that is measured by, which is forgotten where a motion begins.
    pub longest: Vec<ArrayId>,
}

/// What is known of the nearest such position.
pub(super) struct Singular {
    constraints: Constraints,
    /// How independent the constraints are where each slope of the last careful trial was taken.
    independence: ArrayId,
    /// The same after the last two steps, and when that was: time, value, time, value.
    lately: ArrayId,
    /// When constraints depend on one another next, or did last; infinite if nothing is known.
    pub time: ArrayId,
    /// How many trials from here only showed when that is.
    sought: ArrayId,
    /// `(t: real, slope: integer) -> integer`: moves the stage onto the constraints.
    hold: FunctionId,
    /// The same if the step is careful; then the derivative there.
    evaluate: FunctionId,
}

/// Steps become careful where constraints would depend on one another within so many of them, if their independence went on falling as it does.
/// It falls faster to the end, as a sine does.
const WATCHED: f64 = 3.0;
/// Steps are careful from so many of their lengths before a singular position on.
const BEFORE: f64 = 2.0;
/// Steps are careful up to so many of their lengths behind a singular position.
const AFTER: f64 = 1.5;
/// A singular position may lie this part of the widest gap between stages away from its middle.
const WINDOW: f64 = 0.26;
/// What is so many steps ahead is no matter of this step: the next one can still go across as it should.
const FAR: f64 = 1.4;
/// A step that begins nearer to a singular position than this part of itself leaves it behind: none of its other stages is as near.
const BEHIND: f64 = 0.02;
/// So many trials from one place may do nothing but show where the singular position is.
const MOST_SOUGHT: i64 = 4;

/// Where in a step its slopes are taken, in order, and the best places for a singular position.
struct Nodes {
    /// Time and number of each slope.
    sorted: Vec<(f64, usize)>,
    /// The middle of the widest gap, and how far from it is still good.
    best: f64,
    window: f64,
}

impl Nodes {
    fn of(tableau: &Tableau) -> Nodes {
        let mut sorted: Vec<(f64, usize)> = tableau.nodes[..tableau.end].iter().copied().zip(0..).collect();
        sorted.retain(|&(node, _)| node < 1.0);
        sorted.push((1.0, tableau.end));
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let gaps = sorted.windows(2).map(|pair| (pair[1].0 - pair[0].0, (pair[0].0 + pair[1].0) / 2.0));
        let (width, best) = gaps.max_by(|a, b| a.0.total_cmp(&b.0)).expect("two slopes");
        Nodes { sorted, best, window: width * WINDOW }
    }

    /// Whether a singular position at x, in units of the step, is too near to some of its slopes, if the step can be made shorter for that.
    fn is_early(&self, x: LocalId) -> Expression {
        x.gt(BEHIND).and(x.lt(self.best - self.window))
    }

    fn is_late(&self, x: LocalId) -> Expression {
        x.gt(self.best + self.window).and(x.lt(FAR))
    }
}

impl Singular {
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        arrays: &IntegratorArrays,
        constraints: &Constraints,
        derivative: FunctionId,
    ) -> Singular {
        let name = |what: &str| format!("{name}_{what}");
        let slopes = Tableau::of(arrays.method).slopes();
        let independence = module.real_array(&name("independence"), slopes, "of constraints where slopes are taken");
        let hold = module.function(&name("hold_stage"), &[("t", Real), ("slope", Integer)], &[Integer], |f| {
            let [t, slope] = f.parameters();
            let Constraints { point, project, independence: least, .. } = *constraints;
            f.for_each("i", 0, arrays.size, |f, i| f.store(point, i, arrays.stage.at(i)));
            let status = f.call1(project, t);
            f.if_(status.gt(0), |f| f.return_(status));
            f.for_each("i", 0, arrays.size, |f, i| f.store(arrays.stage, i, point.at(i)));
            f.store(independence, slope, least.at(0));
            f.return_(0);
        });
        let parameters = [("t", Real), ("slope", Integer)];
        let evaluate = module.function(&name("careful_derivative"), &parameters, &[Integer], |f| {
            let [t, slope] = f.parameters();
            f.if_(arrays.careful.at(0).gt(0), |f| {
                let status = f.call1(hold, (t, slope));
                f.if_(status.ne_(0), |f| f.return_(status));
            });
            let status = f.call1(derivative, (t, slope * arrays.size));
            f.return_(status);
        });
        Singular {
            constraints: constraints.clone(),
            independence,
            lately: module.real_array(&name("lately"), 4, "independence of constraints after the last two steps"),
            time: module.reals(&name("singular"), &[f64::INFINITY], "when constraints depend on one another"),
            sought: module.integer_array(&name("sought"), 1, "trials from here that showed when"),
            hold,
            evaluate,
        }
    }
}

impl Steps<'_> {
    /// Whether there are constraints to move stages onto; an implicit method has them among its equations.
    pub fn can_be_careful(&self) -> bool {
        self.singular.is_some()
    }

    /// The derivative at `stage`, which is moved onto the constraints first if that is wanted.
    pub(super) fn derivative(&self, f: &mut FunctionBuilder, t: Expression, slope: usize) -> LocalId {
        match &self.singular {
            Some(singular) => f.call1(singular.evaluate, (t, slope)),
            None => f.call1(self.problem.derivative, (t, slope * self.n())),
        }
    }

    /// Forgets what constraints were like, where a motion begins.
    pub(super) fn forget_constraints(&self, f: &mut FunctionBuilder) {
        let Some(singular) = &self.singular else { return };
        for &longest in &singular.constraints.longest {
            let rows = f.module().length(longest);
            f.for_each("i", 0, rows, |f, i| f.store(longest, i, 0.0));
        }
        self.forget_singular(f);
    }

    /// Forgets where constraints depend on one another: the state was changed.
    pub(super) fn forget_singular(&self, f: &mut FunctionBuilder) {
        let Some(singular) = &self.singular else { return };
        f.for_each("at", 0, 4, |f, at| f.store(singular.lately, at, 0.0));
        f.store(singular.time, 0, f64::INFINITY);
        f.store(singular.sought, 0, 0);
    }

    /// Notes how independent constraints are after a step, which moved the state onto them.
    pub(super) fn note_independence(&self, f: &mut FunctionBuilder, end: LocalId) {
        let Some(Singular { lately, sought, constraints, .. }) = &self.singular else { return };
        f.store(*lately, 0, lately.at(2));
        f.store(*lately, 1, lately.at(3));
        f.store(*lately, 2, end);
        f.store(*lately, 3, constraints.independence.at(0));
        f.store(*sought, 0, 0);
    }

    /// Makes a trial of about this length careful if constraints depend on one another nearby.
    pub(super) fn look_around(&self, f: &mut FunctionBuilder, t: LocalId, wanted: LocalId) {
        let Some(Singular { lately, .. }) = &self.singular else { return };
        let fall = f.real("fall", (lately.at(1) - lately.at(3)) / (lately.at(2) - lately.at(0)));
        // Before two steps were taken there are zeros.
        let fell = fall.gt(0.0).and(lately.at(1).gt(0.0));
        let ahead = lately.at(2) + lately.at(3) / fall - t;
        let near = self.is_near(f, t, wanted);
        f.if_(fell.and(ahead.lt(wanted * WATCHED)).or(near), |f| {
            let careful = self.arrays.careful.at(0);
            f.store(self.arrays.careful, 0, careful.clone().gt(0).select(careful, 1));
        });
    }

    /// Whether constraints are known to depend on one another within a few steps of this length.
    pub(super) fn is_near(&self, f: &mut FunctionBuilder, t: LocalId, h: LocalId) -> LocalId {
        let near = match &self.singular {
            Some(singular) => {
                let ahead = f.real("ahead", singular.time.at(0) - t);
                ahead.lt(h * BEFORE).and(ahead.gt(h * -AFTER))
            }
            None => Expression::from(0),
        };
        f.integer("near", near)
    }

    /// Makes a trial that does not end at the horizon shorter, so that it goes across a singular position as it should, or the next one can.
    pub(super) fn go_across(&self, f: &mut FunctionBuilder, t: LocalId, end: LocalId, kept: LocalId) {
        let Some(singular) = &self.singular else { return };
        let nodes = Nodes::of(Tableau::of(self.arrays.method));
        let h = f.real("h", end - t);
        let x = f.real("x", (singular.time.at(0) - t) / h);
        f.if_(self.is_free(end).and(nodes.is_early(x)), |f| f.assign(end, t + h * x / nodes.best));
        f.if_(self.is_free(end).and(nodes.is_late(x)), |f| {
            f.assign(end, t + h * (x - nodes.best));
            f.assign(kept, kept.max(h));
        });
    }

    /// Whether a trial does not end where it has to.
    fn is_free(&self, end: LocalId) -> Expression {
        end.lt(self.arrays.horizon.at(0).min(self.arrays.stop.at(0)))
    }

    /// `(t: real, end: real) -> integer`: moves the end of a careful trial onto the constraints, and finds out where they depend on one
    /// another. 0, [`ELSEWHERE`] if the trial should have another length, or what the projection gave.
    pub(super) fn judge(&self, module: &mut ModuleBuilder) -> Option<FunctionId> {
        let singular = self.singular.as_ref()?;
        let tableau = Tableau::of(self.arrays.method);
        let nodes = Nodes::of(tableau);
        let crossing = self.crossing(module, singular, &nodes);
        let note = "Moves the end onto the constraints and looks where they depend on one another.";
        let judge = self.function(module, "judge", &[("t", Real), ("end", Real)], &[Integer], note);
        module.define(judge, |f| {
            let [t, end] = f.parameters();
            f.store(singular.independence, 0, singular.lately.at(3));
            let status = f.call1(singular.hold, (end, tableau.end));
            f.if_(status.ne_(0), |f| f.return_(status));
            let x = f.call1(crossing, ());
            // What is behind stays there.
            let found = f.real("found", t + x * (end - t));
            let known = x.lt(f64::INFINITY).or(singular.time.at(0).gt(t));
            f.if_(known, |f| f.store(singular.time, 0, found));
            let few = singular.sought.at(0).lt(MOST_SOUGHT).and(self.is_free(end));
            f.if_(few.and(nodes.is_early(x).or(nodes.is_late(x))), |f| {
                f.store(singular.sought, 0, singular.sought.at(0) + 1);
                f.return_(ELSEWHERE);
            });
            f.return_(0);
        });
        Some(judge)
    }

    /// `() -> real`: where in the last trial constraints depend on one another, in units of it; beyond its end if they would there, infinite if not.
    /// Where independence vanishes it would change its sign, if it had one: the one that continues the line through the two values before.
    fn crossing(&self, module: &mut ModuleBuilder, singular: &Singular, nodes: &Nodes) -> FunctionId {
        let name = |what: &str| format!("{}_{what}", self.problem.name);
        let (times, slopes): (Vec<f64>, Vec<i64>) = nodes.sorted.iter().map(|&(at, slope)| (at, slope as i64)).unzip();
        let time = module.reals(&name("node"), &times, "when slopes are taken, in order");
        let slope = module.integers(&name("slope_of_node"), &slopes, "the number of each");
        let crossing = self.function(module, "crossing", &[], &[Real], "Where constraints depend on one another.");
        module.define(crossing, |f| {
            let at = |k: Expression| singular.independence.at(slope.at(k));
            let (before, last) = (f.real("before", at(0.into())), f.real("last", at(0.into())));
            let (time_before, last_time) = (f.real("time_before", -1.0), f.real("last_time", 0.0));
            f.for_each("k", 1, times.len(), |f, k| {
                let (value, now) = (f.real("value", at(k.get())), f.real("now", time.at(k)));
                let rise = (last - before) / (last_time - time_before);
                let expected = f.real("expected", last + rise * (now - last_time));
                f.if_((expected - value).abs().gt((expected + value).abs()), |f| {
                    let part = last / (last + value);
                    f.return_(last_time + (now - last_time) * part);
                });
                f.assign(before, last);
                f.assign(last, value);
                f.assign(time_before, last_time);
                f.assign(last_time, now);
            });
            let fall = f.real("fall", (before - last) / (last_time - time_before));
            f.return_(fall.gt(0.0).select(1.0 + last / fall, f64::INFINITY));
        });
        crossing
    }

    /// Writes what remains of an estimate of the error of a careful trial of length h along the constraints: the end is moved by it, and back onto
    /// them. Returns what the projection gave if that fails.
    pub fn along_constraints(
        &self,
        f: &mut FunctionBuilder,
        h: LocalId,
        estimate: impl Fn(LocalId) -> Expression,
        into: ArrayId,
    ) -> LocalId {
        let singular = self.singular.as_ref().expect("careful trials have constraints");
        let Constraints { point, project, .. } = singular.constraints;
        f.for_each("i", 0, self.n(), |f, i| f.store(point, i, self.arrays.stage.at(i) + h * estimate(i)));
        let status = f.call1(project, self.arrays.time.at(0) + h);
        f.for_each("i", 0, self.n(), |f, i| f.store(into, i, (point.at(i) - self.arrays.stage.at(i)) / h));
        status
    }
}

/// The result of judging a trial that should have another length.
pub(super) const ELSEWHERE: i64 = -1;
