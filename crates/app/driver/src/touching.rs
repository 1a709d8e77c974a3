//! What contact cannot do yet, said before anything runs.

use base::{Diagnostic, Diagnostics};
use equations::{ContactSet, System};
use expr::{Expr, SymbolId};
use model::Model;

use crate::codes;
use crate::solver::Solver;

/// Refuses implicit steps, pairs of shapes that nobody knows how to tell apart, and plans that would have to know more of contact than derivatives tell.
pub(crate) fn refuse_contacts(model: &Model, system: &System, solver: Solver, sink: &mut Diagnostics) {
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
                        "leave the pair out with `contact none between {a}, {b}`, or give one of them another `shape`: solids touch one another and every surface"
                    ),
                ),
            );
        }
    }
    refuse_plans_by_contact(model, system, set, sink);
}

/// Refuses plans whose search would need to know how gaps, forces or shapes change: derivatives follow the motion through contact, not these.
fn refuse_plans_by_contact(model: &Model, system: &System, set: &ContactSet, sink: &mut Diagnostics) {
    let transitions = &system.automaton.transitions;
    let Some(plan) = model.transitions.iter().find(|transition| !transition.choices.is_empty()) else { return };
    let refused = |message: &str, hint: &str| {
        let message = format!("`{}` begins a plan in a scene in which things touch, {message}", plan.name);
        let diagnostic = Diagnostic::error(codes::PLAN_THROUGH_CONTACT, message);
        diagnostic.at(plan.span, "this plan").hint(hint.to_string())
    };
    if set.step.is_some() {
        let hint = "leave out `step`, so that impacts are located";
        sink.report(refused("and steps of a fixed length do not tell how impacts change", hint));
    }
    let seen: Vec<SymbolId> = set.pairs.iter().flat_map(|pair| pair.seen.all()).collect();
    let depends = |expressions: &[Expr], on: &[SymbolId]| {
        system.arena.symbols_in(expressions).iter().any(|symbol| on.contains(symbol))
    };
    let asks = transitions.iter().find(|transition| {
        let remembered = transition.stores.iter().map(|(_, value)| *value);
        let read: Vec<Expr> = [transition.margin].into_iter().chain(transition.goals()).chain(remembered).collect();
        depends(&read, &seen)
    });
    if let Some(asks) = asks {
        let found = refused(
            &format!("and `{}` asks for what is known of a contact, whose changes it would need", asks.name),
            "ask for positions, velocities or times instead",
        );
        sink.report(found.at(asks.span, "this asks for it"));
    }
    let begun = transitions.iter().flat_map(|transition| &transition.choices);
    let chosen = begun.map(|(place, _)| system.automaton.discrete[*place].symbol);
    let shapes = set.shapes.iter().flat_map(|shape| shape.sizes.iter().chain(&shape.place)).copied();
    if depends(&shapes.collect::<Vec<Expr>>(), &chosen.collect::<Vec<SymbolId>>()) {
        let hint = "choose what moves them, and leave their sizes as they are";
        sink.report(refused("and chooses how large one of them is", hint));
    }
}

fn names(set: &ContactSet, things: [usize; 2]) -> [&str; 2] {
    things.map(|thing| set.things[thing].name.as_str())
}
