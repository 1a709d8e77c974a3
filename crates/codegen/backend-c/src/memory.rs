//! The record that holds a module's arrays, and how its elements are spoken of.

use std::fmt::Write;

use kernel::{Array, ArrayId, Module, Shape, Type, Usage, Value};

use crate::dialect::Dialect;
use crate::names::plain;

/// The name by which functions know the record.
pub const SELF: &str = "self";

pub fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Real => "double",
        Type::Integer => "int64_t",
    }
}

/// The declarations for the header: records for arrays whose elements have names, then the record of everything.
pub fn declarations(module: &Module, usage: &Usage) -> String {
    let mut text = String::new();
    for id in module.array_ids() {
        let shape = usage.shape(id);
        if matches!(shape, Shape::Record | Shape::IndexedRecord) && record_owner(module, usage, id) == id {
            record(module, module.array(id), shape, &mut text);
        }
    }
    push(&mut text, format_args!("typedef struct {} {{\n", module.name));
    for Field { id, name, kind, length } in fields(module, usage) {
        let note = &module.array(id).note;
        let note = if note.is_empty() { String::new() } else { format!(" /* {} */", comment(note)) };
        let length = length.map_or_else(String::new, |length| format!("[{length}]"));
        push(&mut text, format_args!("    {kind} {name}{length};{note}\n"));
    }
    push(&mut text, format_args!("}} {};\n", module.name));
    text
}

/// A field of the record of everything.
pub struct Field {
    pub id: ArrayId,
    pub name: String,
    /// The type of it, or of its elements.
    pub kind: String,
    /// Of a sequence.
    pub length: Option<usize>,
}

pub fn fields(module: &Module, usage: &Usage) -> Vec<Field> {
    let field = |id: ArrayId| {
        let array = module.array(id);
        let element = type_name(array.element).to_string();
        let (kind, length) = match usage.shape(id) {
            Shape::Absent | Shape::Constant => return None,
            Shape::Scalar => (element, None),
            Shape::Record | Shape::IndexedRecord => {
                (record_name(module, module.array(record_owner(module, usage, id))), None)
            }
            Shape::Sequence => (element, Some(array.length.max(1))),
        };
        Some(Field { id, name: plain(&array.name), kind, length })
    };
    module.array_ids().filter_map(field).collect()
}

/// Tables for arrays that never change.
pub fn tables(module: &Module, usage: &Usage, dialect: &Dialect) -> String {
    let mut text = String::new();
    for id in module.array_ids().filter(|&id| usage.shape(id) == Shape::Constant) {
        let Array { name, element, length, initial, note, .. } = module.array(id);
        let values: Vec<String> = initial.iter().flatten().map(|&value| constant(value)).collect();
        if !note.is_empty() {
            push(&mut text, format_args!("/* {} */\n", comment(note)));
        }
        push(&mut text, format_args!("{}{} {}[{length}] = {{\n", dialect.table, type_name(*element), plain(name)));
        push(&mut text, format_args!("    {}\n}};\n\n", values.join(", ")));
    }
    text
}

/// Statements that put the initial values into a record of zeros.
pub fn initial_values(module: &Module, usage: &Usage) -> String {
    let mut text = String::new();
    for id in module.array_ids().filter(|&id| !matches!(usage.shape(id), Shape::Absent | Shape::Constant)) {
        let values = module.array(id).initial.iter().flatten().enumerate();
        for (at, &value) in values.filter(|(_, value)| value.cell() != 0) {
            push(&mut text, format_args!("    {} = {};\n", element(module, usage, id, at), constant(value)));
        }
    }
    text
}

/// An element at a constant place, as functions speak of it.
pub fn element(module: &Module, usage: &Usage, id: ArrayId, at: usize) -> String {
    match usage.shape(id) {
        Shape::Constant => format!("{}[{at}]", plain(&module.array(id).name)),
        _ => format!("{SELF}->{}", member(module, usage, id, at)),
    }
}

/// The same as seen from the record.
pub fn member(module: &Module, usage: &Usage, id: ArrayId, at: usize) -> String {
    let array = module.array(id);
    let name = plain(&array.name);
    let slot = || array.slots.get(at).map_or_else(|| format!("slot{at}"), |slot| plain(&slot.name));
    match usage.shape(id) {
        Shape::Scalar => name,
        Shape::Record => format!("{name}.{}", slot()),
        Shape::IndexedRecord => format!("{name}.of.{}", slot()),
        _ => format!("{name}[{at}]"),
    }
}

/// What a computed index is applied to.
pub fn indexed(module: &Module, usage: &Usage, id: ArrayId) -> String {
    let name = plain(&module.array(id).name);
    match usage.shape(id) {
        Shape::Constant => name,
        Shape::IndexedRecord => format!("{SELF}->{name}.at"),
        _ => format!("{SELF}->{name}"),
    }
}

pub fn constant(value: Value) -> String {
    match value {
        Value::Integer(i64::MIN) => "INT64_MIN".to_string(),
        Value::Integer(value) if i32::try_from(value).is_ok() => value.to_string(),
        Value::Integer(value) => format!("INT64_C({value})"),
        Value::Real(value) if value.is_nan() => "NAN".to_string(),
        Value::Real(value) if value.is_infinite() => if value > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string(),
        Value::Real(value) => format!("{value:?}"),
    }
}

/// A text that ends no comment too early.
pub fn comment(text: &str) -> String {
    text.replace('\n', " ").replace("*/", "* /").replace("/*", "/ *")
}

/// The first array with the same names and the same form: all of these share one type.
fn record_owner(module: &Module, usage: &Usage, id: ArrayId) -> ArrayId {
    let array = module.array(id);
    let same = |other: &ArrayId| {
        usage.shape(*other) == usage.shape(id)
            && module.array(*other).slots == array.slots
            && other.element == id.element
    };
    module.array_ids().find(same).unwrap_or(id)
}

fn record_name(module: &Module, array: &Array) -> String {
    format!("{}_{}", module.name, array.name)
}

fn record(module: &Module, array: &Array, shape: Shape, text: &mut String) {
    let name = record_name(module, array);
    push(text, format_args!("/* {} */\n", comment(&array.note)));
    let (open, close, indentation) = match shape {
        Shape::IndexedRecord => (format!("typedef union {name} {{\n    struct {{\n"), "    } of;\n", "        "),
        _ => (format!("typedef struct {name} {{\n"), "", "    "),
    };
    text.push_str(&open);
    for slot in &array.slots {
        let note = if slot.note.is_empty() { String::new() } else { format!(" /* {} */", comment(&slot.note)) };
        push(text, format_args!("{indentation}{} {};{note}\n", type_name(array.element), plain(&slot.name)));
    }
    text.push_str(close);
    if shape == Shape::IndexedRecord {
        push(text, format_args!("    {} at[{}];\n", type_name(array.element), array.length));
    }
    push(text, format_args!("}} {name};\n\n"));
}

pub(crate) fn push(text: &mut String, piece: std::fmt::Arguments) {
    text.write_fmt(piece).expect("writing to a string cannot fail");
}
