//! Derivatives of states where something happens to what touches.
//!
//! Let an event happen later by dτ along a direction. The states of the event then differ by T + f⁻ dτ, what happens makes of that what the derivative
//! of its law says, and from there the rates are f⁺: T⁺ = DG (T⁻ + f⁻ dτ) − f⁺ dτ. An impact happens where a gap is zero, so dτ = −δg / ġ;
//! a slip that ends, where it is zero. Where forces end or friction gives way, forces do not jump, and T does not either.

use kernel::Type::{Integer, Real};
use kernel::{ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;

use super::super::Touching;
use super::super::frames::Frames;
use super::super::resolve::natural_speed;
use super::super::rows::Rows;
use super::super::slack::{Event, STICKS};
use super::{Slopes, Solve, without_derivative};
use crate::lower::Lowering;
use crate::search::attempt;

/// Rates that differ by less than this part of the largest have not jumped.
const JUMPED: f64 = 1e-6;
/// Points meet at one instant, whatever is varied, if these differ by less than this part of the largest.
const TOGETHER: f64 = 1e-6;
/// An impact so much slower than what moves is no more than a graze, of which no instant is known.
const GRAZES: f64 = 1e-12;
/// Where a run goes on from a state, an approach so much slower than natural speeds is what steps leave of rest.
const RESTS: f64 = 1e-8;
/// Friction that is nearer to its limit than this part of it slips, if there is a slip of this part of what moves.
const SLIPPING: f64 = 1e-9;

/// What is noted at an instant.
#[derive(Clone, Copy)]
pub(crate) struct Jumping {
    slopes: Slopes,
    /// The rates of the states before, and by how much later it happens along each direction.
    rates: ArrayId,
    later: ArrayId,
    /// How many impacts there were; whether the last of them ended an accumulation; whether an impulse has no derivative; whether the run begins.
    struck: ArrayId,
    /// `(t) -> integer`: before anything happens, with the state at the stage.
    pub note: FunctionId,
    /// `(t) -> integer`: after everything has happened.
    pub after: FunctionId,
}

const STRIKES: usize = 0;
const LAST: usize = 1;
const STRANGE: usize = 2;
const BEGINS: usize = 3;

impl<'p> Lowering<'p> {
    pub fn contact_jumping(
        &mut self,
        slopes: Slopes,
        touching: &Touching,
        (frames, derivative): (Frames, FunctionId),
        event: Event,
        integrator: &IntegratorArrays,
    ) -> Jumping {
        let mut reals = |name: &str, length, note| self.module.real_array(name, length, note);
        let rates = reals("contact_rates_before", slopes.states, "rates of the states before something happens");
        let later = reals("contact_later", slopes.directions, "by how much later it happens along each direction");
        let note = "impacts at an instant; whether they accumulate, have no derivative, are at the beginning";
        let struck = self.module.integer_array("contact_struck", 4, note);
        let jump = Jump { slopes, touching: *touching, rates, later, struck, derivative, failure: self.failure_values };
        let note = self.note_before(&jump, frames, event, integrator);
        let after = self.slopes_after(&jump, event, integrator);
        Jumping { slopes, rates, later, struck, note, after }
    }

    /// `(t) -> integer`: rates, and when a slip ends.
    fn note_before(&mut self, jump: &Jump, frames: Frames, event: Event, integrator: &IntegratorArrays) -> FunctionId {
        let Jump { slopes, touching, rates, later, struck, derivative, failure } = *jump;
        let (arrays, size) = (touching.arrays, integrator.size as i64);
        let note = self.module.function("contact_note_before", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            for place in [STRIKES, LAST, STRANGE] {
                f.store(struck, place, 0);
            }
            f.for_each("k", 0, slopes.directions, |f, k| f.store(later, k, 0.0));
            // Between steps the place of the second slope is free.
            attempt(f, derivative, (t.get(), Expression::from(size)));
            f.for_each("i", 0, slopes.states, |f, i| f.store(rates, i, integrator.slopes.at(i + size)));
            f.if_(event.what.at(0).eq_(STICKS), |f| {
                let (count, slot) = (f.integer("count", arrays.held.at(0)), f.integer("slot", event.slot.at(0)));
                attempt(f, slopes.functions.place, t);
                attempt(f, frames.accelerate, t);
                f.for_each("k", 0, slopes.directions, |f, k| {
                    slopes.enter(f, &touching, [k, count]);
                    f.call(slopes.functions.rates, count);
                    f.call(slopes.functions.headings, count);
                    let [rate, change] = [slopes.kept, slopes.twins.speed].map(|of| {
                        let along = |row: usize| touching.coulomb.direction.at(slot * 2 + row);
                        let part = |row: usize| of.at(slot * 3 + (1 + row));
                        f.real("along_slip", along(0) * part(0) + along(1) * part(1))
                    });
                    f.if_(rate.eq_(0.0), |f| without_derivative(f, failure, t));
                    f.store(later, k, -(change / rate));
                    jump.move_state(f, k, later.at(k), |i| rates.at(i), integrator.state);
                });
            });
            f.return_(protocol::DONE);
        });
        self.module.describe(note, "Notes rates, and when slips end, before something happens to what touches.");
        note
    }

    /// `(t) -> integer`: moves derivatives back to the instant itself, and sees whether they are known.
    fn slopes_after(&mut self, jump: &Jump, event: Event, integrator: &IntegratorArrays) -> FunctionId {
        let Jump { slopes, rates, later, struck, derivative, failure, .. } = *jump;
        // Whoever sets derivatives along states by hand sets them along those that are held, too.
        let (size, is_varied) = (integrator.size as i64, !self.program.varied.is_empty());
        let after = self.module.function("contact_slopes_after", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            f.if_(struck.at(STRANGE).ne_(0), |f| without_derivative(f, failure, t));
            f.for_each("i", 0, size, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
            attempt(f, derivative, (t.get(), Expression::from(size)));
            let known = f.integer("known", struck.at(STRIKES).gt(0).or(event.what.at(0).eq_(STICKS)));
            f.if_else(
                known,
                |f| {
                    f.for_each("k", 0, slopes.directions, |f, k| {
                        let back = f.real("back", -later.at(k));
                        jump.move_state(f, k, back.get(), |i| integrator.slopes.at(i + size), integrator.state);
                    });
                },
                |f| {
                    f.if_(event.what.at(0).ne_(0), |f| {
                        let [most, jumped] = ["most", "jumped"].map(|name| f.real(name, 0.0));
                        f.for_each("i", 0, slopes.states, |f, i| {
                            let (before, now) = (rates.at(i), integrator.slopes.at(i + size));
                            f.assign(most, most.max(before.clone().abs().max(now.clone().abs())));
                            f.assign(jumped, jumped.max((before - now).abs()));
                        });
                        f.if_(jumped.gt(most * JUMPED), |f| without_derivative(f, failure, t));
                    });
                },
            );
            if is_varied {
                jump.look_at_held(f, t, integrator);
            }
            f.return_(protocol::DONE);
        });
        self.module.describe(after, "Moves derivatives back to the instant itself, and sees whether they are known.");
        after
    }

    /// `(t, count) -> integer`: what impulses make of the derivatives of the states. Needs: the rows as the state before has them, and how they answer.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn strike_slopes(
        &mut self,
        jumping: Jumping,
        touching: &Touching,
        (frames, rows): (Frames, Rows),
        [impulse, before]: [ArrayId; 2],
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let (touching, arrays) = (*touching, touching.arrays);
        let Jumping { slopes, rates, later, struck, .. } = jumping;
        let variations = self.module.module().find_array(protocol::VARIATIONS).expect("the time varies");
        let times = self.program.variations.len() - slopes.directions;
        let past = self.module.real_array("contact_past", 3 * touching.capacity, "speeds of rows after impacts");
        let failure = self.failure_values;
        let Slopes { directions, states, numbers, functions, twins, .. } = slopes;
        let (n, first_rate) = (states as i64, numbers as i64);
        let jump = Jump { slopes, touching, rates, later, struck, derivative: rows.find, failure };
        let when = self.when_struck(&jump, [impulse, before]);
        let strike =
            self.module.function("contact_strike_slopes", &[("t", Real), ("count", Integer)], &[Integer], |f| {
                let [t, count] = f.parameters();
                f.if_(struck.at(BEGINS), |f| {
                    attempt(f, rows.free, (t, count));
                    let scale = natural_speed(f, &touching, count);
                    let rests = f.integer("rests", 1);
                    f.for_each("i", 0, count, |f, i| {
                        f.assign(rests, rests.and((-before.at(i * 3)).le(scale * RESTS)));
                    });
                    f.if_(rests, |f| {
                        f.store(struck, STRIKES, 0);
                        f.return_(protocol::DONE);
                    });
                });
                f.if_(struck.at(STRIKES).ne_(1).or(struck.at(STRANGE)), |f| without_derivative(f, failure, t));
                f.for_each("i", 0, count * 3, |f, i| f.store(past, i, arrays.speed.at(i)));
                f.call(functions.begin, ());
                attempt(f, functions.place, t);
                attempt(f, when, (t, count));
                f.for_each("k", 0, directions, |f, k| {
                    jump.move_state(f, k, later.at(k), |i| rates.at(i), integrator.stage);
                    f.store(variations, k + times, variations.at(k + times) + later.at(k));
                });
                attempt(f, functions.place, t);
                f.for_each("i", 0, count * 3, |f, i| f.store(arrays.force, i, impulse.at(i)));
                f.call(rows.gather, count);
                attempt(f, frames.respond, t);
                f.for_each("k", 0, directions, |f, k| {
                    slopes.enter(f, &touching, [k, count]);
                    f.for_each("i", 0, count * 3, |f, i| f.store(twins.force, i, 0.0));
                    f.call(twins.gather, count);
                    slopes.take_push(f, k, slopes.push);
                });
                attempt(f, functions.respond, t);
                f.for_each("k", 0, directions, |f, k| {
                    slopes.enter(f, &touching, [k, count]);
                    let first = f.integer("first", k * (first_rate + n));
                    f.for_each("i", 0, numbers, |f, i| f.store(twins.response, i, slopes.response.at(i + first)));
                    f.call(twins.answers, count);
                    f.for_each("i", 0, count, |f, i| jump.struck_rows(f, [k, i, count], [impulse, before, past]));
                    f.call(slopes.solve.solve, count * 3);
                    f.for_each("i", 0, states, |f, i| {
                        let place = f.integer("place", (k + 1) * n + i);
                        let sum =
                            f.real("sum", integrator.stage.at(place) + slopes.response.at(first + first_rate + i));
                        f.for_each("j", 0, count * 3, |f, j| {
                            f.increase(sum, slopes.solve.right.at(j) * arrays.row_rates.at(j * n + i));
                        });
                        f.store(integrator.state, place, sum);
                    });
                    f.store(variations, k + times, variations.at(k + times) - later.at(k));
                });
                f.return_(protocol::DONE);
            });
        self.module.describe(strike, "What impulses make of the derivatives of the states.");
        strike
    }

    /// `(t, count) -> integer`: by how much later the impact happens along each direction, the same for all points that strike.
    fn when_struck(&mut self, jump: &Jump, [impulse, before]: [ArrayId; 2]) -> FunctionId {
        let Jump { slopes, touching, later, struck, failure, .. } = *jump;
        self.module.function("contact_when_struck", &[("t", Real), ("count", Integer)], &[Integer], |f| {
            let [t, count] = f.parameters();
            let (fastest, first) = (f.real("fastest", 0.0), f.integer("first", -1));
            f.for_each("i", 0, count, |f, i| {
                let nears = f.real("nears", -before.at(i * 3));
                f.if_(impulse.at(i * 3).gt(0.0).and(nears.gt(fastest)), |f| {
                    f.assign(fastest, nears);
                    f.assign(first, i);
                });
            });
            let scale = f.real("scale", touching.arrays.fastest.at(0));
            f.if_(first.lt(0).or(fastest.le(scale * GRAZES)), |f| without_derivative(f, failure, t));
            f.for_each("k", 0, slopes.directions, |f, k| {
                slopes.enter(f, &touching, [k, count]);
                let gap = slopes.twins.gap;
                let later_by = f.real("later", gap.at(first) / fastest);
                f.if_(struck.at(BEGINS), |f| f.assign(later_by, 0.0));
                let most = f.real("most", gap.at(first).abs());
                f.for_each("i", 0, count, |f, i| {
                    let left = f.real("left", gap.at(i) + later_by * before.at(i * 3));
                    f.assign(most, most.max(gap.at(i).abs()));
                    let apart = left.abs().gt(most * TOGETHER).and(impulse.at(i * 3).gt(0.0));
                    f.if_(apart, |f| without_derivative(f, failure, t));
                });
                f.store(later, k, later_by);
            });
            f.return_(protocol::DONE);
        })
    }
}

