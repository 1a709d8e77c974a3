//! Places as the protocol has them: lines and UTF-16 code units, both from zero.

use base::{Source, Sources, Span};
use serde_json::{Value, json};

pub fn position(source: &Source, offset: usize) -> Value {
    let (line, column) = source.utf16_place(offset);
    json!({ "line": line - 1, "character": column - 1 })
}

pub fn range(sources: &Sources, span: Span) -> Value {
    let source = sources.get(span.source);
    json!({ "start": position(source, span.start as usize), "end": position(source, span.end as usize) })
}

pub fn whole(source: &Source) -> Value {
    json!({ "start": position(source, 0), "end": position(source, source.text.len()) })
}

pub fn offset(source: &Source, position: &Value) -> usize {
    let number = |name: &str| position[name].as_u64().unwrap_or(0).min(u32::MAX as u64) as usize;
    source.utf16_offset(number("line") + 1, number("character") + 1)
}

pub fn offsets(source: &Source, range: &Value) -> (usize, usize) {
    (offset(source, &range["start"]), offset(source, &range["end"]))
}
