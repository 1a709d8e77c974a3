//! The verifier of systems: what is true of every system, whatever physics it comes from.

use base::{Broken, Dimension, Invariant};
use expr::{Arena, Expr, Node, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::change::Reset;
use crate::system::{Level, System};

pub fn verify(system: &System) -> Result<(), Broken> {
    base::verify(system, INVARIANTS)
}

pub const INVARIANTS: &[Invariant<System>] = &[
    ("a symbol is declared once", declared_once),
    ("every symbol is declared", declared),
    ("each speed has an equation of motion", one_equation_for_each_speed),
    ("motion is linear in accelerations and forces", motion_is_linear),
    ("an equation stays at its level", levels),
    ("a speed has the dimension of its coordinate over time", dimensions),
    ("what is guessed depends on parameters only", guesses),
    ("a transition leads to a mode that exists", targets),
    ("a reset gives every coordinate and speed", resets),
    ("what is remembered has a place", stores),
];

/// Parameters, and what only transitions change.
fn settings(system: &System) -> impl Iterator<Item = SymbolId> {
    system.parameters.iter().chain(&system.automaton.discrete).map(|it| it.symbol)
}

fn own(system: &System) -> Vec<SymbolId> {
    let inputs = settings(system).chain(system.controls.iter().map(|it| it.symbol)).chain([system.time]);
    let speeds = system.speeds.iter().flat_map(|it| [it.symbol, it.acceleration]);
    let forces = system.multiplier_symbols().into_iter();
    let unknowns = speeds.chain(system.coordinate_symbols()).chain(forces);
    let contacts = system.contacts.iter().flat_map(|contacts| contacts.symbols());
    let sums = system.families.iter().flat_map(|family| family.symbols());
    inputs.chain(unknowns).chain(sums).chain(system.variables.iter().map(|it| it.symbol)).chain(contacts).collect()
}

fn declared_once(system: &System) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    let twice = own(system).into_iter().find(|&symbol| !seen.insert(symbol));
    twice.map_or(Ok(()), |symbol| Err(named(system, symbol)))
}

fn named(system: &System, symbol: SymbolId) -> String {
    format!("`{}`", system.arena.symbol_name(symbol))
}

/// Whether expressions speak of nothing but these symbols.
fn only(system: &System, known: &FxHashSet<SymbolId>, of: &str, list: &[Expr]) -> Result<(), String> {
    let stranger = system.arena.symbols_in(list).into_iter().find(|symbol| !known.contains(symbol));
    stranger.map_or(Ok(()), |symbol| Err(format!("{} in {of}", named(system, symbol))))
}

fn declared(system: &System) -> Result<(), String> {
    let arena = &system.arena;
    let mut known: FxHashSet<SymbolId> = FxHashSet::default();
    // Derivatives of unknowns are symbols, made when first needed.
    for symbol in own(system) {
        let next = |&symbol: &SymbolId| arena.as_symbol(system.clock.known(arena.symbol(symbol))?);
        known.extend(std::iter::successors(Some(symbol), next));
    }
    let equations = system.motion.iter().map(|it| it.residual).chain(system.laws.iter().map(|it| it.residual));
    let initial = system.initial.iter().map(|it| it.residual);
    let outputs = system.outputs.iter().flat_map(|it| &it.columns).map(|&(_, value)| value);
    let signals = system.signals.iter().flat_map(|it| [it.value, it.history, it.delay]);
    let acting = system.acting.iter().flat_map(|it| it.parts.iter().copied());
    let energies = [system.energy.kinetic, system.energy.potential];
    let all: Vec<Expr> = equations.chain(initial).chain(outputs).chain(signals).chain(acting).chain(energies).collect();
    only(system, &known, "an equation or an output", &all)?;
    for level in LEVELS {
        let rows: Vec<Expr> = system.constraints_at(level).into_iter().map(|(_, residual)| residual).collect();
        only(system, &known, "a constraint", &rows)?;
    }
    let conditions = system.automaton.conditions.iter();
    let conditions: Vec<Expr> = conditions.flat_map(|it| [it.margin, it.slope, it.size]).collect();
    only(system, &known, "a claim", &conditions)?;
    for transition in &system.automaton.transitions {
        only(system, &known, &transition.name, &[transition.margin, transition.slope, transition.guard])?;
        let mut after = known.clone();
        after.extend(transition.positions.unknowns.iter().chain(&transition.velocities.unknowns));
        let resets = [&transition.positions, &transition.velocities].into_iter();
        let rows = resets.flat_map(|it| it.after.iter().copied().chain(it.equations.iter().map(|row| row.residual)));
        let all: Vec<Expr> = rows.chain(transition.stores.iter().map(|&(_, value)| value)).collect();
        only(system, &after, &transition.name, &all)?;
    }
    for entry in &system.automaton.entries {
        let mut before = known.clone();
        before.extend(entry.given.iter().chain(&entry.pre).chain(&entry.rates));
        let stores = entry.stores.iter().map(|&(_, value)| value);
        let moving = entry.positions.equations.iter().chain(&entry.velocities.equations);
        let all: Vec<Expr> = entry.equations.iter().chain(moving).map(|it| it.residual).chain(stores).collect();
        only(system, &before, &entry.name, &all)?;
    }
    Ok(())
}

