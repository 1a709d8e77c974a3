//! What held points have left before something happens to them: a force that ends, friction that does not hold, a slip that comes to rest;
//! and points that touch without being held, which must not sink in.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::Plain;

use super::derivative::{Holding, NO_SLIP};
use super::frames::Frames;
use super::rows::Rows;
use super::{Layout, SLIDING, STICKING, Touching};
use crate::lower::Lowering;

/// What happens to a point.
pub(super) const OPENS: i64 = 1;
pub(super) const SLIPS: i64 = 2;
pub(super) const STICKS: i64 = 3;
pub(super) const SINKS: i64 = 4;
pub(super) const LEAVES: i64 = 5;
pub(super) const JAMS: i64 = 6;
pub(super) const GIVES_WAY: i64 = 7;
const LEAPS: i64 = 8;

/// What rounding makes of forces and speeds that are zero, relative to the others.
const ROUNDING: f64 = 1e-12;

/// A slip of so many tolerances, relative to how fast things move, is not resolved by steps; it has turned where this is the cosine from its heading.
pub(super) const UNSEEN: f64 = 1e3;
const TURNED: f64 = 0.999;

/// What is held does not move by more of the fastest than this.
const LEAPT: f64 = 1e-5;

/// Where friction turns so much of what a force does at a point against it, forces grow beyond all bounds.
const PIVOT: f64 = 1e-6;

/// The event that was located last.
#[derive(Clone, Copy)]
pub(crate) struct Event {
    /// One of the above, or 0.
    pub what: ArrayId,
    pub slot: ArrayId,
}

impl<'p> Lowering<'p> {
    pub fn declare_contact_event(&mut self) -> Event {
        Event {
            what: self.module.integer_array(
                "contact_event",
                1,
                "1 opens, 2 slips, 3 sticks, 4 sinks in, 5 leaves its feature, 6 jams, 7 gives way, 8 leaps",
            ),
            slot: self.module.integer_array("contact_event_slot", 1, "the point that it happens to"),
        }
    }

    /// `(t) -> (integer, real, real, integer)`: a status, by how much something has happened to a point at the time, 0, and whether it has.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_slack(
        &mut self,
        touching: &Touching,
        event: Event,
        (frames, rows, holding): (Frames, Rows, Holding),
        (sample, strain): (FunctionId, FunctionId),
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, tables, points, geometry, .. } = touching;
        let states = integrator.size;
        let results = [Integer, Real, Real, Integer];
        let measure = self.module.function("contact_slack", &[("t", Real)], &results, |f| {
            let [t] = f.parameters();
            let attempt = |f: &mut FunctionBuilder, function: FunctionId, t: LocalId| {
                let status = f.call1(function, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0, 0.0, 0)));
            };
            attempt(f, sample, t);
            f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.sampled.at(i)));
            // Between steps the place of the second slope is free.
            let status = f.call1(holding.look, (t.get(), kernel::Expression::from(states as i64)));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0, 0.0, 0)));
            let held = f.integer("held", arrays.held.at(0));
            let touching_all = f.integer("all", held + arrays.left.at(0));
            f.call(geometry.place, ());
            f.if_(arrays.left.at(0).gt(0), |f| {
                attempt(f, frames.place, t);
                f.call(rows.find, touching_all);
            });
            let [worst, what, slot] = f.call_n(strain, ());
            f.store(event.what, 0, what);
            f.store(event.slot, 0, slot);
            let note = |f: &mut FunctionBuilder, beyond: LocalId, what: i64, slot: LocalId| {
                f.if_(beyond.gt(worst), |f| {
                    f.assign(worst, beyond);
                    f.store(event.what, 0, what);
                    f.store(event.slot, 0, slot);
                });
            };
            f.note("What is driven may leap into motion, and what is held with it.");
            f.for_each("i", 0, held, |f, i| {
                let leap = touching.leap(f, i);
                let leaps = f.real("leaps", leap.get() - leapt(integrator));
                note(f, leaps, LEAPS, i);
            });
            f.note("Features have ends: a corner that slides off, a ball that rolls over an edge.");
            f.if_(held.gt(0), |f| {
                f.for_each("i", 0, held, |f, i| {
                    let inside = f.call1(geometry.margin, i);
                    let size = |side: usize| geometry.radius.at(tables.shape[side].at(points.pair.at(i)));
                    let beyond = f.real("beyond", -(inside.get() / size(0).min(size(1))) - arrays.beyond.at(i));
                    note(f, beyond, LEAVES, i);
                });
            });
            f.for_each("i", held, touching_all, |f, i| {
                f.if_(arrays.parting.at(i).eq_(0), |f| {
                    let pair = f.integer("pair", points.pair.at(i));
                    let band = touching.band(f, pair, integrator);
                    let sunk = f.real("sunk", -(points.gap.at(i) / band) - 2.0);
                    note(f, sunk, SINKS, i);
                });
            });
            f.return_((protocol::DONE, worst, 0.0, worst.gt(0.0)));
        });
        self.module.describe(measure, "By how much something has happened to a point that touches.");
        measure
    }
}

