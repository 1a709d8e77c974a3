//! Files around the one that is open: theories beside it, scenes that use it, and the library that is in this program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use base::Span;
use editing::{File, Reading};

use super::document::Document;
use super::uri;

/// More scenes than this in a folder are not searched.
const MOST_FILES: usize = 300;
/// In bytes; no person wrote more.
const LARGEST: u64 = 1 << 20;

/// The address of a text that a document speaks of.
pub fn address(document: &Document, file: &File) -> Option<String> {
    match file {
        File::Here => Some(document.uri.clone()),
        File::Beside(path) => Some(uri::from_path(path)),
        File::Library(name, text) => Some(uri::from_path(&library_file(name, text)?)),
    }
}

/// The library is part of the program; editors open files, so a copy is put where copies belong.
fn library_file(name: &str, text: &str) -> Option<PathBuf> {
    let places = [crate::places::cache(), Some(std::env::temp_dir().join("ansatz"))];
    places.into_iter().flatten().find_map(|place| {
        let folder = place.join(format!("library-{}", env!("CARGO_PKG_VERSION")));
        let path = folder.join(format!("{name}.anz"));
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Some(path);
        }
        std::fs::create_dir_all(&folder).ok()?;
        crate::whole_file::replace(&path, text.as_bytes()).ok()?;
        Some(path)
    })
}

/// Where the texts of the folder speak of something that one of them declares, by the addresses of the texts.
pub fn uses_elsewhere(
    document: &Document,
    declared_in: &File,
    declared: usize,
    open: &HashMap<String, Document>,
) -> Vec<(String, Reading, Vec<Span>)> {
    let (Some(folder), Some(own)) = (document.folder(), &document.path) else { return Vec::new() };
    let theory = match declared_in {
        File::Here => own.clone(),
        File::Beside(path) => path.clone(),
        File::Library(..) => return Vec::new(),
    };
    let others = scenes(folder).into_iter().filter(|path| path != own);
    let found = others.filter_map(|path| {
        let address = uri::from_path(&path);
        let text = match open.get(&address) {
            Some(document) => document.source.text.clone(),
            None => std::fs::read_to_string(&path).ok()?,
        };
        let reading = Reading::new(&path.display().to_string(), &text, Some(folder));
        let file = if path == theory { File::Here } else { File::Beside(theory.clone()) };
        let uses = reading.uses_of(&file, declared);
        let own: Vec<Span> = uses.into_iter().filter(|span| reading.file(span.source) == File::Here).collect();
        (!own.is_empty()).then_some((address, reading, own))
    });
    found.collect()
}

fn scenes(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let small = |entry: &std::fs::DirEntry| entry.metadata().is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "anz");
    let mut scenes: Vec<PathBuf> = entries.filter(small).map(|entry| entry.path()).filter(is_scene).collect();
    scenes.sort();
    scenes.truncate(MOST_FILES);
    scenes
}