fn one_equation_for_each_speed(system: &System) -> Result<(), String> {
    let (speeds, equations) = (system.speeds.len(), system.motion.len());
    if speeds == equations { Ok(()) } else { Err(format!("{speeds} speeds, {equations} equations")) }
}

fn motion_is_linear(system: &System) -> Result<(), String> {
    let unknowns = system.speeds.iter().map(|it| it.acceleration).chain(system.multiplier_symbols()).collect();
    let residuals: Vec<Expr> = system.motion.iter().map(|it| it.residual).collect();
    let degrees = degrees(&system.arena, &residuals, &unknowns);
    let curved = system.motion.iter().find(|it| degrees[&it.residual] > 1);
    curved.map_or(Ok(()), |it| Err(format!("`{}`", it.label)))
}

/// Of each node the degree in some symbols, as it is written; more than one where they stand within a function.
fn degrees(arena: &Arena, roots: &[Expr], symbols: &FxHashSet<SymbolId>) -> FxHashMap<Expr, u32> {
    let mut degrees: FxHashMap<Expr, u32> = FxHashMap::default();
    for node in arena.reachable(roots) {
        let of = |child: &Expr| degrees[child];
        let degree = match arena.node(node) {
            Node::Number(_) => 0,
            Node::Symbol(symbol) => u32::from(symbols.contains(symbol)),
            Node::Sum(terms, _) => terms.iter().map(|(_, term)| of(term)).max().unwrap_or(0),
            Node::Product(factors) => {
                let factor = |(base, exponent): &(Expr, i32)| match of(base) {
                    0 => 0,
                    degree => degree.saturating_mul(u32::try_from(*exponent).unwrap_or(2)),
                };
                factors.iter().map(factor).fold(0, u32::saturating_add)
            }
            Node::Apply(_, arguments) if arguments.iter().any(|argument| of(argument) > 0) => 2,
            Node::Apply(..) => 0,
        };
        degrees.insert(node, degree);
    }
    degrees
}

const LEVELS: [Level; 3] = [Level::Position, Level::Velocity, Level::Acceleration];

/// Constraints on positions speak of no velocity, those on velocities of no acceleration.
fn levels(system: &System) -> Result<(), String> {
    let above = |level: Level| -> FxHashSet<SymbolId> {
        let accelerations = system.speeds.iter().map(|it| it.acceleration);
        let speeds = system.speeds.iter().filter(|_| level == Level::Position).map(|it| it.symbol);
        accelerations.filter(|_| level < Level::Acceleration).chain(speeds).collect()
    };
    for level in LEVELS {
        let above = above(level);
        for (id, residual) in system.constraints_at(level) {
            if system.arena.symbols_in(&[residual]).iter().any(|symbol| above.contains(symbol)) {
                return Err(format!("`{}`", system.constraints[id.index()].label));
            }
        }
    }
    Ok(())
}

fn dimensions(system: &System) -> Result<(), String> {
    let wrong = system.coordinates.iter().find(|it| {
        let speed = it.speed.map(|id| system.speeds[id.index()].dimension);
        speed.is_some() && speed != it.dimension.over(Dimension::TIME)
    });
    wrong.map_or(Ok(()), |it| Err(format!("`{}`", it.name)))
}

fn guesses(system: &System) -> Result<(), String> {
    let known: FxHashSet<SymbolId> = settings(system).chain(system.controls.iter().map(|it| it.symbol)).collect();
    let starts = system.variables.iter().filter_map(|it| it.start);
    let all: Vec<Expr> = system.coordinates.iter().map(|it| it.guess).chain(starts).collect();
    only(system, &known, "a guess", &all)
}

fn targets(system: &System) -> Result<(), String> {
    let modes = &system.automaton.modes;
    let exists = |target: &[usize]| {
        target.len() == modes.len() && target.iter().zip(modes).all(|(&value, mode)| value < mode.values.len())
    };
    let astray = system.automaton.transitions.iter().find(|it| !exists(&it.target));
    astray.map_or(Ok(()), |it| Err(format!("`{}`", it.name)))
}

fn resets(system: &System) -> Result<(), String> {
    let whole = |reset: &Reset, symbols: Vec<SymbolId>| reset.before == symbols && reset.after.len() == symbols.len();
    let partial = system.automaton.transitions.iter().find(|it| {
        !whole(&it.positions, system.coordinate_symbols()) || !whole(&it.velocities, system.speed_symbols())
    });
    partial.map_or(Ok(()), |it| Err(format!("`{}`", it.name)))
}

fn stores(system: &System) -> Result<(), String> {
    let automaton = &system.automaton;
    let transitions = automaton.transitions.iter().flat_map(|it| [(&it.name, &it.stores), (&it.name, &it.choices)]);
    let entries = automaton.entries.iter().map(|it| (&it.name, &it.stores));
    let mut all = transitions.chain(entries);
    let lost = all.find(|(_, places)| places.iter().any(|&(at, _)| at >= automaton.discrete.len()));
    lost.map_or(Ok(()), |(name, _)| Err(format!("`{name}`")))
}
