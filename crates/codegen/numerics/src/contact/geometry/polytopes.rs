//! The points at which polytopes touch: the corners of the polygon that two faces have in common, or where two edges cross.
//!
//! Each corner is a feature of its own: a vertex over a face of the other, or two edges that cross. Where a block has begun to tip over an edge of a
//! table, the crossings of that edge with the block's edges turn their normals with the block by themselves, and nothing has to be exchanged.

use super::{
    FAR, INSIDE, LEAN, PARALLEL, Points,
    axes::{self, Axes, EDGES, FACE_OF_FIRST, FACE_OF_SECOND},
    detect::{Finder, Search, Side},
    distance::Parts,
    feature::Feature,
    proximity::{EDGE_VERTEX, VERTEX_EDGE, VERTEX_VERTEX},
    regions::{Regions, world_normal},
    segments,
    tables::Part,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// What functions of an axis are given.
const AXIS: [(&str, kernel::Type); 10] = [
    ("pair", Integer),
    ("a", Integer),
    ("b", Integer),
    ("within", Real),
    ("kind", Integer),
    ("i", Integer),
    ("j", Integer),
    ("n_x", Real),
    ("n_y", Real),
    ("n_z", Real),
];

/// What belongs to a feature where otherwise nothing would, as [`INSIDE`]: edges that are parallel within [`PARALLEL`] are so near one another.
const BESIDE: f64 = 2e-8;

/// Where edges cross as corners of a polygon, both are across its normal: so much of the square of what is across both lies along that.
const ALONG: f64 = 0.25;

#[derive(Clone, Copy)]
pub struct Calls {
    pub axes: Axes,
    pub proximity: FunctionId,
    /// `(pair, a, b, within, kind, i, j, n_x, n_y, n_z)`: the points of an axis.
    points: FunctionId,
    choose: FunctionId,
}

impl Finder<'_> {
    /// What two polytopes need.
    pub fn polytope_calls(&self, module: &mut ModuleBuilder, Parts { axes, proximity, regions }: Parts) -> Calls {
        let corners = self.corners(module, regions);
        let points = self.points_of_axis(module, corners);
        let velocity = axes::velocity(module, self.tables);
        let rate = axes::Rate { call: self.rate_of_axis(module, points, velocity), velocity };
        Calls { axes, proximity, points, choose: axes::choose(module, self.tables, axes, &rate) }
    }

    /// Two polytopes, the second with faces.
    pub fn polytopes(&self, f: &mut FunctionBuilder, calls: &Calls) {
        let search = Search::of(f);
        let (a, b) = (&search.a, &search.b);
        let rounding = (self.tables.rounding.at(a) + self.tables.rounding.at(b)).keep(f, "rounding");
        f.if_(rounding.clone().gt(0.0), |f| self.rounded_ends(f, &search, calls, &rounding));
        let before = f.integer("before", self.tables.points.found.at(0));
        let [separation, _, _, _] = f.call_n(calls.axes.separate, (a, b));
        f.if_(separation.gt(search.within), |f| f.return_(()));
        let find = |f: &mut FunctionBuilder| {
            let chosen = f.call(calls.choose, (search.pair.get(), a, b));
            let arguments = [search.pair.get(), a.clone(), b.clone(), search.within.get()];
            f.call(calls.points, arguments.into_iter().chain(chosen.into_iter().map(Term::get)).collect::<Vec<_>>());
        };
        find(f);
        // What has just gone beyond the end of a face is as near to its plane as to its edge, but for rounding.
        f.if_(rounding.gt(0.0).and(self.tables.points.found.at(0).eq_(before)), |f| {
            let [_, _, _, _, parts, i, j] = f.call_n(calls.proximity, (a, b));
            self.ends(f, &search, [parts, i, j]);
        });
        // Where edges lie along one another within rounding, what is beside a face by so little is on it.
        f.if_(self.tables.points.found.at(0).eq_(before), |f| {
            f.store(self.tables.inside, 0, BESIDE);
            find(f);
            f.store(self.tables.inside, 0, INSIDE);
        });
    }

    /// The corners that belong to the axis of a face, or where two edges cross.
    fn points_of_axis(&self, module: &mut ModuleBuilder, corners: FunctionId) -> FunctionId {
        module.function("axis_points", &AXIS, &[], |f| {
            let [pair, a, b, within, kind, i, j, x, y, z] = f.parameters();
            let search = Search { pair, a: a.get(), b: b.get(), within };
            f.if_(kind.eq_(FACE_OF_FIRST), |f| {
                drop(f.call(
                    corners,
                    [pair, a, b, within, i].map(Term::get).into_iter().chain([0.into()]).collect::<Vec<_>>(),
                ))
            });
            f.if_(kind.eq_(FACE_OF_SECOND), |f| {
                drop(f.call(
                    corners,
                    [pair, b, a, within, i].map(Term::get).into_iter().chain([1.into()]).collect::<Vec<_>>(),
                ))
            });
            f.if_(kind.eq_(EDGES), |f| {
                let vertex = self.calls.at.vertex;
                let [p, d] = segments::edge(f, self.tables, vertex, &search.a, &i.get());
                let [q, e] = segments::edge(f, self.tables, vertex, &search.b, &j.get());
                let Crossing { cross, places, squares, .. } = Crossing::of(f, [&p, &d, &q, &e]);
                let tolerance = self.tables.radius.at(a).min(self.tables.radius.at(b)) * self.tables.inside.at(0);
                let outwards = (-tolerance).keep(f, "outwards");
                let [s, t] = places;
                let [dd, ee] = squares;
                f.if_(is_away_from_ends(s, dd, &outwards).and(is_away_from_ends(t, ee, &outwards)), |f| {
                    let sides = [self.edge(f, &search.a, i), self.edge(f, &search.b, j)];
                    self.set_side(f, Expression::from(1.0).copysign(cross.dot(&Plain::of(&[x, y, z]))));
                    self.consider(f, &search, Feature::LineLine, [&sides[0], &sides[1]], 0);
                });
            });
        })
    }

    /// How fast the nearest points of an axis part, at least; nothing is kept of them.
    fn rate_of_axis(&self, module: &mut ModuleBuilder, points: FunctionId, velocity: FunctionId) -> FunctionId {
        let Points { capacity, found, gap, normal, point, .. } = self.tables.points;
        module.function("axis_rate", &AXIS, &[Real], |f| {
            let parameters: [_; 10] = f.parameters();
            let [pair, a, b] = [parameters[0], parameters[1], parameters[2]];
            let before = f.integer("before", found.at(0));
            f.call(points, parameters.map(Term::get).to_vec());
            let end = f.integer("end", found.at(0).to_real().min(capacity as f64).to_integer());
            f.store(found, 0, before);
            let band = self.tables.radius.at(a).min(self.tables.radius.at(b)) * INSIDE;
            let (nearest, least) = (f.real("nearest", FAR), f.real("least", FAR));
            f.for_each("k", before, end, |f, k| f.assign(nearest, nearest.min(gap.at(k + capacity))));
            let near = f.real("near", nearest + band);
            f.for_each("k", before, end, |f, k| {
                f.if_(gap.at(k + capacity).le(near), |f| {
                    let slot = f.integer("slot", (k + capacity) * 3);
                    let (n, p) = (Plain::load(f, "n", normal, slot), Plain::load(f, "p", point, slot));
                    let [first, second] = [a, b].map(|shape| Plain::of(&f.call(velocity, p.after([shape.get()]))));
                    f.assign(least, least.min(n.dot(&(second - first)) * self.tables.order.at(pair)));
                });
            });
            f.return_(end.gt(before).select(least, -FAR));
        })
    }

    /// Where cores that are apart are nearest with a vertex to an edge or vertex, no axis says so: that is the only point.
    fn rounded_ends(&self, f: &mut FunctionBuilder, search: &Search, calls: &Calls, rounding: &Expression) {
        let (a, b) = (&search.a, &search.b);
        let [separation, _, _, _] = f.call_n(calls.axes.separate, (a, b));
        let cores = f.real("cores", separation + rounding.clone());
        let band = self.tables.radius.at(a).min(self.tables.radius.at(b)) * INSIDE;
        f.if_(cores.gt(0.0), |f| {
            let [distance, _, _, _, parts, i, j] = f.call_n(calls.proximity, (a, b));
            f.if_(distance.le(cores + band).logical_not(), |f| self.ends(f, search, [parts, i, j]));
        });
    }

    /// The point of a vertex that is nearest to an edge or a vertex; whoever looks for points has found the only one with it.
    fn ends(&self, f: &mut FunctionBuilder, search: &Search, [parts, i, j]: [LocalId; 3]) {
        let (a, b) = (&search.a, &search.b);
        f.if_(parts.eq_(VERTEX_EDGE), |f| {
            let sides = [self.vertex(f, a, i), self.edge(f, b, j)];
            self.consider(f, search, Feature::PointLine, [&sides[0], &sides[1]], 0);
            f.return_(());
        });
        f.if_(parts.eq_(EDGE_VERTEX), |f| {
            let sides = [self.vertex(f, b, j), self.edge(f, a, i)];
            self.consider(f, search, Feature::PointLine, [&sides[0], &sides[1]], 1);
            f.return_(());
        });
        f.if_(parts.eq_(VERTEX_VERTEX), |f| {
            let sides = [self.vertex(f, a, i), self.vertex(f, b, j)];
            self.consider(f, search, Feature::PointPoint, [&sides[0], &sides[1]], 0);
            f.return_(());
        });
    }

    /// `(pair, reference, other, within, face, turned)`: the corners that a face of the reference has in common with the face of the other that
    /// looks at it, or with the other's only edge or vertex.
    pub fn corners(&self, module: &mut ModuleBuilder, regions: Regions) -> FunctionId {
        let parameters = [
            ("pair", Integer),
            ("reference", Integer),
            ("other", Integer),
            ("within", Real),
            ("face", Integer),
            ("turned", Integer),
        ];
        module.function("detect_corners", &parameters, &[], |f| {
            let [pair, reference, other, within, face, turned] = f.parameters();
            let search = Search { pair, a: reference.get(), b: other.get(), within };
            let polygon = self.face(f, &search.a, face.get());
            let incident = self.incident(f, &search.b, &polygon.normal);
            let tolerance =
                self.tables.radius.at(reference).min(self.tables.radius.at(other)) * self.tables.inside.at(0);
            let both = Both { search, polygon, incident, turned, tolerance: tolerance.keep(f, "tolerance") };
            self.vertices_over_reference(f, regions, &both);
            f.if_(both.incident.face.ge(0), |f| self.vertices_over_incident(f, regions, &both));
            self.crossings(f, regions, &both);
        })
    }

    pub fn face(&self, f: &mut FunctionBuilder, shape: &Expression, face: Expression) -> Polygon {
        let solids = &self.tables.solids;
        let row = f.integer("row", solids.first(Part::Faces, shape) + face.clone());
        Polygon {
            face: f.integer("face", face),
            first: f.integer("first", solids.faces.at(row * 2)),
            vertices: f.integer("vertices", solids.faces.at(row * 2 + 1)),
            sides: f.integer("sides", solids.faces.at(row * 2 + 1)),
            normal: world_normal(f, self.tables, shape, row.get()),
        }
    }

    /// The face of the other that looks most against a direction; what has no faces has all its vertices and edges there.
    fn incident(&self, f: &mut FunctionBuilder, shape: &Expression, n: &Plain) -> Polygon {
        let solids = &self.tables.solids;
        let first = f.integer("first", solids.first(Part::Faces, shape));
        let (best, least) = (f.integer("best", -1), f.real("least", 2.0));
        f.for_each("k", 0, solids.count(Part::Faces, shape), |f, k| {
            let m = world_normal(f, self.tables, shape, first + k);
            let along = f.real("along", n.dot(&m));
            // Faces that look the same way but for rounding are told apart by their numbers.
            f.if_(along.lt(least - PARALLEL), |f| {
                f.assign(least, along);
                f.assign(best, k);
            });
        });
        let row = f.integer("row", (first + best).to_real().max(0.0).to_integer());
        let is_there = f.integer("is_there", best.ge(0));
        Polygon {
            face: best,
            first: f.integer("corner", is_there.select(solids.faces.at(row * 2), 0)),
            vertices: f.integer(
                "vertices",
                is_there.select(solids.faces.at(row * 2 + 1), solids.count(Part::Vertices, shape)),
            ),
            sides: f
                .integer("sides", is_there.select(solids.faces.at(row * 2 + 1), solids.count(Part::Directions, shape))),
            normal: world_normal(f, self.tables, shape, row.get()),
        }
    }

    /// A vertex of a polygon, counted in its shape.
    fn corner(&self, f: &mut FunctionBuilder, polygon: &Polygon, k: LocalId) -> Expression {
        let corner = f.integer("corner", k);
        f.if_(polygon.face.ge(0), |f| f.assign(corner, self.tables.solids.corners.at(polygon.first + k)));
        corner.get()
    }

    /// A side of a polygon, counted in its shape.
    pub fn edge_of(&self, f: &mut FunctionBuilder, polygon: &Polygon, k: LocalId) -> Expression {
        let side = f.integer("side", k);
        f.if_(polygon.face.ge(0), |f| f.assign(side, self.tables.solids.sides.at(polygon.first + k)));
        side.get()
    }

    pub fn plane(&self, f: &mut FunctionBuilder, shape: &Expression, polygon: &Polygon) -> Side {
        let row = self.tables.solids.first(Part::Faces, shape) + polygon.face;
        let own = Plain::load(f, "own", self.tables.solids.normals, row * 3);
        let normal = super::place::turned(self.tables.places, shape.clone() * 12, &own).keep(f, "normal");
        let point = self.calls.at.own_vertex(f, shape, self.tables.solids.corners.at(polygon.first));
        Side { along: Some(normal), ..self.side(shape, polygon.face, point) }
    }

    fn vertices_over_reference(&self, f: &mut FunctionBuilder, regions: Regions, both: &Both) {
        let Both { search, polygon, incident, turned, tolerance } = both;
        let plane = self.plane(f, &search.a, polygon);
        f.for_each("k", 0, incident.vertices, |f, k| {
            let vertex = self.corner(f, incident, k);
            let p = self.calls.at.vertex(f, &search.b, vertex.clone());
            let inside = f.call1(regions.face, p.after([search.a.clone(), polygon.face.get()]));
            f.if_(inside.ge(-tolerance.clone()), |f| {
                let vertex = self.vertex(f, &search.b, vertex);
                self.consider(f, search, Feature::PlanePoint, [&plane, &vertex], *turned);
            });
        });
    }

    /// Vertices of the reference over the incident face, but for those in the place of one of its vertices.
    fn vertices_over_incident(&self, f: &mut FunctionBuilder, regions: Regions, both: &Both) {
        let Both { search, polygon, incident, turned, tolerance } = both;
        let plane = self.plane(f, &search.b, incident);
        f.for_each("k", 0, polygon.vertices, |f, k| {
            let vertex = self.corner(f, polygon, k);
            let p = self.calls.at.vertex(f, &search.a, vertex.clone());
            let inside = f.call1(regions.face, p.after([search.b.clone(), incident.face.get()]));
            let is_new = f.integer("is_new", inside.ge(-tolerance.clone()));
            f.for_each("l", 0, incident.vertices, |f, l| {
                let other = self.corner(f, incident, l);
                let way = (self.calls.at.vertex(f, &search.b, other) - p.clone()).keep(f, "way");
                let across = (way.clone() - polygon.normal.times(polygon.normal.dot(&way))).keep(f, "across");
                let is_there = across.dot(&across).le(tolerance.clone() * tolerance.clone());
                f.if_(is_there, |f| f.assign(is_new, 0));
            });
            f.if_(is_new, |f| {
                let vertex = self.vertex(f, &search.a, vertex);
                self.consider(f, search, Feature::PlanePoint, [&plane, &vertex], 1 - *turned);
            });
        });
    }

    /// Sides of the two polygons that cross, away from their ends.
    fn crossings(&self, f: &mut FunctionBuilder, regions: Regions, both: &Both) {
        let Both { search, polygon, incident, turned, tolerance } = both;
        let vertex = self.calls.at.vertex;
        f.for_each("k", 0, polygon.sides, |f, k| {
            let k = self.edge_of(f, polygon, k);
            let [p, d] = segments::edge(f, self.tables, vertex, &search.a, &k);
            f.for_each("l", 0, incident.sides, |f, l| {
                let l = self.edge_of(f, incident, l);
                let [q, e] = segments::edge(f, self.tables, vertex, &search.b, &l);
                let Crossing { cross, square, places: [s, t], squares: [dd, ee] } = Crossing::of(f, [&p, &d, &q, &e]);
                let crosses = square.clone().gt(dd.clone() * ee.clone() * (PARALLEL * PARALLEL));
                // Edges that are all but parallel, along sides that lie in one plane, cross somewhere, but not as corners of the polygon do.
                let along = cross.dot(&polygon.normal).keep(f, "along");
                let crosses = crosses.and((along.clone() * along).gt(square.clone() * ALONG));
                let inner = is_away_from_ends(s, dd, tolerance).and(is_away_from_ends(t, ee, tolerance));
                let is_corner = f.integer("is_corner", crosses.and(inner));
                f.if_(is_corner, |f| {
                    let length = square.sqrt().copysign(cross.dot(&polygon.normal)).keep(f, "length");
                    let n = cross.over(length).keep(f, "n");
                    let way = (q.clone() - p.clone()).keep(f, "way");
                    let touches = f.integer("touches", n.dot(&way).lt(tolerance.clone() * (LEAN / INSIDE)));
                    for (shape, edge, n) in [(&search.a, &k, n.clone()), (&search.b, &l, -n)] {
                        let inside = f.call1(regions.edge, n.after([shape.clone(), edge.clone()]));
                        f.if_(touches.and(inside.lt(-LEAN)), |f| f.assign(is_corner, 0));
                    }
                });
                f.if_(is_corner, |f| {
                    // The first shape's edge comes first, whichever of them is the reference.
                    let side = Expression::from(1.0).copysign(cross.dot(&polygon.normal));
                    self.set_side(f, side);
                    let select = |a: &Expression, b: &Expression| turned.select(b.clone(), a.clone());
                    let first = [select(&search.a, &search.b), select(&k, &l)].map(|value| f.integer("first", value));
                    let second = [select(&search.b, &search.a), select(&l, &k)].map(|value| f.integer("second", value));
                    let sides = [self.edge(f, &first[0].get(), first[1]), self.edge(f, &second[0].get(), second[1])];
                    self.consider(f, search, Feature::LineLine, [&sides[0], &sides[1]], 0);
                });
            });
        });
    }
}

