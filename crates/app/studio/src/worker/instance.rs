//! A compiled scene and one simulation of it.

use std::sync::Arc;

use ansatz::{Error, Options, Scene};
use base::{Diagnostic, Diagnostics};
use driver::{Compilation, Failure, Stages};

use crate::describe::{Columns, StateColumn, columns};

pub struct Instance {
    pub scene: Scene,
    pub stages: Arc<Stages>,
    pub simulation: driver::Instance,
    pub columns: Columns,
}

/// Nothing that runs stops for no reason.
const BROKEN: base::Code = base::Code("code-generation");

/// The relative error allowed in each step, as in `ansatz run`.
pub const TOLERANCE: f64 = 1e-8;

/// Simulated seconds that a run may last at the speed of real time; faster runs may last longer in proportion.
pub const LONGEST_RUN: f64 = 3600.0;

impl Instance {
    pub fn new(scene: Scene) -> Result<Instance, Error> {
        let simulation = scene.instance()?.into_inner();
        let stages = simulation.stages();
        let columns = columns(&stages);
        Ok(Instance { scene, stages, simulation, columns })
    }

    /// The same text compiled in another way.
    pub fn variant(&self, options: &Options) -> Result<Instance, Error> {
        let compilation = self.compilation();
        let source = compilation.sources.get(compilation.tree.span.source);
        Scene::compile(&source.name, &source.text, options).and_then(Instance::new)
    }

    pub fn compilation(&self) -> &Compilation {
        self.scene.compilation()
    }

    /// A consistent start at time zero.
    pub fn begin(&mut self) -> Result<(), Failure> {
        self.configure(LONGEST_RUN)?;
        self.simulation.initialize()
    }

    pub fn configure(&mut self, horizon: f64) -> Result<(), Failure> {
        self.simulation.configure(TOLERANCE, horizon)
    }

    /// Whether there is such a parameter.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> bool {
        let at = self.stages.system.parameters.iter().position(|parameter| parameter.name == name);
        at.map(|at| self.simulation.set_parameter(at, value)).is_some()
    }

    pub fn set_control(&mut self, name: &str, value: f64) -> bool {
        let at = self.stages.system.controls.iter().position(|control| control.name == name);
        at.map(|at| self.simulation.set_control(at, value)).is_some()
    }

    pub fn parameters(&self) -> impl Iterator<Item = (String, f64)> {
        let all = self.stages.system.parameters.iter().enumerate();
        all.map(|(at, parameter)| (parameter.name.clone(), self.simulation.parameter(at)))
    }

    /// Those of the scene, not those of a hand.
    pub fn controls(&self) -> impl Iterator<Item = (String, f64)> {
        let all = self.stages.model.controls.iter().enumerate();
        all.map(|(at, control)| (control.name.clone(), self.simulation.control(at)))
    }

    /// Gives this instance the parameters and controls of another.
    pub fn agree_with(&mut self, other: &Instance) {
        other.parameters().for_each(|(name, value)| {
            self.set_parameter(&name, value);
        });
        other.controls().for_each(|(name, value)| {
            self.set_control(&name, value);
        });
    }

    /// Reports what no physical system has, with the present parameters.
    pub fn judge(&self, sink: &mut Diagnostics) {
        model::judge(&self.stages.model, &|id| Some(self.simulation.parameter(id.index())), sink);
    }

    pub fn describe(&self, failure: &Failure) -> Diagnostic {
        let found = driver::describe_failure(failure, &self.simulation);
        found.iter().next().cloned().unwrap_or_else(|| self.broken())
    }

    /// What is said where nothing better is known.
    pub fn broken(&self) -> Diagnostic {
        Diagnostic::error(BROKEN, "the run cannot go on")
    }

    /// All numbers of the moment: see [`Columns`]. The moment lies in the last step.
    pub fn row(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        let outputs = self.simulation.observe(t)?;
        let monitor = self.simulation.monitor(t)?;
        let states = self.simulation.states()?;
        let picture = self.simulation.picture(t)?;
        let mut row = Vec::with_capacity(self.columns.stride);
        row.extend([t, monitor.energy, monitor.kinetic, monitor.constraint_error]);
        row.extend(states);
        row.extend(picture);
        row.extend(outputs);
        Ok(row)
    }

    /// A row of this instance as it stands in the layout of another one of the same scene. What this one does not have is zero: prices of
    /// choices that are not made, forces that are not exerted.
    pub fn row_for(&self, other: &Columns, row: Vec<f64>) -> Vec<f64> {
        let own = &self.columns;
        if own.has_states_of(other) {
            return row;
        }
        let value = |state: &StateColumn| {
            let at = own.states.iter().position(|known| known.name == state.name);
            at.map_or(0.0, |at| row[own.first_state + at])
        };
        let mut translated = row[..own.first_state].to_vec();
        translated.extend(other.states.iter().map(value));
        translated.extend(&row[own.picture..]);
        translated
    }

    /// The states in a row.
    pub fn states<'r>(&self, row: &'r [f64]) -> &'r [f64] {
        &row[self.columns.first_state..self.columns.picture]
    }

    /// The states of another instance of the same scene, in this one's order; what the other does not know stays as it is.
    pub fn translate(&mut self, other: &Columns, states: &[f64]) -> Vec<f64> {
        if self.columns.has_states_of(other) {
            return states.to_vec();
        }
        let mut own = self.simulation.states().unwrap_or_default();
        for (column, value) in self.columns.states.iter().zip(&mut own) {
            if let Some(at) = other.states.iter().position(|state| state.name == column.name) {
                *value = states[at];
            }
        }
        own
    }
}
