//! Exported programs: a scene as C and the like, with names and lines of the scene in it.

use base::{Diagnostics, Sources};

use crate::export::{export, export_for_many};
use crate::pipeline::{Compilation, Options, Stages, defect};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    C,
    Rust,
    Wasm,
    Cuda,
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
    /// Lines that say something; none for what nobody reads.
    pub lines: Option<usize>,
    /// Whether it was synthesized, and is not the same for all scenes.
    pub synthesized: bool,
}

/// All files of a program. What cannot become one is told.
pub fn build(
    compilation: &Compilation,
    stages: &Stages,
    options: &Options,
    target: Target,
) -> Result<Build, Diagnostics> {
    let (module, interface) = match target {
        Target::Cuda => export_for_many(compilation, stages, options)?,
        Target::C | Target::Rust | Target::Wasm => export(compilation, stages, options)?,
    };
    verified(&module)?;
    let name = module.name.clone();
    let files = match target {
        Target::C => texts(backend_c::emit(&module, &interface)),
        Target::Cuda => texts(backend_c::emit_cuda(&module, &interface)),
        Target::Rust => texts(backend_rust::emit(&module, &interface)),
        Target::Wasm => backend_wasm::emit(&module, &interface).into_iter().map(|it| (it.name, it.content)).collect(),
    };
    Ok(Build::new(name, files, &compilation.sources))
}

/// What leaves the house keeps the rules of the kernel.
pub(crate) fn verified(module: &kernel::Module) -> Result<(), Diagnostics> {
    kernel::verify(module).map_err(|faults| [defect(faults[0].to_string())].into_iter().collect())
}

impl Build {
    pub fn new(name: String, files: Vec<(String, Vec<u8>)>, sources: &Sources) -> Build {
        let files = files.into_iter().map(|(name, content)| file(name, content)).collect();
        Build { name, files, specification_lines: code_lines(&sources.get(base::SourceId(0)).text) }
    }
}

fn texts(files: Vec<(String, String)>) -> Vec<(String, Vec<u8>)> {
    files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect()
}

fn file(name: String, content: Vec<u8>) -> File {
    let lines = if [".wasm", ".html", ".fmu"].iter().any(|kind| name.ends_with(kind)) {
        None
    } else {
        std::str::from_utf8(&content).ok().map(code_lines)
    };
    let synthesized = !SAME_FOR_ALL.contains(&name.as_str());
    File { name, content, lines, synthesized }
}

/// Files that hardly differ between scenes: the sample programs, and how to build them.
const SAME_FOR_ALL: [&str; 7] =
    ["main.c", "main.cu", "Makefile", "src/main.rs", "Cargo.toml", "run.js", "package.json"];

/// Lines that are neither empty nor comments.
fn code_lines(text: &str) -> usize {
    let says_something = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !["//", "/*", "*", "#!["].iter().any(|mark| line.starts_with(mark))
    };
    text.lines().filter(says_something).count()
}
