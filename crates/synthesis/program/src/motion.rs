//! Equations of motion. Those that no constraint ties together are a matrix or are eliminated along their graph, whichever takes fewer
//! operations. Small trees are cheaper as a matrix; long ones have a full matrix, and little that is not shared.

use expr::{Arena, Articulation, Expr, Step, Substitution, SymbolId, articulate, cost, jacobian};
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components, eliminate};

use crate::program::{Binding, LinearSystem, Origin, SystemRole};
use crate::systems::{Row, Systems};

/// Smaller trees are always a matrix, whose solver also notices where it is all but singular, as crossed hinges in line are.
const FEWEST: usize = 6;
/// Of larger trees, the matrix is not even written down to be counted.
const MOST_COUNTED: usize = 48;

impl Systems<'_> {
    /// What gives the accelerations, in an order in which it can be solved. Row and unknown of one place belong together.
    pub fn motion(&mut self, rows: Vec<Row>, unknowns: Vec<SymbolId>) -> Vec<Binding> {
        let arena = self.system.arena.clone();
        let residuals: Vec<Expr> = rows.iter().map(|row| row.residual).collect();
        let mut bindings = Vec::new();
        let mut along_graph = vec![false; rows.len()];
        for places in trees(&arena, &residuals, &unknowns).into_iter().filter(|places| places.len() >= FEWEST) {
            let residuals: Vec<Expr> = places.iter().map(|&place| residuals[place]).collect();
            let unknowns: Vec<SymbolId> = places.iter().map(|&place| unknowns[place]).collect();
            let Some(articulation) = articulate(&arena, &residuals, &unknowns) else { continue };
            let few = unknowns.len() <= MOST_COUNTED;
            if few && matrix_operations(&arena, &residuals, &unknowns) <= articulation.cost(&arena).total() {
                continue;
            }
            places.iter().for_each(|&place| along_graph[place] = true);
            let rows: Vec<&Row> = places.iter().map(|&place| &rows[place]).collect();
            bindings.extend(self.steps(articulation, &rows, &unknowns));
        }
        let mut places = 0..;
        let unknowns: Vec<SymbolId> =
            unknowns.into_iter().filter(|_| places.next().is_some_and(|at: usize| !along_graph[at])).collect();
        let mut places = 0..;
        let rows: Vec<Row> =
            rows.into_iter().filter(|_| places.next().is_some_and(|at: usize| !along_graph[at])).collect();
        if !unknowns.is_empty() {
            bindings.push(self.masses(rows, unknowns));
        }
        bindings
    }

    /// One system of equations of motion and constraints. The masses are symmetric: of each two equal entries one is computed.
    pub fn masses(&mut self, rows: Vec<Row>, unknowns: Vec<SymbolId>) -> Binding {
        let speeds = unknowns.len();
        self.masses_and_forces(rows, unknowns, speeds)
    }

    /// The same, where forces of constraints follow on so many accelerations.
    pub fn masses_and_forces(&mut self, rows: Vec<Row>, unknowns: Vec<SymbolId>, speeds: usize) -> Binding {
        let mut binding = self.linear(SystemRole::Accelerations, rows, unknowns);
        if let Binding::Linear(system) = &mut binding {
            system.matrix = symmetric(std::mem::take(&mut system.matrix), speeds);
        }
        binding
    }

    /// Each step as an equation in one unknown.
    fn steps(&mut self, articulation: Articulation, rows: &[&Row], unknowns: &[SymbolId]) -> Vec<Binding> {
        let step = |step: Step| {
            let equation: Origin = rows[step.place].origin.clone();
            let unknown = self.origins[&unknowns[step.place]].clone();
            let id = self.add_info(SystemRole::Accelerations, vec![equation], vec![unknown]);
            Binding::Linear(LinearSystem {
                id,
                unknowns: vec![step.symbol],
                matrix: vec![(0, 0, step.coefficient)],
                right: vec![step.right],
                pivots: None,
            })
        };
        articulation.steps.into_iter().map(step).collect()
    }
}

/// The places of rows that share something that depends on the unknowns, each list ascending.
fn trees(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<Vec<usize>> {
    let mut columns: FxHashMap<Expr, usize> =
        unknowns.iter().enumerate().map(|(at, &unknown)| (arena.symbol(unknown), at)).collect();
    let mut shared: Vec<Vec<usize>> = Vec::new();
    for node in arena.reachable(rows) {
        let mut parts: Vec<usize> =
            arena.node(node).children().iter().filter_map(|child| columns.get(child).copied()).collect();
        if !parts.is_empty() {
            let own = columns.len();
            columns.insert(node, own);
            parts.push(own);
            shared.push(parts);
        }
    }
    // A row and its unknown belong together.
    let together =
        rows.iter().enumerate().map(|(at, row)| [Some(at), columns.get(row).copied()].into_iter().flatten().collect());
    shared.extend(together);
    let components = connected_components(&Incidence::new(columns.len(), shared)).into_iter();
    let places = components.map(|(_, columns)| columns.into_iter().filter(|&column| column < rows.len()).collect());
    places.collect()
}

/// A matrix whose first rows and columns are symmetric, with each pair of entries the same: that of the row that comes later, which
/// is that of the frame with less behind it.
fn symmetric(matrix: Vec<(usize, usize, Expr)>, size: usize) -> Vec<(usize, usize, Expr)> {
    let entries: FxHashMap<(usize, usize), Expr> =
        matrix.iter().map(|&(row, column, value)| ((row, column), value)).collect();
    let mirrored = matrix.into_iter().filter_map(|(row, column, value)| match row.max(column) < size {
        true => {
            let other = *entries.get(&(column, row))?;
            Some((row, column, if row < column { other } else { value }))
        }
        false => Some((row, column, value)),
    });
    mirrored.collect()
}

/// How many operations the entries of the matrix, and its elimination, take.
fn matrix_operations(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> usize {
    let matrix = symmetric(jacobian(arena, rows, unknowns), rows.len());
    let mut without = Substitution::new(unknowns.iter().map(|&unknown| (arena.symbol(unknown), arena.zero())));
    let mut evaluated: Vec<Expr> = rows.iter().map(|&row| without.apply(arena, row)).collect();
    evaluated.extend(matrix.iter().map(|&(_, _, value)| value));
    let mut columns = vec![Vec::new(); rows.len()];
    matrix.iter().for_each(|&(row, column, _)| columns[row].push(column));
    let order: Vec<usize> = (0..rows.len()).collect();
    let pattern = eliminate(&Incidence::new(rows.len(), columns), &order, &[]);
    let forward = pattern.lower.iter().flatten().map(|&step| 3 + 2 * pattern.upper[step].len());
    let backward = pattern.upper.iter().map(|row| 2 + 2 * row.len());
    cost(arena, &evaluated).total() + forward.chain(backward).sum::<usize>()
}
