//! What is wrong with a text, a setting or a run, for people and for programs.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use base::{Diagnostic, Diagnostics, Severity, SourceId, Sources};

/// Why there is no scene, no instance or no next moment: all diagnostics, and the texts that they point at.
///
/// ```
/// let error = ansatz::Scene::compile("falling", "scene falling\nbody stone { mass = 1 [s] }", &Default::default()).unwrap_err();
/// assert!(error.to_string().contains("falling:2"));
/// assert!(error.diagnostics().has_errors());
/// ```
#[derive(Clone)]
pub struct Error {
    pub(crate) diagnostics: Diagnostics,
    pub(crate) sources: Arc<Sources>,
    /// Why a file could not be read; there are no diagnostics then.
    unreadable: Option<Arc<io::Error>>,
}

/// How a diagnostic is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    /// With colours, for terminals.
    Coloured,
}

impl Error {
    pub(crate) fn new(diagnostics: impl IntoIterator<Item = Diagnostic>, sources: &Arc<Sources>) -> Error {
        Error { diagnostics: diagnostics.into_iter().collect(), sources: sources.clone(), unreadable: None }
    }

    pub(crate) fn unreadable(file: &Path, error: io::Error) -> Error {
        let said = io::Error::new(error.kind(), format!("`{}` cannot be read: {error}", file.display()));
        Error { unreadable: Some(Arc::new(said)), ..Error::new([], &Arc::default()) }
    }

    /// Each with its code, message, places, notes and hints.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The texts that the places lie in.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.unreadable {
            return write!(f, "{error}");
        }
        let texts = self.diagnostics.sorted().into_iter().map(|found| Style::Plain.text(found, &self.sources));
        f.write_str(&texts.collect::<Vec<String>>().join("\n\n"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Error {}

impl Style {
    /// One diagnostic as a person reads it, with the lines that it is about.
    pub fn text(self, diagnostic: &Diagnostic, sources: &Sources) -> String {
        let renderer = match self {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Notice => Level::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.code.0));
        let mut shown: Vec<SourceId> = Vec::new();
        for label in &diagnostic.labels {
            if !shown.contains(&label.span.source) {
                shown.push(label.span.source);
            }
        }
        for source in shown {
            group = group.element(snippet(diagnostic, source, sources));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(note));
        }
        for hint in &diagnostic.hints {
            group = group.element(Level::HELP.message(hint));
        }
        renderer.render(&[group]).to_string()
    }
}

fn snippet<'s>(diagnostic: &'s Diagnostic, source: SourceId, sources: &'s Sources) -> Snippet<'s, Annotation<'s>> {
    let file = sources.get(source);
    let mut snippet = Snippet::source(&file.text).path(&file.name).fold(true);
    for (at, label) in diagnostic.labels.iter().enumerate().filter(|(_, label)| label.span.source == source) {
        let kind = if at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let range = label.span.range();
        let range = range.start.min(file.text.len())..range.end.min(file.text.len());
        snippet = snippet.annotation(kind.span(range).label(&label.text));
    }
    snippet
}
