//! Changes while it runs: parameters, controls, probes, and a hand that pulls. The state is kept.

use base::Diagnostics;
use model::FrameId;

use super::{Session, aside};
use crate::describe::{Places, diagnostic, plain_diagnostic};
use crate::protocol::{Diagnostic, Reply};
use crate::worker::hand::{Grip, Hand};
use crate::worker::instance::Instance;
use crate::worker::probe::Probes;
use crate::worker::released::Released;
use driver::Failure;

impl Session {
    pub fn set_parameter(&mut self, name: &str, value: f64) {
        let before = self.main.parameters().find(|(known, _)| known == name).map(|(_, value)| value);
        let Some(before) = before else { return self.refuse_unknown("parameter", name) };
        if !value.is_finite() {
            return self.refuse("parameter", not_a_number(name));
        }
        self.main.set_parameter(name, value);
        let mut found = Diagnostics::default();
        self.main.judge(&mut found);
        let unphysical = found.iter().find(|found| found.severity == base::Severity::Error).cloned();
        let outcome = match unphysical {
            Some(diagnostic) => Err(diagnostic),
            None => self.renew().map_err(|failure| self.main.describe(&failure)),
        };
        if let Err(found) = outcome {
            let places = Places::of_scene(&self.main.compilation().sources);
            let diagnostic = diagnostic(&found, Some(&self.main.compilation().tree), &places);
            self.main.set_parameter(name, before);
            // It worked before, so it will again.
            let _ = self.renew();
            self.refuse("parameter", diagnostic);
        }
    }

    pub fn set_control(&mut self, name: &str, value: f64) {
        let Some(control) = self.main.stages.model.controls.iter().find(|control| control.name == name) else {
            return self.refuse_unknown("control", name);
        };
        if !value.is_finite() {
            return self.refuse("control", not_a_number(name));
        }
        let value = control.range.map_or(value, |(low, high)| value.clamp(low, high));
        if self.main.controls().any(|(known, now)| known == name && now == value) {
            return;
        }
        self.main.set_control(name, value);
        if let Err(failure) = self.renew() {
            self.fail(&failure);
        }
    }

    /// Begins anew from the state that is shown, with the present parameters and controls; at the start, from a new start. What
    /// was recorded after it becomes a branch.
    fn renew(&mut self) -> Result<(), Failure> {
        let Some(row) = self.recording.rows().get(self.cursor).cloned() else { return Ok(()) };
        let t = row[0];
        if t == 0.0 && self.cursor == 0 && self.grip.is_none() {
            self.set_up()?;
        } else {
            let states = self.main.states(&row).to_vec();
            self.resume(t, &states)?;
        }
        let row = self.row(t)?;
        self.put(row);
        Ok(())
    }

    /// Puts the simulation at a state.
    pub(super) fn resume(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.extend_horizon(t);
        let events = &self.telling.events;
        match aside(&mut self.hand, &mut self.released, self.pulling) {
            Some(other) => {
                other.agree_with(&self.main);
                other.simulation.set_events(events);
                let states = other.translate(&self.main.columns, states);
                other.simulation.resume(t, &states)
            }
            None => {
                self.main.simulation.set_events(events);
                self.main.simulation.resume(t, states)
            }
        }
    }

    /// A start as the scene has it. What is prescribed says where it is, so motions that are off are so from there on.
    pub(super) fn set_up(&mut self) -> Result<(), Failure> {
        self.main.begin()?;
        self.extend_horizon(0.0);
        if self.released.is_some() {
            let row = self.main.row(0.0)?;
            let states = self.main.states(&row).to_vec();
            self.resume(0.0, &states)?;
        }
        Ok(())
    }

    /// Switches these prescribed motions off, and all others on.
    pub fn release(&mut self, labels: &[String]) {
        let before = self.off().to_vec();
        if before == labels {
            return;
        }
        let changed = self.let_loose(labels).and_then(|()| {
            let outcome = self.renew();
            outcome.map_err(|failure| self.live().describe(&failure))
        });
        if let Err(found) = changed {
            let places = Places::of_scene(&self.main.compilation().sources);
            let diagnostic = diagnostic(&found, Some(&self.main.compilation().tree), &places);
            // It worked before, so it will again.
            let _ = self.let_loose(&before);
            let _ = self.renew();
            self.refuse("release", diagnostic);
        }
    }

    /// Takes the program without these prescribed motions, if the scene has any of them. The state is not touched.
    pub(super) fn let_loose(&mut self, labels: &[String]) -> Result<(), base::Diagnostic> {
        let known =
            |label: &&String| self.main.stages.model.prescriptions.iter().any(|it| it.equation.label == **label);
        let labels: Vec<String> = labels.iter().filter(known).cloned().collect();
        self.released = if labels.is_empty() { None } else { Some(Released::compile(&self.main, labels)?) };
        // What is held is held in another program now.
        let held = self.grip.map(|grip| grip.frame).filter(|_| self.hand.take().is_some());
        self.hand = held.and_then(|frame| Hand::compile(self.driven(), frame));
        self.pulling &= self.hand.is_some();
        if let (Some(hand), Some(grip)) = (&mut self.hand, self.grip) {
            hand.instance.agree_with(&self.main);
            hand.pull(&grip);
        }
        Ok(())
    }

