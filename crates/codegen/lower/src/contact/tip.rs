//! Rims that lie flat touch all around, and some of their points are found. Where things tip over a rim, or land on it, the points that matter may be
//! others: the one of the rim that would sink in the fastest with what was found so far, or at which the forces are centred. One is added
//! after the other, until no point of the rim would sink in, so that tipping is that over a circle and not over a polygon.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::contact::Plain;

use super::frames::Frames;
use super::resolve::strongest;
use super::rows::{FrameVector, Rows, relative};
use super::{OPEN, Touching};
use crate::lower::Lowering;

/// Speeds of a rim that differ by less of the fastest are the same.
const SAME_SPEED: f64 = 1e-12;
/// A rim that tilts more slowly than this part of the fastest lies still.
const STILL: f64 = 1e-10;
/// A rim may sink in with so much of the strongest acceleration.
const SAME_RATE: f64 = 1e-12;
/// The place at which forces are centred is taken if the rim would sink in there with so much of the most.
const CENTRED: f64 = 0.1;

/// What is looked at: speeds alone, or accelerations as well, with the forces that were found.
pub(super) const SPEEDS: i64 = 0;
pub(super) const FORCES: i64 = 1;

/// Writes code about the place of a rim at a cosine and a sine.
type At<'a, T> = &'a dyn Fn(&mut FunctionBuilder, [LocalId; 2]) -> T;

/// What a speed or an acceleration is along a rim: `mean + along · cos + across · sin`, the angle from the first tangent to the second.
#[derive(Clone, Copy)]
struct Around {
    mean: LocalId,
    along: LocalId,
    across: LocalId,
    swing: LocalId,
}

impl Around {
    /// From its values at the first tangent, against it, and at the second.
    fn of(f: &mut FunctionBuilder, [first, against, second]: [LocalId; 3]) -> Around {
        let mean = f.real("mean", (first + against) * 0.5);
        let along = f.real("along", (first - against) * 0.5);
        let across = f.real("across", second - mean);
        Around { mean, along, across, swing: f.real("swing", (along * along + across * across).sqrt()) }
    }

    fn least(&self) -> Expression {
        self.mean - self.swing
    }

    /// The cosine and sine of where it is least.
    fn lowest(&self, f: &mut FunctionBuilder) -> [LocalId; 2] {
        let size = f.real("size", self.swing.max(f64::MIN_POSITIVE));
        [f.real("cosine", -(self.along / size)), f.real("sine", -(self.across / size))]
    }

    fn at(&self, [cosine, sine]: [LocalId; 2]) -> Expression {
        self.mean + self.along * cosine + self.across * sine
    }
}

/// What the points that were found so far do, those of the rim and others between the same two shapes.
struct Found {
    slowest: LocalId,
    loaded: LocalId,
    /// The cosine and sine of the direction from the centre in which their forces are centred.
    centred: [LocalId; 2],
}

