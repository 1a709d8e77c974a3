//! Adaptive linearly implicit integration of M y′ = f(t, y) with dense output, forward in time, for stiff systems and for those
//! with algebraic unknowns. M is one for the former components and zero for the latter, which must be of index 1: the
//! algebraic equations determine the algebraic unknowns.
//!
//! Hairer and Wanner, *Solving Ordinary Differential Equations II*, sections IV.7 and VI.3. Each step takes one Jacobian, one
//! factorisation of M / (h γ) − ∂f/∂y, and a substitution for each stage; nothing is iterated.

mod rodas_5p;

mod dense;
mod matrix;
mod stages;
mod start;

use crate::sparse::SparseSolver;
use crate::steps::{First, Integrator, IntegratorArrays, IntegratorProblem, Scheme, Steps};
use kernel::{ArrayId, Expression, FunctionId, LocalId, ModuleBuilder};
use matrix::Matrix;

pub use matrix::ImplicitPattern;

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
/// If there are not as many groups and rates as components.
pub fn implicit_integrator(
    module: &mut ModuleBuilder,
    arrays: &IntegratorArrays,
    problem: &ImplicitProblem,
) -> Integrator {
    let steps = Steps::declare(module, arrays, &problem.steps, &rodas_5p::CONTROL);
    let (n, name) = (arrays.size, |what: &str| format!("{}_{what}", problem.steps.name));
    let matrix = Matrix::declare(module, problem);
    let increments = module.real_array(&name("increments"), rodas_5p::STAGES * n, "the increments of one step");
    let coefficients =
        module.real_array(&name("coefficients"), (1 + rodas_5p::DENSE.len()) * n, "interpolating polynomial");
    let scale = module.real_array(&name("scale"), n, "what corrections are measured by");
    let template = Template { steps, problem, solver: matrix.solver, matrix, increments, coefficients, scale };
    let scheme = Scheme {
        prepare: template.prepare(module),
        stages: template.stages(module),
        error: template.error(module),
        end_slope: None,
        stiffness_test: None,
        first: First::Unknown,
        estimate: &|i| template.increment(rodas_5p::STAGES - 1, i),
    };
    let attempt = template.steps.attempt(module, &scheme);
    Integrator {
        start: template.start(module),
        advance: template.steps.advance(module, attempt),
        sample: template.sample(module),
    }
}

/// What the kernel functions of one integrator share.
struct Template<'a> {
    steps: Steps<'a>,
    problem: &'a ImplicitProblem<'a>,
    matrix: Matrix,
    solver: SparseSolver,
    /// What each stage adds, n for each.
    increments: ArrayId,
    /// The coefficients of the interpolating polynomial.
    coefficients: ArrayId,
    /// What corrections of algebraic components are measured by, in one iteration (n).
    scale: ArrayId,
}

impl Template<'_> {
    fn n(&self) -> usize {
        self.steps.n()
    }

    /// Component i of an increment.
    fn increment(&self, stage: usize, i: LocalId) -> Expression {
        self.increments.at(i + stage * self.n())
    }

    /// Component i of several increments, weighed.
    fn sum(&self, weights: &[f64], i: LocalId) -> Expression {
        weighed(weights, |stage| self.increment(stage, i))
    }
}

/// Σ weightₖ termₖ
fn weighed(weights: &[f64], term: impl Fn(usize) -> Expression) -> Expression {
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
    let terms = terms.map(|(k, &weight)| if weight == 1.0 { term(k) } else { weight * term(k) });
    terms.reduce(|sum, term| sum + term).unwrap_or_else(|| 0.0.into())
}
