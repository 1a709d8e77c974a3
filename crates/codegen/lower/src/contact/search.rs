//! When the next thing happens within the last step: a gap that closes, or something that happens to a held point.
//!
//! Gaps are followed from below. At any time a direction separates two shapes; along it, held fixed, every point of either moves as its velocity
//! says, but for a bound on accelerations. So for some time nothing can close, and the search goes there and looks again: as for Newton's
//! method from one side, a few looks are enough, and nothing is passed over.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::{Plain, WITH_FIRST, WITH_SECOND};

use super::Touching;
use super::frames::Frames;
use super::rows::{FrameVector, Rows};
use super::slack::{Calm, Event};
use crate::lower::Lowering;
use crate::search::locate;

/// Accelerations between those that are looked at may be so much larger.
const ALLOWANCE: f64 = 1.5;
/// In how many parts a step is looked at where something may happen to held points.
const PARTS: i64 = 8;
/// How often the time is narrowed for which nothing can close, and how well it has to be known: each look goes on from the last.
const CHORDS: i64 = 60;
const ENOUGH: f64 = 0.01;
/// Where the bound is a straight line the chord is the bound, and rounding would put its root beyond.
const ALMOST: f64 = 1.0 - 1e-12;
/// What is not convex may bend so much more within a part of its radius of curvature, and for so long it is known how it bends.
const MORE_BENT: f64 = 2.0;
const KNOWN_ARC: f64 = 0.25;
/// Directions that turn are tried where fixed ones tell for less than this part of what is left of a step.
const SHORT: f64 = 1e-3;
/// A gap has closed where it is this part of the band: nearer than what touches then, so that nothing is lost by rounding.
const CLOSED: f64 = 1e-3;
/// How often the time is halved at which something has closed that was not seen before.
const HALVINGS: i64 = 50;
/// What has parted no higher than this part of the smaller shape, and will not, does not move. At the top of a higher hop it is slow as well.
const SLOW: f64 = 1e-14;
/// What holds may be so deep, as a part of the smaller shape, before points are found anew.
const DEEP: f64 = 1e-8;
/// Points nearer than this part of the smaller shape are in one place, and normals that differ by no more than this are one.
const ONE_PLACE: f64 = 1e-8;
const ONE_NORMAL: f64 = 1e-6;
/// After so many looks a step ends where they came to.
const MOST_LOOKS: i64 = 10_000;

/// Bounds of what frames do in the last step.
#[derive(Clone, Copy)]
struct Bounds {
    line: ArrayId,
    spin: ArrayId,
}

/// What is needed to look at a time within the last step.
#[derive(Clone, Copy)]
pub(crate) struct Looking {
    pub sample: FunctionId,
    pub slack: FunctionId,
    pub event: Event,
    pub calm: Option<Calm>,
}