impl<'p> Lowering<'p> {
    /// `(t, count, fixed, level) -> (integer, integer)`: adds a point to each flat rim that would sink in somewhere, in place of one that was
    /// added and does nothing; those from `fixed` on were added. A status, and how many points there are; negative where none was added.
    pub fn contact_tipping(&mut self, touching: &Touching, (frames, rows): (Frames, Rows)) -> Tipping {
        let touching = *touching;
        let Touching { arrays, points, capacity, .. } = touching;
        let number = self.module.integer_array("contact_added", 2, "how many points of rims were added, and the last");
        let parameters = [("t", Real), ("count", Integer), ("fixed", Integer), ("level", Integer)];
        let tip = self.module.function("contact_tip", &parameters, &[Integer, Integer], |f| {
            let [t, count, fixed, level] = f.parameters();
            f.if_(level.eq_(SPEEDS).and(count.eq_(fixed)), |f| f.store(number, 0, 0));
            let flat = f.integer("flat", 0);
            f.for_each("i", 0, fixed, |f, i| f.if_(points.is_flat(i), |f| f.assign(flat, 1)));
            f.if_(flat.eq_(0), |f| f.return_((protocol::DONE, -1)));
            f.if_(level.eq_(FORCES), |f| {
                f.for_each("i", 0, count, |f, i| {
                    f.if_(arrays.island.at(i).lt(0), |f| {
                        f.for_each("row", 0, 3, |f, row| f.store(arrays.force, i * 3 + row, 0.0));
                    });
                });
                f.call(rows.gather, count);
                f.for_each("i", 0, 6 * touching.frames, |f, i| f.store(arrays.wrench, i, arrays.push.at(i)));
                let status = f.call1(frames.accelerate, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, -1)));
            });
            let strongest = strongest(f, &touching, count.get());
            let changed = f.integer("changed", 0);
            let end = f.integer("end", count);
            f.for_each("i", 0, fixed, |f, i| {
                let first = f.integer("is_first", points.is_flat(i));
                f.for_each("j", 0, i, |f, j| f.if_(points.on_one_circle(i, j), |f| f.assign(first, 0)));
                f.if_(first.and(end.lt(capacity)), |f| {
                    let ([speed, rate], centre) = along_rim(f, &touching, (i, end), rows);
                    let found = found_on(f, &touching, i, end, &centre);
                    let (adds, cosine, sine) =
                        (f.integer("adds", 0), f.real("towards_first", 0.0), f.real("towards_second", 0.0));
                    let scales = (touching.fastest(f, i), strongest);
                    let choose = |f: &mut FunctionBuilder, way: [LocalId; 2]| {
                        f.assign(adds, 1);
                        f.assign(cosine, way[0]);
                        f.assign(sine, way[1]);
                    };
                    let inside = |f: &mut FunctionBuilder, way: [LocalId; 2]| is_inside(f, &touching, [i, end], way);
                    choose_place(f, (&speed, &rate), (&found, level), scales, (&inside, &choose));
                    f.if_(adds, |f| {
                        f.note("In place of one that was added and has no force, or behind the others.");
                        let slot = f.integer("slot", end);
                        f.for_each("j", fixed, end, |f, j| {
                            let idle = arrays.force.at(j * 3).eq_(0.0).and(level.eq_(FORCES));
                            f.if_(points.on_one_circle(i, j).and(idle), |f| f.assign(slot, j));
                        });
                        put(f, &touching, ([i, slot], number), [cosine, sine]);
                        f.if_(slot.eq_(end), |f| f.assign(end, end + 1));
                        f.assign(changed, 1);
                    });
                });
            });
            f.return_((protocol::DONE, changed.select(end, -1)));
        });
        self.module.describe(tip, "Adds points to rims that lie flat and would sink in between those that were found.");
        Tipping { add: tip, added: number }
    }
}

/// What adds points to rims, and how many it has added, with the slot of the last.
#[derive(Clone, Copy)]
pub(crate) struct Tipping {
    pub add: FunctionId,
    pub added: ArrayId,
}

/// The direction in the world that a cosine and a sine say, from the tangents of a point.
fn direction(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, [cosine, sine]: [Expression; 2]) -> Plain {
    let [first, second] = [1, 2].map(|row| touching.direction(f, i, row));
    (first.times(cosine) + second.times(sine)).keep(f, "way")
}

/// How fast the points of a rim part, how fast that changes, all along it, and its centre. The last slot is used to look at some of them.
fn along_rim(
    f: &mut FunctionBuilder,
    touching: &Touching,
    (i, spare): (LocalId, LocalId),
    rows: Rows,
) -> ([Around; 2], Plain) {
    let Touching { arrays, geometry, points, .. } = *touching;
    let looks = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]].map(|way| {
        let [x, y, z] = direction(f, touching, i, way.map(Expression::from)).0;
        f.call(geometry.around, vec![i.get(), spare.get(), Expression::from(0_i64), x, y, z]);
        f.call(rows.one, spare);
        let relative = relative(f, touching, spare, FrameVector::Acceleration, FrameVector::SpinUp);
        let normal = touching.direction(f, spare, 0);
        let speed = f.real("speed", arrays.speed.at(spare * 3));
        let rate = f.real("rate", normal.dot(&relative) + arrays.bias.at(spare * 3));
        (Plain::load(f, "there", points.point, spare * 3), [speed, rate])
    });
    let centre = (looks[0].0.clone() + looks[1].0.clone()).times(0.5).keep(f, "centre");
    ([0, 1].map(|of| Around::of(f, [0, 1, 2].map(|k: usize| looks[k].1[of]))), centre)
}

