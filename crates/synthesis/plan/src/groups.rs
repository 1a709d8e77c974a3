//! Constraints that depend on one another, in groups. Which of a group are enforced may follow the motion: a row that follows from the
//! others in general can be the one that is needed where these lose rank.

use equations::{ConstraintId, Level, Mechanism, System};
use expr::SymbolId;
use rustc_hash::FxHashSet;
use structure::{Incidence, connected_components};

use crate::plan::{Classes, RowGroup};
use crate::redundancy::Dependence;

/// A choice among more rows would cost more than the steps between which it is made: its operations grow with the cube of their number.
const MOST_ROWS: usize = 64;

/// The closure of the dependences.
pub fn row_groups(system: &System, dependences: &[Dependence]) -> Vec<RowGroup> {
    let members = |it: &Dependence| it.on.iter().chain([&it.constraint]).map(|id| id.index()).collect();
    let incidence = Incidence::new(system.constraints.len(), dependences.iter().map(members).collect());
    let groups = connected_components(&incidence).into_iter().filter(|(dependent, _)| !dependent.is_empty());
    let groups = groups.map(|(dependent, rows)| RowGroup {
        rank: rows.len() - dependent.len(),
        rows: rows.into_iter().map(|row| ConstraintId(row as u32)).collect(),
    });
    groups.collect()
}

/// Redundant constraints of groups of which some give velocities outright and others act by forces only: there a choice is worth more than
/// a velocity that need not be integrated.
pub fn contested(groups: &[RowGroup], redundant: &[ConstraintId], classes: &Classes) -> Vec<ConstraintId> {
    let any = |group: &RowGroup, ids: [&[ConstraintId]; 2]| ids.concat().iter().any(|id| group.rows.contains(id));
    let divided = |group: &&RowGroup| {
        group.rows.len() <= MOST_ROWS
            && any(group, [&classes.h1, &classes.n1])
            && any(group, [&classes.h2, &classes.n2])
    };
    let rows = groups.iter().filter(divided).flat_map(|group| &group.rows).copied();
    rows.filter(|id| redundant.binary_search(id).is_ok()).collect()
}

/// Whether the enforced rows of a group can be chosen on the way. Constraints that give positions or velocities outright are always
/// enforced, as are those that are solved together with laws, and one on velocities cannot stand in for one on positions; where these take
/// part, and in large groups, the first choice stays.
pub fn is_open(system: &System, group: &RowGroup, (mechanism, classes): (&Mechanism, &Classes)) -> bool {
    let settled = [&classes.h0[..], &classes.h1, &classes.n1].concat();
    let positions = classes.q0.iter().map(|id| system.coordinates[id.index()].symbol);
    let speeds = [&classes.speeds0[..], &classes.speeds1].concat().into_iter().flat_map(|id| {
        let speed = &system.speeds[id.index()];
        [speed.symbol, speed.acceleration]
    });
    let following: FxHashSet<SymbolId> = positions.chain(speeds).collect();
    let constraint = |id: &ConstraintId| &system.constraints[id.index()];
    let levels = group.rows.iter().filter_map(|id| constraint(id).at(Level::Acceleration));
    let mentioned = system.arena.symbols_in(&levels.collect::<Vec<_>>());
    let kind = constraint(&group.rows[0]).kind;
    group.rank > 0
        && group.rows.len() <= MOST_ROWS
        && group.rows.iter().all(|id| mechanism.constraints.binary_search(id).is_ok())
        && group.rows.iter().all(|id| !settled.contains(id) && constraint(id).kind == kind)
        && !mentioned.iter().any(|symbol| following.contains(symbol))
}
