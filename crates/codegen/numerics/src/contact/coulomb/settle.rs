//! The forces of given kinds: the least that hold, within their cones if they would leave them, to the last digits.

use super::least::Least;
use super::refine::Refine;
use super::rows::{CONE, LINE, NONE, Rows};
use super::within::Within;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Answers: forces that hold, forces that are the least because of inequalities, and no forces.
pub const PLAIN: i64 = 0;
pub const BOUNDED: i64 = 1;
pub const FAILED: i64 = 2;

/// A force that leaves its cone by less than this part is within it.
pub const WITHIN: f64 = 1e-13;

/// A force below this part of the largest is what rounding leaves of none.
const NOISE: f64 = 1e-15;

pub struct Settle {
    rows: Rows,
    least: Least,
    within: Within,
    refine: Refine,
    /// How many more equations there are than determine the forces, in the last answer.
    pub spare: ArrayId,
    /// `(count) -> integer`: one of the answers; the forces are in `force`.
    pub settle: FunctionId,
}

impl Settle {
    pub fn declare(
        module: &mut ModuleBuilder,
        name: &str,
        rows: Rows,
        (least, within, refine): (Least, Within, Refine),
    ) -> Settle {
        let settle = module.declare(&format!("{name}_settle"), &[("count", Integer)], &[Integer]);
        let spare = module.integer_array(&format!("{name}_spare"), 1, "equations beyond those that determine forces");
        let settle = Settle { rows, least, within, refine, spare, settle };
        module.describe(
            settle.settle,
            "The least forces of the kinds: 0, 1 if inequalities decide, 2 if there are none.",
        );
        module.define(settle.settle, |f| settle.settle(f));
        settle
    }

    fn settle(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let Rows { unknown, kind, first, .. } = self.rows;
        let size = f.call1(self.rows.assemble, count);
        let rank = f.call1(self.least.solve, size);
        f.store(self.spare, 0, size - rank);
        let largest = f.real("largest", 0.0);
        f.for_each("j", 0, size, |f, j| f.assign(largest, unknown.at(j).abs().max(largest)));
        let inside = f.integer("inside", 1);
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", first.at(i));
            f.if_(kind.at(i).eq_(LINE), |f| {
                f.assign(inside, inside.and(unknown.at(at).ge(largest * -WITHIN)));
            });
            f.if_(kind.at(i).eq_(CONE), |f| self.look_at_cone(f, (i, at), largest, inside));
        });
        let answer = f.integer("answer", PLAIN);
        f.if_(inside.logical_not(), |f| {
            f.call_into(&[answer], self.within.solve, (count, size, rank));
            f.assign(answer, answer.eq_(0).select(BOUNDED, FAILED));
        });
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", first.at(i));
            f.if_(kind.at(i).ne_(NONE), |f| f.store(unknown, at, unknown.at(at).max(0.0)));
        });
        f.call(self.rows.spread, count);
        f.call(self.refine.refine, count);
        f.return_(answer);
    }

    /// Whether a force is in its cone; one that is nothing but rounding is made none.
    fn look_at_cone(&self, f: &mut FunctionBuilder, (i, at): (LocalId, LocalId), largest: LocalId, inside: LocalId) {
        let [normal, t1, t2] = [0, 1, 2].map(|k| f.real("force", self.rows.unknown.at(at + k)));
        let tangential = f.real("tangential", (t1 * t1 + t2 * t2).sqrt());
        f.if_else(
            tangential.max(normal.abs()).le(largest * NOISE),
            |f| f.for_each("k", 0, 3, |f, k| f.store(self.rows.unknown, at + k, 0.0)),
            |f| {
                let most = self.rows.arrays.friction.at(i) * normal * (1.0 + WITHIN);
                f.assign(inside, inside.and(tangential.le(most)));
            },
        );
    }
}
