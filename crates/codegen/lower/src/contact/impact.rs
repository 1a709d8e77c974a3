//! Impacts: pairs that approach where they touch, one after the other in the order of the text, or all together.
//!
//! At one position rows answer to impulses linearly, so speeds are followed row by row, and the states are moved once at the end.

use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;

use super::derivative::{Holding, NO_SLIP, ROUNDING};
use super::frames::Frames;
use super::observe::{IMPACTS, IMPULSE, SEEN};
use super::rows::Rows;
use super::slopes::Jumping;
use super::{OPEN, Touching};
use crate::lower::Lowering;

/// So many passes over all pairs are taken to have no end.
const MOST_PASSES: i64 = 1000;
/// After so many of them all pairs collide together.
const MANY_PASSES: i64 = 500;
/// Speeds that differ by less of the fastest are the same whatever the order.
const ORDER: f64 = 1e-9;
/// What such an impact leaves of approaches, relative to how fast things move.
const LEFT_OVER: f64 = 1e-10;

impl<'p> Lowering<'p> {
    /// `(t, count) -> (integer, integer)`: lets what approaches collide; a status, and whether anything did.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_impacts(
        &mut self,
        touching: &Touching,
        (frames, rows): (Frames, Rows),
        holding: Holding,
        jumping: Option<Jumping>,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, capacity, thing_pairs, .. } = touching;
        let impulse = self.module.real_array("contact_impulse", 3 * capacity, "on each row at this instant");
        let before = self.module.real_array("contact_before", 3 * capacity, "speeds of rows before impacts");
        let compare = self.compare_orders(&touching, holding, before);
        let accumulates = self.contact_accumulation(&touching);
        let collide = self.collide(&touching, holding, (accumulates, jumping), impulse);
        let slopes = jumping
            .map(|jumping| self.strike_slopes(jumping, &touching, (frames, rows), [impulse, before], integrator));
        let (states, first_rate) = (self.plain_states(), 6 * touching.frames as i64);
        let (failure, failure_values) = (self.failure, self.failure_values);
        let parameters = [("t", Real), ("count", Integer)];
        let impacts = self.module.function("contact_impacts", &parameters, &[Integer, Integer], |f| {
            let [t, count] = f.parameters();
            f.for_each("i", 0, count * 3, |f, i| {
                f.store(impulse, i, 0.0);
                f.store(before, i, arrays.speed.at(i));
            });
            let (first, several) = (f.integer("first_pair", -1), f.integer("several", 0));
            let any = f.integer("any", 0);
            let more = f.integer("more", 1);
            f.for_each("pass", 0, MOST_PASSES, |f, pass| {
                f.assign(more, 0);
                f.note("What goes on and on in turns happens at once in the end.");
                let all = f.integer("all", pass.ge(MANY_PASSES));
                f.for_each("of", 0, thing_pairs, |f, of| {
                    let [status, happened] = f.call_n(collide, (of, t, count, all));
                    f.if_(status.ne_(0), |f| {
                        f.store(failure, 0, of);
                        f.store(failure_values, 0, t);
                        f.return_((protocol::NO_CONTACT, 0));
                    });
                    f.if_(happened, |f| {
                        f.assign(several, several.or(first.ge(0).and(first.ne_(of))));
                        f.assign(first, of);
                        f.assign(more, 1);
                    });
                });
                f.assign(any, any.or(more));
                f.if_(more.eq_(0), |f| f.break_());
            });
            f.if_(more.ne_(0), |f| {
                f.store(failure_values, 0, t);
                f.return_((protocol::ENDLESS_IMPACTS, 0));
            });
            f.if_(several, |f| drop(f.call(compare, (t, count))));
            f.if_(any, |f| {
                if let Some(slopes) = slopes {
                    let status = f.call1(slopes, (t, count));
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
                }
                f.for_each("i", 0, count * 3, |f, i| f.store(arrays.force, i, impulse.at(i)));
                f.call(rows.gather, count);
                let status = f.call1(frames.respond, t);
                f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
                f.for_each("i", 0, states, |f, i| {
                    f.store(integrator.state, i, integrator.state.at(i) + arrays.response.at(i + first_rate));
                });
            });
            f.return_((protocol::DONE, any));
        });
        self.module.describe(impacts, "Lets what approaches collide.");
        impacts
    }

    /// `(t, count)`: tells if impacts that happened one after the other would have ended otherwise all together.
    fn compare_orders(&mut self, touching: &Touching, holding: Holding, before: kernel::ArrayId) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, coulomb, solver, tables, points, notes, .. } = touching;
        let parameters = [("t", Real), ("count", Integer)];
        let compare = self.module.function("contact_compare_orders", &parameters, &[], |f| {
            let [t, count] = f.parameters();
            f.if_(notes.is_told(protocol::ORDER_MATTERS), |f| f.return_(()));
            f.for_each("i", 0, count, |f, i| f.store(arrays.chosen, i, i));
            f.call(holding.pose, count);
            f.store(coulomb.noise, 0, arrays.fastest.at(0) * ROUNDING);
            f.for_each("i", 0, count, |f, i| {
                f.store(coulomb.slips, i, 0);
                f.store(coulomb.state, i, OPEN);
                f.for_each("row", 0, 3, |f, row| f.store(coulomb.b, i * 3 + row, before.at(i * 3 + row)));
            });
            let status = f.call1(solver.impact, count);
            f.if_(status.eq_(1), |f| f.return_(()));
            f.for_each("i", 0, count, |f, i| {
                let [turns, together] = [arrays.speed, coulomb.result].map(|of| f.real("speed", of.at(i * 3)));
                f.if_((turns - together).abs().gt(arrays.fastest.at(0) * ORDER), |f| {
                    let of = f.integer("of", tables.of.at(points.pair.at(i)));
                    notes.tell(f, protocol::ORDER_MATTERS, (t, of), [turns.get(), together.get()]);
                });
            });
        });
        self.module.describe(compare, "Tells if impacts at one instant would have ended otherwise all together.");
        compare
    }

    /// `(of, count) -> (integer, integer)`: one impact of a pair of things, if it approaches.
    // Long: writes one kernel function, whose steps work on the same local variables.
    fn collide(
        &mut self,
        touching: &Touching,
        holding: Holding,
        (accumulates, jumping): (FunctionId, Option<Jumping>),
        impulse: kernel::ArrayId,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, coulomb, solver, tables, points, bounces, .. } = touching;
        let stride = 3 * touching.capacity as i64;
        let collide = self.module.function(
            "contact_collide",
            &[("of", Integer), ("t", Real), ("count", Integer), ("all", Integer)],
            &[Integer, Integer],
            |f| {
                let [of, t, count, all] = f.parameters();
                let chosen = f.integer("chosen", 0);
                let approach = f.real("approach", 0.0);
                let least = f.real("least", all.select(LEFT_OVER, NO_SLIP));
                let together = f.integer("together", tables.together.at(of).or(all));
                f.for_each("i", 0, count, |f, i| {
                    let pair = f.integer("pair", tables.of.at(points.pair.at(i)));
                    let own = f.integer("own", pair.eq_(of));
                    f.if_(own.or(together.and(tables.together.at(pair).or(all))), |f| {
                        f.store(arrays.chosen, chosen, i);
                        f.assign(chosen, chosen + 1);
                    });
                    let fastest = touching.fastest(f, i);
                    let nears = f.real("nears", -arrays.speed.at(i * 3));
                    f.if_(own.and(nears.gt(fastest * least)), |f| f.assign(approach, approach.max(nears)));
                });
                f.if_(approach.eq_(0.0), |f| f.return_((0, 0)));
                f.call(holding.pose, chosen);
                f.store(coulomb.noise, 0, arrays.fastest.at(0) * ROUNDING);
                let last = f.call1(accumulates, (of, t, approach));
                f.for_each("a", 0, chosen, |f, a| {
                    let i = f.integer("i", arrays.chosen.at(a));
                    f.if_(last, |f| f.store(bounces, a, 0.0));
                    f.store(coulomb.slips, a, 0);
                    f.store(coulomb.state, a, OPEN);
                    f.for_each("row", 0, 3, |f, row| f.store(coulomb.b, a * 3 + row, arrays.speed.at(i * 3 + row)));
                });
                let status = f.call1(solver.impact, chosen);
                f.note("2 is less restitution, so that energy does not rise.");
                f.if_(status.eq_(1), |f| f.return_((status, 0)));
                jumping.into_iter().for_each(|jumping| jumping.count(f, last, status.eq_(2)));
                f.if_(status.eq_(2), |f| {
                    let numbers = [solver.limited.at(0), arrays.restitution.at(of)];
                    touching.notes.tell(f, protocol::RESTITUTION_LIMITED, (t, of), numbers);
                });
                let total = f.real("total", 0.0);
                f.for_each("a", 0, chosen, |f, a| {
                    let i = f.integer("i", arrays.chosen.at(a));
                    let own = tables.of.at(points.pair.at(i)).eq_(of);
                    f.if_(own, |f| f.increase(total, coulomb.force.at(a * 3)));
                    f.for_each("row", 0, 3, |f, row| {
                        let part = f.real("part", coulomb.force.at(a * 3 + row));
                        let place = f.integer("place", i * 3 + row);
                        f.store(impulse, place, impulse.at(place) + part);
                        f.for_each("j", 0, count * 3, |f, j| {
                            f.store(arrays.speed, j, arrays.speed.at(j) + arrays.matrix.at(j * stride + place) * part);
                        });
                    });
                });
                f.store(arrays.seen, of * SEEN + IMPULSE, total);
                count_impacts(f, &touching, (of, t), together, chosen);
                f.return_((0, 1));
            },
        );
        self.module.describe(collide, "One impact of a pair of things, if it approaches.");
        collide
    }
}

