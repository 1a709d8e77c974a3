//! Where numbers go wrong: which line's formula is not finite, and what leaves the accelerations open.
//!
//! A failed run knows only its state. The formulas of the scene are evaluated there once more, one by one.

use base::Span;
use equations::{Acting, Constraint, ConstraintId, Family, Level, Slot, Speed, System};
use expr::{Expr, Point, SymbolId, Tape, jacobian};
use plan::RowGroup;
use simulation::Simulation;

use crate::dense;
use crate::pipeline::Stages;

/// A formula that has no finite value, and the coordinates it depends on there.
pub struct Blamed {
    pub label: String,
    pub span: Span,
    pub place: Vec<(String, f64)>,
}

/// The forces, torques and potentials that are not finite at the last state of a run, or just after it.
pub fn not_finite(stages: &Stages, simulation: &Simulation, time: f64) -> Vec<Blamed> {
    // A failure is never far from what causes it; further ahead something else might be blamed.
    const AHEAD: [f64; 4] = [0.0, 1e-12, 1e-9, 1e-6];
    let system = &stages.system;
    let last = last_state(stages, simulation, time);
    for ahead in AHEAD {
        let state = moved_on(system, &last, ahead);
        let broken = system.acting.iter().filter(|acting| !is_finite(system, &state, acting));
        let blame = |label: &str, span, parts: &[Expr]| Blamed {
            label: label.to_string(),
            span,
            place: place(system, &state, parts),
        };
        let blamed = broken.map(|acting| blame(&acting.label, acting.span, &acting.parts));
        let rows = system.families.iter().filter_map(|family| Some((family, broken_row(system, &state, family)?)));
        let rows = rows.map(|(family, row)| blame(&format!("a row of `{}`", family.label), family.span, &row));
        let blamed: Vec<Blamed> = blamed.chain(rows).collect();
        if !blamed.is_empty() {
            return blamed;
        }
    }
    Vec::new()
}

/// What the first row of a family is about that has no finite value or slope.
fn broken_row(system: &System, state: &Point, family: &Family) -> Option<Vec<Expr>> {
    let arguments = values(system, state, &family.arguments);
    let evaluated: Vec<Expr> = family.slots.iter().filter_map(|slot| slot.slope).chain([family.value]).collect();
    let tape = Tape::new(&system.arena, &evaluated);
    let mut point = state.clone();
    let broken = family.rows.iter().find(|sides| {
        let of_row = |slot: &Slot| (slot.symbol, arguments[slot.column[sides[slot.side]] as usize]);
        point.extend(family.slots.iter().map(of_row));
        !tape.run(&point).iter().all(|value| value.is_finite())
    })?;
    Some(family.slots.iter().map(|slot| family.arguments[slot.column[broken[slot.side]] as usize]).collect())
}

/// What is not determined at the last state of a run.
pub enum Undetermined<'s> {
    /// The accelerations of these.
    Speeds(Vec<&'s Speed>),
    /// The forces of these constraints, which act in the same direction there.
    Forces(Vec<&'s Constraint>),
}

/// Whether the accelerations and the forces of constraints follow from the equations of motion at the last state of a run.
pub fn undetermined<'s>(stages: &'s Stages, simulation: &Simulation, time: f64) -> Option<Undetermined<'s>> {
    /// Sound mechanisms are far above, singular ones far below, when steps fail.
    const WEAK: f64 = 1e-3;
    const LARGEST: usize = 200;
    let (system, plan) = (&stages.system, &stages.plan);
    let state = last_state(stages, simulation, time);
    let moving = plan.classes.moving();
    let forced = best_forced(stages, &state);
    let mut speeds: Vec<&Speed> = moving.iter().map(|id| &system.speeds[id.index()]).collect();
    let constraints: Vec<&Constraint> = forced.iter().map(|id| &system.constraints[id.index()]).collect();
    let (rows, unknowns) = system.accelerations(&moving, &forced);
    if rows.len() != unknowns.len() || rows.len() > LARGEST {
        return None;
    }
    let (direction, shrunk) = dense::weakest(matrix(system, &state, &rows, &unknowns))?;
    if shrunk > WEAK {
        return None;
    }
    let largest = direction.iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
    let mut open: Vec<bool> = direction.iter().map(|part| part.abs() > 0.05 * largest).collect();
    let open_forces = open.split_off(speeds.len());
    if open_forces.contains(&true) {
        let open = constraints.into_iter().zip(open_forces).filter(|(_, open)| *open);
        return Some(Undetermined::Forces(open.map(|(constraint, _)| constraint).collect()));
    }
    let mut at = 0;
    speeds.retain(|_| {
        at += 1;
        open[at - 1]
    });
    Some(Undetermined::Speeds(speeds))
}

