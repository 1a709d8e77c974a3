//! What can be asked of pairs at the sampled state, and what is remembered of points from step to step.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::Plain;

use super::derivative::{Holding, NO_SLIP};
use super::frames::Frames;
use super::rows::Rows;
use super::slack::Calm;
use super::{Layout, OPEN, SLIDING, STICKING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// The places of gap, force and state among what is kept of a pair.
const GAP: i64 = 0;
const FORCE: i64 = 1;
const STATE: i64 = 4;
pub(super) const IMPULSE: i64 = 5;
pub(super) const IMPACTS: i64 = 6;
pub(super) const SEEN: i64 = 7;

impl<'p> Lowering<'p> {
    /// `(t) -> integer`: forces at the sampled state, and what is known of each pair there.
    pub fn contact_observation(
        &mut self,
        touching: &Touching,
        frames: Frames,
        holding: Holding,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let see = self.see_pairs(touching, integrator);
        let states = integrator.size;
        let observe = self.module.function("contact_observe", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.sampled.at(i)));
            // Between steps the place of the second slope is free.
            attempt(f, holding.look, (t.get(), Expression::from(states as i64)));
            attempt(f, frames.place, t);
            f.call(see, t);
            f.return_(protocol::DONE);
        });
        self.module.describe(observe, "Forces at the sampled state, and what is known of each pair.");
        observe
    }

    /// `(t)`: what is known of each pair where shapes are, with the forces of held points.
    pub fn see_pairs(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, geometry, tables, points, .. } = touching;
        let (asked, layout) = (self.program.gaps_asked_for(), self.program.contacts.as_ref().map(Layout::new));
        let pairs = layout.iter().flat_map(|layout| &layout.pairs).enumerate();
        let asked = pairs.filter(|(_, pair)| asked.binary_search(&pair.of).is_ok()).map(|(at, _)| at as i64);
        let asked: Vec<i64> = asked.collect();
        let gaps = asked.len();
        let asked = if asked.is_empty() { vec![0] } else { asked };
        let asked = self.module.integers("contact_gaps_asked", &asked, "pairs of shapes whose gaps are asked for");
        let see = self.module.function("contact_see", &[("t", Real)], &[], |f| {
            let [t] = f.parameters();
            f.for_each("of", 0, touching.thing_pairs, |f, of| {
                f.store(arrays.seen, of * SEEN + GAP, f64::INFINITY);
                f.for_each("k", FORCE, STATE + 1, |f, k| f.store(arrays.seen, of * SEEN + k, 0.0));
            });
            f.for_each("k", 0, gaps, |f, k| {
                let pair = f.integer("pair", asked.at(k));
                let gap = f.call1(geometry.gap, pair);
                f.note("Where a step ends with an impact, the gap is zero but for what counts as touching.");
                let band = touching.band(f, pair, integrator);
                let touches = t.eq_(integrator.time.at(0)).and(gap.abs().le(band));
                let place = f.integer("place", tables.of.at(pair) * SEEN + GAP);
                f.store(arrays.seen, place, arrays.seen.at(place).min(touches.select(0.0, gap)));
            });
            f.for_each("i", 0, arrays.held.at(0), |f, i| {
                let first = f.integer("first", tables.of.at(points.pair.at(i)) * SEEN);
                let force = [0, 1, 2].map(|row| touching.direction(f, i, row).times(arrays.force.at(i * 3 + row)));
                let [normal, along, across] = force;
                for (at, part) in (normal + along + across).0.into_iter().enumerate() {
                    let place = f.integer("place", first + FORCE + at as i64);
                    f.store(arrays.seen, place, arrays.seen.at(place) + part);
                }
                let pair = f.integer("held_pair", points.pair.at(i));
                let band = touching.band(f, pair, integrator);
                let gap = f.real("held_gap", arrays.seen.at(first + GAP));
                f.store(arrays.seen, first + GAP, gap.abs().le(band).select(0.0, gap));
                f.note("It slides if one of its points does, or without friction.");
                let state = f.real("state", touching.state_of(i));
                let known = f.real("known", arrays.seen.at(first + STATE));
                f.store(arrays.seen, first + STATE, known.eq_(OPEN as f64).select(state, known.min(state)));
            });
        });
        self.module.describe(see, "What is known of each pair.");
        see
    }

    /// `(t) -> integer`: remembers along which held points slip, and forgets those that have parted.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_commit(
        &mut self,
        touching: &Touching,
        (frames, rows, holding): (Frames, Rows, Holding),
        (sunk, calm): (FunctionId, Option<Calm>),
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, points, tables, .. } = touching;
        let states = integrator.size;
        let commit = self.module.function("contact_commit", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let held = f.integer("held", arrays.held.at(0));
            let all = f.integer("all", held + arrays.left.at(0));
            f.if_(all.eq_(0), |f| f.return_(protocol::DONE));
            if let Some(calm) = calm {
                f.note("The gap of the only point of a pair says whether it has sunk in, and what has no friction needs no heading.");
                let rubs = f.integer("rubs", 0);
                f.for_each("i", 0, held, |f, i| {
                    let rough = arrays.friction.at(tables.of.at(points.pair.at(i))).gt(0.0);
                    f.if_(arrays.state.at(i).ne_(STICKING).and(rough), |f| f.assign(rubs, 1));
                });
                f.if_(calm.all_held(&touching).and(rubs.eq_(0)), |f| f.return_(protocol::DONE));
            }
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
            attempt(f, frames.place, t);
            let begins = f.integer("begins", 0);
            f.for_each("i", 0, held, |f, i| {
                f.if_(arrays.state.at(i).eq_(SLIDING).and(arrays.starting.at(i)), |f| f.assign(begins, 1));
            });
            f.note("What has only begun to slip goes where it is pushed now.");
            f.if_(begins, |f| attempt(f, holding.derivative, (t.get(), Expression::from(states as i64))));
            f.call(rows.find, all);
            f.for_each("i", 0, held, |f, i| {
                f.if_(arrays.state.at(i).eq_(SLIDING), |f| head(f, &touching, i, integrator));
            });
            let left = f.integer("kept", held);
            f.for_each("i", held, all, |f, i| {
                let pair = f.integer("pair", points.pair.at(i));
                let band = touching.band(f, pair, integrator);
                f.if_(points.gap.at(i).le(band * 2.0).or(arrays.lands.at(i).lt(f64::INFINITY)), |f| {
                    touching.copy_point(f, i, left);
                    f.store(arrays.parting, left, arrays.parting.at(i));
                    f.store(arrays.since, left, arrays.since.at(i));
                    f.store(arrays.lands, left, arrays.lands.at(i));
                    f.assign(left, left + 1);
                });
            });
            f.store(arrays.left, 0, left - held);
            f.note("Points of one pair stand beside one another.");
            let looked = f.integer("looked", -1);
            f.for_each("i", 0, all, |f, i| {
                let pair = f.integer("pair_here", points.pair.at(i));
                f.if_(pair.ne_(looked), |f| attempt(f, sunk, (t, pair)));
                f.assign(looked, pair);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(commit, "Remembers along which points slip, and forgets those that have parted.");
        commit
    }

    /// `(t) -> integer`: what is known where the integration begins: sizes, sides of planes, and what touches.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_start(
        &mut self,
        touching: &Touching,
        frames: Frames,
        beginning: Beginning,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, geometry, tables, .. } = touching;
        let (failure, failure_values) = (self.failure, self.failure_values);
        let (states, step) = (integrator.size, self.module.length(arrays.given) as i64 - 1);
        let gaps = ["below", "above"].map(|side| {
            let name = format!("contact_{side}");
            self.module.real_array(&name, touching.thing_pairs, "the least gap if a body were on this side of a plane")
        });
        let start = self.module.function("contact_start", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.call(frames.begin, ());
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
            attempt(f, frames.place, t);
            f.store(arrays.fastest, 0, 0.0);
            touching.notes.forget(f, &touching);
            touching.flurry.forget(f);
            f.store(arrays.held, 0, 0);
            f.store(arrays.left, 0, 0);
            match beginning {
                Beginning::Resolved(_, event, _) => f.store(event.what, 0, 0),
                Beginning::Stepping => f.store(integrator.longest_step, 0, arrays.given.at(step)),
            }
            f.for_each("pair", 0, touching.shape_pairs, |f, pair| f.store(arrays.side, pair, 1.0));
            for array in gaps {
                f.for_each("of", 0, touching.thing_pairs, |f, of| f.store(array, of, f64::INFINITY));
            }
            let close = |f: &mut FunctionBuilder, shape| touching.how_far(f, shape, 0.0).get();
            f.note("A body is on the side of a plane on which it begins, as a whole.");
            touching.for_each_near(f, close, |f, pair| {
                let of = f.integer("of", tables.of.at(pair));
                for (side, array) in [(-1.0, gaps[0]), (1.0, gaps[1])] {
                    f.store(arrays.side, pair, side);
                    let [gap, _, _, _] = f.call_n(geometry.distance, pair);
                    f.store(array, of, array.at(of).min(gap));
                }
            });
            touching.for_each_near(f, close, |f, pair| {
                let of = f.integer("of", tables.of.at(pair));
                f.if_(gaps[0].at(of).gt(gaps[1].at(of)), |f| f.store(arrays.side, pair, -1.0));
                let [gap, _, _, _] = f.call_n(geometry.distance, pair);
                let band = touching.band(f, pair, integrator);
                let most = f.real("most", band * INSIDE);
                if let Beginning::Stepping = beginning {
                    let radius = |side: usize| geometry.radius.at(tables.shape[side].at(pair));
                    f.if_(t.gt(0.0), |f| f.assign(most, radius(0).min(radius(1)) * SUNK));
                }
                f.if_(gap.lt(-most.get()), |f| {
                    f.store(failure, 0, tables.of.at(pair));
                    f.store(failure_values, 0, t);
                    f.store(failure_values, 1, -gap.get());
                    f.return_(protocol::STARTS_INSIDE);
                });
            });
            match beginning {
                Beginning::Resolved(resolve, _, begins) => {
                    begins.into_iter().for_each(|begins| begins.say(f, 1));
                    let status = f.call1(resolve, t);
                    begins.into_iter().for_each(|begins| begins.say(f, 0));
                    f.return_(status);
                }
                Beginning::Stepping => f.return_(protocol::DONE),
            }
        });
        self.module.describe(start, "Finds what touches where the integration begins.");
        start
    }
}