impl<'p> Lowering<'p> {
    /// `(begin, end) -> (integer, real)`: a status, and when the first thing happens; infinite if nothing does.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_search(
        &mut self,
        touching: &Touching,
        frames: Frames,
        rows: Rows,
        looking: Looking,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let arrays = touching.arrays;
        let bounds = Bounds {
            line: self.module.real_array(
                "contact_line",
                touching.frames,
                "the largest acceleration of each frame in a step",
            ),
            spin: self.module.real_array(
                "contact_spin",
                touching.frames,
                "the same of turning, for each unit of distance",
            ),
        };
        let bend = self.bend(&touching, frames, looking, bounds, integrator);
        let safe = self.safe_time(&touching, rows, bounds, integrator);
        let locate = locate(&mut self.module, "contact_", looking.slack);
        let Looking { sample, slack, event, calm } = looking;
        let states = integrator.size;
        let parameters = [("begin", Real), ("end", Real)];
        let search = self.module.function("contact_search", &parameters, &[Integer, Real], |f| {
            let [begin, end] = f.parameters();
            let call = |f: &mut FunctionBuilder, function: FunctionId, t: LocalId| {
                let status = f.call1(function, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
            };
            if let Some(calm) = calm {
                f.note("Where all that may touch is held, its stages have told whether anything happens.");
                let quiet = calm.is_quiet(f, &touching, integrator);
                calm.forget(f);
                f.if_(quiet, |f| {
                    f.store(event.what, 0, 0);
                    f.return_((protocol::DONE, f64::INFINITY));
                });
            }
            let due = f.real("due", f64::INFINITY);
            let [highest, lowest] =
                [("highest", f64::NEG_INFINITY), ("lowest", f64::INFINITY)].map(|(name, value)| f.real(name, value));
            f.for_each("i", 0, touching.frames, |f, i| {
                f.store(bounds.line, i, 0.0);
                f.store(bounds.spin, i, 0.0);
            });
            let held = f.integer("held", (arrays.held.at(0) + arrays.left.at(0)).gt(0));
            f.for_each("k", 0, 3, |f, k| {
                let t = f.real("t", (begin + (end - begin) * (k.to_real() * 0.5)).min(end));
                let [status, worst] = f.call_n(bend, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                f.assign(highest, highest.max(worst));
                f.assign(lowest, lowest.min(worst));
            });
            f.note("Held points: only where their slack is small beside its changes.");
            let near = highest + (highest - lowest) * 2.0;
            f.if_(held.and(near.ge(0.0)), |f| {
                let before = f.real("before", begin);
                let before_slack = f.real("before_slack", -1.0);
                f.for_each("k", 1, PARTS + 1, |f, k| {
                    let last = k.eq_(PARTS);
                    let t = f.real("t", last.select(end, begin + (end - begin) * (k.to_real() / PARTS as f64)));
                    let [status, worst, _, holds] = f.call_n(slack, t);
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                    f.if_(holds, |f| {
                        let [status, since] = f.call_n(
                            locate,
                            (
                                before.get(),
                                before_slack.get(),
                                Expression::from(0.0),
                                t.get(),
                                worst.get(),
                                Expression::from(0.0),
                            ),
                        );
                        f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                        f.assign(due, since);
                        f.break_();
                    });
                    f.assign(before, t);
                    f.assign(before_slack, worst);
                });
            });
            f.if_(due.eq_(f64::INFINITY), |f| f.store(event.what, 0, 0));
            f.note("Hops that are too low to be seen.");
            f.for_each("i", arrays.held.at(0), arrays.held.at(0) + arrays.left.at(0), |f, i| {
                f.if_(arrays.lands.at(i).lt(due), |f| {
                    f.assign(due, begin.max(arrays.lands.at(i)));
                    f.store(event.what, 0, 0);
                });
            });
            f.note("Gaps.");
            let last = f.real("last", end.min(due));
            let now = f.real("now", begin);
            let look_at = |f: &mut FunctionBuilder, t: LocalId, rest: Expression| {
                call(f, sample, t);
                f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.sampled.at(i)));
                call(f, frames.place, t);
                f.call1(safe, rest)
            };
            let narrow = |f: &mut FunctionBuilder, open: LocalId, closed: LocalId| {
                f.for_each("halving", 0, HALVINGS, |f, _| {
                    let middle = f.real("middle", open + (closed - open) * 0.5);
                    let time = look_at(f, middle, 0.0.into());
                    f.if_else(time.lt(0.0), |f| f.assign(closed, middle), |f| f.assign(open, middle));
                });
            };
            let open = f.real("open", begin);
            f.for_each("look", 0, MOST_LOOKS + 1, |f, look| {
                let time = look_at(f, now, last - now);
                f.if_(time.lt(0.0).or(look.eq_(MOST_LOOKS)), |f| {
                    f.note("What is round rolls on faster than bounds of frames tell, so that a look may come too late.");
                    f.if_(time.lt(0.0).and(open.lt(now)), |f| narrow(f, open, now));
                    f.store(event.what, 0, 0);
                    f.return_((protocol::DONE, now));
                });
                f.if_((now + time).ge(last), |f| f.break_());
                f.note("What cannot be told apart from now has happened.");
                f.if_((now + time).le(now), |f| {
                    f.store(event.what, 0, 0);
                    f.return_((protocol::DONE, now));
                });
                f.assign(open, now);
                f.assign(now, now + time);
            });
            f.note("Around what holds, and over hills, features come up that nobody could expect: whether something has closed until the end.");
            f.if_(if touching.has_hills { 1.into() } else { held.get() }, |f| {
                let time = look_at(f, last, 0.0.into());
                f.if_(time.lt(0.0), |f| {
                    narrow(f, now, last);
                    f.if_(last.lt(due), |f| f.store(event.what, 0, 0));
                    f.return_((protocol::DONE, last));
                });
            });
            f.return_((protocol::DONE, due));
        });
        self.module.describe(search, "When the first thing happens to what touches or may touch, in the last step.");
        search
    }

    /// `(t) -> (integer, real)`: widens the bounds by what frames do at a time; a status, and the slack of what touches.
    fn bend(
        &mut self,
        touching: &Touching,
        frames: Frames,
        looking: Looking,
        bounds: Bounds,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let arrays = touching.arrays;
        let states = integrator.size;
        let bend = self.module.function("contact_bend", &[("t", Real)], &[Integer, Real], |f| {
            let [t] = f.parameters();
            let call = |f: &mut FunctionBuilder, function: FunctionId| {
                let status = f.call1(function, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
            };
            let worst = f.real("worst", f64::NEG_INFINITY);
            f.if_else(
                (arrays.held.at(0) + arrays.left.at(0)).gt(0),
                |f| {
                    let [status, found, _, _] = f.call_n(looking.slack, t);
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0.0)));
                    f.assign(worst, found);
                },
                |f| {
                    call(f, looking.sample);
                    f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.sampled.at(i)));
                    f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(arrays.wrench, i, 0.0));
                },
            );
            call(f, frames.place);
            call(f, frames.accelerate);
            f.for_each("i", 0, touching.frames, |f, i| {
                let line = touching.of_frame(f, "line", FrameVector::Acceleration, i);
                let turn = touching.of_frame(f, "turn", FrameVector::SpinUp, i);
                let spin = touching.of_frame(f, "spin", FrameVector::Spin, i);
                let line = line.length(f, "line_size");
                let turn = turn.length(f, "turn_size");
                f.store(bounds.line, i, bounds.line.at(i).max(line));
                f.store(bounds.spin, i, bounds.spin.at(i).max(turn + spin.dot(&spin)));
            });
            f.return_((protocol::DONE, worst));
        });
        self.module.describe(bend, "What frames do at a time of the last step.");
        bend
    }

    /// `(rest) -> real`: for how long nothing can close from here, at most `rest`; negative if something has closed.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn safe_time(
        &mut self,
        touching: &Touching,
        rows: Rows,
        bounds: Bounds,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { geometry, points, arrays, capacity, .. } = touching;
        let apart = self.time_apart(&touching);
        let safe = self.module.function("contact_safe", &[("rest", Real)], &[Real], |f| {
            let [rest] = f.parameters();
            let time = f.real("time", rest);
            let known = f.integer("known", arrays.held.at(0) + arrays.left.at(0));
            f.if_(known.gt(0), |f| drop(f.call(rows.find, known)));
            let none = f.real("none", 0.0);
            let wider = |f: &mut FunctionBuilder, shape| touching.farthest(f, shape, rest, bounds);
            touching.for_each_near(f, wider, |f, pair| {
                let bend = touching.bend_of(f, pair, bounds);
                let turning = touching.turning_bend_of(f, pair, bounds, bend);
                let swing = touching.swing_of(f, pair, bounds, turning);
                let band = touching.band(f, pair, integrator);
                let [closed, holds] = ["closed", "holds"].map(|name| f.integer(name, 0));
                f.for_each("i", 0, known, |f, i| {
                    f.if_(points.pair.at(i).eq_(pair).and(touching.is_near(i, band)), |f| {
                        f.assign(closed, 1);
                        f.assign(holds, holds.or(i.lt(arrays.held.at(0))));
                        f.note("What moves away comes back to where it was, or when that is known.");
                        let rate = f.real("rate", arrays.speed.at(i * 3));
                        let watched = i
                            .ge(arrays.held.at(0))
                            .and(arrays.parting.at(i))
                            .and(arrays.lands.at(i).eq_(f64::INFINITY));
                        f.if_(watched, |f| {
                            let gap = f.real("gap", points.gap.at(i) - arrays.since.at(i));
                            f.note("Rates that are rounding bring nothing back; what comes back all the same is seen later.");
                            let size = |side: usize| geometry.radius.at(touching.tables.shape[side].at(pair));
                            let height = rate * rate / (turning * 2.0) + gap.max(0.0);
                            let slow = f.integer("slow", height.le(size(0).min(size(1)) * SLOW));
                            let back = slow.select(band * -CLOSED, 0.0);
                            f.if_(gap.le(back).and(rate.lt(0.0)), |f| f.return_(-1.0));
                            f.if_(slow.eq_(0), |f| f.assign(time, time.min(until(gap, rate, turning))));
                        });
                    });
                });
                f.if_else(
                    closed,
                    |f| {
                        let [gap, x, y, z] = f.call_n(geometry.distance, pair);
                        if touching.has_hills {
                            f.note("What is near a curved surface comes nearer where that bends.");
                            let [curvature, speed, _] = f.call_n(geometry.bent, (pair, x, y, z));
                            let more = curvature.max(0.0) * speed * speed * MORE_BENT;
                            f.assign(turning, turning + more);
                        }
                        f.note("What has only parted from a plane stays apart as a whole: a rim that passes flat comes down on its other side.");
                        let flat = [0, 1].map(|side| touching.reach.at(touching.tables.shape[side].at(pair)).eq_(0.0));
                        let [first, second] = flat;
                        f.if_(holds.eq_(0).and(first.or(second)), |f| {
                            let lift = f.real("lift", band * 2.0 - gap.min(0.0));
                            f.call_into(&[time], apart, [pair, x, y, z, time, bend, swing, lift, gap].map(Term::get).to_vec());
                        });
                        f.note("At the end of a step, what holds is nowhere deeper than its points are.");
                        let size = |side: usize| geometry.radius.at(touching.tables.shape[side].at(pair));
                        let deep = gap.lt(size(0).min(size(1)) * -DEEP);
                        f.if_(deep.and(holds).and(rest.le(0.0)), |f| f.return_(-1.0));
                        f.note("Other points of what touches.");
                        f.store(points.found, 0, 0);
                        f.call(geometry.detect, (pair.get(), Expression::from(f64::INFINITY)));
                        f.for_each("a", 0, points.found.at(0).to_real().min(capacity as f64).to_integer(), |f, a| {
                            let new = f.integer("new", a + capacity);
                            let is_known = f.integer("is_known", 0);
                            f.for_each("i", 0, known, |f, i| {
                                let of_pair = points.pair.at(i).eq_(pair).and(touching.is_near(i, band));
                                f.if_(of_pair, |f| {
                                    let same = f.integer("same", touching.same_point(i, new));
                                    let there = touching.same_place(f, i, new);
                                    f.note("A circle is over a plane with its lowest point or flat, until what is held of it ends.");
                                    let rim = i.lt(arrays.held.at(0)).and(points.on_one_circle(i, new));
                                    f.if_(same.or(there).or(rim), |f| f.assign(is_known, 1));
                                });
                            });
                            f.if_(is_known.eq_(0), |f| {
                                f.call(geometry.evaluate, new);
                                let gap = f.real("gap", points.gap.at(new));
                                f.if_(gap.le(band * CLOSED), |f| f.return_(-1.0));
                                let rate = touching.closing(f, new);
                                f.assign(time, time.min(until(gap, rate, turning)));
                            });
                        });
                    },
                    |f| {
                        let [gap, x, y, z] = f.call_n(geometry.distance, pair);
                        f.if_(gap.le(band * CLOSED), |f| f.return_(-1.0));
                        f.call_into(&[time], apart, [pair, x, y, z, time, bend, swing, none, gap].map(Term::get).to_vec());
                    },
                );
            });
            f.return_(time);
        });
        self.module.describe(safe, "For how long nothing can close.");
        safe
    }

    /// `(pair, nx, ny, nz, rest, bend, swing, lift, gap) -> real`: for how long two shapes stay apart along a direction, or no deeper than `lift`. A face that
    /// turns while something passes close by sweeps over any direction that is fixed; then one that turns with it may tell more.
    fn time_apart(&mut self, touching: &Touching) -> FunctionId {
        let along = self.time_apart_along(touching);
        let parameters = [
            ("pair", Integer),
            ("x", Real),
            ("y", Real),
            ("z", Real),
            ("rest", Real),
            ("bend", Real),
            ("swing", Real),
            ("lift", Real),
            ("gap", Real),
        ];
        let touching = *touching;
        let apart = self.module.function("contact_apart", &parameters, &[Real], |f| {
            let [pair, x, y, z, rest, bend, swing, lift, gap] = f.parameters();
            if touching.has_bent {
                let [curvature, speed, rate] = f.call_n(touching.geometry.bent, (pair, x, y, z));
                f.if_(curvature.ge(0.0), |f| {
                    let height = f.real("height", gap + lift);
                    let most = beside_bent(f, height, (rest, bend), [curvature, speed, rate]);
                    let most = f.real("most", rest.min(most));
                    f.note("Where even what is around it is apart, a direction tells more.");
                    let now = [pair, x, y, z].map(Term::get).into_iter().chain([0.0.into(), bend.get(), 0_i64.into()]);
                    let clear = f.call1(touching.geometry.clearance, now.collect::<Vec<Expression>>());
                    f.if_(clear.gt(0.0), |f| {
                        let mut arguments = [pair, x, y, z, rest, bend, lift].map(Term::get).to_vec();
                        arguments.push(0_i64.into());
                        let time = f.call1(along, arguments);
                        f.assign(most, most.max(time));
                    });
                    f.return_(most);
                });
            }
            let fixed = Expression::from(0_i64);
            let mut arguments = [pair, x, y, z, rest, bend, lift].map(Term::get).to_vec();
            arguments.push(fixed);
            let time = f.call1(along, arguments);
            f.if_(time.ge(rest * SHORT), |f| f.return_(time));
            for with in [WITH_FIRST, WITH_SECOND] {
                let mut arguments = [pair, x, y, z, rest, swing, lift].map(Term::get).to_vec();
                arguments.push(with.into());
                let turning = f.call1(along, arguments);
                f.assign(time, time.max(turning));
            }
            f.return_(time);
        });
        self.module
            .describe(apart, "For how long two shapes stay apart along a direction, or one that turns with them.");
        apart
    }

    /// `(pair, nx, ny, nz, rest, bend, lift, with) -> real`: where the lower bound of a distance is concave, the root of a chord is never too late.
    fn time_apart_along(&mut self, touching: &Touching) -> FunctionId {
        let clearance = touching.geometry.clearance;
        let parameters = [
            ("pair", Integer),
            ("x", Real),
            ("y", Real),
            ("z", Real),
            ("rest", Real),
            ("bend", Real),
            ("lift", Real),
            ("with", Integer),
        ];
        let apart = self.module.function("contact_apart_along", &parameters, &[Real], |f| {
            let [pair, x, y, z, rest, bend, lift, with] = f.parameters();
            let look = |f: &mut FunctionBuilder, time: LocalId| {
                let height = f.call1(clearance, [pair, x, y, z, time, bend, with].map(Term::get).to_vec());
                f.real("above", height + lift)
            };
            let high = look(f, rest);
            f.if_(high.gt(0.0), |f| f.return_(rest));
            let low = f.real("low", 0.0);
            let low_gap = look(f, low);
            let end = f.real("end", rest);
            let narrow = |f: &mut FunctionBuilder, time: LocalId| {
                let gap = look(f, time);
                f.if_else(
                    gap.gt(0.0),
                    |f| {
                        f.assign(low, time);
                        f.assign(low_gap, gap);
                    },
                    |f| {
                        f.assign(end, time);
                        f.assign(high, gap);
                    },
                );
            };
            f.for_each("chord", 0, CHORDS, |f, _| {
                let chord = f.real("chord_root", low + (end - low) * (low_gap / (low_gap - high)) * ALMOST);
                narrow(f, chord);
                f.if_((end - low).le(low * ENOUGH), |f| f.break_());
                f.note("A far end makes a flat chord.");
                let middle = f.real("middle", low + (end - low) * 0.5);
                narrow(f, middle);
            });
            f.return_(low);
        });
        self.module.describe(apart, "For how long two shapes stay apart along a direction.");
        apart
    }
}

