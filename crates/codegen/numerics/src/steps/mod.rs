//! Adaptive steps, whatever the method: trials that are accepted or rejected, the length of the next, what an error is
//! measured by. A method brings its stages, its error estimate and its dense output.

mod arrays;
mod control;
mod defect;
mod measure;
mod noise;
mod onset;
mod retry;
mod sample;
mod singular;

pub use arrays::IntegratorArrays;
pub use control::{BLIND_STEP, Scheme, StepControl, first_guess, least_step, power};
pub use measure::ratio;
pub use singular::Constraints;

use singular::Singular;

use kernel::{ArrayId, FunctionId, ModuleBuilder, Type, Type::Integer, Type::Real};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Explicit, order 5 with an error estimate of order 4 and dense output of order 4; seven slopes, six for each step.
    DormandPrince5,
    /// Explicit, order 8 with error estimates of orders 5 and 3 and dense output of order 7; twelve slopes for each step,
    /// and three more for a step in which a sample is taken. The better one below tolerances of about 10⁻⁶.
    DormandPrince8,
    /// Linearly implicit and L-stable, order 5 with an error estimate of order 4 and dense output of order 4; one Jacobian,
    /// one factorisation and eight slopes for each step. For stiff systems and for those with algebraic unknowns.
    Rodas5P,
    /// Implicit, by collocation, and L-stable: Radau's method of order 13 with an error estimate of order 7 and dense output of
    /// order 7; one Jacobian, four factorisations and some fifty slopes for each step. What is iterated ends in equations that
    /// are satisfied far beyond what is allowed. The better one below tolerances of about 10⁻⁸.
    Radau13,
    /// Steps of a fixed length, without an estimate of the error; states change evenly within each.
    Fixed,
}

impl Method {
    pub fn is_implicit(self) -> bool {
        matches!(self, Method::Rodas5P | Method::Radau13)
    }

    /// Within a step the solution is a polynomial of this degree.
    pub fn dense_degree(self) -> usize {
        match self {
            Method::DormandPrince5 | Method::Rodas5P => 4,
            Method::DormandPrince8 | Method::Radau13 => 7,
            Method::Fixed => 1,
        }
    }
}

/// What every integrator needs to know of what it integrates.
#[derive(Clone, Debug)]
pub struct IntegratorProblem<'a> {
    pub name: &'a str,
    /// `(t: real, offset: integer) -> integer`: reads `stage`, writes `slopes[offset..offset + n]`. Anything but 0 says
    /// that the derivative does not exist there. It leaves all other arrays of the integrator alone.
    pub derivative: FunctionId,
    /// `(t: real) -> integer`: may change `state` after an accepted step, to project it on constraints. 0 = unchanged,
    /// negative = changed, positive = it could not, which ends the integration.
    pub after_step: Option<FunctionId>,
    /// The constraints that `after_step` moves the state onto, if stages of explicit steps may be moved onto them too.
    pub constraints: Option<Constraints>,
    /// A number for each component; components of the same number have the same physical dimension.
    pub groups: Vec<usize>,
    /// For each component, the component whose rate of change it is, if there is one: the velocity of a thing at rest is
    /// nothing but rounding, and is measured by where it would lead.
    pub rate_of: Vec<Option<usize>>,
}

