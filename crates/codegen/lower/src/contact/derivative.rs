//! The derivative of what touches: forces that keep the rows of held points at zero, then the rates with them.

use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;
use numerics::contact::{BEGINS, Plain};

use super::frames::Frames;
use super::islands::Islands;
use super::rows::{FrameVector, Rows};
use super::slack::Calm;
use super::slopes::ForceSlopes;
use super::{SLIDING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// A slip so much slower than what moves has no direction of its own.
pub(super) const NO_SLIP: f64 = 1e-13;

/// Rates that are left of forces in balance, relative to what these forces do.
pub(super) const BALANCE: f64 = 1e-12;

/// What rows may be off by, relative to the speeds or accelerations that they are differences of.
pub(super) const ROUNDING: f64 = 5e-14;

/// Functions of the held points.
#[derive(Clone, Copy)]
pub(crate) struct Holding {
    /// `(t, offset) -> integer`: the rates of the states, with the forces of held points.
    pub derivative: FunctionId,
    /// `(t, offset) -> integer`: besides that the wrenches that these forces are.
    pub look: FunctionId,
    pub islands: Islands,
    /// `(count)`: puts chosen points into the law of contact: responses, friction, states and directions of slip.
    pub pose: FunctionId,
    /// `(count)`: takes forces out of it.
    pub take: FunctionId,
}

impl<'p> Lowering<'p> {
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_derivative(
        &mut self,
        touching: &Touching,
        (frames, rows): (Frames, Rows),
        (calm, slopes): (Option<Calm>, Option<ForceSlopes>),
        plain: FunctionId,
        integrator: &IntegratorArrays,
    ) -> Holding {
        let (pose, take) = (self.pose_problem(touching), self.take_forces(touching));
        let islands = self.contact_islands(touching);
        let one = self.hold_one(touching, rows);
        let adds = self.adds_rates(integrator);
        let rates = self.contact_rates(touching, (adds, slopes), integrator);
        let wrenches = self.contact_wrenches(touching, rows);
        let hold = self.hold_islands(touching, rows, (islands, pose, take));
        let arrays = touching.arrays;
        let frame_numbers = 6 * touching.frames;
        let parameters = [("t", Real), ("offset", Integer)];
        let derivative = self.module.function("contact_derivative", &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            let count = f.integer("count", arrays.held.at(0));
            f.store(arrays.unheld, 0, -1.0);
            f.if_(count.eq_(0), |f| {
                f.for_each("i", 0, frame_numbers, |f, i| f.store(arrays.wrench, i, 0.0));
                slopes.into_iter().for_each(|slopes| attempt(f, slopes.find, t));
                let status = f.call1(plain, (t, offset));
                f.return_(status);
            });
            attempt(f, frames.pose, t);
            f.call(rows.find, count);
            attempt(f, rows.free, (t, count));
            let answered = f.integer("answered", 0);
            f.if_(count.eq_(1), |f| {
                let [status, number] = f.call_n(one, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                f.assign(answered, number);
            });
            f.if_(answered.eq_(0), |f| {
                f.assign(answered, 3);
                attempt(f, hold, (t, count));
            });
            if let Adds::No = adds {
                f.call(wrenches, count);
                if let Some(slopes) = slopes {
                    attempt(f, slopes.find, t);
                    f.assign(answered, 3);
                }
                let status = f.call1(plain, (t, offset));
                f.if_(status.ne_(0), |f| f.return_(status));
            }
            f.call(rates, (offset, count, answered));
            calm.into_iter().for_each(|calm| calm.look(f, touching));
            f.return_(protocol::DONE);
        });
        self.module.describe(derivative, "The rates of the states, with the forces of what touches.");
        let look = self.module.function("contact_look", &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            let status = f.call1(derivative, (t, offset));
            f.if_(status.eq_(0), |f| drop(f.call(wrenches, arrays.held.at(0))));
            f.return_(status);
        });
        self.module.describe(look, "The rates of the states, and the wrenches of what touches.");
        Holding { derivative, look, islands, pose, take }
    }

    /// Whether rates with forces are those without and what the forces add; not where something else decides on them as well.
    fn adds_rates(&self, integrator: &IntegratorArrays) -> Adds {
        let linear = self.program.contacts.as_ref().is_some_and(|contacts| contacts.is_linear);
        let slides = self.switching.is_some_and(|switching| switching.sliding.is_some());
        if self.program.directions == 0 && linear && !slides && integrator.method == self.options.explicit {
            Adds::Yes
        } else {
            Adds::No
        }
    }

    /// `(t, count) -> integer`: the forces of held points, island by island.
    fn hold_islands(
        &mut self,
        touching: &Touching,
        rows: Rows,
        (islands, pose, take): (Islands, FunctionId, FunctionId),
    ) -> FunctionId {
        let Touching { arrays, solver, .. } = *touching;
        let hold = self.module.function("contact_forces", &[("t", Real), ("count", Integer)], &[Integer], |f| {
            let [t, count] = f.parameters();
            attempt(f, rows.answer, (t, count));
            f.for_each("i", 0, count, |f, i| f.store(arrays.island, i, 0));
            let number = f.call1(islands.find, count);
            f.for_each("island", 0, number, |f, island| {
                let chosen = f.call1(islands.choose, (island, count));
                f.call(pose, chosen);
                let off = f.call1(solver.hold, chosen);
                f.if_(off.gt(arrays.unheld.at(0)), |f| {
                    f.store(arrays.unheld, 0, off);
                    f.store(arrays.unheld_slot, 0, arrays.chosen.at(0));
                });
                f.call(take, chosen);
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(hold, "The forces of held points, island by island.");
        hold
    }

    /// `(count)`: the wrenches that the forces on rows are.
    fn contact_wrenches(&mut self, touching: &Touching, rows: Rows) -> FunctionId {
        let (arrays, numbers) = (touching.arrays, 6 * touching.frames);
        let wrenches = self.module.function("contact_wrenches", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.call(rows.gather, count);
            f.for_each("i", 0, numbers, |f, i| f.store(arrays.wrench, i, arrays.push.at(i)));
        });
        self.module.describe(wrenches, "The wrenches of the forces that were found.");
        wrenches
    }

    /// `(offset, count, number)`: the rates of states, to which so many rows of each point add something. What forces hold in balance is at rest but
    /// for rounding, and that is rest: rates are compared with what forces of such a size can do, for what they do is in balance.
    fn contact_rates(
        &mut self,
        touching: &Touching,
        (adds, slopes): (Adds, Option<ForceSlopes>),
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let (arrays, rates_into) = (touching.arrays, integrator.slopes);
        let states = self.plain_states();
        let first = 6 * touching.frames;
        let pushed = self.pushed_rates();
        let parameters = [("offset", Integer), ("count", Integer), ("number", Integer)];
        let rates = self.module.function("contact_rates", &parameters, &[], |f| {
            let [offset, count, number] = f.parameters();
            if let Adds::Yes = adds {
                f.for_each("i", 0, states, |f, i| f.store(rates_into, i + offset, arrays.acceleration.at(i + first)));
            }
            let add = |f: &mut FunctionBuilder, points: Points, rows: &[i64]| {
                pushed.each(f, |f, i| {
                    let place = f.integer("place", i.clone() + offset);
                    let (most, all) = (f.real("most", 0.0), f.real("all", rates_into.at(place)));
                    let point = |f: &mut FunctionBuilder, point: Expression| {
                        let [size, rate] = [arrays.force, arrays.row_rates].map(|_| f.real("size", 0.0));
                        for &row in rows {
                            let row = point.clone() * 3 + row;
                            let force = f.real("force", arrays.force.at(row.clone()));
                            let added = f.real("added", arrays.row_rates.at(row * states + i.clone()));
                            f.assign(size, size.max(force.abs()));
                            f.assign(rate, rate.max(added.abs()));
                            if let Adds::Yes = adds {
                                f.increase(all, force * added);
                            }
                        }
                        f.increase(most, size * rate);
                    };
                    match points {
                        Points::One => point(f, 0_i64.into()),
                        Points::All => f.for_each("point", 0, count, |f, at| point(f, at.get())),
                    }
                    let rests = all.abs().le(most * BALANCE).and(most.gt(0.0));
                    f.store(rates_into, place, rests.select(0.0, all));
                    if let Some(slopes) = slopes {
                        let i = f.integer("state", i);
                        slopes.balance(f, touching, rates_into, [i, count, offset], most);
                    }
                });
            };
            let one = |f: &mut FunctionBuilder| {
                f.if_else(number.eq_(1), |f| add(f, Points::One, &[0]), |f| add(f, Points::One, &[0, 1, 2]));
            };
            f.if_else(count.eq_(1), one, |f| add(f, Points::All, &[0, 1, 2]));
        });
        self.module.describe(rates, "The rates of states with forces of contact; what these hold in balance rests.");
        rates
    }

    fn pose_problem(&mut self, touching: &Touching) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, coulomb, tables, points, bounces, .. } = touching;
        let stride = 3 * touching.capacity as i64;
        let posed = self.module.function("contact_problem", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            let largest = f.real("largest", 0.0);
            f.for_each("a", 0, count, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                let of = f.integer("of", tables.of.at(points.pair.at(i)));
                touching.strongest(f, i, largest);
                f.store(coulomb.friction, a, arrays.friction.at(of));
                f.store(bounces, a, arrays.restitution.at(of));
                f.store(coulomb.state, a, arrays.state.at(i));
                f.store(coulomb.slips, a, arrays.state.at(i).eq_(SLIDING));
                f.if_(coulomb.slips.at(a).and(arrays.starting.at(i)), |f| {
                    let steered = touching.is_steered(f, i);
                    f.if_(steered, |f| f.store(coulomb.slips, a, BEGINS));
                });
                slip_direction(f, &touching, i, a);
                f.for_each("row", 0, 3, |f, row| f.store(coulomb.b, a * 3 + row, arrays.free.at(i * 3 + row)));
                f.for_each("b", 0, count, |f, b| {
                    let j = f.integer("j", arrays.chosen.at(b));
                    f.for_each("row", 0, 3, |f, row| {
                        f.for_each("column", 0, 3, |f, column| {
                            let value = arrays.matrix.at((i * 3 + row) * stride + j * 3 + column);
                            f.store(coulomb.W, (a * 3 + row) * stride + b * 3 + column, value);
                        });
                    });
                });
            });
            f.store(coulomb.noise, 0, largest * ROUNDING);
        });
        self.module.describe(posed, "Puts chosen points into the law of contact.");
        posed
    }

    fn take_forces(&mut self, touching: &Touching) -> FunctionId {
        let (arrays, coulomb) = (touching.arrays, touching.coulomb);
        self.module.function("contact_take", &[("count", Integer)], &[], |f| {
            let [count] = f.parameters();
            f.for_each("a", 0, count, |f, a| {
                let i = f.integer("i", arrays.chosen.at(a));
                f.for_each("row", 0, 3, |f, row| f.store(arrays.force, i * 3 + row, coulomb.force.at(a * 3 + row)));
            });
        })
    }
}

