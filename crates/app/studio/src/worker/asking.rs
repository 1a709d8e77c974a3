//! Questions about a text: what could follow, what something means, where it comes from, what there is.
//!
//! They are answered by a worker that has nothing to compile yet, so they neither wait for a run nor disturb it.

use std::path::Path;

use base::Sources;
use editing::{File, Outlined, Reading};

use super::card::card;
use super::linear::linear;
use crate::describe::Places;
use crate::protocol::{self, Answer, Entry, Label, Question, Reply, Span, Theory, Wanted};

pub fn answer(question: &Question, folder: &Path) -> Reply {
    if question.what == Wanted::Answers {
        return Reply::Answered {
            request: question.request,
            answer: Some(Answer::Card { card: card(question, folder) }),
        };
    }
    if question.what == Wanted::Linear {
        return Reply::Answered {
            request: question.request,
            answer: Some(Answer::Linear { linear: linear(question, folder) }),
        };
    }
    let reading = Reading::new(&question.path, &question.source, Some(folder));
    let offset = reading.text().utf16_offset(question.line, question.column);
    Reply::Answered { request: question.request, answer: answered(question, &reading, offset) }
}

fn answered(question: &Question, reading: &Reading, offset: usize) -> Option<Answer> {
    let places = Places::of_scene(&reading.sources);
    Some(match question.what {
        Wanted::Complete => {
            let found = reading.complete(offset);
            let word = base::Span::new(base::SourceId(0), found.from, offset);
            Answer::Completions { span: places.span(word), list: found.list.into_iter().map(entry).collect() }
        }
        Wanted::Explain => {
            let hover = reading.hover(offset)?;
            Answer::Explanation { span: places.span(hover.span), entry: entry(hover.entry), facts: hover.facts }
        }
        Wanted::Define => {
            let span = reading.definition(offset)?;
            let source = &reading.sources.get(span.source).text;
            let theory = match reading.file(span.source) {
                File::Here => None,
                File::Beside(path) => {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    Some(Theory { name, source: source.clone() })
                }
                File::Library(name, text) => Some(Theory { name: name.to_string(), source: text.to_string() }),
            };
            Answer::Declared { span: place(&reading.sources, span), theory }
        }
        Wanted::Rename => match reading.rename(offset, &question.name) {
            Err(refused) => Answer::Refused { refused },
            Ok(edits) if edits.iter().any(|edit| !places.is_here(edit.span)) => {
                let refused = "it is declared in a theory beside this scene; rename it there, and here".to_string();
                Answer::Refused { refused }
            }
            Ok(edits) => {
                let edits = edits.into_iter().map(|edit| Label { span: places.span(edit.span), text: edit.text });
                Answer::Edits { edits: edits.collect() }
            }
        },
        Wanted::Outline => Answer::Outline { outline: outline(&reading.outline(), &places) },
        Wanted::Answers | Wanted::Linear => return None,
    })
}

fn place(sources: &Sources, span: base::Span) -> Span {
    Places::of_text(sources, span.source).span(span)
}

fn entry(entry: editing::Entry) -> Entry {
    let editing::Entry { label, what, written, meaning } = entry;
    Entry { label, what, written, meaning }
}

fn outline(list: &[Outlined], places: &Places<'_>) -> Vec<protocol::Outlined> {
    let one = |one: &Outlined| protocol::Outlined {
        name: one.name.clone(),
        what: one.role.word(),
        span: places.span(one.span),
        inside: outline(&one.inside, places),
    };
    list.iter().map(one).collect()
}
