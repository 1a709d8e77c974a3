//! Libraries of others that could not go on.

use base::Diagnostic;
use simulation::{Failure, FailureKind};

use super::words::number;
use crate::codes;
use crate::pipeline::Stages;

/// What ends a run where a unit gives no number. Which kind of failure that is depends on who asked.
const ENDS: &[FailureKind] = &[
    FailureKind::NotFinite,
    FailureKind::OutputNotFinite,
    FailureKind::StepCollapsed,
    FailureKind::Endless,
    FailureKind::NotSolved,
    FailureKind::NotEvaluated,
    FailureKind::Singular,
];

/// None where no unit has said anything.
pub fn describe(failure: &Failure, stages: &Stages) -> Option<Diagnostic> {
    if !ENDS.contains(&failure.kind) || !kernel::foreign::is_in(&stages.module) {
        return None;
    }
    let words = complaint()?;
    let message = format!("at t = {} s, {}", number(failure.time), base::visible(&words));
    let used = stages.model.quantities.iter().find(|quantity| quantity.name.contains('.'));
    let diagnostic = Diagnostic::error(codes::UNIT_FAILED, message);
    let diagnostic = match used {
        Some(quantity) => diagnostic.at(quantity.span, "this unit"),
        None => diagnostic,
    };
    Some(
        diagnostic
            .note("what an FMU computes is decided by its own library, which nobody here can look into")
            .hint("check its parameters and inputs, and whether it runs by itself: `fmpy simulate FILE`"),
    )
}

#[cfg(not(target_arch = "wasm32"))]
fn complaint() -> Option<String> {
    fmu::complaint()
}

#[cfg(target_arch = "wasm32")]
fn complaint() -> Option<String> {
    None
}