impl Jumping {
    pub fn begins(&self) -> Begins {
        Begins(self.struck)
    }

    /// Counts an impact.
    pub fn count(&self, f: &mut FunctionBuilder, last: LocalId, limited: Expression) {
        f.store(self.struck, STRIKES, self.struck.at(STRIKES) + 1);
        f.store(self.struck, LAST, last);
        f.if_(limited, |f| self.is_strange(f));
    }

    /// Says that an impulse has no derivative.
    pub fn is_strange(&self, f: &mut FunctionBuilder) {
        f.store(self.struck, STRANGE, 1);
    }
}

/// Where it is said that a run begins.
#[derive(Clone, Copy)]
pub(crate) struct Begins(ArrayId);

impl Begins {
    /// Says that a run begins, or has begun.
    pub fn say(&self, f: &mut FunctionBuilder, begins: i64) {
        f.store(self.0, BEGINS, begins);
    }
}

#[derive(Clone, Copy)]
struct Jump {
    slopes: Slopes,
    touching: Touching,
    rates: ArrayId,
    later: ArrayId,
    struck: ArrayId,
    derivative: FunctionId,
    failure: ArrayId,
}

impl Jump {
    /// Adds what rates make in a time to the derivatives along a direction.
    fn move_state(
        &self,
        f: &mut FunctionBuilder,
        k: LocalId,
        time: Expression,
        rate: impl Fn(LocalId) -> Expression,
        state: ArrayId,
    ) {
        let time = f.real("time", time);
        f.for_each("i", 0, self.slopes.states, |f, i| {
            let place = f.integer("place", (k + 1) * self.slopes.states as i64 + i);
            f.store(state, place, state.at(place) + time * rate(i));
        });
    }

