//! The derivative of what touches: forces that keep the rows of held points at zero, then the rates with them.

use kernel::Type::{Integer, Real};
use kernel::{FunctionBuilder, FunctionId, LocalId, Term};
use numerics::IntegratorArrays;
use numerics::contact::{BEGINS, Plain};

use super::frames::Frames;
use super::islands::Islands;
use super::rows::{FrameVector, Rows};
use super::{SLIDING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// A slip so much slower than what moves has no direction of its own.
pub(super) const NO_SLIP: f64 = 1e-13;

/// Rates that are left of forces in balance, relative to what these forces do.
const BALANCE: f64 = 1e-12;

/// What rows may be off by, relative to the speeds or accelerations that they are differences of.
pub(super) const ROUNDING: f64 = 5e-14;

/// Functions of the held points.
#[derive(Clone, Copy)]
pub(crate) struct Holding {
    /// `(t, offset) -> integer`: the rates of the states, with the forces of held points.
    pub derivative: FunctionId,
    pub islands: Islands,
    /// `(count)`: puts chosen points into the law of contact: responses, friction, states and directions of slip.
    pub pose: FunctionId,
    /// `(count)`: takes forces out of it.
    pub take: FunctionId,
}

impl<'p> Lowering<'p> {
    pub fn contact_derivative(
        &mut self,
        touching: &Touching,
        frames: Frames,
        rows: Rows,
        plain: FunctionId,
        integrator: &IntegratorArrays,
    ) -> Holding {
        let (pose, take) = (self.pose_problem(touching), self.take_forces(touching));
        let islands = self.contact_islands(touching);
        let settle = self.settle_rates(touching, integrator);
        let Touching { arrays, solver, .. } = *touching;
        let frame_numbers = 6 * touching.frames;
        let parameters = [("t", Real), ("offset", Integer)];
        let derivative = self.module.function("contact_derivative", &parameters, &[Integer], |f| {
            let [t, offset] = f.parameters();
            let count = f.integer("count", arrays.held.at(0));
            f.store(arrays.unheld, 0, -1.0);
            f.if_(count.gt(0), |f| {
                attempt(f, frames.place, t);
                f.call(rows.find, count);
                attempt(f, rows.free, (t, count));
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
                f.call(rows.gather, count);
                f.for_each("i", 0, frame_numbers, |f, i| f.store(arrays.wrench, i, arrays.push.at(i)));
            });
            f.if_(count.eq_(0), |f| f.for_each("i", 0, frame_numbers, |f, i| f.store(arrays.wrench, i, 0.0)));
            let status = f.call1(plain, (t, offset));
            f.if_(count.gt(0).and(status.eq_(0)), |f| drop(f.call(settle, (offset, count))));
            f.return_(status);
        });
        self.module.describe(derivative, "The rates of the states, with the forces of what touches.");
        Holding { derivative, islands, pose, take }
    }

    /// `(offset, count)`: what forces hold in balance is at rest but for rounding, and that is rest. Rates are compared with what forces of such a
    /// size can do, for what they do is in balance.
    fn settle_rates(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> FunctionId {
        let (arrays, slopes) = (touching.arrays, integrator.slopes);
        let states = self.program.integrals[0].states.len();
        let parameters = [("offset", Integer), ("count", Integer)];
        let settle = self.module.function("contact_settle", &parameters, &[], |f| {
            let [offset, count] = f.parameters();
            f.for_each("i", 0, states, |f, i| {
                let most = f.real("most", 0.0);
                f.for_each("point", 0, count, |f, point| {
                    let size = f.real("size", 0.0);
                    let rate = f.real("rate", 0.0);
                    f.for_each("row", point * 3, point * 3 + 3, |f, row| {
                        f.assign(size, size.max(arrays.force.at(row).abs()));
                        f.assign(rate, rate.max(arrays.row_rates.at(row * states + i).abs()));
                    });
                    f.increase(most, size * rate);
                });
                let place = f.integer("place", i + offset);
                let small = slopes.at(place).abs().le(most * BALANCE);
                f.if_(small.and(most.gt(0.0)), |f| f.store(slopes, place, 0.0));
            });
        });
        self.module.describe(settle, "What forces of contact hold in balance rests.");
        settle
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

/// The direction in which a point slips, in its tangents. Within a step it goes on beyond a rest as it was before, so that steps see something
/// smooth; what has only begun to slip keeps to where it was pushed.
fn slip_direction(f: &mut FunctionBuilder, touching: &Touching, i: LocalId, a: LocalId) {
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
