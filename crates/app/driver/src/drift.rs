//! Whether the energy of a scene that conserves it stayed where it was, as far as the tolerance explains.

use base::Diagnostic;
use simulation::Summary;

use crate::codes;
use crate::pipeline::Stages;

/// Errors of steps add up, so what the tolerance explains grows with their number. Over all examples, long runs and coarse tolerances,
/// the drift is at most 1.5 tolerances a step.
const TOLERANCES_A_STEP: f64 = 10.0;
/// Rounding of the energy itself, in proportion to its size, at tolerances that are no larger.
const ROUNDING: f64 = 1e-13;
/// A motion whose energy is off by more than this is not the motion of the scene, whatever explains it.
const MUCH: f64 = 0.01;

/// A warning where the energy went elsewhere.
pub fn drift_warning(summary: &Summary, stages: &Stages, tolerance: f64) -> Option<Diagnostic> {
    if !stages.program.conserves_energy || summary.energy_size == 0.0 {
        return None;
    }
    let drift = summary.energy_drift / summary.energy_size;
    let steps = summary.statistics.accepted as f64 + 10.0;
    let explained = TOLERANCES_A_STEP * (tolerance + ROUNDING) * steps;
    let message = format!("the energy of this scene changed by {}, and nothing in it changes energy", share(drift));
    let diagnostic = Diagnostic::warning(codes::ENERGY_DRIFT, message);
    if drift > explained {
        return Some(
            diagnostic
                .note("this is far more than the tolerance explains, so steps went over something")
                .hint("look for what jumps, bends or is narrow, such as `if` or `abs` in a potential; compare with a run at a tenth of the `--tolerance`"),
        );
    }
    let finer = tolerance * 1e-3;
    (drift > MUCH).then(|| {
        diagnostic.hint(format!("the tolerance is too coarse for so long a run: try `--tolerance {finer:.0e}`"))
    })
}

fn share(drift: f64) -> String {
    if drift >= 0.001 { format!("{:.2} %", 100.0 * drift) } else { format!("a part in {:.0e}", 1.0 / drift) }
}
