//! The force of a point that is the only one held, and what moves it back, in closed form.

use kernel::Type::{Integer, Real};
use kernel::{FunctionBuilder, FunctionId, LocalId, Term, protocol};

use super::derivative::slip_direction;
use super::rows::Rows;
use super::{SLIDING, STICKING, Touching};
use crate::lower::Lowering;

/// Where forces move a row less than this part of what they move without the others, rows depend on one another or friction jams; neither is for here.
const LEAST_PIVOT: f64 = 1e-6;

impl<'p> Lowering<'p> {
    /// `(t) -> (integer, integer)`: a status, and how many rows of the point were answered, so that its force is known; 0 where it is not.
    pub fn hold_one(&mut self, touching: &Touching, rows: Rows) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, tables, points, .. } = touching;
        let one = self.module.function("contact_hold_one", &[("t", Real)], &[Integer, Integer], |f| {
            let [t] = f.parameters();
            let friction = f.real("friction", arrays.friction.at(tables.of.at(points.pair.at(0))));
            let smooth = f.integer("smooth", friction.eq_(0.0));
            let slides = arrays.state.at(0).eq_(SLIDING).and(arrays.starting.at(0).eq_(0).or(smooth));
            let slides = f.integer("slides", slides);
            let sticks = f.integer("sticks", arrays.state.at(0).eq_(STICKING));
            f.if_(slides.or(sticks).eq_(0), |f| f.return_((protocol::DONE, 0)));
            let number = f.integer("number", slides.and(smooth).select(1, 3));
            let status = f.call1(rows.answer_one, (t, number));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.if_else(slides, |f| slide(f, &touching, friction), |f| stick(f, &touching));
            let known = arrays.force.at(0).abs().lt(f64::INFINITY);
            f.return_((protocol::DONE, known.select(number, 0)));
        });
        self.module.describe(one, "The force of the only point that is held; 0 where that is not for this function.");
        one
    }

    /// `(t, positions) -> (integer, integer)`: what moves the only point back onto what it touches, by its gap or else by its speeds, as a force on its
    /// rows, for which there is no friction; a status, and 0 where it is not known.
    pub fn move_one(&mut self, touching: &Touching, rows: Rows) -> FunctionId {
        let touching = *touching;
        let Touching { arrays, points, .. } = touching;
        let parameters = [("t", Real), ("positions", Integer)];
        let one = self.module.function("contact_move_one", &parameters, &[Integer, Integer], |f| {
            let [t, positions] = f.parameters();
            let sticks = f.integer("sticks", positions.eq_(0).and(arrays.state.at(0).gt(SLIDING)));
            let number = f.integer("number", sticks.select(3, 1));
            let status = f.call1(rows.answer_one, (t, number));
            f.if_(status.gt(protocol::UNFINISHED), |f| f.return_((status, 0)));
            f.if_else(
                positions,
                |f| f.store(arrays.free, 0, points.gap.at(0)),
                |f| (0..3).for_each(|row| f.store(arrays.free, row, arrays.speed.at(row))),
            );
            let smooth = f.real("smooth", 0.0);
            f.if_else(sticks, |f| stick(f, &touching), |f| slide(f, &touching, smooth));
            let known = arrays.force.at(0).abs().lt(f64::INFINITY);
            f.return_((protocol::DONE, known));
        });
        self.module.describe(one, "What moves the only point back onto what it touches.");
        one
    }
}

/// N = −b / (W_nn − μ W_nt·d), and −μ N d against the slip.
fn slide(f: &mut FunctionBuilder, touching: &Touching, friction: LocalId) {
    let arrays = touching.arrays;
    let own = f.real("own", arrays.matrix.at(0));
    let pivot = f.real("pivot", own);
    f.for_each("row", 1, 3, |f, row| f.store(arrays.force, row, 0.0));
    f.if_(friction.gt(0.0), |f| {
        let first = f.integer("first", 0);
        slip_direction(f, touching, first, first);
        for row in [1, 2] {
            f.increase(pivot, -(friction * touching.coulomb.direction.at(row - 1) * arrays.matrix.at(row)));
        }
    });
    f.if_(pivot.gt(own * LEAST_PIVOT).logical_not(), |f| f.return_((protocol::DONE, 0)));
    let normal = f.real("normal", -(arrays.free.at(0) / pivot));
    f.store(arrays.force, 0, normal);
    f.if_(friction.gt(0.0), |f| {
        for row in [1, 2] {
            f.store(arrays.force, row, -(friction * normal * touching.coulomb.direction.at(row - 1)));
        }
    });
}

/// W f = −b by elimination, in the order of the rows, for W is symmetric and positive.
fn stick(f: &mut FunctionBuilder, touching: &Touching) {
    let arrays = touching.arrays;
    let stride = 3 * touching.capacity;
    let matrix: [[LocalId; 3]; 3] =
        [0, 1, 2].map(|row| [0, 1, 2].map(|column| f.real("answer", arrays.matrix.at(row * stride + column))));
    let right = [0, 1, 2].map(|row: usize| f.real("right", -arrays.free.at(row)));
    let entry = |row: usize, column: usize| matrix[row][column];
    let largest = entry(0, 0).max(entry(1, 1)).max(entry(2, 2));
    let least = f.real("least", largest * LEAST_PIVOT);
    for pivot in 0..3 {
        let own = matrix[pivot][pivot];
        f.if_(own.gt(least).logical_not(), |f| f.return_((protocol::DONE, 0)));
        for row in pivot + 1..3 {
            let share = f.real("share", entry(row, pivot) / own);
            for column in pivot + 1..3 {
                f.increase(entry(row, column), -(share * entry(pivot, column)));
            }
            f.increase(right[row], -(share * right[pivot]));
        }
    }
    for row in [2, 1, 0] {
        for column in row + 1..3 {
            f.increase(right[row], -(entry(row, column) * right[column]));
        }
        f.assign(right[row], right[row] / entry(row, row));
        f.store(arrays.force, row, right[row]);
    }
}
