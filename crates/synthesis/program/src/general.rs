//! The scheme of general systems: from the states the highest derivatives, block after block; after each step the states are moved
//! onto the constraints, level after level.

use equations::{Equation, Place, Role, System};
use expr::{Arena, Differentiator, Expr, Substitution, SymbolId, jacobian};
use plan::{EntryPlan, GeneralPlan, Plan, StartPlan};
use rustc_hash::FxHashSet;

use crate::change::{self, Seen};
use crate::program::{
    Binding, Changes, Curve, EntryPoint, Function, Group, Integral, Program, Solver, State, Surface, SystemRole,
};
use crate::scheme::{Parts, whole};
use crate::systems::{Row, Systems};
use crate::tear::tear;

pub fn instantiate(system: &System, plan: &Plan, general: &GeneralPlan) -> Program {
    let mut systems = Systems::new(system);
    systems.add_origins(&general.form);
    let states = states(general);
    let mut solved = rates(system, general, &mut systems);
    let derivative = derivative(general, &states, &mut solved);
    let stabilize = stabilize(general, &states, &mut systems);
    let (followers, follow) = follow(general, &states, &solved);
    let initialize = initialize(system, general, states.iter().chain(&followers), &mut systems);
    let started = states.iter().chain(&followers).map(|state| state.symbol).collect();
    further(system, general, &mut solved, &mut systems);
    let mut watch = |name: &str, values: Vec<Expr>| watch(name, values, general, &states, &mut solved);
    let columns = system.outputs.iter().flat_map(|output| &output.columns);
    let observe = watch("observe", columns.map(|&(_, value)| value).collect());
    let seen = &system.picture;
    let picture = (!seen.values.is_empty()).then(|| watch("picture", seen.values.clone()));
    let curve = |curve: &equations::Curve| {
        let values = [curve.from, curve.to].into_iter().chain(curve.point).collect();
        Curve { parameter: curve.parameter, function: watch("curve", values) }
    };
    let curves = seen.curves.iter().map(curve).collect();
    let surface = |surface: &equations::Surface| {
        let function = watch("surface", vec![surface.size, surface.residual]);
        Surface { coordinates: surface.coordinates, function }
    };
    let surfaces = seen.surfaces.iter().map(surface).collect();
    let monitor = monitor(system, general, &states, &mut solved);
    let changing = system.automaton.is_there();
    let changes = changing.then(|| {
        let mut replacement = general.form.replacement();
        let arena = &system.arena;
        let (observed, inputs) = (solved.body.clone(), state_group(&states));
        let known = &mut |value| solved.known.apply(arena, replacement.apply(arena, value));
        let changes = change::changes(system, &mut systems, Seen { observed, inputs, known });
        let found: Vec<&State> = states.iter().chain(&followers).collect();
        let mut entry = |entry| entry_point(system, general, entry, &found, &mut systems);
        let entries = general.entries.iter().map(&mut entry).collect();
        let again = general.again.as_ref().map(entry);
        Changes { entries: Some(entries), again, ..changes }
    });
    let integral = Integral { states, derivative, stabilize, followers, follow, solver: Solver::default() };
    let parts =
        Parts { initialize, started, integral, observe, monitor, watched: None, picture, curves, surfaces, changes };
    whole(system, plan, parts, systems.infos)
}

/// Unknowns that have been solved for one after the other: some are expressions of what was known before, the others are bound.
struct Solved<'s> {
    arena: &'s Arena,
    parameters: FxHashSet<SymbolId>,
    known: Substitution,
    body: Vec<Binding>,
}

