//! Failures at run time, in the user's words: which constraint, body or formula, at what time, and what to try.

mod contact;
mod dead_end;
mod equations;
pub(crate) mod limits;
mod not_finite;
mod prescribed;
mod run_away;
mod start;
mod unit;
mod words;

use base::{Diagnostic, Span};
use expr::Expr;
use program::{Switches, SystemInfo, SystemRole};
use simulation::{Failure, FailureKind, Simulation};

use crate::pipeline::Stages;
use crate::{blame, codes, delays, sensitivity};

use dead_end::{dead_end, singular};
use not_finite::{not_finite, output};
use run_away::run_away;
use start::start;
pub(crate) use words::number;
use words::{before, label_all};

/// What a failure means for the scene; the simulation is as the failure left it.
pub fn describe(failure: &Failure, stages: &Stages, simulation: &Simulation) -> Diagnostic {
    let info = stages.program.systems.get(failure.place);
    if let Some(told) = unit::describe(failure, stages) {
        return told;
    }
    if let Some(told) = prescribed::describe(failure, info, stages, simulation) {
        return told;
    }
    if let Some(told) = limits::describe(failure, info, stages, simulation) {
        return told;
    }
    match (failure.kind, info) {
        (FailureKind::StepCollapsed | FailureKind::Endless, _) => collapse(failure, stages, simulation),
        (FailureKind::NotFinite, _) => not_finite(failure, stages, simulation),
        (FailureKind::OutputNotFinite, _) => output(failure, stages),
        (FailureKind::Leaping, _) => leaping(failure, stages),
        (FailureKind::Kinked, _) => kinked(failure, stages),
        (FailureKind::NoDerivative, _) => sensitivity::through_border(failure),
        (FailureKind::BadDelay | FailureKind::PastTooLong, _) => delays::describe(failure, stages),
        (FailureKind::NoContact, _) => contact::inconsistent(failure, stages),
        (FailureKind::EndlessImpacts, _) => contact::endless(failure, stages),
        (FailureKind::TooManyContacts, _) => contact::too_many(failure, stages),
        (FailureKind::StartsInside, _) => contact::inside(failure, stages),
        (FailureKind::SunkIn, _) => contact::sunk(failure, stages),
        (FailureKind::Switching, _) => switching(failure, stages),
        (FailureKind::Singular, Some(info)) if is_general(info) => equations::open(failure, info),
        (FailureKind::Singular, Some(info)) => singular(failure, info, stages, simulation),
        (FailureKind::NotSolved | FailureKind::NotEvaluated, Some(info)) => match info.role {
            SystemRole::InitialPositions | SystemRole::InitialVelocities => start(failure, info, stages, simulation),
            SystemRole::Watched => apart(failure, info),
            _ if is_general(info) => equations::unsolved(failure, info),
            _ => lost(failure, info),
        },
        _ => Diagnostic::error(codes::CODE_GENERATION, "the synthesized program broke its own rules")
            .hint("this is a defect of Ansatz, please report it with the scene"),
    }
}

fn is_general(info: &SystemInfo) -> bool {
    matches!(info.role, SystemRole::Start | SystemRole::Rates | SystemRole::Stabilize | SystemRole::Entry)
}

fn collapse(failure: &Failure, stages: &Stages, simulation: &Simulation) -> Diagnostic {
    // A formula at the edge of where it has a value lets no step pass.
    if !blame::not_finite(stages, simulation, failure.time).is_empty() {
        return not_finite(failure, stages, simulation);
    }
    if let Some(open) = blame::undetermined(stages, simulation, failure.time) {
        return dead_end(failure.time, &open);
    }
    if let Some(told) = run_away(failure, stages, simulation) {
        return told;
    }
    if failure.kind == FailureKind::Endless {
        return endless(failure);
    }
    let state = stages.program.integrals.get(failure.place).and_then(|integral| integral.states.get(failure.part?));
    let time = number(failure.time);
    let message = match state {
        Some(state) => format!("at t = {time} s, `{}` changes too fast to be followed", state.name),
        None => format!("at t = {time} s, the motion changes too fast to be followed"),
    };
    let diagnostic = Diagnostic::error(codes::STEP_COLLAPSE, message);
    let diagnostic = match state {
        Some(state) => diagnostic.at(state.span, "no step is small enough for it"),
        None => diagnostic,
    };
    diagnostic
        .note("bodies that fall into one another, a mechanism at a dead centre, or a motion that runs away do this")
        .hint(format!(
            "look at the motion just before, with `--until {}`; keep bodies apart or smooth the force",
            before(failure.time)
        ))
}

