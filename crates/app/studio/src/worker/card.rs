//! The card of a scene: what its questions have for answers, and what these rest on.

use std::path::Path;

use base::{SourceId, Sources};
use driver::{Answers, Asking, Options, Settings, Told, ask, told_answer};

use crate::describe::Places;
use crate::protocol::{Card, DeadEnd, Found, FoundTable, Ground, Label, Question, Suggestion, Theory};

pub fn card(question: &Question, folder: &Path) -> Card {
    let options = Options { folder: Some(folder.to_path_buf()), ..Options::default() };
    let settings = Settings { parameters: question.settings.clone(), ..Settings::default() };
    let asking = Asking {
        name: &question.path,
        text: &question.source,
        options: &options,
        settings: &settings,
        without: &question.without,
        progress: &|_, _| {},
    };
    let reply = ask(&asking);
    match &reply.answers {
        Some(answers) => told(answers, &reply.sources),
        None => {
            let trouble = reply.diagnostics.sorted().iter().map(|found| found.message.clone()).collect();
            Card { trouble, ..Card::default() }
        }
    }
}

fn told(answers: &Answers, sources: &Sources) -> Card {
    let grounds = |list: &[Told]| list.iter().map(|it| ground(it, sources)).collect();
    let found = answers.answers.iter().map(|answer| {
        let (value, about) = told_answer(answer);
        Found { asked: answer.asked.clone(), value, about, reached: answer.reached == Some(true) }
    });
    let described = answers.descriptions.iter().map(|it| Found {
        asked: it.name.clone(),
        value: it.remarks.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>().join("; "),
        about: it.over(),
        reached: false,
    });
    let tables = answers.tables.iter().map(|table| FoundTable {
        head: table.head(),
        rows: table.rows.iter().map(|(at, answers)| table.row(*at, answers)).collect(),
    });
    let dead_ends = answers.dead_ends.iter().map(|it| dead_end(it, sources));
    Card {
        answers: found.chain(described).collect(),
        tables: tables.collect(),
        dead_ends: dead_ends.collect(),
        notes: answers.models().into_iter().chain(answers.notes.iter().cloned()).collect(),
        laws: grounds(&answers.laws),
        assumptions: grounds(&answers.assumptions),
        unused: grounds(&answers.unused),
        tried: grounds(&answers.tried),
        trouble: Vec::new(),
    }
}

fn ground(told: &Told, sources: &Sources) -> Ground {
    let source = sources.get(told.span.source);
    let theory = (told.span.source != SourceId(0)).then(|| {
        let name = Path::new(&source.name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Theory { name, source: source.text.clone() }
    });
    Ground {
        name: told.name.clone(),
        reason: told.reason.clone(),
        span: Places::of_text(sources, told.span.source).span(told.span),
        theory,
        optional: told.of_scene,
    }
}

fn dead_end(found: &driver::DeadEnd, sources: &Sources) -> DeadEnd {
    let places = Places::of_scene(sources);
    let written = sources.text(found.span);
    let suggestions = found.suggestions.iter().map(|(text, reason)| {
        let edit = edit(text, written).map(|(at, text)| {
            let at = found.span.start as usize + at;
            Label { span: places.span(base::Span::new(found.span.source, at, at)), text }
        });
        Suggestion { text: text.clone(), reason: reason.clone(), edits: edit.into_iter().collect() }
    });
    DeadEnd { message: found.message.clone(), span: places.span(found.span), suggestions: suggestions.collect() }
}

/// Where in the question something is to be written, and what: an assumption stands before it, what is given within it.
fn edit(suggestion: &str, question: &str) -> Option<(usize, String)> {
    if suggestion.starts_with("assume ") {
        return Some((0, format!("{suggestion}\n")));
    }
    let given = suggestion.strip_prefix("given ")?;
    if let Some(at) = question.find(" given ") {
        return Some((at + " given ".len(), format!("{given}, ")));
    }
    let end = question.find(" for ").unwrap_or(question.trim_end().len());
    Some((end, format!(" given {given}")))
}

#[cfg(test)]
mod tests {
    use super::edit;

    #[test]
    fn what_is_suggested_is_written_where_it_belongs() {
        let put = |suggestion: &str, question: &str| {
            let (at, text) = edit(suggestion, question)?;
            Some(format!("{}{text}{}", &question[..at], &question[at..]))
        };
        assert_eq!(put("assume a: x == y", "find x").as_deref(), Some("assume a: x == y\nfind x"));
        assert_eq!(put("given y == 1", "find x").as_deref(), Some("find x given y == 1"));
        assert_eq!(put("given y == 1", "find x given steady(b)").as_deref(), Some("find x given y == 1, steady(b)"));
        assert_eq!(put("given y == 1", "find x for p in 1..2").as_deref(), Some("find x given y == 1 for p in 1..2"));
        assert_eq!(put("law lift(s)", "find x"), None, "no statement");
    }
}
