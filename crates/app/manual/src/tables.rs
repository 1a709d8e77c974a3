//! The tables of the manual, from those that the compiler itself uses.

use crate::library;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end -->";

/// A text with its tables made anew. A table that is not one of [`table()`] is what `given` says.
pub fn fill(text: &str, given: impl Fn(&str) -> Option<String>) -> String {
    let mut pieces = text.split(BEGIN);
    let mut filled = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let parts = piece.split_once(" -->\n").and_then(|(name, rest)| Some((name, rest, rest.split_once(END)?.1)));
        let Some((name, _, after)) = parts else { continue };
        let table = table(name).or_else(|| given(name)).unwrap_or_default();
        filled.push_str(&format!("{BEGIN}{name} -->\n{table}{END}{after}"));
    }
    filled
}

/// The rows of a table in Markdown.
// Long: one arm for each table of the manual.
pub fn table(name: &str) -> Option<String> {
    let keywords = |wanted: fn(&syntax::Keyword) -> bool| -> Vec<[String; 3]> {
        let rows = syntax::KEYWORDS.iter().filter(|row| wanted(row));
        rows.map(|row| [code(row.word), row.meaning.to_string(), code(row.example)]).collect()
    };
    let table = match name {
        "statements" => markdown(["word", "meaning", "example"], keywords(|row| row.begins_statement())),
        "words" => markdown(["word", "meaning", "example"], keywords(|row| !row.begins_statement())),
        "properties" => {
            let of = |bodies_only: bool| if bodies_only { "bodies" } else { "frames and bodies" };
            let rows = model::PROPERTIES.iter();
            let rows = rows.map(|row| [code(row.name), of(row.bodies_only).to_string(), row.meaning.to_string()]);
            markdown(["property", "of", "meaning"], rows)
        }
        "shapes" => {
            let rows = model::SHAPES.iter();
            markdown(["shape", "meaning"], rows.map(|row| [call(row.name, row.arguments), row.meaning.to_string()]))
        }
        "figures" => {
            let rows = model::FIGURES.iter();
            let names = |row: &model::FigureRow| row.arguments.iter().map(|argument| argument.name).collect::<Vec<_>>();
            markdown(["figure", "meaning"], rows.map(|row| [call(row.name, &names(row)), row.meaning.to_string()]))
        }
        "frames" => {
            let rows = model::FRAME_FIELDS.iter();
            let rows = rows.map(|row| [code(&format!("f.{}", row.name)), kind(row.type_), row.meaning.to_string()]);
            markdown(["quantity", "kind", "meaning"], rows)
        }
        "contact" => {
            let rows = model::CONTACT_PROPERTIES.iter();
            markdown(["property", "meaning"], rows.map(|row| [code(row.name), row.meaning.to_string()]))
        }
        "contacts" => {
            let rows = model::CONTACT_FIELDS.iter().map(|row| {
                let kind = if row.name == "state" { "word".to_string() } else { kind(row.type_) };
                [code(&format!("contact(a, b).{}", row.name)), kind, row.meaning.to_string()]
            });
            markdown(["quantity", "kind", "meaning"], rows)
        }
        "scene" => {
            let rows = model::SCENE_QUANTITIES.iter().map(|row| {
                let kind = if row.name == "bodies" { "list".to_string() } else { kind(row.type_) };
                [code(row.name), kind, row.meaning.to_string()]
            });
            markdown(["quantity", "kind", "meaning"], rows)
        }
        "functions" => {
            let built_in = model::BUILT_INS.iter();
            let built_in = built_in.map(|row| [call(row.name, row.arguments), row.meaning.to_string(), String::new()]);
            let operators = expr::OPERATORS.iter().filter(|row| row.is_function());
            let operators = operators
                .map(|row| [call(row.name, row.arguments), row.meaning.to_string(), row.undefined.replace('|', "\\|")]);
            markdown(["function", "meaning", "undefined where"], built_in.chain(operators))
        }
        "units" => {
            let prefixed = |prefixed: bool| if prefixed { "*p*" } else { "" };
            let rows = base::UNITS.iter();
            let rows = rows.map(|row| [code(row.name), prefixed(row.prefixed).to_string(), row.meaning.to_string()]);
            markdown(["unit", "", "meaning"], rows)
        }
        "errors" => {
            let rows = driver::PAGES.iter();
            let link = |code: &str| format!("[`{code}`](../errors/{code}.md)");
            markdown(["code", "meaning"], rows.map(|page| [link(page.code), meaning(page.text).to_string()]))
        }
        "library" => driver::library::LIBRARY.iter().map(|(name, text)| theory(name, text)).collect(),
        _ => return None,
    };
    Some(table)
}

/// The first sentence of the page of a diagnostic.
fn meaning(page: &str) -> &str {
    page.lines().nth(2).unwrap_or_default()
}

/// What a theory of the library declares.
fn theory(name: &str, text: &str) -> String {
    let (about, declarations) = library::theory(text);
    let rows = declarations.into_iter().map(|one| [code(&one.head), one.meaning]);
    let table = markdown(["declaration", "meaning"], rows);
    format!("\n## {name}\n\n{about} [Its text](../../library/{name}.anz).\n\n{table}\n")
}

fn markdown<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(N));
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    line(&head.map(str::to_string)) + &rule + &rows
}

/// A bar would end the cell, even inside code.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn call(name: &str, arguments: &[&str]) -> String {
    code(&format!("{name}({})", arguments.join(", ")))
}

fn kind(type_: model::Type) -> String {
    let shape = match type_.shape {
        model::Shape::Vector => "vector",
        model::Shape::Matrix => "matrix",
        model::Shape::Quaternion => "quaternion",
        model::Shape::Scalar | model::Shape::Condition => "number",
    };
    let dimension = type_.amount.dimension();
    if dimension.is_none() { shape.to_string() } else { format!("{shape} [{}]", dimension.unit()) }
}
