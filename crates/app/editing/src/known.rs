//! What the language knows by itself, with what it means: the tables of the compiler, as an editor offers and explains them.

use base::{UNITS, Unit};
use model::{
    BUILT_INS, COLORS, CONTACT_FIELDS, CONTACT_PROPERTIES, FIGURES, FRAME_FIELDS, PROPERTIES, SCENE_QUANTITIES, SHAPES,
    Shape, Type,
};
use syntax::KEYWORDS;

use driver::library::LIBRARY;

/// Something to offer or to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub label: String,
    /// What it is, in a word or two.
    pub what: &'static str,
    /// How it is written.
    pub written: String,
    pub meaning: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    Statement,
    Word,
    Function,
    FrameField,
    SceneQuantity,
    Property,
    /// In the braces of `contact`.
    ContactProperty,
    /// Of `contact(a, b)`.
    ContactField,
    Figure,
    Shape,
    Unit,
    Component,
    Theory,
    Color,
}

pub fn is_known(table: Table, word: &str) -> bool {
    entry(table, word).is_some()
}

pub fn entry(table: Table, word: &str) -> Option<Entry> {
    match table {
        Table::Unit => unit(word),
        _ => entries(table).into_iter().find(|entry| entry.label == word),
    }
}

// Long: one arm for each table of words.
pub fn entries(table: Table) -> Vec<Entry> {
    let one = |label: &str, what, written: String, meaning: &str| Entry {
        label: label.to_string(),
        what,
        written,
        meaning: meaning.to_string(),
    };
    match table {
        Table::Statement | Table::Word => {
            let wanted = KEYWORDS.iter().filter(|row| row.begins_statement() == (table == Table::Statement));
            let what = if table == Table::Statement { "statement" } else { "word" };
            wanted.map(|row| one(row.word, what, row.example.to_string(), row.meaning)).collect()
        }
        Table::Function => {
            let built_in =
                BUILT_INS.iter().map(|row| one(row.name, "function", call(row.name, row.arguments), row.meaning));
            let operators = expr::OPERATORS.iter().filter(|row| row.is_function());
            let operators = operators.map(|row| {
                let undefined = match row.undefined {
                    "" => String::new(),
                    place => format!("; undefined where {place}"),
                };
                one(row.name, "function", call(row.name, row.arguments), &format!("{}{undefined}", row.meaning))
            });
            let sum = "sum over all things of a kind or all members of a list";
            let sum = one("sum", "function", "sum(x for a in list if condition)".to_string(), sum);
            built_in.chain(operators).chain([sum]).collect()
        }
        Table::FrameField => {
            let fields = FRAME_FIELDS.iter();
            fields.map(|row| one(row.name, "quantity of a frame", typed(row.name, row.type_), row.meaning)).collect()
        }
        Table::SceneQuantity => {
            let rows = SCENE_QUANTITIES.iter();
            let world = one("world", "frame", "world".to_string(), "the frame that everything is placed in");
            rows.map(|row| one(row.name, "quantity of the scene", typed(row.name, row.type_), row.meaning))
                .chain([world])
                .collect()
        }
        Table::Property => {
            let rows = PROPERTIES.iter();
            rows.map(|row| {
                let what = if row.bodies_only { "property of bodies" } else { "property of frames" };
                one(row.name, what, format!("{} = …", row.name), row.meaning)
            })
            .collect()
        }
        Table::ContactProperty => {
            let written = |name: &str| if name == "together" { name.to_string() } else { format!("{name} = …") };
            let rows = CONTACT_PROPERTIES.iter();
            rows.map(|row| one(row.name, "property of contacts", written(row.name), row.meaning)).collect()
        }
        Table::ContactField => {
            let rows = CONTACT_FIELDS.iter();
            rows.map(|row| one(row.name, "quantity of a contact", typed(row.name, row.type_), row.meaning)).collect()
        }
        Table::Figure => {
            let names = |row: &model::FigureRow| row.arguments.iter().map(|one| one.name).collect::<Vec<_>>();
            FIGURES.iter().map(|row| one(row.name, "figure", call(row.name, &names(row)), row.meaning)).collect()
        }
        Table::Shape => {
            SHAPES.iter().map(|row| one(row.name, "shape", call(row.name, row.arguments), row.meaning)).collect()
        }
        Table::Unit => UNITS.iter().map(|row| one(row.name, "unit", format!("[{}]", row.name), row.meaning)).collect(),
        Table::Component => {
            let axes = [("x", "first"), ("y", "second"), ("z", "third"), ("w", "real")];
            let component = |(axis, which): (&str, &str)| {
                one(axis, "component", format!("v.{axis}"), &format!("the {which} component, along the world's axes"))
            };
            axes.into_iter().map(component).collect()
        }
        Table::Theory => {
            let about = |text: &str| {
                text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default().to_string()
            };
            LIBRARY.iter().map(|(name, text)| one(name, "theory", format!("use {name}"), &about(text))).collect()
        }
        Table::Color => {
            COLORS.iter().map(|(color, _)| one(color, "colour", format!("color \"{color}\""), "")).collect()
        }
    }
}

fn call(name: &str, arguments: &[&str]) -> String {
    format!("{name}({})", arguments.join(", "))
}

fn typed(name: &str, type_: Type) -> String {
    if name == "bodies" { name.to_string() } else { format!("{name}: {}", in_words(type_)) }
}

/// `vector [m/s]`
pub fn in_words(type_: Type) -> String {
    let shape = match type_.shape {
        Shape::Scalar => "number",
        Shape::Vector => "vector",
        Shape::Matrix => "matrix",
        Shape::Quaternion => "quaternion",
        Shape::Condition => "condition",
    };
    let dimension = type_.amount.dimension();
    if dimension.is_none() { shape.to_string() } else { format!("{shape} [{}]", dimension.unit()) }
}

/// A unit, perhaps with a prefix.
fn unit(word: &str) -> Option<Entry> {
    let unit = Unit::parse(word).ok()?;
    let row = UNITS.iter().find(|row| row.name == word);
    let size = match (unit.scale, unit.dimension.is_none()) {
        (1.0, true) => String::new(),
        (scale, true) => format!("{scale}"),
        (scale, false) => format!("{scale} {}", unit.dimension.unit()),
    };
    let words: Vec<String> =
        [row.map(|row| row.meaning.to_string()), unit.dimension.word().map(|word| format!("a {word}"))]
            .into_iter()
            .flatten()
            .collect();
    let written = if size.is_empty() { format!("[{word}]") } else { format!("[{word}] = {size}") };
    Some(Entry { label: word.to_string(), what: "unit", written, meaning: words.join(", ") })
}
