//! Transitions as functions of the state: when they happen, and what they change.

use equations::{Reset, System, Transition};
use expr::{Expr, Substitution, SymbolId, jacobian};

use crate::program::{Binding, Change, Changes, Function, Group, Origin, ParameterInput, State, SystemRole};
use crate::systems::Systems;

/// The functions of a system that changes; `observed` finds all that depends on the states.
pub fn changes(system: &System, systems: &mut Systems<'_>, observed: &[Binding], inputs: &Group) -> Changes {
    let automaton = &system.automaton;
    let function = |name: &str, body: &[Binding], results: Vec<Expr>| Function {
        name: name.to_string(),
        inputs: inputs.clone(),
        body: body.to_vec(),
        results,
    };
    let guards =
        automaton.transitions.iter().flat_map(|transition| [transition.margin, transition.slope, transition.guard]);
    let haste = automaton.haste.unwrap_or(system.arena.zero());
    let guards = function("guards", observed, guards.chain([haste]).collect());
    let conditions = automaton.conditions.iter().flat_map(|claimed| [claimed.margin, claimed.slope, claimed.size]);
    let compared = automaton.conditions.iter().flat_map(|claimed| &claimed.compared).map(|side| side.value);
    let claims = function("claims", observed, conditions.chain(compared).collect());
    let mut all = Vec::new();
    for transition in &automaton.transitions {
        let mut body = observed.to_vec();
        body.extend(positions(system, systems, transition));
        body.extend(velocities(system, systems, transition));
        let after = transition.positions.after.iter().chain(&transition.velocities.after).copied();
        let results = after.chain(transition.stores.iter().map(|&(_, value)| value)).collect();
        let aims = transition.aims.iter().map(|aim| aim.residual).collect();
        all.push(Change {
            name: transition.name.clone(),
            number: transition.number,
            target: transition.target.clone(),
            reset: function("reset", &body, results),
            stores: transition.stores.iter().map(|&(at, _)| at).collect(),
            aims: function("aims", observed, aims),
            seeds: function("seeds", observed, transition.choices.iter().map(|&(_, seed)| seed).collect()),
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
    let variables: Vec<State> = coordinates.chain(speeds).collect();
    let values = variables.iter().map(|variable| system.arena.symbol(variable.symbol)).collect();
    let whole = function("whole", observed, values);
    Changes { held: held.collect(), guards, claims, all, variables, whole }
}

/// Positions afterwards, nearest to those before where there is a choice.
fn positions(system: &System, systems: &mut Systems<'_>, transition: &Transition) -> Option<Binding> {
    let reset = &transition.positions;
    let (unknowns, seeds) = unknowns(system, systems, reset);
    let rows = reset.equations.iter().map(|equation| systems.stated(equation)).collect();
    (!unknowns.is_empty()).then(|| systems.nonlinear(SystemRole::Positions, rows, unknowns, seeds))
}

/// Velocities afterwards. Where there is a choice, the kinetic energy of the change is as small as it can be: impulses act through the
/// equations that are to hold, and nowhere else.
fn velocities(system: &System, systems: &mut Systems<'_>, transition: &Transition) -> Option<Binding> {
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
    Some(systems.nonlinear(SystemRole::Velocities, rows, unknowns, seeds))
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
