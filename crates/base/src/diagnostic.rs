//! Diagnostics are values: a code, places in the user's text, one sentence, and what to do about it.

use std::collections::HashSet;

use crate::{Code, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something worth knowing: an assumption made, a redundant constraint dropped.
    Notice,
    Warning,
    Error,
}

/// A place in the text with a few words on what is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    known: HashSet<Diagnostic>,
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(list: I) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        list.into_iter().for_each(|diagnostic| diagnostics.report(diagnostic));
        diagnostics
    }
}

impl Diagnostics {
    /// Adds a diagnostic, unless the very same one is there already.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.known.insert(diagnostic.clone()) {
            self.list.push(diagnostic);
        }
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
