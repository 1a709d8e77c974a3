//! Equations of the author's own that have no solution, or too many, while a scene runs.

use base::Diagnostic;
use program::{SystemInfo, SystemRole};
use simulation::{Failure, FailureKind};

use super::words::{before, label_all, number};
use crate::codes;

/// Equations that iteration found no solution of.
pub fn unsolved(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let equation = failure.part.and_then(|part| info.equations.get(part));
    let what = equation.map_or("an equation".to_string(), |equation| format!("`{}`", equation.label));
    let left = match failure.kind {
        FailureKind::NotEvaluated => "an equation has no finite value where the search begins".to_string(),
        _ => format!("the best values found leave {what} off by {}", number(failure.residual.abs())),
    };
    if info.role == SystemRole::Start {
        let message = format!("no start was found that satisfies {what} and all else that holds then");
        let diagnostic = Diagnostic::error(codes::INCONSISTENT_START, message);
        return label_all(diagnostic, &info.equations, failure.part, "has to hold too").note(left).hint(
            "change or drop one of these; or give a quantity in them a value to start from, near the one you expect",
        );
    }
    if info.role == SystemRole::Entry {
        let message =
            format!("at t = {} s, a transition leads to no state in which {what} holds", number(failure.time));
        let diagnostic = Diagnostic::error(codes::INCONSISTENT_CHANGE, message);
        return label_all(diagnostic, &info.equations, failure.part, "has to hold too")
            .note(left)
            .hint("change or drop one of these: what the transition says, and what the new mode demands, must agree");
    }
    let message = format!("at t = {} s, {what} has no solution near the one before", number(failure.time));
    let diagnostic = Diagnostic::error(codes::CONSTRAINT_LOST, message);
    label_all(diagnostic, &info.equations, failure.part, "holds at the same time").note(left).hint(format!(
        "look at what happens just before, with `--until {}`: perhaps the solution ends there, or jumps",
        before(failure.time)
    ))
}

/// Linear equations that leave an unknown open at an instant.
pub fn open(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let unknown = failure.part.and_then(|part| info.unknowns.get(part)).or(info.unknowns.first());
    let what = unknown.map_or("an unknown".to_string(), |unknown| format!("`{}`", unknown.label));
    let message = format!("at t = {} s, the equations do not determine {what}", number(failure.time));
    let diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    label_all(diagnostic, &info.equations, None, "takes part in this")
        .note("a factor in them has become zero, or not a number: a resistance or a mass of zero does this")
        .hint("start elsewhere, or change a value so that every unknown keeps an equation")
}
