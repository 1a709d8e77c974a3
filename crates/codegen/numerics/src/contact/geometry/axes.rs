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
/// What is no axis.
pub const NONE: usize = 3;

/// An axis of edges counts as better only if it is by so much, relative to the smaller shape: rounding must not hide a face behind its edges.
const BETTER: f64 = 1e-12;

/// Of axes equally good, one counts as parting sooner if it does by so much, relative to the speeds of the shapes.
const SOONER: f64 = 1e-9;

/// An axis of edges is that of a face beside one of them if the sine of the angle between them is below this: then the corners of that face say
/// more than one crossing can.
const BESIDE: f64 = 1e-6;

#[derive(Clone, Copy)]
pub struct Axes {
    /// `(a, b) -> (s, n_x, n_y, n_z)`: the largest separation, and its axis, from a to b.
    pub separate: FunctionId,
    support: FunctionId,
    supporting: FunctionId,
}

pub fn axes(module: &mut ModuleBuilder, tables: &Tables, [support, supporting]: [FunctionId; 2]) -> Axes {
    let separate = module.declare("axes_separate", &[("a", Integer), ("b", Integer)], &[Real; 4]);
    module.describe(separate, "The largest separation of two polytopes over their axes.");
    module.define(separate, |f| Sought::of(f, tables, support, 0).separate(f));
    Axes { separate, support, supporting }
}

/// What is asked of an axis, and the answer of one that has no points.
pub struct Rate {
    /// `(pair, a, b, within, kind, i, j, n_x, n_y, n_z) -> real`: how fast the points of an axis part, −[`FAR`] where it has none.
    pub call: FunctionId,
    /// `(shape, x, y, z) -> (v_x, v_y, v_z)`: the velocity of a shape's frame at a place in the world.
    pub velocity: FunctionId,
}

/// `(pair, a, b) -> (kind, i, j, n_x, n_y, n_z)`: the axis that has to hold, which face of the one or edges of both it belongs to. The kind is
/// [`NONE`] where none has points.
pub fn choose(module: &mut ModuleBuilder, tables: &Tables, axes: Axes, rate: &Rate) -> FunctionId {
    let results = [Integer, Integer, Integer, Real, Real, Real];
    let parameters = [("pair", Integer), ("a", Integer), ("b", Integer)];
    let choose = module.declare("axes_choose", &parameters, &results);
    module
        .describe(choose, "The axis that keeps two polytopes apart: of equals the one along which they part soonest.");
    module.define(choose, |f| {
        let sought = Sought::of(f, tables, axes.support, 1);
        match tables.slop {
            Some(slop) => sought.choose_lasting(f, axes.supporting, slop),
            None => sought.choose(f, axes, rate),
        }
    });
    choose
}

pub struct Axis {
    pub kind: usize,
    pub i: Expression,
    pub j: Expression,
    pub n: Plain,
    pub s: LocalId,
}

pub struct Sought<'a> {
    tables: &'a Tables,
    support: FunctionId,
    pub a: Expression,
    pub b: Expression,
}

