//! Where numbers go wrong: which line's formula is not finite, and what leaves the accelerations open.
//!
//! A failed run knows only its state. The formulas of the scene are evaluated there once more, one by one.

use equations::{Acting, Constraint, Level, Speed, System};
use expr::{Differentiator, Expr, SymbolId, Tape};
use simulation::Simulation;

use crate::dense;
use crate::pipeline::Stages;

/// A formula that has no finite value, and the coordinates it depends on there.
pub struct Blamed<'s> {
    pub acting: &'s Acting,
    pub place: Vec<(String, f64)>,
}

/// The forces, torques and potentials that are not finite at the last state of a run, or just after it.
pub fn not_finite<'s>(stages: &'s Stages, simulation: &Simulation<'_>, time: f64) -> Vec<Blamed<'s>> {
    // A failure is never far from what causes it; further ahead something else might be blamed.
    const AHEAD: [f64; 4] = [0.0, 1e-12, 1e-9, 1e-6];
    let state = State::of(stages, simulation, time);
    for ahead in AHEAD {
        let state = state.after(&stages.system, ahead);
        let broken = stages.system.acting.iter().filter(|acting| !state.is_finite(&stages.system, acting));
        let blamed: Vec<Blamed<'s>> =
            broken.map(|acting| Blamed { acting, place: state.place(&stages.system, &acting.parts) }).collect();
        if !blamed.is_empty() {
            return blamed;
        }
    }
    Vec::new()
}

