//! The linear model of a scene, as the page draws it: poles, answers to oscillations over frequencies, and to a step over time.

use std::path::Path;

use ansatz::{At, Level, Options, Scene, Solver};
use base::Diagnostics;
use driver::{Linearization, LocalMotion as Motion, Settings, oscillations, step};

use super::instance::Instance;
use crate::protocol::{Linear, LinearAnswer, LinearMode, Moment, Question};

/// Points of each curve.
const POINTS: usize = 240;
/// Beyond so many pairs of an input and an output, nobody looks through them.
const MOST_ANSWERS: usize = 48;

pub fn linear(question: &Question, folder: &Path) -> Linear {
    let options = Options {
        folder: Some(folder.to_path_buf()),
        released: question.moment.as_ref().map_or(Vec::new(), |moment| moment.released.clone()),
        // Everything that can move is a state, whether anyone looks at it or not.
        optimize: Level::None,
        solver: Solver::Explicit,
        ..Options::default()
    };
    let settings = Settings { parameters: question.settings.clone(), ..Settings::default() };
    let found = Scene::compile(&question.path, &question.source, &options).map_err(|error| error.diagnostics().clone());
    let found = found.and_then(|scene| match &question.moment {
        None => {
            let found = scene.linearize(At::Anywhere, &settings).map_err(|error| error.diagnostics().clone());
            found.map(|found| told(&found, Vec::new()))
        }
        Some(moment) => at_moment(scene, moment),
    });
    found.unwrap_or_else(|found| {
        let sentence = |found: &base::Diagnostic| match found.hints.first() {
            Some(hint) => format!("{}: {hint}", found.message),
            None => found.message.clone(),
        };
        let found = found.sorted();
        let errors = found.iter().filter(|found| found.severity == base::Severity::Error);
        Linear { trouble: errors.map(|found| sentence(found)).collect(), ..Linear::default() }
    })
}

/// The model where the run is that is shown.
fn at_moment(scene: Scene, moment: &Moment) -> Result<Linear, Diagnostics> {
    let mut instance = Instance::new(scene).map_err(|error| error.diagnostics().clone())?;
    moment.parameters.iter().for_each(|(name, &value)| _ = instance.set_parameter(name, value));
    moment.controls.iter().for_each(|(name, &value)| _ = instance.set_control(name, value));
    // What nobody looks at is not in the run that is shown. It is as at the start, if there is one with these numbers.
    let begun = instance.begin();
    let mut states = instance.simulation.states().unwrap_or_default();
    let mut unseen = Vec::new();
    for (column, value) in instance.columns.states.iter().zip(&mut states) {
        match moment.states.get(&column.name) {
            Some(&known) => *value = known,
            None if column.follows => {}
            None => unseen.push(format!("`{}`", column.name)),
        }
    }
    let placed = if unseen.is_empty() { Ok(()) } else { begun }
        .and_then(|()| instance.configure(f64::MAX))
        .and_then(|()| instance.simulation.place(moment.t, &states));
    placed.map_err(|failure| [instance.describe(&failure)].into_iter().collect::<Diagnostics>())?;
    let found = driver::linearize_present(&mut instance.simulation, moment.t)?;
    let note = format!("nothing that is shown depends on {}: it is as at the start", unseen.join(", "));
    Ok(told(&found, if unseen.is_empty() { Vec::new() } else { vec![note] }))
}

fn told(found: &Linearization, mut trouble: Vec<String>) -> Linear {
    let names = |list: &[driver::Quantity]| list.iter().map(|it| it.name.clone()).collect();
    let pairs = (0..found.inputs.len()).flat_map(|input| (0..found.outputs.len()).map(move |output| (input, output)));
    if found.inputs.is_empty() {
        trouble.push("there is nothing to answer to: declare a `control`, and let it act".to_string());
    } else if found.outputs.is_empty() {
        trouble.push("there is nothing to look at: `plot` what should answer".to_string());
    }
    Linear {
        about: about(found),
        modes: found.modes.iter().map(|mode| LinearMode { real: mode.real, imaginary: mode.imaginary }).collect(),
        inputs: names(&found.inputs),
        outputs: names(&found.outputs),
        answers: pairs.take(MOST_ANSWERS).map(|(input, output)| answer(found, input, output)).collect(),
        trouble,
    }
}

fn about(found: &Linearization) -> String {
    let place = match (found.steps, found.time) {
        (Some(_), _) => "near an equilibrium that was found from the start".to_string(),
        (None, None) => "near the start".to_string(),
        (None, Some(t)) => format!("near the moment that is shown, t = {t:.3} s"),
    };
    match found.motion {
        Motion::Rest => format!("{place}, where it rests"),
        Motion::Steady => format!("{place}, where it moves steadily"),
        Motion::Passing => format!("{place}, which it leaves at once: the model holds for an instant"),
    }
}

fn answer(found: &Linearization, input: usize, output: usize) -> LinearAnswer {
    let swings = oscillations(found, input, output, POINTS);
    let steps = step(found, input, POINTS);
    LinearAnswer {
        input,
        output,
        frequencies: swings.iter().map(|answer| answer.frequency).collect(),
        decibels: swings.iter().map(|answer| answer.decibels()).collect(),
        degrees: swings.iter().map(|answer| answer.degrees()).collect(),
        times: steps.iter().map(|(t, _)| *t).collect(),
        step: steps.iter().map(|(_, outputs)| outputs[output]).collect(),
    }
}
