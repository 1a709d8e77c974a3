//! The opened folder: which scenes there are, reading and saving them. Nothing outside of it is read or written.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::LARGEST_SOURCE;
use crate::embedded;
use crate::protocol::{Gallery, GalleryEntry, Refusal};

/// What the page may read; it may write scenes only.
const READABLE: &[&str] = &["anz", "glb", "gltf", "bin", "png", "jpg", "jpeg"];
const LARGEST_MESH: u64 = 64 << 20;
const MOST_FILES: usize = 500;
const DEEPEST: usize = 4;
/// Where the built-in examples are, unless the opened folder has files of the same path.
const EXAMPLES: &str = "examples/";

/// Which text of a file the page knows, so that it does not replace another unawares.
pub enum Known {
    Anything,
    /// That there is none.
    Nothing,
    Version(String),
}

/// Tells texts apart.
pub fn version(bytes: &[u8]) -> String {
    format!("\"{:016x}-{}\"", base::fingerprint(bytes.iter().copied()), bytes.len())
}

pub struct Folder {
    /// Without links or dots in it.
    pub(super) root: PathBuf,
}

/// A request that cannot be fulfilled, and what would do.
#[derive(Debug)]
pub struct FileError {
    status: StatusCode,
    refusal: Refusal,
}

impl FileError {
    pub fn new(status: StatusCode, message: impl Into<String>, hint: impl Into<String>) -> FileError {
        FileError { status, refusal: Refusal { message: message.into(), hint: hint.into() } }
    }
}

impl IntoResponse for FileError {
    fn into_response(self) -> Response {
        (self.status, Json(self.refusal)).into_response()
    }
}

impl Folder {
    pub fn open(path: &Path) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder { root })
    }

    pub fn gallery(&self) -> Gallery {
        let mut examples = example_entries();
        examples.iter_mut().for_each(|example| example.writable = self.inside(&example.path).is_ok());
        let mut paths = Vec::new();
        self.scenes(&self.root, 0, &mut paths);
        paths.sort();
        let files = paths.into_iter().filter(|path| !examples.iter().any(|example| example.path == *path));
        let files = files.filter_map(|path| {
            let text = String::from_utf8(self.read(&path).ok()?).ok()?;
            Some(entry(path, &text, true))
        });
        Gallery { files: files.collect(), examples, recent: Vec::new(), folder: self.root.display().to_string() }
    }

    fn scenes(&self, folder: &Path, depth: usize, paths: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // A link may lead anywhere.
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || matches!(name.as_str(), "target" | "node_modules") || paths.len() >= MOST_FILES
            {
                continue;
            }
            if kind.is_dir() && depth < DEEPEST {
                self.scenes(&path, depth + 1, paths);
            } else if kind.is_file() && path.extension().is_some_and(|kind| kind == "anz") {
                let relative = path.strip_prefix(&self.root).unwrap_or(&path);
                let parts: Vec<String> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                paths.push(parts.join("/"));
            }
        }
    }

    pub fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let file = match self.inside(path) {
            Ok(file) => file,
            Err(error) => {
                let name = path.strip_prefix(EXAMPLES);
                let example = embedded::EXAMPLES.iter().find(|(known, _)| Some(*known) == name);
                return example.map(|(_, text)| text.to_vec()).ok_or(error);
            }
        };
        let largest = if is_scene(path) { LARGEST_SOURCE as u64 } else { LARGEST_MESH };
        if fs::metadata(&file).is_ok_and(|metadata| metadata.len() > largest) {
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return Err(FileError::new(
                status,
                format!("`{path}` is too large"),
                format!("the limit is {largest} bytes"),
            ));
        }
        fs::read(&file).map_err(|error| failed(path, "read", &error))
    }

    /// Whole or not at all: the new text is written beside the old one, and takes its place when it is complete. Where the page says which text it
    /// knows, no other is replaced: somebody may have changed the file meanwhile.
    pub fn write(&self, path: &str, bytes: &[u8], known: &Known) -> Result<(), FileError> {
        if !is_scene(path) {
            let hint = "a scene's name ends with `.anz`";
            return Err(FileError::new(StatusCode::FORBIDDEN, format!("`{path}` is not a scene"), hint));
        }
        if std::str::from_utf8(bytes).is_err() {
            return Err(FileError::new(
                StatusCode::BAD_REQUEST,
                "this is not a text in UTF-8",
                "a scene is a plain text",
            ));
        }
        let target = match self.inside(path) {
            Ok(existing) => existing,
            Err(_) => self.new_file(path)?,
        };
        let present = fs::read(&target).ok().map(|bytes| version(&bytes));
        let is_known = match known {
            Known::Anything => true,
            Known::Nothing => present.is_none(),
            Known::Version(version) => present.as_ref().is_none_or(|present| present == version),
        };
        if !is_known {
            let (message, hint) = match known {
                Known::Nothing => ("is there already", "choose another name, or replace it"),
                _ => ("was changed by somebody else since it was opened", "save under another name, or replace it"),
            };
            return Err(FileError::new(StatusCode::PRECONDITION_FAILED, format!("`{path}` {message}"), hint));
        }
        replace(&target, bytes).map_err(|error| failed(path, "saved", &error))
    }

    /// The real place of an existing file of the folder.
    fn inside(&self, path: &str) -> Result<PathBuf, FileError> {
        let relative = plain(path)?;
        let real = self.root.join(relative).canonicalize().map_err(|error| failed(path, "read", &error))?;
        if !real.starts_with(&self.root) {
            return Err(outside(path));
        }
        let kind = real.extension().and_then(|kind| kind.to_str()).unwrap_or("");
        if !real.is_file() || !READABLE.contains(&kind) {
            let hint = format!("the studio opens files whose names end with {}", READABLE.join(", "));
            return Err(FileError::new(StatusCode::FORBIDDEN, format!("`{path}` cannot be opened here"), hint));
        }
        Ok(real)
    }

    /// The place of a file that does not exist yet.
    fn new_file(&self, path: &str) -> Result<PathBuf, FileError> {
        let relative = plain(path)?;
        let place = self.root.join(relative);
        let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { return Err(outside(path)) };
        let folder = folder.canonicalize().map_err(|error| failed(path, "saved", &error))?;
        let target = folder.join(name);
        // A link that is there and leads elsewhere, or nowhere, is not followed.
        if !folder.starts_with(&self.root) || fs::symlink_metadata(&target).is_ok() {
            return Err(outside(path));
        }
        Ok(target)
    }
}

