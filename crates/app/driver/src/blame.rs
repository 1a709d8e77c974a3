//! Where numbers go wrong: which line's formula is not finite, and where the search for a start is stuck.
//!
//! A failed run knows only its state. The formulas of the scene are evaluated there once more, one by one.

use equations::{Acting, Level, System};
use expr::{Differentiator, Expr, SymbolId, Tape};
use simulation::Simulation;

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

/// Where the search for positions begins, if some equation does not tell there which way to go.
pub fn stuck_guess(stages: &Stages, simulation: &Simulation<'_>) -> Option<Vec<(String, f64)>> {
    let system = &stages.system;
    let state = State::guess(stages, simulation);
    let residuals = system.constraints_at(Level::Position).into_iter().map(|(_, residual)| residual);
    let initial = system.initial.iter().filter(|initial| initial.level == Level::Position);
    let mut all = residuals.chain(initial.map(|initial| initial.residual));
    let flat = all.find(|&residual| {
        let slopes = slopes(system, residual);
        let values = state.values(system, &slopes);
        let off = state.values(system, &[residual]).iter().any(|value| value.abs() > 1e-9 || value.is_nan());
        off && (values.iter().any(|value| !value.is_finite()) || values.iter().all(|value| value.abs() < 1e-9))
    })?;
    Some(state.place(system, &[flat]))
}

/// Values of symbols, as far as they are known.
struct State {
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

    fn guess(stages: &Stages, simulation: &Simulation<'_>) -> State {
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

    fn get(&self, symbol: SymbolId) -> Option<f64> {
        self.known.binary_search_by_key(&symbol, |(known, _)| *known).ok().map(|at| self.known[at].1)
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

    fn values(&self, system: &System, exprs: &[Expr]) -> Vec<f64> {
        Tape::new(&system.arena, exprs).run(|symbol| self.get(symbol).unwrap_or(f64::NAN))
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
