//! Separation: one integral into independent ones, each with a step of its own.

use expr::{Arena, SymbolId};
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components};

use crate::needed::Dependencies;
use crate::program::{Function, Group, Integral, State};

/// Independent integrations. Needs: decomposed systems. Gives: integrals that share no state. Keeps: the trajectory.
pub fn separate_integral(arena: &Arena, integral: Integral) -> Vec<Integral> {
    let n = integral.states.len();
    // First the states, then the followers, with which searches within a derivative begin.
    let all = integral.states.iter().chain(&integral.followers);
    let places: FxHashMap<SymbolId, usize> = all.enumerate().map(|(at, state)| (state.symbol, at)).collect();
    let place = |symbol: &SymbolId| places.get(symbol).copied();
    let traced = Traced::new(arena, &integral);
    // A state goes with all states that its rate, or its place on the constraints, depends on.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (function, dependencies) in std::iter::once(&traced.derivative).chain(&traced.stabilize) {
        for (at, &result) in function.results.iter().enumerate() {
            let mut row: Vec<usize> = dependencies.of(arena, result).iter().filter_map(place).collect();
            row.push(at);
            rows.push(row);
        }
    }
    // A follower needs all its leaders in one integral, so that it is moved along with every step.
    let leaders = |(at, follower): (usize, &State)| -> Vec<usize> {
        let symbols = traced.follow.as_ref().map(|(_, following)| following.of(arena, arena.symbol(follower.symbol)));
        symbols.unwrap_or_default().iter().filter_map(place).chain([n + at]).collect()
    };
    rows.extend(integral.followers.iter().enumerate().map(leaders));
    let components = connected_components(&Incidence::new(n + integral.followers.len(), rows));
    // Where everything follows from the time there are no states, and still somebody has to find what follows.
    if n == 0 || components.len() <= 1 {
        return vec![integral];
    }
    let split =
        |columns: Vec<usize>| -> (Vec<usize>, Vec<usize>) { columns.into_iter().partition(|&column| column < n) };
    let (mut with_states, alone): (Vec<_>, Vec<_>) = components
        .into_iter()
        .map(|(_, columns)| split(columns))
        .filter(|(states, followers)| !states.is_empty() || !followers.is_empty())
        .partition(|(states, _)| !states.is_empty());
    // Followers of nobody go with the first.
    if let Some((_, followers)) = with_states.first_mut() {
        followers.extend(alone.into_iter().flat_map(|(_, followers)| followers));
        followers.sort_unstable();
    }
    let parts = with_states.into_iter().map(|(states, followers)| {
        let followers: Vec<usize> = followers.into_iter().map(|follower| follower - n).collect();
        traced.restrict(arena, &integral, &states, &followers)
    });
    parts.collect()
}

/// The functions of an integral with what their bindings depend on.
struct Traced<'i> {
    derivative: (&'i Function, Dependencies),
    stabilize: Option<(&'i Function, Dependencies)>,
    follow: Option<(&'i Function, Dependencies)>,
}

impl<'i> Traced<'i> {
    fn new(arena: &Arena, integral: &'i Integral) -> Traced<'i> {
        let trace = |function: &'i Function| (function, Dependencies::new(arena, function));
        Traced {
            derivative: trace(&integral.derivative),
            stabilize: integral.stabilize.as_ref().map(trace),
            follow: integral.follow.as_ref().map(trace),
        }
    }

    /// The integral of some of the states, with some of the followers.
    fn restrict(&self, arena: &Arena, integral: &Integral, columns: &[usize], followers: &[usize]) -> Integral {
        let part = |(function, dependencies): &(&Function, Dependencies), results: &[usize]| {
            let Group { name, symbols } = &function.inputs;
            let symbols = columns.iter().map(|&column| symbols[column]).collect();
            let results: Vec<_> = results.iter().map(|&result| function.results[result]).collect();
            let needed = dependencies.bindings_for(arena, &results);
            Function {
                name: function.name.clone(),
                inputs: Group { name: name.clone(), symbols },
                body: needed.into_iter().map(|at| function.body[at].clone()).collect(),
                results,
            }
        };
        let pick = |from: &[State], at: &[usize]| at.iter().map(|&at| from[at].clone()).collect();
        let mut part = Integral {
            states: pick(&integral.states, columns),
            derivative: part(&self.derivative, columns),
            stabilize: self.stabilize.as_ref().map(|stabilize| part(stabilize, columns)),
            followers: pick(&integral.followers, followers),
            follow: self.follow.as_ref().filter(|_| !followers.is_empty()).map(|follow| part(follow, followers)),
            solver: integral.solver,
            choices: Vec::new(),
        };
        part.choices = integral.choices.iter().filter(|choice| choice.concerns(arena, &part)).cloned().collect();
        part
    }
}
