//! Adaptive explicit Runge–Kutta integration of y′ = f(t, y) with dense output, forward in time.
//!
//! Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, sections II.4 to II.6 and II.10. One
//! template serves all methods; a [`Tableau`] makes the difference.

mod tableau;

mod dormand_prince_5;
mod dormand_prince_8;

mod dense;
mod error;
mod stages;
mod start;
mod stiffness;

pub use tableau::Tableau;

use crate::steps::{First, Integrator, IntegratorArrays, IntegratorProblem, Scheme, Steps};
use kernel::{ArrayId, ModuleBuilder};
use tableau::ErrorEstimate;

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
/// let problem = IntegratorProblem {
///     name: "growth", derivative, after_step: None, constraints: None, groups: vec![0], rate_of: vec![None],
/// };
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
/// If there are not as many groups and rates as components, or the method of the arrays is no explicit one.
pub fn integrator(module: &mut ModuleBuilder, arrays: &IntegratorArrays, problem: &IntegratorProblem) -> Integrator {
    let tableau = Tableau::of(arrays.method);
    let steps = Steps::declare(module, arrays, problem, &tableau.control);
    let coefficients = format!("{}_coefficients", problem.name);
    let coefficients =
        module.real_array(&coefficients, tableau.coefficients() * arrays.size, "interpolating polynomial");
    let template = Template { steps, tableau, coefficients };
    let (ErrorEstimate::Embedded(weights) | ErrorEstimate::Combined { fifth: weights, .. }) = tableau.error;
    let scheme = Scheme {
        prepare: template.first_slope(module),
        stages: template.stages(module),
        error: template.error(module),
        end_slope: (!tableau.error_needs_end()).then(|| template.end_slope(module)),
        stiffness_test: Some(template.stiffness_test(module)),
        first: First::AtEnd,
        estimate: &|i| template.sum(weights, i),
    };
    let attempt = template.steps.attempt(module, &scheme);
    let sample = template.sample(module);
    Integrator {
        start: template.start(module),
        advance: template.steps.advance(module, attempt),
        sample,
        cut: template.steps.cut(module, sample),
        retake: template.steps.retake(module),
        defect: template.steps.defect(module, sample, None, arrays.size),
        moved: template.steps.moved(module, None),
    }
}

/// What the kernel functions of one integrator share.
struct Template<'a> {
    steps: Steps<'a>,
    tableau: &'static Tableau,
    /// The coefficients of the interpolating polynomial.
    coefficients: ArrayId,
}
