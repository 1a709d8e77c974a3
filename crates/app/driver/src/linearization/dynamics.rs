//! The equations of motion as functions, for whoever integrates, optimises or estimates by means of their own.

use std::sync::Arc;

use base::{Diagnostic, Diagnostics};
use expr::SymbolId;

use super::matrix::Matrix;
use super::surroundings::{Surroundings, Unsettled};
use super::{start, undetermined};
use crate::pipeline::Stages;
use crate::settings::Settings;

/// y′ = f(t, y) of a scene in the mode in which it starts. Constraints hold as they do in a run only where the states satisfy them: forces of
/// constraint keep what holds, and nothing is moved back.
pub struct Dynamics {
    stages: Arc<Stages>,
    near: Surroundings,
    time: SymbolId,
    begin: Vec<f64>,
}

impl Dynamics {
    /// The scene has to be compiled without being decomposed: see [`Level::None`](program::Level).
    pub fn new(stages: &Arc<Stages>, settings: &Settings) -> Result<Dynamics, Diagnostics> {
        let near = start(stages, settings)?;
        let (begin, time) = (near.state(), stages.program.time);
        Ok(Dynamics { stages: stages.clone(), near, time, begin })
    }

    /// The names of the states.
    pub fn states(&self) -> Vec<String> {
        self.near.equations.states.iter().map(|state| state.name.clone()).collect()
    }

    /// The unit of each state; nothing for plain numbers.
    pub fn units(&self) -> Vec<String> {
        let units = self.near.equations.states.iter().map(|state| state.dimension.to_string());
        units.map(|unit| if unit == "1" { String::new() } else { unit }).collect()
    }

    /// The states at the start.
    pub fn start(&self) -> &[f64] {
        &self.begin
    }

    /// The rate of each state.
    pub fn rates(&mut self, t: f64, states: &[f64]) -> Result<Vec<f64>, Diagnostic> {
        self.place(t, states)?;
        Ok(self.near.rates())
    }

    /// The derivatives of the rates (rows) by the states (columns), exact but for rounding.
    pub fn jacobian(&mut self, t: f64, states: &[f64]) -> Result<Matrix, Diagnostic> {
        self.place(t, states)?;
        self.near.slopes().map(|slopes| slopes.a).map_err(|unsettled| self.undetermined(&unsettled))
    }

    fn place(&mut self, t: f64, states: &[f64]) -> Result<(), Diagnostic> {
        if states.len() != self.begin.len() {
            let message = format!("these are {} numbers for {} states", states.len(), self.begin.len());
            let hint = format!("the states are {}", self.states().join(", "));
            return Err(Diagnostic::error(crate::codes::BAD_SETTING, message).hint(hint));
        }
        self.near.point.insert(self.time, t);
        self.near.set_state(states);
        self.near.settle().map_err(|unsettled| self.undetermined(&unsettled))
    }

    fn undetermined(&self, unsettled: &Unsettled) -> Diagnostic {
        undetermined(&self.stages, unsettled)
    }
}
