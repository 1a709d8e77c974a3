//! Systems of equations: linear ones by elimination, nonlinear ones by Newton's method with the shortest step.

use expr::{Expr, SymbolId};
use kernel::Type::Integer;
use kernel::{ArrayId, Expression, FunctionId, LocalId, Statement, Term, protocol};
use numerics::{
    DenseSolver, Independence, JacobianPattern, Newton, NewtonProblem, SparsePattern, dense_solver, newton,
    sparse_solver,
};
use program::{LinearSystem, NonlinearSystem, Program, SystemRole, strengths};
use rustc_hash::FxHashSet;

use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::{Row, Target};

/// Larger systems are eliminated along tables, if they are sparse.
const MOST_DENSE: usize = 64;
/// Sparse is what has entries in one place of so many.
const FULL: usize = 4;
/// The zeros of larger matrices are written by a loop.
const MOST_WRITTEN_OUT: usize = 16;

/// A linear system whose entries have been computed.
pub(crate) struct Evaluated<'s> {
    pub system: &'s LinearSystem,
    /// Row by row, where they are not zero.
    pub matrix: Vec<(usize, usize, Expression)>,
    pub right: Vec<Expression>,
    pub time: &'s Expression,
}

impl Body<'_, '_, '_> {
    pub fn linear(&mut self, system: &LinearSystem, scope: &mut Scope, time: &Expression) {
        if system.unknowns.len() > MOST_DENSE && self.sparse(system, scope, time) {
            return;
        }
        let mut roots: Vec<Expr> = system.matrix.iter().map(|&(_, _, value)| value).collect();
        roots.extend(&system.right);
        let mut values = self.emit(&roots, scope);
        let right = values.split_off(system.matrix.len());
        let matrix = system.matrix.iter().zip(values).map(|(&(row, column, _), value)| (row, column, value)).collect();
        let evaluated = Evaluated { system, matrix, right, time };
        let unknowns = match &system.pivots {
            _ if system.unknowns.len() == 1 => vec![self.quotient(evaluated)],
            _ if system.unknowns.len() == 2 && evaluated.matrix.len() == 4 => self.determinants(evaluated),
            Some(pivots) => self.eliminate(evaluated, pivots),
            None => {
                let solver = self.dense_solver(system);
                self.f.module().set_rare(solver.solve, false);
                self.dense(evaluated)
            }
        };
        for (&unknown, value) in system.unknowns.iter().zip(unknowns) {
            scope.bind(unknown, value.into());
        }
    }

    /// By the dense solver, with pivoting.
    pub fn dense(&mut self, Evaluated { system, matrix, right, time }: Evaluated<'_>) -> Vec<LocalId> {
        let n = system.unknowns.len();
        let solver = self.dense_solver(system);
        let places: Vec<usize> = matrix.iter().map(|&(row, column, _)| row * n + column).collect();
        self.clear(solver.matrix, n * n, &places);
        for (row, column, value) in matrix {
            self.f.store(solver.matrix, row * n + column, value);
        }
        self.store_all(solver.right, right);
        let status = self.f.call1(solver.solve, ());
        self.fail_if(status.ne_(0), protocol::SINGULAR, system.id, status.get() - 1, time);
        (0..n).map(|at| self.f.bind(&self.unknown_name(system, at), solver.right.at(at))).collect()
    }

    /// Zeros in an array of this length, except at places that get values; in a large one, there too.
    fn clear(&mut self, array: ArrayId, length: usize, except: &[usize]) {
        if length > MOST_WRITTEN_OUT * MOST_WRITTEN_OUT {
            return self.f.for_each("at", 0, length, |f, at| f.store(array, at, 0.0));
        }
        let mut zero = vec![true; length];
        except.iter().for_each(|&at| zero[at] = false);
        for at in (0..length).filter(|&at| zero[at]) {
            self.f.store(array, at, 0.0);
        }
    }

    /// By elimination along tables; false if the matrix is rather full, or there are not pivots for all rows. The unknowns stay in
    /// the array of the solver.
    fn sparse(&mut self, system: &LinearSystem, scope: &mut Scope, time: &Expression) -> bool {
        let n = system.unknowns.len();
        if system.matrix.len() > n * n / FULL {
            return false;
        }
        let Program { arena, points, .. } = self.lowering.program;
        let entries = system.matrix.iter().map(|&(row, column, _)| (row, column)).collect();
        let Some(pattern) = SparsePattern::new(n, entries, &strengths(arena, &system.matrix, points)) else {
            return false;
        };
        let name = format!("system{}_sparse", system.id.0);
        let solver = sparse_solver(self.f.module(), &name, &pattern);
        let columns: Vec<i64> = pattern.column_of_row.iter().map(|&column| column as i64).collect();
        let unknown = self.f.module().integers(&format!("{name}_unknown"), &columns, "the unknown of each equation");
        let matrix: Vec<Row> = system.matrix.iter().map(|&(_, _, value)| value).enumerate().collect();
        self.store_rows(&Target { array: solver.matrix, offset: 0.into() }, &matrix, scope);
        let right: Vec<Row> = system.right.iter().copied().enumerate().collect();
        self.store_rows(&Target { array: solver.right, offset: 0.into() }, &right, scope);
        let status = self.f.call1(solver.factorise, ());
        self.fail_if(status.ne_(0), protocol::SINGULAR, system.id, unknown.at(status - 1), time);
        self.f.call(solver.solve, ());
        for (at, &unknown) in system.unknowns.iter().enumerate() {
            scope.bind(unknown, solver.right.at(at));
        }
        true
    }

    /// A solver for systems of this size; one serves all of them, since none is solved inside another.
    fn dense_solver(&mut self, system: &LinearSystem) -> DenseSolver {
        let n = system.unknowns.len();
        if let Some(&known) = self.lowering.dense_solvers.get(&n) {
            return known;
        }
        let solver = dense_solver(self.f.module(), &format!("dense{n}"), n);
        // What is written out hardly ever needs it.
        self.f.module().set_rare(solver.solve, true);
        self.lowering.dense_solvers.insert(n, solver);
        solver
    }

    pub fn unknown_name(&self, system: &LinearSystem, at: usize) -> String {
        self.lowering.program.arena.symbol_name(system.unknowns[at]).to_string()
    }

    /// One equation in one unknown.
    fn quotient(&mut self, Evaluated { system, matrix, right, time }: Evaluated<'_>) -> LocalId {
        let coefficient = matrix.into_iter().next().map_or_else(|| Expression::from(0.0), |(_, _, value)| value);
        let right = right.into_iter().next().unwrap_or_else(|| Expression::from(0.0));
        if matches!(&coefficient, Expression::Constant(value) if value.as_real() == Some(1.0)) {
            return self.f.bind(&self.unknown_name(system, 0), right);
        }
        let coefficient = self.f.bind("coefficient", coefficient);
        let unusable = self.unusable(coefficient);
        self.fail_if(unusable, protocol::SINGULAR, system.id, Expression::from(0), time);
        self.f.bind(&self.unknown_name(system, 0), right / coefficient)
    }

    /// The seeds are stored, with all else that the equations speak of; Newton's method does the rest.
    pub fn nonlinear(&mut self, system: &NonlinearSystem, scope: &mut Scope, time: &Expression) {
        if let Some(pattern) = self.sparse_pattern(system) {
            return self.sparse_nonlinear(system, &pattern, scope, time);
        }
        let seeds = self.emit(&system.seeds, scope);
        if system.residuals.is_empty() {
            let keep = |seed: Expression| match seed {
                Expression::Constant(_) => seed,
                _ => self.f.bind("kept", seed).into(),
            };
            let values: Vec<Expression> = seeds.into_iter().map(keep).collect();
            for (&unknown, value) in system.unknowns.iter().zip(values) {
                scope.bind(unknown, value);
            }
            return;
        }
        let (x, solver) = self.newton(system, scope, None);
        let seeds: Vec<Expression> = seeds.into_iter().map(|seed| self.f.bind("seed", seed).into()).collect();
        let status = self.f.local("status", Integer);
        self.search(x, &seeds, solver, status);
        if self.lowering.is_masked(&system.residuals) {
            self.with_all_rows(status.ne_(Newton::SOLVED), |body| body.search(x, &seeds, solver, status));
        }
        if self.is_start(system) {
            self.search_nearby(x, &seeds, solver, status);
        }
        self.fail_unless_solved(system, solver, status, time);
        for (at, &unknown) in system.unknowns.iter().enumerate() {
            let name = self.lowering.program.arena.symbol_name(unknown);
            let value = self.f.bind(name, x.at(at));
            scope.bind(unknown, value.into());
        }
    }

    /// The pattern of a large system of which every equation knows few unknowns.
    fn sparse_pattern(&self, system: &NonlinearSystem) -> Option<JacobianPattern> {
        let (m, n) = (system.residuals.len(), system.unknowns.len());
        if n <= MOST_DENSE || system.jacobian.len() > m * n / FULL {
            return None;
        }
        let Program { arena, points, .. } = self.lowering.program;
        let entries = system.jacobian.iter().map(|&(row, column, _)| (row, column)).collect();
        let masked = || self.lowering.is_masked(&system.residuals);
        if m != n || masked() {
            return JacobianPattern::any(m, n, entries);
        }
        SparsePattern::new(n, entries, &strengths(arena, &system.jacobian, points)).map(JacobianPattern::Square)
    }

    /// Newton's method with elimination along tables. The unknowns stay in the array of the solver.
    fn sparse_nonlinear(
        &mut self,
        system: &NonlinearSystem,
        pattern: &JacobianPattern,
        scope: &mut Scope,
        time: &Expression,
    ) {
        let (x, solver) = self.newton(system, scope, Some(pattern));
        let n = system.unknowns.len();
        let name = format!("system{}_seeds", system.id.0);
        let seeds = self.f.module().real_array(&name, n, "where the search begins");
        let rows: Vec<Row> = system.seeds.iter().copied().enumerate().collect();
        self.store_rows(&Target { array: seeds, offset: 0.into() }, &rows, scope);
        let status = self.f.local("status", Integer);
        let search = |body: &mut Body<'_, '_, '_>| {
            body.f.for_each("j", 0, n, |f, j| f.store(x, j, seeds.at(j)));
            body.f.call_into(&[status], solver.solve, ());
        };
        search(self);
        if self.lowering.is_masked(&system.residuals) {
            self.with_all_rows(status.ne_(Newton::SOLVED), search);
        }
        if self.is_start(system) {
            for attempt in 1..=TRIES {
                let nudges: Vec<f64> = (0..n).map(|at| beside(attempt, at)).collect();
                let nudges = self.f.module().reals(&format!("{name}_beside{attempt}"), &nudges, "where else to begin");
                self.f.if_(status.ne_(Newton::SOLVED), |f| {
                    f.for_each("j", 0, n, |f, j| f.store(x, j, seeds.at(j) + nudges.at(j)));
                    f.call_into(&[status], solver.solve, ());
                });
            }
        }
        self.fail_unless_solved(system, solver, status, time);
        for (at, &unknown) in system.unknowns.iter().enumerate() {
            scope.bind(unknown, x.at(at));
        }
    }

    /// Whether anything that is found will do.
    fn is_start(&self, system: &NonlinearSystem) -> bool {
        let role = self.lowering.program.systems[system.id.index()].role;
        matches!(role, SystemRole::InitialPositions | SystemRole::Start)
    }

    fn fail_unless_solved(&mut self, system: &NonlinearSystem, solver: Newton, status: LocalId, time: &Expression) {
        let values = self.lowering.failure_values;
        self.f.if_(status.ne_(Newton::SOLVED), |f| f.store(values, 1, solver.worst_residual.at(0)));
        let code = status.eq_(Newton::NOT_EVALUATED).select(protocol::NOT_EVALUATED, protocol::NOT_SOLVED);
        self.fail_if(status.ne_(Newton::SOLVED), code, system.id, solver.worst_equation.at(0), time);
    }

    fn search(&mut self, x: ArrayId, seeds: &[Expression], solver: Newton, status: LocalId) {
        self.store_all(x, seeds.to_vec());
        self.f.call_into(&[status], solver.solve, ());
    }

    /// A guess where a distance is zero or a linkage is stretched out has no direction to go. If the search from it failed, it is
    /// tried from places beside it; if these fail too, once more from the guess itself, which the message will speak of.
    fn search_nearby(&mut self, x: ArrayId, seeds: &[Expression], solver: Newton, status: LocalId) {
        for attempt in 1..=TRIES {
            let nudged = |(at, seed): (usize, &Expression)| seed.clone() + beside(attempt, at);
            let seeds: Vec<Expression> = seeds.iter().enumerate().map(nudged).collect();
            let again = self.block(|body| body.search(x, &seeds, solver, status));
            self.f.push(Statement::If { condition: status.ne_(Newton::SOLVED), then: again, otherwise: Vec::new() });
        }
    }

    /// The solver of one system, and the function that evaluates its equations. What these speak of besides the unknowns is
    /// handed over in an array, as a closure would.
    fn newton(
        &mut self,
        system: &NonlinearSystem,
        scope: &mut Scope,
        pattern: Option<&JacobianPattern>,
    ) -> (ArrayId, Newton) {
        let (m, n) = (system.residuals.len(), system.unknowns.len());
        let name = format!("system{}", system.id.0);
        let module = self.f.module();
        let x = module.real_array(&format!("{name}_unknowns"), n, "the unknowns");
        let residual = module.real_array(&format!("{name}_residuals"), m, "what the equations leave");
        let entries = pattern.map_or(m * n, |pattern| pattern.entries().len());
        let jacobian = module.real_array(&format!("{name}_jacobian"), entries, "their derivatives, row by row");
        let given = self.given(system);
        let array =
            self.f.module().real_array(&format!("{name}_given"), given.len(), "what else the equations speak of");
        let arena = &self.lowering.program.arena;
        let values: Vec<Row> = given.iter().map(|&symbol| arena.symbol(symbol)).enumerate().collect();
        self.store_rows(&Target { array, offset: 0.into() }, &values, scope);
        if pattern.is_none() && self.lowering.program.changes.is_some() {
            // Modes share this array, and what is zero in one of them need not have been in the last.
            let places: Vec<usize> = system.jacobian.iter().map(|&(row, column, _)| row * n + column).collect();
            self.clear(jacobian, m * n, &places);
        }
        let evaluate = self.evaluate(system, &name, &given, [x, residual, jacobian, array], pattern);
        let module = self.f.module();
        // Velocities have the slopes of positions, at the positions that were found: comparing these too would only cost.
        let role = self.lowering.program.systems[system.id.index()].role;
        let compared = self.lowering.independence.as_mut().filter(|_| role != SystemRole::StabilizePositions);
        let independence = compared.map(|independence| {
            let longest = module.real_array(&format!("{name}_longest"), m, "how long each row has been");
            independence.longest.push(longest);
            Independence { least: independence.least, longest }
        });
        let problem = NewtonProblem {
            name: &name,
            equations: m,
            unknowns: n,
            x,
            residual,
            jacobian,
            pattern,
            evaluate,
            typical: None,
            independence,
        };
        (x, newton(self.f.module(), &problem))
    }

    /// The symbols of the equations that are neither unknowns nor parameters nor controls.
    fn given(&self, system: &NonlinearSystem) -> Vec<SymbolId> {
        let mut roots = system.residuals.clone();
        roots.extend(system.jacobian.iter().map(|&(_, _, value)| value));
        let unknowns: FxHashSet<SymbolId> = system.unknowns.iter().copied().collect();
        let known = |symbol: &SymbolId| unknowns.contains(symbol) || self.lowering.inputs.contains_key(symbol);
        self.lowering.program.arena.symbols_in(&roots).into_iter().filter(|symbol| !known(symbol)).collect()
    }

    fn evaluate(
        &mut self,
        system: &NonlinearSystem,
        name: &str,
        given: &[SymbolId],
        [x, residual, jacobian, array]: [ArrayId; 4],
        pattern: Option<&JacobianPattern>,
    ) -> FunctionId {
        let mut scope = self.lowering.scope(0.0);
        for (at, &symbol) in given.iter().enumerate() {
            scope.bind(symbol, array.at(at));
        }
        for (at, &unknown) in system.unknowns.iter().enumerate() {
            scope.bind(unknown, x.at(at));
        }
        let n = system.unknowns.len();
        let residuals: Vec<Row> = system.residuals.iter().copied().enumerate().collect();
        let slopes = system.jacobian.iter().enumerate().map(|(entry, &(row, column, value))| match pattern {
            None => (row * n + column, value),
            Some(_) => (entry, value),
        });
        let slopes: Vec<Row> = slopes.collect();
        let evaluate = self.f.module().declare(&format!("{name}_evaluate"), &[], &[Integer]);
        let lowering = &mut *self.lowering;
        self.f.module().define(evaluate, |f| {
            let mut body = Body { lowering, f };
            if pattern.is_some() {
                body.store_rows(&Target { array: residual, offset: 0.into() }, &residuals, &mut scope);
                body.store_rows(&Target { array: jacobian, offset: 0.into() }, &slopes, &mut scope);
                return body.f.return_(0);
            }
            let roots: Vec<Expr> = residuals.iter().chain(&slopes).map(|&(_, value)| value).collect();
            let places = residuals.iter().map(|&(at, _)| (residual, at));
            let places = places.chain(slopes.iter().map(|&(at, _)| (jacobian, at)));
            for ((array, at), value) in places.zip(body.emit(&roots, &mut scope)) {
                body.f.store(array, at, value);
            }
            body.f.return_(0);
        });
        evaluate
    }
}

/// So often a search is begun again.
const TRIES: usize = 3;

/// How far from the guess that is; the last time, not at all.
fn beside(attempt: usize, at: usize) -> f64 {
    if attempt == TRIES { 0.0 } else { nudge(attempt, at) }
}

/// Offsets that have no direction in common with the axes or with one another.
fn nudge(attempt: usize, at: usize) -> f64 {
    let spread = (0.618 * at as f64 + 0.271 * attempt as f64).fract();
    let size = 0.05 + 0.1 * spread;
    if attempt % 2 == 1 { size } else { -size }
}
