//! Adaptive implicit integration of M y′ = f(t, y) with dense output, forward in time, for stiff systems and for those with
//! algebraic unknowns. M is one for the differential components and zero for the algebraic ones, whose equations must determine
//! them: the index is 1.
//!
//! Hairer and Wanner, *Solving Ordinary Differential Equations II*. What the methods share is here: the beginning, and the
//! matrix M · weight − ∂f/∂y with the Jacobian that comes as a formula.

mod matrix;
mod start;

use crate::sparse::SparseSolver;
use crate::steps::{First, Integrator, IntegratorArrays, IntegratorProblem, Method, Scheme, StepControl, Steps};
use crate::{radau, rosenbrock};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

pub use matrix::ImplicitPattern;
pub(crate) use matrix::Matrix;

/// What is integrated implicitly. In the slopes, an algebraic equation has what it leaves.
#[derive(Clone, Debug)]
pub struct ImplicitProblem<'a> {
    pub steps: IntegratorProblem<'a>,
    pub pattern: &'a ImplicitPattern,
    /// `(t: real) -> integer`: reads `stage`, writes `jacobian` and `time_slopes`. Anything but 0 says that they do not exist.
    pub evaluate_jacobian: FunctionId,
    /// The derivatives of f by y, in the order of the entries of the pattern.
    pub jacobian: ArrayId,
    /// The derivatives of f by t (n).
    pub time_slopes: ArrayId,
}

/// Adds an implicit integrator over arrays that were declared before, as the derivative and the Jacobian use them.
///
/// As [`integrator`](crate::integrator), with these differences: algebraic components of `state` need only be a guess at
/// `start`, which solves for them, and there are two more ways to fail, [`SINGULAR`](Integrator::SINGULAR) and
/// [`INCONSISTENT`](Integrator::INCONSISTENT).
///
/// # Panics
/// If there are not as many groups and rates as components, or the method is explicit.
pub fn implicit_integrator(
    module: &mut ModuleBuilder,
    arrays: &IntegratorArrays,
    problem: &ImplicitProblem,
) -> Integrator {
    match arrays.method {
        Method::Rodas5P => rosenbrock::integrator(module, arrays, problem),
        Method::Radau13 => radau::integrator(module, arrays, problem),
        explicit => panic!("{explicit:?} is not implicit"),
    }
}

/// What the kernel functions of one implicit integrator share.
pub(crate) struct Implicit<'a> {
    pub steps: Steps<'a>,
    pub problem: &'a ImplicitProblem<'a>,
    pub matrix: Matrix,
    pub solver: SparseSolver,
    /// What corrections of components are measured by, in one iteration (n).
    pub scale: ArrayId,
    /// A correction of the state at the beginning (n).
    correction: ArrayId,
}

impl<'a> Implicit<'a> {
    pub fn declare(
        module: &mut ModuleBuilder,
        arrays: &'a IntegratorArrays,
        problem: &'a ImplicitProblem<'a>,
        control: &'static StepControl,
    ) -> Implicit<'a> {
        let steps = Steps::declare(module, arrays, &problem.steps, control);
        let name = |what: &str| format!("{}_{what}", problem.steps.name);
        let matrix = Matrix::declare(module, problem);
        let scale = module.real_array(&name("scale"), arrays.size, "what corrections are measured by");
        let correction = module.real_array(&name("correction"), arrays.size, "change of the first state");
        Implicit { steps, problem, solver: matrix.solver, matrix, scale, correction }
    }

    /// The integrator that the functions of a method make: stages, the error of a trial, and what samples the last step.
    pub fn integrator(
        &self,
        module: &mut ModuleBuilder,
        [stages, error, sample]: [FunctionId; 3],
        estimate: &dyn Fn(LocalId) -> Expression,
    ) -> Integrator {
        let prepare = self.prepare(module);
        let estimate: &dyn Fn(LocalId) -> Expression = &|i| estimate(i) / self.steps.trial_length.at(0);
        let first = First::Unknown;
        let scheme = Scheme { prepare, stages, error, end_slope: None, stiffness_test: None, first, estimate };
        let attempt = self.steps.attempt(module, &scheme);
        let settle = self.problem.pattern.is_differential.contains(&false).then(|| self.settle(module));
        Integrator {
            start: self.start(module, settle),
            advance: self.steps.advance(module, attempt),
            sample,
            cut: self.steps.cut(module, sample),
            retake: self.steps.retake(module),
            defect: self.steps.defect(module, sample, settle, self.differential() as usize),
            moved: self.steps.moved(module, settle),
        }
    }

    pub fn n(&self) -> usize {
        self.steps.n()
    }

    /// The number of differential components, at least one.
    pub fn differential(&self) -> f64 {
        self.problem.pattern.is_differential.iter().filter(|is| **is).count().max(1) as f64
    }

    /// `() -> integer`: the slope and the Jacobian at the current time. The code of a function that refused, or 0.
    fn prepare(&self, module: &mut ModuleBuilder) -> FunctionId {
        let note = "Takes the slope and the Jacobian at the current time.";
        let prepare = self.steps.function(module, "prepare", &[], &[Integer], note);
        module.define(prepare, |f| {
            let IntegratorArrays { state, stage, time, .. } = *self.steps.arrays;
            f.if_(self.steps.first.at(0).ne_(First::InPlace as i64), |f| {
                f.for_each("i", 0, self.n(), |f, i| f.store(stage, i, state.at(i)));
                self.steps.evaluate_or_return(f, time.at(0), 0);
                let code = self.linearise(f, time.at(0));
                f.if_(code.ne_(0), |f| f.return_(code));
            });
            f.store(self.steps.first, 0, First::InPlace as i64);
            f.return_(0);
        });
        prepare
    }

    /// The Jacobian at `stage`; the code of the function.
    pub fn linearise(&self, f: &mut FunctionBuilder, t: Expression) -> LocalId {
        self.steps.count(f, IntegratorArrays::JACOBIANS);
        let code = f.call1(self.problem.evaluate_jacobian, t);
        f.if_(code.ne_(0), |f| f.store(self.steps.arrays.failure_code, 0, code));
        // Where something begins like a root, its slope is infinite. Without it a step is less good, which its error tells.
        for slopes in [self.problem.jacobian, self.problem.time_slopes] {
            let length = f.module().length(slopes);
            f.for_each("k", 0, length, |f, k| {
                let slope = f.real("slope", slopes.at(k));
                f.if_((slope * 0.0).eq_(0.0).logical_not(), |f| f.store(slopes, k, 0.0));
            });
        }
        code
    }

    /// Factors a matrix; 0, or 1 + the row that is left without a pivot.
    pub fn factorise(&self, f: &mut FunctionBuilder, solver: &SparseSolver) -> LocalId {
        self.steps.count(f, IntegratorArrays::FACTORISATIONS);
        f.call1(solver.factorise, ())
    }

    /// The root of the mean square of a vector of differential components in units of what is allowed. Algebraic ones follow
    /// from these, and one that ought to be zero is nothing but rounding, by which nothing can be measured.
    pub fn norm(&self, f: &mut FunctionBuilder, value: impl Fn(LocalId) -> Expression) -> LocalId {
        let tolerance = self.steps.tolerance(f);
        let seconds = self.steps.trial_length.at(0);
        let value = |i| [value(i) * self.matrix.mass.at(i)];
        let [sum] = self.steps.sums_of_squares(f, tolerance, seconds, value);
        let norm = f.real("norm", (sum / self.steps.components()).sqrt());
        f.real("error", norm * (self.steps.components() / self.differential()).sqrt())
    }
}
