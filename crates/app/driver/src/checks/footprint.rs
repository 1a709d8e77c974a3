//! What transitions look at and what they change, by the names of coordinates, speeds, quantities and discrete variables.

use std::collections::BTreeSet;

use equations::{Entry, Level, Reset, System, Transition, settle};
use expr::{Alike, Expr, Substitution, SymbolId, jacobian};
use rustc_hash::FxHashMap;

use super::Survey;
use super::condition::scaled;

pub type NameSet = BTreeSet<String>;

#[derive(Debug, Default)]
pub struct Footprint {
    pub reads: NameSet,
    pub writes: NameSet,
}

pub fn names(system: &System, exprs: &[Expr]) -> NameSet {
    system.arena.symbols_in(exprs).into_iter().map(|symbol| name(system, symbol)).collect()
}

fn name(system: &System, symbol: SymbolId) -> String {
    system.arena.symbol_name(symbol).to_string()
}

pub fn footprint(survey: &Survey<'_>, system: &System, transition: &Transition) -> Footprint {
    let mut found = Footprint::default();
    let mut read: Vec<Expr> = vec![transition.guard];
    read.extend(transition.stores.iter().chain(&transition.choices).map(|&(_, value)| value));
    read.extend(&transition.pre);
    read.extend(transition.goals());
    for (reset, level) in [(&transition.positions, Level::Position), (&transition.velocities, Level::Velocity)] {
        let Changed { written, looked_at, .. } = changed(system, reset, level);
        found.writes.extend(written.into_iter().map(|symbol| name(system, symbol)));
        read.extend(looked_at);
    }
    found.reads.extend(names(system, &read));
    let discrete = transition.stores.iter().chain(&transition.choices).map(|&(at, _)| at);
    found.writes.extend(discrete.map(|at| system.automaton.discrete[at].name.clone()));
    own_footprint(survey, system, transition, &mut found);
    found
}

/// Coordinates or speeds that a reset may change, what it looks at for that, and those of its equations that say something new.
struct Changed {
    written: Vec<SymbolId>,
    looked_at: Vec<Expr>,
    acting: Vec<Expr>,
}

fn changed(system: &System, reset: &Reset, level: Level) -> Changed {
    let arena = &system.arena;
    let residuals: Vec<Expr> = reset.equations.iter().map(|equation| equation.residual).collect();
    if !reset.least {
        let after = settle(arena, reset).after;
        let pairs = reset.before.iter().zip(after).filter(|(before, after)| *after != arena.symbol(**before));
        let written = pairs.map(|(&before, _)| before).collect();
        return Changed { written, looked_at: residuals.clone(), acting: residuals };
    }
    // What changes as little as possible changes together with whatever an equation, or a mass, ties it to.
    let mut ties: Vec<(Vec<SymbolId>, Vec<Expr>, bool)> = Vec::new();
    let unknown = |symbol: &SymbolId| reset.unknowns.contains(symbol);
    let pairs = reset.before.iter().zip(&reset.after);
    let mut back = Substitution::new(pairs.clone().map(|(&before, &after)| (after, arena.symbol(before))));
    let satisfied: Vec<Expr> = system.constraints_at(level).into_iter().map(|(_, residual)| residual).collect();
    for &residual in &residuals {
        let unknowns = arena.symbols_in(&[residual]).into_iter().filter(unknown).collect();
        // A constraint that holds before needs no change.
        let acts = !satisfied.contains(&back.apply(arena, residual));
        ties.push((unknowns, vec![residual], acts));
    }
    if level == Level::Velocity {
        let momenta = jacobian(arena, &[system.energy.kinetic], &reset.before);
        let places: Vec<usize> = momenta.iter().map(|&(_, column, _)| column).collect();
        let momenta: Vec<Expr> = momenta.into_iter().map(|(_, _, slope)| slope).collect();
        for (row, column, mass) in jacobian(arena, &momenta, &reset.before) {
            let pair = [places[row], column].map(|at| arena.as_symbol(reset.after[at]));
            ties.push((pair.into_iter().flatten().filter(unknown).collect(), vec![mass], false));
        }
    }
    let mut touched: Vec<SymbolId> = ties.iter().filter(|tie| tie.2).flat_map(|tie| tie.0.clone()).collect();
    let mut looked_at: Vec<Expr> = Vec::new();
    loop {
        let before = touched.len();
        for (unknowns, exprs, _) in &ties {
            if unknowns.iter().any(|symbol| touched.contains(symbol)) {
                looked_at.extend(exprs);
                let more = unknowns.iter().filter(|symbol| !touched.contains(symbol)).copied();
                let more: Vec<SymbolId> = more.collect();
                touched.extend(more);
            }
        }
        if touched.len() == before {
            break;
        }
        looked_at.clear();
    }
    let written = pairs.filter(|(_, after)| arena.as_symbol(**after).is_some_and(|symbol| touched.contains(&symbol)));
    let speaks = |row: &Expr| arena.symbols_in(&[*row]).iter().any(|symbol| touched.contains(symbol));
    let acting = residuals.into_iter().filter(speaks).collect();
    Changed { written: written.map(|(&before, _)| before).collect(), looked_at, acting }
}

