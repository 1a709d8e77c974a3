//! One tab: its socket, the worker whose run it shows, and the worker that compiles its newest text.
//!
//! A new text gets a new worker; a newer one ends it. When it is ready, and not before, it takes the place of the one that runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::extract::ws::{Message as Frame, WebSocket};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, sleep_until};

use super::LARGEST_SOURCE;
use super::worker::{Event, Worker};
use crate::pipe::{Message, Private, Snapshot};
use crate::protocol::{Refusal, Reply, Wanted};

/// A text that takes longer to compile is given up.
const LONGEST_COMPILE: Duration = Duration::from_secs(20);
/// A run that does not tell its state within this time is not continued.
const LONGEST_SNAPSHOT: Duration = Duration::from_secs(1);

/// So often the files that a scene was compiled with are looked at.
const LOOKED: Duration = Duration::from_millis(1000);

/// Until the tab is closed; then everything it started ends.
pub async fn serve(socket: WebSocket, program: &(PathBuf, Vec<String>)) {
    let (page, mut requests) = socket.split();
    let (sender, mut events) = channel(64);
    let mut tab = Tab {
        page,
        program,
        sender,
        numbers: 0,
        spare: None,
        answering: None,
        sweeping: None,
        running: None,
        compiling: None,
        files: Vec::new(),
    };
    tab.spare = tab.new_worker();
    let mut looking = tokio::time::interval(LOOKED);
    loop {
        let deadline = tab.compiling.as_ref().map(|compiling| compiling.deadline);
        let going_on = tokio::select! {
            frame = requests.next() => match frame {
                Some(Ok(Frame::Text(text))) => tab.request(text.as_str()).await,
                Some(Ok(Frame::Close(_)) | Err(_)) | None => false,
                Some(Ok(_)) => true,
            },
            event = next(&mut events) => tab.event(event).await,
            _ = looking.tick() => tab.look_at_files().await,
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => tab.too_late().await,
        };
        if !going_on {
            return;
        }
    }
}

async fn next(events: &mut Receiver<Event>) -> Event {
    match events.recv().await {
        Some(event) => event,
        // The tab itself holds a sender, so there is always something to wait for.
        None => std::future::pending().await,
    }
}

struct Tab<'t> {
    page: SplitSink<WebSocket, Frame>,
    program: &'t (PathBuf, Vec<String>),
    sender: Sender<Event>,
    numbers: u64,
    /// Started in advance, so that nobody waits for a process to start.
    spare: Option<Worker>,
    /// Answers the questions of a scene.
    answering: Option<Worker>,
    /// Makes many runs, for the request of this number.
    sweeping: Option<(u32, Worker)>,
    running: Option<Worker>,
    compiling: Option<Compiling>,
    /// Those that the newest text was compiled with, and when each was written.
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

struct Compiling {
    worker: Worker,
    keep: bool,
    /// Whether its diagnostics have been told.
    told: bool,
    /// Ready, and waiting for the state of the run that it is to continue.
    ready: bool,
    deadline: Instant,
}

/// As much of a request as the server needs to know.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Envelope {
    Compile {
        source: String,
        keep: bool,
    },
    Ask {
        source: String,
        what: Wanted,
    },
    Sweep {
        source: String,
        request: u32,
    },
    Unsweep,
    #[serde(other)]
    Other,
}

