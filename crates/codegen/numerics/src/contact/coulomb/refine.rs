//! The last digits of forces of very different sizes: what they leave of their equations is solved for once more.

use super::Coulomb;
use super::check::Check;
use super::least::Least;
use super::rows::{CONE, LINE, NONE, Rows, line_length};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// Equations that are off by less than this part of their terms need no more digits.
const ROUNDING: f64 = 1e-15;

/// A force that is outside of its cone by no more than this part is put back.
const CLIPPED: f64 = 1e-6;

/// How often it is solved once more.
const TIMES: usize = 2;

pub struct Refine {
    rows: Rows,
    least: Least,
    check: Check,
    /// The kinds as they are.
    kept: ArrayId,
    /// `(count) -> ()`: betters the forces.
    pub refine: FunctionId,
}

impl Refine {
    pub fn declare(module: &mut ModuleBuilder, name: &str, (rows, least, check): (Rows, Least, Check)) -> Refine {
        let kept = module.integer_array(&format!("{name}_kept"), rows.arrays.capacity, "kinds as they are");
        let refine = module.declare(&format!("{name}_refine"), &[("count", Integer)], &[]);
        let refine = Refine { rows, least, check, kept, refine };
        module.describe(refine.refine, "Solves once more for what the forces leave of their equations.");
        module.define(refine.refine, |f| refine.refine(f));
        refine
    }

    fn refine(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        let Rows { kind, first, row, right, unknown, arrays, .. } = self.rows;
        f.for_each("time", 0, TIMES, |f, _| {
            f.call(self.check.respond, count);
            // A point that bounds keep at zero stays there.
            f.for_each("i", 0, count, |f, i| {
                f.store(self.kept, i, kind.at(i));
                f.store(kind, i, arrays.force.at(i * 3).gt(0.0).select(kind.at(i), NONE));
            });
            let size = f.call1(self.rows.assemble, count);
            let off = f.integer("off", 0);
            f.for_each("j", 0, size, |f, j| {
                let left = f.real("left", self.check.response.at(row.at(j)));
                f.assign(off, off.or(left.abs().gt(self.check.terms.at(row.at(j)) * ROUNDING)));
                f.store(right, j, -left);
            });
            f.if_(off, |f| drop(f.call(self.least.solve, size)));
            f.for_each("i", 0, count, |f, i| {
                let at = f.integer("at", first.at(i));
                f.if_(off.and(kind.at(i).eq_(LINE)), |f| {
                    let friction = f.real("friction", arrays.friction.at(i));
                    let more = f.real("more", unknown.at(at) / line_length(friction));
                    let normal = f.real("normal", (arrays.force.at(i * 3) + more).max(0.0));
                    f.store(arrays.force, i * 3, normal);
                    for k in 0..2 {
                        f.store(arrays.force, i * 3 + (1 + k), -(friction * normal * self.rows.direction(i, k)));
                    }
                });
                f.if_(off.and(kind.at(i).eq_(CONE)), |f| {
                    f.for_each("k", 0, 3, |f, k| {
                        f.store(arrays.force, i * 3 + k, arrays.force.at(i * 3 + k) + unknown.at(at + k));
                    });
                });
                f.store(kind, i, self.kept.at(i));
            });
            f.if_(off.logical_not(), |f| f.break_());
        });
        f.for_each("i", 0, count, |f, i| f.if_(kind.at(i).eq_(CONE), |f| self.clip(f, i)));
    }

    /// Refinement may push a force at the edge out of its cone by the digits it betters. It is put back, and the check sees whether its rows bear that.
    fn clip(&self, f: &mut FunctionBuilder, i: LocalId) {
        let Coulomb { force, friction, .. } = self.rows.arrays;
        let [normal, t1, t2] = [0, 1, 2].map(|k| f.real("force", force.at(i * 3 + k)));
        let tangential = f.real("tangential", (t1 * t1 + t2 * t2).sqrt());
        let most = f.real("most", friction.at(i) * normal);
        f.if_(tangential.gt(most).and(tangential.le(most * (1.0 + CLIPPED))), |f| {
            f.store(force, i * 3 + 1, t1 * (most / tangential));
            f.store(force, i * 3 + 2, t2 * (most / tangential));
        });
    }
}
