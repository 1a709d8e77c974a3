//! Diagnostics for people and for programs.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use ansatz::{Error, Style};
use base::{Diagnostic, Diagnostics, Severity, Sources};
use serde_json::{Value, json};

/// Nobody reads more at a time, and what comes first often explains the rest.
const MOST_PRINTED: usize = 50;

/// Prints all diagnostics to standard error, by place, with a count at the end.
pub fn print(diagnostics: &Diagnostics, sources: &Sources) {
    let style = if std::io::stderr().is_terminal() { Style::Coloured } else { Style::Plain };
    let sorted = diagnostics.sorted();
    for diagnostic in sorted.iter().take(MOST_PRINTED) {
        say(&format!("{}\n", style.text(diagnostic, sources)));
    }
    if sorted.len() > MOST_PRINTED {
        say(&format!("and {} more; what is printed first may explain them\n", sorted.len() - MOST_PRINTED));
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

/// Prints all that an error consists of.
pub fn print_error(error: &Error) {
    print(error.diagnostics(), error.sources());
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

/// A text on standard output, and how the program ends after it. That nobody reads it is no trouble; that there is no room is.
pub fn print_out(text: &str) -> ExitCode {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => crate::run::cannot_write(None, &error),
    }
}
