//! Separation: one integral into independent ones, each with a step of its own.

use expr::{Arena, SymbolId};
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components};

use crate::needed::Dependencies;
use crate::program::{Function, Group, Integral, State};

/// Independent integrations. Needs: decomposed systems. Gives: integrals that share no state. Keeps: the trajectory.
pub fn separate_integral(arena: &Arena, integral: Integral) -> Vec<Integral> {
    let n = integral.states.len();
    let places: FxHashMap<SymbolId, usize> =
        integral.states.iter().enumerate().map(|(at, state)| (state.symbol, at)).collect();
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
    let leaders = |follower: &State| -> Vec<usize> {
        let symbols = traced.follow.as_ref().map(|(_, following)| following.of(arena, arena.symbol(follower.symbol)));
        symbols.unwrap_or_default().iter().filter_map(place).collect()
    };
    let leaders: Vec<Vec<usize>> = integral.followers.iter().map(leaders).collect();
    rows.extend(leaders.iter().cloned());
    let components = connected_components(&Incidence::new(n, rows));
    // Where everything follows from the time there are no states, and still somebody has to find what follows.
    if n == 0 || components.len() <= 1 {
        return vec![integral];
    }
    let with_states = components.into_iter().map(|(_, columns)| columns).filter(|columns| !columns.is_empty());
    let parts = with_states.enumerate().map(|(at, columns)| {
        // Followers of nobody go with the first.
        let belongs = |leaders: &Vec<usize>| match leaders.first() {
            Some(leader) => columns.binary_search(leader).is_ok(),
            None => at == 0,
        };
        let followers: Vec<usize> = (0..leaders.len()).filter(|&follower| belongs(&leaders[follower])).collect();
        traced.restrict(arena, &integral, &columns, &followers)
    });
    parts.collect()
}

/// The functions of an integral with what their bindings depend on.
struct Traced<'i> {
    derivative: (&'i Function, Dependencies<'i>),
    stabilize: Option<(&'i Function, Dependencies<'i>)>,
    follow: Option<(&'i Function, Dependencies<'i>)>,
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
        let part = |(function, dependencies): &(&Function, Dependencies<'_>), results: &[usize]| {
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
        Integral {
            states: pick(&integral.states, columns),
            derivative: part(&self.derivative, columns),
            stabilize: self.stabilize.as_ref().map(|stabilize| part(stabilize, columns)),
            followers: pick(&integral.followers, followers),
            follow: self.follow.as_ref().filter(|_| !followers.is_empty()).map(|follow| part(follow, followers)),
            solver: integral.solver,
        }
    }
}
