//! Questions: what a scene is asked for, answered from the laws that reach it.
//!
//! Laws that exclude one another are modes of the model, so one choice of laws is one mode. In each the equations are written down as for a
//! run, what is steady is held, and the equations that reach what is asked are solved for all their roots. Roots at which an assumption fails
//! are no answers; where a choice of laws leads to none, the next is tried.

mod case;
mod choice;
mod composition;
mod contradiction;
mod curve;
mod dead_end;
mod describe;
mod equations;
mod grounds;
mod json;
mod local;
mod motion;
mod question;
mod reach;
mod run;
mod solve;
mod suggest;
mod text;
mod transient;
mod uses;

use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Sources, Span};
use model::{Model, Moment, Sweep};

use crate::codes;
use crate::pipeline::{Options, STACK, read_model};
use crate::settings::{Settings, parameter_values};

pub use composition::Composition;
pub use curve::{Curve, Piece};
pub use describe::Description;
pub use json::answers_json;
pub use text::{answers_text, told_answer};

/// How a scene is asked.
pub struct Asking<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub options: &'a Options,
    pub settings: &'a Settings,
    /// Assumptions and laws to do without.
    pub without: &'a [String],
    /// Is told how many of how many steps are done, whenever one is.
    pub progress: &'a dyn Fn(f64, f64),
}

/// What came of it.
pub struct Reply {
    pub sources: Arc<Sources>,
    pub diagnostics: Diagnostics,
    /// None if the scene cannot be understood.
    pub answers: Option<Answers>,
}

/// The answers to all questions of a scene.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub answers: Vec<Answer>,
    pub tables: Vec<Table>,
    /// How large the model of each question is.
    pub compositions: Vec<Composition>,
    pub laws: Vec<Told>,
    pub assumptions: Vec<Told>,
    pub unused: Vec<Told>,
    /// Choices of laws that led to no answer.
    pub tried: Vec<Told>,
    pub dead_ends: Vec<DeadEnd>,
    /// Motions in words.
    pub descriptions: Vec<Description>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

impl Answers {
    /// Writes down a law that is used, once.
    fn tell_law(&mut self, told: Told) {
        self.unused.retain(|unused| unused.name != told.name || unused.span != told.span);
        put_once(&mut self.laws, told);
    }

    /// Writes down a law that is not used, unless another question uses it.
    fn tell_unused(&mut self, told: Told) {
        if !self.laws.iter().any(|used| used.name == told.name && used.span == told.span) {
            put_once(&mut self.unused, told);
        }
    }
}

fn put_once(list: &mut Vec<Told>, told: Told) {
    if !list.iter().any(|known| known.name == told.name) {
        list.push(told);
    }
}

/// One value of what is asked; a question may have several.
#[derive(Clone, Debug)]
pub struct Answer {
    /// As it is written.
    pub asked: String,
    /// In SI units; three of a vector.
    pub value: Vec<f64>,
    /// Of the SI.
    pub unit: String,
    /// For people.
    pub told: base::Unit,
    /// Whether the transient model of the same laws comes back to it; None if it has none, or if that cannot be said.
    pub stable: Option<bool>,
    /// Why that is not known.
    pub undecided: Option<String>,
    /// The rate of return of the slowest motion nearby, per second: negative if it comes back.
    pub rate: Option<f64>,
    /// Whether the transient model has no other state.
    pub moves_alone: bool,
    /// Whether a run from the start of the scene comes to it; None if none was made.
    pub reached: Option<bool>,
    /// When a run has it, if an instant is asked for.
    pub instant: Option<f64>,
    /// The condition that begins to hold there, as it is written; nothing if the time was given.
    pub when: String,
    /// Other unknowns that were found with it.
    pub along: Vec<(String, f64)>,
    /// The change of the value, relative to it, for a relative change of a parameter.
    pub sensitivity: Vec<(String, f64)>,
    /// Whether it is proven that the question has no other answers.
    pub complete: bool,
    /// Laws that it takes, while another answer to the same question takes others instead of them.
    pub by: Vec<String>,
    /// Which of the scene's questions it belongs to.
    pub question: usize,
}

/// The answers to one question for many values of a parameter.
#[derive(Clone, Debug)]
pub struct Table {
    pub asked: Vec<String>,
    pub parameter: String,
    pub parameter_unit: base::Unit,
    pub units: Vec<base::Unit>,
    /// The value of the parameter, in SI units, and its answers: those to what is asked for first, then to what is asked for next.
    pub rows: Vec<(f64, Vec<Answer>)>,
    /// Which of the scene's questions it answers.
    pub question: usize,
}

impl Table {
    fn new(model: &Model, at: usize, sweep: &Sweep, rows: Vec<(f64, Vec<Answer>)>) -> Table {
        let question = &model.questions[at];
        let parameter = &model.parameters[sweep.parameter.index()];
        Table {
            asked: question.asked.iter().map(|asked| asked.text.clone()).collect(),
            parameter: parameter.name.clone(),
            parameter_unit: parameter.unit.clone(),
            units: question.asked.iter().map(|asked| asked.unit.clone()).collect(),
            rows,
            question: at,
        }
    }
}

