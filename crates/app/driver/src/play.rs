//! A scene played from its start, whether it changes on the way or not.

use std::ops::ControlFlow;

use base::Diagnostics;
use simulation::{Event, Motion, Run, Simulation, Summary, run};

use crate::failure::describe;
use crate::modes::{automaton, describe_trouble, describe_warnings, is_changing};
use crate::pipeline::{Compilation, Options, Stages, machine};
use crate::settings::{Settings, apply, apply_to_automaton};

/// How a run went.
#[derive(Default)]
pub struct Played {
    pub summary: Summary,
    /// The transitions that happened.
    pub events: Vec<Event>,
    /// What there is to say of the settings, and of a run that ended too soon.
    pub diagnostics: Diagnostics,
}

/// Starts a scene with some settings, and runs it if a run is given; `row` gets each row. With settings that make no sense nothing
/// starts.
pub fn play(
    compilation: &Compilation,
    options: &Options,
    settings: &Settings,
    plan: Option<Run>,
    row: impl FnMut(f64, &[f64]),
) -> Played {
    let mut played = Played::default();
    let Some(stages) = &compilation.stages else { return played };
    if is_changing(stages) {
        let mut automaton = automaton(compilation, stages, options);
        apply_to_automaton(settings, stages, &mut automaton, &mut played.diagnostics);
        if !played.diagnostics.has_errors() {
            let trouble = follow(&mut automaton, plan, row, &mut played.summary);
            let found = trouble.map(|trouble| describe_trouble(&trouble, &automaton)).unwrap_or_default();
            let found = describe_warnings(&automaton).iter().chain(found.iter()).cloned().collect::<Vec<_>>();
            found.into_iter().for_each(|found| played.diagnostics.report(found));
            played.events = std::mem::take(&mut automaton.events);
        }
    } else {
        play_plain(stages, settings, plan, row, &mut played);
    }
    played
}

fn play_plain(
    stages: &Stages,
    settings: &Settings,
    plan: Option<Run>,
    row: impl FnMut(f64, &[f64]),
    played: &mut Played,
) {
    let machine = match machine(&stages.module) {
        Ok(machine) => machine,
        Err(diagnostic) => return played.diagnostics.report(diagnostic),
    };
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    apply(settings, stages, &mut simulation, &mut played.diagnostics);
    if !played.diagnostics.has_errors()
        && let Some(failure) = follow(&mut simulation, plan, row, &mut played.summary)
    {
        played.diagnostics.report(describe(&failure, stages, &simulation));
    }
}

/// What ended a run too soon.
fn follow<M: Motion>(
    motion: &mut M,
    plan: Option<Run>,
    mut row: impl FnMut(f64, &[f64]),
    summary: &mut Summary,
) -> Option<M::Trouble> {
    let Some(plan) = plan else { return motion.initialize().err() };
    let row = |t: f64, values: &[f64]| {
        row(t, values);
        ControlFlow::Continue(())
    };
    let (how, result) = run(motion, plan, row, |_| ControlFlow::Continue(()));
    *summary = how;
    result.err()
}
