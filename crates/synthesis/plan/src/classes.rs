//! The classes of Ellman et al., figure 12, found by matching instead of by searching subsets.
//!
//! A set of unknowns can be solved apart from the rest if as many equations mention it as it has members. Such sets are closed
//! under union, so there is a largest one: what is neither over- nor under-determined in the decomposition of Dulmage and
//! Mendelsohn. Generic rank confirms it.

use equations::{ConstraintId, ConstraintKind, Level, Mechanism, SpeedId, System};
use expr::{Arena, Expr, Point, Substitution, SymbolId};
use rustc_hash::FxHashSet;
use structure::{Block, Incidence, decompose, maximum_matching, order_blocks};

use crate::general::{LawPlan, Phase};
use crate::jacobian::{SparseJacobian, open_columns};
use crate::plan::Classes;

/// The classes of what is not redundant in a mechanism; the redundant constraints ascend. Where some of these may be enforced in the place
/// of others, no velocity that they speak of is found apart from the rest.
pub fn classes(
    system: &System,
    mechanism: &Mechanism,
    (redundant, contested): (&[ConstraintId], &[ConstraintId]),
    laws: &LawPlan,
    points: &[Point],
) -> Classes {
    let all = mechanism.constraints.iter().copied();
    let enforced: Vec<ConstraintId> = all.filter(|id| redundant.binary_search(id).is_err()).collect();
    let causes = Causes::new(system, mechanism, laws);
    let mut classes = Classes::default();
    let zeroth = zeroth_order(system, &enforced, &causes, points);
    let first = first_order(system, (&enforced, contested), &zeroth, &causes, points);
    for &id in &mechanism.coordinates {
        match system.coordinates[id.index()].speed {
            Some(speed) if zeroth.speeds.contains(&speed) => classes.q0.push(id),
            Some(speed) if first.speeds.contains(&speed) => classes.q1.push(id),
            _ => classes.q2.push(id),
        }
    }
    for &id in &mechanism.speeds {
        match (zeroth.speeds.contains(&id), first.speeds.contains(&id)) {
            (true, _) => classes.speeds0.push(id),
            (_, true) => classes.speeds1.push(id),
            _ => classes.speeds2.push(id),
        }
    }
    for &id in &enforced {
        let on_velocities = system.constraints[id.index()].kind == ConstraintKind::Nonholonomic;
        match (zeroth.constraints.contains(&id), first.constraints.contains(&id), on_velocities) {
            (true, ..) => classes.h0.push(id),
            (_, true, false) => classes.h1.push(id),
            (_, true, true) => classes.n1.push(id),
            (_, _, false) => classes.h2.push(id),
            (_, _, true) => classes.n2.push(id),
        }
    }
    classes
}

/// Some unknowns, and the constraints that determine them.
#[derive(Default)]
struct Set {
    speeds: FxHashSet<SpeedId>,
    constraints: FxHashSet<ConstraintId>,
}

/// What the equations of motion, and laws that act on anything, depend on, apart from the forces of constraints.
struct Causes {
    mentioned: FxHashSet<SymbolId>,
    /// Speeds on which no mass and no force acts.
    idle: FxHashSet<SpeedId>,
    /// The speeds that are coordinates' own, with these.
    coordinates: Vec<(SpeedId, SymbolId)>,
}

impl Causes {
    fn new(system: &System, mechanism: &Mechanism, laws: &LawPlan) -> Causes {
        let arena: &Arena = &system.arena;
        let none = system.multiplier_symbols().into_iter().map(|symbol| (arena.symbol(symbol), arena.zero()));
        let mut forceless = Substitution::new(none);
        let mut replacement = laws.form.replacement();
        let mut row =
            |id: &SpeedId| replacement.apply(arena, forceless.apply(arena, system.motion[id.index()].residual));
        let mut rows: Vec<Expr> = mechanism.speeds.iter().map(&mut row).collect();
        let idle =
            mechanism.speeds.iter().zip(&rows).filter(|(_, row)| arena.is_zero(**row)).map(|(&id, _)| id).collect();
        // Who only reads the motion has no effect on it.
        let acting = laws.blocks.iter().filter(|block| block.phase != Phase::Reading);
        rows.extend(acting.flat_map(|block| &block.rows).flat_map(|&row| laws.rows[row].levels.iter().copied()));
        let own = mechanism.coordinates.iter().map(|id| &system.coordinates[id.index()]);
        let coordinates = own.filter_map(|coordinate| Some((coordinate.speed?, coordinate.symbol))).collect();
        Causes { mentioned: arena.symbols_in(&rows).into_iter().collect(), idle, coordinates }
    }
}

/// Noncausal coordinates that constraints on positions determine: nothing that moves depends on them.
fn zeroth_order(system: &System, enforced: &[ConstraintId], causes: &Causes, points: &[Point]) -> Set {
    let nonholonomic: Vec<Expr> = enforced
        .iter()
        .filter(|id| kind(system, **id) == ConstraintKind::Nonholonomic)
        .filter_map(|id| velocity(system, *id))
        .collect();
    let rolling: FxHashSet<SymbolId> = system.arena.symbols_in(&nonholonomic).into_iter().collect();
    let coordinates = causes.coordinates.iter().copied();
    let candidates: Vec<(SpeedId, SymbolId)> = coordinates
        .filter(|&(speed, position)| {
            let symbols = [position, system.speeds[speed.index()].symbol, system.speeds[speed.index()].acceleration];
            causes.idle.contains(&speed)
                && symbols.iter().all(|symbol| !causes.mentioned.contains(symbol) && !rolling.contains(symbol))
        })
        .collect();
    let rows: Vec<(ConstraintId, Expr)> = enforced
        .iter()
        .filter(|id| kind(system, **id) != ConstraintKind::Nonholonomic)
        .filter_map(|&id| Some((id, system.constraints[id.index()].at(Level::Position)?)))
        .collect();
    solvable(system, &rows, &candidates, points, |_, _| true)
}

