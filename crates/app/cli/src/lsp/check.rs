//! What is wrong with a text, told as one types.
//!
//! A text is checked by `ansatz check` in a process of its own, once nobody has typed for a moment. A process can be ended at any
//! time, so a check of a text that has changed since costs nobody anything.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::Source;
use lsp_server::{Message, Notification};
use serde_json::{Value, json};

use super::document::Document;
use super::{place, uri};

/// Time after the last key.
const PAUSE: Duration = Duration::from_millis(150);

pub type Say = Arc<dyn Fn(Message) + Send + Sync>;

pub struct Checks {
    say: Say,
    under_way: HashMap<String, Arc<Mutex<Check>>>,
}

/// A check that is waited for, until it is given up.
#[derive(Default)]
struct Check {
    given_up: bool,
    process: Option<Child>,
}

impl Checks {
    pub fn new(say: Say) -> Checks {
        Checks { say, under_way: HashMap::new() }
    }

    /// Checks a text soon; what was asked for before is given up.
    pub fn check(&mut self, document: &Document) {
        self.give_up(&document.uri);
        let check = Arc::new(Mutex::new(Check::default()));
        self.under_way.insert(document.uri.clone(), check.clone());
        let say = self.say.clone();
        let text = Text {
            uri: document.uri.clone(),
            version: document.version,
            folder: document.folder().map(Path::to_path_buf),
            source: document.source.clone(),
        };
        std::thread::spawn(move || {
            std::thread::sleep(PAUSE);
            if let Some(found) = text.check(&check)
                && !locked(&check).given_up
            {
                say(text.telling(&found));
            }
        });
    }

    pub fn forget(&mut self, uri: &str) {
        self.give_up(uri);
        let nothing = json!({ "uri": uri, "diagnostics": [] });
        (self.say)(Message::Notification(Notification::new("textDocument/publishDiagnostics".to_string(), nothing)));
    }

    fn give_up(&mut self, uri: &str) {
        if let Some(check) = self.under_way.remove(uri) {
            let mut check = locked(&check);
            check.given_up = true;
            if let Some(process) = &mut check.process {
                let _ = process.kill();
            }
        }
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        let all: Vec<String> = self.under_way.keys().cloned().collect();
        all.iter().for_each(|uri| self.give_up(uri));
    }
}

fn locked(check: &Mutex<Check>) -> std::sync::MutexGuard<'_, Check> {
    check.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Text {
    uri: String,
    version: Option<i64>,
    folder: Option<PathBuf>,
    source: Source,
}

impl Text {
    /// The diagnostics as `ansatz check --json` tells them; none if nobody wants them any more.
    fn check(&self, check: &Mutex<Check>) -> Option<Value> {
        let mut command = Command::new(std::env::current_exe().ok()?);
        command.args(["check", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Theories of its own are beside it.
        command.current_dir(self.folder.as_deref().filter(|folder| folder.is_dir()).unwrap_or(Path::new(".")));
        let (mut input, mut output) = {
            let mut check = locked(check);
            if check.given_up {
                return None;
            }
            let mut process = command.spawn().ok()?;
            let pipes = (process.stdin.take()?, process.stdout.take()?);
            check.process = Some(process);
            pipes
        };
        let _ = input.write_all(self.source.text.as_bytes());
        drop(input);
        let mut said = String::new();
        output.read_to_string(&mut said).ok()?;
        let _ = locked(check).process.take().map(|mut process| process.wait());
        serde_json::from_str(&said).ok()
    }

    fn telling(&self, found: &Value) -> Message {
        // A theory is not wrong because nothing in it moves.
        let is_theory = self.source.text.lines().any(|line| line.trim_start().starts_with("theory "));
        let list = found.as_array().into_iter().flatten();
        let list = list.filter(|one| !(is_theory && one["code"] == "empty-scene"));
        let list: Vec<Value> = list.map(|one| self.diagnostic(one)).collect();
        let telling = json!({ "uri": self.uri, "version": self.version, "diagnostics": list });
        Message::Notification(Notification::new("textDocument/publishDiagnostics".to_string(), telling))
    }

    fn diagnostic(&self, found: &Value) -> Value {
        let texts = |name: &str| -> Vec<String> {
            found[name].as_array().into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_string())).collect()
        };
        let (notes, hints) = (texts("notes"), texts("hints"));
        let labels: Vec<&Value> = found["labels"].as_array().into_iter().flatten().collect();
        let primary = labels.first().filter(|label| is_here(label));
        let range = primary.map_or_else(|| self.range(&json!({ "line": 1, "column": 1 })), |label| self.range(label));
        let here = labels.iter().filter(|label| primary.is_some() && is_here(label));
        let places: Vec<_> = here.map(|label| place::offsets(&self.source, &self.range(label))).collect();
        let places: Vec<_> = places.into_iter().map(|(start, end)| start..end).collect();
        let fixes = editing::fixes(&self.source.text, &places, &hints).into_iter().map(|fix| {
            let range = json!({
                "start": place::position(&self.source, fix.range.start),
                "end": place::position(&self.source, fix.range.end),
            });
            json!({ "title": fix.title, "edit": { "range": range, "newText": fix.text } })
        });
        let fixes: Vec<Value> = fixes.collect();
        let own = primary.and_then(|label| label["text"].as_str()).filter(|text| !text.is_empty());
        let mut message = found["message"].as_str().unwrap_or_default().to_string();
        for line in own.map(str::to_string).into_iter().chain(notes) {
            message.push_str(&format!("\n{line}"));
        }
        for hint in hints {
            message.push_str(&format!("\nhint: {hint}"));
        }
        let related = labels.iter().skip(usize::from(primary.is_some())).filter_map(|label| self.related(label));
        json!({
            "range": range,
            "severity": match found["severity"].as_str() { Some("error") => 1, Some("warning") => 2, _ => 3 },
            "code": found["code"],
            "source": "ansatz",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
            "data": { "fixes": fixes },
        })
    }

    fn related(&self, label: &Value) -> Option<Value> {
        let uri = match is_here(label) {
            true => self.uri.clone(),
            // Only what is a file can be shown.
            false => uri::from_path(&self.folder.as_ref()?.join(label["file"].as_str()?).canonicalize().ok()?),
        };
        let text = label["text"].as_str().filter(|text| !text.is_empty()).unwrap_or("here");
        Some(json!({ "location": { "uri": uri, "range": self.range(label) }, "message": text }))
    }

    /// `check` counts characters from one.
    fn range(&self, label: &Value) -> Value {
        let end = |line: &str, column: &str| -> Value {
            let number = |name: &str| label[name].as_u64().unwrap_or(1) as usize;
            let (line, column) = (number(line), number(column));
            let text = self.source.text.split('\n').nth(line - 1).filter(|_| is_here(label)).unwrap_or("");
            let units: usize = text.chars().take(column - 1).map(char::len_utf16).sum();
            let units = if is_here(label) { units } else { column - 1 };
            json!({ "line": line - 1, "character": units })
        };
        let start = end("line", "column");
        let stop = if label["end_line"].is_u64() { end("end_line", "end_column") } else { start.clone() };
        json!({ "start": start, "end": stop })
    }
}

/// Standard input is the text itself.
fn is_here(label: &Value) -> bool {
    label.get("file").is_none_or(|file| file == "-")
}