/// Where the lines p + s d and q + t e are nearest to one another.
struct Crossing {
    cross: Plain,
    square: Expression,
    /// s and t.
    places: [Expression; 2],
    /// The squares of the lengths of d and e.
    squares: [Expression; 2],
}

impl Crossing {
    fn of(f: &mut FunctionBuilder, [p, d, q, e]: [&Plain; 4]) -> Crossing {
        let cross = d.cross(e).keep(f, "cross");
        let square = cross.dot(&cross).keep(f, "square");
        let w = (q.clone() - p.clone()).keep(f, "w");
        let s = (w.cross(e).keep(f, "across").dot(&cross) / square.clone()).keep(f, "s");
        let t = (w.cross(d).keep(f, "across").dot(&cross) / square.clone()).keep(f, "t");
        let squares = [d.dot(d).keep(f, "dd"), e.dot(e).keep(f, "ee")];
        Crossing { cross, square, places: [s, t], squares }
    }
}

/// Whether a place on an edge, given as a part of it, is inside by more than a tolerance.
fn is_away_from_ends(place: Expression, square: Expression, tolerance: &Expression) -> Expression {
    let least = tolerance.clone() / square.sqrt();
    place.clone().gt(least.clone()).and(place.lt(1.0 - least))
}

/// A face, or all of what has none.
pub struct Polygon {
    /// −1 where there is none.
    face: LocalId,
    pub first: LocalId,
    pub vertices: LocalId,
    pub sides: LocalId,
    pub normal: Plain,
}

/// The two polygons; in the search the first shape is the reference.
struct Both {
    search: Search,
    polygon: Polygon,
    incident: Polygon,
    turned: LocalId,
    tolerance: Expression,
}
