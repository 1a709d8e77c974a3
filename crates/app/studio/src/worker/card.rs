//! The card of a scene: what its questions have for answers, and what these rest on.

use std::path::Path;

use base::{SourceId, Sources};
use driver::{Answers, Asking, Options, Settings, Told, Way, ask, told_answer};

use crate::describe::Places;
use crate::protocol::{
    Card, DeadEnd, DescribedMotion, Found, FoundCurve, FoundPiece, FoundTable, Ground, Label, Question, Suggestion,
    Theory,
};

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
    let described = answers.descriptions.iter().map(|it| DescribedMotion {
        name: it.name.clone(),
        over: it.over(),
        remarks: it.remarks.iter().map(|remark| remark.text.clone()).collect(),
    });
    let tables = answers.tables.iter().map(|table| FoundTable {
        head: table.head(),
        rows: table.rows.iter().map(|(at, answers)| table.row(*at, answers)).collect(),
        curves: table.curves().into_iter().map(curve).collect(),
    });
    let dead_ends = answers.dead_ends.iter().map(|it| dead_end(it, sources));
    Card {
        answers: found.collect(),
        motions: described.collect(),
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

fn curve(found: driver::Curve) -> FoundCurve {
    let unit = if found.unit.text == "1" { String::new() } else { format!(" [{}]", found.unit.text) };
    let piece = |piece: driver::Piece| {
        let unstable = piece.is_unstable();
        let (at, values) = piece.points.into_iter().unzip();
        FoundPiece { unstable, at, values }
    };
    FoundCurve { name: format!("{}{unit}", found.asked), pieces: found.pieces.into_iter().map(piece).collect() }
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
    let whole = &sources.get(found.span.source).text;
    let suggestions = found.suggestions.iter().map(|it| {
        let start = found.span.start as usize;
        let inserted = edit(it, written).map(|(at, text)| (start + at..start + at, text));
        let edit = inserted.or_else(|| dropped(&it.text, whole).map(|range| (range, String::new())));
        let label = edit.map(|(range, text)| Label {
            span: places.span(base::Span::new(found.span.source, range.start, range.end)),
            text,
        });
        Suggestion { text: it.text.clone(), reason: it.reason.clone(), edits: label.into_iter().collect() }
    });
    DeadEnd { message: found.message.clone(), span: places.span(found.span), suggestions: suggestions.collect() }
}

/// Where in the question something is to be written, and what: an assumption, a law or a connection stands before it, what is given within it.
fn edit(suggestion: &driver::Suggestion, question: &str) -> Option<(usize, String)> {
    let text = &suggestion.text;
    if text.starts_with("assume ") || (suggestion.way == Way::Library && !text.is_empty()) {
        return Some((0, format!("{text}\n")));
    }
    let given = text.strip_prefix("given ")?;
    if let Some(at) = question.find(" given ") {
        return Some((at + " given ".len(), format!("{given}, ")));
    }
    let end = question.find(" for ").unwrap_or(question.trim_end().len());
    Some((end, format!(" given {given}")))
}

/// The line of a statement that is to be dropped, if it stands alone.
fn dropped(suggestion: &str, text: &str) -> Option<std::ops::Range<usize>> {
    let statement = suggestion.strip_prefix("drop ")?;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim() == statement {
            return Some(start..start + line.len());
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use driver::{Suggestion, Way};

    use super::{dropped, edit};

    #[test]
    fn what_is_suggested_is_written_where_it_belongs() {
        let put = |suggestion: &str, question: &str| {
            let way = if suggestion.starts_with("law ") { Way::Library } else { Way::Given };
            let suggestion = Suggestion { way, text: suggestion.to_string(), reason: String::new() };
            let (at, text) = edit(&suggestion, question)?;
            Some(format!("{}{text}{}", &question[..at], &question[at..]))
        };
        assert_eq!(put("assume a: x == y", "find x").as_deref(), Some("assume a: x == y\nfind x"));
        assert_eq!(put("given y == 1", "find x").as_deref(), Some("find x given y == 1"));
        assert_eq!(put("given y == 1", "find x given steady(b)").as_deref(), Some("find x given y == 1, steady(b)"));
        assert_eq!(put("given y == 1", "find x for p in 1..2").as_deref(), Some("find x given y == 1 for p in 1..2"));
        assert_eq!(
            put("law a for p: part { p.x == 1 }", "find x").as_deref(),
            Some("law a for p: part { p.x == 1 }\nfind x")
        );
        assert_eq!(put("", "find x"), None, "no statement");
        assert_eq!(dropped("drop neglect drag", "a\n  neglect drag\nfind x"), Some(2..17));
        assert_eq!(dropped("drop neglect drag", "neglect drag, lift\n"), None, "it leaves out more");
    }
}
