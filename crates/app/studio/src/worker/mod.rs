//! A worker compiles one text and, if it is good, runs it until it is told to stop.
//!
//! It gets messages and sends messages, and computes when something is due; who carries these to and fro is not its business. In the studio it is
//! a process of its own, which can be stopped at any moment, has limits of its own, and takes nobody along if it falls; in a browser it is one of
//! the page's workers. Of files it reads theories of the scene's folder only.

mod asking;
mod card;
mod hand;
mod instance;
mod linear;
mod outbox;
mod pace;
mod probe;
#[cfg(not(target_arch = "wasm32"))]
mod process;
mod recording;
mod released;
mod session;
mod sweeping;
pub mod tempo;

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use ansatz::{Options, Scene};
use base::{Diagnostics, SourceId, Sources};
use host::Instant;

use crate::describe::{Places, diagnostics};
use crate::pipe::{Message, Private};
use crate::protocol::{Compile, Reply, Request};
use instance::Instance;
use outbox::Outbox;
#[cfg(not(target_arch = "wasm32"))]
pub use process::{limit_memory_of, work};
use session::Session;

pub struct Worker {
    /// The opened folder.
    root: PathBuf,
    state: State,
}

enum State {
    /// Until a text comes there is time for questions.
    Waiting(Outbox),
    /// The text is good; what comes next says whether anybody wants the run.
    Ready(Box<(Compile, Instance, Outbox)>),
    Running(Box<Session>),
    Done,
}

impl Worker {
    pub fn new(root: &Path) -> Worker {
        Worker { root: root.to_path_buf(), state: State::Waiting(Outbox::new()) }
    }

    /// Whether nothing more will come of it.
    pub fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    pub fn receive(&mut self, message: &Message) {
        self.state = match std::mem::replace(&mut self.state, State::Done) {
            State::Waiting(out) => first(&self.root, message, out),
            State::Ready(made) => start_signal(message, *made),
            State::Running(mut session) => {
                session.handle(message);
                State::Running(session)
            }
            State::Done => State::Done,
        };
    }

    /// How long until something is to be computed; none if nothing is until a message comes.
    pub fn wait(&self) -> Option<Duration> {
        if let State::Running(session) = &self.state { session.wait() } else { None }
    }

    /// Computes what is due.
    pub fn tick(&mut self) {
        if let State::Running(session) = &mut self.state {
            session.tick();
        }
    }

    /// Says what there is to say of what came and of what was computed.
    pub fn tell(&mut self) {
        if let State::Running(session) = &mut self.state {
            session.tell();
        }
    }
}

/// A question, a sweep, or the text to compile.
fn first(root: &Path, message: &Message, mut out: Outbox) -> State {
    let Message::Text(bytes) = message else { return State::Done };
    match serde_json::from_slice(bytes) {
        Ok(Request::Compile(compile)) => compiled(root, compile, out),
        Ok(Request::Ask(question)) => {
            let answer = asking::answer(&question, &folder_of(root, &question.path));
            out.private(&Private::Answer(serde_json::to_string(&answer).unwrap_or_default()));
            State::Waiting(out)
        }
        Ok(Request::Sweep(wanted)) => {
            sweeping::sweep(&wanted, &folder_of(root, &wanted.path), &mut out);
            State::Waiting(out)
        }
        _ => State::Done,
    }
}

fn compiled(root: &Path, request: Compile, mut out: Outbox) -> State {
    let begin = Instant::now();
    let options = Options { picture: true, folder: Some(folder_of(root, &request.path)), ..Options::default() };
    let scene = Scene::of(driver::compile(&request.path, &request.source, &options), &options);
    let (found, instance) = match &scene {
        Err(compilation) => (compilation.diagnostics.clone(), None),
        Ok(scene) => start(scene, &request),
    };
    let compilation = scene.as_ref().map_or_else(|compilation| &**compilation, Scene::compilation);
    out.private(&Private::Read(files_of(&compilation.sources, &folder_of(root, &request.path))));
    out.reply(&Reply::Diagnostics {
        revision: request.revision,
        ok: instance.is_some(),
        milliseconds: begin.elapsed().as_secs_f64() * 1e3,
        list: diagnostics(&found, &compilation.tree, &Places::of_scene(&compilation.sources)),
    });
    let Some(instance) = instance else { return State::Done };
    out.private(&Private::Ready);
    State::Ready(Box::new((request, instance, out)))
}

/// The files beside a scene that were read for it, and those that it uses and that are not there. Texts have the names of their files; texts of
/// the library and of probes have names of none, at which looking does no harm.
fn files_of(sources: &Sources, folder: &Path) -> Vec<PathBuf> {
    let ids = (1..).map(SourceId).take_while(|&id| sources.line(base::Span::new(id, 0, 0)).is_some());
    ids.map(|id| folder.join(&sources.get(id).name)).collect()
}

/// The run starts from a state, if there is one that fits.
fn start_signal(message: &Message, (request, instance, out): (Compile, Instance, Outbox)) -> State {
    match message {
        Message::Private(bytes) => match serde_json::from_slice(bytes) {
            Ok(Private::Start(snapshot)) => State::Running(Box::new(Session::start(request, instance, out, snapshot))),
            _ => State::Done,
        },
        _ => State::Done,
    }
}

/// The folder of a scene, which is the opened folder or lies in it.
pub fn folder_of(root: &Path, scene: &str) -> PathBuf {
    let inside = Path::new(scene).components().all(|part| matches!(part, Component::Normal(_)));
    match Path::new(scene).parent() {
        Some(parent) if inside => root.join(parent),
        _ => root.to_path_buf(),
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
