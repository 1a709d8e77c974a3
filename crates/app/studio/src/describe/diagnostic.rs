//! Diagnostics with places, fixes and what they are about.

use base::Diagnostics;
use syntax::{Item, ItemKind, Tree};

use super::place::Places;
use crate::protocol::{Diagnostic, Fix, Label};

/// By place in the text.
pub fn diagnostics(list: &Diagnostics, tree: &Tree, places: &Places<'_>) -> Vec<Diagnostic> {
    list.sorted().into_iter().map(|one| diagnostic(one, Some(tree), places)).collect()
}

pub fn diagnostic(found: &base::Diagnostic, tree: Option<&Tree>, places: &Places<'_>) -> Diagnostic {
    let here = found.labels.iter().filter(|label| places.is_here(label.span));
    let labels = here.clone().map(|label| Label { span: places.span(label.span), text: label.text.clone() });
    let mut about: Vec<String> = Vec::new();
    if let Some(tree) = tree {
        here.for_each(|label| things_at(&tree.items, label.span, &mut about));
    }
    Diagnostic {
        severity: match found.severity {
            base::Severity::Error => "error",
            base::Severity::Warning => "warning",
            base::Severity::Notice => "notice",
        },
        code: found.code.0.to_string(),
        message: found.message.clone(),
        labels: labels.collect(),
        notes: found.notes.clone(),
        hints: found.hints.clone(),
        fixes: fixes(found, places),
        about,
        page: driver::page(found.code.0).map_or(String::new(), |page| page.text.to_string()),
    }
}

/// A diagnostic of the studio itself, about no place.
pub fn plain_diagnostic(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Diagnostic {
    Diagnostic {
        severity: "error",
        code: code.to_string(),
        message: message.into(),
        labels: Vec::new(),
        notes: Vec::new(),
        hints: vec![hint.into()],
        fixes: Vec::new(),
        about: Vec::new(),
        page: String::new(),
    }
}

fn fixes(found: &base::Diagnostic, places: &Places<'_>) -> Vec<Fix> {
    let Some(first) = found.labels.first().filter(|label| places.is_here(label.span)) else { return Vec::new() };
    let here = found.labels.iter().filter(|label| places.is_here(label.span));
    let ranges: Vec<_> = here.map(|label| label.span.start as usize..label.span.end as usize).collect();
    let fix = |fix: editing::Fix| {
        let span = base::Span::new(first.span.source, fix.range.start, fix.range.end);
        Fix { title: fix.title, edits: vec![Label { span: places.span(span), text: fix.text }] }
    };
    editing::fixes(places.whole(), &ranges, &found.hints).into_iter().map(fix).collect()
}

/// The frames and constraints whose statements a place lies in; of several in one another, all.
fn things_at(items: &[Item], span: base::Span, about: &mut Vec<String>) {
    for item in items {
        if item.span.source != span.source || item.span.start > span.start || span.end > item.span.end {
            continue;
        }
        let id = match &item.kind {
            ItemKind::For(repeated) => {
                things_at(&repeated.items, span, about);
                continue;
            }
            ItemKind::Frame(frame) | ItemKind::Body(frame) => Some(format!("frame:{}", frame.name.text)),
            ItemKind::Always(equation) => equation.label.as_ref().map(|name| format!("constraint:{}", name.text)),
            ItemKind::Initially(equation) => equation.label.as_ref().map(|name| format!("initial:{}", name.text)),
            ItemKind::Param(param) => Some(format!("parameter:{}", param.name.text)),
            ItemKind::Control(control) => Some(format!("control:{}", control.name.text)),
            _ => None,
        };
        about.extend(id.filter(|id| !about.contains(id)));
    }
}
