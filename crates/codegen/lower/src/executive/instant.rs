//! The instant of a transition, where it changes with what is varied: states and time are moved to it together, and back.

use kernel::Type::{Integer, Real};
use kernel::{FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, protocol};

use super::attempt;
use super::modes::Modes;

/// How derivatives of states follow an instant.
#[derive(Clone, Copy)]
pub(super) struct Instant {
    /// `(edge, t) -> integer`: to the instant at which a guard begins to hold, from how its margin changes.
    pub follow: FunctionId,
    /// `(t) -> integer`: from wherever the instant was moved to back to a fixed time.
    pub leave: FunctionId,
}

/// `count` adds what was counted so far, since beginning again forgets it.
pub(super) fn moving(module: &mut ModuleBuilder, modes: &Modes, directions: usize, count: FunctionId) -> Instant {
    let variations = modes.variations.expect("those of programs with derivatives");
    let later = module.real_array("later", directions, "how an instant changes along each direction");
    let times = modes.discrete * directions;
    // An instant that is fixed needs none of it; and to begin again would not be free of rounding.
    let by_later = |f: &mut FunctionBuilder, t: LocalId| {
        let is_moved = f.integer("is_moved", 0);
        f.for_each("direction", 0, directions, |f, direction| {
            f.assign(is_moved, is_moved.or(later.at(direction).ne_(0.0)));
        });
        f.if_(is_moved.eq_(0), |f| f.return_(protocol::DONE));
        attempt(f, modes.dispatch.capture, ());
        attempt(f, count, ());
        attempt(f, modes.dispatch.resume, t);
        attempt(f, count, ());
        let integrated = f.integer("integrated", modes.of_mode(modes.tables.integrated));
        f.for_each("direction", 0, directions, |f, direction| {
            f.for_each("i", 0, integrated, |f, i| {
                let place = f.integer("place", integrated * (direction + 1) + i);
                f.store(modes.states, place, modes.states.at(place) + modes.rates.at(i) * later.at(direction));
            });
            let time = f.integer("time", direction + times);
            f.store(variations, time, variations.at(time) + later.at(direction));
        });
        attempt(f, modes.dispatch.resume, t);
        let status = f.call1(modes.dispatch.sample, t);
        f.return_(status);
    };
    let follow = module.function("move_instant", &[("transition", Integer), ("t", Real)], &[Integer], |f| {
        let [edge, t] = f.parameters();
        let count = f.integer("count", modes.of_mode(modes.tables.counts));
        let slope = f.real("slope", modes.values.at(edge * 3 + 1));
        f.for_each("direction", 0, directions, |f, direction| {
            let by = f.real("by", -modes.values.at(count * (direction + 3) + edge) / slope);
            f.store(later, direction, by.abs().lt(f64::INFINITY).select(by, 0.0));
        });
        by_later(f, t);
    });
    module.describe(follow, "The instant of a transition changes with what is varied, and so does the state there.");
    let leave = module.function("leave_instant", &[("t", Real)], &[Integer], |f| {
        let [t] = f.parameters();
        f.for_each("direction", 0, directions, |f, direction| {
            f.store(later, direction, -variations.at(direction + times))
        });
        by_later(f, t);
    });
    module.describe(leave, "After the transitions of an instant, how the state changes at a fixed time.");
    Instant { follow, leave }
}
