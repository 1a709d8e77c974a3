//! Files of a scene for other programs. The program writes them as on the command line, in a process of its own with the limits of a worker.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use super::files::FileError;
use super::{LARGEST_SOURCE, Shared, guard, media_type, percent_encode};
use crate::protocol::Export;
use crate::worker::{folder_of, limit_memory_of};

/// Files at a time, for all tabs.
pub const MOST: usize = 2;
/// A file that takes longer is given up.
const LONGEST: Duration = Duration::from_secs(120);
const LARGEST_FILE: u64 = 256 << 20;
/// Of what went wrong, so much is shown.
const LONGEST_WORDS: usize = 2000;

/// How a kind of file is ordered on the command line, besides its name.
const KINDS: &[(&str, &[&str])] = &[
    ("glb", &["export", "-", "--from={from}", "--to={to}", "{settings}"]),
    ("mcap", &["export", "-", "--from={from}", "--to={to}", "{settings}"]),
    ("svg", &["export", "-", "--at={from}", "--camera={camera}", "{settings}"]),
    ("pdf", &["run", "-", "--until={to}", "{settings}"]),
    ("parquet", &["run", "-", "--until={to}", "{settings}"]),
    ("html", &["build", "-", "--target=html"]),
    ("fmu", &["build", "-", "--target=fmu", "--until={to}"]),
];

pub async fn export(shared: &Shared, order: Export) -> Result<Response, FileError> {
    let Ok(_permit) = shared.exports.try_acquire() else {
        let message = format!("{MOST} files are being made already");
        return Err(FileError::new(StatusCode::SERVICE_UNAVAILABLE, message, "wait for them"));
    };
    if order.source.len() > LARGEST_SOURCE {
        return Err(FileError::new(StatusCode::PAYLOAD_TOO_LARGE, "the text is too long", ""));
    }
    let Some((kind, words)) = KINDS.iter().find(|(kind, _)| *kind == order.kind) else {
        let known: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
        let hint = format!("there are {}", known.join(", "));
        return Err(FileError::new(StatusCode::BAD_REQUEST, "nothing is known of this kind of file", hint));
    };
    let place = Place::new().map_err(|error| broken(&error))?;
    // A page is written to a folder, everything else to a file.
    let output = if *kind == "html" { place.0.clone() } else { place.0.join(format!("scene.{kind}")) };
    let arguments = words.iter().flat_map(|word| filled(word, &order));
    let folder = folder(shared, &order.path);
    let note = run(&shared.worker.0, arguments.collect(), &output, &folder, &order.source).await?;
    let bytes = tokio::task::block_in_place(|| read(&place.0, kind))?;
    let headers = [(header::CONTENT_TYPE, media_type(&format!("scene.{kind}")).to_string())];
    Ok((headers, [("ansatz-note", percent_encode(&note))], bytes).into_response())
}

/// A word of a command with what was ordered.
fn filled(word: &str, order: &Export) -> Vec<String> {
    if word == "{settings}" {
        let set = order.parameters.iter().map(|(name, value)| format!("--set={name}={value}"));
        let input = order.controls.iter().map(|(name, value)| format!("--input={name}={value}"));
        return set.chain(input).collect();
    }
    let camera = order.camera.map(|number| number.to_string()).join(",");
    let word = word.replace("{from}", &order.from.to_string()).replace("{to}", &order.to.to_string());
    vec![word.replace("{camera}", &camera)]
}

/// Where theories, data and meshes of the scene are; the opened folder if the scene is not in it.
fn folder(shared: &Shared, path: &str) -> PathBuf {
    let root = &shared.folder.root;
    let real = folder_of(root, path).canonicalize().ok().filter(|real| real.starts_with(root));
    real.unwrap_or_else(|| root.clone())
}

/// Lets the program write the file; gives what it warns of.
async fn run(
    program: &Path,
    arguments: Vec<String>,
    output: &Path,
    folder: &Path,
    text: &str,
) -> Result<String, FileError> {
    let mut process = Command::new(program)
        .args(arguments)
        .arg("-o")
        .arg(output)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| broken(&error))?;
    if let Some(number) = process.id() {
        limit_memory_of(number);
    }
    let ended = tokio::time::timeout(LONGEST, tell(&mut process, text)).await;
    let Ok(ended) = ended else {
        let message = format!("it took longer than {} s and was given up", LONGEST.as_secs());
        return Err(FileError::new(StatusCode::UNPROCESSABLE_ENTITY, message, "`ansatz` itself has no such limit"));
    };
    let (well, said) = ended.map_err(|error| broken(&error))?;
    if !well {
        let words: String = said.trim().chars().take(LONGEST_WORDS).collect();
        let words = if words.is_empty() { "it may have used up its memory".to_string() } else { words };
        return Err(FileError::new(StatusCode::UNPROCESSABLE_ENTITY, words, ""));
    }
    let warnings: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
    Ok(warnings.join("; ").chars().take(LONGEST_WORDS).collect())
}

/// Gives the process its text, and waits: whether it went well, and what it said.
async fn tell(process: &mut Child, text: &str) -> io::Result<(bool, String)> {
    use tokio::io::AsyncReadExt;
    let (input, errors) = (process.stdin.take(), process.stderr.take());
    let write = async {
        if let Some(mut input) = input {
            // One that ended before it read everything says why.
            let _ = input.write_all(text.as_bytes()).await;
        }
    };
    let mut said = Vec::new();
    let listen = async {
        if let Some(mut errors) = errors {
            let _ = errors.read_to_end(&mut said).await;
        }
    };
    tokio::join!(write, listen);
    let status = process.wait().await?;
    Ok((status.success(), String::from_utf8_lossy(&said).into_owned()))
}

/// The one file of this kind that is there.
fn read(folder: &Path, kind: &str) -> Result<Vec<u8>, FileError> {
    let entries = std::fs::read_dir(folder).map_err(|error| broken(&error))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let Some(path) = paths.find(|path| path.extension().is_some_and(|ending| ending == kind)) else {
        return Err(FileError::new(StatusCode::INTERNAL_SERVER_ERROR, "no file was written", ""));
    };
    if path.metadata().is_ok_and(|about| about.len() > LARGEST_FILE) {
        let message = format!("the file would be larger than {} MB", LARGEST_FILE >> 20);
        return Err(FileError::new(StatusCode::UNPROCESSABLE_ENTITY, message, "`ansatz` itself has no such limit"));
    }
    std::fs::read(path).map_err(|error| broken(&error))
}

fn broken(error: &io::Error) -> FileError {
    FileError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the file cannot be made: {error}"), "")
}

/// A folder for one file, which is gone afterwards.
struct Place(PathBuf);

impl Place {
    fn new() -> io::Result<Place> {
        let path = std::env::temp_dir().join(format!("ansatz-export-{}", guard::new_token()?));
        std::fs::create_dir(&path)?;
        Ok(Place(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