/// The kernel functions of one integrator. What they read and write is in [`IntegratorArrays`].
#[derive(Clone, Copy, Debug)]
pub struct Integrator {
    /// `(t: real) -> integer`: begins at `state`. [`REACHED`](Integrator::REACHED), or
    /// [`NOT_EVALUATED`](Integrator::NOT_EVALUATED) if there is no derivative at the beginning.
    pub start: FunctionId,
    /// `(target: real, limit: integer) -> integer`: steps until `time` is at or beyond the target or at the horizon,
    /// but tries at most `limit` steps. Gives one of the constants below.
    pub advance: FunctionId,
    /// `(t: real) -> integer`: writes the solution at a time of the last step into `sampled`; `state` itself at its
    /// end, the state before at its beginning. [`REACHED`](Integrator::REACHED), [`OUTSIDE`](Integrator::OUTSIDE) or
    /// [`NOT_EVALUATED`](Integrator::NOT_EVALUATED).
    pub sample: FunctionId,
    /// `(t: real) -> integer`: makes a time of the last step its end; then the state has `moved`.
    pub cut: FunctionId,
    /// `()`: takes the last step back, so that another may be taken in its place.
    pub retake: FunctionId,
    /// `(t: real) -> (real, real)`: how far the polynomial of the last step is from the equations at a time of it: the difference of
    /// their slopes times the length of the step, in units of the error that is allowed; then of those alone that are grossly different.
    pub defect: FunctionId,
    /// `(t: real) -> integer`: goes on from `state` at `time`, which was changed a little, or what the derivative depends on was. Gives what
    /// `start` gives, but keeps what was learnt of lengths and sizes.
    pub moved: FunctionId,
}

impl Integrator {
    pub const REACHED: i64 = 0;
    /// The limit of trials is used up; the next call goes on.
    pub const LIMIT: i64 = 1;
    /// The error stays too large, or not finite, however small the step.
    pub const COLLAPSED: i64 = 2;
    /// `derivative` refuses, however small the step. Its code is in `failure_code`, or 0 if it gave no finite slope.
    pub const NOT_EVALUATED: i64 = 3;
    /// `after_step` failed. Its code is in `failure_code`, and `state` is as it left it.
    pub const NOT_FINISHED: i64 = 4;
    /// The equations of an implicit method have no unique solution, however small the step; `failure_component` has the
    /// equation that follows from others.
    pub const SINGULAR: i64 = 5;
    /// The algebraic equations have no solution near the beginning; `failure_component` has the one that is worst.
    pub const INCONSISTENT: i64 = 6;

    /// The sample is not in the last step; or a later step was tried and rejected before the first sample of this one.
    pub const OUTSIDE: i64 = 1;
}

/// What the kernel functions of one integrator share.
pub struct Steps<'a> {
    pub arrays: &'a IntegratorArrays,
    pub problem: &'a IntegratorProblem<'a>,
    pub control: &'static StepControl,
    /// The step to try next.
    pub step: ArrayId,
    /// The error of the last accepted step, but not below [`control::LEAST_ERROR`].
    old_error: ArrayId,
    /// How many trials from here were rejected; then the next step must not be longer.
    rejected: ArrayId,
    /// Length and error of the trial that was rejected last, and the length of the first from here.
    failed: ArrayId,
    /// How often rounding was measured since the last step.
    measured: ArrayId,
    /// Where something begins like a root: the first trial that was no better than a longer one, its length, its begin, and until when it
    /// counts; and how far each component came in it. See `onset`.
    onset: ArrayId,
    reached: ArrayId,
    /// The code of the stages if the last trial was rejected on its account, else 0.
    refused: ArrayId,
    /// 1 if the last step had the least length, and any error.
    forced: ArrayId,
    /// Where the slope at `time` is found; see [`First`].
    pub first: ArrayId,
    /// What is there to interpolate with; see [`Dense`].
    pub dense: ArrayId,
    /// The largest magnitude of each component in accepted steps.
    size: ArrayId,
    /// The group of each component, counted from 0.
    group: ArrayId,
    /// The component whose rate each component is, or its own number.
    rate_of: ArrayId,
    /// The largest magnitude in each group in accepted steps.
    group_size: ArrayId,
    /// The same with the step under trial.
    trial_size: ArrayId,
    /// What rounding makes of the estimate of each component, in each second of a step; 0 where it was not measured, or does not matter.
    noise: ArrayId,
    /// The least and the greatest change of each component in the repetitions of a trial by which rounding was measured last.
    change: [ArrayId; 2],
    /// The length of the step under trial.
    pub trial_length: ArrayId,
    /// Where constraints depend on one another, if there are some to be careful with.
    singular: Option<Singular>,
}

/// Where the slope at the current time is found.
#[derive(Clone, Copy)]
pub enum First {
    /// In its place, number 0.
    InPlace = 0,
    /// At the end of the last step.
    AtEnd = 1,
    /// Nowhere: `state` was changed after the last step.
    Unknown = 2,
}

