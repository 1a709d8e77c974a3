//! Failures at run time, in the user's words: which constraint, body or equation, at what time, and what to try.

use base::Diagnostic;
use program::{Origin, Program, SystemInfo, SystemRole};
use simulation::{Failure, FailureKind};

use crate::codes;

pub fn describe(failure: &Failure, program: &Program) -> Diagnostic {
    let time = format!("{:.6}", failure.time);
    let time = time.trim_end_matches('0').trim_end_matches('.');
    match failure.kind {
        FailureKind::StepCollapsed => collapse(failure, program, time),
        FailureKind::NotFinite => not_finite(failure, program, time),
        FailureKind::Singular => singular(failure, &program.systems[failure.place], time),
        FailureKind::NotSolved | FailureKind::NotEvaluated => {
            let info = &program.systems[failure.place];
            match info.role {
                SystemRole::InitialPositions | SystemRole::InitialVelocities => start(failure, info),
                _ => lost(failure, info, time),
            }
        }
        FailureKind::Broken => Diagnostic::error(codes::CODE_GENERATION, "the synthesized program broke its own rules")
            .hint("this is a defect of Ansatz, please report it with the scene"),
    }
}

fn collapse(failure: &Failure, program: &Program, time: &str) -> Diagnostic {
    let state = program.integrals.get(failure.place).and_then(|integral| integral.states.get(failure.part?));
    let message = match state {
        Some(state) => format!("at t = {time} s, `{}` changes too fast to be followed", state.name),
        None => format!("at t = {time} s, the motion changes too fast to be followed"),
    };
    let diagnostic = Diagnostic::error(codes::STEP_COLLAPSE, message);
    let diagnostic = match state {
        Some(state) => diagnostic.at(state.span, "the step size went to zero here"),
        None => diagnostic,
    };
    diagnostic
        .note("bodies that collide under an attraction, a force that jumps, or a motion that runs away do this")
        .hint("keep the bodies apart, smooth the force, or look at the motion up to this time with `--until`")
}

fn not_finite(failure: &Failure, program: &Program, time: &str) -> Diagnostic {
    let states = program.integrals.get(failure.place).map(|integral| integral.states.as_slice()).unwrap_or_default();
    let message = format!("at t = {time} s, the accelerations are not finite");
    let diagnostic = Diagnostic::error(codes::NOT_FINITE, message);
    let diagnostic = match states.first() {
        Some(state) => diagnostic.at(state.span, format!("while moving `{}`", state.name)),
        None => diagnostic,
    };
    diagnostic
        .note("a division by zero, a root or logarithm of a negative number, or two bodies at one place do this")
        .hint("check the start values and the formulas of forces and potentials")
}

fn singular(failure: &Failure, info: &SystemInfo, time: &str) -> Diagnostic {
    let unknown = failure.part.and_then(|part| info.unknowns.get(part));
    let what =
        unknown.map_or("the accelerations".to_string(), |unknown| format!("the acceleration of `{}`", name(unknown)));
    let message = format!("at t = {time} s, {what} is not determined");
    let diagnostic = Diagnostic::error(codes::SINGULAR_SYSTEM, message);
    let diagnostic = label_all(diagnostic, &info.equations, None, "takes part in this");
    diagnostic
        .note("constraints that coincide at this place (a dead centre, gimbal lock), or a mass that is zero, do this")
        .hint("start elsewhere, drop a constraint, or give the body a mass")
}

fn start(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let (what, how) = match info.role {
        SystemRole::InitialPositions => ("positions", "position"),
        _ => ("velocities", "velocity"),
    };
    let message = format!("no {what} satisfy all that is stated for the start");
    let diagnostic = Diagnostic::error(codes::INCONSISTENT_START, message);
    let diagnostic = label_all(diagnostic, &info.equations, failure.part, "has to hold too");
    let diagnostic = match failure.kind {
        FailureKind::NotEvaluated => diagnostic.note("an equation could not even be evaluated at the starting guess"),
        _ => diagnostic.note(format!("the nearest {what} found leave it off by {:.3e}", failure.residual.abs())),
    };
    diagnostic.hint(format!(
        "drop one of these, change a value, or give a better guess with `free(…)` for a {how} that is far off"
    ))
}

fn lost(failure: &Failure, info: &SystemInfo, time: &str) -> Diagnostic {
    let equation = failure.part.and_then(|part| info.equations.get(part));
    let what = equation.map_or("a constraint".to_string(), |equation| format!("`{}`", equation.label));
    let message = format!("at t = {time} s, {what} can no longer be kept");
    let diagnostic = Diagnostic::error(codes::CONSTRAINT_LOST, message);
    label_all(diagnostic, &info.equations, failure.part, "holds at the same time")
        .note("the mechanism has reached a place it cannot leave while all constraints hold")
        .hint("look at the motion up to this time with `--until`, or change lengths and start values")
}

/// The worst equation first, then a few others of the same system.
fn label_all(mut diagnostic: Diagnostic, equations: &[Origin], worst: Option<usize>, others: &str) -> Diagnostic {
    const FEW: usize = 4;
    if let Some(worst) = worst.and_then(|worst| equations.get(worst)) {
        diagnostic = diagnostic.at(worst.span, format!("`{}` does not hold", worst.label));
    }
    let rest = equations.iter().enumerate().filter(|(at, _)| Some(*at) != worst);
    for (_, equation) in rest.take(FEW) {
        diagnostic = diagnostic.at(equation.span, format!("`{}` {others}", equation.label));
    }
    diagnostic
}

fn name(unknown: &Origin) -> &str {
    unknown.label.trim_end_matches('\'')
}
