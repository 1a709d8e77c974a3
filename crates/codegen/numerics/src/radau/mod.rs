//! Implicit steps by collocation (Hairer and Wanner, sections IV.5 and IV.8): a polynomial that satisfies the equations at seven
//! moments of the step. Newton's method finds it, with one Jacobian for each step. As the equations themselves are what is
//! satisfied, not a linearisation of them, a result is as good as they can be evaluated, whatever elimination loses.

mod radau_13;

mod dense;
mod pair;
mod stages;

use crate::implicit::{Implicit, ImplicitProblem};
use crate::steps::{Integrator, IntegratorArrays};
use kernel::{ArrayId, Expression, LocalId, ModuleBuilder};
use pair::Pair;

pub use radau_13::STAGES;

pub fn integrator(module: &mut ModuleBuilder, arrays: &IntegratorArrays, problem: &ImplicitProblem) -> Integrator {
    let implicit = Implicit::declare(module, arrays, problem, &radau_13::CONTROL);
    let (n, name) = (arrays.size, |what: &str| format!("{}_{what}", problem.steps.name));
    let mut array = |what, length, note| module.real_array(&name(what), length, note);
    let increments = array("increments", STAGES * n, "from the state to each stage");
    let parts = array("parts", STAGES * n, "corrections of the increments, split");
    let coefficients = array("coefficients", STAGES * n, "increments of the last step, to interpolate");
    let error = array("error_estimate", n, "estimated error of the trial");
    let iterations =
        module.integer_array(&name("iterations"), 1, "iterations of the trial; 0 if they did not converge");
    let nodes = module.reals(&name("nodes"), &radau_13::NODES, "where in the step the equations hold");
    let pairs = std::array::from_fn(|number| Pair::declare(module, problem, number));
    let template = Template { implicit, pairs, increments, parts, coefficients, error, iterations, nodes };
    let functions = [template.stages(module), template.error(module), template.sample(module)];
    template.implicit.integrator(module, functions, &|i| template.error.at(i))
}

/// What the kernel functions of one integrator share.
struct Template<'a> {
    implicit: Implicit<'a>,
    pairs: [Pair; STAGES / 2],
    /// From the state to each stage, n for each.
    increments: ArrayId,
    /// What the iteration adds to them: a real part, then pairs, n for each.
    parts: ArrayId,
    /// The increments of the last step.
    coefficients: ArrayId,
    error: ArrayId,
    iterations: ArrayId,
    nodes: ArrayId,
}

impl Template<'_> {
    fn n(&self) -> usize {
        self.implicit.n()
    }

    /// Component i of each stage of an array.
    fn of_stages(&self, array: ArrayId, i: LocalId) -> [Expression; STAGES] {
        std::array::from_fn(|stage| array.at(i + stage * self.n()))
    }
}