/// The same for quantities of the author's own: what the transition says of them, and what follows from laws that are others in the mode
/// that it leads to.
fn own_footprint(survey: &Survey<'_>, system: &System, transition: &Transition, found: &mut Footprint) {
    let Some(stages) = survey.stages_of(&transition.target) else {
        // Of a mode that could not be made nothing is known.
        found.writes.extend(system.automaton.carried.iter().map(|carried| carried.name.clone()));
        return;
    };
    let (plan, next) = (&stages.plan, &stages.system);
    if !next.has_laws() {
        return;
    }
    let entry = next.automaton.entries.iter().find(|entry| entry.number == transition.number);
    let kept = plan.entries.iter().find(|entry| entry.number == transition.number);
    let kept: NameSet =
        kept.into_iter().flat_map(|plan| &plan.start.assumed).map(|kept| name(next, kept.symbol)).collect();
    let mut affected = NameSet::new();
    if let Some(entry) = entry {
        let said: Vec<Expr> = entry.equations.iter().map(|equation| equation.residual).collect();
        let said = names(next, &said).into_iter().chain(entry.open.iter().map(|&symbol| name(next, symbol)));
        let said: Vec<String> = said.collect();
        found.reads.extend(said.iter().cloned());
        let stores: Vec<Expr> = entry.stores.iter().map(|&(_, value)| value).collect();
        found.reads.extend(names(next, &stores));
        found.writes.extend(entry.stores.iter().map(|&(at, _)| next.automaton.discrete[at].name.clone()));
        affected.extend(said);
    }
    let (ours, theirs) = (laws(system), laws(next));
    let mut alike = Alike::new(&system.arena, &next.arena);
    let differs = ours.iter().filter(|&&law| !theirs.iter().any(|&other| alike.are(law, other)));
    let differs: Vec<Expr> = differs.copied().collect();
    affected.extend(names(system, &differs));
    let differs: Vec<Expr> =
        theirs.iter().filter(|&&law| !ours.iter().any(|&other| alike.are(other, law))).copied().collect();
    affected.extend(names(next, &differs));
    let fixed = fixed(system);
    affected.retain(|name| !kept.contains(name) && !fixed.contains(name));
    let ties = ours.iter().map(|&law| names(system, &[law])).chain(theirs.iter().map(|&law| names(next, &[law])));
    let ties =
        ties.map(|names| names.into_iter().filter(|name| !kept.contains(name) && !fixed.contains(name)).collect());
    let ties: Vec<NameSet> = ties.collect();
    spread(&mut affected, &ties);
    found.writes.extend(affected);
}

/// Adds whatever shares a set with what is there, and what shares one with that.
pub fn spread(names: &mut NameSet, ties: &[NameSet]) {
    loop {
        let before = names.len();
        for tie in ties {
            if !tie.is_disjoint(names) {
                names.extend(tie.iter().cloned());
            }
        }
        if names.len() == before {
            return;
        }
    }
}

fn laws(system: &System) -> Vec<Expr> {
    let motion = system.motion.iter().map(|row| row.residual);
    system.laws.iter().map(|law| law.residual).chain(motion).collect()
}

