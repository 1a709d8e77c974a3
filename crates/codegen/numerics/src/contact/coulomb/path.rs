//! Who opens, slides and sticks: a path of smooth problems that ends at the contact problem.
//!
//! With forces x and slacks u both in the cone K, x ∘ u = τ² (Jordan's product) is solved by x = p(z), u = p(−z), p(z) = (z + √(z² + 4τ²))/2,
//! for any z: one unknown where there were two, always inside of the cones. As τ falls, p becomes the projection on K, and z = x − u
//! tells the states by its signs (Chen and Harker, Kanzow, Smale; for round cones Fukushima, Luo and Tseng, SIAM J. Optim. 12, 2002).
//! Coulomb's law is of this form with u = w + μ|w_t| n (de Saxcé and Feng, 1998).
//!
//! What is found is a proposal: states and directions, to be solved exactly and checked.

use super::elimination::Elimination;
use super::rows::{CONE, LINE, NONE, Rows};
use kernel::{ArrayId, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Steps along the path, and halvings of one.
const STEPS: usize = 200;
const HALVINGS: usize = 12;

/// Where the path ends, in relation to what is given; how it falls; and how near to it a step begins, so that Newton's method finds the next point.
const END: f64 = 1e-11;
const FALL: f64 = 0.2;
const CENTRED: f64 = 0.1;

/// Equations that are off by less than this part of their terms are solved as well as they can be.
const ROUNDING: f64 = 1e-14;

/// Where forces are not determined, the step is made so by this part of the scale.
const REGULAR: f64 = 1e-13;

#[derive(Clone, Copy)]
pub struct Path {
    rows: Rows,
    elimination: Elimination,
    /// The scale of each unknown.
    scale: ArrayId,
    /// Forces less slacks, and before the last step.
    z: ArrayId,
    before: ArrayId,
    /// What is given, forces, and what is missing in each equation, in the scale of the path.
    given: ArrayId,
    force: ArrayId,
    missing: ArrayId,
    /// The derivative of forces by z, and that of the response of the normal, at each point.
    slope: ArrayId,
    ray: ArrayId,
    /// The rate of slip of each point that is taken as known where the path is convex.
    pub slip: ArrayId,
    prepare: FunctionId,
    spectral: FunctionId,
    evaluate: FunctionId,
    step: FunctionId,
    /// `(count, convex) -> ()`: sets `kind` and `direction` of points to what the end of the path says, for kinds that say what is asked: a half-line of
    /// known direction, or a cone.
    pub follow: FunctionId,
}

impl Path {
    pub fn declare(module: &mut ModuleBuilder, name: &str, rows: Rows, elimination: Elimination) -> Path {
        let named = |what: &str| format!("{name}_path_{what}");
        let n = rows.stride;
        let mut array = |what: &str, length, note: &str| module.real_array(&named(what), length, note);
        let (scale, z) = (array("scale", n, "scale of each unknown"), array("z", n, "forces less slacks"));
        let (before, given) = (array("before", n, "z before the step"), array("given", n, "what is given, scaled"));
        let (force, missing) = (array("force", n, "forces, scaled"), array("missing", n, "missing in each equation"));
        let slope = array("slope", 3 * n, "derivative of forces by z, three by three each");
        let ray = array("ray", n, "derivative of the response of the normal by z");
        let slip = array("slip", rows.arrays.capacity, "rate of slip taken as known");
        let extent = [("count", Integer), ("size", Integer), ("smooth", Real), ("convex", Integer)];
        let path = Path {
            rows,
            elimination,
            scale,
            z,
            before,
            given,
            force,
            missing,
            slope,
            ray,
            slip,
            prepare: module.declare(&named("prepare"), &extent[..2], &[]),
            spectral: module.declare(&named("spectral"), &[("value", Real), ("smooth", Real)], &[Real, Real]),
            evaluate: module.declare(&named("evaluate"), &extent, &[Real, Real]),
            step: module.declare(&named("step"), &extent[..2], &[]),
            follow: module.declare(
                &named("follow"),
                &[("count", Integer), ("convex", Integer), ("relax", Real), ("begin", Real)],
                &[],
            ),
        };
        module.describe(path.prepare, "Scales the equations so that unknowns and slacks are of one size.");
        module.define(path.prepare, |f| path.prepare(f));
        module.describe(path.spectral, "The smooth positive part of a number, and its derivative.");
        module.define(path.spectral, spectral);
        module.describe(path.evaluate, "Forces and what is missing: its largest, and the largest of its terms.");
        module.define(path.evaluate, |f| path.evaluate(f));
        module.describe(path.step, "Newton's step.");
        module.define(path.step, |f| path.step(f));
        module.describe(path.follow, "Follows the path and reads the states at its end.");
        module.define(path.follow, |f| path.follow(f));
        path
    }

    fn follow(&self, f: &mut FunctionBuilder) {
        let [count, convex, relax, begin] = f.parameters();
        let size = f.call1(self.rows.assemble, count);
        f.call(self.prepare, (count, size));
        f.if_(begin.ge(1.0), |f| f.for_each("j", 0, size, |f, j| f.store(self.z, j, 0.0)));
        let smooth = f.real("smooth", begin);
        let [missing, terms] = f.call_n(self.evaluate, (count, size, smooth, convex));
        f.for_each("iteration", 0, STEPS, |f, _| {
            f.if_(missing.le((smooth * CENTRED).max(terms * ROUNDING)), |f| {
                f.if_(smooth.le(END), |f| f.break_());
                f.assign(smooth, smooth * FALL);
                f.call_into(&[missing, terms], self.evaluate, (count, size, smooth, convex));
            });
            f.for_each("j", 0, size, |f, j| f.store(self.before, j, self.z.at(j)));
            f.call(self.step, (count, size));
            let length = f.real("length", 1.0);
            let goes = f.integer("goes", 0);
            f.for_each("halving", 0, HALVINGS, |f, _| {
                f.for_each("j", 0, size, |f, j| {
                    f.store(self.z, j, self.before.at(j) + self.elimination.right.at(j) * length);
                });
                let [new, new_terms] = f.call_n(self.evaluate, (count, size, smooth, convex));
                f.if_(new.le(missing * (1.0 - length * 1e-3)), |f| {
                    f.assign(missing, new);
                    f.assign(terms, new_terms);
                    f.assign(goes, 1);
                    f.break_();
                });
                f.assign(length, length * 0.5);
            });
            f.if_(goes.logical_not(), |f| {
                f.for_each("j", 0, size, |f, j| f.store(self.z, j, self.before.at(j)));
                f.break_();
            });
        });
        self.read(f, count, smooth, relax);
    }

    /// States and directions at the end of the path.
    fn read(&self, f: &mut FunctionBuilder, count: LocalId, smooth: LocalId, relax: LocalId) {
        let Rows { kind, first, .. } = self.rows;
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", first.at(i));
            let (low, high, [c1, c2]) = self.spectrum(f, i, at);
            let cone = f.integer("cone", kind.at(i).eq_(CONE));
            let [u1, _] = f.call_n(self.spectral, (-low, smooth));
            let [u2, _] = f.call_n(self.spectral, (-high, smooth));
            f.store(self.slip, i, self.slip.at(i) + relax * ((u1 - u2) * 0.5 - self.slip.at(i)));
            let holds = high.gt(0.0).select(LINE, NONE);
            f.store(kind, i, cone.and(low.gt(0.0)).select(CONE, holds));
            f.if_(cone.and(low.le(0.0)), |f| {
                f.store(self.rows.arrays.direction, i * 2, -c1);
                f.store(self.rows.arrays.direction, i * 2 + 1, -c2);
            });
        });
    }

    fn prepare(&self, f: &mut FunctionBuilder) {
        let [count, size] = f.parameters();
        let Rows { kind, first, matrix, right, .. } = self.rows;
        let own = |j: LocalId| self.rows.entry(j, j);
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", first.at(i));
            f.if_(kind.at(i).eq_(LINE), |f| f.store(self.scale, at, scale_of(own(at).abs())));
            f.if_(kind.at(i).eq_(CONE), |f| {
                let friction = f.real("friction", self.rows.arrays.friction.at(i));
                let [second, third] = [1, 2].map(|k| f.integer("next", at + k));
                let mean = (own(at) / (friction * friction) + own(second) + own(third)) / 3.0;
                let scale = f.real("scale", scale_of(mean));
                f.store(self.scale, at, scale / friction);
                f.store(self.scale, second, scale);
                f.store(self.scale, third, scale);
            });
        });
        let largest = f.real("largest", 0.0);
        f.for_each("i", 0, size, |f, i| {
            f.for_each("j", 0, size, |f, j| {
                let scaled = self.rows.entry(i, j) * self.scale.at(i) * self.scale.at(j);
                f.store(matrix, self.rows.place(i, j), scaled);
            });
            f.store(self.given, i, -(right.at(i) * self.scale.at(i)));
            f.assign(largest, self.given.at(i).abs().max(largest));
        });
        f.assign(largest, largest.gt(0.0).select(largest, 1.0));
        f.for_each("i", 0, size, |f, i| f.store(self.given, i, self.given.at(i) / largest));
    }

    /// The eigenvalues of z at a point, and its tangential direction. On a half-line both are z.
    fn spectrum(&self, f: &mut FunctionBuilder, i: LocalId, at: LocalId) -> (LocalId, LocalId, [LocalId; 2]) {
        let low = f.real("low", 0.0);
        let high = f.real("high", 0.0);
        let direction = [f.real("c", 1.0), f.real("c", 0.0)];
        f.if_(self.rows.kind.at(i).ne_(NONE), |f| {
            f.assign(low, self.z.at(at));
            f.assign(high, low);
        });
        f.if_(self.rows.kind.at(i).eq_(CONE), |f| {
            let [t1, t2] = [1, 2].map(|k| f.real("t", self.z.at(at + k)));
            let length = f.real("length", (t1 * t1 + t2 * t2).sqrt());
            f.assign(low, low - length);
            f.increase(high, length);
            f.if_(length.gt(0.0), |f| {
                f.assign(direction[0], t1 / length);
                f.assign(direction[1], t2 / length);
            });
        });
        (low, high, direction)
    }

    fn evaluate(&self, f: &mut FunctionBuilder) {
        let [count, size, smooth, convex] = f.parameters();
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", self.rows.first.at(i));
            f.if_(self.rows.kind.at(i).eq_(LINE), |f| {
                let [force, slope] = f.call_n(self.spectral, (self.z.at(at), smooth));
                let [slack, _] = f.call_n(self.spectral, (-self.z.at(at), smooth));
                f.store(self.force, at, force);
                f.store(self.missing, at, slack);
                f.store(self.slope, i * 9, slope);
                f.store(self.ray, at, 1.0 - slope);
            });
            f.if_(self.rows.kind.at(i).eq_(CONE), |f| self.evaluate_cone(f, (i, at), smooth, convex));
        });
        let largest = f.real("largest", 0.0);
        let terms = f.real("terms", 0.0);
        f.for_each("i", 0, size, |f, i| {
            let sum = f.real("sum", self.missing.at(i) - self.given.at(i));
            let parts = f.real("parts", self.missing.at(i).abs() + self.given.at(i).abs());
            f.for_each("j", 0, size, |f, j| {
                let part = f.real("part", self.rows.entry(i, j) * self.force.at(j));
                f.assign(sum, sum - part);
                f.increase(parts, part.abs());
            });
            f.store(self.missing, i, sum);
            f.assign(largest, sum.abs().max(largest));
            f.assign(terms, parts.max(terms));
        });
        f.return_((largest, terms));
    }

    /// The force, the response that belongs to the slack, and their derivatives, by the eigenvalues of z.
    fn evaluate_cone(&self, f: &mut FunctionBuilder, (i, at): (LocalId, LocalId), smooth: LocalId, convex: LocalId) {
        let (low, high, [c1, c2]) = self.spectrum(f, i, at);
        let [p1, d1] = f.call_n(self.spectral, (low, smooth));
        let [p2, d2] = f.call_n(self.spectral, (high, smooth));
        let [u1, _] = f.call_n(self.spectral, (-low, smooth));
        let [u2, _] = f.call_n(self.spectral, (-high, smooth));
        let [force, slack] = [(p2 - p1) * 0.5, (u2 - u1) * 0.5].map(|half| f.real("half", half));
        f.store(self.force, at, (p1 + p2) * 0.5);
        f.store(self.missing, at, u2);
        f.store(self.ray, at, 1.0 - d2);
        for (k, c) in [(1, c1), (2, c2)] {
            f.store(self.force, at + k, force * c);
            f.store(self.missing, at + k, slack * c);
            f.store(self.ray, at + k, (1.0 - d2) * c);
        }
        let spread = f.real("spread", high - low);
        let across = f.real("across", spread.gt(0.0).select((p2 - p1) / spread, d2));
        let edges = [[1.0.into(), -c1, -c2], [1.0.into(), c1.get(), c2.get()]];
        let turned = [0.0.into(), -c2, c1.get()];
        for k in 0..3 {
            for l in 0..3 {
                let low = edges[0][k].clone() * edges[0][l].clone() * d1;
                let high = edges[1][k].clone() * edges[1][l].clone() * d2;
                let across = turned[k].clone() * turned[l].clone() * across;
                f.store(self.slope, i * 9 + (3 * k + l), (low + high) * 0.5 + across);
            }
        }
        f.if_(convex, |f| {
            f.store(self.missing, at, (u1 + u2) * 0.5 - self.slip.at(i));
            f.for_each("k", 0, 3, |f, k| {
                f.store(self.ray, at + k, k.eq_(0).select(1.0, 0.0) - self.slope.at(i * 9 + k));
            });
        });
    }

    fn step(&self, f: &mut FunctionBuilder) {
        let [count, size] = f.parameters();
        let Elimination { matrix, right, solve, .. } = self.elimination;
        f.for_each("i", 0, count, |f, i| {
            let at = f.integer("at", self.rows.first.at(i));
            let unknowns = f.integer("unknowns", self.rows.kind.at(i));
            f.for_each("row", 0, size, |f, row| {
                f.for_each("c", 0, unknowns, |f, c| {
                    let sum = f.real("sum", 0.0);
                    f.for_each("d", 0, unknowns, |f, d| {
                        f.increase(sum, self.rows.entry(row, at + d) * self.slope.at(i * 9 + d * 3 + c));
                    });
                    f.store(matrix, self.rows.place(row, at + c), sum);
                });
            });
            f.for_each("c", 0, unknowns, |f, c| {
                let place = f.integer("place", self.rows.place(at, at + c));
                f.store(matrix, place, matrix.at(place) + self.ray.at(at + c) + c.eq_(0).select(REGULAR, 0.0));
                f.for_each("d", 1, unknowns, |f, d| {
                    let place = f.integer("place", self.rows.place(at + d, at + c));
                    let slack = c.eq_(d).select(1.0 + REGULAR, 0.0) - self.slope.at(i * 9 + d * 3 + c);
                    f.store(matrix, place, matrix.at(place) + slack);
                });
            });
        });
        f.for_each("i", 0, size, |f, i| f.store(right, i, self.missing.at(i)));
        f.call(solve, size);
    }
}

/// One over the root, or one for what has none.
fn scale_of(square: kernel::Expression) -> kernel::Expression {
    square.clone().gt(0.0).select(1.0 / square.sqrt(), 1.0)
}

fn spectral(f: &mut FunctionBuilder) {
    let [value, smooth] = f.parameters();
    let root = f.real("root", (value * value + smooth * smooth * 4.0).sqrt());
    // The difference of two numbers of one size is avoided.
    let below = smooth * smooth * 2.0 / (root - value);
    let part = f.real("part", value.gt(0.0).select((value + root) * 0.5, below));
    f.return_((part, part / root));
}