/// The constraints that are kept by forces; of those that depend on one another, the ones that do so least at this state.
fn best_forced(stages: &Stages, state: &Point) -> Vec<ConstraintId> {
    let (system, plan) = (&stages.system, &stages.plan);
    let moving = plan.classes.moving();
    let accelerations: Vec<SymbolId> = moving.iter().map(|id| system.speeds[id.index()].acceleration).collect();
    let best = |group: &RowGroup| -> Vec<ConstraintId> {
        let levels = group.rows.iter().filter_map(|id| system.constraints[id.index()].at(Level::Acceleration));
        let slopes = matrix(system, state, &levels.collect::<Vec<_>>(), &accelerations);
        dense::most_independent(slopes, group.rank).into_iter().map(|at| group.rows[at]).collect()
    };
    let mut forced = plan.classes.forced(system);
    forced.retain(|id| !plan.groups.iter().any(|group| group.rows.contains(id)));
    forced.extend(plan.groups.iter().flat_map(best));
    forced.sort_unstable();
    forced
}

/// The state that a run has reached, as far as it is integrated.
pub fn last_state(stages: &Stages, simulation: &Simulation, time: f64) -> Point {
    state_in(stages, simulation, time, "state")
}

/// The state of the row that was observed last.
pub fn sampled_state(stages: &Stages, simulation: &Simulation, time: f64) -> Point {
    state_in(stages, simulation, time, "sampled")
}

fn state_in(stages: &Stages, simulation: &Simulation, time: f64, array: &str) -> Point {
    let mut state = inputs(stages, simulation, time);
    let layout = stages.module.layout();
    for (index, integral) in stages.program.integrals.iter().enumerate() {
        let name = lower::state_array(&stages.program, index);
        let name = format!("{}{array}", name.trim_end_matches("state"));
        let Some(array) = stages.module.find_array(&name) else { continue };
        let values = simulation.memory().reals(layout.range(array));
        state.extend(integral.states.iter().map(|state| state.symbol).zip(values));
    }
    state
}

/// Where the search for a start begins.
pub fn guessed_state(stages: &Stages, simulation: &Simulation) -> Point {
    let system = &stages.system;
    let mut state = inputs(stages, simulation, 0.0);
    let guesses: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
    let guesses = values(system, &state, &guesses);
    state.extend(system.coordinate_symbols().into_iter().zip(guesses));
    state
}

/// Parameters, controls and the time.
fn inputs(stages: &Stages, simulation: &Simulation, time: f64) -> Point {
    let system = &stages.system;
    let mut known = Point::default();
    known.insert(system.time, time);
    let parameters = system.parameters.iter().enumerate();
    known.extend(parameters.map(|(at, parameter)| (parameter.symbol, simulation.parameter(at))));
    let controls = system.controls.iter().enumerate();
    known.extend(controls.map(|(at, control)| (control.symbol, simulation.control(at))));
    known
}

/// The state a little later, if everything goes on as it does.
fn moved_on(system: &System, state: &Point, ahead: f64) -> Point {
    let rates: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.rate).collect();
    let rates = system.coordinate_symbols().into_iter().zip(values(system, state, &rates));
    let mut later = state.clone();
    for (symbol, rate) in rates.filter(|(_, rate)| rate.is_finite()).chain([(system.time, 1.0)]) {
        later.entry(symbol).and_modify(|value| *value += ahead * rate);
    }
    later
}

pub fn values(system: &System, state: &Point, exprs: &[Expr]) -> Vec<f64> {
    Tape::new(&system.arena, exprs).run(state)
}

/// The slopes of some rows by some unknowns.
pub fn matrix(system: &System, state: &Point, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<Vec<f64>> {
    let entries = jacobian(&system.arena, rows, unknowns);
    let slopes: Vec<Expr> = entries.iter().map(|&(_, _, slope)| slope).collect();
    let mut matrix = vec![vec![0.0; unknowns.len()]; rows.len()];
    for (&(row, column, _), value) in entries.iter().zip(values(system, state, &slopes)) {
        matrix[row][column] = value;
    }
    matrix
}

/// Whether a formula and, for a potential, its slopes are finite. What depends on unknown values counts as finite.
fn is_finite(system: &System, state: &Point, acting: &Acting) -> bool {
    let mut exprs = acting.parts.clone();
    if let [potential] = acting.parts[..] {
        exprs.extend(slopes(system, potential));
    }
    let known = system.arena.symbols_in(&exprs).iter().all(|symbol| state.contains_key(symbol));
    !known || values(system, state, &exprs).iter().all(|value| value.is_finite())
}

/// The coordinates that some expressions depend on, with their values.
fn place(system: &System, state: &Point, exprs: &[Expr]) -> Vec<(String, f64)> {
    let symbols = system.arena.symbols_in(exprs);
    let coordinates = system.coordinates.iter().filter(|coordinate| symbols.binary_search(&coordinate.symbol).is_ok());
    let value = |symbol: SymbolId| state.get(&symbol).copied().unwrap_or(f64::NAN);
    coordinates.map(|coordinate| (coordinate.name.clone(), value(coordinate.symbol))).collect()
}

/// The nonzero derivatives by the coordinates.
fn slopes(system: &System, expr: Expr) -> Vec<Expr> {
    let slopes = jacobian(&system.arena, &[expr], &system.coordinate_symbols());
    slopes.into_iter().map(|(_, _, slope)| slope).collect()
}
