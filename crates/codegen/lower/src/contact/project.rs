//! Moves a state back onto what touches: gaps that are held are zero, and so are the speeds of held rows.
//!
//! The change is the one that forces along the rows would make, so that joints and guides stay as they are, and no energy gets in by it but
//! that of rounding. What touches without a force may drift in by as little as speeds are rounded; it is moved out in the same way.

use kernel::Type::{Integer, Real};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term, protocol};
use numerics::IntegratorArrays;

use super::derivative::Holding;
use super::frames::Frames;
use super::rows::Rows;
use super::{SLIDING, STICKING, Touching};
use crate::lower::Lowering;
use crate::search::attempt;

/// Gaps have curvature; the second time is for what the first left of it.
const TIMES: i64 = 3;

/// Gaps are as good as zero within this part of the smaller shape, and speeds within this part of the fastest: far less than steps leave, and more
/// than rounding.
const GOOD: f64 = 1e-14;

/// What is looked at.
enum Of {
    Gaps,
    Speeds,
}

impl<'p> Lowering<'p> {
    /// `(t) -> integer`: moves the state; a status, negative if something was moved.
    // Long: writes one kernel function, whose steps work on the same local variables.
    pub fn contact_projection(
        &mut self,
        touching: &Touching,
        frames: Frames,
        rows: Rows,
        holding: Holding,
        integrator: &IntegratorArrays,
    ) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, coulomb, points, solver, frames: count_of_frames, .. } = touching;
        let (coordinates, speeds) = (self.module.length(arrays.lift), self.module.length(arrays.lifted));
        let first_rate = 6 * count_of_frames as i64;
        let states = integrator.size;
        let one = self.move_one(&touching, rows);
        let project = self.module.function("contact_project", &[("t", Real)], &[Integer], |f| {
            let [t] = f.parameters();
            let held = f.integer("held", arrays.held.at(0));
            let count = f.integer("count", held + arrays.sinking.at(0) * arrays.left.at(0));
            f.if_(count.eq_(0), |f| f.return_(protocol::DONE));
            let enter = |f: &mut FunctionBuilder| {
                f.for_each("i", 0, states, |f, i| f.store(integrator.stage, i, integrator.state.at(i)));
                attempt(f, frames.pose, t);
                f.call(rows.find, count);
            };
            let answer = |f: &mut FunctionBuilder| {
                attempt(f, rows.answer, (t, count));
                f.for_each("i", 0, count, |f, i| f.store(arrays.island, i, 0));
                f.note("Of what touches without being held, only what has sunk in.");
                f.for_each("i", held, count, |f, i| {
                    let sinks = points.gap.at(i).lt(0.0).or(arrays.speed.at(i * 3).lt(0.0));
                    f.if_(sinks.and(arrays.parting.at(i).eq_(0)).eq_(0), |f| {
                        f.store(arrays.island, i, -1);
                        f.for_each("row", 0, 3, |f, row| f.store(arrays.force, i * 3 + row, 0.0));
                    });
                });
            };
            let push_all = |f: &mut FunctionBuilder, positions: bool| {
                answer(f);
                let number = f.call1(holding.islands.find, count);
                f.for_each("island", 0, number, |f, island| {
                    let chosen = f.call1(holding.islands.choose, (island, count));
                    f.call(holding.pose, chosen);
                    f.for_each("a", 0, chosen, |f, a| {
                        let i = f.integer("i", arrays.chosen.at(a));
                        f.store(coulomb.friction, a, 0.0);
                        if positions {
                            f.store(coulomb.state, a, SLIDING);
                            f.store(coulomb.b, a * 3, points.gap.at(i));
                        } else {
                            let sticks = coulomb.state.at(a).gt(SLIDING).and(i.lt(held));
                            f.store(coulomb.state, a, sticks.select(STICKING, SLIDING));
                            f.for_each("row", 0, 3, |f, row| {
                                f.store(coulomb.b, a * 3 + row, arrays.speed.at(i * 3 + row))
                            });
                        }
                    });
                    let off = f.call1(solver.hold, chosen);
                    f.if_(off.gt(0.0), |f| f.return_(-1));
                    f.call(holding.take, chosen);
                });
            };
            let push = |f: &mut FunctionBuilder, positions: bool| {
                let known = f.integer("known", 0);
                f.if_(held.eq_(1).and(count.eq_(1)), |f| {
                    let [status, found] = f.call_n(one, (t.get(), Expression::from(i64::from(positions))));
                    f.if_(status.gt(protocol::UNFINISHED), |f| f.return_(status));
                    f.assign(known, found);
                });
                f.if_(known.eq_(0), |f| push_all(f, positions));
                f.call(rows.gather, count);
                attempt(f, frames.respond, t);
            };
            f.store(arrays.leap, 0, f64::INFINITY);
            f.note("Positions, by what changes of speeds add to their rates.");
            let moved = f.integer("moved", 0);
            enter(f);
            f.for_each("time", 0, TIMES, |f, _| {
                let off = is_off(f, &touching, [held, count], Of::Gaps);
                f.if_(off.eq_(0), |f| f.break_());
                push(f, true);
                f.for_each("i", 0, speeds, |f, i| {
                    f.store(arrays.lifted, i, arrays.response.at(i + (first_rate + coordinates as i64)));
                });
                attempt(f, frames.lift, t);
                f.for_each("i", 0, coordinates, |f, i| {
                    f.store(integrator.state, i, integrator.state.at(i) + arrays.lift.at(i));
                });
                f.assign(moved, -1);
                enter(f);
            });
            f.note("Speeds.");
            f.store(arrays.leap, 0, 0.0);
            let off = is_off(f, &touching, [held, count], Of::Speeds);
            f.if_(off.eq_(0), |f| f.return_(moved));
            push(f, false);
            f.for_each("i", coordinates, coordinates + speeds, |f, i| {
                f.store(integrator.state, i, integrator.state.at(i) + arrays.response.at(i + first_rate));
            });
            f.return_(-1);
        });
        self.module.describe(project, "Moves the state back onto what touches.");
        project
    }
}

/// Whether something has to be moved: of held points, or anything where others are looked at besides.
fn is_off(f: &mut FunctionBuilder, touching: &Touching, [held, count]: [LocalId; 2], of: Of) -> LocalId {
    let Touching { arrays, points, geometry, tables, .. } = *touching;
    let off = f.integer("off", count.gt(held));
    f.for_each("i", 0, held, |f, i| match of {
        Of::Gaps => {
            let size = |side: usize| geometry.radius.at(tables.shape[side].at(points.pair.at(i)));
            f.if_(points.gap.at(i).abs().gt(size(0).min(size(1)) * GOOD), |f| f.assign(off, 1));
        }
        Of::Speeds => {
            let leap = touching.leap(f, i);
            f.store(arrays.leap, 0, arrays.leap.at(0).max(leap));
            f.if_(leap.gt(GOOD), |f| f.assign(off, 1));
        }
    });
    off
}
