//! What the repository consists of: its crates as Cargo sees them, and its files.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of this workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    pub name: String,
    /// Its folder, from the root of the workspace, with `/` between parts.
    pub folder: String,
    /// The names of the crates of this workspace that it uses, tests apart.
    pub dependencies: Vec<String>,
}

pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Every crate of the workspace, by folder.
pub fn crates(root: &Path) -> Result<Vec<Crate>, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let output = Command::new(cargo).args(arguments).current_dir(root).output();
    let output = output.map_err(|error| format!("cargo metadata does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata fails: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut crates = from_metadata(&metadata, root);
    crates.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(crates)
}

fn from_metadata(metadata: &Value, root: &Path) -> Vec<Crate> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    // Only crates of the workspace are named by a path; a dev-dependency may look sideways.
    let inner = |dependency: &Value| dependency["path"].is_string() && dependency["kind"] != "dev";
    let package = |package: &Value| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().map(|folder| relative(folder, root)).unwrap_or_default();
        let dependencies = list(&package["dependencies"]).into_iter().filter(inner).map(|one| text(&one["name"]));
        Crate { name: text(&package["name"]), folder, dependencies: dependencies.collect() }
    };
    list(&metadata["packages"]).iter().map(package).collect()
}

/// All files that people wrote, from the root of the workspace, in order. Hidden folders are left out, but for the one of CI.
pub fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    walk(root, root, &mut found).map_err(|error| format!("the folder of the workspace cannot be read: {error}"))?;
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_string();
        if !entry.file_type()?.is_dir() {
            found.push(relative(&entry.path(), root));
        } else if !(is_generated(&name) || folder == root && WRITTEN.contains(&name.as_str())) {
            walk(&entry.path(), root, found)?;
        }
    }
    Ok(())
}

/// What `make dist`, `make playground` and the studio write at the root.
const WRITTEN: [&str; 3] = ["dist", "playground", "scenes"];

fn is_generated(folder: &str) -> bool {
    (folder.starts_with('.') && folder != ".ci") || folder.starts_with("target") || folder == "node_modules"
}

fn relative(path: &Path, root: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn crates_are_read_with_their_inner_dependencies() {
        let metadata = json!({ "packages": [{
            "name": "lower", "manifest_path": "/w/crates/codegen/lower/Cargo.toml",
            "dependencies": [
                { "name": "kernel", "kind": null, "path": "/w/crates/codegen/kernel" },
                { "name": "syntax", "kind": "dev", "path": "/w/crates/language/syntax" },
                { "name": "libm", "kind": null },
            ],
        }]});
        let expected = Crate {
            name: "lower".to_string(),
            folder: "crates/codegen/lower".to_string(),
            dependencies: vec!["kernel".to_string()],
        };
        assert_eq!(from_metadata(&metadata, Path::new("/w")), [expected]);
    }

    #[test]
    fn this_workspace_can_be_read() {
        let root = root();
        let crates = crates(&root).unwrap();
        assert!(crates.iter().any(|one| one.folder == "crates/base" && one.dependencies.is_empty()));
        let files = files(&root).unwrap();
        assert!(files.contains(&"Cargo.toml".to_string()));
        assert!(!files.iter().any(|file| file.starts_with("target/")));
    }
}
