//! Motions that are prescribed and cannot be followed: a path out of reach, or an arm that is stretched or folded.

use base::{Diagnostic, Span};
use equations::{Law, LawRole, Level, System};
use expr::{Expr, Point, SymbolId};
use program::{SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use super::start::amount;
use super::words::{before, number, statements};
use crate::blame::{guessed_state, last_state, matrix};
use crate::pipeline::Stages;
use crate::reach::nearest;
use crate::{codes, dense};

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
        // Only what runs away has lost its hold; a system that is not solved has another reason.
        let ran_away = matches!(failure.kind, Endless | StepCollapsed);
        return (ran_away && rows.is_loose(stages, &state)).then(|| loose(failure.time, &rows, stages));
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
/// Of the square of what actuators do to what is prescribed, elsewhere. The motion that is left to itself runs away before the hold is lost
/// altogether, so runs end at a hold of a tenth.
const LOOSE: f64 = 0.02;
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
        let mut rows = slopes(state);
        scale_rows(&mut rows, &SHIFTS.map(|shift| slopes(&self.shifted(state, shift))));
        let products = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
        smallest_pivot(products, self.prescribed.len()) < WEAK
    }

    /// Whether some combination of what is prescribed hardly answers to the actuators, though it does elsewhere: the inertia between a torque and
    /// a distant joint may balance out.
    fn is_loose(&self, stages: &Stages, state: &Point) -> bool {
        let here = self.answers(stages, state);
        let elsewhere = SHIFTS.map(|shift| self.answers(stages, &self.shifted(state, shift)));
        let (Some(here), [Some(a), Some(b), Some(c)]) = (here, elsewhere) else { return false };
        let all = [here, a, b, c];
        let holds = all.each_ref().map(|rows| {
            let mut rows = rows.clone();
            scale_rows(&mut rows, &all);
            let products = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
            smallest_pivot(products, rows.len())
        });
        holds[0] < LOOSE * holds.into_iter().fold(0.0, f64::max)
    }

    /// The acceleration of each thing prescribed by one unit of each actuator; nothing where it cannot be told.
    fn answers(&self, stages: &Stages, state: &Point) -> Option<Vec<Vec<f64>>> {
        let system = &stages.system;
        if system.coordinates.len() != system.speeds.len() {
            return None;
        }
        let kept = system.constraints_at(Level::Acceleration).into_iter().map(|(_, residual)| residual);
        let equations: Vec<Expr> = system.motion.iter().map(|row| row.residual).chain(kept).collect();
        let forces = system.constraints.iter().filter_map(|constraint| constraint.multiplier);
        let unknowns: Vec<SymbolId> = system.speeds.iter().map(|speed| speed.acceleration).chain(forces).collect();
        let actuators = actuators(stages);
        if equations.len() != unknowns.len() {
            return None;
        }
        let mut state = state.clone();
        unknowns.iter().chain(&actuators).for_each(|&symbol| _ = state.insert(symbol, 0.0));
        if !system.arena.symbols_in(&equations).iter().all(|symbol| state.contains_key(symbol)) {
            return None;
        }
        let inertia = matrix(system, &state, &equations, &unknowns);
        let pushes = matrix(system, &state, &equations, &actuators);
        let slopes = matrix(system, &state, &self.residuals()[..self.prescribed.len()], &self.coordinates);
        let moved = |actuator: usize| {
            let right = inertia.iter().zip(&pushes).map(|(row, push)| [&row[..], &[-push[actuator]]].concat());
            dense::solve(right.collect())
        };
        let moved: Vec<Vec<f64>> = (0..actuators.len()).map(moved).collect();
        Some(slopes.iter().map(|row| moved.iter().map(|moved| dot(row, &moved[..row.len()])).collect()).collect())
    }

    /// Another place of the same mechanism.
    fn shifted(&self, state: &Point, shift: f64) -> Point {
        let mut other = state.clone();
        self.coordinates.iter().for_each(|symbol| {
            other.entry(*symbol).and_modify(|value| *value += shift);
        });
        other
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

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Scales each row by the most that it is, here or elsewhere: how much each could change is seen there.
fn scale_rows(rows: &mut [Vec<f64>], elsewhere: &[Vec<Vec<f64>>]) {
    for (at, row) in rows.iter_mut().enumerate() {
        let squares = elsewhere.iter().map(|other| dot(&other[at], &other[at])).chain([dot(row, row)]);
        let size = squares.fold(0.0, f64::max).sqrt();
        row.iter_mut().for_each(|slope| *slope /= size.max(f64::MIN_POSITIVE));
    }
}

/// The unknowns of the actuators that bring about what is prescribed.
fn actuators(stages: &Stages) -> Vec<SymbolId> {
    let model = &stages.model;
    let used = |id: usize| model.prescriptions.iter().any(|it| it.using.iter().any(|own| own.index() == id));
    let names = model.actuators.iter().enumerate().filter(|(id, _)| used(*id));
    let names = names.map(|(_, actuator)| &model.quantities[actuator.quantity.index()].name);
    let symbol = |name: &String| stages.system.variables.iter().find(|row| row.name == *name).map(|row| row.symbol);
    names.filter_map(symbol).collect()
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

fn loose(time: f64, rows: &Rows<'_>, stages: &Stages) -> Diagnostic {
    let named = statements(rows.prescribed.iter().map(|law| (law.label.as_str(), law.span)));
    let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let acting: Vec<String> =
        actuators(stages).into_iter().map(|symbol| format!("`{}`", stages.system.arena.symbol_name(symbol))).collect();
    let message = format!(
        "at t = {} s, {} {} hold on {}",
        number(time),
        base::listed(&acting),
        if acting.len() == 1 { "loses its" } else { "lose their" },
        base::listed(&names)
    );
    let diagnostic = Diagnostic::error(codes::SINGULAR_ARM, message);
    named
        .iter()
        .fold(diagnostic, |found, (_, span)| found.at(*span, "what is exerted hardly accelerates this any more"))
        .note("a distant joint is moved through the inertia of what lies between, which balances out in some positions: near these it takes ever more, and the rest runs away")
        .hint(format!(
            "name the torque of the joint itself after `using`, lead the path past it, or look at the motion with `--until {}`",
            before(time)
        ))
}
