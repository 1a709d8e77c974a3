//! Separation: one integral into independent ones, each with a step of its own; those of a crowd that are made alike step together.

use expr::{Arena, Cost, Expr, SymbolId, cost};
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components};

use crate::needed::Dependencies;
use crate::program::{Function, Group, Integral, State};

/// How many independent parts that are made alike still have a step each.
///
/// Every integral has an integrator of its own, about 100 kB and 3 ms of compiling. Parts that are made alike move about as fast, so a step
/// of their own would gain them little.
const ALIKE_APART: usize = 16;

/// How many integrals a program has at most; where parts of so many makes are independent, all step together.
const MOST_INTEGRALS: usize = 64;

/// Independent integrations. Needs: decomposed systems. Gives: integrals that share no state. Keeps: the trajectory, within the tolerance.
pub fn separate_integral(arena: &Arena, integral: Integral) -> Vec<Integral> {
    let n = integral.states.len();
    // First the states, then the followers, with which searches within a derivative begin.
    let all = integral.states.iter().chain(&integral.followers);
    let places: FxHashMap<SymbolId, usize> = all.enumerate().map(|(at, state)| (state.symbol, at)).collect();
    let place = |symbol: SymbolId| places.get(&symbol).copied();
    let traced = Traced::new(&integral);
    // A state goes with all states that its rate, or its place on the constraints, depends on.
    let members = n + integral.followers.len();
    let mut rows: Vec<Vec<usize>> = (0..members).map(|at| vec![at]).collect();
    let mut link = |dependencies: &Dependencies, first: usize, results: &[Expr]| {
        let (joined, places) = dependencies.joined(arena, results, place);
        let of_results = places.into_iter().enumerate().filter_map(|(at, place)| Some(vec![first + at, place?]));
        rows.extend(of_results.chain(joined));
    };
    std::iter::once(&traced.derivative).chain(&traced.stabilize).for_each(|it| link(it, 0, &it.function.results));
    // A follower needs all its leaders in one integral, so that it is moved along with every step.
    let followers: Vec<Expr> = integral.followers.iter().map(|follower| arena.symbol(follower.symbol)).collect();
    traced.follow.iter().for_each(|follow| link(follow, n, &followers));
    let components = connected_components(&Incidence::new(members, rows)).into_iter().map(|(_, columns)| columns);
    let components: Vec<Vec<usize>> = components.collect();
    // Where everything follows from the time there are no states, and still somebody has to find what follows.
    if n == 0 || components.len() <= 1 {
        return vec![integral];
    }
    let split =
        |columns: Vec<usize>| -> (Vec<usize>, Vec<usize>) { columns.into_iter().partition(|&column| column < n) };
    let (mut with_states, alone): (Vec<_>, Vec<_>) =
        components.into_iter().map(split).partition(|(states, _)| !states.is_empty());
    // Followers of nobody go with the first.
    if let Some((_, followers)) = with_states.first_mut() {
        followers.extend(alone.into_iter().flat_map(|(_, followers)| followers));
        followers.sort_unstable();
    }
    let parts = with_states.into_iter().map(|(states, followers)| {
        let followers: Vec<usize> = followers.into_iter().map(|follower| follower - n).collect();
        (states, followers)
    });
    let parts = gather(parts.collect(), |(states, followers)| traced.make(arena, states, followers));
    parts.iter().map(|crowd| traced.restrict(arena, &integral, crowd)).collect()
}

/// The places of states, and those of followers.
type Part = (Vec<usize>, Vec<usize>);

/// Puts parts of one make together where there are many, and all where there are many makes.
fn gather(parts: Vec<Part>, make: impl Fn(&Part) -> Make) -> Vec<Vec<Part>> {
    let alone = |part| vec![part];
    if parts.len() <= ALIKE_APART {
        return parts.into_iter().map(alone).collect();
    }
    let mut crowds: Vec<Vec<Part>> = Vec::new();
    let mut crowd_of: FxHashMap<Make, usize> = FxHashMap::default();
    for part in parts {
        let at = *crowd_of.entry(make(&part)).or_insert(crowds.len());
        crowds.resize_with(crowds.len().max(at + 1), Vec::new);
        crowds[at].push(part);
    }
    let apart = |crowd: Vec<Part>| match crowd.len() {
        ..=ALIKE_APART => crowd.into_iter().map(alone).collect(),
        _ => vec![crowd],
    };
    let crowds: Vec<Vec<Part>> = crowds.into_iter().flat_map(apart).collect();
    if crowds.len() <= MOST_INTEGRALS { crowds } else { vec![crowds.concat()] }
}

/// What parts that are made alike have in common: how many states, followers and bindings they have, and what their rates cost.
type Make = (usize, usize, usize, Cost);

/// The functions of an integral with what their bindings depend on.
struct Traced<'i> {
    derivative: Dependencies<'i>,
    stabilize: Option<Dependencies<'i>>,
    follow: Option<Dependencies<'i>>,
}

