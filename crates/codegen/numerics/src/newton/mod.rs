//! Damped Newton iteration for m equations in n unknowns, with the shortest step where that leaves a choice.
//!
//! Equations may depend on one another (m > n included): what depends on others is left out of the step, but must be
//! satisfied at the end. Deuflhard, *Newton Methods for Nonlinear Problems*, sections 3.1 and 4.4.

mod residual;
mod search;
mod shortest;
mod sparse_step;
mod step;

use crate::sparse::{Ragged, SparsePattern};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// The equations to solve.
#[derive(Clone, Debug)]
pub struct NewtonProblem<'a> {
    pub name: &'a str,
    /// Their number, m.
    pub equations: usize,
    /// The number of unknowns, n.
    pub unknowns: usize,
    /// The unknowns (n): before the call a guess, afterwards the solution or the best point found.
    pub x: ArrayId,
    /// What the equations leave at `x` (m).
    pub residual: ArrayId,
    /// The derivative of the residuals (m × n, row by row; or the entries of the pattern).
    pub jacobian: ArrayId,
    /// Where the derivative has entries, if there are many unknowns and few in each equation.
    pub pattern: Option<&'a JacobianPattern>,
    /// `() -> integer`: fills `residual` and `jacobian` from `x`; anything but 0 says that it could not.
    pub evaluate: FunctionId,
    /// Typical magnitudes of the unknowns (n, positive), which make unlike units comparable; `None` stands for ones.
    pub typical: Option<ArrayId>,
    /// Where it is wanted how independent the equations are.
    pub independence: Option<Independence>,
}

/// How far equations are from depending on one another: the least part of any of them that is new to the others, in relation to how long that
/// equation's row of the Jacobian has ever been. It vanishes with the distance to a place where they lose rank, as rows that vanish themselves do.
/// Equations that always depend on others do not count.
#[derive(Clone, Copy, Debug)]
pub struct Independence {
    /// The least of all calls since something larger was stored here (1).
    pub least: ArrayId,
    /// How long each row has been (m); zeros forget it.
    pub longest: ArrayId,
}

/// Where a sparse derivative has entries.
#[derive(Clone, Debug)]
pub enum JacobianPattern {
    /// There are as many equations as unknowns, and none depends on others.
    Square(SparsePattern),
    /// Row and column of each entry. Equations that depend on one another are told from others up to an angle of 10⁻⁶ between them.
    Any(Vec<(usize, usize)>),
}

impl JacobianPattern {
    /// For so many equations of any kind; None if the products of their rows with one another are not sparse.
    pub fn any(equations: usize, unknowns: usize, entries: Vec<(usize, usize)>) -> Option<JacobianPattern> {
        let products: usize = shortest::products(equations, unknowns, &entries).iter().map(Vec::len).sum();
        (products <= equations * equations / 4).then_some(JacobianPattern::Any(entries))
    }

    /// Row and column of each entry.
    pub fn entries(&self) -> &[(usize, usize)] {
        match self {
            JacobianPattern::Square(pattern) => &pattern.entries,
            JacobianPattern::Any(entries) => entries,
        }
    }
}

/// The solver of one problem, and what it tells about its last call.
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    /// `() -> integer`: [`SOLVED`](Newton::SOLVED), [`NOT_CONVERGED`](Newton::NOT_CONVERGED) or
    /// [`NOT_EVALUATED`](Newton::NOT_EVALUATED).
    pub solve: FunctionId,
    /// The number of steps taken.
    pub iterations: ArrayId,
    /// The number of equations that do not depend on others, at the last step.
    pub rank: ArrayId,
    /// The equation that is worst satisfied, in relation to what it may leave; −1 if none was measured.
    pub worst_equation: ArrayId,
    /// What that equation leaves.
    pub worst_residual: ArrayId,
}

impl Newton {
    /// Every equation is satisfied, the dependent ones too.
    pub const SOLVED: i64 = 0;
    /// The equations contradict one another, or the guess was too far away.
    pub const NOT_CONVERGED: i64 = 1;
    /// `evaluate` refused the guess, or every point in the direction of the step.
    pub const NOT_EVALUATED: i64 = 2;
}

/// What is said of the functions that solve, and of no others.
pub const NEWTON_NOTE: &str = "Newton's method: 0 solved, 1 not converged, 2 not evaluated.";

