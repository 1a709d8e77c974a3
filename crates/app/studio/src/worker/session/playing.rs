//! Playing: frame after frame, at the asked speed or as fast as it goes.

use std::time::Duration;

use driver::{Failure, FailureKind};
use host::Instant;

use super::Session;
use crate::describe::{Places, diagnostic, plain_diagnostic};
use crate::protocol::Reply;
use crate::worker::instance::LONGEST_RUN;
use crate::worker::pace::RATE;

/// Trial steps between two looks at the clock.
const STEPS: i64 = 200;
/// How long the inbox waits at most while something is computed.
const PATIENCE: Duration = Duration::from_millis(20);
/// A row that takes longer never ends.
const LONGEST_ROW: Duration = Duration::from_secs(20);
/// Rows on the way to a time far ahead.
const ROWS_TO_GOAL: f64 = 2000.0;

pub fn checked_speed(speed: f64) -> Option<f64> {
    (1e-15..=1e15).contains(&speed).then_some(speed)
}

impl Session {
    /// At the start, with the present parameters.
    pub fn begin(&mut self) {
        self.recording.clear();
        self.cursor = 0;
        (self.failed, self.full, self.goal, self.row_begun, self.pulling) = (false, false, None, None, false);
        match self.set_up().and_then(|()| self.row(0.0)) {
            Ok(row) => {
                self.recording.push(row);
                self.note_released(0.0);
            }
            Err(failure) => self.fail(&failure),
        }
        self.set_out(0.0);
        self.telling.forget(0);
        self.note_settings();
    }

    /// From now on rows follow this time.
    pub fn set_out(&mut self, t: f64) {
        (self.origin, self.k) = (t, 0);
        self.interval = (self.speed / RATE).max(self.recording.least_interval);
        self.row_begun = None;
        self.pace.restart();
    }

    pub fn extend_horizon(&mut self, t: f64) {
        let horizon = t.max(0.0) + LONGEST_RUN * self.speed.max(1.0);
        // It only stores two numbers.
        let hand = self.hand.as_mut().map(|hand| &mut hand.instance);
        let released = self.released.as_mut().map(|released| &mut released.instance);
        for instance in [Some(&mut self.main), hand, released].into_iter().flatten() {
            let _ = instance.configure(horizon);
        }
    }

    pub fn is_moving(&self) -> bool {
        (self.playing || self.goal.is_some()) && !(self.at_end() && (self.failed || self.full))
    }

    fn at_end(&self) -> bool {
        self.cursor + 1 >= self.recording.len()
    }

    pub fn play(&mut self) {
        self.playing = true;
        self.pace.restart();
        self.hold();
    }

    pub fn pause(&mut self) {
        self.playing = false;
        self.goal = None;
    }

    pub fn step(&mut self) {
        self.pause();
        if !self.at_end() {
            self.show(self.cursor + 1);
        } else if !self.failed {
            self.goal = Some(self.next_time());
        }
    }

    pub fn back(&mut self) {
        self.pause();
        self.show(self.cursor.saturating_sub(1));
    }

    pub fn reset(&mut self) {
        self.grip = None;
        self.begin();
    }

    pub fn set_speed(&mut self, speed: f64) {
        let Some(speed) = checked_speed(speed) else {
            let hint = "give simulated seconds for each second, such as 0.1 or 1000";
            return self
                .refuse("speed", plain_diagnostic("bad-setting", format!("{speed} is no speed to run at"), hint));
        };
        self.speed = speed;
        self.extend_horizon(self.recording.end());
        self.full = false;
        self.set_out(self.recording.end());
    }

    pub fn seek(&mut self, t: f64) {
        if !t.is_finite() || t < 0.0 {
            let diagnostic =
                plain_diagnostic("bad-setting", format!("{t} is no time to go to"), "give seconds from 0 on");
            return self.refuse("seek", diagnostic);
        }
        self.pace.restart();
        self.goal = None;
        if t <= self.recording.end() || self.failed {
            return self.show(self.recording.nearest(t));
        }
        self.show(self.recording.len() - 1);
        let last = self.recording.end();
        self.set_out(last);
        self.interval = self.interval.max((t - last) / ROWS_TO_GOAL);
        self.goal = Some(t);
    }

    /// Shows a recorded row.
    pub fn show(&mut self, row: usize) {
        self.cursor = row.min(self.recording.len().saturating_sub(1));
        self.telling.show();
    }