impl<'p> Lowering<'p> {
    /// `() -> (real, integer, integer)`: by how much something has happened to a held point where the derivative was taken last, what, and to which.
    pub fn contact_strain(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, tables, points, .. } = touching;
        let strain = self.module.function("contact_strain", &[], &[Real, Integer, Integer], |f| {
            let held = f.integer("held", arrays.held.at(0));
            let worst = f.real("worst", f64::NEG_INFINITY);
            let (happens, to) = (f.integer("happens", 0), f.integer("to", 0));
            let total = f.real("total", f64::MIN_POSITIVE);
            f.for_each("i", 0, held * 3, |f, i| f.increase(total, arrays.force.at(i).abs()));
            let note = |f: &mut FunctionBuilder, beyond: LocalId, what: i64, slot: LocalId| {
                f.if_(beyond.gt(worst), |f| {
                    f.assign(worst, beyond);
                    f.assign(happens, what);
                    f.assign(to, slot);
                });
            };
            f.for_each("i", 0, held, |f, i| {
                let normal = f.real("normal", arrays.force.at(i * 3));
                let friction = f.real("friction", arrays.friction.at(tables.of.at(points.pair.at(i))));
                let ends = f.real("ends", -(normal / total) - ROUNDING);
                note(f, ends, OPENS, i);
                let sticks = f.integer("sticks", arrays.state.at(i).eq_(STICKING));
                f.if_(sticks, |f| {
                    let [along, across] = [1, 2].map(|row| f.real("pull", arrays.force.at(i * 3 + row)));
                    let pull = (along * along + across * across).sqrt();
                    let beyond = f.real("beyond", (pull - friction * normal) / total - ROUNDING);
                    note(f, beyond, SLIPS, i);
                });
                let slides = f.integer("slides", arrays.state.at(i).eq_(SLIDING).and(friction.gt(0.0)));
                let slowest = (integrator.tolerance.at(0) * 0.1).max(NO_SLIP);
                f.note("What has only begun to slip may be pushed back before it has gone anywhere.");
                f.if_(slides.and(arrays.starting.at(i)), |f| {
                    let [left, _, _] = slip_left(f, &touching, i);
                    let back = f.real("back", slowest.clone() * -2.0 - left.get());
                    note(f, back, STICKS, i);
                });
                f.if_(slides.and(arrays.starting.at(i).eq_(0)), |f| {
                    let [left, straight, slip] = slip_left(f, &touching, i);
                    let rest = f.real("rest", slowest - left.get());
                    note(f, rest, STICKS, i);
                    f.note("A slip so slow that steps do not see it may turn about rest without end.");
                    let unseen = integrator.tolerance.at(0) * UNSEEN - slip.get();
                    let turns = f.real("turns", unseen.min(TURNED - straight.get()));
                    note(f, turns, STICKS, i);
                });
                f.if_(slides, |f| {
                    let pivot = pivot(f, &touching, i, friction);
                    let lost = f.real("lost", PIVOT - pivot.get());
                    note(f, lost, JAMS, i);
                });
            });
            f.note("Forces that are the least within their cones may come to an end all together.");
            let unheld = f.real("unheld", arrays.unheld.at(0));
            let unheld_slot = f.integer("unheld_slot", arrays.unheld_slot.at(0));
            f.if_(held.gt(0), |f| note(f, unheld, GIVES_WAY, unheld_slot));
            f.return_((worst, happens, to));
        });
        self.module.describe(strain, "By how much something has happened to a held point.");
        strain
    }

    /// What is noted of stages, where nothing can happen but to held points.
    pub fn contact_calm(&mut self, touching: &Touching, strain: FunctionId) -> Option<Calm> {
        let layout = self.program.contacts.as_ref().map(Layout::new)?;
        let mut ends = layout.pairs.iter().map(|pair| pair.shapes.map(|shape| layout.kinds[shape]));
        let pairs = touching.shape_pairs as i64;
        ends.all(numerics::contact::is_lasting).then(|| Calm {
            pairs,
            strain,
            range: self.module.real_array("contact_calm", 2, "the largest and the least strain of stages"),
        })
    }
}

