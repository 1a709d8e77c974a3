//! Motions that are prescribed and cannot be followed: a path out of reach, or an arm that is stretched or folded.

use base::{Diagnostic, Span};
use equations::{Law, LawRole, Level, System};
use expr::{Expr, Point, SymbolId};
use program::{SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use super::start::amount;
use super::words::{before, number, statements};
use crate::blame::{guessed_state, last_state, matrix};
use crate::codes;
use crate::pipeline::Stages;
use crate::reach::nearest;

/// What a failure means where it comes from a prescribed motion; nothing if it does not.
pub fn describe(
    failure: &Failure,
    info: Option<&SystemInfo>,
    stages: &Stages,
    simulation: &Simulation,
) -> Option<Diagnostic> {
    use FailureKind::{Endless, NotSolved, Singular, StepCollapsed};
    if !matches!(failure.kind, Endless | NotSolved | Singular | StepCollapsed) {
        return None;
    }
    let rows = Rows::new(&stages.system);
    if rows.prescribed.is_empty() {
        return None;
    }
    let system = &stages.system;
    if failure.kind == NotSolved && info.is_some_and(|info| info.role == SystemRole::Start) {
        let (place, left) = nearest(system, &rows.residuals(), &guessed_state(stages, simulation))?;
        let weak = || rows.are_weak(system, &place).then(|| singular(failure.time, &rows));
        return rows.missed(&left).map(|missed| unreachable_at_start(stages, missed)).or_else(weak);
    }
    let mut state = last_state(stages, simulation, failure.time);
    if !rows.are_weak(system, &state) {
        return None;
    }
    let ahead = AHEAD * failure.time.max(SOON);
    state.insert(system.time, failure.time + ahead);
    let (_, left) = nearest(system, &rows.residuals(), &state)?;
    Some(match rows.missed(&left) {
        Some(missed) => unreachable(stages, failure.time, ahead, missed),
        None => singular(failure.time, &rows),
    })
}

/// How far ahead, in proportion to the time since the start, a path is looked at to see whether it has left what can be reached.
const AHEAD: f64 = 0.1;
/// In seconds: at the start itself there is no such proportion.
const SOON: f64 = 0.1;
/// Where an arm is stretched, its slopes lose their rank with the square root of the distance from there, and runs fail far nearer than this.
const WEAK: f64 = 1e-4;
/// Of the square of a constraint's slopes, scaled to one: what is left of one that follows from others.
const DEPENDENT: f64 = 1e-10;
/// To other places of the same mechanism, in radians or metres.
const SHIFTS: [f64; 3] = [0.4, 1.1, -0.7];
/// Of what is left where a path is reached, in SI units.
const REACHED: f64 = 1e-6;

/// Equations on positions: those that are prescribed, and those that have to hold beside them.
struct Rows<'s> {
    prescribed: Vec<&'s Law>,
    kept: Vec<Expr>,
    coordinates: Vec<SymbolId>,
}

/// The statement that is missed most where all come as near as they can, and by how much.
struct Missed {
    label: String,
    span: Span,
    by: f64,
}