/// Steps are too short to ever come to the end.
fn endless(failure: &Failure) -> Diagnostic {
    let time = number(failure.time);
    let message = match failure.residual {
        step if step > 0.0 => format!("at t = {time} s, a step is {step:.1e} s long: the end is too many steps away"),
        _ => format!("at t = {time} s, steps are too short to be told apart: the end is never reached"),
    };
    Diagnostic::error(codes::ENDLESS_RUN, message)
        .note("what moves so fast decides how short steps are, however little of it is seen")
        .hint("ask for a shorter run with `--until`, or look for a stiffness, a mass or a unit that is off by many powers of ten")
}

/// Something that is prescribed leaps, which would take an infinite speed.
fn leaping(failure: &Failure, stages: &Stages) -> Diagnostic {
    let jumping = meant(stages, |switches| switches.jumping.results.get(failure.place).copied());
    let inside = jumping.map(|what| stages.program.arena.reachable(&[what])).unwrap_or_default();
    let has_place = stages.system.bending.iter().any(|(decides, _)| inside.contains(decides));
    // Where the text can be pointed at, nobody needs it in other words.
    let what = match jumping.filter(|_| !has_place) {
        Some(what) => printed(stages, what),
        None => "what is prescribed".into(),
    };
    let message = format!(
        "at t = {} s, {what} leaps by {}: what follows it would need an infinite speed",
        number(failure.time),
        number(failure.residual)
    );
    let diagnostic = Diagnostic::error(codes::PRESCRIBED_LEAP, message);
    point(diagnostic, stages, &inside, "this turns at the instant of the leap")
        .note("where a prescribed position leaps, no force can make things follow; a prescribed speed may jump")
        .hint("let the position change within a short time, or put things where they belong with `when`")
}

/// A path or a constraint has a corner.
fn kinked(failure: &Failure, stages: &Stages) -> Diagnostic {
    let margin = meant(stages, |switches| switches.margin(failure.place));
    let what = margin.map_or("something".to_string(), |margin| printed(stages, margin));
    let message = format!("at t = {} s, where {what} is zero, the motion is led round a corner", number(failure.time));
    point(Diagnostic::error(codes::CORNER, message), stages, &margins_of(stages, margin), "this bends there")
        .note(format!(
            "to change a velocity at once is an impact, and no law of the scene says what that preserves: {} J of kinetic energy would be lost",
            number(failure.residual)
        ))
        .hint("round the corner, as `sqrt(x^2 + r^2)` rounds `abs(x)`; spread the change over a short way; or say what happens there: `when` with the velocity afterwards")
}

/// Something that bends or jumps turns without end.
fn switching(failure: &Failure, stages: &Stages) -> Diagnostic {
    let margin = meant(stages, |switches| switches.margin(failure.place));
    let rests = stages.program.switches.as_ref().is_some_and(|switches| switches.is_direction(failure.place));
    let what = margin.map_or("a condition".to_string(), |margin| match rests {
        true => format!("the direction of {}", printed(stages, margin)),
        false => format!("the sign of {}", printed(stages, margin)),
    });
    let piles_up = failure.residual > 0.0;
    let how = if piles_up {
        format!("ever faster, every {} s by now", number(failure.residual))
    } else {
        "without end".into()
    };
    let message = format!("at t = {} s, {what} changes {how}", number(failure.time));
    let diagnostic = Diagnostic::error(codes::CHATTERING, message);
    let diagnostic =
        point(diagnostic, stages, &margins_of(stages, margin), "it is driven back from both sides of this border");
    if piles_up {
        return diagnostic
            .note("the motion dies away about this border, and takes ever less time to return to it")
            .hint("add friction that brings it to rest, such as `-F * sign(v)`; or say with a mode and `when` that it rests");
    }
    diagnostic
        .note("on either side of this border the motion is driven back across it, and it cannot slide along it")
        .hint("say what happens at the border with a mode: `when` to enter and to leave it, and what holds in it")
}

/// What decides a switch, or a part of a direction, in the words of the scene.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn decides(stages: &Stages, place: usize) -> Option<String> {
    meant(stages, |switches| switches.margin(place)).map(|margin| printed(stages, margin))
}

