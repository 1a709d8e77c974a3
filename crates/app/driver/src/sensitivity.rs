//! Derivatives of a run by parameters: which symbols these are, and where no program knows them.

use std::collections::HashSet;

use base::{Diagnostic, Diagnostics};
use equations::{ContactSymbols, System};
use expr::SymbolId;
use program::{Origin, Program, SystemId};
use simulation::Failure;

use crate::codes;
use crate::failure::number;
use crate::settings::Adjustable;

/// The parameters and controls of some names, by which a run is differentiated; what is wrong with them is reported.
pub(crate) fn varied(system: &System, names: &[String], sink: &mut Diagnostics) -> Vec<SymbolId> {
    if names.is_empty() {
        return Vec::new();
    }
    if let Some(set) = system.contacts.as_ref().filter(|set| set.step.is_some()) {
        let refused = refused("steps of a fixed length do not tell how impacts change");
        let refused = refused.at(set.pairs[0].span, "this contact");
        sink.report(refused.hint("leave out `step`, so that impacts are located"));
    }
    if let Some(signal) = system.signals.first() {
        let refused = refused("derivatives do not follow what depends on what was in this version");
        sink.report(refused.at(signal.span, "this delay").hint(BY_DIFFERENCES));
    }
    let planned = system.automaton.transitions.iter().find(|transition| !transition.choices.is_empty());
    if let Some(transition) = planned {
        let message = format!("`{}` begins a plan, whose choices would change with what is varied", transition.name);
        sink.report(refused(&message).at(transition.span, "this plan").hint(BY_DIFFERENCES));
    }
    let mut symbol = |name: &String| match Adjustable::among(name, system) {
        Ok(found) => Some(found.symbol(system)),
        Err(unknown) => {
            sink.report(unknown);
            None
        }
    };
    names.iter().filter_map(&mut symbol).collect()
}

/// The program with derivatives; what has none is reported.
pub(crate) fn differentiated(program: Program, varied: Vec<SymbolId>, sink: &mut Diagnostics) -> Option<Program> {
    let faults = sink.iter().count();
    varied.iter().for_each(|&symbol| refuse_shapes(&program, symbol, sink));
    refuse_seen(&program, sink);
    if sink.iter().count() > faults {
        return None;
    }
    let systems = program.systems.clone();
    let found = program::with_sensitivities(program, varied);
    let open = |id: SystemId| systems.get(id.index()).map(|system| &system.unknowns[..]).unwrap_or_default();
    found.map_err(|id| sink.report(open_start(open(id)))).ok()
}

/// Refuses derivatives by what shapes are made of: it is known how points move, not how they would if shapes were others.
fn refuse_shapes(program: &Program, symbol: SymbolId, sink: &mut Diagnostics) {
    let Some(contacts) = &program.contacts else { return };
    if contacts.shapes_depend_on(&program.arena, symbol) {
        let name = program.arena.symbol_name(symbol);
        let message =
            format!("`{name}` changes a shape that may touch others, and derivatives do not follow shapes that change");
        sink.report(refused(&message).hint(BY_DIFFERENCES));
    }
}

/// Refuses to record derivatives of what is not known of a contact.
fn refuse_seen(program: &Program, sink: &mut Diagnostics) {
    if let Some(symbol) = unknown_of_contact(program) {
        let message = format!("how `{}` changes with what is varied is not known", program.arena.symbol_name(symbol));
        let hint = "record positions and velocities instead; derivatives follow these through contacts";
        sink.report(refused(&message).hint(hint));
    }
}

/// What is recorded of a contact, or asked for by a guard, and has derivatives that nobody knows: gaps, forces and impulses. States and counts of
/// impacts change at instants only, which guards would have to follow.
pub(crate) fn unknown_of_contact(program: &Program) -> Option<SymbolId> {
    let contacts = program.contacts.as_ref()?;
    let whole = |at: usize| matches!(at % ContactSymbols::COUNT, ContactSymbols::STATE | ContactSymbols::IMPACTS);
    let recorded = program.arena.symbols_in(&program.observe.expressions());
    let guards: Vec<_> = program.changes.iter().flat_map(|changes| changes.guards.expressions()).collect();
    let guards = program.arena.symbols_in(&guards);
    let mut seen = contacts.seen.iter().enumerate();
    let found = seen.find(|(at, symbol)| recorded.contains(symbol) && !whole(*at) || guards.contains(symbol));
    found.map(|(_, &symbol)| symbol)
}

/// A start that is only one of many.
fn open_start(unknowns: &[Origin]) -> Diagnostic {
    let names: Vec<String> = unknowns.iter().map(|it| format!("`{}`", it.label)).collect();
    let message = "the start leaves a choice, and how that changes with what is varied is not known";
    let diagnostic = refused(message).note(format!("it is about {}", names.join(", ")));
    let diagnostic = match unknowns.first() {
        Some(first) => diagnostic.at(first.span, "this begins near its guess"),
        None => diagnostic,
    };
    diagnostic.hint("say where things begin, with `initially`")
}

/// Refuses a program with derivatives in which something turns by what only follows from the states: how its instant changes has no name there.
pub(crate) fn refuse_unknown_instants(program: &Program, sink: &mut Diagnostics) {
    let Some(switches) = program.switches.as_ref().filter(|_| !program.varied.is_empty()) else { return };
    let states = program.integrals.iter().flat_map(|integral| &integral.states).map(|state| state.symbol);
    let settings = program.parameters.iter().map(|it| it.symbol).chain(program.controls.iter().map(|it| it.symbol));
    let known: HashSet<SymbolId> = states.chain(settings).chain(switches.inputs()).chain([program.time]).collect();
    let margins: Vec<_> = switches.all.iter().map(|switch| switch.margin).collect();
    if let Some(&unknown) = program.arena.symbols_in(&margins).iter().find(|symbol| !known.contains(symbol)) {
        let message = format!(
            "something turns where `{}` does, which follows from other quantities: how that instant changes is not known",
            program.arena.symbol_name(unknown)
        );
        sink.report(refused(&message).hint(BY_DIFFERENCES));
    }
}

/// Where a run goes on without derivatives.
pub(crate) fn through_border(failure: &Failure) -> Diagnostic {
    let time = number(failure.time);
    refused(&format!("from t = {time} s on the derivatives of this run are not known"))
        .note(UNKNOWN)
        .hint(BY_DIFFERENCES)
}

/// Where the motion has no derivatives, or none that are known.
pub(crate) const UNKNOWN: &str = "a velocity jumps there by an impulse, or the motion keeps to a border, as a block that friction holds at rest; or things touch that would meet \
     one after the other, graze, or tip over an edge if what is varied were a little different";

const BY_DIFFERENCES: &str = "differences of runs tell roughly: run the scene with two values that are near each other";

fn refused(message: &str) -> Diagnostic {
    Diagnostic::error(codes::NO_SENSITIVITY, message)
}