/// For how long a ball stays away from what is not convex. A gap changes no faster than the ball moves; and as its rate says, but for what bends: the
/// surface within a fraction of its radius of curvature besides.
fn beside_bent(
    f: &mut FunctionBuilder,
    height: LocalId,
    (rest, bend): (LocalId, LocalId),
    [curvature, speed, rate]: [LocalId; 3],
) -> Expression {
    let fastest = f.real("fastest", speed + bend * rest);
    let coming = f.real("coming", -fastest.get());
    let all = f.real("all_bend", bend + curvature * fastest * fastest * MORE_BENT);
    let known = (curvature * fastest).max(f64::MIN_POSITIVE);
    let local = f.real("local", until(height, rate, all).min(KNOWN_ARC / known));
    until(height, coming, bend).max(local)
}

/// The time for which a gap with this rate, whose acceleration has a bound, stays open.
fn until(gap: LocalId, rate: LocalId, bend: LocalId) -> Expression {
    let gap = gap.max(0.0);
    let root = (rate * rate + bend * gap.clone() * 2.0).sqrt();
    // Both forms are the same root; the one that does not cancel is taken.
    rate.gt(0.0)
        .select((rate + root.clone()) / bend.max(f64::MIN_POSITIVE), gap * 2.0 / (root - rate).max(f64::MIN_POSITIVE))
}

