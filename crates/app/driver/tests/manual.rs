//! The manual tells the truth: its scenes run, and its tables are those of the compiler.
//!
//! `ANSATZ_BLESS=1 cargo test -p driver --test manual` writes the tables anew.

use std::path::{Path, PathBuf};

use driver::{Options, Run, Settings, compile};
use expr::Operator;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/language.md")
}

fn manual() -> String {
    std::fs::read_to_string(path()).expect("the manual")
}

#[test]
fn every_scene_runs() {
    let manual = manual();
    let scenes: Vec<&str> = manual.split("```ansatz\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert!(scenes.len() > 5, "the scenes of the manual were not found");
    let options = Options::default();
    for scene in scenes {
        let compilation = compile("manual", scene, &options);
        assert!(compilation.diagnostics.is_empty(), "{scene}\n{:#?}", compilation.diagnostics);
        let run = Run { until: 2.0, every: 1.0, tolerance: options.tolerance };
        let played = driver::play(&compilation, &options, &Settings::default(), Some(run), |_, _| {});
        assert!(played.diagnostics.is_empty() && played.summary.rows == 3, "{scene}\n{:#?}", played.diagnostics);
    }
}

#[test]
fn every_table_is_that_of_the_compiler() {
    const BEGIN: &str = "<!-- table: ";
    const END: &str = "<!-- end -->";
    let written = manual();
    let mut pieces = written.split(BEGIN);
    let mut now = pieces.next().expect("a beginning").to_string();
    for piece in pieces {
        let (name, rest) = piece.split_once(" -->\n").expect("the name of a table");
        let (_, after) = rest.split_once(END).expect("the end of a table");
        now.push_str(&format!("{BEGIN}{name} -->\n{}{END}{after}", table(name)));
    }
    if std::env::var_os("ANSATZ_BLESS").is_some() {
        std::fs::write(path(), now).expect("the manual");
    } else {
        assert!(written == now, "a table has changed; if this is meant, run again with ANSATZ_BLESS=1");
    }
}

/// The rows of a table in Markdown.
fn table(name: &str) -> String {
    let keywords = |wanted: fn(&syntax::Keyword) -> bool| -> Vec<[String; 3]> {
        let rows = syntax::KEYWORDS.iter().filter(|row| wanted(row));
        rows.map(|row| [code(row.word), row.meaning.to_string(), code(row.example)]).collect()
    };
    match name {
        "statements" => {
            markdown(["word", "meaning", "example"], keywords(|row| row.begins_statement() && row.is_supported()))
        }
        "later" => markdown(["word", "meaning", "example"], keywords(|row| !row.is_supported())),
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
        "scene" => {
            let rows = model::SCENE_QUANTITIES.iter().map(|row| {
                let kind = if row.name == "bodies" { "list".to_string() } else { kind(row.type_) };
                [code(row.name), kind, row.meaning.to_string()]
            });
            markdown(["quantity", "kind", "meaning"], rows)
        }
        "functions" => {
            let symbols = |row: &&expr::OperatorRow| {
                row.name.chars().all(char::is_alphanumeric)
                    && !matches!(row.operator, Operator::And | Operator::Or | Operator::Not | Operator::Select)
            };
            let built_in = model::BUILT_INS.iter();
            let built_in = built_in.map(|row| [call(row.name, row.arguments), row.meaning.to_string(), String::new()]);
            let operators = expr::OPERATORS.iter().filter(symbols);
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
        _ => panic!("no table is called {name}"),
    }
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