/// How near held points came to something at the stages of a step, in scenes whose pairs of shapes touch in one point that has no ends. Where all of
/// them are held, nothing else can touch.
#[derive(Clone, Copy)]
pub(crate) struct Calm {
    pairs: i64,
    strain: FunctionId,
    range: ArrayId,
}

impl Calm {
    /// Whether all pairs are held.
    pub fn all_held(&self, touching: &Touching) -> Expression {
        touching.arrays.held.at(0).eq_(self.pairs).and(touching.arrays.left.at(0).eq_(0))
    }

    /// Notes the strain of a stage.
    pub fn look(&self, f: &mut FunctionBuilder, touching: &Touching) {
        f.if_(self.all_held(touching), |f| {
            let [worst, _, _] = f.call_n(self.strain, ());
            f.store(self.range, 0, self.range.at(0).max(worst));
            f.store(self.range, 1, self.range.at(1).min(worst));
        });
    }

    pub fn forget(&self, f: &mut FunctionBuilder) {
        f.store(self.range, 0, f64::NEG_INFINITY);
        f.store(self.range, 1, f64::INFINITY);
    }

    /// Whether nothing can have happened since strains were forgotten. At stages what is held moves as well as these are good for; what leaps is
    /// seen where the step ends.
    pub fn is_quiet(&self, f: &mut FunctionBuilder, touching: &Touching, integrator: &IntegratorArrays) -> LocalId {
        let [highest, lowest] = [0, 1].map(|at| f.real("strain", self.range.at(at)));
        let far = (highest + (highest - lowest) * 2.0).lt(0.0).and(highest.gt(f64::NEG_INFINITY));
        let still = touching.arrays.leap.at(0).lt(leapt(integrator));
        f.integer("quiet", far.and(still).and(self.all_held(touching)))
    }
}

/// What is held moves no faster than this, relative to how fast things move.
fn leapt(integrator: &IntegratorArrays) -> Expression {
    (integrator.tolerance.at(0) * UNSEEN).max(LEAPT)
}

impl Touching {
    /// How fast a held point moves along its normal, and where it sticks across it, relative to how fast things move there.
    pub fn leap(&self, f: &mut FunctionBuilder, i: LocalId) -> LocalId {
        let arrays = self.arrays;
        let leap = f.real("leap", arrays.speed.at(i * 3).abs());
        f.if_(arrays.state.at(i).eq_(STICKING), |f| {
            f.for_each("row", 1, 3, |f, row| f.assign(leap, leap.max(arrays.speed.at(i * 3 + row).abs())));
        });
        let scale = self.fastest(f, i).max(f64::MIN_POSITIVE);
        f.real("leap_size", leap / scale)
    }
}

/// What is left of the answer of a point that slips to a force along its normal, once friction has taken its part of it.
fn pivot(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, friction: LocalId) -> LocalId {
    let arrays = touching.arrays;
    let stride = 3 * touching.capacity as i64;
    let heading = Plain::load(f, "heading", arrays.heading, i * 3);
    let first = f.integer("first", i * 3 * stride + i * 3);
    let across = f.real("turned", 0.0);
    for row in [1, 2] {
        let direction = touching.direction(f, i, row);
        f.increase(across, direction.dot(&heading) * arrays.matrix.at(first + row));
    }
    f.real("pivot", 1.0 - friction * across / arrays.matrix.at(first).max(f64::MIN_POSITIVE))
}

/// The slip of a point along its heading, the cosine of the angle between them, and all slip; slips are relative to how fast things move there.
fn slip_left(f: &mut FunctionBuilder, touching: &Touching, i: LocalId) -> [LocalId; 3] {
    let arrays = touching.arrays;
    let heading = Plain::load(f, "heading", arrays.heading, i * 3);
    let along = f.real("along", 0.0);
    for row in [1, 2] {
        let direction = touching.direction(f, i, row);
        f.increase(along, direction.dot(&heading) * arrays.speed.at(i * 3 + row));
    }
    let [first, second] = [1, 2].map(|row| f.real("slip", arrays.speed.at(i * 3 + row)));
    let all = f.real("slip_size", (first * first + second * second).sqrt());
    let scale = touching.fastest(f, i).max(f64::MIN_POSITIVE);
    let straight = along / all.max(f64::MIN_POSITIVE);
    [along / &scale, straight, all / &scale].map(|part| f.real("part", part))
}
