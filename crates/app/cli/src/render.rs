//! Diagnostics for people and for programs.

use std::io::{IsTerminal, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use base::{Diagnostic, Diagnostics, Severity, SourceId, Sources};
use serde_json::{Value, json};

/// Prints all diagnostics to standard error, by place, with a count at the end.
pub fn print(diagnostics: &Diagnostics, sources: &Sources) {
    for diagnostic in diagnostics.sorted() {
        say(&format!("{}\n", text(diagnostic, sources)));
    }
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    if errors.len() > 1 {
        say(&format!("{} errors", errors.len()));
    }
    match errors.as_slice() {
        [] => {}
        [first, rest @ ..] if rest.iter().all(|error| error.code == first.code) => {
            say(&format!("for more about this: ansatz explain {}", first.code.0));
        }
        [first, ..] => {
            say(&format!("for more about an error: ansatz explain CODE, as in `ansatz explain {}`", first.code.0));
        }
    }
}

/// One diagnostic as a person reads it.
fn text(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Notice => Level::NOTE,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.0);
    let mut group = Group::with_title(title);
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

fn snippet<'s>(
    diagnostic: &'s Diagnostic,
    source: SourceId,
    sources: &'s Sources,
) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
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

/// All diagnostics as data: code, severity, message, places with lines and columns, notes, hints.
pub fn to_json(diagnostics: &Diagnostics, sources: &Sources) -> Value {
    let place = |(at, label): (usize, &base::Label)| {
        let source = sources.get(label.span.source);
        let (line, column) = source.line_column(label.span.start as usize);
        let (end_line, end_column) = source.line_column(label.span.end as usize);
        json!({
            "file": source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column,
            "text": label.text, "primary": at == 0,
        })
    };
    let list = diagnostics.sorted().into_iter().map(|diagnostic| {
        json!({
            "code": diagnostic.code.0,
            "severity": match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Notice => "notice",
            },
            "message": diagnostic.message,
            "labels": diagnostic.labels.iter().enumerate().map(place).collect::<Vec<_>>(),
            "notes": diagnostic.notes,
            "hints": diagnostic.hints,
        })
    });
    Value::Array(list.collect())
}

/// A trouble that has no place in a scene.
pub fn complain(message: &str, hint: &str) {
    say(&format!("error: {message}"));
    if !hint.is_empty() {
        say(&format!("  = help: {hint}"));
    }
}

/// A line on standard error. That nobody reads it, as after `2>&1 | head`, is not an error.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A text on standard output; the same holds for it.
pub fn print_out(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
