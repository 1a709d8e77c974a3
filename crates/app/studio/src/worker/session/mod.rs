//! A session: one scene that runs, is recorded, and is played with.
//!
//! What is shown is a row of the recording, at the cursor. Playing goes through what is recorded first; at its end the simulation,
//! which always stands at the end of the recording, goes on. Whatever changes the scene at a moment of the past starts another future
//! there; the one that was recorded stays as a branch.

mod branches;
mod changing;
mod playing;
mod telling;

use std::time::Duration;

use driver::Stage;
use host::Instant;

use super::Outbox;
use super::hand::{Grip, Hand};
use super::instance::Instance;
use super::pace::{Pace, RATE};
use super::probe::Probes;
use super::recording::Recording;
use super::released::Released;
use crate::describe::{plain_diagnostic, scene};
use crate::pipe::{Message, Private, Snapshot};
use crate::protocol::{Compile, Reply, Request};
use crate::worker::tempo::tempo;
use branches::Branches;
use telling::Telling;

pub struct Session {
    request: Compile,
    out: Outbox,
    main: Instance,
    /// The program without the prescribed motions that are switched off, if some are.
    released: Option<Released>,
    /// The program with a hand in it, once there was one.
    hand: Option<Hand>,
    /// What is held, from `drag` to `drop`.
    grip: Option<Grip>,
    /// Whether the simulation runs in the program of the hand.
    pulling: bool,
    probes: Option<Probes>,

    recording: Recording,
    /// The row that is shown.
    cursor: usize,
    playing: bool,
    speed: f64,
    /// New rows are at `origin + k · interval`.
    origin: f64,
    interval: f64,
    k: u32,
    /// Compute to this time as fast as possible, and show it.
    goal: Option<f64>,
    /// The simulation cannot go on from the end of the recording.
    failed: bool,
    /// The recording is as long as it may be.
    full: bool,
    pace: Pace,
    /// When the row that is being computed was begun.
    row_begun: Option<Instant>,
    telling: Telling,
    branches: Branches,
}

impl Session {
    /// Starts from the state of another run, if it is given and fits.
    pub fn start(request: Compile, mut main: Instance, out: Outbox, snapshot: Option<Snapshot>) -> Session {
        let tempo = tempo(&mut main.simulation);
        let mut session = Session::new(request, main, tempo, out);
        let scene = Box::new(scene(session.main.compilation(), &session.main.stages, tempo));
        session.out.reply(&Reply::Compiled { revision: session.request.revision, scene });
        let labels = std::mem::take(&mut session.request.released);
        // A text that has errors without them has them on.
        let _ = session.let_loose(&labels);
        let kept = snapshot.is_some_and(|snapshot| session.restore(&snapshot));
        if !kept {
            session.begin();
        }
        for expression in std::mem::take(&mut session.request.probes) {
            session.probe(&expression);
        }
        session
    }

    fn new(request: Compile, main: Instance, tempo: f64, out: Outbox) -> Session {
        let speed = request.speed.and_then(playing::checked_speed).unwrap_or(tempo);
        Session {
            playing: request.playing,
            request,
            out,
            main,
            released: None,
            hand: None,
            grip: None,
            pulling: false,
            probes: None,
            recording: Recording::default(),
            cursor: 0,
            speed,
            origin: 0.0,
            interval: speed / RATE,
            k: 0,
            goal: None,
            failed: false,
            full: false,
            pace: Pace::new(),
            row_begun: None,
            telling: Telling::new(),
            branches: Branches::new(),
        }
    }

    /// How long until something is to be computed; none if nothing is until something comes.
    pub fn wait(&self) -> Option<Duration> {
        let busy = self.row_begun.is_some() || self.goal.is_some();
        self.is_moving().then(|| if busy { Duration::ZERO } else { self.pace.wait() })
    }

    pub fn handle(&mut self, message: &Message) {
        self.telling.status_due = true;
        match message {
            Message::Text(bytes) => match serde_json::from_slice(bytes) {
                Ok(request) => self.obey(request),
                Err(error) => {
                    let message = format!("a request could not be understood: {error}");
                    self.refuse("request", plain_diagnostic("bad-setting", message, "load the page again"));
                }
            },
            Message::Private(bytes) => {
                if let Ok(Private::TakeSnapshot) = serde_json::from_slice(bytes) {
                    let snapshot = self.snapshot();
                    self.out.private(&Private::Snapshot(snapshot));
                }
            }
            Message::Binary(_) => {}
        }
    }