impl<'s> Rows<'s> {
    fn new(system: &'s System) -> Rows<'s> {
        let coordinates = system.coordinate_symbols();
        let mut given = system.input_symbols();
        given.extend(&coordinates);
        let on_positions = |law: &&Law| {
            let symbols = system.arena.symbols_in(&[law.residual]);
            law.role == LawRole::Prescribed && symbols.iter().all(|symbol| given.contains(symbol))
        };
        let prescribed = system.laws.iter().filter(on_positions).collect();
        let kept = system.constraints_at(Level::Position).into_iter().map(|(_, residual)| residual).collect();
        Rows { prescribed, kept, coordinates }
    }

    fn residuals(&self) -> Vec<Expr> {
        self.prescribed.iter().map(|law| law.residual).chain(self.kept.iter().copied()).collect()
    }

    /// Whether some combination of what is prescribed hardly changes, whatever the coordinates do.
    fn are_weak(&self, system: &System, state: &Point) -> bool {
        let slopes = |state: &Point| matrix(system, state, &self.residuals(), &self.coordinates);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // How much each could change is seen elsewhere.
        let elsewhere = SHIFTS.map(|shift| {
            let mut other = state.clone();
            self.coordinates.iter().for_each(|symbol| {
                other.entry(*symbol).and_modify(|value| *value += shift);
            });
            slopes(&other)
        });
        let mut rows = slopes(state);
        for (at, row) in rows.iter_mut().enumerate() {
            let squares = elsewhere.iter().map(|other| dot(&other[at], &other[at])).chain([dot(row, row)]);
            let size = squares.fold(0.0, f64::max).sqrt();
            row.iter_mut().for_each(|slope| *slope /= size.max(f64::MIN_POSITIVE));
        }
        let products = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
        smallest_pivot(products, self.prescribed.len()) < WEAK
    }

    /// The statement that is off by most; nothing if all are satisfied.
    fn missed(&self, left: &[f64]) -> Option<Missed> {
        let parts = self.prescribed.iter().map(|law| (law.label.as_str(), law.span));
        let each = statements(parts).into_iter().map(|(label, span)| {
            let own = self.prescribed.iter().zip(left).filter(|(law, _)| law.span == span);
            let by = own.map(|(_, left)| left * left).sum::<f64>().sqrt();
            Missed { label, span, by }
        });
        each.filter(|missed| missed.by > REACHED).max_by(|a, b| a.by.total_cmp(&b.by))
    }
}

/// The smallest pivot of the first rows of a symmetric matrix without negative directions, the others being eliminated before: those may
/// depend on one another, as the constraints of a loop in a plane do, which says nothing of what is left to the first.
fn smallest_pivot(mut matrix: Vec<Vec<f64>>, first: usize) -> f64 {
    let mut open: Vec<usize> = (first..matrix.len()).collect();
    while let Some(pivot) = take_largest(&mut open, &matrix).filter(|&pivot| matrix[pivot][pivot] > DEPENDENT) {
        eliminate(&mut matrix, pivot);
    }
    let mut smallest = f64::INFINITY;
    let mut open: Vec<usize> = (0..first).collect();
    while let Some(pivot) = take_largest(&mut open, &matrix) {
        smallest = smallest.min(matrix[pivot][pivot]);
        if smallest <= 0.0 {
            break;
        }
        eliminate(&mut matrix, pivot);
    }
    smallest
}

fn take_largest(open: &mut Vec<usize>, matrix: &[Vec<f64>]) -> Option<usize> {
    let best = (0..open.len()).max_by(|&a, &b| matrix[open[a]][open[a]].total_cmp(&matrix[open[b]][open[b]]))?;
    Some(open.swap_remove(best))
}

fn eliminate(matrix: &mut [Vec<f64>], pivot: usize) {
    let by = matrix[pivot].clone();
    for (_, row) in matrix.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
        let factor = row[pivot] / by[pivot];
        row.iter_mut().zip(&by).for_each(|(entry, part)| *entry -= factor * part);
    }
}

fn unreachable_at_start(stages: &Stages, missed: Missed) -> Diagnostic {
    let by = amount(stages, missed.span, missed.by);
    Diagnostic::error(codes::OUT_OF_REACH, format!("at t = 0 s, {} is out of reach", missed.label))
        .at(missed.span, format!("at best, this is missed by {by}"))
        .hint("begin the path where the mechanism can be, or make it larger")
}

fn unreachable(stages: &Stages, time: f64, ahead: f64, missed: Missed) -> Diagnostic {
    let by = amount(stages, missed.span, missed.by);
    let message = format!("at t = {} s, {} goes out of reach", number(time), missed.label);
    Diagnostic::error(codes::OUT_OF_REACH, message)
        .at(missed.span, format!("{} s later, it would be missed by {by}", number(ahead)))
        .note("where a mechanism is stretched out it can go no further, and would have to turn back at once")
        .hint(format!(
            "let the path stay within reach, prescribe less of it, or look at the motion with `--until {}`",
            before(time)
        ))
}

fn singular(time: f64, rows: &Rows<'_>) -> Diagnostic {
    let named = statements(rows.prescribed.iter().map(|law| (law.label.as_str(), law.span)));
    let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let message = format!(
        "at t = {} s, the mechanism is stretched or folded, and no speed of its joints makes {} go on as prescribed",
        number(time),
        base::listed(&names)
    );
    let diagnostic = Diagnostic::error(codes::SINGULAR_ARM, message);
    named
        .iter()
        .fold(diagnostic, |found, (_, span)| found.at(*span, "in one direction this hardly changes, whatever the joints do"))
        .note("such a place can be reached and left, but not passed through with a given speed: torques grow beyond all bounds near it")
        .hint("lead the path past it, prescribe less, or name more actuators, so that another joint can help")
}
