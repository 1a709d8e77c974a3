//! The record that holds a module's arrays, and how its elements are spoken of.

use std::fmt::Write;

use kernel::{Array, ArrayId, Module, Shape, Type, Usage, Value, protocol};

use crate::names::{constant_name, plain, type_name};

pub fn kind_name(kind: Type) -> &'static str {
    match kind {
        Type::Real => "f64",
        Type::Integer => "i64",
    }
}

/// Types for arrays whose elements have names, then the type of everything.
pub fn declarations(module: &Module, usage: &Usage) -> String {
    let mut text = String::new();
    for id in module.array_ids().filter(|&id| owner(module, usage, id) == id) {
        match usage.shape(id) {
            Shape::Record => record(module.array(id), &mut text),
            Shape::IndexedRecord => places(module.array(id), &mut text),
            _ => {}
        }
    }
    push(
        &mut text,
        format_args!("/// The whole simulation; a copy of it is a saved state.\n#[derive(Clone, Debug, PartialEq)]\n"),
    );
    push(&mut text, format_args!("pub struct {} {{\n", type_name(&module.name)));
    for id in module.array_ids() {
        let array = module.array(id);
        let Some(kind) = field_type(module, usage, id) else { continue };
        document(&array.note, "    ", &mut text);
        if usage.shape(id) == Shape::IndexedRecord {
            let owner = plain(&module.array(owner(module, usage, id)).name);
            push(&mut text, format_args!("    /// See [`{owner}`] for what is where.\n"));
        }
        let visible =
            if array.slots.is_empty() && !protocol::CHANGING.contains(&array.name.as_str()) { "" } else { "pub " };
        push(&mut text, format_args!("    {visible}{}: {kind},\n", plain(&array.name)));
    }
    text.push_str("}\n");
    text
}

/// Constants for arrays that never change.
pub fn tables(module: &Module, usage: &Usage) -> String {
    let mut text = String::new();
    for id in module.array_ids().filter(|&id| usage.shape(id) == Shape::Constant) {
        let array = module.array(id);
        document(&array.note, "", &mut text);
        let (name, kind) = (constant_name(&array.name), kind_name(array.element));
        push(&mut text, format_args!("static {name}: [{kind}; {}] = [{}];\n\n", array.length, initial(array)));
    }
    text
}

/// The fields of a fresh record.
pub fn initial_fields(module: &Module, usage: &Usage) -> String {
    let mut text = String::new();
    for id in module.array_ids() {
        let array = module.array(id);
        let value =
            |at: usize| constant(array.initial.as_ref().map_or(Value::zero(array.element), |values| values[at]));
        let content = match usage.shape(id) {
            Shape::Absent | Shape::Constant => continue,
            Shape::Scalar => value(0),
            Shape::Record => {
                let slots = array.slots.iter().enumerate();
                let fields: Vec<String> =
                    slots.map(|(at, slot)| format!("{}: {}", plain(&slot.name), value(at))).collect();
                format!("{} {{ {} }}", type_name(&module.array(owner(module, usage, id)).name), fields.join(", "))
            }
            Shape::IndexedRecord | Shape::Sequence if array.initial.is_some() && array.length > 0 => {
                format!("[{}]", initial(array))
            }
            Shape::IndexedRecord | Shape::Sequence => {
                format!("[{}; {}]", constant(Value::zero(array.element)), array.length.max(1))
            }
        };
        push(&mut text, format_args!("            {}: {content},\n", plain(&array.name)));
    }
    text
}

/// An element at a constant place, as methods speak of it.
pub fn element(module: &Module, usage: &Usage, id: ArrayId, at: usize) -> String {
    let array = module.array(id);
    let name = plain(&array.name);
    let slot = || array.slots.get(at).map_or("", |slot| slot.name.as_str());
    match usage.shape(id) {
        Shape::Constant => format!("{}[{at}]", constant_name(&array.name)),
        Shape::Scalar => format!("self.{name}"),
        Shape::Record => format!("self.{name}.{}", plain(slot())),
        Shape::IndexedRecord => {
            let owner = plain(&module.array(owner(module, usage, id)).name);
            format!("self.{name}[{owner}::{}]", place_name(array, slot()))
        }
        _ => format!("self.{name}[{at}]"),
    }
}