impl Touching {
    /// Whether a known point is held, or has not parted by more than the band.
    fn is_near(&self, i: LocalId, band: LocalId) -> Expression {
        i.lt(self.arrays.held.at(0)).or(self.points.gap.at(i).le(band * 2.0))
    }

    /// Whether two points of a pair lie in one place and have one normal: one feature may go on where another ends.
    fn same_place(&self, f: &mut FunctionBuilder, i: LocalId, new: LocalId) -> Expression {
        let vectors =
            |f: &mut FunctionBuilder, array: ArrayId| [i, new].map(|slot| Plain::load(f, "of", array, slot * 3));
        let [p, q] = vectors(f, self.points.point);
        let [n, m] = vectors(f, self.points.normal);
        let (way, turned) = ((q - p).keep(f, "way"), (m - n).keep(f, "turned"));
        let size = |side: usize| self.geometry.radius.at(self.tables.shape[side].at(self.points.pair.at(i)));
        let near = f.real("near", size(0).min(size(1)) * ONE_PLACE);
        way.dot(&way).le(near * near).and(turned.dot(&turned).le(ONE_NORMAL * ONE_NORMAL))
    }

    /// How far a shape can come in some time.
    fn farthest(&self, f: &mut FunctionBuilder, shape: LocalId, time: LocalId, bounds: Bounds) -> Expression {
        let frame = f.integer("frame", self.tables.shape_frame.at(shape));
        let far = self.how_far(f, shape, time);
        let bend = f.real("bend", bounds.line.at(frame) + bounds.spin.at(frame) * self.reach.at(shape));
        far + bend * time * time * (0.5 * ALLOWANCE)
    }

