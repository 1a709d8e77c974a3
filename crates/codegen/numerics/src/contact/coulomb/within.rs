//! The least forces within their cones, where the least of all forces that hold leave them: a corner would pull, or rub more than it can.
//!
//! With Q the orthonormal directions of the equations, Q x = y, the least x in the cones K is P(Qᵀη), P the projection on K, where η makes
//! the convex function ½|P(Qᵀη)|² − y·η least. Newton's method on its gradient, with a line search; the function has no least value if no
//! force in the cones holds.

use super::least::Least;
use super::rows::{CONE, LINE, Rows};
use super::triangle::Triangle;
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Steps of Newton's method, and halvings of one.
const STEPS: usize = 60;
const HALVINGS: usize = 40;

/// Equations hold to rounding if they are off by no more than this part of their terms; no better is tried for.
const ROUNDING: f64 = 1e-15;

/// Terms of less than this part of the largest force do not ask for more digits.
const SMALL: f64 = 1e-6;

/// What is off by more than this part of its terms after all steps does not hold.
const SOLVED: f64 = 1e-11;

#[derive(Clone, Copy)]
pub struct Within {
    rows: Rows,
    least: Least,
    triangle: Triangle,
    multiplier: ArrayId,
    tried: ArrayId,
    /// What is missing in each equation, then the step.
    missing: ArrayId,
    /// What is projected: Qᵀη.
    pushed: ArrayId,
    /// The derivative of the projection, three rows for each point.
    slope: ArrayId,
    sloped: ArrayId,
    project: FunctionId,
    dual: FunctionId,
    step: FunctionId,
    /// `(count, size, rank) -> integer`: 0 if forces in the cones hold; they are in `unknown`. Needs: what `Least::solve` leaves.
    pub solve: FunctionId,
}

const EXTENT: [(&str, kernel::Type); 4] = [("count", Integer), ("size", Integer), ("rank", Integer), ("off", Real)];