/// Counts an impact of a pair, or of all pairs that collide together and exert an impulse, and writes it down.
fn count_impacts(
    f: &mut FunctionBuilder,
    touching: &Touching,
    (of, t): (LocalId, LocalId),
    together: LocalId,
    chosen: LocalId,
) {
    let Touching { arrays, coulomb, tables, points, thing_pairs, notes, .. } = *touching;
    let count = |f: &mut FunctionBuilder, of: LocalId, impulse: Expression| {
        let place = f.integer("place", of * SEEN + IMPACTS);
        f.store(arrays.seen, place, arrays.seen.at(place) + 1.0);
        notes.happens(f, protocol::IMPACT as i64, (t, of), impulse);
    };
    f.if_else(
        together,
        |f| {
            f.for_each("other", 0, thing_pairs, |f, other| {
                let pushes = f.real("pushes", 0.0);
                f.for_each("a", 0, chosen, |f, a| {
                    let own = tables.of.at(points.pair.at(arrays.chosen.at(a))).eq_(other);
                    f.if_(own, |f| f.increase(pushes, coulomb.force.at(a * 3)));
                });
                f.if_(pushes.gt(0.0), |f| count(f, other, pushes.get()));
            });
        },
        |f| count(f, of, arrays.seen.at(of * SEEN + IMPULSE)),
    );
}
