//! Transitions as functions of the state: when they happen, and what they change.

use equations::{Reset, System, Transition};
use expr::{Expr, Operator, Substitution, SymbolId, jacobian};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Change, Changes, Function, Group, Margins, Origin, ParameterInput, State, SystemRole};
use crate::settle::settled;
use crate::systems::{Row, Systems};

/// What transitions see of the states.
pub struct Seen<'o> {
    /// Finds all that depends on the states.
    pub observed: Vec<Binding>,
    pub inputs: Group,
    /// Puts what is known in the place of what is not.
    pub known: &'o mut dyn FnMut(Expr) -> Expr,
}

impl Seen<'_> {
    fn function(&mut self, name: &str, results: Vec<Expr>) -> Function {
        self.after(name, None, results)
    }

    /// A function that solves something more.
    fn after(&mut self, name: &str, solved: impl IntoIterator<Item = Binding>, results: Vec<Expr>) -> Function {
        let body = self.observed.iter().cloned().chain(solved).collect();
        let results = results.into_iter().map(|result| (self.known)(result)).collect();
        Function { name: name.to_string(), inputs: self.inputs.clone(), body, results }
    }
}

/// The functions of a system that changes.
pub fn changes(system: &System, systems: &mut Systems<'_>, mut seen: Seen<'_>) -> Changes {
    let automaton = &system.automaton;
    let guards = automaton.transitions.iter().flat_map(|transition| {
        let (arena, guard) = (&system.arena, (seen.known)(transition.guard));
        let margin = settled(arena, guard);
        let beyond_doubt = arena.apply(Operator::LessEqual, &[arena.zero(), margin]);
        [margin, transition.slope, arena.apply(Operator::And, &[guard, beyond_doubt])]
    });
    let guards: Vec<Expr> = guards.collect();
    let guards = seen.function("guards", guards);
    let margins = margins(system, &mut seen);
    let conditions = automaton.conditions.iter().flat_map(|claimed| [claimed.margin, claimed.slope, claimed.size]);
    let compared = automaton.conditions.iter().flat_map(|claimed| &claimed.compared).map(|side| side.value);
    let claims = seen.function("claims", conditions.chain(compared).collect());
    let mut all = Vec::new();
    for transition in &automaton.transitions {
        let positions = positions(system, systems, transition, &mut seen);
        let velocities = velocities(system, systems, transition, &mut seen);
        let after = transition.positions.after.iter().chain(&transition.velocities.after).copied();
        let handed = automaton.handed.iter().map(|handed| system.arena.symbol(handed.symbol));
        let rates = automaton.handed.iter().map(|handed| handed.rate);
        let after = after.chain(handed).chain(transition.pre.iter().copied()).chain(rates);
        let results = after.chain(transition.stores.iter().map(|&(_, value)| value)).collect();
        let aims = transition.aims.iter().map(|aim| aim.residual).collect();
        all.push(Change {
            name: transition.name.clone(),
            number: transition.number,
            target: transition.target.clone(),
            reset: seen.after("reset", positions.into_iter().chain(velocities), results),
            stores: transition.stores.iter().map(|&(at, _)| at).collect(),
            aims: seen.function("aims", aims),
            seeds: seen.function("seeds", transition.choices.iter().map(|&(_, seed)| seed).collect()),
            choices: transition.choices.iter().map(|&(at, _)| at).collect(),
            phases: transition.phases.clone(),
            span: transition.span,
        });
    }
    let held = automaton.held.iter().map(|held| ParameterInput {
        name: held.name.clone(),
        symbol: held.symbol,
        default: held.default,
    });
    let coordinates = system.coordinates.iter().map(|coordinate| State {
        name: coordinate.name.clone(),
        symbol: coordinate.symbol,
        dimension: coordinate.dimension,
        span: coordinate.span,
    });
    let speeds = system.speeds.iter().map(|speed| State {
        name: speed.name.clone(),
        symbol: speed.symbol,
        dimension: speed.dimension,
        span: speed.span,
    });
    let handed = automaton.handed.iter().map(|handed| State {
        name: handed.name.clone(),
        symbol: handed.symbol,
        dimension: handed.dimension,
        span: handed.span,
    });
    let variables: Vec<State> = coordinates.chain(speeds).chain(handed).collect();
    let values = variables.iter().map(|variable| system.arena.symbol(variable.symbol)).collect();
    let whole = seen.function("whole", values);
    Changes { held: held.collect(), guards, margins, claims, all, variables, whole, entries: None, again: None }
}

fn margins(system: &System, seen: &mut Seen<'_>) -> Margins {
    let automaton = &system.automaton;
    let transitions = automaton.transitions.iter().map(|transition| transition.margin);
    let conditions = automaton.conditions.iter().map(|claimed| claimed.margin);
    let all: Vec<Expr> = transitions.chain(conditions).map(|margin| (seen.known)(margin)).collect();
    let still: FxHashSet<SymbolId> = system.input_symbols().into_iter().collect();
    Margins::new(&system.arena, all, &still, |values| seen.function("places", values))
}