    /// The equations of a point that strikes: v⁺ = −e v⁻ along the normal; across it no slip, or −μ p d with d along the slip that remains.
    fn struck_rows(&self, f: &mut FunctionBuilder, [k, i, count]: [LocalId; 3], [impulse, before, past]: [ArrayId; 3]) {
        let Touching { arrays, tables, points, .. } = self.touching;
        let Solve { matrix, right, stride, .. } = self.slopes.solve;
        let (kept, speed) = (self.slopes.twins.kept, self.slopes.twins.speed);
        let of = f.integer("of", tables.of.at(points.pair.at(i)));
        let [restitution_slope, friction_slope] = self.slopes.law(f, &self.touching, [k, i]);
        let last = f.integer("is_last", self.struck.at(LAST));
        let restitution = f.real("restitution", last.select(0.0, arrays.restitution.at(of)));
        let nears = f.real("nears", before.at(i * 3).min(0.0));
        let near_slope = nears.lt(0.0).select(speed.at(i * 3), 0.0);
        let rebound = restitution * near_slope + last.select(0.0, restitution_slope) * nears;
        f.for_each("row", 0, 3, |f, row| {
            let at = f.integer("at", i * 3 + row);
            f.for_each("j", 0, count * 3, |f, j| {
                f.store(matrix, at * stride + j, arrays.matrix.at(at * stride + j));
            });
            f.store(right, at, -(speed.at(at) + kept.at(at)));
        });
        f.store(right, i * 3, right.at(i * 3) - rebound);
        let [push, p1, p2] = [0, 1, 2].map(|row: i64| f.real("push", impulse.at(i * 3 + row)));
        let [u1, u2] = [1, 2].map(|row: i64| f.real("slip", past.at(i * 3 + row)));
        let slip = f.real("slip_size", (u1 * u1 + u2 * u2).sqrt());
        let friction = f.real("friction", arrays.friction.at(of));
        let full = (p1 * p1 + p2 * p2).sqrt().ge(friction * push * (1.0 - SLIPPING));
        let slides = full.and(slip.gt(arrays.fastest.at(0) * SLIPPING)).or(friction.eq_(0.0));
        let slides = f.integer("slides", slides);
        f.if_(slides, |f| {
            let size = f.real("size", slip.max(f64::MIN_POSITIVE));
            let d = [f.real("d1", u1 / size), f.real("d2", u2 / size)];
            let fixed = [1, 2].map(|row: i64| f.real("fixed", right.at(i * 3 + row)));
            let turning = f.real("turning", friction * push / size);
            for (row, along) in d.into_iter().enumerate() {
                let at = f.integer("slipping", i * 3 + 1 + row as i64);
                let across = [0, 1].map(|other| {
                    let same = if other == row { 1.0 } else { 0.0 };
                    f.real("across", turning * (-(along * d[other]) + same))
                });
                f.for_each("j", 0, count * 3, |f, j| {
                    let answer = |row: i64| arrays.matrix.at((i * 3 + row) * stride + j);
                    f.store(matrix, at * stride + j, across[0] * answer(1) + across[1] * answer(2));
                });
                for (place, more) in [(i * 3, friction * along), (at.get(), 1.0.into())] {
                    let place = f.integer("place", at * stride + place);
                    f.store(matrix, place, matrix.at(place) + more);
                }
                f.store(right, at, across[0] * fixed[0] + across[1] * fixed[1] - friction_slope * push * along);
            }
        });
        f.note("What is not struck has no impulse, whatever changes.");
        f.if_(push.le(0.0), |f| {
            f.for_each("row", 0, 3, |f, row| {
                let at = f.integer("open", i * 3 + row);
                f.for_each("j", 0, count * 3, |f, j| f.store(matrix, at * stride + j, j.eq_(at).to_real()));
                f.store(right, at, 0.0);
            });
        });
    }

    /// What is held stays where it is held, whatever changes; or else something has happened that is not understood here.
    fn look_at_held(&self, f: &mut FunctionBuilder, t: LocalId, integrator: &IntegratorArrays) {
        let Jump { slopes, touching, failure, .. } = *self;
        let held = f.integer("held", touching.arrays.held.at(0));
        f.if_(held.eq_(0), |f| f.return_(protocol::DONE));
        f.for_each("i", 0, integrator.size, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
        attempt(f, slopes.functions.place, t);
        f.for_each("k", 0, slopes.directions, |f, k| {
            slopes.enter(f, &touching, [k, held]);
            let most = f.real("most", 0.0);
            let number = slopes.numbers as i64;
            f.for_each("i", 0, number * 2, |f, i| f.assign(most, most.max(slopes.twins.pose.at(i).abs())));
            f.for_each("i", 0, held, |f, i| {
                f.if_(slopes.twins.gap.at(i).abs().gt(most * HELD), |f| without_derivative(f, failure, t));
            });
        });
    }
}

/// A gap that is held may change by this part of what places do.
const HELD: f64 = 1e-5;