/// Adds a solver for the problem.
///
/// Needs: `x` filled with a guess. Gives: `x` at a solution, of the nearest ones if there are many; `residual` and
/// `jacobian` belong to it. Keeps: nothing between calls. Linear problems take one step and a look at the result.
///
/// An equation is satisfied exactly if it leaves what rounding leaves of Σ |∂r/∂xⱼ| |xⱼ|, where |xⱼ| is the larger one
/// of before and after the last step, and at least 1 % of the typical one, if that is given. Where the evaluation
/// rounds more than that, the iteration ends when its steps become negligible, and 10⁻⁹ of that sum will do.
///
/// # Panics
/// If there are equations but no unknowns.
pub fn newton(module: &mut ModuleBuilder, problem: &NewtonProblem) -> Newton {
    let name = problem.name;
    let solver = Newton {
        solve: module.declare(&format!("{name}_solve"), &[], &[Integer]),
        iterations: module.integer_array(&format!("{name}_iterations"), 1, "steps taken by the last call"),
        rank: module.integer_array(&format!("{name}_rank"), 1, "independent equations at the last step"),
        worst_equation: module.integers(&format!("{name}_worst_equation"), &[-1], "the least satisfied equation"),
        worst_residual: module.real_array(&format!("{name}_worst_residual"), 1, "what that equation leaves"),
    };
    module.describe(solver.solve, NEWTON_NOTE);
    if problem.equations == 0 {
        module.define(solver.solve, |f| f.return_(Newton::SOLVED));
        return solver;
    }
    assert!(problem.unknowns > 0, "`{name}` has equations but no unknowns");
    let template = Template::declare(module, problem, solver);
    let step = match problem.pattern {
        None => template.step(module),
        Some(JacobianPattern::Square(pattern)) => template.sparse_step(module, pattern),
        Some(JacobianPattern::Any(entries)) => template.sparse_shortest_step(module, entries),
    };
    let parts = Parts { measure: template.measure(module), step, search: template.search(module) };
    module.define(solver.solve, |f| template.solve(f, &parts));
    solver
}

/// What an equation may leave, in relation to its terms, when the iteration cannot improve it.
// Test: contradictions_are_named
const ACCEPTED: f64 = 1e-9;
/// A step that changes no unknown by more than this part of it is followed by at most one other: convergence is
/// quadratic.
const NEGLIGIBLE: f64 = 1e-7;
/// What constants in the equations may leave by rounding where all unknowns are zero, in units of typical unknowns.
// Test: small_unknowns_are_solved_as_well_as_large_ones
const NOISE: f64 = 1e-13;
/// An unknown that stays below this part of what is typical counts as that large.
const SMALL: f64 = 1e-2;
/// The full step, and its halves.
const MOST_TRIALS: i64 = 11;
/// Enough to converge linearly to a double root.
const MOST_ITERATIONS: i64 = 60;

/// The arrays that the parts of one solver share.
struct Template<'a> {
    problem: &'a NewtonProblem<'a>,
    solver: Newton,
    /// The magnitude of each unknown, before or after the last step: a solution may be zero.
    size: ArrayId,
    /// Where the step begins.
    origin: ArrayId,
    /// The full step.
    change: ArrayId,
    /// 1 / the length of each row of the Jacobian in typical unknowns, or 0 for an empty row.
    weight: ArrayId,
    /// The entries of each row, and their columns, if there is a pattern.
    sparse: Option<SparseRows>,
}

/// The rows of a sparse Jacobian.
#[derive(Clone, Copy)]
struct SparseRows {
    columns: Ragged,
    entry: ArrayId,
}

impl SparseRows {
    fn declare(module: &mut ModuleBuilder, problem: &NewtonProblem, pattern: &JacobianPattern) -> SparseRows {
        let (mut columns, mut entries) = (vec![Vec::new(); problem.equations], vec![Vec::new(); problem.equations]);
        for (entry, &(row, column)) in pattern.entries().iter().enumerate() {
            columns[row].push(column);
            entries[row].push(entry as i64);
        }
        let name = |what: &str| format!("{}_{what}", problem.name);
        SparseRows {
            columns: Ragged::declare(module, &name("row"), &columns, "columns of the Jacobian"),
            entry: module.integers(&name("row_entry"), &entries.concat(), "entries of the Jacobian"),
        }
    }
}

/// The kernel functions that `solve` is made of.
struct Parts {
    measure: FunctionId,
    step: FunctionId,
    search: FunctionId,
}