/// What no transition changes by way of laws: time, parameters, controls, and what moves.
fn fixed(system: &System) -> NameSet {
    let symbols = system.parameters.iter().map(|it| it.symbol).chain(system.controls.iter().map(|it| it.symbol));
    let moving = system.coordinates.iter().map(|it| it.symbol).chain(system.speeds.iter().map(|it| it.symbol));
    symbols.chain(moving).chain([system.time]).map(|symbol| name(system, symbol)).collect()
}

/// Whether what a transition says is the same in two modes.
pub fn same_in(survey: &Survey<'_>, number: usize, one: &System, other: &System) -> bool {
    let find = |system: &System| system.automaton.transitions.iter().position(|it| it.number == number);
    let (Some(a), Some(b)) = (find(one), find(other)) else { return false };
    let (a, b) = (&one.automaton.transitions[a], &other.automaton.transitions[b]);
    let mut alike = Alike::new(&one.arena, &other.arena);
    for (a, b) in [(&a.positions, &b.positions), (&a.velocities, &b.velocities)] {
        if a.unknowns.len() != b.unknowns.len() || a.least != b.least {
            return false;
        }
        alike.rename(&a.unknowns, &b.unknowns);
    }
    let levels = [(&a.positions, &b.positions, Level::Position), (&a.velocities, &b.velocities, Level::Velocity)];
    let resets = levels.into_iter().all(|(a, b, level)| {
        let rows = |system: &System, reset: &Reset| -> Vec<((), Expr)> {
            changed(system, reset, level).acting.into_iter().map(|row| ((), row)).collect()
        };
        a.after.iter().zip(&b.after).all(|(&a, &b)| alike.are(a, b)) && alike.are_all(&rows(one, a), &rows(other, b))
    });
    let goals = |transition: &Transition| transition.goals().map(|goal| ((), goal)).collect::<Vec<_>>();
    resets
        && alike.are(a.guard, b.guard)
        && alike.are_all(&a.stores, &b.stores)
        && alike.are_all(&a.choices, &b.choices)
        && alike.are_all(&goals(a), &goals(b))
        && a.pre.len() == b.pre.len()
        && a.pre.iter().zip(&b.pre).all(|(&a, &b)| alike.are(a, b))
        && same_entry(survey, number, &a.target, &b.target)
}

fn same_entry(survey: &Survey<'_>, number: usize, one: &[usize], other: &[usize]) -> bool {
    let (Some(one), Some(other)) = (survey.system(one), survey.system(other)) else { return false };
    let find = |system: &System| system.automaton.entries.iter().position(|it| it.number == number);
    let (a, b) = match (find(one), find(other)) {
        (None, None) => return true,
        (Some(a), Some(b)) => (&one.automaton.entries[a], &other.automaton.entries[b]),
        _ => return false,
    };
    let mut alike = Alike::new(&one.arena, &other.arena);
    alike.rename(&a.pre, &b.pre);
    let rows = |entry: &Entry| entry.equations.iter().map(|row| ((), row.residual)).collect::<Vec<_>>();
    let open = |system: &System, entry: &Entry| -> NameSet { entry.open.iter().map(|&it| name(system, it)).collect() };
    alike.are_all(&rows(a), &rows(b)) && alike.are_all(&a.stores, &b.stores) && open(one, a) == open(other, b)
}

/// Whether two transitions that lead to one mode leave the same there, from whichever state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agree {
    No,
    /// With the parameters as they are.
    AsItIs,
    Always,
}

pub fn agree(survey: &Survey<'_>, system: &System, one: &Transition, other: &Transition) -> Agree {
    let arena = &system.arena;
    if one.target != other.target || !one.choices.is_empty() || !other.choices.is_empty() {
        return Agree::No;
    }
    let mut plain = Substitution::default();
    if leave_the_same(system, one, other, &mut plain) && enter_alike(survey, one, other) {
        return Agree::Always;
    }
    let numbers = system.parameters.iter().map(|it| (arena.symbol(it.symbol), arena.number(it.default)));
    let mut numbers = Substitution::new(numbers);
    match leave_the_same(system, one, other, &mut numbers) && enter_alike(survey, one, other) {
        true => Agree::AsItIs,
        false => Agree::No,
    }
}

