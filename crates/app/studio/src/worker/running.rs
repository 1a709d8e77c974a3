//! What runs: one program, or the programs of all modes of a scene.

use base::{Diagnostic, Diagnostics};
use driver::{Automaton, Event, Motion, Simulation, Stages, Trouble};

/// Why a run cannot go on.
pub type Stop = Trouble<Diagnostics>;

pub enum Running {
    Plain(Box<Simulation>),
    Changing(Box<Automaton>),
}

/// Calls the same method of whatever runs.
macro_rules! both {
    ($running:expr, $inner:ident => $call:expr) => {
        match $running {
            Running::Plain($inner) => Ok($call?),
            Running::Changing($inner) => $call,
        }
    };
}

impl Running {
    pub fn set_parameter(&mut self, at: usize, value: f64) {
        match self {
            Running::Plain(simulation) => simulation.set_parameter(at, value),
            Running::Changing(automaton) => automaton.parameters[at] = value,
        }
    }

    pub fn set_control(&mut self, at: usize, value: f64) {
        match self {
            Running::Plain(simulation) => simulation.set_control(at, value),
            Running::Changing(automaton) => automaton.controls[at] = value,
        }
    }

    pub fn parameter(&self, at: usize) -> f64 {
        match self {
            Running::Plain(simulation) => simulation.parameter(at),
            Running::Changing(automaton) => automaton.parameters[at],
        }
    }

    pub fn control(&self, at: usize) -> f64 {
        match self {
            Running::Plain(simulation) => simulation.control(at),
            Running::Changing(automaton) => automaton.controls[at],
        }
    }

    pub fn configure(&mut self, tolerance: f64, horizon: f64) -> Result<(), Stop> {
        both!(self, it => Motion::configure(it, tolerance, horizon))
    }

    pub fn initialize(&mut self) -> Result<(), Stop> {
        both!(self, it => Motion::initialize(it))
    }

    pub fn advance(&mut self, target: f64, limit: i64) -> Result<bool, Stop> {
        both!(self, it => Motion::advance(it, target, limit))
    }

    pub fn observe(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        both!(self, it => Motion::observe(it, t))
    }

    pub fn monitor(&mut self, t: f64) -> Result<driver::Monitor, Stop> {
        both!(self, it => Motion::monitor(it, t))
    }

    pub fn picture(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        both!(self, it => it.picture(t))
    }

    pub fn curves(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        both!(self, it => it.curves(t))
    }

    pub fn surfaces(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        both!(self, it => it.surfaces(t))
    }

    pub fn resume(&mut self, t: f64, states: &[f64]) -> Result<(), Stop> {
        both!(self, it => it.resume(t, states))
    }

    /// All that the run can be resumed from, as it was observed last, at this time.
    pub fn states(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        match self {
            Running::Plain(simulation) => Ok(simulation.states()?),
            Running::Changing(automaton) => automaton.states(t),
        }
    }

    /// At a state, moved onto the constraints, without any transition.
    pub fn place(&mut self, t: f64, states: &[f64]) -> Result<(), Stop> {
        match self {
            Running::Plain(simulation) => Ok(simulation.resume(t, states)?),
            Running::Changing(automaton) => automaton.place(t, states),
        }
    }

    /// The rate of each state where it was placed.
    pub fn rates(&self) -> Vec<f64> {
        match self {
            Running::Plain(simulation) => simulation.rates(),
            Running::Changing(automaton) => automaton.rates(),
        }
    }

    /// Whether a transition would happen at the state that was observed last.
    pub fn is_leaving(&mut self, t: f64) -> Result<bool, Stop> {
        match self {
            Running::Plain(_) => Ok(false),
            Running::Changing(automaton) => automaton.is_leaving(t),
        }
    }

    /// The transitions so far.
    pub fn events(&self) -> &[Event] {
        match self {
            Running::Plain(_) => &[],
            Running::Changing(automaton) => &automaton.events,
        }
    }

    /// Goes on with the transitions that another run of the same scene has seen.
    pub fn remember(&mut self, events: &[Event]) {
        if let Running::Changing(automaton) = self {
            automaton.events = events.to_vec();
        }
    }

    pub fn describe(&self, stop: &Stop, stages: &Stages) -> Option<Diagnostic> {
        match (self, stop) {
            (Running::Plain(simulation), Trouble::Failed(failure)) => {
                Some(driver::describe(failure, stages, simulation))
            }
            (Running::Plain(_), _) => None,
            (Running::Changing(automaton), stop) => driver::describe_trouble(stop, automaton).iter().next().cloned(),
        }
    }
}
