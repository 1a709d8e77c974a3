//! Telling the page: frames as fast as it draws them, how the run stands, and curves and surfaces where they changed.

use std::time::Duration;

use host::Instant;
use kernel::protocol::CURVE_POINTS;

use super::Session;
use crate::protocol::{HEADER, HISTORY, LIVE, Moment, Reply, SHOWN, SURFACES, Status, Transition};

/// Batches that may be on their way to the page.
const MOST_UNDRAWN: u32 = 3;
const BETWEEN_STATUSES: Duration = Duration::from_millis(250);

/// What the page knows.
pub struct Telling {
    batch: u32,
    drawn: u32,
    /// How many rows of the recording it has seen.
    seen: usize,
    /// Another row than the newest is to be shown.
    shown_due: bool,
    pub status_due: bool,
    /// Less is recorded than the page knows.
    forgotten: bool,
    last_status: Instant,
    curves: Vec<f64>,
    /// The transitions that the page knows.
    pub events: Vec<driver::Event>,
    surfaces: Vec<f64>,
}

impl Telling {
    pub fn new() -> Telling {
        Telling {
            batch: 0,
            drawn: 0,
            seen: 0,
            shown_due: false,
            status_due: true,
            // It knows nothing yet.
            forgotten: true,
            last_status: Instant::now(),
            curves: Vec::new(),
            events: Vec::new(),
            surfaces: Vec::new(),
        }
    }

    /// A page may say twice, or too late, that it has drawn something.
    pub fn drawn(&mut self, batch: u32) {
        self.drawn = self.drawn.max(batch.min(self.batch));
    }

    pub fn show(&mut self) {
        self.shown_due = true;
        self.status_due = true;
    }

    /// Only so many rows are still what they were.
    pub fn forget(&mut self, rows: usize) {
        self.seen = self.seen.min(rows);
        self.forgotten = true;
    }

    pub fn caught_up(&mut self, rows: usize) {
        self.seen = rows;
    }

    fn may_send(&self) -> bool {
        self.batch - self.drawn < MOST_UNDRAWN
    }
}

impl Session {
    /// Sends what is due.
    pub fn tell(&mut self) {
        self.tell_curves();
        self.tell_events();
        // What is to be forgotten is told before anything new comes.
        if std::mem::take(&mut self.telling.forgotten) {
            self.tell_surfaces();
            self.tell_status();
            self.telling.status_due = true;
        }
        self.tell_branches();
        if self.telling.may_send() {
            self.tell_rows();
        }
        if self.telling.status_due || self.is_moving() && self.telling.last_status.elapsed() > BETWEEN_STATUSES {
            self.tell_status();
        }
    }

    fn tell_rows(&mut self) {
        let rows = self.recording.rows();
        if self.telling.seen < rows.len() {
            let news = &rows[self.telling.seen..];
            self.telling.batch += 1;
            let stride = news[0].len();
            let head: [f64; HEADER] = [LIVE, f64::from(self.telling.batch), stride as f64];
            self.out.numbers(head.into_iter().chain(news.iter().flat_map(|row| row.iter().copied())));
            self.telling.seen = rows.len();
        }
        if std::mem::take(&mut self.telling.shown_due)
            && let Some(row) = rows.get(self.cursor)
        {
            self.telling.batch += 1;
            let head: [f64; HEADER] = [SHOWN, f64::from(self.telling.batch), row.len() as f64];
            self.out.numbers(head.into_iter().chain(row.iter().copied()));
        }
    }

    fn tell_status(&mut self) {
        self.telling.status_due = false;
        self.telling.last_status = Instant::now();
        let achieved = if self.is_moving() { self.pace.achieved() } else { None };
        let dragging = self.grip.map(|grip| format!("frame:{}", self.main.stages.model.frame(grip.frame).name));
        self.out.reply(&Reply::Status(Status {
            playing: self.playing,
            t: self.now(),
            recorded: self.recording.end(),
            frames: self.recording.len(),
            speed: self.speed,
            achieved: achieved.map_or(1.0, |achieved| achieved / self.speed),
            parameters: self.main.parameters().collect(),
            controls: self.main.controls().collect(),
            released: self.off().to_vec(),
            dragging,
            full: self.full,
        }));
    }

    /// Curves of the state that was observed last, if they are not those that the page has.
    fn tell_curves(&mut self) {
        if self.main.stages.program.curves.is_empty() || self.recording.len() == 0 {
            return;
        }
        let t = self.recording.end();
        let Ok(curves) = self.live().simulation.curves(t) else { return };
        if curves != self.telling.curves {
            let points = curves.chunks(3 * CURVE_POINTS).map(<[f64]>::to_vec).collect();
            self.out.reply(&Reply::Curves { points });
            self.telling.curves = curves;
        }
    }

    /// Transitions that the page does not know, or should forget.
    fn tell_events(&mut self) {
        let (events, known) = (&self.running().simulation.events, &self.telling.events);
        let same = events.iter().zip(known).take_while(|(now, known)| now == known).count();
        if same == events.len() && same == known.len() {
            return;
        }
        let news = events[same..].to_vec();
        let list = news.iter().map(|event| Transition { t: event.t, name: event.name.clone() }).collect();
        self.telling.events.truncate(same);
        self.telling.events.extend(news);
        self.out.reply(&Reply::Events { from: same, list });
    }

    /// Surfaces with the present parameters, if they are not those that the page has. They move with their frames; what else may
    /// change in them as time goes by is not followed.
    fn tell_surfaces(&mut self) {
        if self.main.stages.program.surfaces.is_empty() || self.recording.len() == 0 {
            return;
        }
        let t = self.recording.end();
        let Ok(surfaces) = self.live().simulation.surfaces(t) else { return };
        if surfaces != self.telling.surfaces {
            let stride = surfaces.len() / self.main.stages.program.surfaces.len();
            let head: [f64; HEADER] = [SURFACES, 0.0, stride as f64];
            self.out.numbers(head.into_iter().chain(surfaces.iter().copied()));
            self.telling.surfaces = surfaces;
        }
    }

    pub fn history(&mut self, request: u32, columns: &[usize], branch: Option<u32>) {
        let recording = branch.map_or(Some(&self.recording), |id| self.branches.recording(id));
        let rows = recording.map_or(&[][..], |recording| recording.rows());
        let stride = columns.len() + 1;
        let head: [f64; HEADER] = [HISTORY, f64::from(request), stride as f64];
        let numbers = rows.iter().flat_map(|row| {
            let value = |&column: &usize| row.get(column).copied().unwrap_or(f64::NAN);
            std::iter::once(row[0]).chain(columns.iter().map(value))
        });
        self.out.numbers(head.into_iter().chain(numbers));
    }

    /// What is not a number is left out.
    pub fn tell_moment(&mut self) {
        let Some(row) = self.recording.rows().get(self.cursor) else { return };
        let (columns, states) = (&self.main.columns.states, self.main.states(row));
        let named = columns.iter().map(|column| column.name.clone()).zip(states.iter().copied());
        let moment = Moment {
            t: row[0],
            states: named.filter(|(_, value)| value.is_finite()).collect(),
            parameters: self.main.parameters().collect(),
            controls: self.main.controls().collect(),
            released: self.recording.released_at(row[0]).to_vec(),
        };
        self.out.reply(&Reply::Moment { moment });
    }
}