impl Sought<'_> {
    /// For the shapes that are parameters of a function, from a place on.
    fn of<'a>(f: &FunctionBuilder, tables: &'a Tables, support: FunctionId, first: usize) -> Sought<'a> {
        Sought { tables, support, a: f.parameter(first).get(), b: f.parameter(first + 1).get() }
    }

    /// Looks at each axis that points from the first shape to the second.
    pub fn for_each(&self, f: &mut FunctionBuilder, mut body: impl FnMut(&mut FunctionBuilder, Axis)) {
        let [a, b] = [&self.a, &self.b];
        let way = (centre(f, "b", self.tables, b) - centre(f, "a", self.tables, a)).keep(f, "way");
        for (kind, shape, sign) in [(FACE_OF_FIRST, a, 1.0), (FACE_OF_SECOND, b, -1.0)] {
            let first = f.integer("first", self.tables.solids.first(Part::Faces, shape));
            f.for_each("face", 0, self.tables.solids.count(Part::Faces, shape), |f, face| {
                let n = world_normal(f, self.tables, shape, first + face).times(sign).keep(f, "n");
                f.if_(n.dot(&way).ge(0.0), |f| {
                    let s = self.separation(f, &way, &n);
                    body(f, Axis { kind, i: face.get(), j: 0.into(), n, s });
                });
            });
        }
        let directions = |shape: &Expression| self.tables.solids.count(Part::Directions, shape);
        f.for_each("i", 0, directions(a), |f, i| {
            let d = self.direction(f, a, i);
            f.for_each("j", 0, directions(b), |f, j| {
                let e = self.direction(f, b, j);
                let cross = d.cross(&e).keep(f, "cross");
                let square = cross.dot(&cross).keep(f, "square");
                let size = d.dot(&d) * e.dot(&e) * (PARALLEL * PARALLEL);
                f.if_(square.clone().gt(size), |f| {
                    let length = square.sqrt().copysign(cross.dot(&way)).keep(f, "length");
                    let n = cross.over(length).keep(f, "n");
                    let s = self.separation(f, &way, &n);
                    body(f, Axis { kind: EDGES, i: i.get(), j: j.get(), n, s });
                });
            });
        });
    }

    fn separation(&self, f: &mut FunctionBuilder, way: &Plain, n: &Plain) -> LocalId {
        let reach_a = f.call1(self.support, n.after([self.a.clone()]));
        let reach_b = f.call1(self.support, (-n.clone()).after([self.b.clone()]));
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

    pub fn smaller(&self, f: &mut FunctionBuilder) -> Expression {
        self.tables.radius.at(&self.a).min(self.tables.radius.at(&self.b)).keep(f, "smaller")
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

    fn choose(&self, f: &mut FunctionBuilder, axes: Axes, rate: &Rate) {
        let (a, b) = (&self.a, &self.b);
        let pair = f.parameter(0);
        let [largest, _, _, _] = f.call_n(axes.separate, (a, b));
        let band = (self.smaller(f) * INSIDE).keep(f, "band");
        let sooner = self.fastest(f, rate.velocity) * SOONER;
        let sooner = sooner.keep(f, "sooner");
        let best = f.real("best", -FAR);
        let chosen = [NONE, 0, 0].map(|entry| f.integer("chosen", entry));
        let found = [0.0, 0.0, 1.0].map(|entry| f.real("chosen_n", entry));
        self.for_each(f, |f, axis| {
            f.if_(axis.s.ge(largest - band.clone()), |f| {
                let [kind, i, j] = [axis.kind.into(), axis.i, axis.j].map(|entry| f.integer("axis_of", entry));
                let n = axis.n.0.clone().map(|value| f.real("n_of", value));
                let look = |f: &mut FunctionBuilder| {
                    let mut arguments = vec![pair.get(), a.clone(), b.clone(), f64::INFINITY.into()];
                    arguments.extend([kind, i, j].map(Term::get).into_iter().chain(n.map(Term::get)));
                    let parting = f.call1(rate.call, arguments);
                    f.if_(parting.gt(best + sooner.clone()), |f| {
                        f.assign(best, parting);
                        chosen.iter().zip([kind, i, j]).for_each(|(&entry, value)| f.assign(entry, value));
                        found.iter().zip(n).for_each(|(&entry, value)| f.assign(entry, value));
                    });
                    parting
                };
                if axis.kind != EDGES {
                    look(f);
                    return;
                }
                f.call_into(&[i], axes.supporting, axis.n.after([a.clone(), i.get()]));
                f.call_into(&[j], axes.supporting, (-axis.n.clone()).after([b.clone(), j.get()]));
                let edges = [i, j].map(|edge| f.integer("edge", edge));
                let own = n.map(|value| f.real("own_n", value));
                for (shape, edge, face) in [(a, edges[0], FACE_OF_FIRST), (b, edges[1], FACE_OF_SECOND)] {
                    self.give_way_to_face(f, (shape, edge, face), &Plain::of(&own), [kind, i], n);
                }
                let parting = look(f);
                f.note("A face that has no points leaves it to the edges.");
                f.if_(kind.ne_(EDGES as i64).and(parting.le(-FAR)), |f| {
                    f.assign(kind, EDGES as i64);
                    f.assign(i, edges[0]);
                    n.iter().zip(own).for_each(|(&entry, value)| f.assign(entry, value));
                    look(f);
                });
            });
        });
        f.return_(chosen.into_iter().chain(found).collect::<Vec<_>>());
    }

    /// Puts a face in place of edges, where their axis is the normal of one that is beside an edge. The face itself may be less good by far
    /// more than what counts as equal: where an edge lies down on it, one end of the edge is lower, though beyond the face.
    fn give_way_to_face(
        &self,
        f: &mut FunctionBuilder,
        (shape, edge, kind): (&Expression, LocalId, usize),
        n: &Plain,
        [kind_of, face_of]: [LocalId; 2],
        n_of: [LocalId; 3],
    ) {
        let solids = &self.tables.solids;
        let sign = if kind == FACE_OF_FIRST { 1.0 } else { -1.0 };
        let place = f.integer("place", (solids.first(Part::Edges, shape) + edge) * 2);
        f.for_each("k", 0, 2, |f, k| {
            let face = f.integer("beside", solids.edge_faces.at(place + k));
            f.if_(face.ge(0).and(kind_of.eq_(EDGES as i64)), |f| {
                let m = world_normal(f, self.tables, shape, solids.first(Part::Faces, shape) + face);
                let m = m.times(sign).keep(f, "m");
                let away = (m.clone() - n.clone()).keep(f, "away");
                f.if_(away.dot(&away).lt(BESIDE * BESIDE), |f| {
                    f.assign(kind_of, kind as i64);
                    f.assign(face_of, face);
                    n_of.iter().zip(m.0).for_each(|(&entry, value)| f.assign(entry, value));
                });
            });
        });
    }

    /// A speed that points of the two have of one another at most, but for a factor.
    fn fastest(&self, f: &mut FunctionBuilder, velocity: FunctionId) -> Expression {
        let turning = |f: &mut FunctionBuilder, shape: &Expression| {
            let w = Plain::load(f, "w", self.tables.bodies.twist, self.tables.frames.at(shape) * 6 + 3);
            w.length(f, "turning") * self.tables.radius.at(shape)
        };
        let turning = turning(f, &self.a) + turning(f, &self.b);
        let [p, q] = [&self.a, &self.b].map(|shape| {
            let c = centre(f, "c", self.tables, shape);
            Plain::of(&f.call(velocity, c.after([shape.clone()])))
        });
        let u = (q - p).keep(f, "u");
        u.length(f, "speed") + turning
    }
}

/// `(shape, x, y, z) -> (v_x, v_y, v_z)`: the velocity of the shape's frame at a place in the world.
pub fn velocity(module: &mut ModuleBuilder, tables: &Tables) -> FunctionId {
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
