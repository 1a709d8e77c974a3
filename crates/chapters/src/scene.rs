//! From the text of a chapter to a model and its equations, with statements of the chapter as outputs.

use base::{Diagnostics, Severity, Source, Sources};
use equations::System;
use expr::Expr;
use model::{Library, Model};

/// A scene, with what a chapter states of it.
pub struct Scene {
    pub sources: Sources,
    pub diagnostics: Diagnostics,
    pub model: Option<Model>,
    statements: usize,
}

/// `subject: left == right`, or `subject: left`, a line of a block. Both sides are in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub subject: String,
    pub sides: Vec<String>,
}

impl Statement {
    /// One for each line of a block.
    pub fn all(text: &str) -> Vec<Statement> {
        let line = |line: &str| {
            let (subject, sides) = line.split_once(": ").unwrap_or((line, line));
            let sides = sides.split(" == ").map(|side| side.trim().to_string()).collect();
            Statement { subject: subject.trim().to_string(), sides }
        };
        text.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
    }
}

impl Scene {
    /// The scene with the outputs that a run prints if nobody says.
    pub fn new(text: &str) -> Scene {
        Scene::with(text, &[])
    }

    /// The scene with the sides of statements as its only outputs, one after the other.
    pub fn with(text: &str, statements: &[Statement]) -> Scene {
        let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::default());
        let source = sources.add(Source::new("model", text));
        let tree = syntax::parse(source, text, &mut diagnostics);
        let mut probes = Vec::new();
        for side in statements.iter().flat_map(|statement| &statement.sides) {
            let source = sources.add(Source::new("statement", side));
            probes.push((side.clone(), syntax::parse_expression(source, side, &mut diagnostics)));
        }
        let statements = probes.len();
        let mut model = model::resolve(&tree, &Library::NONE, &probes, &mut diagnostics);
        model.iter_mut().filter(|_| probes.is_empty()).for_each(Model::print_by_default);
        Scene { sources, diagnostics, model, statements }
    }

    /// The equations in a mode that is named by its values, `up` or `up red`; in the one where the scene starts, if none is.
    pub fn system(&mut self, mode: &str) -> Result<System, String> {
        let Some(model) = &self.model else { return Err(self.complaint()) };
        let mut value: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
        for word in mode.split_whitespace() {
            let places = model.modes.iter().map(|mode| mode.values.iter().position(|value| value == word));
            let (at, place) =
                places.enumerate().find_map(|(at, place)| Some((at, place?))).ok_or(format!("no mode is `{word}`"))?;
            value[at] = place;
        }
        let options = mechanics::Options { mode: Some(value), ..mechanics::Options::default() };
        let system = mechanics::formulate(model, options, &mut self.diagnostics);
        system.ok_or_else(|| self.complaint())
    }

    /// The sides of the statements as expressions of the system.
    pub fn sides(&self, system: &System) -> Vec<Expr> {
        let outputs = system.outputs.iter().take(self.statements);
        outputs.flat_map(|output| &output.columns).map(|&(_, value)| value).collect()
    }

    /// What the compiler says, as an error of the chapter.
    pub fn complaint(&self) -> String {
        diagnostics(&self.sources, &self.diagnostics)
    }
}

/// One line for each message, then its places and what to do.
pub fn diagnostics(sources: &Sources, sink: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in sink.sorted() {
        let severity = match diagnostic.severity {
            Severity::Notice => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        out.push_str(&format!("{severity}[{}]: {}\n", diagnostic.code.0, diagnostic.message));
        for label in &diagnostic.labels {
            out.push_str(format!("  {} {}", sources.locate(label.span), label.text).trim_end());
            out.push('\n');
        }
        diagnostic.notes.iter().for_each(|note| out.push_str(&format!("  note: {note}\n")));
        diagnostic.hints.iter().for_each(|hint| out.push_str(&format!("  hint: {hint}\n")));
    }
    if out.is_empty() { "nothing wrong\n".to_string() } else { out }
}
