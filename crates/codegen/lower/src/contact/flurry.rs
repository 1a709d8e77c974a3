//! Flurries: points that stick and slip in turns, far more often than things of their size can move.
//!
//! A face that turns while it comes to rest slips ever more slowly at all of its points at once, and in the end rounding decides which of them
//! is said to rest first; that changes the others, and so on without end. So what counts as rest grows with each event of a flurry, until all
//! slips that would go nowhere have ended together. It never grows beyond a slip that ends within the band in which things touch.

use kernel::executive::BOUNDLESS;
use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, ModuleBuilder, Term, protocol};
use numerics::IntegratorArrays;

use super::Touching;
use super::slack::UNSEEN;

/// So many events in the time in which things fall by their own size are no flurry, and so many more for each held point.
const EVENTS: f64 = 32.0;
const EVENTS_OF_POINT: f64 = 4.0;
/// By how much each further event widens what counts as rest.
const WIDER: f64 = 2.0;
/// So many events one after the other, each within this part of the natural time after the last, are without end.
const ENDLESS: i64 = 20_000;
const NO_TIME: f64 = 1e-12;
/// A slip of so little, relative to what moves there, has ended if friction can hold it: it would be over before it has gone anywhere.
const SLIP_LEFT: f64 = 1e-9;

#[derive(Clone, Copy)]
pub(crate) struct Flurry {
    /// How many events there were lately, forgotten as time goes by.
    events: ArrayId,
    /// When the last of them was.
    last: ArrayId,
    /// The time in which what touched then falls by its own size.
    natural: ArrayId,
    /// By how much what counts as rest is wider than in calm times.
    pub wide: ArrayId,
    /// How many events followed one another in no time.
    at_once: ArrayId,
}

impl Flurry {
    pub fn declare(module: &mut ModuleBuilder) -> Flurry {
        let at_once = module.integer_array("contact_flurry_at_once", 1, "how many events followed in no time");
        let mut array = |name: &str, note: &str| module.real_array(&format!("contact_flurry_{name}"), 1, note);
        Flurry {
            at_once,
            events: array("events", "how many points stuck, slipped or left lately"),
            last: array("last", "when the last did"),
            natural: array("natural", "the time in which what touches falls by its size"),
            wide: array("wide", "by how much what counts as rest is wider than in calm times"),
        }
    }

    /// Forgets everything, where a run begins.
    pub fn forget(&self, f: &mut FunctionBuilder) {
        f.store(self.events, 0, 0.0);
        f.store(self.wide, 0, 1.0);
        f.store(self.natural, 0, 0.0);
        f.store(self.at_once, 0, 0);
    }

    /// Counts an event; those of held points make a flurry. Returns from the function if time stands still.
    pub fn count(&self, f: &mut FunctionBuilder, what: ArrayId, held: Expression, t: LocalId) {
        let allowed = f.real("allowed", held.to_real() * EVENTS_OF_POINT + EVENTS);
        let natural = f.real("natural", self.natural.at(0).max(f64::MIN_POSITIVE));
        let forgotten = (t - self.last.at(0)) / natural * allowed;
        let left = f.real("left", (self.events.at(0) - forgotten).max(0.0));
        let stands = f.integer("stands", (t - self.last.at(0)).le(natural * NO_TIME));
        f.store(self.at_once, 0, stands.select(self.at_once.at(0) + 1, 0));
        f.if_(self.at_once.at(0).gt(ENDLESS), |f| f.return_(protocol::ENDLESS_IMPACTS));
        f.store(self.last, 0, t);
        f.store(self.events, 0, left + what.at(0).ne_(0).select(1.0, 0.0));
        f.if_(left.eq_(0.0), |f| f.store(self.wide, 0, 1.0));
        f.if_(self.events.at(0).gt(allowed), |f| f.store(self.wide, 0, (self.wide.at(0) * WIDER).min(BOUNDLESS)));
    }

    /// Lets all end that would go nowhere, until times are calm; whether that is more than before.
    pub fn give_up(&self, f: &mut FunctionBuilder) -> LocalId {
        let more = f.integer("more", self.wide.at(0).lt(BOUNDLESS));
        f.store(self.wide, 0, BOUNDLESS);
        more
    }

    /// Remembers the shortest time in which something that touches falls by its own size.
    pub fn remember(&self, f: &mut FunctionBuilder, natural: LocalId) {
        f.store(self.natural, 0, natural);
    }
}

impl Touching {
    /// The speed below which the slip of a point has ended if friction can hold it. What pulls on things is at most so strong.
    pub fn slow(
        &self,
        f: &mut FunctionBuilder,
        (i, scale, strongest): (LocalId, LocalId, LocalId),
        integrator: &IntegratorArrays,
    ) -> LocalId {
        let pair = f.integer("pair_of_slip", self.points.pair.at(i));
        let band = self.band(f, pair, integrator);
        let calm = f.real("calm", scale * (integrator.tolerance.at(0) * UNSEEN).max(SLIP_LEFT));
        let nowhere = (strongest * band * 2.0).sqrt();
        f.real("slow", calm.max(nowhere.min(calm * self.flurry.wide.at(0))))
    }
}
