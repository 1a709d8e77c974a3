//! The verifier of programs: what is true of every program, before and after each pass of its optimisation.

use base::{Broken, Invariant};
use expr::{Arena, Expr, Node, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contact::Contacts;
use crate::program::{Binding, Changes, Function, Integral, Program};
use crate::switch::Switches;

pub fn verify(program: &Program) -> Result<(), Broken> {
    base::verify(program, INVARIANTS)
}

pub(crate) fn verify_after(pass: &str, program: &Program) {
    base::verify_after(pass, || verify(program));
}

pub const INVARIANTS: &[Invariant<Program>] = &[
    ("a state belongs to one integral, once", states_are_unique),
    ("every state is started", states_are_started),
    ("systems fit their unknowns", systems_fit),
    ("a system is told to the user", systems_are_told),
    ("a function gives as many results as are read", results_are_read),
    ("what is used is known by then", uses_are_known),
    ("what is remembered has a place", places_exist),
];

fn all_states(program: &Program) -> impl Iterator<Item = SymbolId> {
    program.integrals.iter().flat_map(|it| it.states.iter().chain(&it.followers)).map(|it| it.symbol)
}

fn states_are_unique(program: &Program) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    let twice = all_states(program).find(|&symbol| !seen.insert(symbol));
    twice.map_or(Ok(()), |symbol| Err(format!("`{}`", program.arena.symbol_name(symbol))))
}

fn states_are_started(program: &Program) -> Result<(), String> {
    let started: FxHashSet<SymbolId> = program.started.iter().copied().collect();
    let lacking = all_states(program).find(|symbol| !started.contains(symbol));
    lacking.map_or(Ok(()), |symbol| Err(format!("`{}`", program.arena.symbol_name(symbol))))
}

fn systems_fit(program: &Program) -> Result<(), String> {
    for (function, _) in functions(program) {
        if let Some(binding) = function.body.iter().find(|binding| !fits(binding)) {
            return Err(format!("system {} of `{}`", binding.id().index(), function.name));
        }
    }
    Ok(())
}

fn fits(binding: &Binding) -> bool {
    let (rows, columns) = (binding.equations(), binding.unknowns().len());
    let inside = |entries: &[(usize, usize, Expr)]| entries.iter().all(|&(row, at, _)| row < rows && at < columns);
    let unique: FxHashSet<&SymbolId> = binding.unknowns().iter().collect();
    unique.len() == columns
        && match binding {
            Binding::Linear(system) => {
                let pivots = |pivots: &Vec<crate::program::Pivot>| {
                    let rows: FxHashSet<usize> = pivots.iter().map(|it| it.row).collect();
                    let places: FxHashSet<usize> = pivots.iter().map(|it| it.column).collect();
                    rows.len() == columns && places.len() == columns && pivots.iter().all(|it| it.row < columns)
                };
                rows == columns && inside(&system.matrix) && system.pivots.as_ref().is_none_or(pivots)
            }
            Binding::Nonlinear(system) => inside(&system.jacobian) && system.seeds.len() == columns,
            Binding::Sum(sum) => sum.arguments.len() == sum.family.arguments.len(),
        }
}

fn systems_are_told(program: &Program) -> Result<(), String> {
    let untold = |binding: &&Binding| binding.id().index() >= program.systems.len();
    let found = functions(program).find_map(|(function, _)| function.body.iter().find(untold).map(|_| &function.name));
    found.map_or(Ok(()), |name| Err(format!("one of `{name}`")))
}

fn results_are_read(program: &Program) -> Result<(), String> {
    let mut read = vec![
        (&program.initialize, program.started.len()),
        (&program.observe, program.outputs.len()),
        // Energies; behind them whatever constraints leave.
        (&program.monitor, program.monitor.results.len().max(2)),
    ];
    read.extend(program.memory.iter().map(|memory| (&memory.signals, memory.histories.len())));
    for it in &program.integrals {
        read.push((&it.derivative, it.states.len()));
        read.extend(it.stabilize.as_ref().map(|stabilize| (stabilize, it.states.len())));
        read.extend(it.choices.iter().map(|choice| (&choice.slopes, choice.places.len())));
        read.extend(it.follow.as_ref().map(|follow| (follow, it.followers.len())));
    }
    read.extend(program.curves.iter().map(|curve| (&curve.function, 5)));
    read.extend(program.surfaces.iter().map(|surface| (&surface.function, 2)));
    if let Some(changes) = &program.changes {
        // Margin, slope and truth; then the slopes of margins along each direction.
        read.push((&changes.guards, changes.all.len() * (3 + program.directions)));
        read.push((&changes.margins.places, changes.margins.moving.len()));
        read.push((&changes.carried, changes.variables.len()));
        let found = all_states(program).count();
        read.extend(changes.entry_points().map(|it| (&it.function, program.variables() + it.stores.len() + found)));
        // No plan begins in a rehearsal.
        let beginning = changes.all.iter().filter(|_| program.directions == 0);
        read.extend(beginning.map(|it| (&it.seeds, it.choices.len())));
    }
    let wrong = read.into_iter().find(|(function, count)| function.results.len() != *count);
    wrong.map_or(Ok(()), |(function, count)| {
        Err(format!("`{}`: {}, not {count}", function.name, function.results.len()))
    })
}

