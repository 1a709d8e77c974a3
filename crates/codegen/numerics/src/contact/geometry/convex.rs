//! How far convex shapes are apart, whatever they are made of: the largest separation over all directions.
//!
//! It is along the normal of a face, along one that is normal to straight lines of both, along one that is normal to a line of one and somewhere on
//! what is round of the other, or anywhere. Each of these is looked for by itself, and as every direction gives a lower bound, the best is taken.

use super::{
    FAR, PARALLEL,
    ascent::{Facing, Round, tangents},
    parts::{Parts, ends, families, planes},
    place::{axis_z, centre},
    tables::Tables,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// What a direction belongs to, in the order in which equals are preferred.
pub const PLANE_OF_FIRST: usize = 0;
pub const PLANE_OF_SECOND: usize = 1;
pub const STRAIGHT: usize = 2;
pub const STRAIGHT_ON_FIRST: usize = 3;
pub const STRAIGHT_ON_SECOND: usize = 4;
pub const ROUND: usize = 5;

/// A later kind of direction counts as better only if it is by so much, relative to the smaller shape.
const BETTER: f64 = 1e-12;

const SAMPLES: usize = super::curved::ROUND;
const HALVINGS: usize = 52;

/// `(a, b) -> (s, n_x, n_y, n_z, kind, i, j)`: the largest separation, its direction from a to b, and what that belongs to.
pub fn convex(module: &mut ModuleBuilder, tables: &Tables, parts: Parts, support: FunctionId) -> FunctionId {
    let family = around_axis(module, parts);
    let results = [Real, Real, Real, Real, Integer, Integer, Integer];
    let convex = module.declare("convex_separate", &[("a", Integer), ("b", Integer)], &results);
    module.describe(convex, "The largest separation of two convex shapes.");
    module.define(convex, |f| {
        let [a, b] = f.parameters();
        let best = Best {
            s: f.real("best", -FAR),
            n: [0.0, 0.0, 1.0].map(|entry| f.real("best_n", entry)),
            of: [0, 0, 0].map(|entry| f.integer("best_of", entry)),
        };
        let better = tables.radius.at(a).min(tables.radius.at(b)) * BETTER;
        let better = better.keep(f, "better");
        let shapes = [a.get(), b.get()];
        let way = (centre(f, "b", tables, &shapes[1]) - centre(f, "a", tables, &shapes[0])).keep(f, "way");
        let search = Search { tables, parts, support, family, best, better, shapes, way };
        search.planes(f);
        search.straight(f);
        search.families(f);
        search.anywhere(f);
        let Best { s, n, of } = search.best;
        f.return_([s].into_iter().chain(n).chain(of).collect::<Vec<_>>());
    });
    convex
}

struct Best {
    s: LocalId,
    n: [LocalId; 3],
    of: [LocalId; 3],
}

struct Search<'a> {
    tables: &'a Tables,
    parts: Parts,
    support: FunctionId,
    family: FunctionId,
    best: Best,
    better: Expression,
    shapes: [Expression; 2],
    way: Plain,
}

impl Search<'_> {
    fn offer(&self, f: &mut FunctionBuilder, n: &Plain, kind: usize, i: Expression, j: Expression) {
        let [a, b] = &self.shapes;
        let reach_a = f.call1(self.support, n.after([a.clone()]));
        let reach_b = f.call1(self.support, (-n.clone()).after([b.clone()]));
        let s = f.real("s", n.dot(&self.way) - reach_a - reach_b);
        let bar = if kind <= PLANE_OF_SECOND { self.best.s.get() } else { self.best.s + self.better.clone() };
        f.if_(s.gt(bar), |f| {
            f.assign(self.best.s, s);
            self.best.n.iter().zip(&n.0).for_each(|(&entry, value)| f.assign(entry, value));
            let of = [kind.into(), i, j];
            self.best.of.iter().zip(of).for_each(|(&entry, value)| f.assign(entry, value));
        });
    }

    fn planes(&self, f: &mut FunctionBuilder) {
        for (kind, sign) in [(PLANE_OF_FIRST, 1.0), (PLANE_OF_SECOND, -1.0)] {
            let shape = &self.shapes[kind];
            f.for_each("i", 0, planes(self.tables, shape), |f, i| {
                let n = Plain::of(&f.call(self.parts.normal, (shape, i))).times(sign).keep(f, "n");
                f.if_(n.dot(&self.way).ge(0.0), |f| self.offer(f, &n, kind, i.get(), 0.into()));
            });
        }
    }

    fn family_of(&self, f: &mut FunctionBuilder, shape: usize, i: LocalId) -> (Plain, Expression) {
        let found = f.call(self.parts.family, (&self.shapes[shape], i));
        (Plain::of(&found), found[3].get())
    }

    /// Both directions that have given parts along two axes.
    fn straight(&self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, families(self.tables, &self.shapes[0]), |f, i| {
            let (a, k) = self.family_of(f, 0, i);
            f.for_each("j", 0, families(self.tables, &self.shapes[1]), |f, j| {
                let (b, l) = self.family_of(f, 1, j);
                let (cosine, l) = (a.dot(&b).keep(f, "cosine"), -l);
                let cross = a.cross(&b).keep(f, "cross");
                let square = cross.dot(&cross).keep(f, "square");
                f.if_(square.clone().gt(PARALLEL * PARALLEL), |f| {
                    let alpha = (k.clone() - cosine.clone() * l.clone()) / square.clone();
                    let beta = (l.clone() - cosine.clone() * k.clone()) / square.clone();
                    let plane = (a.times(alpha.keep(f, "alpha")) + b.times(beta.keep(f, "beta"))).keep(f, "plane");
                    let left = f.real("left", (1.0 - plane.dot(&plane)) / square.clone());
                    f.if_(left.gt(0.0), |f| {
                        for sign in [1.0, -1.0] {
                            let n = (plane.clone() + cross.times(left.sqrt() * sign)).keep(f, "n");
                            self.offer(f, &n, STRAIGHT, i.get(), j.get());
                        }
                    });
                });
            });
        });
    }

    fn families(&self, f: &mut FunctionBuilder) {
        for (kind, shape, sign) in [(STRAIGHT_ON_FIRST, 0, 1.0), (STRAIGHT_ON_SECOND, 1, -1.0)] {
            f.for_each("i", 0, families(self.tables, &self.shapes[shape]), |f, i| {
                let (a, k) = self.family_of(f, shape, i);
                let mut arguments = a.after(self.shapes.clone());
                arguments.push(k * sign);
                let n = Plain::of(&f.call(self.family, arguments));
                self.offer(f, &n, kind, i.get(), 0.into());
            });
        }
    }

    /// Each part that is round or a vertex against each of the other, by Newton's method.
    fn anywhere(&self, f: &mut FunctionBuilder) {
        f.for_each("i", 0, ends(self.tables, &self.shapes[0]), |f, i| {
            let first = self.parts.end(f, &self.shapes[0], i);
            f.for_each("j", 0, ends(self.tables, &self.shapes[1]), |f, j| {
                let second = self.parts.end(f, &self.shapes[1], j);
                self.ascend(f, [&first, &second]);
            });
        });
    }

    fn ascend(&self, f: &mut FunctionBuilder, [first, second]: [&(Plain, Expression); 2]) {
        let round = Round {
            facing: Facing { parts: &self.parts, shapes: self.shapes.clone() },
            kinds: [first.1.clone(), second.1.clone()],
            centres: [first.0.clone(), second.0.clone()],
            axes: [0, 1].map(|k| axis_z(f, "axis", self.tables, &self.shapes[k])),
        };
        let n = round.ascend(f);
        self.offer(f, &Plain::of(&n), ROUND, 0.into(), 0.into());
    }
}