impl Within {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows, least: Least, triangle: Triangle) -> Within {
        let named = |what: &str| format!("{name}_{what}");
        let n = rows.stride;
        let within = Within {
            rows,
            least,
            triangle,
            multiplier: module.real_array(&named("multiplier"), n, "of each direction of the equations"),
            tried: module.real_array(&named("tried"), n, "what is missing, then the step"),
            missing: module.real_array(&named("missing"), n, "what is missing in each equation"),
            pushed: module.real_array(&named("pushed"), n, "forces before they are projected on the cones"),
            slope: module.real_array(&named("slope"), 3 * n, "derivative of the projection, three by three each"),
            sloped: module.real_array(&named("sloped"), n, "one direction times the derivative of the projection"),
            project: module.declare(&named("project"), &[("count", Integer)], &[]),
            dual: module.declare(&named("dual"), &EXTENT[..3], &[Real, Real]),
            step: module.declare(&named("within_step"), &EXTENT, &[]),
            solve: module.declare(&named("within"), &EXTENT[..3], &[Integer]),
        };
        module.describe(within.project, "Projects forces on their cones, and its derivative.");
        module.define(within.project, |f| within.project(f));
        module.describe(
            within.dual,
            "The function to make least, and what is missing of an equation, at most, as a part of its terms.",
        );
        module.define(within.dual, |f| within.dual(f));
        module.describe(within.step, "The step of Newton's method, in place of what is missing.");
        module.define(within.step, |f| within.step(f));
        module.describe(within.solve, "The least forces within the cones: 0 if there are some.");
        module.define(within.solve, |f| within.solve(f));
        within
    }

    fn solve(&self, f: &mut FunctionBuilder) {
        let [count, size, rank] = f.parameters();
        f.for_each("k", 0, rank, |f, k| f.store(self.multiplier, k, self.rows.right.at(self.least.basis.at(k))));
        let [value, off] = f.call_n(self.dual, (count, size, rank));
        f.for_each("iteration", 0, STEPS, |f, _| {
            f.if_(off.le(ROUNDING), |f| f.break_());
            let gradient = f.real("gradient", 0.0);
            f.for_each("k", 0, rank, |f, k| f.store(self.tried, k, self.missing.at(k)));
            f.call(self.step, (count, size, rank, off));
            f.for_each("k", 0, rank, |f, k| {
                f.assign(gradient, gradient - self.tried.at(k) * self.missing.at(k));
                f.store(self.tried, k, self.missing.at(k));
            });
            self.search(f, (count, size, rank), (value, off), gradient);
        });
        f.return_(off.le(SOLVED).select(0, 1));
    }

    /// Halves the step until the function falls, or less is missing.
    fn search(
        &self,
        f: &mut FunctionBuilder,
        extent: (LocalId, LocalId, LocalId),
        (value, off): (LocalId, LocalId),
        gradient: LocalId,
    ) {
        let rank = extent.2;
        let length = f.real("length", 1.0);
        f.for_each("k", 0, rank, |f, k| f.store(self.multiplier, k, self.multiplier.at(k) + self.tried.at(k)));
        f.for_each("halving", 0, HALVINGS, |f, _| {
            let [new, new_off] = f.call_n(self.dual, extent);
            let falls = new.le(value + gradient * (length * 1e-4)).or(new_off.le(off * 0.5));
            f.if_(falls, |f| {
                f.assign(value, new);
                f.assign(off, new_off);
                f.break_();
            });
            f.assign(length, length * 0.5);
            f.for_each("k", 0, rank, |f, k| {
                f.store(self.multiplier, k, self.multiplier.at(k) - self.tried.at(k) * length);
            });
        });
    }

    fn dual(&self, f: &mut FunctionBuilder) {
        let [count, size, rank] = f.parameters();
        f.for_each("j", 0, size, |f, j| f.store(self.pushed, j, 0.0));
        let value = f.real("value", 0.0);
        f.for_each("k", 0, rank, |f, k| {
            let row = f.integer("row", self.least.basis.at(k));
            let multiplier = f.real("by", self.multiplier.at(k));
            f.assign(value, value - multiplier * self.rows.right.at(row));
            f.for_each("j", 0, size, |f, j| {
                f.store(self.pushed, j, self.pushed.at(j) + multiplier * self.rows.entry(row, j));
            });
        });
        f.call(self.project, count);
        f.for_each("j", 0, size, |f, j| {
            f.increase(value, self.rows.unknown.at(j) * self.rows.unknown.at(j) * 0.5);
        });
        let (off, largest) = (f.real("off", 0.0), f.real("largest", 0.0));
        f.for_each("j", 0, size, |f, j| f.assign(largest, self.rows.unknown.at(j).abs().max(largest)));
        f.for_each("k", 0, rank, |f, k| {
            let row = f.integer("row", self.least.basis.at(k));
            let sum = f.real("sum", self.rows.right.at(row));
            let terms = f.real("terms", sum.abs());
            f.for_each("j", 0, size, |f, j| {
                let part = f.real("part", self.rows.entry(row, j) * self.rows.unknown.at(j));
                f.assign(sum, sum - part);
                f.increase(terms, part.abs());
            });
            f.store(self.missing, k, sum);
            f.if_(sum.ne_(0.0), |f| f.assign(off, (sum.abs() / (terms + largest * SMALL)).max(off)));
        });
        f.return_((value, off));
    }

    /// The Hessian Q P′ Qᵀ, with a little more on the diagonal the more is missing (Levenberg), and the step that it gives.
    fn step(&self, f: &mut FunctionBuilder) {
        let [count, size, rank, off] = f.parameters();
        let more = f.real("more", (off * 1e-2).min(1e-3) + 1e-14);
        f.for_each("k", 0, rank, |f, k| {
            let row = f.integer("row", self.least.basis.at(k));
            self.slope_of(f, row, count);
            f.for_each("l", 0, k + 1, |f, l| {
                let other = f.integer("other", self.least.basis.at(l));
                let sum = f.real("sum", k.eq_(l).select(more, 0.0));
                f.for_each("j", 0, size, |f, j| f.increase(sum, self.sloped.at(j) * self.rows.entry(other, j)));
                f.store(self.triangle.matrix, self.rows.place(k, l), sum);
            });
            f.store(self.triangle.right, k, self.missing.at(k));
        });
        f.call(self.triangle.solve, rank);
        f.for_each("k", 0, rank, |f, k| f.store(self.missing, k, self.triangle.right.at(k)));
    }

    /// A direction times the derivative of the projection.
    fn slope_of(&self, f: &mut FunctionBuilder, row: LocalId, count: LocalId) {
        f.for_each("i", 0, count, |f, i| {
            let first = f.integer("from", self.rows.first.at(i));
            let unknowns = f.integer("unknowns", self.rows.kind.at(i));
            f.for_each("c", 0, unknowns, |f, c| {
                let sum = f.real("sum", 0.0);
                f.for_each("d", 0, unknowns, |f, d| {
                    f.increase(sum, self.slope.at(i * 9 + c * 3 + d) * self.rows.entry(row, first + d));
                });
                f.store(self.sloped, first + c, sum);
            });
        });
    }

    fn project(&self, f: &mut FunctionBuilder) {
        let [count] = f.parameters();
        f.for_each("i", 0, count, |f, i| {
            let first = f.integer("from", self.rows.first.at(i));
            f.if_(self.rows.kind.at(i).eq_(LINE), |f| {
                f.store(self.rows.unknown, first, self.pushed.at(first).max(0.0));
                f.store(self.slope, i * 9, self.pushed.at(first).gt(0.0).to_real());
            });
            f.if_(self.rows.kind.at(i).eq_(CONE), |f| self.project_on_cone(f, i, first));
        });
    }

    /// Outside of the cone and of its polar one, the nearest point is on the ray with the same tangential direction.
    fn project_on_cone(&self, f: &mut FunctionBuilder, i: LocalId, first: LocalId) {
        let friction = f.real("friction", self.rows.arrays.friction.at(i));
        let [normal, t1, t2] = [0, 1, 2].map(|k| f.real("pushed", self.pushed.at(first + k)));
        let tangential = f.real("tangential", (t1 * t1 + t2 * t2).sqrt());
        let inside = f.integer("inside", tangential.le(friction * normal));
        let polar = f.integer("polar", (friction * tangential).le(-normal));
        f.for_each("c", 0, 9, |f, c| f.store(self.slope, i * 9 + c, 0.0));
        for (k, pushed) in [normal, t1, t2].into_iter().enumerate() {
            f.store(self.rows.unknown, first + k, inside.select(pushed, 0.0));
            f.store(self.slope, i * 9 + 4 * k, inside.to_real());
        }
        f.if_(inside.or(polar).logical_not(), |f| {
            let square = f.real("square", 1.0 + friction * friction);
            let size = f.real("size", (normal + friction * tangential) / square);
            let across = f.real("across", friction * size / tangential);
            let [c1, c2] = [t1, t2].map(|t| f.real("c", t / tangential));
            let edge = [1.0.into(), friction * c1, friction * c2];
            let turned = [0.0.into(), -c2, c1.get()];
            for k in 0..3 {
                f.store(self.rows.unknown, first + k, size * edge[k].clone());
                for l in 0..3 {
                    let along = edge[k].clone() * edge[l].clone() / square;
                    f.store(self.slope, i * 9 + (3 * k + l), along + across * turned[k].clone() * turned[l].clone());
                }
            }
        });
    }
}