/// Whose forces are added.
#[derive(Clone, Copy)]
enum Points {
    One,
    All,
}

/// Whether rates with forces of contact are a sum.
#[derive(Clone, Copy)]
enum Adds {
    Yes,
    No,
}

/// The direction in which a point slips, in its tangents. Within a step it goes on beyond a rest as it was before, so that steps see something
/// smooth; what has only begun to slip keeps to where it was pushed.
pub(super) fn slip_direction(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, a: LocalId) {
    let Touching { arrays, coulomb, .. } = *touching;
    let heading = Plain::load(f, "heading", arrays.heading, i * 3);
    let [first, second] = [1, 2].map(|row| {
        let direction = touching.direction(f, i, row);
        f.real("known", direction.dot(&heading))
    });
    let [along, across] = [1, 2].map(|row| f.real("slip", arrays.speed.at(i * 3 + row)));
    let slip = f.real("slip_size", (along * along + across * across).sqrt());
    let scale = touching.fastest(f, i);
    let known = f.integer("known_only", arrays.starting.at(i).ne_(0).or(slip.le(scale * NO_SLIP)));
    let onward = f.real("onward", along * first + across * second);
    let sign = f.real("sign", onward.lt(0.0).select(-1.0, 1.0));
    let size = f.real("known_size", (first * first + second * second).sqrt().max(f64::MIN_POSITIVE));
    f.store(coulomb.direction, a * 2, known.select(first / size, sign * along / slip.max(f64::MIN_POSITIVE)));
    f.store(coulomb.direction, a * 2 + 1, known.select(second / size, sign * across / slip.max(f64::MIN_POSITIVE)));
}

