//! What a simulator may integrate by itself (model exchange): which states, where their rates are in each mode, and what tells of events.

use backend_c::Exchange;
use kernel::interface::Interface;
use kernel::{Module, protocol};
use program::{Integral, Program, State};

use crate::failure::decides;
use crate::pipeline::{Options, Stages};
use crate::solver::Solver;

pub struct Exchanged {
    pub states: Vec<State>,
    pub places: Exchange,
}

/// Why a simulator cannot integrate a scene by itself; none if it may be able to.
pub fn refused(stages: &Stages, options: &Options) -> Option<&'static str> {
    let reasons = [
        (stages.program.contacts.is_some(), "things in it touch, and our own integrator alone finds when and how"),
        (stages.program.memory.is_some(), "it depends on what was, after delays"),
        (options.solver == Solver::Implicit, "it is stiff and solved by implicit steps"),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
}

/// The states of all modes, of which there are always as many: what a mode does not integrate rests in it.
pub fn exchange(programs: &[&Program]) -> Result<Exchanged, &'static str> {
    let first = programs[0];
    let all: Vec<(usize, State)> = match &first.changes {
        Some(changes) => changes.variables[..first.variables()].iter().cloned().enumerate().collect(),
        None => integrated(first).map(|(at, state)| (at, state.clone())).collect(),
    };
    let known = |state: &State| all.iter().filter(|(_, other)| other.name == state.name).count() == 1;
    if !programs.iter().flat_map(|program| integrated(program)).all(|(_, state)| known(state)) {
        return Err("its states have no names that all of its modes share");
    }
    let rate = |program: &Program, name: &str| integrated(program).find(|(_, it)| it.name == name).map(|(at, _)| at);
    let moving = all.into_iter().filter(|(_, state)| programs.iter().any(|it| rate(it, &state.name).is_some()));
    let (places, states): (Vec<usize>, Vec<State>) = moving.unzip();
    if states.is_empty() {
        return Err("nothing in it moves");
    }
    let rates = programs.iter().map(|program| states.iter().map(|state| rate(program, &state.name)).collect());
    let group = |state: &State| states.iter().position(|other| other.dimension == state.dimension).unwrap_or(0);
    let groups = states.iter().map(group).collect();
    let places = Exchange { states: places, rates: rates.collect(), groups, slopes: None };
    Ok(Exchanged { states, places })
}

/// The states that a program integrates, with their places among those of the protocol, where what follows from them stands between.
fn integrated(program: &Program) -> impl Iterator<Item = (usize, &State)> {
    let count = |integral: &Integral| integral.states.len() + integral.followers.len();
    let firsts = program.integrals.iter().scan(0, move |sum, integral| {
        let first = *sum;
        *sum += count(integral);
        Some((first, integral))
    });
    firsts.flat_map(|(first, integral)| (first..).zip(&integral.states))
}

/// The indicators of a program in their order, each with what it is about. Of the switches of several modes it is not known which is meant.
pub fn indicators(module: &Module, interface: &Interface, stages: &Stages) -> Vec<(String, String)> {
    let guards = module.find_array(protocol::GUARD_INDICATORS).map_or(0, |id| module.array(id).length);
    let switches = module.find_array(protocol::INDICATORS).map_or(0, |id| module.array(id).length);
    let guard = |it: &kernel::interface::Named| (format!("event.{}", it.name), it.note.clone());
    let guards = interface.transitions.iter().take(guards).map(guard);
    let alone = stages.program.switches.as_ref().filter(|_| interface.modes.len() <= 1);
    let located: Vec<usize> = alone.map_or_else(Vec::new, |switches| {
        let all = switches.all.iter().enumerate();
        all.filter(|(_, switch)| switch.schedule.is_none()).map(|(place, _)| place).collect()
    });
    let switch = |at: usize| {
        let margin = located.get(at).and_then(|&place| decides(stages, place));
        let about = margin.map(|margin| format!("turns where {} is zero", base::visible(&margin)));
        let name = format!("event.switch[{}]", at + 1);
        (name, about.unwrap_or_else(|| "positive while a switch stays as it is".to_string()))
    };
    guards.chain((0..switches).map(switch)).collect()
}