/// Velocities that constraints determine: of coordinates that bear no mass and no force, and of those whose determinant is a
/// constant, such as a prescribed angle.
fn first_order(
    system: &System,
    (enforced, contested): (&[ConstraintId], &[ConstraintId]),
    zeroth: &Set,
    causes: &Causes,
    points: &[Point],
) -> Set {
    let rows: Vec<(ConstraintId, Expr)> = enforced
        .iter()
        .filter(|id| !zeroth.constraints.contains(id))
        .filter_map(|&id| Some((id, velocity(system, id)?)))
        .collect();
    let rest = causes.coordinates.iter().filter(|(speed, _)| !zeroth.speeds.contains(speed));
    let candidates: Vec<(SpeedId, SymbolId)> =
        rest.map(|&(speed, _)| (speed, system.speeds[speed.index()].symbol)).collect();
    let free = |speed: SpeedId| {
        let speed_row = &system.speeds[speed.index()];
        causes.idle.contains(&speed)
            && ![speed_row.symbol, speed_row.acceleration].iter().any(|symbol| causes.mentioned.contains(symbol))
    };
    let noncausal: Vec<(SpeedId, SymbolId)> = candidates.iter().copied().filter(|&(speed, _)| free(speed)).collect();
    let mut set = solvable(system, &rows, &noncausal, points, |_, _| true);
    let mut open_rows: Vec<(ConstraintId, Expr)> =
        rows.into_iter().filter(|(id, _)| !set.constraints.contains(id)).collect();
    let enforced = open_rows.len();
    open_rows.extend(contested.iter().filter_map(|&id| Some((id, velocity(system, id)?))));
    let causal: Vec<(SpeedId, SymbolId)> =
        candidates.into_iter().filter(|(speed, _)| !set.speeds.contains(speed)).collect();
    let constant = |matrix: &SparseJacobian, block: &Block| {
        let places = block.rows.iter().flat_map(|&row| block.columns.iter().map(move |&column| (row, column)));
        let mut entries = places.filter_map(|(row, column)| matrix.entry(row, column));
        block.rows.iter().all(|&row| row < enforced) && entries.all(|entry| system.arena.as_number(entry).is_some())
    };
    let driven = solvable(system, &open_rows, &causal, points, constant);
    set.speeds.extend(driven.speeds);
    set.constraints.extend(driven.constraints);
    set
}

/// The largest set of unknowns such that as many rows mention it as it has members, block by block, where each block has full
/// rank at generic points and is accepted.
fn solvable(
    system: &System,
    rows: &[(ConstraintId, Expr)],
    candidates: &[(SpeedId, SymbolId)],
    points: &[Point],
    accept: impl Fn(&SparseJacobian, &Block) -> bool,
) -> Set {
    let exprs: Vec<Expr> = rows.iter().map(|&(_, row)| row).collect();
    let symbols: Vec<SymbolId> = candidates.iter().map(|&(_, symbol)| symbol).collect();
    let matrix = SparseJacobian::new(system, &exprs, &symbols);
    let values = matrix.at_all(points);
    let incidence = matrix.incidence();
    let mut refused: FxHashSet<usize> = FxHashSet::default();
    loop {
        let blocks = square_blocks(&incidence, &refused);
        let good =
            |block: &Block| open_columns(&values, &block.rows, &block.columns).is_empty() && accept(&matrix, block);
        let Some(bad) = blocks.iter().find(|block| !good(block)) else {
            let (rows_of, columns_of) = (blocks.iter().flat_map(|b| &b.rows), blocks.iter().flat_map(|b| &b.columns));
            return Set {
                speeds: columns_of.map(|&column| candidates[column].0).collect(),
                constraints: rows_of.map(|&row| rows[row].0).collect(),
            };
        };
        refused.extend(&bad.columns);
        // A row that mentions a refused unknown cannot determine others, so whatever it mentions is refused too.
        let spoiled = (0..incidence.rows()).map(|row| incidence.row(row));
        let spoiled = spoiled.filter(|columns| columns.iter().any(|column| refused.contains(column)));
        let lost: Vec<usize> = spoiled.flatten().copied().collect();
        refused.extend(lost);
    }
}

/// The blocks of what is exactly determined when some columns are left out.
fn square_blocks(incidence: &Incidence, refused: &FxHashSet<usize>) -> Vec<Block> {
    let row = |row: usize| incidence.row(row).iter().copied().filter(|column| !refused.contains(column)).collect();
    let open = Incidence::new(incidence.columns(), (0..incidence.rows()).map(row).collect());
    let matching = maximum_matching(&open);
    let square: FxHashSet<usize> = decompose(&open, &matching).square_columns.into_iter().collect();
    let mut blocks = order_blocks(&open, &matching);
    blocks.retain(|block| block.columns.iter().all(|column| square.contains(column)));
    blocks
}

fn kind(system: &System, id: ConstraintId) -> ConstraintKind {
    system.constraints[id.index()].kind
}

fn velocity(system: &System, id: ConstraintId) -> Option<Expr> {
    system.constraints[id.index()].at(Level::Velocity)
}
