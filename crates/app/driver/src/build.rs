//! Programs to keep: a scene as C and the like, with names and lines of the scene in it.

use kernel::Module;

use crate::interface::{interface, name_cells};
use crate::pipeline::{Compilation, Stages};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    C,
}

/// A complete program.
pub struct Build {
    pub name: String,
    pub files: Vec<File>,
    /// Lines of the scene, without those that are empty or comments.
    pub specification_lines: usize,
}

pub struct File {
    pub name: String,
    pub content: Vec<u8>,
    /// Lines that say something; none for what is not a text.
    pub lines: Option<usize>,
    /// Whether it was synthesized, and is not the same for all scenes.
    pub synthesized: bool,
}

pub fn build(compilation: &Compilation, stages: &Stages, target: Target, tolerance: f64) -> Build {
    let sources = &compilation.sources;
    let mut module: Module = stages.module.clone();
    name_cells(&mut module, stages, sources);
    let interface = interface(stages, sources, tolerance);
    let name = module.name.clone();
    let files = match target {
        Target::C => texts(backend_c::emit(&module, &interface), &name),
    };
    let specification_lines = code_lines(&sources.get(base::SourceId(0)).text);
    Build { name, files, specification_lines }
}

/// What is named after the scene was synthesized.
fn texts(files: Vec<(String, String)>, name: &str) -> Vec<File> {
    let file = |(file, text): (String, String)| File {
        lines: Some(code_lines(&text)),
        synthesized: file.contains(name),
        name: file,
        content: text.into_bytes(),
    };
    files.into_iter().map(file).collect()
}

/// Lines that are neither empty nor comments.
fn code_lines(text: &str) -> usize {
    let says_something = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !["//", "/*", "*", "#!["].iter().any(|mark| line.starts_with(mark))
    };
    text.lines().filter(says_something).count()
}
