//! An editor, as far as the language server can tell.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Only a server that hangs takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Editor {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    requests: i64,
    /// What was told in the meantime.
    pub told: Vec<Value>,
}

impl Editor {
    pub fn start() -> Editor {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ansatz"))
            .arg("lsp")
            .env("XDG_CACHE_HOME", std::env::temp_dir().join("ansatz-lsp-test-cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the language server");
        let input = process.stdin.take();
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { process, input, messages, requests: 0, told: Vec::new() };
        editor.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} })).expect("abilities");
        editor.tell("initialized", json!({}));
        editor
    }

    /// The result, or the message of the error.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = self.requests;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap_or_default().to_string()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.told.push(message);
        }
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "ansatz", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The diagnostics of a version of a text, once they are told.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let wanted = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        };
        loop {
            if let Some(found) = self.told.iter().find(|message| wanted(message)) {
                return found["params"]["diagnostics"].as_array().cloned().expect("a list");
            }
            let message = self.messages.recv_timeout(PATIENCE).expect("diagnostics");
            self.told.push(message);
        }
    }

    /// The answer about a place, which is where the words begin in the text, and a number of characters on.
    pub fn at(&mut self, method: &str, uri: &str, (text, words, on): (&str, &str, usize)) -> Result<Value, String> {
        let position = position(text, text.find(words).unwrap_or_else(|| panic!("no {words}")) + on);
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position, "newName": "" }))
    }

    pub fn end(mut self) {
        self.ask("shutdown", Value::Null).expect("an end");
        self.tell("exit", Value::Null);
        self.input.take();
        assert!(self.process.wait().expect("an end").success());
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        self.throw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// Bytes as they are, whether they are a message or not.
    pub fn throw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open connection");
        input.write_all(bytes).and_then(|()| input.flush()).expect("a listener");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").map_or(Some(length), |text| text.parse().ok())?,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Counted without any code of ours.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let units: usize = before.rsplit('\n').next().unwrap_or("").chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": units })
}

/// The text at a range.
pub fn text_at(text: &str, range: &Value) -> String {
    let offset = |place: &Value| {
        let line = place["line"].as_u64().expect("a line") as usize;
        let character = place["character"].as_u64().expect("a column") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let units: Vec<u16> = text[start..].encode_utf16().take(character).collect();
        start + String::from_utf16(&units).expect("whole characters").len()
    };
    text[offset(&range["start"])..offset(&range["end"])].to_string()
}

pub fn example(name: &str) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(format!("{name}.anz"));
    let path = path.canonicalize().expect("an example");
    (format!("file://{}", path.display()), std::fs::read_to_string(&path).expect("an example"))
}
