//! The rules of the house that a program can check, one file each.

mod code_map;
mod examples;
mod layers;
mod lengths;
mod links;
mod names;
mod numbers;
mod readmes;
mod recipes;

use std::fmt;
use std::path::Path;

use crate::{protocol, workspace};

/// A rule that is broken: in which file, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub file: String,
    pub reason: String,
}

impl Violation {
    fn new(file: impl Into<String>, reason: impl Into<String>) -> Violation {
        Violation { file: file.into(), reason: reason.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

/// Everything that is amiss in this workspace.
pub fn tidy() -> Result<Vec<Violation>, String> {
    let root = workspace::root();
    let crates = workspace::crates(&root)?;
    let files = workspace::files(&root)?;
    let read = |file: &str| read(&root, file);
    let mut violations = layers::check(&crates);
    violations.extend(readmes::check(&crates, read));
    violations.extend(code_map::check(&crates, read));
    violations.extend(links::check(&files, read));
    violations.extend(names::check(&files));
    violations.extend(examples::check(&files, read));
    violations.extend(recipes::check(&files, read));
    violations.extend(numbers::check(&files, read));
    violations.extend(lengths::check(&files, read));
    let fresh = read(protocol::SOURCE).map(|rust| protocol::translate(&rust));
    if fresh != read(protocol::TARGET) {
        let reason = format!("is not what {} says; run `cargo xtask protocol`", protocol::SOURCE);
        violations.push(Violation::new(protocol::TARGET, reason));
    }
    Ok(violations)
}

fn read(root: &Path, file: &str) -> Option<String> {
    std::fs::read_to_string(root.join(file)).ok()
}
