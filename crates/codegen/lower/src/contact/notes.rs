//! What there is to tell of contact, for those who run a program: each kind once, where it is met first.

use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Term, protocol};

use super::observe::{IMPACTS, SEEN};
use super::{OPEN, Touching};

#[derive(Clone, Copy)]
pub(crate) struct Notes {
    notes: ArrayId,
    /// Since when each pair of things touches, and how often it has collided.
    rests: ArrayId,
}

impl Notes {
    pub fn declare(module: &mut ModuleBuilder, thing_pairs: usize) -> Notes {
        let length = protocol::CONTACT_NOTE * protocol::CONTACT_NOTE_KINDS;
        Notes {
            notes: module.real_array(protocol::CONTACT_NOTES, length, "what contact has to tell"),
            rests: module.real_array(protocol::CONTACT_RESTS, 2 * thing_pairs, "since when each pair touches; impacts"),
        }
    }

    pub fn is_told(&self, kind: usize) -> Expression {
        self.notes.at((kind * protocol::CONTACT_NOTE) as i64).gt(0.0)
    }

    /// Tells of a pair of things, unless that kind has been told.
    pub fn tell(&self, f: &mut FunctionBuilder, kind: usize, (t, of): (LocalId, LocalId), numbers: [Expression; 2]) {
        let first = (kind * protocol::CONTACT_NOTE) as i64;
        f.if_(self.is_told(kind).logical_not(), |f| {
            f.store(self.notes, first, 1.0);
            f.store(self.notes, first + 1, t);
            f.store(self.notes, first + 2, of.to_real());
            for (at, number) in numbers.into_iter().enumerate() {
                f.store(self.notes, first + 3 + at as i64, number);
            }
        });
    }

    pub fn forget(&self, f: &mut FunctionBuilder, touching: &Touching) {
        let length = protocol::CONTACT_NOTE * protocol::CONTACT_NOTE_KINDS;
        f.for_each("i", 0, length, |f, i| f.store(self.notes, i, 0.0));
        f.for_each("of", 0, touching.thing_pairs, |f, of| f.store(self.rests, of * 2, f64::INFINITY));
    }

    /// Remembers since when pairs touch: those that do now, and did not before, since this time.
    pub fn note_rests(&self, f: &mut FunctionBuilder, touching: &Touching, t: LocalId) {
        let Touching { arrays, tables, points, .. } = *touching;
        f.for_each("of", 0, touching.thing_pairs, |f, of| {
            let touches = f.integer("touches", 0);
            f.for_each("i", 0, arrays.held.at(0), |f, i| {
                let own = tables.of.at(points.pair.at(i)).eq_(of).and(arrays.state.at(i).ne_(OPEN));
                f.if_(own, |f| f.assign(touches, 1));
            });
            f.store(self.rests, of * 2, touches.select(self.rests.at(of * 2).min(t), f64::INFINITY));
            f.store(self.rests, of * 2 + 1, arrays.seen.at(of * SEEN + IMPACTS));
        });
    }
}