    /// How fast the rate of a gap can change. What is far from the origin of a frame that turns is flung out, so that a plane that turns
    /// counts with the distance of what is above it.
    fn bend_of(&self, f: &mut FunctionBuilder, pair: LocalId, bounds: Bounds) -> LocalId {
        let frames = [0, 1].map(|side| f.integer("frame", self.tables.frame[side].at(pair)));
        let [first, second] = frames.map(|frame| self.of_frame(f, "origin", FrameVector::Origin, frame));
        let between = (second - first).length(f, "between");
        let reach = [0, 1].map(|side| f.real("reach", self.reach.at(self.tables.shape[side].at(pair))));
        let bend = f.real("bend", 0.0);
        for (side, frame) in frames.into_iter().enumerate() {
            let is_plane = reach[side].eq_(0.0);
            let own = is_plane.select((between.clone() + reach[1 - side]) * 4.0, reach[side]);
            f.increase(bend, bounds.line.at(frame) + bounds.spin.at(frame) * own);
        }
        f.real("most", bend * ALLOWANCE)
    }

    /// The same along a normal that turns with one of the shapes: what passes by comes nearer by 2 ω × v besides.
    fn turning_bend_of(&self, f: &mut FunctionBuilder, pair: LocalId, bounds: Bounds, bend: LocalId) -> LocalId {
        let frames = [0, 1].map(|side| f.integer("frame", self.tables.frame[side].at(pair)));
        let [first, second] = frames.map(|frame| self.of_frame(f, "velocity", FrameVector::Velocity, frame));
        let fast = (second - first).length(f, "passing");
        let fast = f.real("fast", fast);
        let spins = f.real("spins", 0.0);
        for (side, frame) in frames.into_iter().enumerate() {
            let spin = f.real("spin", bounds.spin.at(frame).sqrt());
            f.increase(spins, spin);
            f.increase(fast, spin * self.reach.at(self.tables.shape[side].at(pair)));
        }
        f.real("turning", bend + spins * fast * (2.0 * ALLOWANCE))
    }