    fn obey(&mut self, request: Request) {
        match request {
            Request::Play => self.play(),
            Request::Pause => self.pause(),
            Request::Step => self.step(),
            Request::Back => self.back(),
            Request::Reset => self.reset(),
            Request::Speed { speed } => self.set_speed(speed),
            Request::Seek { t } => self.seek(t),
            Request::Parameter { name, value } => self.set_parameter(&name, value),
            Request::Control { name, value } => self.set_control(&name, value),
            Request::Release { labels } => self.release(&labels),
            Request::Probe { expression } => self.probe(&expression),
            Request::History { request, columns, branch } => self.history(request, &columns, branch),
            Request::Branch { id, act, name } => self.branch(id, act, &name),
            Request::Drag { frame, grasp, target } => self.drag(&frame, grasp, target),
            Request::Drop => self.drop(),
            Request::Drawn { batch } => self.telling.drawn(batch),
            Request::Stage { stage } => self.stage(stage),
            Request::Moment => self.tell_moment(),
            // A worker compiles one text only; questions and sweeps are for those that have none yet.
            Request::Compile(_) | Request::Ask(_) | Request::Sweep(_) | Request::Unsweep => {}
        }
    }

    fn stage(&mut self, name: String) {
        let (compilation, stages) = (self.main.compilation(), &self.main.stages);
        let stage = match name.as_str() {
            "tex" => {
                let text = driver::equations_tex(compilation, stages);
                return self.out.reply(&Reply::Stage { stage: name, text });
            }
            "model" => Stage::Model,
            "equations" => Stage::Equations,
            "plan" => Stage::Plan,
            "program" => Stage::Program,
            "kernel" => Stage::Kernel,
            _ => Stage::Code,
        };
        let text = driver::explain(compilation, stages, Some(stage));
        self.out.reply(&Reply::Stage { stage: name, text });
    }

    /// The moment that is shown.
    fn now(&self) -> f64 {
        self.recording.rows().get(self.cursor).map_or(0.0, |row| row[0])
    }

    /// The instance that the simulation runs in.
    fn live(&mut self) -> &mut Instance {
        aside(&mut self.hand, &mut self.released, self.pulling).unwrap_or(&mut self.main)
    }

    /// The instance that the simulation runs in, to look at.
    fn running(&self) -> &Instance {
        match (&self.hand, &self.released) {
            (Some(hand), _) if self.pulling => &hand.instance,
            (_, Some(released)) => &released.instance,
            _ => &self.main,
        }
    }

    /// The prescribed motions that are switched off.
    fn off(&self) -> &[String] {
        self.released.as_ref().map_or(&[], |released| &released.labels)
    }

    fn snapshot(&self) -> Snapshot {
        let columns = &self.main.columns;
        let states = match self.recording.rows().get(self.cursor) {
            Some(row) => {
                columns.states.iter().zip(self.main.states(row)).map(|(state, &value)| (state.name.clone(), value))
            }
            None => return Snapshot { t: 0.0, states: Default::default() },
        };
        Snapshot { t: self.now(), states: states.collect() }
    }

    /// Goes on where another run was, if the scene has the same variables; whether it did.
    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let columns = &self.main.columns;
        let integrated =
            columns.states.iter().filter(|state| !state.follows).all(|state| snapshot.states.contains_key(&state.name));
        if !integrated || snapshot.states.len() != columns.states.len() || snapshot.t == 0.0 {
            return false;
        }
        let states: Vec<f64> =
            columns.states.iter().map(|state| snapshot.states.get(&state.name).copied().unwrap_or(0.0)).collect();
        if self.resume(snapshot.t, &states).is_err() {
            return false;
        }
        match self.row(snapshot.t) {
            Ok(row) => {
                self.recording.push(row);
                self.note_released(snapshot.t);
                self.set_out(snapshot.t);
                self.note_settings();
                true
            }
            Err(_) => false,
        }
    }
}

/// The instance that the simulation runs in, where that is not the scene as it is written.
fn aside<'a>(
    hand: &'a mut Option<Hand>,
    released: &'a mut Option<Released>,
    pulling: bool,
) -> Option<&'a mut Instance> {
    match (hand, released) {
        (Some(hand), _) if pulling => Some(&mut hand.instance),
        (_, Some(released)) => Some(&mut released.instance),
        _ => None,
    }
}