/// What there is to interpolate with.
#[derive(Clone, Copy)]
pub enum Dense {
    Nothing = 0,
    /// The slopes of the last step.
    Slopes = 1,
    /// The coefficients of the polynomial.
    Coefficients = 2,
}

impl<'a> Steps<'a> {
    /// # Panics
    /// If there are not as many groups and rates as components.
    pub fn declare(
        module: &mut ModuleBuilder,
        arrays: &'a IntegratorArrays,
        problem: &'a IntegratorProblem<'a>,
        control: &'static StepControl,
    ) -> Steps<'a> {
        assert_eq!(problem.groups.len(), arrays.size, "one group number for each component of `{}`", problem.name);
        assert_eq!(problem.rate_of.len(), arrays.size, "one entry for each component of `{}`", problem.name);
        let groups = counted_from_zero(&problem.groups);
        let group_count = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let name = |what: &str| format!("{}_{what}", problem.name);
        let group = module.integers(&name("group"), &groups, "group of each component");
        let rates = problem.rate_of.iter().enumerate().map(|(at, of)| of.unwrap_or(at) as i64).collect::<Vec<_>>();
        let rate_of = module.integers(&name("rate_of"), &rates, "the component whose rate each is, or itself");
        let singular = problem
            .constraints
            .as_ref()
            .map(|constraints| Singular::declare(module, problem.name, arrays, constraints, problem.derivative));
        let mut array = |what, kind: Type, length, note| module.array(&name(what), kind, length, note);
        Steps {
            singular,
            arrays,
            problem,
            control,
            step: array("step", Real, 1, "the step to try next"),
            old_error: array("old_error", Real, 1, "error of the last accepted step"),
            rejected: array("rejected", Integer, 1, "trials rejected since the last step"),
            failed: array("failed", Real, 3, "the last of them: its length, its error; the length of the first"),
            measured: array("measured", Integer, 1, "how often rounding was measured since the last step"),
            onset: array(
                "onset",
                Real,
                3,
                "where something begins like a root: length of a trial, its begin, and until when it counts",
            ),
            reached: array("reached", Real, arrays.size, "how far each component came in that trial"),
            refused: array("refused", Integer, 1, "code of a trial whose stages failed"),
            forced: array("forced", Integer, 1, "1 after a step of the least length with any error"),
            first: array("first", Integer, 1, "the slope at time: 0 in place, 1 at the end, 2 to be evaluated"),
            dense: array("dense", Integer, 1, "to interpolate with: 0 nothing, 1 slopes, 2 coefficients"),
            size: array("size", Real, arrays.size, "largest magnitude of each component"),
            group,
            rate_of,
            group_size: array("group_size", Real, group_count, "largest magnitude in each group"),
            trial_size: array("trial_size", Real, group_count, "the same with the step under trial"),
            noise: array("noise", Real, arrays.size, "what rounding makes of estimated errors, in each second"),
            change: ["least_change", "greatest_change"]
                .map(|what| array(what, Real, arrays.size, "of the repetitions of a trial")),
            trial_length: array("trial_length", Real, 1, "length of the step under trial"),
        }
    }

    /// The number of components.
    pub fn n(&self) -> usize {
        self.arrays.size
    }

    pub fn function(
        &self,
        module: &mut ModuleBuilder,
        what: &str,
        parameters: &[(&str, Type)],
        results: &[Type],
        note: &str,
    ) -> FunctionId {
        let function = module.declare(&format!("{}_{what}", self.problem.name), parameters, results);
        module.describe(function, note);
        function
    }
}

/// The same groups with numbers from 0 on, in the order of their first components.
fn counted_from_zero(groups: &[usize]) -> Vec<i64> {
    let mut numbers = std::collections::BTreeMap::new();
    let mut number = |group: &usize| {
        let next = numbers.len() as i64;
        *numbers.entry(*group).or_insert(next)
    };
    groups.iter().map(&mut number).collect()
}