/// Positions afterwards, nearest to those before where there is a choice.
fn positions(
    system: &System,
    systems: &mut Systems<'_>,
    transition: &Transition,
    seen: &mut Seen<'_>,
) -> Option<Binding> {
    let reset = &transition.positions;
    let (unknowns, seeds) = unknowns(system, systems, reset);
    let rows = reset.equations.iter().map(|equation| systems.stated(equation)).collect();
    (!unknowns.is_empty()).then(|| solved(systems, SystemRole::Positions, rows, (unknowns, seeds), seen))
}

/// Some equations solved for some unknowns from some seeds.
fn solved(
    systems: &mut Systems<'_>,
    role: SystemRole,
    mut rows: Vec<Row>,
    (unknowns, seeds): (Vec<SymbolId>, Vec<Expr>),
    seen: &mut Seen<'_>,
) -> Binding {
    rows.iter_mut().for_each(|row| row.residual = (seen.known)(row.residual));
    let seeds = seeds.into_iter().map(|seed| (seen.known)(seed)).collect();
    systems.nonlinear(role, rows, unknowns, seeds)
}

/// Velocities afterwards. Where there is a choice, the kinetic energy of the change is as small as it can be: impulses act through the
/// equations that are to hold, and nowhere else.
fn velocities(
    system: &System,
    systems: &mut Systems<'_>,
    transition: &Transition,
    seen: &mut Seen<'_>,
) -> Option<Binding> {
    let arena = &system.arena;
    let reset = &transition.velocities;
    let (mut unknowns, mut seeds) = unknowns(system, systems, reset);
    if unknowns.is_empty() {
        return None;
    }
    let mut rows: Vec<_> = reset.equations.iter().map(|equation| systems.stated(equation)).collect();
    if reset.least {
        let residuals: Vec<Expr> = reset.equations.iter().map(|equation| equation.residual).collect();
        let speeds = unknowns.clone();
        let mut balance = momentum_changes(system, transition);
        for (at, equation) in reset.equations.iter().enumerate() {
            let impulse = arena.new_symbol(&format!("impulse({})", equation.label));
            systems.name(impulse, Origin { label: equation.label.clone(), span: equation.span });
            for (_, column, slope) in jacobian(arena, &residuals[at..=at], &speeds) {
                balance[column] = arena.add(balance[column], arena.multiply(slope, arena.symbol(impulse)));
            }
            unknowns.push(impulse);
            seeds.push(arena.zero());
        }
        let origins: Vec<Origin> = speeds.iter().map(|&speed| systems.origin(speed)).collect();
        rows.extend(balance.into_iter().zip(origins).map(|(residual, origin)| systems.own(residual, origin)));
    }
    Some(solved(systems, SystemRole::Velocities, rows, (unknowns, seeds), seen))
}

/// For each unknown speed, the change of the momentum that belongs to it.
fn momentum_changes(system: &System, transition: &Transition) -> Vec<Expr> {
    let arena = &system.arena;
    let speeds = &transition.velocities.before;
    let energy = jacobian(arena, &[system.energy.kinetic], speeds);
    let mut momenta = vec![arena.zero(); speeds.len()];
    energy.into_iter().for_each(|(_, column, slope)| momenta[column] = slope);
    let masses = jacobian(arena, &momenta, speeds);
    let change = |at: usize| arena.subtract(transition.velocities.after[at], arena.symbol(speeds[at]));
    let mut changes = vec![arena.zero(); speeds.len()];
    for (row, column, mass) in masses {
        changes[row] = arena.add(changes[row], arena.multiply(mass, change(column)));
    }
    // Masses are those of the new positions.
    let moved = transition.positions.before.iter().zip(&transition.positions.after);
    let mut moved = Substitution::new(moved.map(|(&before, &after)| (arena.symbol(before), after)));
    let unknown = |at: &usize| {
        let after = arena.as_symbol(transition.velocities.after[*at]);
        after.is_some_and(|symbol| transition.velocities.unknowns.contains(&symbol))
    };
    (0..speeds.len()).filter(unknown).map(|at| moved.apply(arena, changes[at])).collect()
}

/// The unknowns of a reset, named after what they are, and what they were before.
fn unknowns(system: &System, systems: &mut Systems<'_>, reset: &Reset) -> (Vec<SymbolId>, Vec<Expr>) {
    let mut pairs = Vec::new();
    for (&before, &after) in reset.before.iter().zip(&reset.after) {
        if let Some(symbol) = system.arena.as_symbol(after).filter(|symbol| reset.unknowns.contains(symbol)) {
            let origin = systems.origin(before);
            systems.name(symbol, origin);
            pairs.push((symbol, system.arena.symbol(before)));
        }
    }
    pairs.into_iter().unzip()
}