impl Touching {
    /// What is said of a held point: without friction it slides, even where it is at rest.
    pub fn state_of(&self, i: LocalId) -> Expression {
        let Touching { arrays, tables, points, .. } = *self;
        let rough = arrays.friction.at(tables.of.at(points.pair.at(i))).gt(0.0);
        let slides = arrays.state.at(i).eq_(SLIDING).or(rough.logical_not());
        slides.select(SLIDING as f64, STICKING as f64)
    }

    /// Writes what is seen of each point into an array, as [`protocol::CONTACT_POINT`] says. Needs: observed.
    pub fn show_points(&self, f: &mut FunctionBuilder, into: ArrayId, first: usize) {
        let Touching { arrays, tables, points, .. } = *self;
        let each = protocol::CONTACT_POINT;
        f.for_each("i", 0, self.capacity * each, |f, i| f.store(into, i + first, 0.0));
        f.for_each("i", 0, arrays.held.at(0), |f, i| {
            let place = f.integer("place", i * each + first);
            f.store(into, place, self.state_of(i));
            f.store(into, place + 1, tables.of.at(points.pair.at(i)).to_real());
            let [normal, along, across] = [0, 1, 2].map(|row| self.direction(f, i, row));
            let forces = [(&normal, 0), (&along, 1), (&across, 2)];
            let [up, first, second] = forces.map(|(axis, row)| axis.times(arrays.force.at(i * 3 + row)));
            let parts = Plain::load(f, "point", points.point, i * 3).0.into_iter().chain(normal.0);
            for (at, part) in parts.chain((up + first + second).0).enumerate() {
                f.store(into, place + 2 + at as i64, part);
            }
        });
    }
}

