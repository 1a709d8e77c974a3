//! The nearest parts of two polytopes that are apart: a vertex and a face, or two edges, which may end there.

use super::{
    FAR,
    distance::direction,
    place::Material,
    regions::{Regions, world_normal},
    segments,
    tables::{Part, Tables},
    vector::Plain,
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// Which parts are nearest.
pub const VERTEX_FACE: usize = 0;
pub const FACE_VERTEX: usize = 1;
pub const EDGE_EDGE: usize = 2;
pub const VERTEX_EDGE: usize = 3;
pub const EDGE_VERTEX: usize = 4;
pub const VERTEX_VERTEX: usize = 5;

/// `(a, b) -> (distance, n_x, n_y, n_z, parts, i, j)`: the distance of the cores, the direction from a to b, and the parts that are nearest.
pub fn proximity(
    module: &mut ModuleBuilder,
    tables: &Tables,
    at: Material,
    regions: Regions,
    nearest: FunctionId,
) -> FunctionId {
    let results = [Real, Real, Real, Real, Integer, Integer, Integer];
    let proximity = module.declare("polytope_proximity", &[("a", Integer), ("b", Integer)], &results);
    module.describe(proximity, "The nearest parts of two polytopes that are apart.");
    module.define(proximity, |f| {
        let [a, b] = f.parameters();
        let best = Best {
            distance: f.real("distance", FAR),
            n: [0.0, 0.0, 1.0].map(|entry| f.real("n", entry)),
            parts: [0, 0, 0].map(|entry| f.integer("part", entry)),
        };
        let search = Search { tables, at, regions, nearest, best };
        search.vertices_over_faces(f, &a.get(), &b.get(), VERTEX_FACE);
        search.vertices_over_faces(f, &b.get(), &a.get(), FACE_VERTEX);
        search.edges(f, &a.get(), &b.get());
        let Best { distance, n, parts } = search.best;
        f.return_([distance].into_iter().chain(n).chain(parts).collect::<Vec<_>>());
    });
    proximity
}

#[derive(Clone, Copy)]
struct Best {
    distance: LocalId,
    n: [LocalId; 3],
    parts: [LocalId; 3],
}

impl Best {
    fn set(&self, f: &mut FunctionBuilder, distance: LocalId, n: &Plain, parts: [Expression; 3]) {
        f.assign(self.distance, distance);
        self.n.iter().zip(&n.0).for_each(|(&entry, value)| f.assign(entry, value));
        self.parts.iter().zip(parts).for_each(|(&entry, value)| f.assign(entry, value));
    }
}

struct Search<'a> {
    tables: &'a Tables,
    at: Material,
    regions: Regions,
    nearest: FunctionId,
    best: Best,
}

impl Search<'_> {
    /// Vertices of one shape over faces of the other.
    fn vertices_over_faces(&self, f: &mut FunctionBuilder, shape: &Expression, other: &Expression, parts: usize) {
        let solids = &self.tables.solids;
        let first = f.integer("first", solids.first(Part::Faces, other));
        f.for_each("face", 0, solids.count(Part::Faces, other), |f, face| {
            let n = world_normal(f, self.tables, other, first + face);
            let corner = solids.corners.at(solids.faces.at((first + face) * 2));
            let corner = self.at.vertex(f, other, corner);
            f.for_each("k", 0, solids.count(Part::Vertices, shape), |f, k| {
                let p = self.at.vertex(f, shape, k);
                let height = f.real("height", n.dot(&(p.clone() - corner.clone())));
                f.if_(height.ge(0.0).and(height.lt(self.best.distance)), |f| {
                    let inside = f.call1(self.regions.face, p.after([other.clone(), face.get()]));
                    f.if_(inside.ge(0.0), |f| {
                        let is_straight = parts == FACE_VERTEX;
                        let (i, j) = if is_straight { (face, k) } else { (k, face) };
                        let n = n.times(if is_straight { 1.0 } else { -1.0 });
                        self.best.set(f, height, &n, [parts.into(), i.get(), j.get()]);
                    });
                });
            });
        });
    }

    fn edges(&self, f: &mut FunctionBuilder, a: &Expression, b: &Expression) {
        let solids = &self.tables.solids;
        let [edges_a, edges_b] = [a, b].map(|shape| f.integer("edges", solids.first(Part::Edges, shape)));
        f.for_each("i", 0, solids.count(Part::Edges, a), |f, i| {
            let [p, d] = segments::edge(f, self.tables, self.at.vertex, a, &i.get());
            f.for_each("j", 0, solids.count(Part::Edges, b), |f, j| {
                let [q, e] = segments::edge(f, self.tables, self.at.vertex, b, &j.get());
                let [s, t] = segments::call(f, self.nearest, [&p, &d, &q, &e]);
                let way = (q + e.times(t.clone()) - p.clone() - d.times(s.clone())).keep(f, "way");
                let length = f.real("length", way.dot(&way).sqrt());
                f.if_(length.lt(self.best.distance), |f| {
                    let n = direction(f, &way, &length.get());
                    let end = |first: LocalId, edge: LocalId, place: &Expression| {
                        solids.edges.at((first + edge) * 2 + place.clone().ge(1.0))
                    };
                    let (in_a, in_b) = (segments::is_inner(&s), segments::is_inner(&t));
                    let (in_a, in_b) = (f.integer("in_a", in_a), f.integer("in_b", in_b));
                    let alone = in_b.select(VERTEX_EDGE, in_a.select(EDGE_VERTEX, VERTEX_VERTEX));
                    let parts = in_a.and(in_b).select(EDGE_EDGE, alone);
                    let (i, j) = (in_a.select(i, end(edges_a, i, &s)), in_b.select(j, end(edges_b, j, &t)));
                    self.best.set(f, length, &n, [parts, i, j]);
                });
            });
        });
    }
}
