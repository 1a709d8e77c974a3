//! A studio that runs, and a tab that talks to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing takes so long; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(15);

pub struct Studio {
    pub process: Child,
    pub port: u16,
    pub token: String,
    pub folder: PathBuf,
}

impl Studio {
    /// On a new folder of its own.
    pub fn start(name: &str) -> Studio {
        let folder = std::env::temp_dir().join(format!("ansatz-studio-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("opened")).expect("a folder for temporary files");
        let opened = folder.join("opened");
        let mut process = Command::new(env!("CARGO_BIN_EXE_ansatz"))
            .args(["studio", "--no-open"])
            .arg(&opened)
            .env("XDG_STATE_HOME", folder.join("state"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the studio");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("its address");
        let (_, address) = line.trim().split_once("http://127.0.0.1:").expect("an address on this machine");
        let (port, token) = address.split_once("/?token=").expect("a token");
        Studio { process, port: port.parse().expect("a port"), token: token.to_string(), folder: opened }
    }

    /// Status and body of a request with exactly these headers.
    pub fn http(&self, request: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let text =
            format!("{request} HTTP/1.1\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        socket.write_all(text.as_bytes()).expect("it listens");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer)
    }

    /// A request as the page makes it.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let host = format!("127.0.0.1:{}", self.port);
        let joint = if path.contains('?') { '&' } else { '?' };
        let (status, answer) =
            self.http(&format!("{method} {path}{joint}token={}", self.token), &[("Host", &host)], body);
        (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_string()))
    }

    pub async fn tab(&self) -> Tab {
        let mut request = format!("ws://127.0.0.1:{}/api/run?token={}", self.port, self.token)
            .into_client_request()
            .expect("an address");
        let origin = format!("http://127.0.0.1:{}", self.port);
        request.headers_mut().insert("Origin", origin.parse().expect("an origin"));
        let (socket, _) = tokio_tungstenite::connect_async(request).await.expect("a socket");
        Tab {
            socket,
            revision: 0,
            scene: Value::Null,
            rows: Vec::new(),
            shown: Vec::new(),
            status: Value::Null,
            events: Vec::new(),
            replies: Vec::new(),
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(folder) = self.folder.parent() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

pub struct Tab {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    revision: u32,
    pub scene: Value,
    /// All that came as new.
    pub rows: Vec<Vec<f64>>,
    /// The row that is shown.
    pub shown: Vec<f64>,
    pub status: Value,
    /// The transitions so far.
    pub events: Vec<Value>,
    pub replies: Vec<Value>,
}

impl Tab {
    pub async fn send(&mut self, request: Value) {
        self.socket.send(Message::text(request.to_string())).await.expect("it listens");
    }

    pub async fn compile(&mut self, source: &str, change: Value) {
        self.revision += 1;
        let mut request = json!({
            "type": "compile", "revision": self.revision, "path": "scene.anz", "source": source, "parameters": {},
            "controls": {}, "probes": [], "playing": false, "speed": 1.0, "keep": false,
        });
        for (name, value) in change.as_object().into_iter().flatten() {
            request[name] = value.clone();
        }
        self.send(request).await;
    }

    /// Compiles a text that is good, and waits for its first row.
    pub async fn open(&mut self, source: &str, change: Value) {
        self.compile(source, change).await;
        let reply = self.until("compiled").await;
        self.scene = reply["scene"].clone();
        self.rows.clear();
        self.shown.clear();
        while self.shown.is_empty() {
            self.receive().await;
        }
    }

    /// The next reply of a kind; frames are gathered on the way.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            if let Some(reply) = self.receive().await
                && reply["type"] == kind
            {
                return reply;
            }
        }
    }

    /// The next status for which something holds.
    pub async fn until_status(&mut self, holds: impl Fn(&Value) -> bool) {
        loop {
            self.until("status").await;
            if holds(&self.status) {
                return;
            }
        }
    }

    /// One message: a reply, or nothing if it was frames.
    pub async fn receive(&mut self) -> Option<Value> {
        let message = tokio::time::timeout(PATIENCE, self.socket.next())
            .await
            .unwrap_or_else(|_| panic!("nothing came any more, the last was {}", self.last_words()));
        match message.expect("the socket is open").expect("a message") {
            Message::Text(text) => {
                let reply: Value = serde_json::from_str(&text).expect("JSON");
                if reply["type"] == "status" {
                    self.status = reply.clone();
                }
                if reply["type"] == "events" {
                    self.events.truncate(reply["from"].as_u64().expect("a number") as usize);
                    self.events.extend(reply["list"].as_array().expect("a list").iter().cloned());
                }
                self.replies.push(reply.clone());
                Some(reply)
            }
            Message::Binary(bytes) => {
                let numbers: Vec<f64> =
                    bytes.chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect();
                let (kind, number, stride) = (numbers[0], numbers[1], numbers[2] as usize);
                let rows: Vec<Vec<f64>> = numbers[3..].chunks(stride).map(<[f64]>::to_vec).collect();
                if kind < 2.0 {
                    self.shown = rows.last().expect("a row").clone();
                    self.send(json!({ "type": "drawn", "batch": number as u32 })).await;
                }
                if kind == 1.0 {
                    return Some(json!({ "type": "shown" }));
                }
                if kind == 2.0 {
                    return Some(json!({ "type": "history", "rows": rows }));
                }
                self.rows.extend(rows);
                Some(json!({ "type": "live" }))
            }
            _ => None,
        }
    }

    fn last_words(&self) -> String {
        let words = self.replies.iter().rev().take(4).map(|reply| format!("{reply:.900}\n"));
        words.collect::<Vec<_>>().concat()
    }

    /// Recorded values of columns, each with its time first.
    pub async fn history(&mut self, columns: &[usize]) -> Vec<Vec<f64>> {
        self.send(json!({ "type": "history", "request": 7, "columns": columns })).await;
        let reply = self.until("history").await;
        serde_json::from_value(reply["rows"].clone()).expect("rows")
    }

    /// The column of a coordinate or a speed.
    pub fn column(&self, quantity: &str) -> usize {
        let list = self.scene["quantities"].as_array().expect("a list");
        let found = list.iter().find(|one| one["name"] == quantity).unwrap_or_else(|| panic!("no quantity {quantity}"));
        found["at"].as_u64().expect("a column") as usize
    }

    /// Position of a frame in the row that is shown.
    pub fn position(&self, frame: &str) -> [f64; 3] {
        let list = self.scene["frames"].as_array().expect("a list");
        let found = list.iter().find(|one| one["name"] == frame).unwrap_or_else(|| panic!("no frame {frame}"));
        let at = found["at"].as_u64().expect("a column") as usize;
        std::array::from_fn(|i| self.shown[at + i])
    }
}

pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name).with_extension("anz");
    std::fs::read_to_string(path).expect("an example")
}

pub fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let scenes = |below: &str| {
        let files =
            std::fs::read_dir(folder.join(below)).expect("the examples").map(|file| file.expect("a file").path());
        let scenes = files.filter(|file| file.extension().is_some_and(|kind| kind == "anz"));
        let names = scenes.map(|file| format!("{below}{}", file.file_stem().expect("a name").to_string_lossy()));
        names.collect::<Vec<_>>()
    };
    let mut names = [scenes(""), scenes("published/")].concat();
    names.sort();
    names
}

pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