    /// The same for any points of the two, along a direction that turns with one of them: the farther apart they are, the more it swings.
    fn swing_of(&self, f: &mut FunctionBuilder, pair: LocalId, bounds: Bounds, turning: LocalId) -> LocalId {
        let frames = [0, 1].map(|side| f.integer("frame", self.tables.frame[side].at(pair)));
        let [first, second] = frames.map(|frame| self.of_frame(f, "origin", FrameVector::Origin, frame));
        let far = (second - first).length(f, "far");
        let reach = |side: usize| self.reach.at(self.tables.shape[side].at(pair));
        let far = f.real("farthest", far + reach(0) + reach(1));
        let spins = bounds.spin.at(frames[0]) + bounds.spin.at(frames[1]);
        f.real("swing", turning + spins * far * ALLOWANCE)
    }

    /// How fast the gap of a point changes.
    pub fn closing(&self, f: &mut FunctionBuilder, slot: LocalId) -> LocalId {
        let normal = Plain::load(f, "normal", self.points.normal, slot * 3);
        let point = Plain::load(f, "point", self.points.point, slot * 3);
        let [first, second] = [0, 1].map(|side| {
            let frame = self.frame_of(f, slot, side);
            let origin = self.of_frame(f, "origin", FrameVector::Origin, frame);
            let velocity = self.of_frame(f, "velocity", FrameVector::Velocity, frame);
            let spin = self.of_frame(f, "spin", FrameVector::Spin, frame);
            velocity + spin.cross(&(point.clone() - origin))
        });
        f.real("closing", normal.dot(&(second - first)))
    }
}
