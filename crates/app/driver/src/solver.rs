//! Which solver suits a scene: the first steps of a trial tell.

use std::sync::Arc;

use base::{Diagnostic, Diagnostics};
use host::Compiled;
use simulation::{Run, Simulation, Statistics, is_stiff};

use crate::modes::is_changing;
use crate::pipeline::{Compilation, Options, Stages, machine, solve_otherwise};
use crate::settings::apply;

/// How a scene is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Explicitly, unless the first steps of a trial show that the scene is stiff.
    #[default]
    Auto,
    Explicit,
    Implicit,
}

/// How long a trial would last, so that a scene has one solver however long it is run; it ends after some thousand steps at the latest.
const UNTIL: f64 = 10.0;

/// Machine code of a scene's module, with the solver that is asked for. Where nobody asks for one, the program is made implicit if its first
/// explicit steps are stiff; of a scene with modes, those in the first mode, if it were to last. Nothing if there were errors.
pub fn machine_as_suits(
    compilation: &mut Compilation,
    options: &mut Options,
) -> Option<Result<Arc<Compiled>, Diagnostic>> {
    let stages = compilation.stages.as_mut()?;
    let code = match machine(&stages.module) {
        Ok(code) if options.solver == Solver::Auto => code,
        other => return Some(other),
    };
    let stages = stages.clone();
    let trial = Trial { stages: stages.clone(), code: code.clone(), tolerance: options.tolerance };
    let set = |trial: &mut Simulation| apply(&options.tried_with, &stages, trial, &mut Diagnostics::default());
    if !trial.is_stiff(set) {
        options.solver = Solver::Explicit;
        return Some(Ok(code));
    }
    options.solver = Solver::Implicit;
    drop((trial, stages));
    let stages = compilation.stages.as_mut()?;
    solve_otherwise(stages, &compilation.sources, options);
    Some(machine(&stages.module))
}

/// What tells whether runs of a scene with explicit steps would be stiff, each with numbers of its own.
pub struct Trial {
    stages: Arc<Stages>,
    code: Arc<Compiled>,
    tolerance: f64,
}

impl Trial {
    /// The stages are those with explicit steps.
    pub fn new(stages: &Arc<Stages>, tolerance: f64) -> Result<Trial, Diagnostic> {
        Ok(Trial { stages: stages.clone(), code: machine(&stages.module)?, tolerance })
    }

    /// Whether a run is stiff that begins with what is set here.
    pub fn is_stiff(&self, set: impl FnOnce(&mut Simulation)) -> bool {
        // Forces of contact are found by explicit steps alone.
        if self.stages.program.contacts.is_some() {
            return false;
        }
        let mut trial = Simulation::new(&self.stages.module, self.code.clone());
        set(&mut trial);
        is_stiff(&mut trial, Run { until: UNTIL, every: UNTIL, tolerance: self.tolerance })
    }

    /// Whether the first steps of a run that went as far as a trial tell the same: no step of it was kept short by stability. Only runs in one
    /// mode are as a trial is.
    pub fn is_settled_by(&self, until: f64, statistics: &Statistics) -> bool {
        !is_changing(&self.stages) && until >= UNTIL && statistics.stiff == 0
    }
}