impl<'s> Solved<'s> {
    fn new(system: &'s System) -> Solved<'s> {
        let parameters = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        Solved { arena: &system.arena, parameters, known: Substitution::default(), body: Vec::new() }
    }

    /// Linear equations for as many unknowns: an expression for a single unknown with a factor that does not change, else a system.
    fn linear(&mut self, role: SystemRole, rows: Vec<Row>, unknowns: Vec<SymbolId>, systems: &mut Systems<'_>) {
        if let ([row], [unknown]) = (&rows[..], &unknowns[..])
            && let Some(value) = self.explicit(row.residual, *unknown)
        {
            self.known.insert(self.arena.symbol(*unknown), value);
            return;
        }
        let (rows, unknowns) = self.torn(rows, unknowns);
        if !unknowns.is_empty() {
            let binding = systems.linear(role, rows, unknowns);
            self.body.push(binding);
        }
    }

    /// Makes expressions of the unknowns that follow from a few others; the rest, with everything known put in its place.
    fn torn(&mut self, mut rows: Vec<Row>, unknowns: Vec<SymbolId>) -> (Vec<Row>, Vec<SymbolId>) {
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let torn = tear(self.arena, &residuals, &unknowns);
        for (row, unknown) in torn.explicit {
            if let Some(value) = self.explicit(residuals[row], unknowns[unknown]) {
                self.known.insert(self.arena.symbol(unknowns[unknown]), value);
            }
        }
        let mut at = 0..;
        rows.retain(|_| at.next().is_some_and(|at| torn.rows.binary_search(&at).is_ok()));
        for row in &mut rows {
            row.residual = self.known.apply(self.arena, row.residual);
        }
        (rows, torn.unknowns.into_iter().map(|at| unknowns[at]).collect())
    }

    /// The value of an unknown whose factor is a number or depends on parameters only.
    fn explicit(&mut self, residual: Expr, unknown: SymbolId) -> Option<Expr> {
        if let Some((factor, rest)) = self.arena.without_term(residual, unknown) {
            let rest = self.known.apply(self.arena, rest);
            return Some(self.arena.negate(self.arena.divide(rest, self.arena.number(factor))));
        }
        let symbol = self.arena.symbol(unknown);
        let slope = Differentiator::by(self.arena, symbol).derivative(self.arena, residual);
        let factor = self.known.apply(self.arena, slope);
        let lasting = self.arena.symbols_in(&[factor]).iter().all(|symbol| self.parameters.contains(symbol));
        if !lasting || self.arena.is_zero(factor) {
            return None;
        }
        // The unknown itself must not get into the memory of what is known, before it is.
        let rest = Substitution::new([(symbol, self.arena.zero())]).apply(self.arena, residual);
        let rest = self.known.apply(self.arena, rest);
        Some(self.arena.negate(self.arena.divide(rest, factor)))
    }

    /// Equations for as many unknowns, solved by iteration from some seeds.
    fn nonlinear(
        &mut self,
        role: SystemRole,
        rows: Vec<Row>,
        unknowns: Vec<SymbolId>,
        seed: impl Fn(SymbolId) -> Expr,
        systems: &mut Systems<'_>,
    ) {
        let (rows, unknowns) = self.torn(rows, unknowns);
        self.nearest(role, rows, unknowns, seed, systems);
    }

    /// Equations for any number of unknowns: the solution that is nearest to the seeds.
    fn nearest(
        &mut self,
        role: SystemRole,
        mut rows: Vec<Row>,
        unknowns: Vec<SymbolId>,
        seed: impl Fn(SymbolId) -> Expr,
        systems: &mut Systems<'_>,
    ) {
        for row in &mut rows {
            row.residual = self.known.apply(self.arena, row.residual);
        }
        let seeds = unknowns.iter().map(|&unknown| seed(unknown)).collect();
        let binding = systems.nonlinear(role, rows, unknowns, seeds);
        self.body.push(binding);
    }

    fn is_known(&mut self, symbol: SymbolId) -> bool {
        self.value(symbol) != self.arena.symbol(symbol)
    }

    fn value(&mut self, symbol: SymbolId) -> Expr {
        self.known.apply(self.arena, self.arena.symbol(symbol))
    }
}

/// Everything below the highest derivatives, and constants that have to be found.
fn states(general: &GeneralPlan) -> Vec<State> {
    let form = &general.form;
    let mut states = Vec::new();
    for (at, quantity) in form.quantities.iter().enumerate() {
        let orders = if quantity.role == Role::Constant { 0..1 } else { quantity.first()..general.orders[at] };
        let state = |order: usize| {
            let (name, dimension) = (quantity.name_of(order), quantity.dimension_of(order));
            Some(State { name, symbol: quantity.at(order)?, dimension, span: quantity.span })
        };
        states.extend(orders.filter_map(state));
    }
    let turning = form.turns.iter().flat_map(|turn| &turn.coordinates);
    states.extend(turning.map(|coordinate| State {
        name: coordinate.name.clone(),
        symbol: coordinate.symbol,
        dimension: coordinate.dimension,
        span: coordinate.span,
    }));
    states
}

fn state_group(states: &[State]) -> Group {
    Group { name: "state".into(), symbols: states.iter().map(|state| state.symbol).collect() }
}

/// What is assumed, then block after block.
fn initialize<'s>(
    system: &System,
    general: &GeneralPlan,
    states: impl Iterator<Item = &'s State>,
    systems: &mut Systems<'_>,
) -> Function {
    let mut solved = Solved::new(system);
    begin(&mut solved, &general.start, SystemRole::Start, systems);
    let results = states.map(|state| solved.value(state.symbol)).collect();
    Function { name: "initialize".into(), inputs: Group::default(), body: solved.body, results }
}