/// What is done where the integration begins.
#[derive(Clone, Copy)]
pub(crate) enum Beginning {
    /// What touches is found, by this function, and nothing has happened to it yet; where there are derivatives, it is said that the run begins.
    Resolved(FunctionId, super::slack::Event, Option<super::slopes::Begins>),
    /// Nothing: the first step finds what touches.
    Stepping,
}

/// Steps of a fixed length leave things in one another; a run goes on from there if it is by less than this part of the smaller shape.
const SUNK: f64 = 0.25;
/// What begins deeper inside than this many bands does not merely touch.
const INSIDE: f64 = 1000.0;

/// A slip of this many times the tolerance to the power of three quarters, relative to what moves, has a direction of its own. Below, friction turns
/// slips so fast that steps would have to be shorter than what they tell; it goes along the way in which it is pushed instead. The slip
/// that is wrong by that is smaller than this one by the angle through which it has turned until then.
const BEGUN: f64 = 8.0;

/// The direction of slip at the end of a step; what has only begun has one of its own once it is fast enough.
fn head(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, integrator: &IntegratorArrays) {
    let arrays = touching.arrays;
    let [along, across] = [1, 2].map(|row| f.real("slip", arrays.speed.at(i * 3 + row)));
    let size = f.real("size", (along * along + across * across).sqrt());
    let scale = touching.fastest(f, i);
    let tolerance = f.real("tolerance", integrator.tolerance.at(0));
    let begun = (tolerance * tolerance.sqrt()).sqrt() * BEGUN;
    let least = f.real("least", (tolerance * 0.2).max(NO_SLIP * 2.0));
    let steered = touching.is_steered(f, i);
    f.assign(steered, steered.and(arrays.starting.at(i)));
    f.assign(least, steered.select(begun, least));
    f.if_(steered, |f| {
        let [first, second] = [1, 2].map(|row| touching.direction(f, i, row).times(-arrays.force.at(i * 3 + row)));
        let pushed = (first + second).keep(f, "pushed");
        let strength = pushed.length(f, "strength");
        f.if_(strength.clone().gt(0.0), |f| pushed.over(strength).store(f, arrays.heading, i * 3));
    });
    f.if_(size.gt(scale * least), |f| {
        let first = touching.direction(f, i, 1).times(along / size);
        let second = touching.direction(f, i, 2).times(across / size);
        let slip = (first + second).keep(f, "direction");
        let heading = Plain::load(f, "heading", arrays.heading, i * 3);
        let onward = f.integer("onward", slip.dot(&heading).gt(0.0));
        f.if_(onward, |f| {
            slip.store(f, arrays.heading, i * 3);
            f.store(arrays.starting, i, 0);
        });
    });
}
