//! Which solver suits a scene: the first steps of a trial tell.

use std::sync::Arc;

use backend_cranelift::Compiled;
use base::{Diagnostic, Diagnostics};
use simulation::{Run, Simulation, is_stiff};

use crate::pipeline::{Compilation, Options, machine, solve_otherwise};
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
    // Forces of contact are found by explicit steps alone.
    if stages.program.contacts.is_some() {
        options.solver = Solver::Explicit;
        return Some(Ok(code));
    }
    let mut trial = Simulation::new(&stages.module, code.clone());
    apply(&options.tried_with, stages, &mut trial, &mut Diagnostics::default());
    if !is_stiff(&mut trial, Run { until: UNTIL, every: UNTIL, tolerance: options.tolerance }) {
        options.solver = Solver::Explicit;
        return Some(Ok(code));
    }
    options.solver = Solver::Implicit;
    solve_otherwise(stages, &compilation.sources, options);
    Some(machine(&stages.module))
}
