//! Decomposition of systems of equations into smaller ones.

use expr::{Arena, Expr, Number, Substitution, SymbolId, occurrences};
use structure::{Block, Incidence, connected_components, maximum_matching, order_blocks};

use crate::program::{Binding, Function, LinearSystem, NonlinearSystem, Origin, SystemId, SystemInfo};

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
            Binding::Sum(mut sum) => {
                sum.arguments.iter_mut().for_each(|argument| *argument = vanish.apply(arena, *argument));
                function.body.push(Binding::Sum(sum));
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
    let entries = by_rows(system.right.len(), &system.matrix);
    let columns = entries.iter().map(|row| row.iter().map(|&(column, _)| column).collect());
    let incidence = Incidence::new(system.unknowns.len(), columns.collect());
    let matching = maximum_matching(&incidence);
    if matching.size() < system.unknowns.len() {
        return (vec![system.clone()], Vec::new());
    }
    let (mut blocks, mut zeros) = (Vec::new(), Vec::new());
    let mut vanishes = vec![false; system.unknowns.len()];
    for block in order_blocks(&incidence, &matching) {
        let (matrix, right) = block_equations(arena, system, &block, &entries, &vanishes);
        let unknowns = block.columns.iter().map(|&column| system.unknowns[column]);
        let id = part_info(system.id, &block.rows, &block.columns, systems);
        if right.iter().all(|&right| arena.is_zero(right)) {
            block.columns.iter().for_each(|&column| vanishes[column] = true);
            zeros.extend(unknowns);
        } else {
            blocks.push(LinearSystem { id, unknowns: unknowns.collect(), matrix, right, pivots: None });
        }
    }
    (blocks, zeros)
}

/// Matrix and right-hand side of one block, where unknowns of other blocks are known, and those that vanish are left out.
fn block_equations(
    arena: &Arena,
    system: &LinearSystem,
    block: &Block,
    entries: &[Vec<(usize, Expr)>],
    vanishes: &[bool],
) -> (Vec<(usize, usize, Expr)>, Vec<Expr>) {
    let (mut matrix, mut right) = (Vec::new(), Vec::new());
    for (at, &row) in block.rows.iter().enumerate() {
        let mut side = vec![(Number::ONE, system.right[row])];
        for &(column, value) in &entries[row] {
            match block.columns.binary_search(&column) {
                Ok(column) => matrix.push((at, column, value)),
                Err(_) if vanishes[column] => {}
                Err(_) => {
                    let known = arena.symbol(system.unknowns[column]);
                    side.push((Number::MINUS_ONE, arena.multiply(value, known)));
                }
            }
        }
        right.push(side);
    }
    (matrix, right.into_iter().map(|side| arena.sum(side)).collect())
}

/// Components that share neither equations nor unknowns. Unknowns that no equation mentions keep their seeds. An equation goes with
/// every unknown that it mentions, even one that cannot change it: it has to hold all the same, and is evaluated with its value.
fn parts(arena: &Arena, system: &NonlinearSystem, systems: &mut Vec<SystemInfo>) -> Vec<NonlinearSystem> {
    let mut mentioned = occurrences(arena, &system.residuals, &system.unknowns);
    if !system.unknowns.is_empty() {
        mentioned.iter_mut().filter(|columns| columns.is_empty()).for_each(|columns| columns.push(0));
    }
    let entries = by_rows(system.residuals.len(), &system.jacobian);
    let part = |(rows, columns): (Vec<usize>, Vec<usize>)| {
        let slopes = rows.iter().enumerate().flat_map(|(at, &row)| entries[row].iter().map(move |entry| (at, entry)));
        let slope =
            |(at, &(column, value)): (usize, &(usize, Expr))| Some((at, columns.binary_search(&column).ok()?, value));
        NonlinearSystem {
            id: part_info(system.id, &rows, &columns, systems),
            unknowns: columns.iter().map(|&column| system.unknowns[column]).collect(),
            seeds: columns.iter().map(|&column| system.seeds[column]).collect(),
            residuals: rows.iter().map(|&row| system.residuals[row]).collect(),
            jacobian: slopes.filter_map(slope).collect(),
        }
    };
    connected_components(&Incidence::new(system.unknowns.len(), mentioned)).into_iter().map(part).collect()
}

/// The entries of each row, as column and value.
fn by_rows(rows: usize, entries: &[(usize, usize, Expr)]) -> Vec<Vec<(usize, Expr)>> {
    let mut lists = vec![Vec::new(); rows];
    entries.iter().for_each(|&(row, column, value)| lists[row].push((column, value)));
    lists
}

fn part_info(whole: SystemId, rows: &[usize], columns: &[usize], systems: &mut Vec<SystemInfo>) -> SystemId {
    let info = &systems[whole.index()];
    let pick = |from: &[Origin], at: &[usize]| at.iter().map(|&at| from[at].clone()).collect();
    let part =
        SystemInfo { role: info.role, equations: pick(&info.equations, rows), unknowns: pick(&info.unknowns, columns) };
    systems.push(part);
    SystemId(systems.len() as u32 - 1)
}