/// The way between the farthest points of two shapes against one another, and the kinds of parts that these are on.
fn way(f: &mut FunctionBuilder, parts: &Parts, shapes: &[Expression; 2], n: &Plain) -> (Plain, [Expression; 2]) {
    let (p, first, _) = parts.farthest(f, &shapes[0], n);
    let (q, second, _) = parts.farthest(f, &shapes[1], &-n.clone());
    ((q - p).keep(f, "way"), [first, second])
}

/// `(a, b, a_x, a_y, a_z, k) -> (n_x, n_y, n_z)`: of the directions n·a = k the one of the largest separation. The best of some samples, then halvings of
/// the interval between its neighbours, by the sign of the derivative: that is at home on corners as well as on what is smooth.
fn around_axis(module: &mut ModuleBuilder, parts: Parts) -> FunctionId {
    let parameters = [("a", Integer), ("b", Integer), ("a_x", Real), ("a_y", Real), ("a_z", Real), ("k", Real)];
    module.function("convex_around_axis", &parameters, &[Real; 3], |f| {
        let [a, b, x, y, z, k] = f.parameters();
        let (shapes, axis) = ([a.get(), b.get()], Plain::of(&[x, y, z]));
        let c = (1.0 - k * k).root(f, "c");
        let [u, v] = tangents(f, &axis);
        let sample = |f: &mut FunctionBuilder, j: Expression| {
            let place = f.integer("place", j.and(SAMPLES - 1));
            (u.times(parts.round.at(place)) + v.times(parts.round.at(place + SAMPLES))).keep(f, "rho")
        };
        let normal = |rho: &Plain| axis.times(k) + rho.times(c.clone());
        let (best, most) = (f.integer("best", 0), f.real("most", -FAR));
        f.for_each("j", 0, SAMPLES, |f, j| {
            let rho = sample(f, j.get());
            let n = normal(&rho).keep(f, "n");
            let (way, _) = way(f, &parts, &shapes, &n);
            let s = f.real("s", way.dot(&n));
            f.if_(s.gt(most), |f| {
                f.assign(most, s);
                f.assign(best, j);
            });
        });
        let low = sample(f, best - 1).0.map(|entry| f.real("low", entry));
        let high = sample(f, best + 1).0.map(|entry| f.real("high", entry));
        let middle = |f: &mut FunctionBuilder| {
            let sum = (Plain::of(&low) + Plain::of(&high)).keep(f, "sum");
            let length = sum.length(f, "length");
            sum.over(length).keep(f, "middle")
        };
        f.for_each("round", 0, HALVINGS, |f, _| {
            let rho = middle(f);
            let n = normal(&rho).keep(f, "n");
            let rises = way(f, &parts, &shapes, &n).0.dot(&axis.cross(&rho)).gt(0.0);
            let rises = f.integer("rises", rises);
            for k in 0..3 {
                f.assign(low[k], rises.select(rho.0[k].clone(), low[k]));
                f.assign(high[k], rises.select(high[k], rho.0[k].clone()));
            }
        });
        let rho = middle(f);
        f.return_(normal(&rho).0);
    })
}
