//! Answers to what editors ask.

use std::collections::HashMap;

use base::{Diagnostics, SourceId};
use editing::{Edit, Entry, Outlined, Reading, Role};
use serde_json::{Map, Value, json};

use super::document::Document;
use super::{folder, place, seen};

pub enum Refusal {
    /// No such question.
    Unknown,
    Because(String),
}

pub fn answer(method: &str, params: &Value, open: &HashMap<String, Document>) -> Result<Value, Refusal> {
    let question = match method {
        "textDocument/hover" => hover,
        "textDocument/completion" => completion,
        "textDocument/definition" => definition,
        "textDocument/references" => references,
        "textDocument/documentHighlight" => highlight,
        "textDocument/prepareRename" => prepare_rename,
        "textDocument/rename" => rename,
        "textDocument/formatting" => formatting,
        "textDocument/documentSymbol" => symbols,
        "textDocument/codeAction" => actions,
        "textDocument/signatureHelp" => seen::signature,
        "textDocument/inlayHint" => seen::hints,
        "textDocument/foldingRange" => seen::folds,
        "textDocument/semanticTokens/full" => seen::colours,
        _ => return Err(Refusal::Unknown),
    };
    let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
    match open.get(uri) {
        Some(document) => question(&Asked { document, params, open }),
        None => Ok(Value::Null),
    }
}

pub struct Asked<'a> {
    pub document: &'a Document,
    pub params: &'a Value,
    open: &'a HashMap<String, Document>,
}

impl Asked<'_> {
    pub fn offset(&self) -> usize {
        place::offset(&self.document.source, &self.params["position"])
    }
}

pub type Answer = Result<Value, Refusal>;

fn hover(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    Ok(reading.hover(asked.offset()).map_or(Value::Null, |hover| {
        let mut text = explained(&hover.entry);
        if !hover.facts.is_empty() {
            text.push_str(&format!("\n\n{}", hover.facts.join(" · ")));
        }
        json!({ "contents": { "kind": "markdown", "value": text }, "range": place::range(&reading.sources, hover.span) })
    }))
}

/// An entry in Markdown.
fn explained(entry: &Entry) -> String {
    let Entry { what, written, meaning, .. } = entry;
    let meaning = if meaning.is_empty() { String::new() } else { format!(": {meaning}") };
    format!("```ansatz\n{written}\n```\n*{what}*{meaning}")
}

fn completion(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let offset = asked.offset();
    let found = reading.complete(offset);
    let text = reading.text();
    let range = json!({ "start": place::position(text, found.from), "end": place::position(text, offset) });
    let items = found.list.iter().enumerate().map(|(at, entry)| {
        json!({
            "label": entry.label,
            "kind": completion_kind(entry.what),
            "detail": entry.what,
            "documentation": { "kind": "markdown", "value": explained(entry) },
            "sortText": format!("{at:05}"),
            "textEdit": { "range": range, "newText": entry.label },
        })
    });
    Ok(json!({ "isIncomplete": false, "items": items.collect::<Vec<_>>() }))
}

/// By the numbers of the protocol.
fn completion_kind(what: &str) -> u8 {
    match what {
        "function" => 3,
        "quantity of a frame" | "component" => 5,
        "kind" | "connection" | "frame" | "body" | "thing" | "figure" | "shape" => 7,
        "theory" => 9,
        "property of frames" | "property of bodies" => 10,
        "unit" => 11,
        "statement" | "word" | "effect" | "domain" => 14,
        "colour" => 16,
        "value of a mode" => 20,
        "parameter" => 21,
        _ => 6,
    }
}

fn location(asked: &Asked<'_>, reading: &Reading, span: base::Span) -> Option<Value> {
    let uri = folder::address(asked.document, &reading.file(span.source))?;
    Some(json!({ "uri": uri, "range": place::range(&reading.sources, span) }))
}

fn definition(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let found = reading.definition(asked.offset());
    Ok(found.and_then(|span| location(asked, &reading, span)).unwrap_or(Value::Null))
}

fn references(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let offset = asked.offset();
    let declared = reading.definition(offset);
    let with_declaration = asked.params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
    let own = reading.uses(offset);
    let own = own.into_iter().filter(|span| with_declaration || Some(*span) != declared);
    let mut list: Vec<Value> = own.filter_map(|span| location(asked, &reading, span)).collect();
    for (uri, other, spans) in elsewhere(asked, &reading, offset) {
        for span in spans {
            let one = json!({ "uri": uri, "range": place::range(&other.sources, span) });
            if !list.contains(&one) {
                list.push(one);
            }
        }
    }
    Ok(Value::Array(list))
}

