//! Answers for other programs.

use base::{Sources, Span};
use serde_json::{Value, json};

use super::{Answer, Answers, Description, Table, Told};

pub fn answers_json(answers: &Answers, sources: &Sources) -> Value {
    let all = |list: &[Told]| -> Vec<Value> { list.iter().map(|told| told_json(told, sources)).collect() };
    json!({
        "answers": answers.answers.iter().map(answer).collect::<Vec<_>>(),
        "tables": answers.tables.iter().map(table).collect::<Vec<_>>(),
        "models": answers.compositions.iter().map(|it| json!({
            "asked": it.asked,
            "kind": if it.differential { "differential" } else { "algebraic" },
            "unknowns": it.unknowns,
            "instances": it.laws.iter().map(|(law, count)| (law.clone(), json!(count))).collect::<serde_json::Map<_, _>>(),
        })).collect::<Vec<_>>(),
        "descriptions": answers.descriptions.iter().map(description).collect::<Vec<_>>(),
        "laws": all(&answers.laws),
        "assumptions": all(&answers.assumptions),
        "unused": all(&answers.unused),
        "tried": all(&answers.tried),
        "dead_ends": answers.dead_ends.iter().map(|it| json!({
            "asked": it.asked,
            "message": it.message,
            "unknowns": it.unknowns,
            "equations": it.equations,
            "suggestions": it.suggestions.iter().map(|it| json!({ "text": it.text, "reason": it.reason })).collect::<Vec<_>>(),
            "line": line(it.span, sources),
        })).collect::<Vec<_>>(),
        "notes": answers.notes,
    })
}

fn answer(it: &Answer) -> Value {
    json!({
        "asked": it.asked,
        "value": value(&it.value),
        "unit": it.unit,
        "stable": it.stable,
        "reason": it.undecided,
        "rate": it.rate,
        "reached": it.reached,
        "instant": it.instant,
        "when": if it.when.is_empty() { Value::Null } else { json!(it.when) },
        "complete": it.complete,
        "by": it.by,
        "unknowns": it.along.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>(),
        "sensitivity": it.sensitivity.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>(),
    })
}

fn description(it: &Description) -> Value {
    json!({
        "asked": it.name,
        "until": it.until,
        "remarks": it.remarks.iter().map(|remark| json!({
            "what": remark.what,
            "text": remark.text,
            "values": remark.values.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<serde_json::Map<_, _>>(),
        })).collect::<Vec<_>>(),
    })
}

/// A number, or the three of a vector.
fn value(columns: &[f64]) -> Value {
    match columns {
        [one] => json!(one),
        several => json!(several),
    }
}

fn table(it: &Table) -> Value {
    json!({
        "asked": it.asked,
        "for": it.parameter,
        "rows": it.rows.iter().map(|(at, answers)| json!({
            "at": at,
            "answers": answers.iter().map(answer).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn told_json(told: &Told, sources: &Sources) -> Value {
    json!({
        "name": told.name,
        "line": line(told.span, sources),
        "file": sources.get(told.span.source).name,
        "reason": told.reason,
        "margin": told.margin,
    })
}

fn line(span: Span, sources: &Sources) -> usize {
    sources.get(span.source).line_column(span.start as usize).0
}
