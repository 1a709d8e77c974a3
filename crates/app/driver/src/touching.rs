//! What contact cannot do yet, said before anything runs.

use base::{Diagnostic, Diagnostics};
use equations::{ContactSet, System};

use crate::codes;
use crate::solver::Solver;

/// Refuses implicit steps, pairs of shapes that nobody knows how to tell apart, and plans in scenes in which things touch.
pub(crate) fn refuse_contacts(system: &System, solver: Solver, sink: &mut Diagnostics) {
    let Some(set) = &system.contacts else { return };
    if solver == Solver::Implicit {
        sink.report(
            Diagnostic::error(
                codes::CONTACT_IMPLICIT,
                "forces of contact are not found by implicit steps in this version",
            )
            .at(set.pairs[0].span, "this contact")
            .hint("leave out `--solver implicit`: scenes in which things touch are solved by explicit steps"),
        );
    }
    for pair in &set.pairs {
        let solids = |thing: usize| set.shapes.iter().filter(move |shape| shape.thing == thing);
        let found = solids(pair.things[0]).find_map(|first| {
            let second =
                solids(pair.things[1]).find(|second| lower::how_they_touch(first.solid, second.solid).is_none())?;
            Some([first.solid, second.solid])
        });
        if let Some([first, second]) = found {
            let [a, b] = names(set, pair.things);
            let message =
                format!("`{a}` and `{b}` cannot touch: this version knows no contact of a {first} with a {second}");
            sink.report(
                Diagnostic::error(codes::CONTACT_OF_SHAPES, message).at(pair.span, "by this contact they may").hint(
                    format!(
                        "leave the pair out with `contact none between {a}, {b}`, or make one of them of other shapes"
                    ),
                ),
            );
        }
    }
    let planned = system.automaton.transitions.iter().find(|transition| !transition.choices.is_empty());
    if let Some(transition) = planned {
        let message = format!("`{}` begins a plan in a scene in which things touch", transition.name);
        sink.report(
            Diagnostic::error(codes::PLAN_THROUGH_CONTACT, message)
                .at(transition.span, "plans do not look through contact in this version")
                .hint("leave the contacts out while the plan is made, or choose the numbers by hand"),
        );
    }
}

fn names(set: &ContactSet, things: [usize; 2]) -> [&str; 2] {
    things.map(|thing| set.things[thing].name.as_str())
}
