//! Diagnostics are values: a code, places in the user's text, one sentence, and what to do about it.

use std::collections::HashMap;

use crate::{Code, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something worth knowing: an assumption made, a redundant constraint dropped.
    Notice,
    Warning,
    Error,
}

/// A place in the text with a few words on what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The first label is the place the message is about; the others are its context.
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub hints: Vec<String>,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    pub fn notice(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Notice, code, message)
    }

    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { code, severity, message, labels: Vec::new(), notes: Vec::new(), hints: Vec::new() }
    }

    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hints.push(text.into());
        self
    }
}

/// Collects diagnostics while a stage goes on as far as it can.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Which ones of the list are of a kind and at a place.
    alike: HashMap<(Code, Option<Span>), Vec<usize>>,
}

/// A loop repeats what is wrong in it; so many times is enough.
const MOST_ALIKE: usize = 3;

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(list: I) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        list.into_iter().for_each(|diagnostic| diagnostics.report(diagnostic));
        diagnostics
    }
}

impl Diagnostics {
    /// Adds a diagnostic, unless the very same one is there already, or enough of its kind at the same place.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.labels.first().map(|label| label.span);
        let alike = self.alike.entry((diagnostic.code, place)).or_default();
        let enough = place.is_some() && alike.len() >= MOST_ALIKE;
        if !enough && !alike.iter().any(|&at| self.list[at] == diagnostic) {
            alike.push(self.list.len());
            self.list.push(diagnostic);
        }
    }

    /// Whether no more of a kind will be taken at a place; then nobody needs to look for good hints.
    pub fn has_enough(&self, code: Code, place: Span) -> bool {
        self.alike.get(&(code, Some(place))).is_some_and(|alike| alike.len() >= MOST_ALIKE)
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// By place in the text, those without a place last; the order of reporting decides ties.
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted
            .sort_by_key(|diagnostic| diagnostic.labels.first().map_or((1, Span::default()), |label| (0, label.span)));
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;

    #[test]
    fn nothing_is_said_twice_and_loops_are_cut_short() {
        let place = Span::new(SourceId(0), 0, 1);
        let unknown = |name: usize| Diagnostic::error(Code("unknown-name"), format!("q[{name}]"));
        let mut sink = Diagnostics::default();
        (0..100).for_each(|name| sink.report(unknown(name / 2).at(place, "")));
        assert_eq!(sink.iter().count(), MOST_ALIKE);
        (0..10).for_each(|name| sink.report(unknown(name / 2)));
        assert_eq!(sink.iter().count(), MOST_ALIKE + 5);
    }
}
