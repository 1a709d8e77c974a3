//! Steps of a fixed length, each taken as a whole by a function of its own. No error is estimated, and between the ends of a step states change
//! evenly: whatever happens within it is gathered at its end.

use crate::steps::{First, Integrator, IntegratorArrays, IntegratorProblem, Scheme, StepControl, Steps};
use kernel::{Expression, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Every step is as long as the longest one may be, but for one that would fail, or that ends where somebody wants an end.
const CONTROL: StepControl = StepControl {
    error_power: 64,
    memory_power: 1,
    start_power: 64,
    least_factor: 0.1,
    greatest_factor: 2.0,
    memory_of_size: 1.0,
    least_part: f64::INFINITY,
};

/// Adds an integrator over arrays that were declared before. `take` is `(t: real, end: real) -> integer`: from `state` it finds what the state is
/// at the end, and leaves that in `stage`; anything but 0 says that there is no such state. Steps are as long as `longest_step` says.
pub fn stepping_integrator(
    module: &mut ModuleBuilder,
    arrays: &IntegratorArrays,
    problem: &IntegratorProblem,
    take: FunctionId,
) -> Integrator {
    let steps = Steps::declare(module, arrays, problem, &CONTROL);
    let rise = module.real_array(&format!("{}_rise", problem.name), arrays.size, "what the last step adds");
    let prepare = steps.function(module, "prepare_step", &[], &[Integer], "Nothing is needed before a step.");
    module.define(prepare, |f| f.return_(0));
    let error = steps.function(module, "error", &[("h", Real)], &[Real], "None that is known, if the end is finite.");
    module.define(error, |f| {
        let zero = f.real("zero", 0.0);
        f.for_each("i", 0, arrays.size, |f, i| {
            f.store(rise, i, arrays.stage.at(i) - arrays.state.at(i));
            // Zero times a finite number is zero, and times any other is not a number.
            f.increase(zero, arrays.stage.at(i) * 0.0);
        });
        f.return_(zero);
    });
    let scheme = Scheme {
        prepare,
        stages: take,
        error,
        end_slope: None,
        stiffness_test: None,
        first: First::InPlace,
        estimate: &|_| Expression::from(0.0),
    };
    let attempt = steps.attempt(module, &scheme);
    let sample = steps.sample(
        module,
        |_| (),
        |f, t| {
            let IntegratorArrays { sampled, previous, computed_end, previous_time, .. } = *arrays;
            let length = f.real("length", computed_end.at(0) - previous_time.at(0));
            let share = f.real("share", (t - previous_time.at(0)) / length);
            f.for_each("i", 0, arrays.size, |f, i| f.store(sampled, i, previous.at(i) + share * rise.at(i)));
        },
    );
    Integrator {
        start: start(module, &steps),
        advance: steps.advance(module, attempt),
        sample,
        cut: steps.cut(module, sample),
        retake: steps.retake(module),
        defect: steps.defect(module, sample, None, arrays.size),
        moved: steps.moved(module, None),
    }
}

/// `(t: real) -> integer`: begins at the state.
fn start(module: &mut ModuleBuilder, steps: &Steps<'_>) -> FunctionId {
    let note = "Begins at the state: 0, or 3 if there is no derivative.";
    let start = steps.function(module, "start", &[("t", Real)], &[Integer], note);
    module.define(start, |f| {
        let [t] = f.parameters();
        steps.reset(f, t);
        let code = steps.evaluate(f, t.get(), 0);
        let finite = steps.is_finite(f, 0);
        f.if_(code.eq_(0).and(finite).logical_not(), |f| {
            f.store(steps.arrays.failure_code, 0, code);
            steps.fail(f, Integrator::NOT_EVALUATED);
        });
        f.store(steps.step, 0, steps.arrays.longest_step.at(0));
        f.return_(Integrator::REACHED);
    });
    start
}