fn begin(solved: &mut Solved<'_>, start: &StartPlan, role: SystemRole, systems: &mut Systems<'_>) {
    let arena = solved.arena;
    for assumed in &start.assumed {
        solved.known.insert(arena.symbol(assumed.symbol), assumed.value);
    }
    for block in &start.blocks {
        let rows: Vec<Row> = block.rows.iter().map(|&row| systems.row(&start.rows[row])).collect();
        let unknowns = block.unknowns.clone();
        let seed = |unknown: SymbolId| start.seeds.get(&unknown).copied().unwrap_or(arena.zero());
        match (block.square, is_linear(arena, &rows, &unknowns)) {
            (true, true) => solved.linear(role, rows, unknowns, systems),
            (true, false) => solved.nonlinear(role, rows, unknowns, seed, systems),
            _ => solved.nearest(role, rows, unknowns, seed, systems),
        }
    }
}

/// The states after a transition, and what it remembers.
fn entry_point(
    system: &System,
    general: &GeneralPlan,
    entry: &EntryPlan,
    states: &[&State],
    systems: &mut Systems<'_>,
) -> EntryPoint {
    let mut solved = Solved::new(system);
    begin(&mut solved, &entry.start, SystemRole::Entry, systems);
    if !entry.stores.is_empty() {
        // What follows from the states is known once they are.
        solve_rates(system, general, &mut solved, systems);
    }
    let mut replacement = general.form.replacement();
    let stored = entry.stores.iter().map(|&(_, value)| replacement.apply(&system.arena, value));
    let mut results: Vec<Expr> = stored.map(|value| solved.known.apply(&system.arena, value)).collect();
    results.extend(states.iter().map(|state| solved.value(state.symbol)));
    let inputs = Group { name: "given".into(), symbols: entry.given.clone() };
    let function = Function { name: "entry".into(), inputs, body: solved.body, results };
    let stores = entry.stores.iter().map(|&(at, _)| at).collect();
    let mechanical = system.coordinates.len() + system.speeds.len();
    let first_rate = entry.given.len() - system.automaton.handed.len();
    let rate = |&at: &usize| (at, at.checked_sub(mechanical).map(|own| first_rate + own));
    EntryPoint { number: entry.number, function, stores, checked: entry.checked.iter().map(rate).collect() }
}

fn is_linear(arena: &Arena, rows: &[Row], unknowns: &[SymbolId]) -> bool {
    let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
    let slopes: Vec<Expr> = jacobian(arena, &residuals, unknowns).into_iter().map(|(_, _, slope)| slope).collect();
    let own: FxHashSet<SymbolId> = unknowns.iter().copied().collect();
    !arena.symbols_in(&slopes).iter().any(|symbol| own.contains(symbol))
}

/// The highest derivatives, from the states.
fn rates<'s>(system: &'s System, general: &GeneralPlan, systems: &mut Systems<'_>) -> Solved<'s> {
    let mut solved = Solved::new(system);
    solve_rates(system, general, &mut solved, systems);
    solved
}

/// Block after block, as far as it has not been solved already.
fn solve_rates(system: &System, general: &GeneralPlan, solved: &mut Solved<'_>, systems: &mut Systems<'_>) {
    let bound: FxHashSet<SymbolId> = solved.body.iter().flat_map(Binding::unknowns).copied().collect();
    for block in &general.blocks {
        let leading = |&row: &usize| {
            let planned = &general.rows[row];
            let equation = Equation { label: planned.label.clone(), residual: planned.leading(), span: planned.span };
            systems.row(&equation)
        };
        let rows = block.rows.iter().map(leading).collect();
        let unknowns: Vec<SymbolId> =
            block.quantities.iter().filter_map(|&quantity| general.leading(quantity, 0)).collect();
        let is_known = |&unknown: &SymbolId| bound.contains(&unknown) || solved.is_known(unknown);
        if unknowns.iter().all(is_known) {
            continue;
        }
        if block.linear {
            solved.linear(SystemRole::Rates, rows, unknowns, systems);
        } else {
            // The search begins with what was found a moment ago.
            let seed = |unknown| system.arena.symbol(unknown);
            solved.nonlinear(SystemRole::Rates, rows, unknowns, seed, systems);
        }
    }
}

