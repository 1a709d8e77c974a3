//! Transitions as functions of the state: when they happen, and what they hand over.

use equations::System;
use expr::{Expr, Operator, SymbolId};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Change, Changes, Function, Group, Margins, ParameterInput, State};
use crate::settle::settled;

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
        let results = results.into_iter().map(|result| (self.known)(result)).collect();
        Function { name: name.to_string(), inputs: self.inputs.clone(), body: self.observed.clone(), results }
    }
}

/// The functions of a system that changes.
pub fn changes(system: &System, mut seen: Seen<'_>) -> Changes {
    let automaton = &system.automaton;
    let guards = guards(system, &mut seen);
    let margins = margins(system, &mut seen);
    let conditions = automaton.conditions.iter().flat_map(|claimed| [claimed.margin, claimed.slope, claimed.size]);
    let compared = automaton.conditions.iter().flat_map(|claimed| &claimed.compared).map(|side| side.value);
    let claims = seen.function("claims", conditions.chain(compared).collect());
    let variables = variables(system);
    let values: Vec<Expr> = variables.iter().map(|variable| system.arena.symbol(variable.symbol)).collect();
    let mut all = Vec::new();
    for transition in &automaton.transitions {
        let rates = automaton.carried.iter().map(|carried| carried.rate);
        let carried = values.iter().chain(&transition.pre).copied().chain(rates).collect();
        all.push(Change {
            name: transition.name.clone(),
            number: transition.number,
            target: transition.target.clone(),
            carry: seen.function("carry", carried),
            aims: seen.function("aims", transition.goals().collect()),
            limits: transition.limits.len(),
            has_cost: transition.cost.is_some(),
            seeds: seen.function("seeds", transition.choices.iter().map(|&(_, seed)| seed).collect()),
            choices: transition.choices.iter().map(|&(at, _)| at).collect(),
            ranges: transition.ranges.clone(),
            phases: transition.phases.clone(),
            span: transition.span,
        });
    }
    let discrete = automaton.discrete.iter().map(|discrete| ParameterInput {
        name: discrete.name.clone(),
        symbol: discrete.symbol,
        default: discrete.default,
    });
    let carried = seen.function("carried", values);
    let moving = variables.len() - automaton.carried.len();
    Changes {
        discrete: discrete.collect(),
        guards,
        margins,
        claims,
        all,
        variables,
        moving,
        carried,
        entries: Vec::new(),
        reenter: None,
    }
}

/// For each transition its margin, how fast that changes, and whether its guard holds beyond doubt.
fn guards(system: &System, seen: &mut Seen<'_>) -> Function {
    let guards = system.automaton.transitions.iter().flat_map(|transition| {
        let (arena, guard) = (&system.arena, (seen.known)(transition.guard));
        let margin = settled(arena, guard);
        let beyond_doubt = arena.apply(Operator::LessEqual, &[arena.zero(), margin]);
        [margin, transition.slope, arena.apply(Operator::And, &[guard, beyond_doubt])]
    });
    let guards: Vec<Expr> = guards.collect();
    seen.function("guards", guards)
}

/// What passes from mode to mode: coordinates, speeds and what is carried besides.
fn variables(system: &System) -> Vec<State> {
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
    let carried = system.automaton.carried.iter().map(|carried| State {
        name: carried.name.clone(),
        symbol: carried.symbol,
        dimension: carried.dimension,
        span: carried.span,
    });
    coordinates.chain(speeds).chain(carried).collect()
}

fn margins(system: &System, seen: &mut Seen<'_>) -> Margins {
    let automaton = &system.automaton;
    let transitions = automaton.transitions.iter().map(|transition| transition.margin);
    let conditions = automaton.conditions.iter().map(|claimed| claimed.margin);
    let all: Vec<Expr> = transitions.chain(conditions).map(|margin| (seen.known)(margin)).collect();
    let mut still: FxHashSet<SymbolId> = system.input_symbols().into_iter().collect();
    let moving: FxHashSet<SymbolId> = system.contacts.iter().flat_map(|contacts| contacts.moving()).collect();
    still.retain(|symbol| !moving.contains(symbol));
    Margins::new(&system.arena, all, &still, |values| seen.function("places", values))
}
