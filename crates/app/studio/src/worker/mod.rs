//! A worker: a process of its own that compiles one text and, if it is good, runs it until it is told to stop.
//!
//! A process can be stopped at any moment, has limits of its own, and takes nobody along if it falls. What it knows comes through
//! its standard input, and what it has to say goes to its standard output; of files it reads theories of the scene's folder only.

mod asking;
mod card;
mod hand;
mod instance;
mod pace;
mod probe;
mod recording;
mod session;

use std::io::{self, BufReader, BufWriter, Stdout};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use ansatz::{Options, Scene};
use base::Diagnostics;

use crate::describe::{Places, diagnostics};
use crate::pipe::{Message, Private, Snapshot};
use crate::protocol::{Compile, Reply, Request};
use instance::Instance;
use session::Session;

/// Of all that a worker has.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 << 30;

/// What the process `ansatz studio-worker` does.
pub fn work(root: &Path) -> ExitCode {
    limit_memory();
    compile_and_run(root, &listen());
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let hard = getrlimit(Resource::As).maximum;
    let limit = hard.map_or(MEMORY, |hard| hard.min(MEMORY));
    // Where there are no such limits, the server's other limits still hold.
    let _ = setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: hard });
}

#[cfg(not(target_os = "linux"))]
fn limit_memory() {}

/// Reads what comes in a thread of its own; when nothing can come any more, nobody wants this process.
fn listen() -> Receiver<Message> {
    let (sender, inbox) = channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(message) = Message::read(&mut input) {
            if sender.send(message).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    inbox
}

/// Where everything goes that the worker says. If nobody listens, there is nothing left to do.
pub struct Outbox {
    out: BufWriter<Stdout>,
}

impl Outbox {
    pub fn reply(&mut self, reply: &Reply) {
        self.send(&Message::Text(serde_json::to_vec(reply).unwrap_or_default()));
    }

    pub fn private(&mut self, private: &Private) {
        self.send(&Message::private(private));
    }

    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        self.send(&Message::Binary(numbers.into_iter().flat_map(f64::to_le_bytes).collect()));
    }

    fn send(&mut self, message: &Message) {
        if message.write(&mut self.out).is_err() {
            std::process::exit(0);
        }
    }
}

fn compile_and_run(root: &Path, inbox: &Receiver<Message>) {
    let mut out = Outbox { out: BufWriter::new(io::stdout()) };
    let Some(request) = first_request(root, inbox, &mut out) else { return };
    let begin = Instant::now();
    let options = Options { picture: true, folder: Some(folder_of(root, &request.path)), ..Options::default() };
    let scene = Scene::of(driver::compile(&request.path, &request.source, &options), &options);
    let (found, instance) = match &scene {
        Err(compilation) => (compilation.diagnostics.clone(), None),
        Ok(scene) => start(scene, &request),
    };
    let compilation = scene.as_ref().map_or_else(|compilation| &**compilation, Scene::compilation);
    out.reply(&Reply::Diagnostics {
        revision: request.revision,
        ok: instance.is_some(),
        milliseconds: begin.elapsed().as_secs_f64() * 1e3,
        list: diagnostics(&found, &compilation.tree, &Places::of_scene(&compilation.sources)),
    });
    let Some(instance) = instance else { return };
    out.private(&Private::Ready);
    let Some(snapshot) = start_signal(inbox) else { return };
    Session::new(request, instance, out).run(snapshot, inbox);
}

/// The folder of a scene, which is the opened folder or lies in it.
fn folder_of(root: &Path, scene: &str) -> PathBuf {
    let inside = Path::new(scene).components().all(|part| matches!(part, Component::Normal(_)));
    match Path::new(scene).parent() {
        Some(parent) if inside => root.join(parent),
        _ => root.to_path_buf(),
    }
}

/// The text to compile. Until it comes there is time for questions.
fn first_request(root: &Path, inbox: &Receiver<Message>, out: &mut Outbox) -> Option<Compile> {
    loop {
        match inbox.recv().ok()? {
            Message::Text(bytes) => match serde_json::from_slice(&bytes).ok()? {
                Request::Compile(compile) => return Some(compile),
                Request::Ask(question) => {
                    let answer = asking::answer(&question, &folder_of(root, &question.path));
                    out.private(&Private::Answer(serde_json::to_string(&answer).unwrap_or_default()));
                }
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// The outer is nothing if nobody wants the run, the inner if it is to start at the beginning.
fn start_signal(inbox: &Receiver<Message>) -> Option<Option<Snapshot>> {
    match inbox.recv().ok()? {
        Message::Private(bytes) => match serde_json::from_slice(&bytes).ok()? {
            Private::Start(snapshot) => Some(snapshot),
            _ => None,
        },
        _ => None,
    }
}

/// The scene with the parameters that were asked for, at a consistent start if there is one; and all that there is to say of it.
fn start(scene: &Scene, request: &Compile) -> (Diagnostics, Option<Instance>) {
    let mut found = scene.warnings().clone();
    let mut instance = match Instance::new(scene.clone()) {
        Ok(instance) => instance,
        Err(error) => {
            error.diagnostics().iter().for_each(|other| found.report(other.clone()));
            return (found, None);
        }
    };
    for (name, &value) in &request.parameters {
        instance.set_parameter(name, value);
    }
    for (name, &value) in &request.controls {
        instance.set_control(name, value);
    }
    instance.judge(&mut found);
    if found.has_errors() {
        return (found, None);
    }
    match instance.begin() {
        Ok(()) => (found, Some(instance)),
        Err(failure) => {
            found.report(instance.describe(&failure));
            (found, None)
        }
    }
}
