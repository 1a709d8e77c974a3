//! Separating axes: two polytopes are apart if they are along the normal of a face of one of them, or along one that is normal to an edge of each.
//!
//! The separation along the best axis is no more than the distance, and both vanish together. Free space at a corner is a union of half-spaces, so
//! where several axes are equally good, only one of them has to hold: the one along which the shapes part soonest.

use super::{
    FAR, INSIDE, PARALLEL,
    place::{Material, centre},
    regions::world_normal,
    segments,
    tables::{Part, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Kinds of axes, in the order in which equals are preferred.
pub const FACE_OF_FIRST: usize = 0;
pub const FACE_OF_SECOND: usize = 1;
pub const EDGES: usize = 2;

/// An axis of edges counts as better only if it is by so much, relative to the smaller shape: rounding must not hide a face behind its edges.
const BETTER: f64 = 1e-12;

/// Of axes equally good, one counts as parting sooner if it does by so much, relative to the speeds of the shapes.
const SOONER: f64 = 1e-9;

#[derive(Clone, Copy)]
pub struct Axes {
    /// `(a, b) -> (s, n_x, n_y, n_z)`: the largest separation, and its axis, from a to b.
    pub separate: FunctionId,
    /// `(a, b) -> (kind, i, j, n_x, n_y, n_z)`: the axis that has to hold, which face of the one or edges of both it belongs to.
    pub choose: FunctionId,
}

pub fn axes(
    module: &mut ModuleBuilder,
    tables: &Tables,
    at: Material,
    [nearest, support, supporting]: [FunctionId; 3],
) -> Axes {
    let sought = Sought { tables, support };
    let separate = module.declare("axes_separate", &[("a", Integer), ("b", Integer)], &[Real; 4]);
    module.describe(separate, "The largest separation of two polytopes over their axes.");
    module.define(separate, |f| sought.separate(f));
    let rates = Rates { tables, at, nearest, velocity: velocity(module, tables), supporting };
    let over_face = rates.over_face(module);
    let results = [Integer, Integer, Integer, Real, Real, Real];
    let choose = module.declare("axes_choose", &[("a", Integer), ("b", Integer)], &results);
    module
        .describe(choose, "The axis that keeps two polytopes apart: of equals the one along which they part soonest.");
    module.define(choose, |f| sought.choose(f, separate, &rates, over_face));
    Axes { separate, choose }
}

struct Axis {
    kind: usize,
    i: Expression,
    j: Expression,
    n: Plain,
    s: LocalId,
}

struct Sought<'a> {
    tables: &'a Tables,
    support: FunctionId,
}

impl Sought<'_> {
    /// Looks at each axis that points from the first shape to the second.
    fn for_each(&self, f: &mut FunctionBuilder, mut body: impl FnMut(&mut FunctionBuilder, Axis)) {
        let [a, b] = [0, 1].map(|k| f.parameter(k).get());
        let way = (centre(f, "b", self.tables, &b) - centre(f, "a", self.tables, &a)).keep(f, "way");
        for (kind, shape, sign) in [(FACE_OF_FIRST, &a, 1.0), (FACE_OF_SECOND, &b, -1.0)] {
            let first = f.integer("first", self.tables.solids.first(Part::Faces, shape));
            f.for_each("face", 0, self.tables.solids.count(Part::Faces, shape), |f, face| {
                let n = world_normal(f, self.tables, shape, first + face).times(sign).keep(f, "n");
                f.if_(n.dot(&way).ge(0.0), |f| {
                    let s = self.separation(f, &a, &b, &way, &n);
                    body(f, Axis { kind, i: face.get(), j: 0.into(), n, s });
                });
            });
        }
        let directions = |shape: &Expression| self.tables.solids.count(Part::Directions, shape);
        f.for_each("i", 0, directions(&a), |f, i| {
            let d = self.direction(f, &a, i);
            f.for_each("j", 0, directions(&b), |f, j| {
                let e = self.direction(f, &b, j);
                let cross = d.cross(&e).keep(f, "cross");
                let square = cross.dot(&cross).keep(f, "square");
                let size = d.dot(&d) * e.dot(&e) * (PARALLEL * PARALLEL);
                f.if_(square.clone().gt(size), |f| {
                    let length = square.sqrt().copysign(cross.dot(&way)).keep(f, "length");
                    let n = cross.over(length).keep(f, "n");
                    let s = self.separation(f, &a, &b, &way, &n);
                    body(f, Axis { kind: EDGES, i: i.get(), j: j.get(), n, s });
                });
            });
        });
    }

    fn separation(&self, f: &mut FunctionBuilder, a: &Expression, b: &Expression, way: &Plain, n: &Plain) -> LocalId {
        let reach_a = f.call1(self.support, n.after([a.clone()]));
        let reach_b = f.call1(self.support, (-n.clone()).after([b.clone()]));
        f.real("s", n.dot(way) - reach_a - reach_b)
    }

    /// An edge of one of the directions of a shape, as a vector in the world.
    fn direction(&self, f: &mut FunctionBuilder, shape: &Expression, k: LocalId) -> Plain {
        let solids = &self.tables.solids;
        let edge = solids.first(Part::Edges, shape) + solids.directions.at(solids.first(Part::Directions, shape) + k);
        let edge = f.integer("edge", edge * 2);
        let first = f.integer("first", solids.first(Part::Vertices, shape));
        let own = [0, 1, 2].map(|axis| {
            let vertex = |k: usize| solids.vertices.at((first + solids.edges.at(edge + k)) * 3 + axis);
            (vertex(1) - vertex(0)) * self.tables.stretch.at(shape.clone() * 3 + axis)
        });
        let own = Vector(own).keep(f, "own");
        super::place::turned(self.tables.poses, shape.clone() * 12, &own).keep(f, "direction")
    }

    fn smaller(&self, f: &mut FunctionBuilder) -> Expression {
        let [a, b] = [0, 1].map(|k| f.parameter(k));
        self.tables.radius.at(a).min(self.tables.radius.at(b)).keep(f, "smaller")
    }

    fn separate(&self, f: &mut FunctionBuilder) {
        let better = (self.smaller(f) * BETTER).keep(f, "better");
        let best = f.real("best", -FAR);
        let found = [0.0, 0.0, 1.0].map(|entry| f.real("best_n", entry));
        self.for_each(f, |f, axis| {
            let bar = if axis.kind == EDGES { best + better.clone() } else { best.get() };
            f.if_(axis.s.gt(bar), |f| {
                f.assign(best, axis.s);
                found.iter().zip(axis.n.0).for_each(|(&entry, value)| f.assign(entry, value));
            });
        });
        f.return_([best].into_iter().chain(found).collect::<Vec<_>>());
    }

    fn choose(&self, f: &mut FunctionBuilder, separate: FunctionId, rates: &Rates, over_face: FunctionId) {
        let [a, b] = [0, 1].map(|k| f.parameter(k).get());
        let [largest, _, _, _] = f.call_n(separate, (&a, &b));
        let band = (self.smaller(f) * INSIDE).keep(f, "band");
        let sooner = rates.scale(f, &a, &b) * SOONER;
        let sooner = sooner.keep(f, "sooner");
        let best = f.real("best", -FAR);
        let chosen = [0, 0, 0].map(|entry| f.integer("chosen", entry));
        let found = [0.0, 0.0, 1.0].map(|entry| f.real("chosen_n", entry));
        self.for_each(f, |f, axis| {
            f.if_(axis.s.ge(largest - band.clone()), |f| {
                let (rate, i, j) = match axis.kind {
                    FACE_OF_FIRST => {
                        let arguments = axis.n.after([a.clone(), b.clone(), band.clone()]);
                        (f.call1(over_face, arguments).get(), axis.i, axis.j)
                    }
                    FACE_OF_SECOND => {
                        let arguments = (-axis.n.clone()).after([b.clone(), a.clone(), band.clone()]);
                        (f.call1(over_face, arguments).get(), axis.i, axis.j)
                    }
                    _ => rates.between_edges(f, [&a, &b], [axis.i, axis.j], &axis.n),
                };
                f.if_(rate.clone().gt(best + sooner.clone()), |f| {
                    f.assign(best, rate);
                    let axis_of = [axis.kind.into(), i, j];
                    chosen.iter().zip(axis_of).for_each(|(&entry, value)| f.assign(entry, value));
                    found.iter().zip(axis.n.0).for_each(|(&entry, value)| f.assign(entry, value));
                });
            });
        });
        f.return_(chosen.into_iter().chain(found).collect::<Vec<_>>());
    }
}

