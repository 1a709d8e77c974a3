//! How far inside of its feature a point is. Features are regions: a face ends at its sides, an edge at its vertices and where its faces begin, a
//! vertex where its edges begin (Voronoi regions of the core).

use super::{
    FAR, PARALLEL, Points, SLACK,
    dual::Moving,
    feature::{
        FEATURES, FIRST, FIRST_ALONG, FIRST_LENGTH, FIRST_PART, Feature, SECOND, SECOND_ALONG, SECOND_LENGTH,
        SECOND_PART, TURNED,
    },
    place::{Material, turned},
    tables::{Part, Tables},
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// `(slot: integer) -> real`: see [`Geometry::margin`](super::Geometry::margin).
pub fn margin(module: &mut ModuleBuilder, tables: &Tables, at: &Material) -> FunctionId {
    let regions = Regions {
        face: region(module, "face", |f, shape, part, p| face(f, tables, at, shape, part, p)),
        edge: region(module, "edge", |f, shape, part, p| edge(f, tables, shape, part, p)),
        vertex: region(module, "vertex", |f, shape, part, p| vertex(f, tables, at, shape, part, p)),
    };
    let margin = module.declare("contact_margin", &[("slot", Integer)], &[Real]);
    module.describe(margin, "How far a point is from the ends of its feature.");
    module.define(margin, |f| {
        let [slot] = f.parameters();
        let ends = Ends::load(f, tables, *at, slot);
        let case = |f: &mut FunctionBuilder, kind: usize| {
            let inside = ends.inside(f, &regions, FEATURES[kind]);
            f.return_(inside + ends.slack.clone());
        };
        f.switch(tables.points.kind.at(slot), FEATURES.len(), case, |_| ());
        f.return_(FAR);
    });
    margin
}

/// `(shape, part, x, y, z) -> real`: how far a place in the world, or for edges a direction, is inside the region of a part; [`FAR`] where the part
/// is −1.
struct Regions {
    face: FunctionId,
    edge: FunctionId,
    vertex: FunctionId,
}

fn region(
    module: &mut ModuleBuilder,
    name: &str,
    body: impl Fn(&mut FunctionBuilder, Expression, LocalId, Plain) -> Expression,
) -> FunctionId {
    let parameters = [("shape", Integer), ("part", Integer), ("x", Real), ("y", Real), ("z", Real)];
    module.function(&format!("inside_{name}"), &parameters, &[Real], |f| {
        let [shape, part, x, y, z] = f.parameters();
        f.if_(part.lt(0), |f| f.return_(FAR));
        let inside = body(f, shape.get(), part, Plain::of(&[x, y, z]));
        f.return_(inside);
    })
}

/// The least distance to the sides of a face, all of which have the face on their left.
fn face(
    f: &mut FunctionBuilder,
    tables: &Tables,
    at: &Material,
    shape: Expression,
    part: LocalId,
    p: Plain,
) -> Expression {
    let solids = &tables.solids;
    let face = f.integer("face", solids.first(Part::Faces, &shape) + part);
    let n = world_normal(f, tables, &shape, face.get());
    let (first, count) =
        (f.integer("first", solids.faces.at(face * 2)), f.integer("count", solids.faces.at(face * 2 + 1)));
    let least = f.real("least", FAR);
    f.for_each("k", 0, count, |f, k| {
        let next = f.integer("next", (k + 1).lt(count).select(k + 1, 0));
        let from = at.vertex(f, &shape, solids.corners.at(first + k));
        let to = at.vertex(f, &shape, solids.corners.at(first + next));
        let side = (to - from.clone()).keep(f, "side");
        let length = side.length(f, "length");
        let inwards = n.cross(&side).keep(f, "inwards");
        f.assign(least, least.min(inwards.dot(&(p.clone() - from)) / length));
    });
    least.get()
}

/// How far a direction across an edge is from those of its two faces, between which it should be.
fn edge(f: &mut FunctionBuilder, tables: &Tables, shape: Expression, part: LocalId, way: Plain) -> Expression {
    let solids = &tables.solids;
    let place = f.integer("place", (solids.first(Part::Edges, &shape) + part) * 2);
    f.if_(solids.edge_faces.at(place).lt(0), |f| f.return_(FAR));
    let faces = f.integer("faces", solids.first(Part::Faces, &shape));
    let n = world_normal(f, tables, &shape, solids.edge_faces.at(place) + faces);
    let m = world_normal(f, tables, &shape, solids.edge_faces.at(place + 1) + faces);
    let cosine = n.dot(&m).keep(f, "cosine");
    let sine = (1.0 - cosine.clone() * cosine.clone()).sqrt();
    let (along_n, along_m) = (n.dot(&way).keep(f, "along_n"), m.dot(&way).keep(f, "along_m"));
    let from_m = along_n.clone() - cosine.clone() * along_m.clone();
    let from_n = along_m - cosine * along_n;
    from_m.min(from_n) / sine
}

/// How far a place is behind a vertex, seen along each of its edges.
fn vertex(
    f: &mut FunctionBuilder,
    tables: &Tables,
    at: &Material,
    shape: Expression,
    part: LocalId,
    p: Plain,
) -> Expression {
    let solids = &tables.solids;
    let first = f.integer("first", solids.first(Part::Edges, &shape));
    let here = at.vertex(f, &shape, part);
    let way = (p - here.clone()).keep(f, "way");
    let least = f.real("least", FAR);
    f.for_each("k", 0, solids.count(Part::Edges, &shape), |f, k| {
        let (from, to) = (solids.edges.at((first + k) * 2), solids.edges.at((first + k) * 2 + 1));
        let (from, to) = (f.integer("from", from), f.integer("to", to));
        let other = f.integer("other", from.eq_(part).select(to, from));
        f.if_(from.eq_(part).or(to.eq_(part)).and(from.ne_(to)), |f| {
            let edge = (at.vertex(f, &shape, other) - here.clone()).keep(f, "edge");
            let length = edge.length(f, "length");
            f.assign(least, least.min(-(way.dot(&edge) / length)));
        });
    });
    least.get()
}

fn world_normal(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression, face: Expression) -> Plain {
    let own = Plain::load(f, "own", tables.solids.normals, face * 3);
    turned(tables.poses, shape.clone() * 12, &own).keep(f, "n")
}

/// The two sides of the feature in a slot, and where they are.
struct Ends {
    data: kernel::ArrayId,
    base: Expression,
    shapes: [Expression; 2],
    points: [Plain; 2],
    alongs: [Plain; 2],
    slack: Expression,
}

impl Ends {
    fn load(f: &mut FunctionBuilder, tables: &Tables, at: Material, slot: LocalId) -> Ends {
        let data = tables.points.data;
        let base = f.integer("base", slot * Points::DATA);
        let [a, b] = tables.shapes(tables.points.pair.at(slot)).map(|shape| f.integer("shape", shape));
        let is_straight = f.integer("is_straight", data.at(base + TURNED).gt(0.0));
        let shapes = [is_straight.select(a, b), is_straight.select(b, a)].map(|shape| f.integer("side", shape).get());
        let frames = shapes.clone().map(|shape| f.integer("frame", tables.frames.at(shape)).get());
        let place = |f: &mut FunctionBuilder, side: usize, place: usize, call: FunctionId| {
            let own = Plain::load(f, "own", data, base + place);
            Moving::of(&f.call(call, own.after([frames[side].clone()]))).value()
        };
        let points = [place(f, 0, FIRST, at.point), place(f, 1, SECOND, at.point)];
        let alongs = [place(f, 0, FIRST_ALONG, at.direction), place(f, 1, SECOND_ALONG, at.direction)];
        let slack = (tables.radius.at(a).min(tables.radius.at(b)) * SLACK).keep(f, "slack");
        Ends { data, base: base.get(), shapes, points, alongs, slack }
    }

    fn number(&self, place: usize) -> Expression {
        self.data.at(self.base.clone() + place)
    }

    fn inside(&self, f: &mut FunctionBuilder, regions: &Regions, kind: Feature) -> Expression {
        let ([p, q], [d, e]) = (&self.points, &self.alongs);
        let part = |side: usize| self.number([FIRST_PART, SECOND_PART][side]).to_integer();
        let region = |f: &mut FunctionBuilder, region: FunctionId, side: usize, place: &Plain| {
            f.call1(region, place.after([self.shapes[side].clone(), part(side)]))
        };
        match kind {
            Feature::PlanePoint => region(f, regions.face, 0, q).get(),
            Feature::PointPoint => {
                let first = region(f, regions.vertex, 0, q);
                let second = region(f, regions.vertex, 1, p);
                first.min(second)
            }
            Feature::PointLine => {
                let way = (p.clone() - q.clone()).keep(f, "way");
                let t = way.dot(e).keep(f, "t");
                let foot = (q.clone() + e.times(t.clone())).keep(f, "foot");
                let first = region(f, regions.vertex, 0, &foot);
                let second = region(f, regions.edge, 1, &way);
                first.min(second).min(within(&t, self.number(SECOND_LENGTH)))
            }
            Feature::LineLine => {
                let cross = d.cross(e).keep(f, "cross");
                let square = cross.dot(&cross).keep(f, "square");
                let w = (q.clone() - p.clone()).keep(f, "w");
                let s = (w.cross(e).keep(f, "across").dot(&cross) / square.clone()).keep(f, "s");
                let t = (w.cross(d).keep(f, "across").dot(&cross) / square.clone()).keep(f, "t");
                let (first, second) = (self.number(FIRST_LENGTH), self.number(SECOND_LENGTH));
                // Lines that have become parallel have no normal of their own any more.
                let turned = (square.sqrt() - 0.5 * PARALLEL) * first.clone();
                within(&s, first).min(within(&t, second)).min(turned)
            }
        }
    }
}

/// How far a place is from both ends of an edge.
fn within(place: &Expression, length: Expression) -> Expression {
    place.clone().min(length - place.clone())
}
