//! What editors show without being asked: colours, hints, folds; and the call that is being typed.

use editing::{Signature, Sort};
use serde_json::{Value, json};

use super::answer::{Answer, Asked};
use super::place;

/// The names of the protocol, by their numbers.
const SORTS: &[(Sort, &str)] = &[
    (Sort::Namespace, "namespace"),
    (Sort::Type, "type"),
    (Sort::Variable, "variable"),
    (Sort::Constant, "enumMember"),
    (Sort::Argument, "parameter"),
    (Sort::Property, "property"),
    (Sort::Function, "function"),
    (Sort::Event, "event"),
];

pub fn legend() -> Value {
    let names: Vec<&str> = SORTS.iter().map(|(_, name)| *name).collect();
    json!({ "tokenTypes": names, "tokenModifiers": ["declaration"] })
}

pub fn signature(asked: &Asked<'_>) -> Answer {
    let Some(found) = asked.document.reading().signature(asked.offset()) else { return Ok(Value::Null) };
    let Signature { written, meaning, arguments, active } = found;
    let arguments: Vec<Value> = arguments.into_iter().map(|argument| json!({ "label": argument })).collect();
    let signature = json!({ "label": written, "documentation": meaning, "parameters": arguments });
    Ok(json!({ "signatures": [signature], "activeSignature": 0, "activeParameter": active }))
}

pub fn hints(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let (from, to) = place::offsets(&asked.document.source, &asked.params["range"]);
    let here = reading.hints().into_iter().filter(|hint| (from..=to).contains(&hint.offset));
    Ok(here
        .map(|hint| json!({ "position": place::position(reading.text(), hint.offset), "label": hint.text, "kind": 1 }))
        .collect())
}

pub fn folds(asked: &Asked<'_>) -> Answer {
    let fold = |(first, last, comment): (usize, usize, bool)| {
        let mut fold = json!({ "startLine": first, "endLine": last });
        if comment {
            fold["kind"] = json!("comment");
        }
        fold
    };
    Ok(asked.document.reading().folds().into_iter().map(fold).collect())
}

/// Five numbers for each name: lines and columns since the one before, length, sort, whether it is declared here.
pub fn colours(asked: &Asked<'_>) -> Answer {
    let reading = asked.document.reading();
    let text = reading.text();
    let (mut data, mut last): (Vec<usize>, (usize, usize)) = (Vec::new(), (1, 1));
    for one in reading.colours() {
        let (start, end) = (text.utf16_place(one.span.start as usize), text.utf16_place(one.span.end as usize));
        // A token may not go over the end of a line.
        let Some(sort) = SORTS.iter().position(|(sort, _)| *sort == one.sort).filter(|_| start.0 == end.0) else {
            continue;
        };
        let column = if start.0 == last.0 { start.1 - last.1 } else { start.1 - 1 };
        data.extend([start.0 - last.0, column, end.1 - start.1, sort, usize::from(one.declared)]);
        last = start;
    }
    Ok(json!({ "data": data }))
}