/// How fast shapes part along an axis.
struct Rates<'a> {
    tables: &'a Tables,
    at: Material,
    nearest: FunctionId,
    velocity: FunctionId,
    supporting: FunctionId,
}

impl Rates<'_> {
    fn velocity(&self, f: &mut FunctionBuilder, shape: &Expression, p: &Plain) -> Plain {
        Plain::of(&f.call(self.velocity, p.after([shape.clone()])))
    }

    /// A speed that points of the two have of one another at most, but for a factor.
    fn scale(&self, f: &mut FunctionBuilder, a: &Expression, b: &Expression) -> Expression {
        let turning = |f: &mut FunctionBuilder, shape: &Expression| {
            let w = Plain::load(f, "w", self.tables.bodies.twist, self.tables.frames.at(shape) * 6 + 3);
            w.length(f, "turning") * self.tables.radius.at(shape)
        };
        let turning = turning(f, a) + turning(f, b);
        let (p, q) = (centre(f, "p", self.tables, a), centre(f, "q", self.tables, b));
        let u = (self.velocity(f, b, &q) - self.velocity(f, a, &p)).keep(f, "u");
        u.length(f, "speed") + turning
    }

    /// `(reference, other, band, n_x, n_y, n_z) -> real`: the least rate of those vertices that are lowest over a face, whose normal is n.
    fn over_face(&self, module: &mut ModuleBuilder) -> FunctionId {
        let parameters =
            [("reference", Integer), ("other", Integer), ("band", Real), ("n_x", Real), ("n_y", Real), ("n_z", Real)];
        module.function("rate_over_face", &parameters, &[Real], |f| {
            let [reference, other, band, x, y, z] = f.parameters();
            let (n, reference, other) = (Plain::of(&[x, y, z]), reference.get(), other.get());
            let count = f.integer("count", self.tables.solids.count(Part::Vertices, &other));
            let lowest = f.real("lowest", FAR);
            f.for_each("k", 0, count, |f, k| {
                let vertex = self.at.vertex(f, &other, k);
                f.assign(lowest, lowest.min(n.dot(&vertex)));
            });
            let least = f.real("least", FAR);
            f.for_each("k", 0, count, |f, k| {
                let vertex = self.at.vertex(f, &other, k);
                f.if_(n.dot(&vertex).le(lowest + band), |f| {
                    let u = self.velocity(f, &other, &vertex) - self.velocity(f, &reference, &vertex);
                    f.assign(least, least.min(n.dot(&u)));
                });
            });
            f.return_(least);
        })
    }

    /// The rate where two edges cross, and which they are.
    fn between_edges(
        &self,
        f: &mut FunctionBuilder,
        [a, b]: [&Expression; 2],
        [i, j]: [Expression; 2],
        n: &Plain,
    ) -> (Expression, Expression, Expression) {
        let i = f.call1(self.supporting, n.after([a.clone(), i])).get();
        let j = f.call1(self.supporting, (-n.clone()).after([b.clone(), j])).get();
        let [p, d] = segments::edge(f, self.tables, self.at.vertex, a, &i);
        let [q, e] = segments::edge(f, self.tables, self.at.vertex, b, &j);
        let [s, _] = segments::call(f, self.nearest, [&p, &d, &q, &e]);
        let place = (p + d.times(s)).keep(f, "place");
        let u = self.velocity(f, b, &place) - self.velocity(f, a, &place);
        (n.dot(&u).keep(f, "rate"), i, j)
    }
}

