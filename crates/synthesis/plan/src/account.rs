//! The systems of equations of the scheme and their components, counted as Ellman et al. count them (section 5).
//!
//! The program may decompose further than this; both are shown.

use equations::{ConstraintId, CoordinateId, Level, SpeedId, System};
use expr::{Expr, SymbolId, occurrences};
use structure::{Block, Incidence, connected_components, maximum_matching, order_blocks};

use crate::plan::Plan;

/// A system of equations: its size, and the sizes (equations, unknowns) of its components, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    pub equations: usize,
    pub unknowns: usize,
    pub components: Vec<(usize, usize)>,
}

/// The six systems of the scheme.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    pub initialization: Account,
    pub initial_velocities: Account,
    pub zeroth: Account,
    pub first: Account,
    pub accelerations: Account,
    pub stabilization: Account,
}

pub fn accounts(system: &System, plan: &Plan) -> Accounts {
    let classes = &plan.classes;
    let rows = |level: Level, ids: &[&[ConstraintId]]| -> Vec<Expr> {
        ids.concat().iter().filter_map(|id| system.constraints[id.index()].at(level)).collect()
    };
    let coordinates = |ids: &[&[CoordinateId]]| -> Vec<SymbolId> {
        ids.concat().iter().map(|id| system.coordinates[id.index()].symbol).collect()
    };
    let speeds = |ids: &[SpeedId]| -> Vec<SymbolId> { ids.iter().map(|id| system.speeds[id.index()].symbol).collect() };
    let positions = rows(Level::Position, &[&classes.h0, &classes.h1, &classes.h2]);
    let mut starting = rows(Level::Velocity, &[&classes.h2, &classes.n2]);
    starting.extend(system.initial.iter().filter(|initial| initial.level == Level::Velocity).map(|row| row.residual));
    let mut stabilized = rows(Level::Position, &[&classes.h1, &classes.h2]);
    stabilized.extend(rows(Level::Velocity, &[&classes.h2, &classes.n2]));
    let mut integrated = coordinates(&[&classes.q1, &classes.q2]);
    integrated.extend(speeds(&classes.speeds2));
    Accounts {
        initialization: connected(system, &positions, &coordinates(&[&classes.q0, &classes.q1, &classes.q2])),
        initial_velocities: triangular(system, &starting, &speeds(&classes.speeds2)),
        zeroth: triangular(system, &rows(Level::Position, &[&classes.h0]), &coordinates(&[&classes.q0])),
        first: triangular(system, &rows(Level::Velocity, &[&classes.h1, &classes.n1]), &speeds(&classes.speeds1)),
        accelerations: accelerations(system, plan),
        stabilization: connected(system, &stabilized, &integrated),
    }
}

fn incidence(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> Incidence {
    Incidence::new(unknowns.len(), occurrences(&system.arena, rows, unknowns))
}

/// Components that share no equation and no unknown; unknowns without equations are no component.
fn connected(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> Account {
    let components = connected_components(&incidence(system, rows, unknowns)).into_iter();
    let components = components.filter(|(rows, _)| !rows.is_empty()).map(|(rows, columns)| (rows.len(), columns.len()));
    account(rows.len(), unknowns.len(), components.collect())
}

/// Components that can be solved one after the other, if the equations determine the unknowns; connected ones otherwise.
fn triangular(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> Account {
    let incidence = incidence(system, rows, unknowns);
    let matching = maximum_matching(&incidence);
    if rows.len() != unknowns.len() || matching.size() < unknowns.len() {
        return connected(system, rows, unknowns);
    }
    let blocks = order_blocks(&incidence, &matching).into_iter().map(|block| (block.rows.len(), block.columns.len()));
    account(rows.len(), unknowns.len(), blocks.collect())
}

/// Blocks of equations of motion and constraints; a constraint and its force count as one, though they may be solved apart.
fn accelerations(system: &System, plan: &Plan) -> Account {
    let (moving, forced) = (plan.classes.moving(), plan.classes.forced(system));
    let (rows, unknowns) = system.accelerations(&moving, &forced);
    let incidence = incidence(system, &rows, &unknowns);
    let blocks = order_blocks(&incidence, &maximum_matching(&incidence));
    account(rows.len(), unknowns.len(), join_pairs(&blocks, moving.len(), rows.len()))
}

/// Joins the block of each constraint (rows from `first` on) with the block of its force (the column of the same number).
fn join_pairs(blocks: &[Block], first: usize, rows: usize) -> Vec<(usize, usize)> {
    let mut pairs: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (at, block) in blocks.iter().enumerate() {
        block.rows.iter().chain(&block.columns).for_each(|&member| pairs[member].push(at));
    }
    let joined = connected_components(&Incidence::new(blocks.len(), pairs.split_off(first)));
    let size = |members: &[usize]| {
        let rows = members.iter().map(|&at| blocks[at].rows.len()).sum();
        (rows, members.iter().map(|&at| blocks[at].columns.len()).sum())
    };
    joined.iter().filter(|(_, members)| !members.is_empty()).map(|(_, members)| size(members)).collect()
}

fn account(equations: usize, unknowns: usize, mut components: Vec<(usize, usize)>) -> Account {
    components.sort_by(|a, b| b.cmp(a));
    Account { equations, unknowns, components }
}