impl Tab<'_> {
    fn new_worker(&mut self) -> Option<Worker> {
        self.numbers += 1;
        Worker::start(self.numbers, self.program, self.sender.clone()).ok()
    }

    /// Each of these tells whether the tab is still there.
    async fn request(&mut self, text: &str) -> bool {
        let message = Message::Text(text.as_bytes().to_vec());
        match serde_json::from_str(text) {
            Ok(Envelope::Compile { source, .. } | Envelope::Ask { source, .. } | Envelope::Sweep { source, .. })
                if source.len() > LARGEST_SOURCE =>
            {
                let message = format!("the text has {} bytes; the limit is {LARGEST_SOURCE}", source.len());
                self.limit(message, "no person writes so long a scene; use `for` for what repeats").await
            }
            Ok(Envelope::Compile { keep, .. }) => self.compile(keep, &message).await,
            // What the text itself asks may need runs: nobody who types waits for that, and a newer one takes its place.
            Ok(Envelope::Ask { what: Wanted::Answers, .. }) => {
                self.answering = self.new_worker();
                if let Some(worker) = &mut self.answering {
                    worker.tell(&message).await;
                }
                true
            }
            Ok(Envelope::Ask { .. }) => {
                if self.spare.is_none() {
                    self.spare = self.new_worker();
                }
                // One that fell over an earlier question has left no answer, and makes room for another.
                if let Some(worker) = &mut self.spare
                    && !worker.tell(&message).await
                {
                    self.spare = None;
                }
                true
            }
            // A process that is dropped ends, whatever it computes.
            Ok(Envelope::Unsweep) => {
                self.sweeping = None;
                true
            }
            Ok(Envelope::Sweep { request, .. }) => self.sweep(request, &message).await,
            Ok(Envelope::Other) => {
                if let Some(worker) = &mut self.running {
                    worker.tell(&message).await;
                }
                true
            }
            Err(_) => self.limit("a request could not be understood", "load the page again").await,
        }
    }

    async fn compile(&mut self, keep: bool, message: &Message) -> bool {
        self.compiling = None;
        let Some(mut worker) = self.spare.take().or_else(|| self.new_worker()) else {
            return self
                .limit("no process could be started to compile in", "close other programs, and try again")
                .await;
        };
        worker.tell(message).await;
        let deadline = Instant::now() + LONGEST_COMPILE;
        self.compiling = Some(Compiling { worker, keep, told: false, ready: false, deadline });
        self.spare = self.new_worker();
        true
    }

    async fn sweep(&mut self, request: u32, message: &Message) -> bool {
        self.sweeping = self.new_worker().map(|worker| (request, worker));
        match &mut self.sweeping {
            Some((_, worker)) => worker.tell(message).await,
            None => false,
        };
        self.sweeping.is_some() || self.sweep_fell(request, "no process could be started for the runs").await
    }

    async fn sweep_fell(&mut self, request: u32, message: &str) -> bool {
        let hint = "make fewer runs, or shorter ones; `ansatz sweep` has no such limits".to_string();
        let trouble = Some(Refusal { message: message.to_string(), hint });
        let reply = Reply::Swept { request, unit: None, runs: Vec::new(), trouble };
        self.forward(Message::Text(serde_json::to_vec(&reply).unwrap_or_default())).await
    }

    async fn event(&mut self, (number, message): Event) -> bool {
        if let Some(Message::Private(bytes)) = &message
            && let Ok(Private::Answer(answer)) = serde_json::from_slice(bytes)
        {
            return self.forward(Message::Text(answer.into_bytes())).await;
        }
        if message.is_none() && self.spare.as_ref().is_some_and(|spare| spare.number == number) {
            self.spare = None;
            return true;
        }
        if message.is_none()
            && let Some((request, _)) = self.sweeping.take_if(|(_, worker)| worker.number == number)
        {
            return self.sweep_fell(request, "the runs ended unexpectedly: they may have used up their memory").await;
        }
        if self.compiling.as_ref().is_some_and(|compiling| compiling.worker.number == number) {
            return self.compiler_event(message).await;
        }
        if self.running.as_ref().is_none_or(|running| running.number != number) {
            // The last words of one that is not wanted any more.
            return true;
        }
        match message {
            Some(Message::Private(bytes)) => match serde_json::from_slice(&bytes) {
                Ok(Private::Snapshot(snapshot)) => self.promote(Some(snapshot)).await,
                _ => true,
            },
            Some(message) => self.forward(message).await,
            None => {
                self.running = None;
                let hint = "reset it; if it happens again, make the scene smaller, or report it as a defect of Ansatz";
                self.limit("the run ended unexpectedly: it may have used up its memory", hint).await
            }
        }
    }

    async fn compiler_event(&mut self, message: Option<Message>) -> bool {
        let Some(compiling) = &mut self.compiling else { return true };
        match message {
            Some(Message::Private(bytes)) => {
                match serde_json::from_slice(&bytes) {
                    Ok(Private::Ready) => {}
                    Ok(Private::Read(files)) => {
                        self.files = files.into_iter().map(|file| (file.clone(), written(&file))).collect();
                        return true;
                    }
                    _ => return true,
                }
                if let Some(running) = self.running.as_mut().filter(|_| compiling.keep)
                    && running.tell(&Message::private(&Private::TakeSnapshot)).await
                {
                    compiling.ready = true;
                    compiling.deadline = Instant::now() + LONGEST_SNAPSHOT;
                    return true;
                }
                self.promote(None).await
            }
            Some(message) => {
                compiling.told = true;
                self.forward(message).await
            }
            // A text with errors: that has been told, and nothing more comes.
            None if compiling.told => {
                self.compiling = None;
                true
            }
            None => {
                self.compiling = None;
                let hint = "make the scene smaller; if it is small, this is a defect of Ansatz, please report it";
                self.limit("the compiler fell over this text: it may have used up its memory", hint).await
            }
        }
    }

    /// Whether somebody, such as another program, wrote a file that the scene is made with.
    async fn look_at_files(&mut self) -> bool {
        if self.files.iter().all(|(file, at)| written(file) == *at) {
            return true;
        }
        self.files.clear();
        self.forward(Message::Text(serde_json::to_vec(&Reply::Outdated).unwrap_or_default())).await
    }

    /// The newest text runs from now on.
    async fn promote(&mut self, snapshot: Option<Snapshot>) -> bool {
        if self.compiling.as_ref().is_some_and(|compiling| !compiling.ready && snapshot.is_some()) {
            return true;
        }
        let Some(Compiling { mut worker, .. }) = self.compiling.take() else { return true };
        worker.tell(&Message::private(&Private::Start(snapshot))).await;
        self.running = Some(worker);
        true
    }

    async fn too_late(&mut self) -> bool {
        match &self.compiling {
            Some(compiling) if compiling.ready => self.promote(None).await,
            Some(_) => {
                self.compiling = None;
                let message = format!("compiling took longer than {} s and was given up", LONGEST_COMPILE.as_secs());
                self.limit(message, "make the scene smaller; `ansatz run` has no such limit").await
            }
            None => true,
        }
    }

    async fn limit(&mut self, message: impl Into<String>, hint: &str) -> bool {
        let reply = Reply::Limit { message: message.into(), hint: hint.to_string() };
        self.forward(Message::Text(serde_json::to_vec(&reply).unwrap_or_default())).await
    }

    async fn forward(&mut self, message: Message) -> bool {
        let frame = match message {
            Message::Text(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Frame::Text(text.into()),
                Err(_) => return true,
            },
            Message::Binary(bytes) => Frame::Binary(bytes.into()),
            Message::Private(_) => return true,
        };
        self.page.send(frame).await.is_ok()
    }
}

/// When a file was written; nothing if it is not there.
fn written(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|about| about.modified()).ok()
}
