//! What happens where something touches, parts, slips or rests: impacts first, then which points hold, and how.

use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;

use super::derivative::{Holding, NO_SLIP};
use super::frames::Frames;
use super::rows::Rows;
use super::slack::{Event, GIVES_WAY, JAMS, LEAVES, OPENS, SINKS, SLIPS, STICKS, UNSEEN};
use super::slopes::Jumping;
use super::tip::{self, Tipping};
use super::{OPEN, SLIDING, STICKING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// Points whose forces are so much smaller than the largest open with the one that does.
const NO_LOAD: f64 = 1e-9;
/// Hops lower than this part of a shape are over when time says so, since gaps are not known so well.
const LOW: f64 = 1e-11;
/// Things that are pulled move this much of the speed that they gain on their own size.
const NATURAL: f64 = 1e-3;
/// What answers a force by so much less than others, relative to them, does not move along it.
const UNMOVED: f64 = 1e-10;
/// Forces so much smaller than all together are none.
const NO_FORCE: f64 = 1e-12;
/// A point that is found again where its feature has ended may be so much farther beyond, at first.
const LEAST_BEYOND: f64 = 1e-10;
/// So many impulses without a collision at one instant are too many.
const MOST_JAMS: i64 = 8;
/// So often points are added to rims, one after the other.
const MOST_TIMES: i64 = 40;
/// The state of a point whose force has ended, until points are found anew.
const UNLOADED: i64 = -1;

impl<'p> Lowering<'p> {
    /// `(t) -> integer`: finds what touches at the state, lets it collide, and finds what holds.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_resolution(
        &mut self,
        touching: &Touching,
        (event, jumping): (Event, Option<Jumping>),
        functions: (Frames, Rows, Holding),
        [detect, impacts, project, sunk]: [FunctionId; 4],
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let (frames, rows, holding) = functions;
        let arrays = touching.arrays;
        let hold = self.hold_points(&touching, functions, (impacts, event, jumping), integrator);
        let tip = touching.has_circles.then(|| self.contact_tipping(&touching, (frames, rows)));
        let keep = self.keep_points(&touching);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let states = integrator.size;
        let resolve = self.module.function("contact_resolve", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
            f.store(failure_values, 0, t);
            jumping.into_iter().for_each(|jumping| attempt(f, jumping.note, t));
            touching.flurry.count(f, event.what, arrays.held.at(0), t);
            f.if_(event.what.at(0).ne_(0), |f| {
                attempt(f, holding.look, (t.get(), Expression::from(states as i64)));
                apply_event(f, &touching, event);
            });
            end_slips(f, &touching, event, (project, t), integrator);
            place_state(f, frames, t, integrator);
            let count = f.call1(detect, ());
            f.if_(count.lt(0), |f| {
                f.store(failure_values, 0, t);
                f.return_(protocol::TOO_MANY_CONTACTS);
            });
            f.call(rows.find, count);
            attempt(f, rows.answer, (t, count));
            f.for_each("i", 0, count, |f, i| {
                let fastest = touching.fastest(f, i);
                f.store(arrays.fastest, 0, fastest);
            });
            f.note("Rims that lie flat may need points besides those that were found.");
            let fixed = f.integer("fixed", count);
            let add = |f: &mut FunctionBuilder, level: i64, otherwise: &dyn Fn(&mut FunctionBuilder)| {
                let Some(Tipping { add, .. }) = tip else { return otherwise(f) };
                let [status, more] = f.call_n(add, (t.get(), count.get(), fixed.get(), Expression::from(level)));
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_else(
                    more.ge(0),
                    |f| {
                        f.assign(count, more);
                        f.call(rows.find, count);
                        attempt(f, rows.answer, (t, count));
                    },
                    otherwise,
                );
            };
            f.for_each("time", 0, MOST_TIMES, |f, time| {
                add(f, tip::SPEEDS, &|_| ());
                let status = f.call1(hold, (t, count));
                if let Some(Tipping { added, .. }) = tip {
                    f.note("Points that are too near to one another tell nothing apart: it is done without the last.");
                    f.if_(status.eq_(protocol::NO_CONTACT).and(count.gt(fixed)), |f| {
                        f.assign(count, count - 1);
                        touching.copy_point(f, count, added.at(1));
                        f.call(rows.find, count);
                        attempt(f, rows.answer, (t, count));
                        attempt(f, hold, (t, count));
                        f.break_();
                    });
                }
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_(time.eq_(MOST_TIMES - 1), |f| f.break_());
                add(f, tip::FORCES, &|f| f.break_());
            });
            let wider = |f: &mut FunctionBuilder, shape| touching.how_far(f, shape, 0.0).get();
            touching.for_each_near(f, wider, |f, pair| attempt(f, sunk, (t, pair)));
            f.call(keep, (t, count));
            touching.notes.note_rests(f, &touching, t);
            f.store(arrays.sinking, 0, event.what.at(0).eq_(SINKS));
            attempt(f, project, t);
            f.store(arrays.sinking, 0, 0);
            f.if_(event.what.at(0).eq_(GIVES_WAY), |f| {
                f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
                attempt(f, holding.look, (t.get(), Expression::from(states as i64)));
                f.if_(arrays.unheld.at(0).gt(0.0), |f| {
                    let slot = f.integer("slot", arrays.unheld_slot.at(0));
                    f.store(failure, 0, touching.tables.of.at(touching.points.pair.at(slot)));
                    f.store(failure_values, 0, t);
                    f.return_(protocol::NO_CONTACT);
                });
            });
            jumping.into_iter().for_each(|jumping| attempt(f, jumping.after, t));
            f.store(event.what, 0, 0);
            f.return_(protocol::DONE);
        });
        self.module.describe(resolve, "Finds what touches, lets it collide, and finds what holds.");
        resolve
    }

    /// `(t, count) -> integer`: lets points collide, and finds which of them hold, and how.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn hold_points(
        &mut self,
        touching: &Touching,
        (frames, rows, holding): (Frames, Rows, Holding),
        (impacts, event, jumping): (FunctionId, Event, Option<Jumping>),
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, solver, .. } = touching;
        let prepare = self.prepare_points(&touching, integrator);
        let adopt = self.adopt_states(&touching);
        let jam = self.contact_jam(&touching, frames, rows, integrator);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let parameters = [("t", Real), ("count", Integer)];
        let hold = self.module.function("contact_hold", &parameters, &[Integer], |f| {
            let [t, count] = f.parameters();
            let enter = |f: &mut FunctionBuilder| place_state(f, frames, t, integrator);
            let solved = f.integer("solved", 0);
            let jams = f.integer("jams", event.what.at(0).eq_(JAMS));
            f.for_each("round", 0, MOST_JAMS, |f, _| {
                let [status, collided] = f.call_n(impacts, (t, count));
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.if_(collided, |f| {
                    enter(f);
                    f.call(rows.find, count);
                });
                attempt(f, rows.free, (t, count));
                natural_speeds(f, &touching, count);
                f.call(prepare, count);
                let number = f.call1(holding.islands.find, count);
                f.assign(solved, 1);
                f.for_each("island", 0, number, |f, island| {
                    let chosen = f.call1(holding.islands.choose, (island, count));
                    f.call(holding.pose, chosen);
                    f.note("Where forces grow beyond all bounds, an impulse comes first.");
                    f.if_(jams, |f| {
                        let [status, jammed] = f.call_n(jam, (t, chosen, count));
                        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                        f.if_(jammed, |f| {
                            jumping.into_iter().for_each(|jumping| jumping.is_strange(f));
                            f.assign(jams, 0);
                            f.assign(solved, 0);
                            f.break_();
                        });
                        f.call(holding.pose, chosen);
                    });
                    let status = f.call1(solver.solve, chosen);
                    f.if_(status.ne_(0), |f| {
                        let [status, jammed] = f.call_n(jam, (t, chosen, count));
                        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                        jumping.into_iter().for_each(|jumping| jumping.is_strange(f));
                        let calmer = touching.flurry.give_up(f);
                        f.if_(jammed.or(calmer).eq_(0), |f| {
                            f.store(failure, 0, touching.tables.of.at(touching.points.pair.at(arrays.chosen.at(0))));
                            f.store(failure_values, 0, t);
                            f.return_(protocol::NO_CONTACT);
                        });
                        f.assign(solved, 0);
                        f.break_();
                    });
                    tell_spare(f, &touching, (t, chosen));
                    f.call(holding.take, chosen);
                    f.call(adopt, chosen);
                });
                f.if_(solved, |f| f.break_());
                f.note("Speeds have jumped without an impact.");
                enter(f);
                f.call(rows.find, count);
            });
            f.if_(solved.eq_(0), |f| {
                f.store(failure_values, 0, t);
                f.return_(protocol::NO_CONTACT);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(hold, "Lets points collide, and finds which of them hold.");
        hold
    }

    /// `(count)`: finds the points that may hold, and says whether they slip.
    fn prepare_points(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> FunctionId {
        let touching = *touching;
        let arrays = touching.arrays;
        let prepare = self.module.function("contact_prepare", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            let strongest = strongest(f, &touching, count.get());
            f.for_each("i", 0, count, |f, i| {
                let scale = touching.fastest(f, i);
                let begins = f.integer("begins", arrays.state.at(i).eq_(SLIDING).and(arrays.starting.at(i)));
                let unloaded = f.integer("unloaded", arrays.state.at(i).eq_(UNLOADED));
                let hop = touching.unseen_hop(f, (i, scale, strongest), integrator);
                let parts = f.integer("parts", arrays.speed.at(i * 3).gt((scale * NO_SLIP).max(hop)));
                f.store(arrays.island, i, parts.or(unloaded).select(-1, 0));
                let [along, across] = [1, 2].map(|row| f.real("slip", arrays.speed.at(i * 3 + row)));
                let slip = f.real("slip_size", (along * along + across * across).sqrt());
                let slowest = touching.slow(f, (i, scale, strongest), integrator);
                let slow = f.integer("is_slow", slip.le(slowest));
                f.if_else(
                    slow,
                    |f| {
                        f.store(arrays.state, i, begins.select(SLIDING, STICKING));
                        f.store(arrays.starting, i, begins);
                    },
                    |f| {
                        f.store(arrays.state, i, SLIDING);
                        f.store(arrays.starting, i, 0);
                        let first = touching.direction(f, i, 1).times(along / slip);
                        let second = touching.direction(f, i, 2).times(across / slip);
                        (first + second).keep(f, "heading").store(f, arrays.heading, i * 3);
                    },
                );
                f.if_(unloaded, |f| f.store(arrays.state, i, UNLOADED));
            });
        });
        self.module.describe(prepare, "Finds the points that may hold, and says whether they slip.");
        prepare
    }

    /// `(chosen)`: the states that were found for chosen points.
    fn adopt_states(&mut self, touching: &Touching) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, coulomb, .. } = touching;
        let adopt = self.module.function("contact_adopt", &[("chosen", Integer)], &[], |f| {
            let [chosen] = f.parameters();
            let total = f.real("total", 0.0);
            f.for_each("a", 0, chosen, |f, a| f.increase(total, coulomb.force.at(a * 3)));
            f.for_each("a", 0, chosen, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                f.note("What has only begun to slip goes where it is pushed.");
                let begins = coulomb.state.at(a).eq_(SLIDING).and(coulomb.slips.at(a).eq_(0));
                f.if_(begins, |f| {
                    let first = touching.direction(f, i, 1).times(coulomb.direction.at(a * 2));
                    let second = touching.direction(f, i, 2).times(coulomb.direction.at(a * 2 + 1));
                    (first + second).keep(f, "heading").store(f, arrays.heading, i * 3);
                    f.store(arrays.starting, i, 1);
                });
                f.note("What touches without force is not held, whatever it is said to do.");
                let plain = coulomb.state.at(a).eq_(SLIDING).or(coulomb.state.at(a).eq_(STICKING));
                let alone = coulomb.force.at(a * 3).le(total * NO_FORCE).and(plain);
                f.store(arrays.state, i, alone.select(OPEN, coulomb.state.at(a)));
            });
        });
        self.module.describe(adopt, "The states that were found for chosen points.");
        adopt
    }

    /// `(t, count)`: keeps the points that hold in the first slots; behind them those that touch and do not.
    fn keep_points(&mut self, touching: &Touching) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, capacity, .. } = touching;
        let stride = 3 * capacity as i64;
        let keep = self.module.function("contact_keep", &[("t", Real), ("count", Integer)], &[], |f| {
            let [t, count] = f.parameters();
            f.for_each("i", 0, count, |f, i| touching.copy_point(f, i, i + capacity));
            f.note("Those that were left out part.");
            f.for_each("i", 0, count, |f, i| {
                f.if_(arrays.island.at(i).lt(0), |f| {
                    f.store(arrays.state, i, OPEN);
                    f.for_each("row", 0, 3, |f, row| f.store(arrays.force, i * 3 + row, 0.0));
                });
            });
            f.note("How fast each is accelerated.");
            f.for_each("i", 0, count, |f, i| {
                let rate = f.real("rate", arrays.free.at(i * 3));
                let first = f.integer("first", i * 3 * stride);
                f.for_each("j", 0, count * 3, |f, j| {
                    f.increase(rate, arrays.matrix.at(first + j) * arrays.force.at(j))
                });
                f.store(arrays.free, i * 3, rate);
            });
            let kept = f.integer("kept", 0);
            f.for_each("i", 0, count, |f, i| {
                f.if_(arrays.state.at(i).ne_(OPEN), |f| {
                    touching.copy_point(f, i + capacity, kept);
                    f.store(arrays.state, kept, arrays.state.at(i));
                    f.store(arrays.starting, kept, arrays.starting.at(i));
                    f.store(arrays.beyond, kept, arrays.beyond.at(i));
                    f.for_each("k", 0, 3, |f, k| f.store(arrays.heading, kept * 3 + k, arrays.heading.at(i * 3 + k)));
                    f.assign(kept, kept + 1);
                });
            });
            f.store(arrays.held, 0, kept);
            f.note("What touches without being held.");
            let left = f.integer("left", kept);
            f.for_each("i", 0, count, |f, i| {
                let held = f.integer("is_held", 0);
                f.for_each("h", 0, kept, |f, h| {
                    let other = f.integer("other", i + capacity);
                    f.if_(touching.same_point(h, other), |f| f.assign(held, 1));
                });
                f.if_(held.eq_(0), |f| {
                    touching.copy_point(f, i + capacity, left);
                    part(f, &touching, [i, left, t]);
                    f.assign(left, left + 1);
                });
            });
            f.store(arrays.left, 0, left - kept);
        });
        self.module.describe(keep, "Keeps the points that hold; behind them those that touch and do not.");
        keep
    }
}

