//! A scene played from its start.

use std::ops::ControlFlow;

use base::Diagnostics;
use simulation::{Event, Run, Summary, run};

use crate::drift::drift_warning;
use crate::instance::Instance;
use crate::pipeline::{Compilation, Options};
use crate::settings::{Settings, apply};
use crate::trouble::{describe_failure, describe_warnings};

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
    mut row: impl FnMut(f64, &[f64]),
) -> Played {
    let mut played = Played::default();
    if compilation.stages.is_none() {
        return played;
    }
    let mut instance = match Instance::new(compilation, options, None) {
        Ok(instance) => instance,
        Err(found) => return Played { diagnostics: found, ..played },
    };
    apply(settings, &instance.stages(), &mut instance, &mut played.diagnostics);
    if played.diagnostics.has_errors() {
        return played;
    }
    let row = |t: f64, values: &[f64]| {
        row(t, values);
        ControlFlow::Continue(())
    };
    let result = match plan {
        None => instance.initialize(),
        Some(plan) => {
            let (summary, result) = run(&mut instance, plan, row, |_| ControlFlow::Continue(()));
            played.summary = summary;
            let drift = drift_warning(&summary, &instance.stages(), plan.tolerance);
            drift.into_iter().for_each(|found| played.diagnostics.report(found));
            result
        }
    };
    let failed = result.err().map(|failure| describe_failure(&failure, &instance)).unwrap_or_default();
    let found: Vec<_> = describe_warnings(&instance).iter().chain(failed.iter()).cloned().collect();
    found.into_iter().for_each(|found| played.diagnostics.report(found));
    played.events = std::mem::take(&mut instance.events);
    played
}
