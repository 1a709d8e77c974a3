//! Adaptive explicit Runge–Kutta integration of y′ = f(t, y) with dense output, forward in time.
//!
//! Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, sections II.4 to II.6 and II.10. One
//! template serves all methods; a [`Tableau`] makes the difference.

mod tableau;

mod dormand_prince_5;
mod dormand_prince_8;

mod arrays;
mod control;
mod dense;
mod error;
mod stages;
mod start;

pub use arrays::IntegratorArrays;

use kernel::{
    ArrayId, FunctionId, ModuleBuilder, Type,
    Type::{Integer, Real},
};
use tableau::Tableau;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Order 5 with an error estimate of order 4 and dense output of order 4; seven slopes, six for each step.
    DormandPrince5,
    /// Order 8 with error estimates of orders 5 and 3 and dense output of order 7; twelve slopes for each step, and
    /// three more for a step in which a sample is taken. The better one below tolerances of about 10⁻⁶.
    DormandPrince8,
}

/// What is integrated.
#[derive(Clone, Debug)]
pub struct IntegratorProblem<'a> {
    pub name: &'a str,
    /// `(t: real, offset: integer) -> integer`: reads `stage`, writes `slopes[offset..offset + n]`. Anything but 0 says
    /// that the derivative does not exist there. It leaves all other arrays of the integrator alone.
    pub derivative: FunctionId,
    /// `(t: real) -> integer`: may change `state` after an accepted step, to project it on constraints. 0 = unchanged,
    /// negative = changed, positive = it could not, which ends the integration.
    pub after_step: Option<FunctionId>,
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

    /// The sample is not in the last step; or a later step was tried and rejected before the first sample of this one.
    pub const OUTSIDE: i64 = 1;
}

/// Adds an integrator over arrays that were declared before, as `derivative` uses them.
///
/// Needs: `state` filled, then `start`, then any number of `advance` and `sample`. `tolerance`, `horizon` and
/// `longest_step` may be changed at any time; whoever changes `state` calls `start` again. Gives: `state` at `time`,
/// with an error for each step below the tolerance. Keeps: `tolerance`, `horizon`, `longest_step`.
///
/// The error of a component is measured by the largest magnitude of it met so far, or by 1/1000 of the largest in its
/// group if that is more, or, for a rate, by what moves the other component by its own magnitude before the horizon; the
/// norm is the root of the mean square. A step whose slopes are refused or not finite is rejected like one with too large
/// an error. A jump of the derivative costs rejections, but is stepped over.
///
/// ```
/// use kernel::{Interpreter, Machine, ModuleBuilder, Type::*};
/// use numerics::{Integrator, IntegratorArrays, IntegratorProblem, Method, integrator};
///
/// let mut module = ModuleBuilder::new("growth");
/// let arrays = IntegratorArrays::declare(&mut module, "growth", 1, Method::DormandPrince8);
/// let derivative = module.function("derivative", &[("t", Real), ("offset", Integer)], &[Integer], |f| {
///     let [_, offset] = f.parameters();
///     f.store(arrays.slopes, offset, arrays.stage.at(0));
///     f.return_(0);
/// });
/// let problem = IntegratorProblem { name: "growth", derivative, after_step: None, groups: vec![0], rate_of: vec![None] };
/// let growth = integrator(&mut module, &arrays, &problem);
///
/// let module = module.finish();
/// let (machine, layout, mut memory) = (Interpreter::new(&module), module.layout(), module.initial_memory());
/// memory.set(layout.offset(arrays.state), 1.0);
/// machine.call(growth.start, &[0.0.into()], &mut memory)?;
/// let status = machine.call_integer(growth.advance, &[1.0.into(), 100.into()], &mut memory)?;
/// assert_eq!(status, Integrator::REACHED);
/// machine.call(growth.sample, &[1.0.into()], &mut memory)?;
/// assert!((memory.real(layout.offset(arrays.sampled)) - std::f64::consts::E).abs() < 1e-8);
/// # Ok::<(), kernel::Trap>(())
/// ```
///
/// # Panics
/// If there are not as many groups and rates as components.
pub fn integrator(module: &mut ModuleBuilder, arrays: &IntegratorArrays, problem: &IntegratorProblem) -> Integrator {
    assert_eq!(problem.groups.len(), arrays.size, "one group number for each component of `{}`", problem.name);
    assert_eq!(problem.rate_of.len(), arrays.size, "one entry for each component of `{}`", problem.name);
    let template = Template::declare(module, arrays, problem);
    let attempt = template.attempt(module);
    Integrator {
        start: template.start(module),
        advance: template.advance(module, attempt),
        sample: template.sample(module),
    }
}

