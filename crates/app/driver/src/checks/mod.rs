//! What can be said of an automaton before it runs, with three answers.

mod condition;
mod footprint;
mod plans;
mod reached;
mod resets;
mod rivals;
mod witness;

pub(crate) use condition::{Case, cases};

use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Severity, Sources};
use equations::System;
use model::Model;

use crate::automaton::{Reach, reach};
use crate::instance::Instance;
use crate::pipeline::{Options, Stages, compile_mode};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// Something is wrong, and where.
    Incorrect,
    /// Nobody knows, or it depends on the motion.
    Unknown,
    /// Proven, whatever the motion.
    Correct,
}

impl Answer {
    pub fn word(self) -> &'static str {
        match self {
            Answer::Correct => "correct",
            Answer::Incorrect => "incorrect",
            Answer::Unknown => "unknown",
        }
    }
}

/// One question about an automaton, answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub answer: Answer,
    pub about: String,
    /// What is wrong, with places in the text.
    pub diagnostic: Option<Diagnostic>,
}

impl Finding {
    fn new(answer: Answer, about: impl Into<String>) -> Finding {
        Finding { answer, about: about.into(), diagnostic: None }
    }

    fn incorrect(about: impl Into<String>, diagnostic: Diagnostic) -> Finding {
        Finding { answer: Answer::Incorrect, about: about.into(), diagnostic: Some(diagnostic) }
    }
}

/// More modes than this are not looked at one by one.
const MOST_MODES: usize = 200;

/// All modes that can be reached, as far as modes alone tell, and what became of each.
struct Survey<'c> {
    model: &'c Model,
    sources: &'c Arc<Sources>,
    options: &'c Options,
    modes: Vec<Vec<usize>>,
    /// Places of a mode, of a transition and of a mode.
    steps: Vec<(usize, usize, usize)>,
    stages: Vec<Option<Arc<Stages>>>,
    /// What is wrong with each.
    errors: Vec<Diagnostics>,
}

impl<'c> Survey<'c> {
    /// `first` is what became of the mode at the start, if it has been compiled with these options.
    fn new(
        model: &'c Model,
        first: Option<Arc<Stages>>,
        options: &'c Options,
        sources: &'c Arc<Sources>,
    ) -> Survey<'c> {
        let Reach { modes, steps } = reach(model);
        let (mut stages, mut errors) = (Vec::from_iter(first.map(Some)), Vec::new());
        errors.resize_with(stages.len(), Diagnostics::default);
        for mode in modes.iter().take(MOST_MODES).skip(stages.len()) {
            let mut found = Diagnostics::default();
            stages.push(compile_mode(model, mode, options, sources, &mut found).map(Arc::new));
            errors.push(found.iter().filter(|found| found.severity == Severity::Error).cloned().collect());
        }
        Survey { model, sources, options, modes, steps, stages, errors }
    }

    /// The scene, ready to be tried; none if it cannot start.
    fn instance(&self) -> Option<Instance> {
        self.stages[0].as_ref()?;
        let made = self.modes.iter().zip(&self.stages);
        let made = made.filter_map(|(mode, stages)| Some((mode.clone(), stages.clone()?)));
        let mut instance = Instance::from_modes(self.sources, made.collect(), self.options, None).ok()?;
        instance.configure(self.options.tolerance, f64::INFINITY).ok()?;
        Some(instance)
    }

    fn stages_of(&self, mode: &[usize]) -> Option<&Arc<Stages>> {
        let at = self.modes.iter().position(|known| known == mode)?;
        self.stages.get(at)?.as_ref()
    }

    fn system(&self, mode: &[usize]) -> Option<&System> {
        self.stages_of(mode).map(|stages| &stages.system)
    }

    /// Modes with their equations, as far as these could be made.
    fn systems(&self) -> impl Iterator<Item = (&Vec<usize>, &System)> {
        let made = self.modes.iter().zip(&self.stages);
        made.filter_map(|(mode, stages)| Some((mode, &stages.as_ref()?.system)))
    }
}

/// Compiles all modes that can be reached, and reports what is wrong with them, and what the checks find incorrect.
/// `first` is the scene in the mode at its start.
pub fn check_modes(first: &Arc<Stages>, options: &Options, sources: &Arc<Sources>, sink: &mut Diagnostics) {
    let model = &first.model;
    let survey = Survey::new(model, Some(first.clone()), options, sources);
    for (mode, errors) in survey.modes.iter().zip(&survey.errors).skip(1) {
        for diagnostic in errors.iter() {
            if !sink.iter().any(|known| known.code == diagnostic.code && known.labels == diagnostic.labels) {
                sink.report(diagnostic.clone().note(crate::modes::in_mode(model, mode)));
            }
        }
    }
    let wrong = answer(&survey).into_iter().filter_map(|finding| finding.diagnostic);
    wrong.for_each(|diagnostic| sink.report(diagnostic));
}

/// All questions with their answers, what is wrong first.
pub fn findings(model: &Model, options: &Options, sources: &Arc<Sources>) -> Vec<Finding> {
    answer(&Survey::new(model, None, options, sources))
}

fn answer(survey: &Survey<'_>) -> Vec<Finding> {
    let mut findings = rivals::findings(survey);
    findings.extend(plans::findings(survey));
    findings.extend(resets::findings(survey));
    findings.extend(reached::findings(survey));
    let left = survey.modes.len() - survey.stages.iter().filter(|stages| stages.is_some()).count();
    if left > 0 {
        let about = format!("{left} of {} modes were not looked at", survey.modes.len());
        findings.push(Finding::new(Answer::Unknown, about));
    }
    findings.sort_by_key(|finding| finding.answer);
    findings
}
