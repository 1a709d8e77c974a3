//! Actuators with limits, which together cannot bring about what is prescribed.

use base::Diagnostic;
use equations::{LawRole, PRICE};
use model::{Actuator, Claim, Limits};
use program::{SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use super::words::{before, number};
use crate::codes;
use crate::pipeline::Stages;

/// What a failure means where actuators have come to their limits; nothing if it has another reason.
pub fn describe(
    failure: &Failure,
    info: Option<&SystemInfo>,
    stages: &Stages,
    simulation: &Simulation,
) -> Option<Diagnostic> {
    if limited(stages).is_empty() {
        return None;
    }
    let least = |label: &str| stages.system.laws.iter().any(|law| law.role == LawRole::Least && law.label == label);
    let has_part = |info: &SystemInfo| info.equations.iter().any(|row| least(&row.label));
    let at_start = info.is_some_and(|info| info.role == SystemRole::Start);
    let concerned = match failure.kind {
        FailureKind::NotSolved if at_start => info.is_some_and(has_part),
        FailureKind::Singular | FailureKind::NotSolved => info.is_some_and(has_part) && at_a_limit(stages, simulation),
        FailureKind::Switching => at_a_limit(stages, simulation),
        _ => false,
    };
    if !concerned {
        return None;
    }
    let time = failure.time.min(begun(stages, simulation));
    let when = match (number(time), number(failure.time)) {
        (begun, failed) if begun == failed || at_start => format!("at t = {failed} s"),
        (begun, failed) => format!("between t = {begun} s and t = {failed} s"),
    };
    let diagnostic = beyond(stages, &when)
        .note("where one comes to a limit the others take over, until none is left that could; by how much they fall short is not known")
        .hint("widen the limits, let the motion be slower, prescribe less of it, or name more actuators after `using`");
    Some(match at_start {
        true => diagnostic,
        false => diagnostic.hint(format!("look at the motion before, with `--until {}`", before(time))),
    })
}

/// What it means that an actuator left its limits, though others were to take over: near there they would have to exert more than any bound.
pub fn left_by(claim: &Claim, time: f64, stages: &Stages) -> Option<Diagnostic> {
    let (name, _) = limited(stages).into_iter().find(|(_, limits)| limits.span == claim.span)?;
    let by = format!(", by {name}");
    stages.system.laws.iter().find(|law| law.role == LawRole::Least && law.label.ends_with(&by))?;
    let diagnostic = beyond(stages, &format!("at t = {} s", number(time)));
    Some(
        diagnostic
            .note(format!(
                "`{name}` is at its limit and the others take over, until they lose their hold: what they would have to exert grows beyond all bounds"
            ))
            .hint("widen the limits, let the motion be slower, prescribe less of it, or name more actuators after `using`")
            .hint(format!("look at the motion before, with `--until {}`", before(time))),
    )
}

fn beyond(stages: &Stages, when: &str) -> Diagnostic {
    let message = format!("{when}, the actuators cannot give the prescribed motion within their limits");
    let mut diagnostic = Diagnostic::error(codes::BEYOND_LIMITS, message);
    for (name, Limits { low, high, unit, span }) in limited(stages) {
        let [low, high] = [low, high].map(|end| number(end / unit.scale));
        diagnostic = diagnostic.at(*span, format!("`{name}` is between {low} and {high} {} here", unit.text));
    }
    for prescription in &stages.model.prescriptions {
        diagnostic = diagnostic.at(prescription.equation.span, "more is needed for this");
    }
    diagnostic
}

/// The beginning of the last step, which may be long: all that is known is that actuators sufficed until there.
fn begun(stages: &Stages, simulation: &Simulation) -> f64 {
    let name = lower::state_array(&stages.program, 0);
    let array = stages.module.find_array(&format!("{}previous_time", name.trim_end_matches("state")));
    let values = array.map(|array| simulation.memory().reals(stages.module.layout().range(array)));
    values.and_then(|mut values| values.next()).unwrap_or(f64::INFINITY)
}

/// Actuators with limits, and their names.
fn limited(stages: &Stages) -> Vec<(&str, &Limits)> {
    let name = |actuator: &Actuator| stages.model.quantities[actuator.quantity.index()].name.as_str();
    stages.model.actuators.iter().filter_map(|it| Some((name(it), it.limits.as_ref()?))).collect()
}

/// Whether some actuator is at a limit: the switches that say so are 1, and nothing else is decided by prices.
fn at_a_limit(stages: &Stages, simulation: &Simulation) -> bool {
    let (program, module) = (&stages.program, &stages.module);
    let (Some(switches), Some(array)) = (&program.switches, module.find_array("switches")) else { return false };
    let values = simulation.memory().reals(module.layout().range(array));
    let is_price = |symbol| program.arena.symbol_name(symbol).starts_with(PRICE);
    let mut decided = switches.all.iter().zip(values).filter(|(_, value)| *value > 0.5);
    decided.any(|(switch, _)| program.arena.symbols_in(&[switch.margin]).into_iter().any(is_price))
}