impl<'i> Traced<'i> {
    fn new(integral: &'i Integral) -> Traced<'i> {
        Traced {
            derivative: Dependencies::new(&integral.derivative),
            stabilize: integral.stabilize.as_ref().map(Dependencies::new),
            follow: integral.follow.as_ref().map(Dependencies::new),
        }
    }

    fn make(&self, arena: &Arena, columns: &[usize], followers: &[usize]) -> Make {
        let function = self.derivative.function;
        let mut evaluated: Vec<Expr> = columns.iter().map(|&column| function.results[column]).collect();
        let needed = self.derivative.bindings_for(arena, &evaluated);
        evaluated.extend(needed.iter().flat_map(|&at| function.body[at].expressions()));
        (columns.len(), followers.len(), needed.len(), cost(arena, &evaluated))
    }

    /// The integral of some parts together.
    fn restrict(&self, arena: &Arena, integral: &Integral, crowd: &[Part]) -> Integral {
        let numbered = crowd.iter().enumerate().flat_map(|(number, part)| part.0.iter().map(move |&at| (at, number)));
        let mut numbered: Vec<(usize, usize)> = numbered.collect();
        numbered.sort_unstable();
        let (columns, numbers): (Vec<usize>, Vec<usize>) = numbered.into_iter().unzip();
        let mut followers: Vec<usize> = crowd.iter().flat_map(|(_, followers)| followers).copied().collect();
        followers.sort_unstable();
        let (columns, followers) = (&columns[..], &followers[..]);
        let part = |dependencies: &Dependencies, results: &[usize]| {
            let function = dependencies.function;
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
            crowd: if crowd.len() > 1 { numbers } else { Vec::new() },
        };
        part.choices = integral.choices.iter().filter(|choice| choice.concerns(arena, &part)).cloned().collect();
        part
    }
}

#[cfg(test)]
mod tests {
    use base::{Dimension, Span};

    use super::*;
    use crate::program::{Binding, LinearSystem, Solver, SystemId};

    /// Four states, whose rates come from bindings: of each, the unknown that it gives and the symbols that it needs.
    fn integral(
        arena: &Arena,
        states: &[SymbolId],
        bindings: &[(SymbolId, &[SymbolId])],
        rates: &[SymbolId],
    ) -> Integral {
        let expr = |&symbol: &SymbolId| arena.symbol(symbol);
        let binding = |&(unknown, needs): &(SymbolId, &[SymbolId])| {
            let right = needs.iter().map(expr).fold(arena.one(), |sum, need| arena.add(sum, need));
            let (matrix, right) = (vec![(0, 0, arena.one())], vec![right]);
            Binding::Linear(LinearSystem { id: SystemId(0), unknowns: vec![unknown], matrix, right, pivots: None })
        };
        let state = |&symbol: &SymbolId| {
            let name = arena.symbol_name(symbol).to_string();
            State { name, symbol, dimension: Dimension::NONE, span: Span::default() }
        };
        let derivative = Function {
            name: "derivative".into(),
            inputs: Group { name: "state".into(), symbols: states.to_vec() },
            body: bindings.iter().map(binding).collect(),
            results: rates.iter().map(expr).collect(),
        };
        let (stabilize, followers, follow, choices, crowd) = (None, Vec::new(), None, Vec::new(), Vec::new());
        let states = states.iter().map(state).collect();
        Integral { states, derivative, stabilize, followers, follow, solver: Solver::Explicit, choices, crowd }
    }

    /// What states share through bindings of bindings joins them; what is the same for all, and what nobody needs, does not.
    #[test]
    fn states_go_with_what_their_rates_depend_on() {
        let arena = Arena::new();
        let [a, b, c, d, p, u, v, w, z] =
            ["a", "b", "c", "d", "p", "u", "v", "w", "z"].map(|name| arena.new_symbol(name));
        let bindings: [(SymbolId, &[SymbolId]); 4] = [(z, &[p]), (u, &[a, c, z]), (v, &[u]), (w, &[b, d])];
        let whole = integral(&arena, &[a, b, c, d], &bindings, &[v, b, z, d]);
        let parts = separate_integral(&arena, whole);
        let names = |part: &Integral| part.states.iter().map(|state| state.name.as_str()).collect::<String>();
        assert_eq!(parts.iter().map(names).collect::<Vec<_>>(), ["ac", "b", "d"]);
        let bound = |part: &Integral| part.derivative.body.len();
        assert_eq!(parts.iter().map(bound).collect::<Vec<_>>(), [3, 0, 0]);
    }

    /// Of many oscillators those that are made alike step together, and still are told apart; few of a make have a step each.
    #[test]
    fn crowds_of_one_make_are_one_integral() {
        let arena = Arena::new();
        let new = |number: usize| (0..number).map(|at| arena.new_symbol(&format!("s{at}"))).collect::<Vec<_>>();
        let (places, speeds) = (new(ALIKE_APART + 3), new(ALIKE_APART + 3));
        let states: Vec<SymbolId> = places.iter().chain(&speeds).copied().collect();
        let mut whole = integral(&arena, &states, &[], &states);
        let rate = |&place: &SymbolId| arena.negate(arena.power(arena.symbol(place), 3));
        let mut rates: Vec<Expr> =
            speeds.iter().map(|&speed| arena.symbol(speed)).chain(places.iter().map(rate)).collect();
        // Two of them fall instead.
        (1..3).for_each(|at| rates[places.len() + at] = arena.negate(arena.one()));
        whole.derivative.results = rates;
        let parts = separate_integral(&arena, whole);
        let sizes: Vec<usize> = parts.iter().map(|part| part.states.len()).collect();
        assert_eq!(sizes, [2 * (ALIKE_APART + 1), 2, 2]);
        let numbers: Vec<usize> = (0..=ALIKE_APART).collect();
        assert_eq!(parts[0].crowd, [numbers.clone(), numbers].concat(), "a place and its speed have one number");
        assert!(parts[1].crowd.is_empty());
    }
}