fn leave_the_same(system: &System, one: &Transition, other: &Transition, put: &mut Substitution) -> bool {
    let arena = &system.arena;
    let resets = [(&one.positions, &other.positions), (&one.velocities, &other.velocities)];
    // What is not known of the one is called what it is called in the other.
    let unknowns = resets.iter().flat_map(|(one, other)| one.after.iter().zip(&other.after));
    let mut called = Substitution::new(unknowns.filter_map(|(&one, &other)| {
        let unknown = |expr: Expr, sides: [&Reset; 2]| {
            arena.as_symbol(expr).is_some_and(|symbol| sides.iter().any(|reset| reset.unknowns.contains(&symbol)))
        };
        let both = unknown(one, [resets[0].0, resets[1].0]) && unknown(other, [resets[0].1, resets[1].1]);
        both.then_some((other, one))
    }));
    let mut normal = |expr: Expr| put.apply(arena, expr);
    for (one, other) in resets {
        let (a, b) = (settle(arena, one), settle(arena, other));
        let after = b.after.iter().map(|&after| called.apply(arena, after));
        if a.after.iter().zip(after).any(|(&a, b)| normal(a) != normal(b)) {
            return false;
        }
        let rows = |rows: Vec<Expr>| -> BTreeSet<Expr> { rows.into_iter().map(|row| unsigned(arena, row)).collect() };
        let left = rows(a.unsolved.iter().map(|&(_, row)| normal(row)).collect());
        let right: Vec<Expr> = b.unsolved.iter().map(|&(_, row)| normal(called.apply(arena, row))).collect();
        if left != rows(right) || (one.least != other.least && !a.open.is_empty()) {
            return false;
        }
    }
    let mut sorted = |transition: &Transition| {
        let mut stores: Vec<(usize, Expr)> =
            transition.stores.iter().map(|&(at, value)| (at, normal(called.apply(arena, value)))).collect();
        stores.sort_unstable();
        stores
    };
    sorted(one) == sorted(other)
}

fn unsigned(arena: &expr::Arena, row: Expr) -> Expr {
    let row = scaled(arena, row);
    match arena.node(row) {
        expr::Node::Sum(terms, constant) if terms[0].0.value() < 0.0 => {
            let minus = expr::Number::MINUS_ONE;
            let terms = terms.iter().map(|&(coefficient, term)| (coefficient.times(minus), term));
            arena.sum(terms.chain([(constant.times(minus), arena.one())]).collect::<Vec<_>>())
        }
        _ => row,
    }
}

/// Whether both say the same of the author's own quantities.
fn enter_alike(survey: &Survey<'_>, one: &Transition, other: &Transition) -> bool {
    let Some(next) = survey.system(&one.target) else { return false };
    let entry = |number: usize| next.automaton.entries.iter().find(|entry| entry.number == number);
    let (a, b) = match (entry(one.number), entry(other.number)) {
        (None, None) => return true,
        (Some(a), Some(b)) => (a, b),
        _ => return false,
    };
    let arena = &next.arena;
    // One stand-in for each value before.
    let mut stand_ins: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut put = |entry: &Entry, before: &[Expr]| {
        let mut stands =
            |before: Expr| *stand_ins.entry(before).or_insert_with(|| arena.symbol(arena.new_symbol("pre")));
        let pairs = entry.pre.iter().zip(before).map(|(&symbol, &before)| (arena.symbol(symbol), stands(before)));
        Substitution::new(pairs.collect::<Vec<_>>())
    };
    let (mut a_put, mut b_put) = (put(a, &one.pre), put(b, &other.pre));
    let rows = |entry: &Entry, put: &mut Substitution| -> BTreeSet<Expr> {
        entry.equations.iter().map(|row| unsigned(arena, put.apply(arena, row.residual))).collect()
    };
    let stores = |entry: &Entry, put: &mut Substitution| -> BTreeSet<(usize, Expr)> {
        entry.stores.iter().map(|&(at, value)| (at, put.apply(arena, value))).collect()
    };
    let open = |entry: &Entry| -> BTreeSet<SymbolId> { entry.open.iter().copied().collect() };
    rows(a, &mut a_put) == rows(b, &mut b_put) && stores(a, &mut a_put) == stores(b, &mut b_put) && open(a) == open(b)
}
