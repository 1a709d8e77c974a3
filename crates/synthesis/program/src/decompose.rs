//! Decomposition: one system of equations into several smaller ones, one integral into independent ones.

use expr::{Arena, Expr, Number, Substitution, SymbolId};
use rustc_hash::FxHashMap;
use structure::{Block, Incidence, connected_components, maximum_matching, order_blocks};

use crate::needed::{Dependencies, prune};
use crate::program::{
    Binding, Function, Group, Integral, LinearSystem, NonlinearSystem, Origin, State, SystemId, SystemInfo,
};

/// Splits every system of a function. Needs: systems as large as they come. Gives: smaller systems in an order in which they
/// can be solved, without those whose solution is zero. Keeps: what the function computes.
pub fn decompose_systems(arena: &Arena, function: &mut Function, systems: &mut Vec<SystemInfo>) {
    let body = std::mem::take(&mut function.body);
    let mut zeros: Vec<SymbolId> = Vec::new();
    let mut vanish = Substitution::default();
    for binding in body {
        match binding {
            Binding::Linear(mut system) => {
                for value in system.matrix.iter_mut().map(|(_, _, value)| value).chain(&mut system.right) {
                    *value = vanish.apply(arena, *value);
                }
                let (blocks, found) = blocks(arena, &system, systems);
                function.body.extend(blocks.into_iter().map(Binding::Linear));
                if !found.is_empty() {
                    zeros.extend(found);
                    vanish = Substitution::new(zeros.iter().map(|&symbol| (arena.symbol(symbol), arena.zero())));
                }
            }
            Binding::Nonlinear(mut system) => {
                let slopes = system.jacobian.iter_mut().map(|(_, _, value)| value);
                for value in slopes.chain(&mut system.residuals).chain(&mut system.seeds) {
                    *value = vanish.apply(arena, *value);
                }
                let idle = |part: &NonlinearSystem| {
                    part.residuals.is_empty()
                        && part.unknowns.iter().map(|&x| arena.symbol(x)).eq(part.seeds.iter().copied())
                };
                let parts = parts(arena, &system, systems).into_iter().filter(|part| !idle(part));
                function.body.extend(parts.map(Binding::Nonlinear));
            }
        }
    }
    for result in &mut function.results {
        *result = vanish.apply(arena, *result);
    }
}

/// Block-triangular form: each block is solved with the unknowns of those before it known. A block whose right-hand side is zero
/// has the solution zero, as have the forces of constraints that only guide what follows; it is left out, and its unknowns are
/// named.
fn blocks(arena: &Arena, system: &LinearSystem, systems: &mut Vec<SystemInfo>) -> (Vec<LinearSystem>, Vec<SymbolId>) {
    let incidence = incidence(system.right.len(), system.unknowns.len(), &system.matrix);
    let matching = maximum_matching(&incidence);
    if matching.size() < system.unknowns.len() {
        return (vec![system.clone()], Vec::new());
    }
    let (mut blocks, mut zeros) = (Vec::new(), Vec::new());
    for Block { rows, columns } in order_blocks(&incidence, &matching) {
        let block = block_system(arena, system, (&rows, &columns), &zeros, systems);
        if block.right.iter().all(|&right| arena.is_zero(right)) {
            zeros.extend(block.unknowns);
        } else {
            blocks.push(block);
        }
    }
    (blocks, zeros)
}

fn block_system(
    arena: &Arena,
    system: &LinearSystem,
    (rows, columns): (&[usize], &[usize]),
    zeros: &[SymbolId],
    systems: &mut Vec<SystemInfo>,
) -> LinearSystem {
    let mut matrix = Vec::new();
    let mut right: Vec<Vec<(Number, Expr)>> = rows.iter().map(|&row| vec![(Number::ONE, system.right[row])]).collect();
    for &(row, column, value) in &system.matrix {
        let Ok(row) = rows.binary_search(&row) else { continue };
        match columns.binary_search(&column) {
            Ok(column) => matrix.push((row, column, value)),
            Err(_) if zeros.contains(&system.unknowns[column]) => {}
            Err(_) => {
                let known = arena.symbol(system.unknowns[column]);
                right[row].push((Number::MINUS_ONE, arena.multiply(value, known)));
            }
        }
    }
    LinearSystem {
        id: part_info(system.id, rows, columns, systems),
        unknowns: columns.iter().map(|&column| system.unknowns[column]).collect(),
        matrix,
        right: right.into_iter().map(|terms| arena.sum(terms)).collect(),
        pivots: None,
    }
}