fn elsewhere(asked: &Asked<'_>, reading: &Reading, offset: usize) -> Vec<(String, Reading, Vec<base::Span>)> {
    match reading.definition(offset) {
        Some(span) if !reading.uses(offset).is_empty() => {
            let file = reading.file(span.source);
            folder::uses_elsewhere(asked.document, &file, span.start as usize, asked.open)
        }
        _ => Vec::new(),
    }
}

fn highlight(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let here = reading.uses(asked.offset()).into_iter().filter(|span| span.source == SourceId(0));
    Ok(here.map(|span| json!({ "range": place::range(&reading.sources, span) })).collect())
}

fn prepare_rename(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let span = reading.renamed(asked.offset()).map_err(Refusal::Because)?;
    Ok(json!({ "range": place::range(&reading.sources, span), "placeholder": reading.sources.text(span) }))
}

fn rename(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let new = asked.params["newName"].as_str().unwrap_or_default();
    let edits = reading.rename(asked.offset(), new).map_err(Refusal::Because)?;
    let mut changes: Map<String, Value> = Map::new();
    let mut add = |uri: String, edit: Value| {
        let list = changes.entry(uri).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list
            && !list.contains(&edit)
        {
            list.push(edit);
        }
    };
    for Edit { span, text } in edits {
        if let Some(uri) = folder::address(asked.document, &reading.file(span.source)) {
            add(uri, json!({ "range": place::range(&reading.sources, span), "newText": text }));
        }
    }
    for (uri, other, spans) in elsewhere(asked, &reading, asked.offset()) {
        for span in spans {
            add(uri.clone(), json!({ "range": place::range(&other.sources, span), "newText": new }));
        }
    }
    Ok(json!({ "changes": changes }))
}

fn formatting(asked: &Asked<'_>) -> Answer {
    let source = &asked.document.source;
    let formatted: Result<String, Diagnostics> = driver::format(SourceId(0), &source.text);
    Ok(match formatted {
        Ok(text) if text != source.text => json!([{ "range": place::whole(source), "newText": text }]),
        // A text with errors is best left as it is; the errors have been told.
        _ => json!([]),
    })
}

fn symbols(asked: &Asked<'_>) -> Answer {
    fn symbol(one: &Outlined, reading: &Reading) -> Value {
        let inside: Vec<Value> = one.inside.iter().map(|one| symbol(one, reading)).collect();
        json!({
            "name": one.name,
            "detail": one.role.word(),
            "kind": symbol_kind(one.role),
            "range": place::range(&reading.sources, one.statement),
            "selectionRange": place::range(&reading.sources, one.span),
            "children": inside,
        })
    }
    let reading = asked.document.reading();
    Ok(reading.outline().iter().map(|one| symbol(one, &reading)).collect())
}

/// By the numbers of the protocol.
fn symbol_kind(role: Role) -> u8 {
    match role {
        Role::Scene | Role::Theory => 2,
        Role::Kind | Role::Connection => 5,
        Role::Quantity => 8,
        Role::Mode => 10,
        Role::Law => 11,
        Role::Function => 12,
        Role::Parameter => 14,
        Role::Frame | Role::Body | Role::Thing => 19,
        Role::ModeValue => 22,
        Role::Transition | Role::Sequence | Role::Plan => 24,
        Role::Label | Role::Claim => 25,
        _ => 13,
    }
}

/// What a diagnostic's hints say can be carried out.
fn actions(asked: &Asked<'_>) -> Answer {
    let diagnostics = asked.params["context"]["diagnostics"].as_array().into_iter().flatten();
    let actions = diagnostics.flat_map(|diagnostic| {
        let fixes = diagnostic["data"]["fixes"].as_array().cloned().unwrap_or_default();
        // Where there are two readings, neither is preferred.
        let preferred = fixes.len() == 1;
        fixes.into_iter().map(move |fix| {
            json!({
                "title": fix["title"],
                "kind": "quickfix",
                "diagnostics": [diagnostic],
                "isPreferred": preferred,
                "edit": { "changes": { asked.document.uri.as_str(): [fix["edit"]] } },
            })
        })
    });
    Ok(actions.collect())
}