fn found_on(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, count: LocalId, centre: &Plain) -> Found {
    let Touching { arrays, points, .. } = *touching;
    let (slowest, loaded) = (f.real("slowest", f64::INFINITY), f.integer("loaded", 0));
    let moment = [0; 3].map(|_| f.real("moment", 0.0));
    f.for_each("j", 0, count, |f, j| {
        f.if_(points.pair.at(i).eq_(points.pair.at(j)), |f| {
            f.assign(slowest, slowest.min(arrays.speed.at(j * 3)));
            let force = f.real("force", arrays.force.at(j * 3).max(0.0));
            f.if_(force.gt(0.0), |f| f.assign(loaded, loaded + 1));
            let arm = Plain::load(f, "there", points.point, j * 3) - centre.clone();
            moment.into_iter().zip(arm.0).for_each(|(sum, part)| f.increase(sum, part * force));
        });
    });
    let [first, second] = [1, 2].map(|row| {
        let tangent = touching.direction(f, i, row);
        f.real("part", tangent.dot(&Plain::of(&moment)))
    });
    let size = f.real("size", (first * first + second * second).sqrt().max(f64::MIN_POSITIVE));
    Found { slowest, loaded, centred: [first, second].map(|part| f.real("centred", part / size)) }
}

/// Where a point is to be added, if anywhere. A rim that approaches is looked at first; then, what holds, where it tilts already, where forces
/// are centred, or where it is pushed in the most. Only what is `inside` of the other shape's face or cap counts: beyond its ends there is nothing to
/// sink into, and the ends themselves are points that were found.
fn choose_place(
    f: &mut FunctionBuilder,
    (speed, rate): (&Around, &Around),
    (found, level): (&Found, LocalId),
    (fastest, strongest): (LocalId, LocalId),
    (inside, choose): (At<'_, LocalId>, At<'_, ()>),
) {
    let add = |f: &mut FunctionBuilder, way: [LocalId; 2]| {
        let inside = inside(f, way);
        f.if_(inside, |f| choose(f, way));
    };
    let least = f.real("least", speed.least());
    let noise = f.real("noise", fastest * SAME_SPEED);
    let approaches = f.integer("approaches", least.lt(-noise).and(least.lt(found.slowest - noise)));
    let lowest = speed.lowest(f);
    f.if_(approaches, |f| add(f, lowest));
    f.if_(approaches.eq_(0).and(level.eq_(FORCES)).and(found.loaded.gt(0)), |f| {
        let deep = f.real("deep", -(strongest * SAME_RATE));
        let tilts = f.integer("tilts", speed.swing.gt(fastest * STILL));
        f.if_else(
            tilts,
            |f| {
                let on = f.integer("on", least.le(noise * 10.0).and(rate.at(lowest).lt(deep)));
                f.if_(on, |f| add(f, lowest));
            },
            |f| {
                let most = f.real("most", rate.least());
                f.if_(most.lt(deep), |f| {
                    let there = rate.at(found.centred).lt((most * CENTRED).min(deep));
                    let centred = f.integer("is_centred", found.loaded.gt(1).and(there));
                    f.if_(centred, |f| {
                        let inside = inside(f, found.centred);
                        f.assign(centred, inside);
                    });
                    let pushed = rate.lowest(f);
                    f.if_else(centred, |f| choose(f, found.centred), |f| add(f, pushed));
                });
            },
        );
    });
}

/// Whether the point of a rim in a direction is over the face or cap that the rim lies on. The last slot is used to look at it.
fn is_inside(f: &mut FunctionBuilder, touching: &Touching, [i, spare]: [LocalId; 2], way: [LocalId; 2]) -> LocalId {
    let geometry = touching.geometry;
    let [x, y, z] = direction(f, touching, i, way.map(Term::get)).0;
    f.call(geometry.around, vec![i.get(), spare.get(), Expression::from(0_i64), x, y, z]);
    let margin = f.call1(geometry.margin, spare);
    f.integer("is_inside", margin.ge(0.0))
}

/// Puts the point of a rim in a direction into a slot, as one that touches.
fn put(f: &mut FunctionBuilder, touching: &Touching, ([i, slot], number): ([LocalId; 2], ArrayId), way: [LocalId; 2]) {
    let Touching { arrays, geometry, .. } = *touching;
    f.store(number, 0, number.at(0) + 1);
    f.store(number, 1, slot);
    let [x, y, z] = direction(f, touching, i, way.map(Term::get)).0;
    f.call(geometry.around, vec![i.get(), slot.get(), number.at(0), x, y, z]);
    f.store(arrays.state, slot, OPEN);
    f.store(arrays.starting, slot, 0);
    f.store(arrays.beyond, slot, 0.0);
}