/// A law or an assumption, where it stands, and why it was used or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub name: String,
    pub span: Span,
    pub reason: String,
    /// How far it is from failing, in SI units.
    pub margin: Option<f64>,
    /// Whether the scene itself assumes it, so that it can be asked without.
    pub of_scene: bool,
}

impl Told {
    fn new(name: String, span: Span, reason: String) -> Told {
        Told { name, span, reason, margin: None, of_scene: false }
    }
}

/// A question that has no answer yet.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadEnd {
    pub asked: String,
    pub message: String,
    pub unknowns: Vec<String>,
    pub equations: Vec<String>,
    /// What would close it, the most promising first.
    pub suggestions: Vec<Suggestion>,
    /// Whether it asks for something that is no state itself, but may follow from one: accelerations, forces, currents.
    pub follows: bool,
    pub span: Span,
}

/// What would close a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub way: Way,
    /// To write into the scene; nothing if no statement does it.
    pub text: String,
    pub reason: String,
}

/// In the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Nothing changes any more.
    Steady,
    /// A law that the scene leaves out by a word.
    LawLeftOut,
    /// A connection of a theory in use, or a law of the library.
    Library,
    /// Something is largest or smallest.
    Optimum,
    /// A value is known.
    Given,
    /// Nothing to write.
    Advice,
}

impl Suggestion {
    fn new(way: Way, text: impl Into<String>, reason: impl Into<String>) -> Suggestion {
        Suggestion { way, text: text.into(), reason: reason.into() }
    }
}

/// Answers all questions of a scene.
pub fn ask(asking: &Asking<'_>) -> Reply {
    stacker::grow(STACK, || {
        let mut diagnostics = Diagnostics::default();
        // Runs are made of the same laws and assumptions as the answers.
        let options = Options { without: asking.without.to_vec(), ..asking.options.clone() };
        let asking = &Asking { options: &options, ..*asking };
        let (sources, model) = read_model(asking.name, asking.text, asking.options, &mut diagnostics);
        let answers = model.and_then(|model| answer(model, asking, &mut diagnostics));
        Reply { sources: Arc::new(sources), diagnostics, answers }
    })
}

fn answer(model: Model, asking: &Asking<'_>, sink: &mut Diagnostics) -> Option<Answers> {
    if model.questions.is_empty() {
        sink.report(
            Diagnostic::error(codes::NOTHING_ASKED, "this scene asks nothing")
                .at(model.frames[0].span, "no `find` and no `describe` here")
                .hint("ask for a quantity: `find boat.speed given steady(boat)`, or for a motion in words: `describe bob`"),
        );
        return None;
    }
    check_without(&model, asking.without, sink)?;
    let parameters = parameter_values(asking.settings, &model, sink)?;
    let mut answers = Answers::default();
    // Runs to compare with are one step more.
    let steps = (model.questions.len() + 1) as f64;
    for (at, question) in model.questions.iter().enumerate() {
        let progress = |part: f64| (asking.progress)(at as f64 + part, steps);
        progress(0.0);
        match &question.moment {
            Some(Moment::Motion(motion)) => {
                describe::answer(asking, &model, at, motion, &parameters, &mut answers, sink)?;
            }
            Some(moment) => {
                let part = run::Part { question: at, moment, parameters: &parameters, progress: &progress };
                run::answer(asking, &model, &part, &mut answers, sink)?;
            }
            None => {
                let before = answers.clone();
                question::answer(&model, at, &parameters, &progress, &mut answers, sink)?;
                let open = &answers.dead_ends[before.dead_ends.len()..];
                if let Some(found) = run::at_start(asking, &model, at, open, &parameters, before) {
                    answers = found;
                }
            }
        }
    }
    // What follows from contradicting constraints is no answer, whether it was found or not.
    if !answers.dead_ends.is_empty() || !model.constraints.is_empty() {
        run::look_for_contradictions(asking, sink)?;
    }
    suggest::from_theories(asking, &model, &mut answers.dead_ends);
    transient::compare(asking, &|part| (asking.progress)(steps - 1.0 + part, steps), &mut answers);
    Some(answers)
}

/// Says of what the user wants to do without that the scene does not have it.
fn check_without(model: &Model, without: &[String], sink: &mut Diagnostics) -> Option<()> {
    let Some(name) = without.iter().find(|name| !model.done_without.contains(name)) else { return Some(()) };
    let known = model.assumptions.iter().map(|it| it.name.as_str());
    let mut known: Vec<&str> = known.chain(model.fragments.iter().map(|it| it.law.as_str())).collect();
    known.dedup();
    let hint = match base::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    let message = format!("the scene has no assumption and no law `{name}`");
    sink.report(Diagnostic::error(codes::UNKNOWN_SETTING, message).hint(hint));
    None
}