/// The scenes that come with Ansatz.
pub fn example_entries() -> Vec<GalleryEntry> {
    let one = |(name, text): &(&str, &[u8])| entry(format!("{EXAMPLES}{name}"), &String::from_utf8_lossy(text), false);
    embedded::EXAMPLES.iter().map(one).collect()
}

/// A path of names only.
fn plain(path: &str) -> Result<&Path, FileError> {
    let relative = Path::new(path);
    let visible = |part: Component<'_>| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    };
    let good = !path.is_empty() && !path.contains(['\\', '\0']) && relative.components().all(visible);
    if good { Ok(relative) } else { Err(outside(path)) }
}

/// Writes a file beside another, and puts it in its place when it is complete.
pub fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // Two tabs may save at the same time.
    static SAVES: AtomicU64 = AtomicU64::new(0);
    let number = SAVES.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!(".{}.{}.{number}.saving", name.to_string_lossy(), std::process::id()));
    let written = write_whole(&beside, bytes).and_then(|()| {
        if let Ok(metadata) = fs::metadata(target) {
            fs::set_permissions(&beside, metadata.permissions())?;
        }
        fs::rename(&beside, target)
    });
    written.inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn is_scene(path: &str) -> bool {
    path.ends_with(".anz")
}

fn outside(path: &str) -> FileError {
    let hint = "name a file of the opened folder; start the studio on another folder to work there";
    FileError::new(StatusCode::FORBIDDEN, format!("`{path}` is outside of the opened folder"), hint)
}

pub fn failed(path: &str, what: &str, error: &io::Error) -> FileError {
    let (status, hint) = match error.kind() {
        io::ErrorKind::NotFound => (StatusCode::NOT_FOUND, "check the name, and that its folder exists"),
        io::ErrorKind::PermissionDenied => (StatusCode::FORBIDDEN, "you may not do that with this file"),
        io::ErrorKind::StorageFull => {
            (StatusCode::INSUFFICIENT_STORAGE, "there is no room left; the old text is still there")
        }
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "the old text, if there was one, is still there"),
    };
    FileError::new(status, format!("`{path}` cannot be {what}: {error}"), hint)
}

/// `sub/roller_coaster.anz` as a person says it.
pub fn title(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".anz").replace('_', " ")
}

fn entry(path: String, text: &str, writable: bool) -> GalleryEntry {
    let title = title(&path);
    let comment = text.lines().skip_while(|line| line.trim().is_empty());
    let comment: Vec<&str> = comment.map_while(|line| line.trim().strip_prefix("//").map(str::trim)).collect();
    GalleryEntry { title, description: comment.join(" "), path, writable }
}
