//! What a run has to tell of contact.

use kernel::protocol;

use crate::Simulation;

/// What was met first of its kind; the pair is a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactNote {
    pub t: f64,
    pub pair: usize,
    pub kind: ContactNoteKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactNoteKind {
    /// Impacts at one instant end otherwise all together: the speeds at which the pair parts.
    OrderMatters { in_turn: f64, together: f64 },
    /// Restitution would have added energy: the part of it that acted, and what it is.
    Limited { part: f64, restitution: f64 },
    /// More equations than determine the forces.
    NotDetermined { spare: usize },
}

/// Something that happened to a pair of things; the pair is a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    pub t: f64,
    pub pair: usize,
    pub kind: ContactEventKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactEventKind {
    /// With this impulse along the normal, in N s.
    Impact(f64),
    Closes,
    Opens,
    Slips,
    Sticks,
}

/// What came of a pair of things: since when it touches, if it does, and how often it has collided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRest {
    pub since: Option<f64>,
    pub impacts: usize,
}

impl Simulation {
    /// Takes over what happened to pairs since the last time; a program keeps the last only, so that some may be missing where much happens in one call.
    pub(crate) fn take_contact_events(&mut self) {
        let (cells, Some(count)) = (self.linked.cells.contact_events.clone(), self.linked.cells.contact_event_count)
        else {
            return;
        };
        let count = self.memory.integer(count) as usize;
        let first = self.contact_events_taken.max(count.saturating_sub(protocol::CONTACT_EVENTS_KEPT));
        self.contact_events_lost += first - self.contact_events_taken;
        for number in first..count {
            let place = (number & (protocol::CONTACT_EVENTS_KEPT - 1)) * protocol::CONTACT_EVENT;
            let [t, pair, kind, impulse] = [0, 1, 2, 3].map(|at| self.memory.real(cells.start + place + at));
            let kind = match kind as usize {
                protocol::IMPACT => ContactEventKind::Impact(impulse),
                protocol::CLOSES => ContactEventKind::Closes,
                protocol::OPENS => ContactEventKind::Opens,
                protocol::SLIPS => ContactEventKind::Slips,
                _ => ContactEventKind::Sticks,
            };
            self.contact_events.push(ContactEvent { t, pair: pair as usize, kind });
        }
        self.contact_events_taken = count;
    }

    pub fn contact_notes(&self) -> Vec<ContactNote> {
        let notes: Vec<f64> = self.memory().reals(self.told_cells().0).collect();
        let told = notes.chunks(protocol::CONTACT_NOTE).enumerate().filter(|(_, note)| note[0] != 0.0);
        let note = |(kind, note): (usize, &[f64])| ContactNote {
            t: note[1],
            pair: note[2] as usize,
            kind: match kind {
                protocol::ORDER_MATTERS => ContactNoteKind::OrderMatters { in_turn: note[3], together: note[4] },
                protocol::RESTITUTION_LIMITED => ContactNoteKind::Limited { part: note[3], restitution: note[4] },
                _ => ContactNoteKind::NotDetermined { spare: note[3] as usize },
            },
        };
        told.map(note).collect()
    }

    /// Of each pair of things that may touch, in the order of the scene.
    pub fn contact_rests(&self) -> Vec<ContactRest> {
        let rests: Vec<f64> = self.memory().reals(self.told_cells().1).collect();
        let rest = |rest: &[f64]| ContactRest {
            since: Some(rest[0]).filter(|since| since.is_finite()),
            impacts: rest[1] as usize,
        };
        rests.chunks(2).map(rest).collect()
    }
}