/// Components that share neither equations nor unknowns. Unknowns that no equation mentions keep their seeds. An equation goes with
/// every unknown that it mentions, even one that cannot change it: it has to hold all the same, and is evaluated with its value.
fn parts(arena: &Arena, system: &NonlinearSystem, systems: &mut Vec<SystemInfo>) -> Vec<NonlinearSystem> {
    let places: FxHashMap<SymbolId, usize> =
        system.unknowns.iter().enumerate().map(|(at, &unknown)| (unknown, at)).collect();
    let mentioned = |&residual: &Expr| {
        let columns: Vec<usize> =
            arena.symbols_in(&[residual]).iter().filter_map(|symbol| places.get(symbol).copied()).collect();
        if columns.is_empty() && !places.is_empty() { vec![0] } else { columns }
    };
    let incidence = Incidence::new(system.unknowns.len(), system.residuals.iter().map(mentioned).collect());
    let part = |(rows, columns): (Vec<usize>, Vec<usize>)| {
        let entry = |&(row, column, value): &(usize, usize, Expr)| {
            Some((rows.binary_search(&row).ok()?, columns.binary_search(&column).ok()?, value))
        };
        NonlinearSystem {
            id: part_info(system.id, &rows, &columns, systems),
            unknowns: columns.iter().map(|&column| system.unknowns[column]).collect(),
            seeds: columns.iter().map(|&column| system.seeds[column]).collect(),
            residuals: rows.iter().map(|&row| system.residuals[row]).collect(),
            jacobian: system.jacobian.iter().filter_map(entry).collect(),
        }
    };
    connected_components(&incidence).into_iter().map(part).collect()
}

fn incidence(rows: usize, columns: usize, entries: &[(usize, usize, Expr)]) -> Incidence {
    let mut lists = vec![Vec::new(); rows];
    entries.iter().for_each(|&(row, column, _)| lists[row].push(column));
    Incidence::new(columns, lists)
}

fn part_info(whole: SystemId, rows: &[usize], columns: &[usize], systems: &mut Vec<SystemInfo>) -> SystemId {
    let info = &systems[whole.index()];
    let pick = |from: &[Origin], at: &[usize]| at.iter().map(|&at| from[at].clone()).collect();
    let part =
        SystemInfo { role: info.role, equations: pick(&info.equations, rows), unknowns: pick(&info.unknowns, columns) };
    systems.push(part);
    SystemId(systems.len() as u32 - 1)
}

/// Independent integrations. Needs: decomposed systems. Gives: integrals that share no state. Keeps: the trajectory.
pub fn decompose_integral(arena: &Arena, integral: Integral) -> Vec<Integral> {
    let n = integral.states.len();
    let symbols: Vec<SymbolId> = integral.states.iter().map(|state| state.symbol).collect();
    let places: FxHashMap<SymbolId, usize> = symbols.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
    let place = |symbol: &SymbolId| places.get(symbol).copied();
    // A state goes with all states that its rate, or its place on the constraints, depends on.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for function in std::iter::once(&integral.derivative).chain(&integral.stabilize) {
        let dependencies = Dependencies::new(arena, function);
        for (at, &result) in function.results.iter().enumerate() {
            let mut row: Vec<usize> = dependencies.of(arena, result).iter().filter_map(place).collect();
            row.push(at);
            rows.push(row);
        }
    }
    // A follower needs all its leaders in one integral, so that it is moved along with every step.
    let following = integral.follow.as_ref().map(|follow| Dependencies::new(arena, follow));
    let leaders = |follower: &State| -> Vec<usize> {
        let symbols = following.as_ref().map(|following| following.of(arena, arena.symbol(follower.symbol)));
        symbols.unwrap_or_default().iter().filter_map(place).collect()
    };
    let leaders: Vec<Vec<usize>> = integral.followers.iter().map(leaders).collect();
    rows.extend(leaders.iter().cloned());
    let components = connected_components(&Incidence::new(n, rows));
    // Where everything follows from the time there are no states, and still somebody has to find what follows.
    if n == 0 || components.len() <= 1 {
        return vec![integral];
    }
    let with_states = components.into_iter().filter(|(_, columns)| !columns.is_empty());
    let parts = with_states.enumerate().map(|(at, (_, columns))| {
        // Followers of nobody go with the first.
        let belongs = |leaders: &Vec<usize>| match leaders.first() {
            Some(leader) => columns.contains(leader),
            None => at == 0,
        };
        let followers: Vec<usize> = (0..leaders.len()).filter(|&follower| belongs(&leaders[follower])).collect();
        restrict(arena, &integral, &columns, &followers)
    });
    parts.collect()
}

fn restrict(arena: &Arena, integral: &Integral, columns: &[usize], followers: &[usize]) -> Integral {
    let function = |function: &Function, results: &[usize]| {
        let mut part = Function {
            name: function.name.clone(),
            inputs: Group {
                name: function.inputs.name.clone(),
                symbols: columns.iter().map(|&column| function.inputs.symbols[column]).collect(),
            },
            body: function.body.clone(),
            results: results.iter().map(|&result| function.results[result]).collect(),
        };
        prune(arena, &mut part);
        part
    };
    let pick = |from: &[State], at: &[usize]| at.iter().map(|&at| from[at].clone()).collect();
    Integral {
        states: pick(&integral.states, columns),
        derivative: function(&integral.derivative, columns),
        stabilize: integral.stabilize.as_ref().map(|stabilize| function(stabilize, columns)),
        followers: pick(&integral.followers, followers),
        follow: integral.follow.as_ref().filter(|_| !followers.is_empty()).map(|follow| function(follow, followers)),
    }
}