fn places_exist(program: &Program) -> Result<(), String> {
    let Some(changes) = &program.changes else { return Ok(()) };
    let discrete = changes.discrete.len() * (1 + program.directions);
    let changed = changes.all.iter().flat_map(|it| &it.choices);
    let entered = changes.entry_points().flat_map(|it| &it.stores);
    let lost = changed.chain(entered).find(|&&at| at >= discrete);
    lost.map_or(Ok(()), |at| Err(format!("number {at} of {discrete}")))
}

/// All functions, each with what it knows besides parameters, controls, the time and its own inputs.
pub(crate) fn functions(program: &Program) -> impl Iterator<Item = (&Function, Vec<SymbolId>)> {
    let integrals = program.integrals.iter().flat_map(|it| {
        let all = [Some(&it.derivative), it.stabilize.as_ref(), it.follow.as_ref()];
        let slopes = it.choices.iter().map(|choice| &choice.slopes);
        all.into_iter().flatten().chain(slopes).map(|function| (function, own_states(it)))
    });
    let states: Vec<SymbolId> = all_states(program).collect();
    let curves = program.curves.iter().map(|it| (&it.function, vec![it.parameter]));
    let surfaces = program.surfaces.iter().map(|it| (&it.function, it.coordinates.to_vec()));
    let watching = [&program.observe, &program.monitor].into_iter().chain(&program.picture);
    let watching = watching.chain(program.memory.iter().map(|memory| &memory.signals)).map(|it| (it, Vec::new()));
    let changes = program.changes.iter().flat_map(changing).map(|it| (it, Vec::new()));
    let switches = program.switches.iter().flat_map(|it| {
        [&it.margins, &it.leaving.places, &it.jumping].into_iter().chain(&it.kinetic).chain(&it.tangents)
    });
    let switches = switches.map(|it| (it, Vec::new()));
    let contacts = program.contacts.iter().flat_map(|it| it.all()).map(|(it, own)| (it, own.to_vec()));
    let seeing = watching.chain(curves).chain(surfaces).chain(changes).chain(switches).chain(contacts).map(
        move |(function, mut known)| {
            known.extend(&states);
            (function, known)
        },
    );
    let entries = program.changes.iter().flat_map(Changes::entry_points).map(|it| (&it.function, Vec::new()));
    [(&program.initialize, Vec::new())].into_iter().chain(integrals).chain(seeing).chain(entries)
}

fn own_states(integral: &Integral) -> Vec<SymbolId> {
    integral.states.iter().chain(&integral.followers).map(|it| it.symbol).collect()
}

/// The functions of transitions that see the states before them.
fn changing(changes: &Changes) -> impl Iterator<Item = &Function> {
    let each = changes.all.iter().flat_map(|it| [&it.carry, &it.aims, &it.seeds]);
    [&changes.guards, &changes.margins.places, &changes.claims, &changes.carried].into_iter().chain(each)
}

fn uses_are_known(program: &Program) -> Result<(), String> {
    let settings = program.parameters.iter().chain(&program.variations).map(|it| it.symbol);
    let controls = program.controls.iter().map(|it| it.symbol);
    let masks = program.choices().flat_map(|choice| choice.masks.iter().copied());
    let switches = program.switches.iter().flat_map(Switches::inputs);
    let contacts = program.contacts.iter().flat_map(Contacts::inputs);
    let inputs = settings.chain(controls).chain(masks).chain(switches).chain(contacts);
    let always: FxHashSet<SymbolId> = inputs.chain([program.time]).collect();
    for (function, known) in functions(program) {
        let mut since: FxHashMap<SymbolId, usize> = always.iter().map(|&symbol| (symbol, 0)).collect();
        since.extend(known.into_iter().chain(function.inputs.symbols.iter().copied()).map(|symbol| (symbol, 0)));
        for (at, binding) in function.body.iter().enumerate() {
            binding.unknowns().iter().for_each(|&unknown| {
                since.entry(unknown).or_insert(at + 1);
            });
        }
        let times = times(&program.arena, &function.expressions(), &since);
        let late = |list: &[Expr], now: usize| list.iter().any(|expr| times[expr] > now);
        for (at, binding) in function.body.iter().enumerate() {
            let (before, within) = match binding {
                Binding::Linear(_) | Binding::Sum(_) => (binding.expressions(), Vec::new()),
                Binding::Nonlinear(system) => {
                    let slopes = system.jacobian.iter().map(|&(_, _, slope)| slope);
                    (system.seeds.clone(), system.residuals.iter().copied().chain(slopes).collect())
                }
            };
            if late(&before, at) || late(&within, at + 1) {
                return Err(format!("in system {} of `{}`", binding.id().index(), function.name));
            }
        }
        if late(&function.results, function.body.len()) {
            return Err(format!("in the results of `{}`", function.name));
        }
    }
    Ok(())
}

/// After how many bindings each node is known; never, if it speaks of something that no binding gives.
fn times(arena: &Arena, roots: &[Expr], since: &FxHashMap<SymbolId, usize>) -> FxHashMap<Expr, usize> {
    let mut times: FxHashMap<Expr, usize> = FxHashMap::default();
    for node in arena.reachable(roots) {
        let time = match arena.node(node) {
            Node::Symbol(symbol) => since.get(symbol).copied().unwrap_or(usize::MAX),
            inner => inner.children().iter().map(|child| times[child]).max().unwrap_or(0),
        };
        times.insert(node, time);
    }
    times
}
