//! The linear model of a scene, as the page draws it: poles, answers to oscillations over frequencies, and to a step over time.

use std::path::Path;

use ansatz::{At, Level, Options, Scene, Solver};
use driver::{Linearization, LocalMotion as Motion, Settings, oscillations, step};

use crate::protocol::{Linear, LinearAnswer, LinearMode, Question};

/// Points of each curve.
const POINTS: usize = 240;
/// Beyond so many pairs of an input and an output, nobody looks through them.
const MOST_ANSWERS: usize = 48;

pub fn linear(question: &Question, folder: &Path) -> Linear {
    let options = Options {
        folder: Some(folder.to_path_buf()),
        // Everything that can move is a state, whether anyone looks at it or not.
        optimize: Level::None,
        solver: Solver::Explicit,
        ..Options::default()
    };
    let settings = Settings { parameters: question.settings.clone(), ..Settings::default() };
    let found = Scene::compile(&question.path, &question.source, &options)
        .and_then(|scene| scene.linearize(At::Anywhere, &settings));
    match found {
        Ok(found) => told(&found),
        Err(error) => {
            let found = error.diagnostics().sorted();
            let sentence = |found: &&base::Diagnostic| match found.hints.first() {
                Some(hint) => format!("{}: {hint}", found.message),
                None => found.message.clone(),
            };
            let errors = found.iter().copied().filter(|found| found.severity == base::Severity::Error);
            Linear { trouble: errors.map(|found| sentence(&found)).collect(), ..Linear::default() }
        }
    }
}

fn told(found: &Linearization) -> Linear {
    let names = |list: &[driver::Quantity]| list.iter().map(|it| it.name.clone()).collect();
    let pairs = (0..found.inputs.len()).flat_map(|input| (0..found.outputs.len()).map(move |output| (input, output)));
    let mut trouble = Vec::new();
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
    let place = match found.steps {
        Some(_) => "near an equilibrium that was found from the start",
        None => "near the start",
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
