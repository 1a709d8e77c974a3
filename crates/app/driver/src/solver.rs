//! Which solver suits a scene: the first steps of a trial tell.

use std::sync::Arc;

use backend_cranelift::Compiled;
use base::{Diagnostic, Diagnostics};
use program::Solver;
use simulation::{Run, Simulation, is_stiff};

use crate::pipeline::{Compilation, Options, machine, solve_otherwise};
use crate::settings::{Settings, apply};

/// How long a trial would last if nobody says; it ends after some thousand steps at the latest.
const UNTIL: f64 = 10.0;

/// Makes the program of a scene implicit if the first explicit steps are stiff; of a scene with modes, those in the first mode, if it were
/// to last. Gives the machine code of the scene's module; nothing if there were errors.
pub fn solve_as_suits(
    compilation: &mut Compilation,
    options: &mut Options,
    settings: &Settings,
    until: Option<f64>,
) -> Option<Result<Arc<Compiled>, Diagnostic>> {
    let stages = compilation.stages.as_mut()?;
    let code = match machine(&stages.module) {
        Ok(code) => code,
        Err(diagnostic) => return Some(Err(diagnostic)),
    };
    let until = until.unwrap_or(UNTIL);
    let mut trial = Simulation::new(&stages.module, code.clone());
    apply(settings, stages, &mut trial, &mut Diagnostics::default());
    if !is_stiff(&mut trial, Run { until, every: until, tolerance: options.tolerance }) {
        return Some(Ok(code));
    }
    options.solver = Solver::Implicit;
    solve_otherwise(stages, &compilation.sources, options);
    Some(machine(&stages.module))
}
