//! Where a run begins, and where it goes on after a transition.

use equations::{ConstraintId, Level, Sought};
use expr::{Expr, Substitution, SymbolId, jacobian};
use plan::{EntryPlan, StartPlan};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Binding, EntryPoint, Function, Group, Origin, State, SystemRole};
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
        let (system, arena) = (self.system, &self.system.arena);
        let moving = [system.coordinate_symbols(), system.speed_symbols()].concat();
        let mut solved = self.solved();
        self.move_on(&mut solved, entry, &moving);
        self.begin(&mut solved, &entry.start, SystemRole::Entry);
        let mut replacement = self.plan.laws.form.replacement();
        let stored: Vec<Expr> = entry.stores.iter().map(|&(_, value)| replacement.apply(arena, value)).collect();
        let known: FxHashSet<SymbolId> =
            system.input_symbols().into_iter().chain(moving.iter().chain(&entry.given).copied()).collect();
        if arena.symbols_in(&stored).iter().any(|symbol| !known.contains(symbol)) {
            // What follows from the states is known once they are.
            self.solve_rates(&mut solved);
            self.solve_observed(&mut solved);
        }
        let mut results: Vec<Expr> = moving.iter().map(|&symbol| solved.value(symbol)).collect();
        let carried = moving.len()..moving.len() + system.automaton.carried.len();
        results.extend(entry.given[carried].iter().map(|&given| arena.symbol(given)));
        results.extend(stored.into_iter().map(|value| solved.known.apply(arena, value)));
        results.extend(found.iter().map(|state| solved.value(state.symbol)));
        let inputs = Group { name: "given".into(), symbols: entry.given.clone() };
        let function = Function { name: "entry".into(), inputs, body: solved.body, results };
        let stores = entry.stores.iter().map(|&(at, _)| at).collect();
        let first_rate = entry.given.len() - system.automaton.carried.len();
        let checked = entry.checked.iter().map(|&own| (moving.len() + own, first_rate + own)).collect();
        EntryPoint { number: entry.number, function, stores, checked }
    }

    /// All that moves after a transition: what is not kept is found from what the transition says, positions nearest to those before where
    /// there is a choice.
    fn move_on(&mut self, solved: &mut Solved<'_>, entry: &EntryPlan, moving: &[SymbolId]) {
        let arena = solved.arena;
        let before: FxHashMap<SymbolId, Expr> =
            moving.iter().zip(&entry.given).map(|(&symbol, &given)| (symbol, arena.symbol(given))).collect();
        let mut was = self.before_laws(entry, moving.len());
        let sought = [(SystemRole::Positions, &entry.positions), (SystemRole::Velocities, &entry.velocities)];
        let is_sought = |symbol: &&SymbolId| sought.iter().any(|(_, sought)| sought.unknowns.contains(symbol));
        for symbol in moving.iter().filter(|symbol| !is_sought(symbol)) {
            solved.known.insert(arena.symbol(*symbol), before[symbol]);
        }
        for (role, sought) in sought.into_iter().filter(|(_, sought)| !sought.unknowns.is_empty()) {
            let mut rows: Vec<Row> = sought.equations.iter().map(|row| self.systems.row(row)).collect();
            let mut unknowns = sought.unknowns.clone();
            if sought.least && role == SystemRole::Velocities {
                let (balance, impulses) = self.impulses(sought, &before);
                rows.extend(balance);
                unknowns.extend(impulses);
            }
            // What laws determine is found later, so here it is what it was.
            rows.iter_mut().for_each(|row| row.residual = was.apply(arena, row.residual));
            let seed = |unknown: SymbolId| before.get(&unknown).copied().unwrap_or(arena.zero());
            solved.nearest(role, rows, unknowns, seed, &mut self.systems);
        }
    }

    /// Puts what laws determine before a transition, and how fast it changed, in the place of what it is after it.
    fn before_laws(&self, entry: &EntryPlan, moving: usize) -> Substitution {
        let (arena, carried) = (&self.system.arena, &self.system.automaton.carried);
        let (values, rates) = (&entry.given[moving..], &entry.given[entry.given.len() - carried.len()..]);
        let rate = |symbol: SymbolId| self.system.clock.known(arena.symbol(symbol));
        let rates = carried.iter().zip(rates).filter_map(|(it, &given)| Some((rate(it.symbol)?, arena.symbol(given))));
        let values = carried.iter().zip(values).map(|(it, &given)| (arena.symbol(it.symbol), arena.symbol(given)));
        // The rate of one may be the value of another.
        Substitution::new(rates.chain(values))
    }

    /// Where there is a choice of velocities, the kinetic energy of the change is as small as it can be: impulses act through the equations
    /// that are to hold, and nowhere else. For each speed the change of its momentum, by the masses of this mode at the new positions.
    fn impulses(&mut self, sought: &Sought, before: &FxHashMap<SymbolId, Expr>) -> (Vec<Row>, Vec<SymbolId>) {
        let (arena, speeds) = (&self.system.arena, &sought.unknowns);
        let momenta = jacobian(arena, &[self.system.energy.kinetic], speeds);
        let (places, momenta): (Vec<usize>, Vec<Expr>) = momenta.into_iter().map(|(_, at, slope)| (at, slope)).unzip();
        let mut balance = vec![arena.zero(); speeds.len()];
        for (row, column, mass) in jacobian(arena, &momenta, speeds) {
            let change = arena.subtract(arena.symbol(speeds[column]), before[&speeds[column]]);
            balance[places[row]] = arena.add(balance[places[row]], arena.multiply(mass, change));
        }
        let mut impulses = Vec::new();
        for equation in &sought.equations {
            let impulse = arena.new_symbol(&format!("impulse({})", equation.label));
            self.systems.name(impulse, Origin { label: equation.label.clone(), span: equation.span });
            for (_, column, slope) in jacobian(arena, &[equation.residual], speeds) {
                balance[column] = arena.add(balance[column], arena.multiply(slope, arena.symbol(impulse)));
            }
            impulses.push(impulse);
        }
        let row = |(&speed, residual)| Row { residual, origin: self.systems.origin(speed) };
        (speeds.iter().zip(balance).map(row).collect(), impulses)
    }
}
