//! How a run is solved: the choice, what there is to choose from, and the account afterwards.

use driver::{Compiled, Run, Settings, Simulation, Stages, Statistics};

// No line is longer than 80 characters.
pub const LIST: &str = "\
auto      Explicit, unless the first steps of a trial run show that the scene
          is stiff: that stability, not accuracy, keeps the steps short. Then
          implicit. This is the default.
explicit  Runge-Kutta methods of Dormand and Prince, of order 5, or of order 8
          for tolerances below 1e-7. Fastest where forces change as fast as
          what they move.
implicit  Rodas5P, a linearly implicit method of order 5 that is L-stable: one
          Jacobian, derived as a formula, and one sparse factorisation for
          each step. For stiff springs, strong damping, circuits, reactions,
          and for large systems of which every part knows few others.

All three choose their steps by the tolerance, and all record at exact times.
";

/// A run whose first steps tell how to solve.
pub struct Trial {
    pub settings: Settings,
    pub until: f64,
    pub tolerance: f64,
}

/// Whether the first explicit steps are stiff.
pub fn is_stiff(trial: &Trial, stages: &Stages, machine: &Compiled) -> bool {
    let mut simulation = Simulation::new(&stages.module, machine);
    driver::apply(&trial.settings, stages, &mut simulation, &mut base::Diagnostics::default());
    driver::is_stiff(&mut simulation, Run { until: trial.until, every: trial.until, tolerance: trial.tolerance })
}

/// What a run cost.
pub fn report(statistics: &Statistics) -> String {
    let Statistics { accepted, rejected, evaluations, jacobians, factorisations, .. } = statistics;
    let explicit = format!("steps {accepted} (rejected {rejected}), derivatives {evaluations}");
    match jacobians {
        0 => explicit,
        _ => format!("implicit: {explicit}, Jacobians {jacobians}, factorisations {factorisations}"),
    }
}
