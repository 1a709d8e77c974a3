//! Motions that run away: numbers so large that nothing can be computed with them any more.

use base::{Diagnostic, Dimension};
use program::State;
use simulation::{Failure, Simulation};

use super::words::{before, number};
use crate::pipeline::Stages;
use crate::{blame, codes};

/// An angle in rad beyond which the numbers that a computer has are a radian and more apart.
const LOST_ANGLE: f64 = 1e16;
/// In SI units; the universe is 1e27 m large, and 1e80 nucleons heavy. Squares of what is beyond 1e154 are no numbers.
const LOST: f64 = 1e100;

/// What has run away at the last state of a run, if anything has: the largest, in the measure of what can be computed with.
pub fn run_away(failure: &Failure, stages: &Stages, simulation: &Simulation) -> Option<Diagnostic> {
    let last = blame::last_state(stages, simulation, failure.time);
    let states = stages.program.integrals.iter().flat_map(|integral| &integral.states);
    let beyond = states.filter_map(|state| {
        let value = *last.get(&state.symbol)?;
        let beyond = value.abs() / limit(state, stages);
        (beyond > 1.0).then_some((state, value, beyond))
    });
    let (state, value, _) = beyond.max_by(|one, other| one.2.total_cmp(&other.2))?;
    let unit = match state.dimension {
        Dimension::NONE if is_angle(state, stages) => "rad".to_string(),
        Dimension::NONE => String::new(),
        dimension => dimension.unit(),
    };
    let message =
        format!("at t = {} s, `{}` has run away to {} {unit}", number(failure.time), state.name, number(value));
    let hint = format!(
        "look at where it begins, with a shorter `--until` than {}: what grows ever faster is fed by something, such as a damping or a resistance of the wrong sign",
        before(failure.time)
    );
    Some(
        Diagnostic::error(codes::STEP_COLLAPSE, message.trim_end().to_string())
            .at(state.span, "nothing can be computed with so large a number")
            .hint(hint),
    )
}

fn limit(state: &State, stages: &Stages) -> f64 {
    if is_angle(state, stages) { LOST_ANGLE } else { LOST }
}

/// What has no dimension and is no coordinate counts something, and may be large.
fn is_angle(state: &State, stages: &Stages) -> bool {
    state.dimension == Dimension::NONE
        && stages.system.coordinates.iter().any(|coordinate| coordinate.symbol == state.symbol)
}