/// What the kernel functions of one integrator share.
struct Template<'a> {
    arrays: &'a IntegratorArrays,
    problem: &'a IntegratorProblem<'a>,
    tableau: &'static Tableau,
    /// The step to try next.
    step: ArrayId,
    /// The error of the last accepted step, but not below [`control::LEAST_ERROR`].
    old_error: ArrayId,
    /// 1 if the last trial was rejected, and the next step must not be longer.
    rejected: ArrayId,
    /// 1 if the last trial was rejected because the derivative refused.
    refused: ArrayId,
    /// 1 if the last step had the least length, and any error.
    forced: ArrayId,
    /// Where the slope at `time` is found; see [`stages::First`].
    first: ArrayId,
    /// What is there to interpolate with; see [`dense::Dense`].
    dense: ArrayId,
    /// The coefficients of the interpolating polynomial.
    coefficients: ArrayId,
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
}

impl<'a> Template<'a> {
    fn declare(
        module: &mut ModuleBuilder,
        arrays: &'a IntegratorArrays,
        problem: &'a IntegratorProblem<'a>,
    ) -> Template<'a> {
        let (n, tableau) = (arrays.size, Tableau::of(arrays.method));
        let groups = counted_from_zero(&problem.groups);
        let group_count = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let name = |what: &str| format!("{}_{what}", problem.name);
        let group = module.integers(&name("group"), &groups, "group of each component");
        let rates = problem.rate_of.iter().enumerate().map(|(at, of)| of.unwrap_or(at) as i64).collect::<Vec<_>>();
        let rate_of = module.integers(&name("rate_of"), &rates, "the component whose rate each is, or itself");
        let mut array = |what, kind: Type, length, note| module.array(&name(what), kind, length, note);
        Template {
            arrays,
            problem,
            tableau,
            step: array("step", Real, 1, "the step to try next"),
            old_error: array("old_error", Real, 1, "error of the last accepted step"),
            rejected: array("rejected", Integer, 1, "1 after a rejected trial"),
            refused: array("refused", Integer, 1, "1 after a trial that the derivative refused"),
            forced: array("forced", Integer, 1, "1 after a step of the least length with any error"),
            first: array("first", Integer, 1, "the slope at time: 0 in place, 1 at the end, 2 to be evaluated"),
            dense: array("dense", Integer, 1, "to interpolate with: 0 nothing, 1 slopes, 2 coefficients"),
            coefficients: array("coefficients", Real, tableau.coefficients() * n, "interpolating polynomial"),
            size: array("size", Real, n, "largest magnitude of each component"),
            group,
            rate_of,
            group_size: array("group_size", Real, group_count, "largest magnitude in each group"),
            trial_size: array("trial_size", Real, group_count, "the same with the step under trial"),
        }
    }

    /// The number of components.
    fn n(&self) -> usize {
        self.arrays.size
    }

    fn function(
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
    let mut known = Vec::new();
    let mut number = |group: &usize| {
        known.iter().position(|other| other == group).unwrap_or_else(|| {
            known.push(*group);
            known.len() - 1
        }) as i64
    };
    groups.iter().map(&mut number).collect()
}