/// What is not determined at the last state of a run.
pub enum Undetermined<'s> {
    /// The accelerations of these.
    Speeds(Vec<&'s Speed>),
    /// The forces of these constraints, which act in the same direction there.
    Forces(Vec<&'s Constraint>),
}

/// Whether the accelerations and the forces of constraints follow from the equations of motion at the last state of a run.
pub fn undetermined<'s>(stages: &'s Stages, simulation: &Simulation<'_>, time: f64) -> Option<Undetermined<'s>> {
    /// Sound mechanisms are far above, singular ones far below, when steps fail.
    const WEAK: f64 = 1e-3;
    const LARGEST: usize = 200;
    let (system, plan) = (&stages.system, &stages.plan);
    let classes = &plan.classes;
    let mut speeds: Vec<&Speed> =
        classes.speeds1.iter().chain(&classes.speeds2).map(|id| &system.speeds[id.index()]).collect();
    let mut rows: Vec<Expr> =
        classes.speeds1.iter().chain(&classes.speeds2).map(|id| system.motion[id.index()].residual).collect();
    let constraints = [&classes.h1[..], &classes.h2, &classes.n1, &classes.n2].concat();
    let constraints = constraints.iter().map(|id| &system.constraints[id.index()]);
    let constraints: Vec<&Constraint> = constraints.filter(|constraint| constraint.multiplier.is_some()).collect();
    rows.extend(constraints.iter().filter_map(|constraint| constraint.at(Level::Acceleration)));
    let mut unknowns: Vec<SymbolId> = speeds.iter().map(|speed| speed.acceleration).collect();
    unknowns.extend(constraints.iter().filter_map(|constraint| constraint.multiplier));
    if rows.len() != unknowns.len() || rows.len() > LARGEST {
        return None;
    }
    let (direction, shrunk) = dense::weakest(State::of(stages, simulation, time).matrix(system, &rows, &unknowns))?;
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

/// Values of symbols, as far as they are known.
#[derive(Clone)]
pub struct State {
    known: Vec<(SymbolId, f64)>,
}

impl State {
    fn of(stages: &Stages, simulation: &Simulation<'_>, time: f64) -> State {
        let mut state = State::inputs(stages, simulation, time);
        let layout = stages.module.layout();
        for (index, integral) in stages.program.integrals.iter().enumerate() {
            let Some(array) = stages.module.find_array(&lower::state_array(&stages.program, index)) else { continue };
            let values = simulation.memory().reals(layout.range(array));
            state.known.extend(integral.states.iter().map(|state| state.symbol).zip(values));
        }
        state.sorted()
    }

    /// Where the search for a start begins.
    pub fn guess(stages: &Stages, simulation: &Simulation<'_>) -> State {
        let system = &stages.system;
        let mut state = State::inputs(stages, simulation, 0.0).sorted();
        let guesses: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.guess).collect();
        let values = state.values(system, &guesses);
        state.known.extend(system.coordinates.iter().map(|coordinate| coordinate.symbol).zip(values));
        state.sorted()
    }

    /// Parameters, controls and the time.
    fn inputs(stages: &Stages, simulation: &Simulation<'_>, time: f64) -> State {
        let system = &stages.system;
        let mut known = vec![(system.time, time)];
        let parameters = system.parameters.iter().enumerate();
        known.extend(parameters.map(|(at, parameter)| (parameter.symbol, simulation.parameter(at))));
        let controls = system.controls.iter().enumerate();
        known.extend(controls.map(|(at, control)| (control.symbol, simulation.control(at))));
        State { known }
    }

    fn sorted(mut self) -> State {
        self.known.sort_by_key(|(symbol, _)| *symbol);
        self
    }

    pub fn get(&self, symbol: SymbolId) -> Option<f64> {
        self.known.binary_search_by_key(&symbol, |(known, _)| *known).ok().map(|at| self.known[at].1)
    }

    pub fn set(&mut self, values: impl IntoIterator<Item = (SymbolId, f64)>) {
        for (symbol, value) in values {
            match self.known.binary_search_by_key(&symbol, |(known, _)| *known) {
                Ok(at) => self.known[at].1 = value,
                Err(at) => self.known.insert(at, (symbol, value)),
            }
        }
    }

    /// The state a little later, if everything goes on as it does.
    fn after(&self, system: &System, ahead: f64) -> State {
        let rates: Vec<Expr> = system.coordinates.iter().map(|coordinate| coordinate.rate).collect();
        let rates = self.values(system, &rates);
        let moved = |symbol: SymbolId, value: f64| {
            let at = system.coordinates.iter().position(|coordinate| coordinate.symbol == symbol);
            match at {
                _ if symbol == system.time => value + ahead,
                Some(at) if rates[at].is_finite() => value + ahead * rates[at],
                _ => value,
            }
        };
        State { known: self.known.iter().map(|&(symbol, value)| (symbol, moved(symbol, value))).collect() }
    }

    pub fn values(&self, system: &System, exprs: &[Expr]) -> Vec<f64> {
        Tape::new(&system.arena, exprs).run(|symbol| self.get(symbol).unwrap_or(f64::NAN))
    }

    /// The slopes of some rows by some unknowns.
    fn matrix(&self, system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<Vec<f64>> {
        let slopes = unknowns.iter().flat_map(|&unknown| {
            let mut by = Differentiator::by(&system.arena, system.arena.symbol(unknown));
            rows.iter().map(move |&row| by.derivative(&system.arena, row))
        });
        let values = self.values(system, &slopes.collect::<Vec<Expr>>());
        (0..rows.len()).map(|row| (0..unknowns.len()).map(|at| values[at * rows.len() + row]).collect()).collect()
    }

    /// Whether a formula and, for a potential, its slopes are finite. What depends on unknown values counts as finite.
    fn is_finite(&self, system: &System, acting: &Acting) -> bool {
        let mut exprs = acting.parts.clone();
        if let [potential] = acting.parts[..] {
            exprs.extend(slopes(system, potential));
        }
        let known = system.arena.symbols_in(&exprs).into_iter().all(|symbol| self.get(symbol).is_some());
        !known || self.values(system, &exprs).iter().all(|value| value.is_finite())
    }

    /// The coordinates that some expressions depend on, or the time, with their values.
    fn place(&self, system: &System, exprs: &[Expr]) -> Vec<(String, f64)> {
        let symbols = system.arena.symbols_in(exprs);
        let coordinates = system.coordinates.iter().filter(|coordinate| symbols.contains(&coordinate.symbol));
        let value = |symbol| self.get(symbol).unwrap_or(f64::NAN);
        coordinates.map(|coordinate| (coordinate.name.clone(), value(coordinate.symbol))).collect()
    }
}

fn slopes(system: &System, expr: Expr) -> Vec<Expr> {
    let symbols = system.arena.symbols_in(&[expr]);
    let coordinates = system.coordinate_symbols().into_iter().filter(|symbol| symbols.contains(symbol));
    let slope = |symbol| Differentiator::by(&system.arena, system.arena.symbol(symbol)).derivative(&system.arena, expr);
    coordinates.map(slope).collect()
}
