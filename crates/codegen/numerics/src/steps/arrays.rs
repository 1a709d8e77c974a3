//! The arrays of an integrator that others read and write. They exist before it does, for its derivative needs them.

use super::Method;
use crate::runge_kutta::Tableau;
use kernel::{ArrayId, ModuleBuilder};

#[derive(Clone, Copy, Debug)]
pub struct IntegratorArrays {
    /// The number of components, n.
    pub size: usize,
    pub method: Method,

    /// The solution at `time` (n).
    pub state: ArrayId,
    /// Where the derivative is wanted (n).
    pub stage: ArrayId,
    /// The derivatives of one step, n for each slope.
    pub slopes: ArrayId,
    /// What `sample` gives (n).
    pub sampled: ArrayId,
    /// The state at the beginning of the last step (n).
    pub previous: ArrayId,

    /// How far the integration has come (1).
    pub time: ArrayId,
    /// The beginning of the last step (1).
    pub previous_time: ArrayId,
    /// The end of the last step as it was computed; `time` is sooner where the step was cut (1).
    pub computed_end: ArrayId,

    /// The relative error allowed for each step (1). At first 10⁻⁹; anything below 10⁻¹⁴ counts as 10⁻¹⁴.
    pub tolerance: ArrayId,
    /// No slope is taken after this time, and a step ends on it exactly (1). At first infinite.
    pub horizon: ArrayId,
    /// No step goes beyond this time (1). At first infinite. Unlike the horizon it says nothing of how long the run is.
    pub stop: ArrayId,
    /// No step is longer (1). At first infinite.
    pub longest_step: ArrayId,

    /// Not 0 where stages are moved onto the constraints before slopes are taken, if there are constraints: for so many steps (1).
    pub careful: ArrayId,

    /// Since `start`; see [`ACCEPTED`](IntegratorArrays::ACCEPTED) and the like.
    pub counters: ArrayId,
    /// When the last failure happened (1).
    pub failure_time: ArrayId,
    /// The component to blame for the last failure, else −1 (1).
    pub failure_component: ArrayId,
    /// The code that `derivative` or `after_step` gave when it failed last (1).
    pub failure_code: ArrayId,
}

/// What the counters count.
const COUNTED: &str = "accepted, rejected, slopes, Jacobians, factorisations, tests for stiffness, positive ones,\n\
                       projections";

impl Method {
    /// How many slopes are kept.
    fn slopes(self) -> usize {
        match self {
            Method::DormandPrince5 | Method::DormandPrince8 => Tableau::of(self).slopes(),
            // The one at the beginning, and the one that is being taken.
            Method::Rodas5P | Method::Fixed => 2,
            // The one at the beginning, and those of the stages.
            Method::Radau13 => 1 + crate::radau::STAGES,
        }
    }
}

impl IntegratorArrays {
    /// The place of the number of accepted steps in `counters`.
    pub const ACCEPTED: usize = 0;
    /// The place of the number of rejected trials in `counters`.
    pub const REJECTED: usize = 1;
    /// The place of the number of calls of the derivative in `counters`.
    pub const EVALUATIONS: usize = 2;
    /// The place of the number of Jacobians in `counters`.
    pub const JACOBIANS: usize = 3;
    /// The place of the number of factorisations in `counters`.
    pub const FACTORISATIONS: usize = 4;
    /// The place of the number of steps that were tested for stiffness in `counters`.
    pub const TESTED: usize = 5;
    /// The place of the number of tested steps that stability kept short, not accuracy, in `counters`.
    pub const STIFF: usize = 6;
    /// The place of the number of steps after which the state was moved onto constraints in `counters`.
    pub const PROJECTIONS: usize = 7;
    /// How many counters there are.
    pub const COUNTERS: usize = 8;

    pub fn declare(module: &mut ModuleBuilder, name: &str, size: usize, method: Method) -> IntegratorArrays {
        let slopes = method.slopes() * size;
        let name = |what: &str| format!("{name}_{what}");
        let mut reals = |what, length, note| module.real_array(&name(what), length, note);
        let (state, stage) = (reals("state", size, "solution at time"), reals("stage", size, "where slopes are taken"));
        let slopes = reals("slopes", slopes, "derivatives of one step");
        let (sampled, previous) = (reals("sampled", size, "last sample"), reals("previous", size, "state before"));
        let (time, previous_time) =
            (reals("time", 1, "integrated up to here"), reals("previous_time", 1, "time before"));
        let computed_end = reals("computed_end", 1, "end of the last step, before it was cut");
        let failure_time = reals("failure_time", 1, "when the last failure happened");
        let infinite = [f64::INFINITY];
        IntegratorArrays {
            size,
            method,
            state,
            stage,
            slopes,
            sampled,
            previous,
            time,
            previous_time,
            computed_end,
            tolerance: module.reals(&name("tolerance"), &[1e-9], "relative error allowed for each step"),
            horizon: module.reals(&name("horizon"), &infinite, "no slope is taken after this time"),
            stop: module.reals(&name("stop"), &infinite, "no step goes beyond this time"),
            longest_step: module.reals(&name("longest_step"), &infinite, "no step is longer"),
            careful: module.integer_array(
                &name("careful"),
                1,
                "steps to go in which stages are moved onto constraints",
            ),
            counters: module.integer_array(&name("counters"), IntegratorArrays::COUNTERS, COUNTED),
            failure_time,
            failure_component: module.integers(&name("failure_component"), &[-1], "component of the largest error"),
            failure_code: module.integer_array(&name("failure_code"), 1, "what the derivative or the hook returned"),
        }
    }
}
