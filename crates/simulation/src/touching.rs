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

/// What came of a pair of things: since when it touches, if it does, and how often it has collided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRest {
    pub since: Option<f64>,
    pub impacts: usize,
}

impl Simulation {
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
