//! Linearly implicit steps (Hairer and Wanner, sections IV.7 and VI.3): each takes one Jacobian, one factorisation of
//! M / (h γ) − ∂f/∂y, and a substitution for each stage; nothing is iterated.

mod rodas_5p;

mod dense;
mod stages;

use crate::implicit::{Implicit, ImplicitProblem};
use crate::steps::{Integrator, IntegratorArrays};
use kernel::{ArrayId, Expression, LocalId, ModuleBuilder};

pub fn integrator(module: &mut ModuleBuilder, arrays: &IntegratorArrays, problem: &ImplicitProblem) -> Integrator {
    let implicit = Implicit::declare(module, arrays, problem, &rodas_5p::CONTROL);
    let (n, name) = (arrays.size, |what: &str| format!("{}_{what}", problem.steps.name));
    let increments = module.real_array(&name("increments"), rodas_5p::STAGES * n, "the increments of one step");
    let coefficients =
        module.real_array(&name("coefficients"), (1 + rodas_5p::DENSE.len()) * n, "interpolating polynomial");
    let template = Template { implicit, increments, coefficients };
    let functions = [template.stages(module), template.error(module), template.sample(module)];
    template.implicit.integrator(module, functions, &|i| template.increment(rodas_5p::STAGES - 1, i))
}

/// What the kernel functions of one integrator share.
struct Template<'a> {
    implicit: Implicit<'a>,
    /// What each stage adds, n for each.
    increments: ArrayId,
    /// The coefficients of the interpolating polynomial.
    coefficients: ArrayId,
}

impl Template<'_> {
    fn n(&self) -> usize {
        self.implicit.n()
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
pub fn weighed(weights: &[f64], term: impl Fn(usize) -> Expression) -> Expression {
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
    let terms = terms.map(|(k, &weight)| if weight == 1.0 { term(k) } else { weight * term(k) });
    terms.reduce(|sum, term| sum + term).unwrap_or_else(|| 0.0.into())
}