    /// One frame on, or a part of one that takes long.
    pub fn tick(&mut self) {
        if self.at_end() {
            self.simulate();
        } else {
            self.replay();
        }
    }

    fn replay(&mut self) {
        let t = self.now() + self.speed / RATE;
        // Rounding must not skip a row.
        let due = self.recording.rows().partition_point(|row| row[0] < t - 1e-9 * self.interval);
        self.show(due.max(self.cursor + 1));
        self.pace.done(self.now());
    }

    fn next_time(&self) -> f64 {
        self.origin + f64::from(self.k + 1) * self.interval
    }

    fn simulate(&mut self) {
        let begun = *self.row_begun.get_or_insert_with(Instant::now);
        let mut t = self.next_time();
        if let Some(goal) = self.goal.filter(|goal| *goal - t < 1e-9 * self.interval) {
            t = goal;
        }
        let limit = LONGEST_RUN * self.speed.max(1.0);
        if t > limit {
            return self.fill_up(limit);
        }
        let slice = Instant::now();
        loop {
            match self.live().simulation.advance(t, STEPS) {
                Ok(true) => break,
                Ok(false) if begun.elapsed() > LONGEST_ROW => {
                    let time = self.recording.end();
                    let kind = FailureKind::StepCollapsed;
                    return self.fail(&Failure::new(kind, 0, time));
                }
                Ok(false) if slice.elapsed() > PATIENCE => return,
                Ok(false) => {}
                Err(failure) => return self.fail(&failure),
            }
        }
        let stopped = self.live().simulation.stopped();
        match self.row(stopped.map_or(t, |stopped| stopped.min(t))) {
            Ok(row) => self.add(row),
            Err(failure) => return self.fail(&failure),
        }
        if let Some(t) = stopped {
            self.end(t);
        }
    }

    /// The scene says that the run ends here.
    fn end(&mut self, t: f64) {
        (self.playing, self.full, self.goal, self.row_begun) = (false, true, None, None);
        self.out.reply(&Reply::Limit {
            message: format!("the run stops at t = {t} s, as the scene says"),
            hint: "go back and play from there, or reset it".to_string(),
        });
        self.telling.status_due = true;
    }

    fn add(&mut self, row: Vec<f64>) {
        let t = row[0];
        let rows = self.recording.len();
        self.recording.push(row);
        if self.recording.len() <= rows {
            // Thinned out: the page keeps what it has.
            self.telling.caught_up(self.recording.len() - 1);
        }
        self.cursor = self.recording.len() - 1;
        (self.row_begun, self.k) = (None, self.k + 1);
        if self.goal.is_some_and(|goal| t >= goal) {
            self.goal = None;
            self.set_out(t);
        }
        if self.interval < self.recording.least_interval {
            self.set_out(t);
        }
        self.pace.done(t);
    }

    /// All numbers of a moment of the last step, with those of the probes.
    pub fn row(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        let row = self.live().row(t)?;
        let mut row = self.running().row_for(&self.main.columns, row);
        let columns = &self.main.columns;
        // A picture with holes would be believed.
        if let Some(at) = row[..columns.stride].iter().position(|value| !value.is_finite()) {
            let place = at.checked_sub(columns.outputs);
            let kind = if place.is_some() { FailureKind::OutputNotFinite } else { FailureKind::NotFinite };
            return Err(Failure { residual: row[at], ..Failure::new(kind, place.unwrap_or(0), t) });
        }
        if let Some(probes) = &mut self.probes {
            let off = self.released.as_ref().map_or(&[][..], |released| &released.labels);
            let values = probes.values(&self.main, &row, off);
            row.extend(values);
        }
        Ok(row)
    }

    pub fn fail(&mut self, stop: &Failure) {
        (self.playing, self.failed, self.goal, self.row_begun) = (false, true, None, None);
        let instance = self.live();
        let places = Places::of_scene(&instance.compilation().sources);
        let diagnostic = diagnostic(&instance.describe(stop), Some(&instance.compilation().tree), &places);
        let t = if stop.time.is_finite() { stop.time } else { self.recording.end() };
        self.out.reply(&Reply::Failed { t, diagnostic });
        self.telling.status_due = true;
    }

    fn fill_up(&mut self, limit: f64) {
        (self.playing, self.full, self.goal, self.row_begun) = (false, true, None, None);
        self.out.reply(&Reply::Limit {
            message: format!("a run ends after {limit} simulated seconds"),
            hint: "reset it, or run it faster: the limit grows with the speed".to_string(),
        });
        self.telling.status_due = true;
    }
}
