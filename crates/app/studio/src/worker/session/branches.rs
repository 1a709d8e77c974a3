//! Time is a tree: a change at a moment of the past starts another future, and the one that was there stays as a branch.
//!
//! A branch is a whole recording, which shares its rows with those that it has a past in common with, and the numbers it was computed with. It can
//! be looked at beside the present run, or take its place.

use driver::Event;

use super::Session;
use crate::protocol::{BranchAct, BranchEntry, Reply};
use crate::worker::recording::Recording;

/// Beyond so many, the oldest is forgotten.
const MOST: usize = 12;

pub struct Branch {
    entry: BranchEntry,
    descent: Descent,
    recording: Recording,
    events: Vec<Event>,
    /// Whether it failed at its end, or is as long as it may be.
    ended: (bool, bool),
}

/// Where a run comes from: the futures on the way to it, from the first run to itself, with the times at which they began.
#[derive(Clone, Debug, Default)]
struct Descent(Vec<(u32, f64)>);

impl Descent {
    /// Of a new future of this one. What began later than the new one has no part in it.
    fn child(&self, id: u32, from: f64) -> Descent {
        let shared = self.0.iter().copied().filter(|&(_, begun)| begun <= from);
        Descent(shared.chain([(id, from)]).collect())
    }

    /// Up to when both have the same past; never, if one is the other.
    fn parting(&self, other: &Descent) -> f64 {
        let same = self.0.iter().zip(&other.0).take_while(|(a, b)| a.0 == b.0).count();
        let begun = |descent: &Descent| descent.0.get(same).map_or(f64::INFINITY, |&(_, begun)| begun);
        begun(self).min(begun(other))
    }
}

/// All futures but the present one, which has a name too.
pub struct Branches {
    present: BranchEntry,
    descent: Descent,
    others: Vec<Branch>,
    count: u32,
    pub due: bool,
}

impl Branches {
    pub fn new() -> Branches {
        let (present, descent) = (BranchEntry::default(), Descent::default());
        let mut branches = Branches { present, descent, others: Vec::new(), count: 0, due: true };
        branches.begin(0.0);
        branches
    }

    /// Another future takes the place of the present run from this time on; gives what was there.
    fn begin(&mut self, from: f64) -> (BranchEntry, Descent) {
        self.count += 1;
        let entry = BranchEntry { id: self.count, name: format!("run {}", self.count), ..BranchEntry::default() };
        let descent = self.descent.child(entry.id, from);
        (std::mem::replace(&mut self.present, entry), std::mem::replace(&mut self.descent, descent))
    }

    pub fn recording(&self, id: u32) -> Option<&Recording> {
        self.others.iter().find(|branch| branch.entry.id == id).map(|branch| &branch.recording)
    }
}

impl Session {
    /// Keeps what is recorded after the moment that is shown, if there is something, because another future starts there.
    pub fn branch_off(&mut self) {
        if self.recording.len() <= self.cursor + 1 {
            return;
        }
        let (before, descent) = self.branches.begin(self.now());
        let entry = BranchEntry { end: self.recording.end(), ..before };
        let (recording, events) = (self.recording.clone(), self.telling.events.clone());
        self.branches.others.push(Branch { entry, descent, recording, events, ended: (self.failed, self.full) });
        if self.branches.others.len() > MOST {
            self.branches.others.remove(0);
        }
        self.branches.due = true;
    }

    /// The present run goes on with the numbers that are set now.
    pub fn note_settings(&mut self) {
        let present = &mut self.branches.present;
        let (parameters, controls) = (self.main.parameters().collect(), self.main.controls().collect());
        if (&present.parameters, &present.controls) != (&parameters, &controls) {
            (present.parameters, present.controls) = (parameters, controls);
            self.branches.due = true;
        }
    }

    pub fn branch(&mut self, id: u32, act: BranchAct, name: &str) {
        self.branches.due = true;
        if act == BranchAct::Rename && self.branches.present.id == id {
            self.branches.present.name = name.to_string();
        }
        let Some(at) = self.branches.others.iter().position(|branch| branch.entry.id == id) else { return };
        match act {
            BranchAct::Rename => self.branches.others[at].entry.name = name.to_string(),
            BranchAct::Delete => _ = self.branches.others.remove(at),
            BranchAct::Take => self.take(at),
        }
    }

    /// A branch takes the place of the present run, which becomes one itself. What is shown is the same moment of it, and its end goes on.
    fn take(&mut self, at: usize) {
        let t = self.now();
        self.grip = None;
        self.pulling = false;
        let end = self.recording.end();
        let taken = self.branches.others.remove(at);
        let entry = BranchEntry { end, ..std::mem::replace(&mut self.branches.present, taken.entry) };
        let descent = std::mem::replace(&mut self.branches.descent, taken.descent);
        let recording = std::mem::replace(&mut self.recording, taken.recording);
        let events = std::mem::replace(&mut self.telling.events, taken.events);
        self.branches.others.insert(at, Branch { entry, descent, recording, events, ended: (self.failed, self.full) });
        for (name, value) in &self.branches.present.parameters {
            self.main.set_parameter(name, *value);
        }
        for (name, value) in &self.branches.present.controls {
            self.main.set_control(name, *value);
        }
        // It may have been recorded before somebody asked for more.
        self.probe_recording();
        self.cursor = self.recording.nearest(t);
        self.goal = None;
        (self.failed, self.full) = taken.ended;
        let end = self.recording.end();
        let off = self.recording.released_at(end).to_vec();
        // It was recorded with that program, so there is one.
        let _ = self.let_loose(&off);
        let states = self.recording.rows().last().map_or(Vec::new(), |row| self.main.states(row).to_vec());
        let resumed = self.resume(end, &states);
        self.set_out(end);
        // The page knows the rows and the transitions of the other one.
        self.telling.events.clear();
        self.out.reply(&Reply::Events { from: 0, list: Vec::new() });
        self.telling.forget(0);
        self.telling.show();
        if let Err(failure) = resumed {
            self.fail(&failure);
        }
    }

    pub fn tell_branches(&mut self) {
        if !std::mem::take(&mut self.branches.due) {
            return;
        }
        let present = BranchEntry { end: self.recording.end(), ..self.branches.present.clone() };
        let now = &self.branches.descent;
        let told = |branch: &Branch| BranchEntry { from: branch.descent.parting(now), ..branch.entry.clone() };
        let list = self.branches.others.iter().map(told).collect();
        self.out.reply(&Reply::Branches { present, list });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn futures_part_where_the_first_of_them_left() {
        let first = Descent::default().child(1, 0.0);
        // The second leaves the first at 2 s; the third leaves the second at 1 s, when that was still the first.
        let second = first.child(2, 2.0);
        let third = second.child(3, 1.0);
        let fourth = second.child(4, 5.0);
        assert_eq!((first.parting(&second), second.parting(&first)), (2.0, 2.0));
        assert_eq!((first.parting(&third), second.parting(&third)), (1.0, 1.0));
        assert_eq!((fourth.parting(&second), fourth.parting(&first), fourth.parting(&third)), (5.0, 2.0, 1.0));
    }
}