/// Derivatives that are higher still, where somebody asks for them.
fn further(system: &System, general: &GeneralPlan, solved: &mut Solved<'_>, systems: &mut Systems<'_>) {
    // What is found by iteration is known where anything is observed.
    solved.body.retain(|binding| matches!(binding, Binding::Linear(_)));
    for further in &general.further {
        let block = &general.blocks[further.block];
        let rows = block.rows.iter().zip(&further.residuals).map(|(&row, &residual)| {
            let planned = &general.rows[row];
            systems.row(&Equation { label: planned.label.clone(), residual, span: planned.span })
        });
        let rows: Vec<Row> = rows.collect();
        let unknowns = block.quantities.iter().filter_map(|&quantity| general.leading(quantity, further.times));
        let unknowns: Vec<SymbolId> = unknowns.collect();
        debug_assert!(is_linear(&system.arena, &rows, &unknowns));
        solved.linear(SystemRole::Rates, rows, unknowns, systems);
    }
}

fn derivative(general: &GeneralPlan, states: &[State], solved: &mut Solved<'_>) -> Function {
    let form = &general.form;
    let mut results = Vec::with_capacity(states.len());
    for (at, quantity) in form.quantities.iter().enumerate() {
        if quantity.role == Role::Constant {
            results.push(solved.arena.zero());
            continue;
        }
        let rates = (quantity.first()..general.orders[at]).filter_map(|order| quantity.at(order + 1));
        results.extend(rates.map(|rate| solved.value(rate)));
    }
    let turning = form.turns.iter().flat_map(|turn| &turn.coordinates);
    results.extend(turning.map(|coordinate| solved.known.apply(solved.arena, coordinate.rate)));
    Function { name: "derivative".into(), inputs: state_group(states), body: solved.body.clone(), results }
}

/// Level after level, the smallest change that satisfies the constraints.
fn stabilize(general: &GeneralPlan, states: &[State], systems: &mut Systems<'_>) -> Option<Function> {
    let arena = &general.form.arena;
    let level = |(equations, moved): (Vec<Equation>, Vec<SymbolId>)| {
        let rows = equations.iter().map(|equation| systems.row(equation)).collect();
        let from = moved.iter().map(|&state| arena.symbol(state)).collect();
        systems.nonlinear(SystemRole::Stabilize, rows, moved, from)
    };
    let body: Vec<Binding> = general.constraints().into_iter().map(level).collect();
    let results = states.iter().map(|state| arena.symbol(state.symbol)).collect();
    (!body.is_empty()).then(|| Function { name: "stabilize".into(), inputs: state_group(states), body, results })
}

/// What is found by iteration at every instant, and how.
fn follow(general: &GeneralPlan, states: &[State], solved: &Solved<'_>) -> (Vec<State>, Option<Function>) {
    let iterated = solved.body.iter().filter(|binding| matches!(binding, Binding::Nonlinear(_)));
    let places = general.form.places();
    let follower = |&symbol: &SymbolId| {
        let Some(Place::Derivative { quantity, order }) = places.get(symbol) else { return None };
        let quantity = &general.form.quantities[quantity];
        let (name, dimension) = (quantity.name_of(order), quantity.dimension_of(order));
        Some(State { name, symbol, dimension, span: quantity.span })
    };
    let followers: Vec<State> = iterated.flat_map(|binding| binding.unknowns()).filter_map(follower).collect();
    let results = followers.iter().map(|follower| solved.arena.symbol(follower.symbol)).collect();
    let inputs = state_group(states);
    let function = Function { name: "follow".into(), inputs, body: solved.body.clone(), results };
    let function = (!followers.is_empty()).then_some(function);
    (followers, function)
}

/// Something that is seen of the states.
fn watch(name: &str, values: Vec<Expr>, general: &GeneralPlan, states: &[State], solved: &mut Solved<'_>) -> Function {
    let mut replacement = general.form.replacement();
    let results = values.into_iter().map(|value| {
        let value = replacement.apply(solved.arena, value);
        solved.known.apply(solved.arena, value)
    });
    let results = results.collect();
    Function { name: name.into(), inputs: state_group(states), body: solved.body.clone(), results }
}

/// Energy, kinetic energy, and what the constraints on the states leave.
fn monitor(system: &System, general: &GeneralPlan, states: &[State], solved: &mut Solved<'_>) -> Function {
    let arena = solved.arena;
    let mut replacement = general.form.replacement();
    let energies = [arena.add(system.energy.kinetic, system.energy.potential), system.energy.kinetic];
    let energies = energies.map(|energy| replacement.apply(arena, energy));
    let constraints = general.rows.iter().filter(|row| row.times() > 0).map(|row| row.levels[0]);
    let invariants = general.form.turns.iter().flat_map(|turn| &turn.invariants).map(|invariant| invariant.residual);
    let results = energies.into_iter().chain(constraints).chain(invariants);
    let results = results.map(|value| solved.known.apply(arena, value)).collect();
    Function { name: "monitor".into(), inputs: state_group(states), body: solved.body.clone(), results }
}