impl Touching {
    /// Whether a point that has only begun to slip goes where it is pushed and nowhere else. Three such points of two things would allow them no motion
    /// but a turn about one place, and that only if they agree on it.
    pub fn is_steered(&self, f: &mut FunctionBuilder, i: LocalId) -> LocalId {
        let (arrays, of) = (self.arrays, |slot: LocalId| self.tables.of.at(self.points.pair.at(slot)));
        let number = f.integer("beginning", 0);
        f.for_each("j", 0, arrays.held.at(0), |f, j| {
            let begins = arrays.starting.at(j).ne_(0).and(arrays.state.at(j).eq_(SLIDING));
            f.if_(begins.and(of(i).eq_(of(j))), |f| f.assign(number, number + 1));
        });
        f.integer("is_steered", number.le(2))
    }

    /// How fast the material at a point moves on either side, at most; or has moved where something happened before, for what comes to rest leaves
    /// nothing to compare with.
    pub fn fastest(&self, f: &mut FunctionBuilder, slot: LocalId) -> LocalId {
        let fastest = f.real("fastest", self.arrays.fastest.at(0));
        self.largest(f, slot, [FrameVector::Velocity, FrameVector::Spin], fastest);
        fastest
    }

    /// How strongly the material at a point is accelerated on either side, without forces of contact, if that is more than what is known.
    pub fn strongest(&self, f: &mut FunctionBuilder, slot: LocalId, known: LocalId) {
        self.largest(f, slot, [FrameVector::Acceleration, FrameVector::SpinUp], known);
        f.assign(known, known.max(self.arrays.bias.at(slot * 3).abs()));
    }

    fn largest(&self, f: &mut FunctionBuilder, slot: LocalId, [line, turn]: [FrameVector; 2], known: LocalId) {
        for side in [0, 1] {
            let frame = self.frame_of(f, slot, side);
            let [line, turn] = [line, turn].map(|of| self.of_frame(f, "part", of, frame));
            let arm = self.arm(f, slot, side);
            let turning = f.real("turning", turn.dot(&turn) * arm.dot(&arm));
            let moving = f.real("moving", line.dot(&line));
            f.assign(known, known.max((turning.max(moving)).sqrt()));
        }
    }
}