impl Touching {
    /// The speed of a point that parts, below which it is held all the same if a force holds it: a hop that is over before the time can tell is none.
    /// Neither is one without rebound that no step would see and no gap: it takes away the speed at which it ends, and the impulse is the
    /// same. Where one thing leans on another, each such impact lets another point hop, and that without end.
    fn unseen_hop(
        &self,
        f: &mut FunctionBuilder,
        (i, scale, strongest): (LocalId, LocalId, LocalId),
        integrator: &IntegratorArrays,
    ) -> Expression {
        let instant = integrator.time.at(0).abs() * (4.0 * f64::EPSILON);
        let pair = f.integer("pair_of_hop", self.points.pair.at(i));
        let band = self.band(f, pair, integrator);
        let low =
            (strongest * band * 2.0).sqrt().min(scale * integrator.tolerance.at(0) * UNSEEN * self.flurry.wide.at(0));
        let ends = self.arrays.restitution.at(self.tables.of.at(pair)).eq_(0.0);
        (strongest * instant * 0.5).max(ends.select(low, 0.0))
    }
}

/// Places frames and shapes where the state is.
fn place_state(f: &mut FunctionBuilder, frames: Frames, t: LocalId, integrator: &IntegratorArrays) {
    f.for_each("i", 0, integrator.size, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
    attempt(f, frames.place, t);
}

/// A point that is not held: whether it moves away, and when it is back if that is so soon that its gap cannot tell.
fn part(f: &mut FunctionBuilder, touching: &Touching, [i, slot, t]: [LocalId; 3]) {
    let Touching { arrays, points, geometry, tables, .. } = *touching;
    let [rate, bend] = [("rate", arrays.speed), ("bend", arrays.free)].map(|(name, of)| f.real(name, of.at(i * 3)));
    let fastest = touching.fastest(f, i);
    let moves = f.integer("moves", rate.gt(fastest * NO_SLIP));
    f.store(arrays.parting, slot, moves);
    f.store(arrays.since, slot, points.gap.at(i));
    let pair = f.integer("pair", points.pair.at(i));
    let size = |side: usize| geometry.radius.at(tables.shape[side].at(pair));
    let height = f.real("height", rate * rate / (bend * -2.0));
    let low = moves.and(bend.lt(0.0)).and(height.lt(size(0).min(size(1)) * LOW));
    f.store(arrays.lands, slot, low.select(t - rate * 2.0 / bend, f64::INFINITY));
}

/// What is left of a slip that has ended is taken away, together with all others that are as slow: one by one, each would stir the others.
fn end_slips(
    f: &mut FunctionBuilder,
    touching: &Touching,
    event: Event,
    (project, t): (FunctionId, LocalId),
    integrator: &IntegratorArrays,
) {
    let arrays = touching.arrays;
    f.if_(event.what.at(0).eq_(STICKS), |f| {
        let strongest = strongest(f, touching, arrays.held.at(0));
        f.for_each("i", 0, arrays.held.at(0), |f, i| {
            let [along, across] = [1, 2].map(|row| f.real("slip", arrays.speed.at(i * 3 + row)));
            let scale = touching.fastest(f, i);
            let slow = touching.slow(f, (i, scale, strongest), integrator);
            let ends = (along * along + across * across).sqrt().le(slow).or(i.eq_(event.slot.at(0)));
            f.if_(ends.and(arrays.state.at(i).eq_(SLIDING)), |f| f.store(arrays.state, i, STICKING));
        });
        attempt(f, project, t);
    });
    f.note(
        "What had only begun to slip may be stopped by what happens now, unless it is that something else begins to.",
    );
    f.if_(event.what.at(0).ne_(SLIPS), |f| {
        f.for_each("i", 0, arrays.held.at(0), |f, i| f.store(arrays.starting, i, 0));
    });
}

/// How strongly points are pulled together or apart, at most.
pub(super) fn strongest(f: &mut FunctionBuilder, touching: &Touching, count: Expression) -> LocalId {
    let strongest = f.real("strongest", 0.0);
    f.for_each("i", 0, count, |f, i| f.assign(strongest, strongest.max(touching.arrays.free.at(i * 3).abs())));
    strongest
}

/// A run that begins at rest has no speeds to compare with; what pulls gives some, and times to compare with as well.
fn natural_speeds(f: &mut FunctionBuilder, touching: &Touching, count: LocalId) {
    let arrays = touching.arrays;
    let shortest = f.real("shortest", f64::INFINITY);
    f.for_each("i", 0, count, |f, i| {
        let (pull, size) = pull_and_size(f, touching, i);
        f.store(arrays.fastest, 0, arrays.fastest.at(0).max((pull * size.clone()).sqrt() * NATURAL));
        f.assign(shortest, shortest.min((size / pull.max(f64::MIN_POSITIVE)).sqrt()));
    });
    touching.flurry.remember(f, shortest);
}

/// A speed to compare with, of things that may be at rest. Needs: what pulls them.
pub(super) fn natural_speed(f: &mut FunctionBuilder, touching: &Touching, count: LocalId) -> LocalId {
    let fastest = f.real("natural", touching.arrays.fastest.at(0));
    f.for_each("i", 0, count, |f, i| {
        let (pull, size) = pull_and_size(f, touching, i);
        f.assign(fastest, fastest.max((pull * size).sqrt() * NATURAL));
    });
    fastest
}

/// How strongly the things at a point are pulled, and how large the smaller one is.
fn pull_and_size(f: &mut FunctionBuilder, touching: &Touching, i: LocalId) -> (LocalId, Expression) {
    let pull = f.real("pull", 0.0);
    touching.strongest(f, i, pull);
    let pair = f.integer("pair", touching.points.pair.at(i));
    let size = |side: usize| touching.geometry.radius.at(touching.tables.shape[side].at(pair));
    (pull, size(0).min(size(1)))
}

/// Tells once that points of an island are more than what holds it needs. Friction along which nothing can move, as across the plane of a scene, is
/// open as well, but that is not the number of points.
fn tell_spare(f: &mut FunctionBuilder, touching: &Touching, (t, chosen): (LocalId, LocalId)) {
    let Touching { arrays, solver, coulomb, capacity, .. } = *touching;
    let stride = 3 * capacity as i64;
    f.if_(solver.spare.at(0).gt(0), |f| {
        let spare = f.integer("spare", solver.spare.at(0));
        f.for_each("a", 0, chosen, |f, a| {
            f.if_(coulomb.state.at(a).ge(STICKING), |f| {
                let i = f.integer("i", arrays.chosen.at(a));
                let mut answer =
                    |row: i64, column: i64| f.real("answer", arrays.matrix.at((i * 3 + row) * stride + i * 3 + column));
                let [normal, first, second, between] = [answer(0, 0), answer(1, 1), answer(2, 2), answer(1, 2)];
                let size = f.real("size", first + second);
                let area = first * second - between * between;
                let none = size.le(normal * UNMOVED);
                f.assign(spare, spare - none.select(2, area.le(size * size * UNMOVED).select(1, 0)));
            });
        });
        f.if_(spare.gt(0), |f| {
            let of = f.integer("of", touching.tables.of.at(touching.points.pair.at(arrays.chosen.at(0))));
            touching.notes.tell(f, protocol::FORCES_NOT_DETERMINED, (t, of), [spare.to_real(), 0.0.into()]);
        });
    });
}

/// What happens to a held point: where its force ends, it and others whose forces are as small are not held any more; where friction does not
/// hold it, it begins to slip against that.
fn apply_event(f: &mut FunctionBuilder, touching: &Touching, event: Event) {
    let arrays = touching.arrays;
    let slot = f.integer("slot", event.slot.at(0));
    f.if_(event.what.at(0).eq_(OPENS), |f| {
        let largest = f.real("largest", 0.0);
        f.for_each("i", 0, arrays.held.at(0), |f, i| f.assign(largest, largest.max(arrays.force.at(i * 3))));
        f.for_each("i", 0, arrays.held.at(0), |f, i| {
            let small = arrays.force.at(i * 3).le(largest * NO_LOAD);
            f.if_(small.or(i.eq_(slot)), |f| f.store(arrays.state, i, UNLOADED));
        });
    });
    f.if_(event.what.at(0).eq_(LEAVES), |f| {
        f.store(arrays.beyond, slot, arrays.beyond.at(slot).max(LEAST_BEYOND) * 2.0);
    });
    f.if_(event.what.at(0).eq_(SLIPS), |f| {
        let [first, second] = [1, 2].map(|row| {
            let along = touching.direction(f, slot, row);
            along.times(-arrays.force.at(slot * 3 + row))
        });
        let against = (first + second).keep(f, "against");
        let size = against.length(f, "size");
        against.over(size.max(f64::MIN_POSITIVE)).store(f, arrays.heading, slot * 3);
        f.store(arrays.state, slot, SLIDING);
        f.store(arrays.starting, slot, 1);
    });
}
