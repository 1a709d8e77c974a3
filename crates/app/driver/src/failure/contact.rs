//! Failures of contact.

use base::Diagnostic;
use equations::{ContactPair, ContactSet};
use simulation::Failure;

use super::words::number;
use crate::codes;
use crate::pipeline::Stages;

/// The pair that failed, and the names of its things.
fn pair<'s>(failure: &Failure, stages: &'s Stages) -> Option<(&'s ContactPair, [&'s str; 2])> {
    let set: &ContactSet = stages.system.contacts.as_ref()?;
    let pair = set.pairs.get(failure.place)?;
    Some((pair, pair.things.map(|thing| set.things[thing].name.as_str())))
}

fn named(failure: &Failure, stages: &Stages) -> String {
    pair(failure, stages).map_or("what touches".into(), |(_, [a, b])| format!("`{a}` and `{b}`"))
}

fn at_rule(diagnostic: Diagnostic, failure: &Failure, stages: &Stages) -> Diagnostic {
    match pair(failure, stages) {
        Some((pair, _)) => diagnostic.at(pair.span, "this contact"),
        None => diagnostic,
    }
}

/// No force keeps two things apart, and no impulse does.
pub(super) fn inconsistent(failure: &Failure, stages: &Stages) -> Diagnostic {
    let message = format!(
        "at t = {} s, no force and no impulse keeps {} from sinking into one another",
        number(failure.time),
        named(failure, stages)
    );
    at_rule(Diagnostic::error(codes::NO_CONSISTENT_CONTACT, message), failure, stages)
        .note("rigid bodies with large friction can meet in such a way that Coulomb's law has no answer (Painlevé); and what is driven on both sides cannot give way")
        .hint("lower the friction, or let something give way: a spring between the point and the body")
}

/// Impacts at one instant follow one another without end.
pub(super) fn endless(failure: &Failure, stages: &Stages) -> Diagnostic {
    let message = format!("at t = {} s, impacts follow one another without end", number(failure.time));
    at_rule(Diagnostic::error(codes::IMPACTS_WITHOUT_END, message), failure, stages)
        .hint("let impacts happen at once with `together` in the contact, or lower the restitution")
}

/// More points touch than there is room for.
pub(super) fn too_many(failure: &Failure, stages: &Stages) -> Diagnostic {
    let message = format!("at t = {} s, more points touch than there is room for", number(failure.time));
    at_rule(Diagnostic::error(codes::CONTACT_CAPACITY, message), failure, stages)
        .hint("let fewer things touch at once, or leave pairs out with `contact none between a, b`")
}

/// Two things begin inside of one another.
pub(super) fn inside(failure: &Failure, stages: &Stages) -> Diagnostic {
    let message = match pair(failure, stages) {
        Some((_, [a, b])) => format!("`{a}` begins {} m inside `{b}`", number(failure.residual)),
        None => "two things begin inside of one another".to_string(),
    };
    let diagnostic = Diagnostic::error(codes::STARTS_INSIDE, message);
    at_rule(diagnostic, failure, stages)
        .note("what is solid cannot be in the same place, and nothing says which of them gives way")
        .hint("move one of them by as much, or leave the pair out with `contact none between a, b`")
}

/// A contact was lost, and two things have sunk into one another.
pub(super) fn sunk(failure: &Failure, stages: &Stages) -> Diagnostic {
    let message = format!(
        "at t = {} s, {} are {} m inside of one another: where they touch was lost",
        number(failure.time),
        named(failure, stages),
        number(failure.residual)
    );
    at_rule(Diagnostic::error(codes::CONTACT_LOST, message), failure, stages)
        .note("what would follow could not be trusted, so the run ends here")
        .hint(
            "try another `--tolerance`, or rounder shapes; this is a defect of Ansatz, please report it with the scene",
        )
}
