//! What there is to tell of contact, for those who run a program: each kind once, where it is met first.

use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Term, protocol};

use super::observe::{IMPACTS, SEEN};
use super::{OPEN, SLIDING, STICKING, Touching};

#[derive(Clone, Copy)]
pub(crate) struct Notes {
    notes: ArrayId,
    /// Since when each pair of things touches, and how often it has collided.
    rests: ArrayId,
    /// What happened to pairs, in a ring, and how often something did.
    events: ArrayId,
    event_count: ArrayId,
    /// The state of each pair after what happened last; [`UNKNOWN`] where a run begins.
    states: ArrayId,
}

/// A pair of which nothing is known yet: what it does where a run begins is no event.
const UNKNOWN: i64 = -1;

impl Notes {
    pub fn declare(module: &mut ModuleBuilder, thing_pairs: usize) -> Notes {
        let length = protocol::CONTACT_NOTE * protocol::CONTACT_NOTE_KINDS;
        Notes {
            notes: module.real_array(protocol::CONTACT_NOTES, length, "what contact has to tell"),
            rests: module.real_array(protocol::CONTACT_RESTS, 2 * thing_pairs, "since when each pair touches; impacts"),
            events: module.real_array(
                protocol::CONTACT_EVENTS,
                protocol::CONTACT_EVENT * protocol::CONTACT_EVENTS_KEPT,
                "the last things that happened to pairs, in a ring",
            ),
            event_count: module.integer_array(protocol::CONTACT_EVENT_COUNT, 1, "how many things happened to pairs"),
            states: module.integer_array("contact_pair_states", thing_pairs, "0 open, 2 sliding, 3 sticking"),
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
        f.for_each("of", 0, touching.thing_pairs, |f, of| {
            f.store(self.rests, of * 2, f64::INFINITY);
            f.store(self.states, of, UNKNOWN);
        });
    }

    /// Writes down what happens to a pair of things.
    pub fn happens(
        &self,
        f: &mut FunctionBuilder,
        what: impl Into<Expression>,
        (t, of): (LocalId, LocalId),
        impulse: Expression,
    ) {
        let number = f.integer("event", self.event_count.at(0));
        let place = number.get().and(protocol::CONTACT_EVENTS_KEPT as i64 - 1) * protocol::CONTACT_EVENT as i64;
        let place = f.integer("event_place", place);
        for (at, value) in [t.get(), of.to_real(), what.into().to_real(), impulse].into_iter().enumerate() {
            f.store(self.events, place + at as i64, value);
        }
        f.store(self.event_count, 0, number + 1);
    }

    /// Writes down how the state of a pair has changed, if it has.
    fn note_state(&self, f: &mut FunctionBuilder, (t, of): (LocalId, LocalId), state: LocalId) {
        let before = f.integer("before", self.states.at(of));
        f.store(self.states, of, state);
        f.if_(before.ne_(state).and(before.ne_(UNKNOWN)), |f| {
            let rubs = state.eq_(SLIDING).select(protocol::SLIPS as i64, protocol::STICKS as i64);
            let held = before.eq_(OPEN).select(protocol::CLOSES as i64, rubs);
            let what = f.integer("what", state.eq_(OPEN).select(protocol::OPENS as i64, held));
            self.happens(f, what, (t, of), 0.0.into());
        });
    }

    /// Remembers since when pairs touch, those that do now and did not before since this time, and writes down what changed.
    pub fn note_rests(&self, f: &mut FunctionBuilder, touching: &Touching, t: LocalId) {
        let Touching { arrays, tables, points, .. } = *touching;
        f.for_each("of", 0, touching.thing_pairs, |f, of| {
            let state = f.integer("pair_state", OPEN);
            f.for_each("i", 0, arrays.held.at(0), |f, i| {
                let own = tables.of.at(points.pair.at(i)).eq_(of).and(arrays.state.at(i).ne_(OPEN));
                f.note("It slides if one of its points does.");
                let slides = f.integer("slides", touching.state_of(i).eq_(SLIDING as f64).or(state.eq_(SLIDING)));
                f.if_(own, |f| f.assign(state, slides.select(SLIDING, STICKING)));
            });
            self.note_state(f, (t, of), state);
            let touches = f.integer("touches", state.ne_(OPEN));
            f.store(self.rests, of * 2, touches.select(self.rests.at(of * 2).min(t), f64::INFINITY));
            f.store(self.rests, of * 2 + 1, arrays.seen.at(of * SEEN + IMPACTS));
        });
    }
}