/// Something that switches are about, with the conditions that stand for them.
fn meant(stages: &Stages, what: impl Fn(&Switches) -> Option<Expr>) -> Option<Expr> {
    let (arena, switches) = (&stages.program.arena, stages.program.switches.as_ref()?);
    Some(switches.meant(arena).apply(arena, what(switches)?))
}

fn printed(stages: &Stages, what: Expr) -> String {
    format!("`{}`", expr::print(&stages.program.arena, what))
}

/// What terms with this border may decide by.
fn margins_of(stages: &Stages, margin: Option<Expr>) -> Vec<Expr> {
    margin.into_iter().flat_map(|margin| [margin, stages.program.arena.negate(margin)]).collect()
}

/// Points at the first term that one of these decides.
fn point(diagnostic: Diagnostic, stages: &Stages, deciding: &[Expr], text: &str) -> Diagnostic {
    let found = stages.system.bending.iter().find(|(decides, _)| deciding.contains(decides));
    found.into_iter().fold(diagnostic, |diagnostic, &(_, span)| diagnostic.at(span, text))
}

/// What followed from other constraints does not any more.
fn apart(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let equation = failure.part.and_then(|part| info.equations.get(part));
    let what = equation.map_or("a constraint".to_string(), |equation| format!("`{}`", equation.label));
    let message = format!("by t = {} s, {what} has come apart", number(failure.time));
    let diagnostic = Diagnostic::error(codes::CONSTRAINT_LOST, message);
    let diagnostic = equation.into_iter().fold(diagnostic, |found, equation| {
        found.at(
            equation.span,
            format!("followed from the other constraints, and is now off by {}", number(failure.residual)),
        )
    });
    diagnostic
        .note("where a mechanism folds, as when its links lie in one line, it can go on in several ways: this one is not allowed")
        .hint(format!(
            "look at the motion just before, with `--until {}`, or let it pass with another speed or `--tolerance`",
            before(failure.time)
        ))
}

/// A transition whose equations have no solution.
pub fn unsettled(
    failure: &Failure,
    stages: &Stages,
    simulation: &Simulation,
    transition: &model::Transition,
) -> Diagnostic {
    let info = stages.program.systems.get(failure.place);
    let unsolved = matches!(failure.kind, FailureKind::NotSolved | FailureKind::Singular);
    let Some(info) = info.filter(|info| unsolved && !is_general(info)) else {
        return describe(failure, stages, simulation).at(transition.span, "in this transition");
    };
    let message = format!("at t = {} s, no state is what `{}` asks for", number(failure.time), transition.name);
    let diagnostic = Diagnostic::error(codes::INCONSISTENT_CHANGE, message)
        .at(transition.span, "all that it asks for has to hold at once");
    let worst = failure.part.and_then(|part| info.equations.get(part)).filter(|it| transition.span.holds(it.span));
    let diagnostic =
        worst.into_iter().fold(diagnostic, |found, it| found.at(it.span, "this cannot hold with the rest"));
    // That momentum changes through the constraints alone is not what anyone asked for.
    let is_asked = |span: Span| {
        let speeds = stages.system.speeds.iter().map(|speed| speed.span);
        let mut places = stages.system.coordinates.iter().map(|coordinate| coordinate.span).chain(speeds);
        !transition.span.holds(span) && !places.any(|place| place == span)
    };
    let equations = info.equations.iter().filter(|equation| is_asked(equation.span));
    let told = words::statements(equations.map(|equation| (equation.label.as_str(), equation.span)));
    told.into_iter()
        .fold(diagnostic, |found, (label, span)| found.at(span, format!("{label} has to hold then too")))
        .hint("drop what contradicts the rest: an equation, a quantity that is kept, or a constraint of the new mode")
}

fn lost(failure: &Failure, info: &SystemInfo) -> Diagnostic {
    let equation = failure.part.and_then(|part| info.equations.get(part));
    let what = equation.map_or("a constraint".to_string(), |equation| format!("`{}`", equation.label));
    let message = format!("at t = {} s, {what} can no longer be kept", number(failure.time));
    let diagnostic = Diagnostic::error(codes::CONSTRAINT_LOST, message);
    label_all(diagnostic, &info.equations, failure.part, "holds at the same time")
        .note("the mechanism has reached a place it cannot leave while all constraints hold")
        .hint(format!(
            "look at the motion just before, with `--until {}`, or change lengths and start values; where links fold into one line, a looser `--tolerance` gets past",
            before(failure.time)
        ))
}