/// `(shape, x, y, z) -> (v_x, v_y, v_z)`: the velocity of the shape's frame at a place in the world.
fn velocity(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
    let parameters = [("shape", Integer), ("x", Real), ("y", Real), ("z", Real)];
    module.function("shape_velocity", &parameters, &[Real; 3], |f| {
        let [shape, x, y, z] = f.parameters();
        let frame = f.integer("frame", tables.frames.at(shape));
        let arm = Plain::of(&[x, y, z]) - Plain::load(f, "o", tables.bodies.pose, frame * 12);
        let arm = arm.keep(f, "arm");
        let w = Plain::load(f, "w", tables.bodies.twist, frame * 6 + 3);
        let v = Plain::load(f, "v", tables.bodies.twist, frame * 6) + w.cross(&arm);
        f.return_(v.0);
    })
}

/// `(shape, direction, n_x, n_y, n_z) -> integer`: of the edges along a direction the one that is farthest along n.
pub fn supporting_edge(module: &mut ModuleBuilder, tables: &Tables, at: &Material) -> FunctionId {
    let parameters = [("shape", Integer), ("direction", Integer), ("n_x", Real), ("n_y", Real), ("n_z", Real)];
    module.function("supporting_edge", &parameters, &[Integer], |f| {
        let [shape, direction, x, y, z] = f.parameters();
        let (shape, n) = (shape.get(), Plain::of(&[x, y, z]));
        let first = f.integer("first", tables.solids.first(Part::Edges, &shape));
        let (best, farthest) = (f.integer("best", 0), f.real("farthest", -FAR));
        f.for_each("k", 0, tables.solids.count(Part::Edges, &shape), |f, k| {
            f.if_(tables.solids.edge_directions.at(first + k).eq_(direction), |f| {
                let [p, d] = segments::edge(f, tables, at.vertex, &shape, &k.get());
                let height = f.real("height", n.dot(&(p + d.times(0.5))));
                f.if_(height.gt(farthest), |f| {
                    f.assign(farthest, height);
                    f.assign(best, k);
                });
            });
        });
        f.return_(best);
    })
}