/// What a computed index is applied to.
pub fn indexed(module: &Module, usage: &Usage, id: ArrayId) -> String {
    let name = &module.array(id).name;
    match usage.shape(id) {
        Shape::Constant => constant_name(name),
        _ => format!("self.{}", plain(name)),
    }
}

pub fn constant(value: Value) -> String {
    match value {
        Value::Integer(i64::MIN) => "i64::MIN".to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) if value.is_nan() => "f64::NAN".to_string(),
        Value::Real(f64::INFINITY) => "f64::INFINITY".to_string(),
        Value::Real(f64::NEG_INFINITY) => "f64::NEG_INFINITY".to_string(),
        Value::Real(value) => format!("{value:?}"),
    }
}

/// Lines of documentation.
pub fn document(note: &str, indentation: &str, text: &mut String) {
    for line in note.lines() {
        // Brackets are links in documentation, and units are written in brackets.
        let line = line.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<");
        push(text, format_args!("{indentation}/// {line}\n"));
    }
}

fn initial(array: &Array) -> String {
    let values: Vec<String> = array.initial.iter().flatten().map(|&value| constant(value)).collect();
    values.join(", ")
}

/// The first array with the same names and the same form: all of these share one type.
fn owner(module: &Module, usage: &Usage, id: ArrayId) -> ArrayId {
    let array = module.array(id);
    let same = |other: &ArrayId| {
        usage.shape(*other) == usage.shape(id)
            && module.array(*other).slots == array.slots
            && other.element == id.element
    };
    if array.slots.is_empty() { id } else { module.array_ids().find(same).unwrap_or(id) }
}

fn field_type(module: &Module, usage: &Usage, id: ArrayId) -> Option<String> {
    let array = module.array(id);
    let kind = kind_name(array.element);
    match usage.shape(id) {
        Shape::Absent | Shape::Constant => None,
        Shape::Scalar => Some(kind.to_string()),
        Shape::Record => Some(type_name(&module.array(owner(module, usage, id)).name)),
        Shape::IndexedRecord | Shape::Sequence => Some(format!("[{kind}; {}]", array.length.max(1))),
    }
}

fn record(array: &Array, text: &mut String) {
    document(&array.note, "", text);
    push(text, format_args!("#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {} {{\n", type_name(&array.name)));
    for slot in &array.slots {
        document(&slot.note, "    ", text);
        push(text, format_args!("    pub {}: {},\n", plain(&slot.name), kind_name(array.element)));
    }
    text.push_str("}\n\n");
}

/// The places of named elements in an array.
fn places(array: &Array, text: &mut String) {
    push(text, format_args!("/// The places of quantities in arrays such as `{}`.\n", array.name));
    push(text, format_args!("pub mod {} {{\n", plain(&array.name)));
    for (at, slot) in array.slots.iter().enumerate() {
        document(&slot.note, "    ", text);
        push(text, format_args!("    pub const {}: usize = {at};\n", place_name(array, &slot.name)));
    }
    text.push_str("}\n\n");
}

/// `angle` as the name of a place, `ANGLE`; as it is where another quantity is called that.
fn place_name(array: &Array, name: &str) -> String {
    let wish = constant_name(name);
    let taken = array.slots.iter().any(|slot| slot.name != name && plain(&slot.name) == wish);
    if taken { plain(name) } else { wish }
}

pub(crate) fn push(text: &mut String, piece: std::fmt::Arguments) {
    text.write_fmt(piece).expect("writing to a string cannot fail");
}
