//! Questions to a scene.

use base::Diagnostics;
use driver::{Asking, Settings};

use crate::error::Error;
use crate::scene::Scene;

/// What came of questions: for people, and for programs.
#[derive(Clone, Debug)]
pub struct Answers {
    /// As `ansatz ask` prints it, but for drawings.
    pub text: String,
    /// As `ansatz ask --json` prints it.
    pub json: String,
    /// What there is to know that is no error.
    pub warnings: Diagnostics,
}

impl Scene {
    /// Answers a question, such as `boat.speed given steady(boat)`, from the laws that reach it; if there is none, those that the scene asks itself.
    /// A question that cannot be answered yet is told among the dead ends, with what would close it.
    pub fn find(&self, question: Option<&str>, settings: &Settings) -> Result<Answers, Error> {
        let own = &self.stages().model.questions;
        let text = question.map_or(self.text().to_string(), |question| format!("{}\nfind {question}\n", self.text()));
        let (name, options) = (&self.source().name, self.options());
        let reply = driver::ask(&Asking { name, text: &text, options, settings, without: &[], progress: &|_, _| {} });
        let Some(mut answers) = reply.answers.filter(|_| !reply.diagnostics.has_errors()) else {
            return Err(Error::new(reply.diagnostics.iter().cloned(), &reply.sources));
        };
        if question.is_some() {
            answers.answers.retain(|answer| answer.question == own.len());
            answers.tables.retain(|table| table.question == own.len());
            answers.compositions.retain(|it| it.question == own.len());
            answers.dead_ends.retain(|end| end.span.start as usize >= self.text().len());
        }
        Ok(Answers {
            text: driver::answers_text(&answers, &reply.sources, &|_| String::new()),
            json: driver::answers_json(&answers, &reply.sources).to_string(),
            warnings: reply.diagnostics,
        })
    }
}