    /// The program without a hand.
    fn driven(&self) -> &Instance {
        self.released.as_ref().map_or(&self.main, |released| &released.instance)
    }

    /// Remembers which prescribed motions are off from a time on.
    pub(super) fn note_released(&mut self, t: f64) {
        let off = self.off().to_vec();
        self.recording.release(t, &off);
    }

    /// Replaces the row that is shown; what comes after it becomes a branch.
    fn put(&mut self, row: Vec<f64>) {
        let t = row[0];
        self.branch_off();
        self.recording.truncate(self.cursor + 1);
        self.recording.replace(self.cursor, row);
        self.note_released(t);
        (self.failed, self.full, self.goal) = (false, false, None);
        self.set_out(t);
        self.telling.forget(self.recording.len());
        self.telling.show();
        self.note_settings();
    }

    pub fn probe(&mut self, expression: &str) {
        let mut expressions = self.probes.as_ref().map_or(Vec::new(), |probes| probes.expressions.clone());
        let known = expressions.iter().position(|known| known == expression);
        if known.is_none() {
            expressions.push(expression.to_string());
            match Probes::compile(&self.main, &expressions) {
                Ok(probes) => self.probes = Some(probes),
                Err(list) => {
                    return self.out.reply(&Reply::Probed { expression: expression.to_string(), plot: None, list });
                }
            }
            self.probe_recording();
        }
        let Some(probes) = &self.probes else { return };
        let at = known.unwrap_or(expressions.len() - 1);
        let plot = probes.plots(self.main.columns.stride).into_iter().nth(at);
        self.out.reply(&Reply::Probed { expression: expression.to_string(), plot, list: Vec::new() });
        self.telling.show();
    }

    /// Computes the probes for everything that is recorded.
    pub(super) fn probe_recording(&mut self) {
        let Some(probes) = &mut self.probes else { return };
        let stride = self.main.columns.stride;
        for at in 0..self.recording.len() {
            let mut row = self.recording.rows()[at][..stride].to_vec();
            row.extend(probes.values(&self.main, &row, self.recording.released_at(row[0])));
            self.recording.replace(at, row);
        }
    }

    pub fn drag(&mut self, frame: &str, grasp: [f64; 3], target: [f64; 3]) {
        let name = frame.strip_prefix("frame:").unwrap_or(frame);
        let at = self.main.stages.model.frames.iter().skip(1).position(|frame| frame.name == name);
        let Some(at) = at else { return self.refuse_unknown("frame", name) };
        if !grasp.iter().chain(&target).all(|number| number.is_finite()) {
            return self.refuse("drag", not_a_number(name));
        }
        let frame = FrameId(at as u32 + 1);
        if self.hand.as_ref().is_none_or(|hand| hand.frame != frame) {
            self.let_go();
            self.hand = Hand::compile(self.driven(), frame);
        }
        self.grip = Some(Grip { frame, grasp, target });
        self.hold();
        if !self.playing {
            self.pose();
        }
    }

    /// While playing, lets the spring of the hand pull from here on.
    pub fn hold(&mut self) {
        let (Some(hand), Some(grip), true) = (&mut self.hand, self.grip, self.playing) else { return };
        hand.instance.agree_with(&self.main);
        hand.pull(&grip);
        self.pulling = true;
        if let Err(failure) = self.renew() {
            self.fail(&failure);
        }
    }

    /// While paused, moves what is held as far as it goes.
    fn pose(&mut self) {
        let (Some(hand), Some(grip)) = (&mut self.hand, self.grip) else { return };
        let Some(row) = self.recording.rows().get(self.cursor).cloned() else { return };
        self.pulling = false;
        hand.instance.agree_with(&self.main);
        let states = hand.instance.translate(&self.main.columns, self.main.states(&row));
        let posed = hand.pose(row[0], &states, &grip);
        let posed = posed.map(|states| self.main.translate(&hand.instance.columns, &states));
        let put = posed.and_then(|states| self.resume(row[0], &states)).and_then(|()| self.row(row[0]));
        match put {
            Ok(row) => self.put(row),
            Err(failure) => {
                let diagnostic = self.main.describe(&failure);
                let places = Places::of_scene(&self.main.compilation().sources);
                let diagnostic = crate::describe::diagnostic(&diagnostic, Some(&self.main.compilation().tree), &places);
                let _ = self.renew();
                self.refuse("drag", diagnostic);
            }
        }
    }

    pub fn drop(&mut self) {
        self.let_go();
        self.grip = None;
    }

    /// Puts the simulation back into the program without a hand.
    fn let_go(&mut self) {
        if !std::mem::take(&mut self.pulling) {
            return;
        }
        if let Err(failure) = self.renew() {
            self.fail(&failure);
        }
    }

    pub fn refuse(&mut self, request: &str, diagnostic: Diagnostic) {
        self.out.reply(&Reply::Refused { request: request.to_string(), diagnostic });
    }

    fn refuse_unknown(&mut self, what: &str, name: &str) {
        let diagnostic = plain_diagnostic(
            "unknown-setting",
            format!("the scene has no {what} `{name}`"),
            "look at the list of what it has",
        );
        self.refuse(what, diagnostic);
    }
}

fn not_a_number(name: &str) -> Diagnostic {
    plain_diagnostic("bad-setting", format!("`{name}` is given something that is not a number"), "give a finite number")
}
