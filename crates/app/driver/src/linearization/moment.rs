//! A state of a scene with all numbers that belong to it, at the start or in the middle of a run: where a linear model is made.

use base::Diagnostics;
use expr::Point;
use simulation::Simulation;

use super::held;
use crate::delays;
use crate::failure::describe;
use crate::instance::Instance;
use crate::pipeline::{Stages, machine};
use crate::settings::{Settings, apply};

pub struct Moment<'a> {
    /// Those of the mode.
    pub stages: &'a Stages,
    pub t: f64,
    /// In the order of the program: discrete variables stand behind the parameters of the scene.
    pub parameters: Vec<f64>,
    pub controls: Vec<f64>,
    /// Of each integral, what it integrates and what follows.
    pub states: Vec<f64>,
    /// Whether anything touches, and does not part at once.
    pub touches: bool,
}

impl<'a> Moment<'a> {
    /// The consistent start of a run with these settings.
    pub fn start(stages: &'a Stages, settings: &Settings) -> Result<Moment<'a>, Diagnostics> {
        refuse_delays(stages)?;
        let machine = machine(&stages.module).map_err(super::one)?;
        let mut simulation = Simulation::new(&stages.module, machine);
        let mut found = Diagnostics::default();
        apply(settings, stages, &mut simulation, &mut found);
        if found.has_errors() {
            return Err(found);
        }
        let begun = simulation.configure(1e-12, f64::INFINITY).and_then(|()| simulation.initialize());
        let states = begun.and_then(|()| simulation.observe(0.0)).and_then(|_| simulation.states());
        let states = match states {
            Ok(states) => states,
            Err(failure) => {
                found.report(describe(&failure, stages, &simulation));
                return Err(found);
            }
        };
        Ok(Moment {
            stages,
            t: 0.0,
            parameters: (0..stages.program.parameters.len()).map(|at| simulation.parameter(at)).collect(),
            controls: (0..stages.program.controls.len()).map(|at| simulation.control(at)).collect(),
            states,
            touches: held::touches(&stages.module, &simulation),
        })
    }

    /// Where a run is at a time within its last step; `stages` are those of its mode.
    pub fn present(run: &mut Instance, stages: &'a Stages, t: f64) -> Result<Moment<'a>, Diagnostics> {
        refuse_delays(stages)?;
        let seen = run.observe(t).and_then(|_| run.states());
        let values = seen.map_err(|failure| super::one(describe(&failure, stages, run)))?;
        let program = &stages.program;
        let mut parameters: Vec<f64> = (0..stages.system.parameters.len()).map(|at| run.parameter(at)).collect();
        let kept = program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
        let states = match program.changes.as_ref().filter(|_| run.has_modes()) {
            None => values,
            // Whatever the mode, a run with modes tells all variables, the modes, and the discrete variables.
            Some(changes) => {
                let discrete = values.len() - changes.discrete.len();
                parameters.extend(&values[discrete..]);
                let value = |name: &str| {
                    let at = changes.variables.iter().position(|variable| variable.name == name);
                    at.map_or(0.0, |at| values[at])
                };
                kept.map(|state| value(&state.name)).collect()
            }
        };
        Ok(Moment {
            stages,
            t,
            parameters,
            controls: (0..program.controls.len()).map(|at| run.control(at)).collect(),
            states,
            touches: held::touches(&stages.module, &run.present_alone()),
        })
    }

    /// What expressions need to know of it; what is solved for on the way is not among it.
    pub fn point(&self) -> Point {
        let program = &self.stages.program;
        let mut point = Point::default();
        point.insert(program.time, self.t);
        point.extend(program.parameters.iter().map(|it| it.symbol).zip(self.parameters.iter().copied()));
        point.extend(program.controls.iter().map(|it| it.symbol).zip(self.controls.iter().copied()));
        let kept = program.integrals.iter().flat_map(|integral| integral.states.iter().chain(&integral.followers));
        point.extend(kept.map(|state| state.symbol).zip(self.states.iter().copied()));
        point
    }
}

fn refuse_delays(stages: &Stages) -> Result<(), Diagnostics> {
    delays::no_state(&stages.system).map_or(Ok(()), |refused| Err(super::one(refused)))
}
