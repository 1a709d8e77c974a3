//! A scene played from its start.

use std::ops::ControlFlow;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics};
use simulation::{Event, Failure, Run, Simulation, Summary, run_watched};

use crate::continuity::leaps;
use crate::drift::drift_warning;
use crate::instance::Instance;
use crate::pipeline::{Compilation, Options, Stages};
use crate::settings::{Settings, apply};
use crate::trouble::{describe_failure, describe_warnings};
use crate::trust::Course;
use crate::whiplash::EffortWatch;

/// Takes a scene from its start to the end of a run, and says what there is to warn of.
pub fn run_and_warn(
    instance: &mut Instance,
    run: Run,
    row: impl FnMut(f64, &[f64]) -> ControlFlow<()>,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> (Summary, Vec<Diagnostic>, Result<(), Failure>) {
    let mut watch = Watch::new(instance);
    let mut course = Course::new(instance, run);
    let (summary, result) = run_watched(instance, run, row, &mut progress, |simulation, t| {
        watch.look(simulation, t);
        if let Some(course) = &mut course {
            course.look(simulation, t);
        }
    });
    let mut warnings = watch.warnings(&summary, run.tolerance);
    if result.is_ok() {
        warnings.extend(leaps(instance, Run { until: summary.time, ..run }));
        warnings.extend(course.and_then(|course| course.warning(instance, run, &summary, progress)));
    }
    (summary, warnings, result)
}

/// Looks at the rows of a run, and knows in the end what there is to warn of.
pub struct Watch {
    stages: Arc<Stages>,
    efforts: Option<EffortWatch>,
}

impl Watch {
    pub fn new(instance: &Instance) -> Watch {
        Watch { stages: instance.stages(), efforts: EffortWatch::new(instance) }
    }

    /// Looks at a simulation as it was observed.
    pub fn look(&mut self, simulation: &Simulation, t: f64) {
        if let Some(efforts) = &mut self.efforts {
            efforts.look(simulation, t);
        }
    }

    pub fn warnings(self, summary: &Summary, tolerance: f64) -> Vec<Diagnostic> {
        let drift = drift_warning(summary, &self.stages, tolerance);
        let whiplash = self.efforts.and_then(|efforts| efforts.warning());
        drift.into_iter().chain(whiplash).collect()
    }
}

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
            let (summary, warnings, result) = run_and_warn(&mut instance, plan, row, |_| ControlFlow::Continue(()));
            played.summary = summary;
            warnings.into_iter().for_each(|found| played.diagnostics.report(found));
            result
        }
    };
    let failed = result.err().map(|failure| describe_failure(&failure, &instance)).unwrap_or_default();
    let found: Vec<_> = describe_warnings(&instance).iter().chain(failed.iter()).cloned().collect();
    found.into_iter().for_each(|found| played.diagnostics.report(found));
    played.events = std::mem::take(&mut instance.events);
    played
}
