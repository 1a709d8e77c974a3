//! Constraints that follow from others.

use base::{Diagnostic, Diagnostics, listed};
use equations::{ConstraintId, Level, System};
use expr::{Expr, Point};
use structure::connected_components;

use crate::codes;
use crate::jacobian::SparseJacobian;
use crate::rank::{combinations, dependent_rows};
use crate::words::{Statement, statements};

/// A constraint whose velocity level depends on that of constraints before it, at every generic point.
pub struct Dependence {
    pub constraint: ConstraintId,
    /// Those it depends on.
    pub on: Vec<ConstraintId>,
    /// For each point, with which factors.
    pub factors: Vec<Vec<f64>>,
}

pub fn dependences(system: &System, points: &[Point]) -> Vec<Dependence> {
    let forced = system.constraints.iter().enumerate().filter(|(_, constraint)| constraint.multiplier.is_some());
    let ids: Vec<ConstraintId> = forced.map(|(at, _)| ConstraintId(at as u32)).collect();
    let rows: Vec<Expr> = ids.iter().filter_map(|id| system.constraints[id.index()].at(Level::Velocity)).collect();
    let matrix = SparseJacobian::new(system, &rows, &system.speed_symbols());
    let values = matrix.at_all(points);
    let mut found = Vec::new();
    for (rows, columns) in connected_components(&matrix.incidence()) {
        let dependent = values.iter().map(|values| dependent_rows(&values.part(&rows, &columns), columns.len()));
        let everywhere = dependent.reduce(|a, b| a.into_iter().filter(|row| b.binary_search(row).is_ok()).collect());
        let everywhere: Vec<usize> = everywhere.unwrap_or_default().into_iter().map(|row| rows[row]).collect();
        if everywhere.is_empty() {
            continue;
        }
        let place = |row: usize| rows.partition_point(|&other| other < row);
        let independent: Vec<usize> =
            (0..rows.len()).filter(|&at| everywhere.binary_search(&rows[at]).is_err()).collect();
        let sums: Vec<usize> = everywhere.iter().map(|&row| place(row)).collect();
        let factors =
            values.iter().map(|values| combinations(&values.part(&rows, &columns), columns.len(), &independent, &sums));
        let factors: Vec<Vec<Vec<f64>>> = factors.collect();
        let independent: Vec<usize> = independent.into_iter().map(|at| rows[at]).collect();
        for (at, &row) in everywhere.iter().enumerate() {
            let before: Vec<usize> = independent.iter().copied().take_while(|&other| other < row).collect();
            let factors: Vec<Vec<f64>> = factors.iter().map(|factors| factors[at][..before.len()].to_vec()).collect();
            found.push(dependence(&ids, row, &before, &factors));
        }
    }
    found.sort_by_key(|dependence| dependence.constraint);
    found
}

/// Leaves out what has no part in it anywhere.
fn dependence(ids: &[ConstraintId], row: usize, before: &[usize], factors: &[Vec<f64>]) -> Dependence {
    // A factor beside the largest one of the combination; elimination leaves about 1e-10 of those that have no part in it.
    const VANISHING: f64 = 1e-7;
    let takes_part = |at: &usize| {
        factors.iter().any(|factors| {
            let largest = factors.iter().fold(0.0_f64, |largest, factor| largest.max(factor.abs()));
            factors[*at].abs() > VANISHING * largest
        })
    };
    let parts: Vec<usize> = (0..before.len()).filter(takes_part).collect();
    Dependence {
        constraint: ids[row],
        on: parts.iter().map(|&at| ids[before[at]]).collect(),
        factors: factors.iter().map(|factors| parts.iter().map(|&at| factors[at]).collect()).collect(),
    }
}

/// A statement, and the statements it depends on.
pub struct Twins<'d> {
    pub own: Statement,
    pub on: Vec<Statement>,
    pub first: &'d Dependence,
}

/// Dependences by statement: the components of a vector equation belong together.
pub fn by_statement<'d>(system: &System, dependences: &[&'d Dependence]) -> Vec<Twins<'d>> {
    let constraints: Vec<ConstraintId> = dependences.iter().map(|dependence| dependence.constraint).collect();
    let twins = statements(system, &constraints).into_iter().filter_map(|own| {
        let same: Vec<&&Dependence> =
            dependences.iter().filter(|dependence| own.constraints.contains(&dependence.constraint)).collect();
        let on: Vec<ConstraintId> = same.iter().flat_map(|dependence| dependence.on.clone()).collect();
        let mut on = statements(system, &on);
        if on.len() > 1 {
            on.retain(|other| other.name != own.name);
        }
        Some(Twins { own, on, first: same.first()? })
    });
    twins.collect()
}

const FEW: usize = 4;
const SHARED: &str = "how they share the force that they need together is not determined, only its sum";

/// One notice for each statement that says something twice, and one for all joints together.
pub fn report_redundant(system: &System, dependences: &[Dependence], sink: &mut Diagnostics) {
    let all: Vec<&Dependence> = dependences.iter().collect();
    let (of_joints, of_scene): (Vec<Twins<'_>>, Vec<Twins<'_>>) =
        by_statement(system, &all).into_iter().partition(|twins| joint(&twins.own).is_some());
    report_joints(&of_joints, sink);
    for Twins { own, on, .. } in of_scene {
        let names: Vec<String> = on.iter().map(|statement| format!("`{}`", statement.name)).collect();
        let message = match names.as_slice() {
            [] => format!("{} restricts nothing", own.words()),
            _ => format!("{} follows from {}", own.words(), listed(&names)),
        };
        let mut diagnostic = Diagnostic::notice(codes::REDUNDANT_CONSTRAINT, message)
            .at(own.span, "watched, but not enforced a second time");
        for statement in on.iter().take(FEW) {
            let label = if on.len() == 1 { "says it already" } else { "has a part in this" };
            diagnostic = diagnostic.at(statement.span, label);
        }
        let diagnostic = if on.is_empty() { diagnostic } else { diagnostic.note(SHARED) };
        sink.report(diagnostic.hint("drop it, or correct it if it should say something else"));
    }
}

/// The thing or connection whose statement it is: `elbow` for `elbow.meets`.
fn joint(statement: &Statement) -> Option<&str> {
    Some(statement.name.rsplit_once('.')?.0)
}

/// Joints demand what joints demand; that a loop of them demands some of it twice is nothing to correct.
fn report_joints(twins: &[Twins<'_>], sink: &mut Diagnostics) {
    let Some(first) = twins.first() else { return };
    let mut owners: Vec<String> = Vec::new();
    for owner in twins.iter().filter_map(|twins| joint(&twins.own)) {
        let owner = format!("`{owner}`");
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let (number, joints) = (twins.iter().map(|twins| twins.own.constraints.len()).sum::<usize>(), owners.len());
    if joints > FEW {
        owners.truncate(FEW - 1);
        owners.push(format!("{} more", joints - owners.len()));
    }
    let (demands, follow) = if number == 1 { ("demand", "follows") } else { ("demands", "follow") };
    let message = format!("{number} {demands} of {} {follow} from the other constraints", listed(&owners));
    let mut diagnostic = Diagnostic::notice(codes::REDUNDANT_CONSTRAINT, message)
        .at(first.own.span, "watched, but not enforced a second time");
    let mut places = vec![first.own.span];
    for twins in twins {
        if places.len() < FEW && !places.contains(&twins.own.span) {
            diagnostic = diagnostic.at(twins.own.span, "the same here");
            places.push(twins.own.span);
        }
    }
    sink.report(
        diagnostic.note(SHARED).hint("every loop that moves in a plane has some; they change nothing in the motion"),
    );
}
