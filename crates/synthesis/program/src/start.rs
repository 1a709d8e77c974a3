//! Where a run begins, and where it goes on after a transition.

use equations::{ConstraintId, Level};
use expr::{Expr, SymbolId};
use plan::{EntryPlan, StartPlan};
use rustc_hash::FxHashSet;

use crate::program::{Binding, EntryPoint, Function, Group, State, SystemRole};
use crate::scheme::Scheme;
use crate::solved::{Solved, is_linear};
use crate::systems::Row;

impl Scheme<'_> {
    /// The start of the mechanism: positions that satisfy constraints and initial conditions, then velocities that do.
    pub fn mechanism_start(&mut self) -> Vec<Binding> {
        let mechanism = &self.plan.start.mechanism;
        if mechanism.speeds.is_empty() && mechanism.coordinates.is_empty() && self.system.has_laws() {
            return Vec::new();
        }
        let mut rows = self.systems.constraint_rows(Level::Position, &mechanism.constraints);
        rows.extend(self.stated(Level::Position));
        let guesses = mechanism.coordinates.iter().map(|id| self.system.coordinates[id.index()].guess).collect();
        let unknowns = mechanism.coordinate_symbols(self.system);
        let positions = self.systems.nonlinear(SystemRole::InitialPositions, rows, unknowns, guesses);
        vec![positions, self.initial_velocities()]
    }

    /// Only the velocities that are integrated are sought, unless an initial condition, or a constraint that nothing enforces,
    /// speaks of others.
    fn initial_velocities(&mut self) -> Binding {
        let (classes, mechanism) = (&self.plan.classes, &self.plan.start.mechanism);
        let following: FxHashSet<SymbolId> =
            self.speed_symbols(classes.speeds0.iter().chain(&classes.speeds1)).into_iter().collect();
        let mentions = |row: &Row| self.mentions(row.residual, &following);
        let stated = self.stated(Level::Velocity);
        let is_redundant = |id: &ConstraintId| self.plan.redundant.contains(id);
        let redundant: Vec<ConstraintId> = mechanism.constraints.iter().copied().filter(is_redundant).collect();
        let redundant = self.systems.constraint_rows(Level::Velocity, &redundant);
        let mut rows = self.systems.constraint_rows(Level::Velocity, &mechanism.constraints);
        let mut unknowns = mechanism.speed_symbols(self.system);
        if !stated.iter().chain(&redundant).any(mentions) {
            rows.retain(|row| !mentions(row));
            unknowns.retain(|symbol| !following.contains(symbol));
        }
        rows.extend(stated);
        let rest = vec![self.system.arena.zero(); unknowns.len()];
        self.systems.nonlinear(SystemRole::InitialVelocities, rows, unknowns, rest)
    }

    fn stated(&self, level: Level) -> Vec<Row> {
        let stated = self.plan.start.stated.iter().filter(|(of, _)| *of == level);
        stated.map(|(_, equation)| self.systems.row(equation)).collect()
    }

    /// The mechanism, then what laws determine: what is assumed, then block after block. Seen or not, everything has to have a place and
    /// a velocity, or else the scene has no start.
    pub fn initialize(&mut self, mechanism: Vec<Binding>, found: &[&State]) -> (Function, Vec<SymbolId>) {
        let mut started: Vec<SymbolId> = mechanism.iter().flat_map(Binding::unknowns).copied().collect();
        let mut solved = self.solved();
        solved.body = mechanism;
        self.begin(&mut solved, &self.plan.start, SystemRole::Start);
        let by_itself: FxHashSet<SymbolId> = started.iter().copied().collect();
        started.extend(found.iter().map(|state| state.symbol).filter(|symbol| !by_itself.contains(symbol)));
        let results = started.iter().map(|&symbol| solved.value(symbol)).collect();
        let function = Function { name: "initialize".into(), inputs: Group::default(), body: solved.body, results };
        (function, started)
    }

    fn begin(&mut self, solved: &mut Solved<'_>, start: &StartPlan, role: SystemRole) {
        let arena = solved.arena;
        for assumed in &start.assumed {
            solved.known.insert(arena.symbol(assumed.symbol), assumed.value);
        }
        for block in &start.blocks {
            let rows: Vec<Row> = block.rows.iter().map(|&row| self.systems.row(&start.rows[row])).collect();
            let unknowns = block.unknowns.clone();
            let seed = |unknown: SymbolId| start.seeds.get(&unknown).copied().unwrap_or(arena.zero());
            match (block.square, is_linear(arena, &rows, &unknowns)) {
                (true, true) => solved.linear(role, rows, unknowns, &mut self.systems),
                (true, false) => solved.nonlinear(role, rows, unknowns, seed, &mut self.systems),
                _ => solved.nearest(role, rows, unknowns, seed, &mut self.systems),
            }
        }
    }

    /// The states after a transition, and what it remembers.
    pub fn entry_point(&mut self, entry: &EntryPlan, found: &[&State]) -> EntryPoint {
        let system = self.system;
        let mut solved = self.solved();
        self.begin(&mut solved, &entry.start, SystemRole::Entry);
        if !entry.stores.is_empty() {
            // What follows from the states is known once they are.
            self.solve_rates(&mut solved);
            self.solve_observed(&mut solved);
        }
        let mut replacement = self.plan.laws.form.replacement();
        let stored = entry.stores.iter().map(|&(_, value)| replacement.apply(&system.arena, value));
        let mut results: Vec<Expr> = stored.map(|value| solved.known.apply(&system.arena, value)).collect();
        results.extend(found.iter().map(|state| solved.value(state.symbol)));
        let inputs = Group { name: "given".into(), symbols: entry.given.clone() };
        let function = Function { name: "entry".into(), inputs, body: solved.body, results };
        let stores = entry.stores.iter().map(|&(at, _)| at).collect();
        let mechanical = system.coordinates.len() + system.speeds.len();
        let first_rate = entry.given.len() - system.automaton.handed.len();
        let rate = |&at: &usize| (at, at.checked_sub(mechanical).map(|own| first_rate + own));
        EntryPoint { number: entry.number, function, stores, checked: entry.checked.iter().map(rate).collect() }
    }
}