impl<'a> Template<'a> {
    fn declare(module: &mut ModuleBuilder, problem: &'a NewtonProblem<'a>, solver: Newton) -> Template<'a> {
        let (name, m, n) = (problem.name, problem.equations, problem.unknowns);
        let sparse = problem.pattern.map(|pattern| SparseRows::declare(module, problem, pattern));
        let mut array = |what: &str, length, note: &str| module.real_array(&format!("{name}_{what}"), length, note);
        Template {
            problem,
            solver,
            size: array("size", n, "magnitude of each unknown"),
            origin: array("origin", n, "where the step begins"),
            change: array("change", n, "the full step"),
            weight: array("weight", m, "1 / length of each row of the Jacobian"),
            sparse,
        }
    }

    /// Notes which part of row i is new to others, if that is wanted.
    fn note_independence(&self, f: &mut FunctionBuilder, i: &Expression, new: Expression) {
        let Some(Independence { least, longest }) = self.problem.independence else { return };
        // What the row has been, in units of its length now.
        let part = new / (self.weight.at(i.clone()) * longest.at(i.clone()));
        f.store(least, 0, part.min(least.at(0)));
    }

    /// Notes how long row i is, if that is wanted.
    fn note_length(&self, f: &mut FunctionBuilder, i: LocalId, length: LocalId) {
        let Some(Independence { longest, .. }) = self.problem.independence else { return };
        f.store(longest, i, length.max(longest.at(i)));
    }

    /// The iteration itself.
    fn solve(&self, f: &mut FunctionBuilder, parts: &Parts) {
        f.store(self.solver.iterations, 0, 0);
        f.store(self.solver.worst_equation, 0, -1);
        f.for_each("j", 0, self.problem.unknowns, |f, j| f.store(self.origin, j, self.problem.x.at(j)));
        self.note_sizes(f);
        let refused = f.call1(self.problem.evaluate, ());
        f.if_(refused.ne_(0), |f| f.return_(Newton::NOT_EVALUATED));

        let settled = f.integer("settled", 0);
        f.for_each("iteration", 0, MOST_ITERATIONS, |f, iteration| {
            let [exact, acceptable] = f.call_n(parts.measure, ());
            if self.problem.independence.is_some() {
                // No step is taken from here, but rows are compared on the way to it.
                f.if_(exact.and(iteration.eq_(0)), |f| drop(f.call(parts.step, ())));
            }
            f.if_(exact.or(settled.ge(2).and(acceptable)), |f| f.return_(Newton::SOLVED));
            f.call(parts.step, ());
            let negligible = self.is_negligible(f);
            // Halves of a negligible step would only count roundings.
            let [status, full] = f.call_n(parts.search, negligible.select(1, MOST_TRIALS));
            f.if_(status.ne_(0), |f| self.stop(f, parts, status.get()));
            f.store(self.solver.iterations, 0, iteration + 1);
            self.note_sizes(f);
            f.assign(settled, full.and(negligible).select(settled + 1, 0));
        });
        self.stop(f, parts, Newton::NOT_CONVERGED.into());
    }

    /// Ends where no step improves anything: that is a solution if what is left can be accepted.
    fn stop(&self, f: &mut FunctionBuilder, parts: &Parts, status: Expression) {
        let [_, acceptable] = f.call_n(parts.measure, ());
        f.return_(acceptable.select(Newton::SOLVED, status));
    }

    fn note_sizes(&self, f: &mut FunctionBuilder) {
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            let size = self.problem.x.at(j).abs().max(self.origin.at(j).abs());
            let least = self.problem.typical.map(|typical| typical.at(j) * SMALL);
            f.store(self.size, j, least.into_iter().fold(size, |size, least| size.max(least)));
        });
    }

    /// Whether the full step changes no unknown to speak of.
    fn is_negligible(&self, f: &mut FunctionBuilder) -> LocalId {
        let negligible = f.integer("negligible", 1);
        f.for_each("j", 0, self.problem.unknowns, |f, j| {
            let least = self.size.at(j) * NEGLIGIBLE + self.typical(NOISE.into(), j.get());
            f.assign(negligible, negligible.and(self.change.at(j).abs().le(least)));
        });
        negligible
    }

    /// A factor in the unit of unknown j.
    fn typical(&self, factor: Expression, j: Expression) -> Expression {
        match self.problem.typical {
            Some(typical) => factor * typical.at(j),
            None => factor,
        }
    }

    /// For each unknown of equation i: its number, and the derivative of the equation by it.
    fn each_slope(
        &self,
        f: &mut FunctionBuilder,
        i: LocalId,
        body: impl FnOnce(&mut FunctionBuilder, LocalId, Expression),
    ) {
        match self.sparse {
            None => f.for_each("j", 0, self.problem.unknowns, |f, j| {
                body(f, j, self.problem.jacobian.at(i * self.problem.unknowns + j));
            }),
            Some(SparseRows { columns, entry }) => columns.each(f, i, |f, at, column| {
                let j = f.integer("j", column);
                body(f, j, self.problem.jacobian.at(entry.at(at)));
            }),
        }
    }

    /// The derivative of equation i, per typical unknown j.
    fn slope(&self, i: &Expression, j: &Expression) -> Expression {
        self.typical(self.problem.jacobian.at(i * self.problem.unknowns + j), j.clone())
    }
}
