//! At which points two shapes touch or nearly do: the atomic features of a pair that are near enough.

use super::{
    INSIDE, PARALLEL, Points, SLACK, convex_points,
    distance::Parts,
    feature::{
        CIRCLE_OVER, EXCESS, FIRST, FIRST_ALONG, FIRST_LENGTH, FIRST_PART, FIRST_RADIUS, Feature, LIMITS, SECOND,
        SECOND_ALONG, SECOND_LENGTH, SECOND_PART, SECOND_RADIUS, SIDE, TILT, TURNED,
    },
    over_surface,
    place::Material,
    ring,
    rolling::Rolling,
    segments,
    surface::Curved,
    tables::{METHODS, Method, Part, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// What is found a little outside of its feature is left when it is farther out; but not if it was out by more than this part of the smaller shape.
const MOST_EXCESS: f64 = 1e-7;

#[derive(Clone, Copy)]
pub struct Calls {
    pub at: Material,
    pub nearest: FunctionId,
    pub evaluate: FunctionId,
    pub margin: FunctionId,
    /// Cosines and sines at the points of a circle.
    pub round: ArrayId,
    /// The balls of curves, and cosines and sines of where they are looked for.
    pub rolls: Rolling,
    pub places: ArrayId,
    /// See `ring.rs` and `over_surface.rs`.
    pub kept: Option<ArrayId>,
    pub seen: Option<ArrayId>,
}

/// For each method, if it is used, `(pair, a, b, within)`: the points of a pair of that method.
pub type Finders = [Option<FunctionId>; METHODS.len()];

pub fn finders(
    module: &mut ModuleBuilder,
    tables: &Tables,
    calls: &Calls,
    parts: Option<Parts>,
    convex: Option<convex_points::Calls>,
    curved: Option<Curved>,
) -> Finders {
    let keep = keep(module, tables, calls);
    let finder = Finder { tables, calls: *calls, keep };
    let polytopes = parts.map(|parts| finder.polytope_calls(module, parts));
    let inside = convex.map(|convex| {
        let keep = keep_inside(module, tables, calls, keep, convex.least);
        let finder = Finder { tables, calls: *calls, keep };
        let over_plane = finder.over_part_plane(module, &convex);
        let points = finder.points_of_direction(module, &convex, over_plane);
        (finder, convex, points)
    });
    let over = calls.seen.zip(calls.kept).zip(curved).map(|((seen, kept), curved)| {
        let looking = over_surface::Calls { kept, seen, curved };
        let keep = over_surface::keep_seen(module, tables, calls, keep, looking);
        let finder = Finder { tables, calls: *calls, keep };
        let parts = finder.parts_over_surface(module, looking);
        (finder, looking, parts)
    });
    let ring = calls.kept.filter(|_| tables.is_used[Method::Ring as usize]).map(|kept| {
        let keep = keep_best(module, tables, calls, keep, kept);
        let finder = Finder { tables, calls: *calls, keep };
        let parts = finder.parts_and_ring(module);
        (finder, ring::Calls { kept, parts })
    });
    METHODS.map(|method| {
        let parameters = [("pair", Integer), ("a", Integer), ("b", Integer), ("within", Real)];
        tables.is_used[method as usize].then(|| {
            module.function(&format!("detect_{method:?}").to_lowercase(), &parameters, &[], |f| match method {
                Method::Plane => finder.vertices_over_plane(f),
                Method::PlaneCurved => finder.curves_over_plane(f),
                Method::Segments => finder.segments(f),
                Method::Polytopes => finder.polytopes(f, &polytopes.expect("there are polytopes")),
                Method::Convex => {
                    let (finder, convex, points) = inside.as_ref().expect("there are convex shapes");
                    finder.convex(f, convex, *points);
                }
                Method::SphereCurved => finder.sphere_and_curved(f),
                Method::SphereSurface => finder.sphere_and_surface(f),
                Method::SolidSurface => {
                    let (finder, looking, parts) = over.as_ref().expect("there are surfaces");
                    finder.over_surface(f, *looking, *parts);
                }
                Method::Ring => {
                    let (finder, calls) = ring.as_ref().expect("there are tori");
                    finder.ring(f, *calls);
                }
            })
        })
    })
}

/// `(pair: integer, within: real)`: see [`Geometry::detect`](super::Geometry::detect).
pub fn detect(module: &mut ModuleBuilder, tables: &Tables, finders: &Finders) -> FunctionId {
    let detect = module.declare("contact_detect", &[("pair", Integer), ("within", Real)], &[]);
    module.describe(detect, "Finds the points of a pair that are near enough.");
    module.define(detect, |f| {
        let [pair, within] = f.parameters();
        let case = |f: &mut FunctionBuilder, case: usize| {
            let Some(method) = finders[case] else { return };
            let [a, b] = tables.shapes(pair);
            f.call(method, (pair, a, b, within));
        };
        f.switch(tables.methods.at(pair), METHODS.len(), case, |_| ());
    });
    detect
}

/// `(within: real)`: keeps the feature in the slot for trials, if its gap is small enough.
fn keep(module: &mut ModuleBuilder, tables: &Tables, calls: &Calls) -> FunctionId {
    let Points { capacity, found, pair, feature, kind, data, .. } = tables.points;
    let trial = tables.points.trial();
    let keep = module.declare("contact_keep", &[("within", Real)], &[]);
    module.describe(keep, "Keeps the feature that is tried, if its gap is small enough.");
    module.define(keep, |f| {
        let [within] = f.parameters();
        f.call(calls.evaluate, trial);
        f.if_(tables.points.gap.at(trial).le(within).logical_not(), |f| f.return_(()));
        let slot = f.integer("slot", found.at(0) + capacity);
        f.store(found, 0, found.at(0) + 1);
        f.if_(slot.lt(trial), |f| {
            for array in [pair, feature, kind] {
                f.store(array, slot, array.at(trial));
            }
            f.for_each("k", 0, Points::DATA, |f, k| {
                f.store(data, slot * Points::DATA + k, data.at(k + trial * Points::DATA));
            });
            let size = tables.shapes(pair.at(slot)).map(|shape| f.real("size", tables.radius.at(shape)));
            let size = f.real("smaller", size[0].min(size[1]));
            let margin = f.call1(calls.margin, trial);
            let excess = (size * (SLACK - INSIDE) - margin).max(0.0).min(size * MOST_EXCESS);
            f.store(data, slot * Points::DATA + EXCESS, excess);
            f.call(calls.evaluate, slot);
        });
    });
    keep
}

/// `(within: real)`: keeps the feature in the slot for trials, if besides its gap is not less, nor its margin, than some bounds.
fn keep_inside(
    module: &mut ModuleBuilder,
    tables: &Tables,
    calls: &Calls,
    keep: FunctionId,
    least: ArrayId,
) -> FunctionId {
    let trial = tables.points.trial();
    module.function("contact_keep_inside", &[("within", Real)], &[], |f| {
        let [within] = f.parameters();
        f.call(calls.evaluate, trial);
        f.if_(tables.points.gap.at(trial).ge(least.at(0)).logical_not(), |f| f.return_(()));
        let margin = f.call1(calls.margin, trial);
        f.if_(margin.ge(least.at(1)), |f| drop(f.call(keep, within)));
    })
}

/// `(within: real)`: keeps the feature in the slot for trials as `keep_inside` does, and remembers the best of all, kept or not.
fn keep_best(
    module: &mut ModuleBuilder,
    tables: &Tables,
    calls: &Calls,
    keep: FunctionId,
    kept: ArrayId,
) -> FunctionId {
    let trial = tables.points.trial();
    module.function("contact_keep_best", &[("within", Real)], &[], |f| {
        let [within] = f.parameters();
        f.call(calls.evaluate, trial);
        let gap = f.real("gap", tables.points.gap.at(trial));
        let kind = tables.points.kind.at(trial);
        // What goes on behind a plane or the side of a cone says nothing; a core that is inside of either is told by `pierced.rs`.
        let is_any =
            [Feature::PlanePoint, Feature::PlaneCircle, Feature::RingCone].map(|one| kind.clone().eq_(one as usize));
        let [point, circle, cone] = is_any;
        f.if_(gap.lt(kept.at(ring::LEAST_GAP)).and(point.or(circle).or(cone)), |f| f.return_(()));
        let margin = f.call1(calls.margin, trial);
        f.if_(margin.ge(kept.at(ring::LEAST_MARGIN)).logical_not(), |f| f.return_(()));
        f.if_(gap.lt(kept.at(ring::BEST)), |f| {
            f.store(kept, ring::BEST, gap);
            Plain::load(f, "n", tables.points.normal, trial * 3).store(f, kept, ring::BEST + 1);
            Plain::load(f, "p", tables.points.point, trial * 3).store(f, kept, ring::BEST + 4);
        });
        f.call(keep, within);
    })
}

/// One side of a feature: the shape, which of its parts it is, and what that is in the shape's frame.
#[derive(Clone)]
pub struct Side {
    pub shape: Expression,
    pub part: Expression,
    pub point: Plain,
    pub along: Option<Plain>,
    pub length: Expression,
    pub radius: Expression,
    /// Where the feature of the other ends.
    pub limits: Option<Plain>,
}

impl Side {
    /// A point with the numbers that say where the feature of the other ends.
    pub fn with(self, limits: Plain) -> Side {
        Side { limits: Some(limits), ..self }
    }
}

pub struct Finder<'a> {
    pub tables: &'a Tables,
    pub calls: Calls,
    keep: FunctionId,
}

/// The pair that is looked at, as all finders get it.
#[derive(Clone)]
pub struct Search {
    pub pair: LocalId,
    pub a: Expression,
    pub b: Expression,
    pub within: LocalId,
}

impl Search {
    pub fn of(f: &FunctionBuilder) -> Search {
        let [pair, a, b, within] = f.parameters();
        Search { pair, a: a.get(), b: b.get(), within }
    }
}

impl Finder<'_> {
    /// Tries a feature between two sides, the first of which is on the second shape if it is turned.
    pub fn consider(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        kind: Feature,
        sides: [&Side; 2],
        is_turned: impl Into<Expression>,
    ) {
        self.describe(f, search, kind, sides, is_turned);
        f.call(self.keep, search.within);
        f.store(self.tables.points.data, self.tables.points.trial() * Points::DATA + CIRCLE_OVER, 0.0);
    }

    /// Keeps the feature in the slot for trials, if it is near enough.
    pub fn keep(&self, f: &mut FunctionBuilder, search: &Search) {
        f.call(self.keep, search.within);
    }

    /// Writes a feature into the slot for trials.
    pub fn describe(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        kind: Feature,
        sides: [&Side; 2],
        is_turned: impl Into<Expression>,
    ) {
        let is_turned = is_turned.into();
        let Points { pair, feature, kind: kinds, data, .. } = self.tables.points;
        let (trial, base) = (self.tables.points.trial(), self.tables.points.trial() * Points::DATA);
        let [first, second] = sides;
        let key = (first.part.clone() + 1).shift_left(24) + (second.part.clone() + 1);
        f.store(pair, trial, search.pair);
        f.store(kinds, trial, kind as usize);
        f.store(feature, trial, key + (is_turned.clone() + 2 * kind as i64).shift_left(48));
        first.point.store(f, data, base + FIRST);
        second.point.store(f, data, base + SECOND);
        for (side, along, radius) in [(first, FIRST_ALONG, FIRST_RADIUS), (second, SECOND_ALONG, SECOND_RADIUS)] {
            let nothing = || Vector([0.0, 0.0, 0.0].map(Expression::from));
            side.along.clone().unwrap_or_else(nothing).store(f, data, base + along);
            f.store(data, base + radius, side.radius.clone());
        }
        let no_limits = || Vector([0.0, 0.0, 0.0].map(Expression::from));
        first.limits.clone().unwrap_or_else(no_limits).store(f, data, base + LIMITS);
        f.store(data, base + FIRST_PART, first.part.clone().to_real());
        f.store(data, base + SECOND_PART, second.part.clone().to_real());
        f.store(data, base + FIRST_LENGTH, first.length.clone());
        f.store(data, base + SECOND_LENGTH, second.length.clone());
        f.store(data, base + TURNED, 1.0 - is_turned.to_real() * 2.0);
        f.store(data, base + EXCESS, 0.0);
    }

    /// Which circle is over a plane, for the feature that is considered next.
    pub fn set_circle(&self, f: &mut FunctionBuilder, circle: &Side) {
        let base = self.tables.points.trial() * Points::DATA;
        f.store(self.tables.points.data, base + CIRCLE_OVER, (circle.part.clone() + 1).to_real());
    }

    /// Which side of the cross product of two lines the second is on, for the feature that is considered next.
    pub fn set_side(&self, f: &mut FunctionBuilder, side: impl Into<Expression>) {
        f.store(self.tables.points.data, self.tables.points.trial() * Points::DATA + SIDE, side);
    }

    /// Towards which side a circle is tilted, in the axes of its frame, for the feature that is considered next.
    pub fn set_tilt(&self, f: &mut FunctionBuilder, tilt: &Plain) {
        tilt.store(f, self.tables.points.data, self.tables.points.trial() * Points::DATA + TILT);
    }

    /// A point of a shape, as a side of a feature.
    pub fn side(&self, shape: &Expression, part: impl Into<Expression>, point: Plain) -> Side {
        let radius = self.tables.rounding.at(shape);
        Side { shape: shape.clone(), part: part.into(), point, along: None, length: 0.0.into(), radius, limits: None }
    }

    pub fn vertex(&self, f: &mut FunctionBuilder, shape: &Expression, k: impl Into<Expression>) -> Side {
        let k = k.into();
        let point = self.calls.at.own_vertex(f, shape, k.clone());
        self.side(shape, k, point)
    }

    /// An edge, from its first vertex on.
    pub fn edge(&self, f: &mut FunctionBuilder, shape: &Expression, edge: impl Into<Expression>) -> Side {
        let edge = edge.into();
        let place = f.integer("place", (self.tables.solids.first(Part::Edges, shape) + edge.clone()) * 2);
        let from = self.calls.at.own_vertex(f, shape, self.tables.solids.edges.at(place));
        let to = self.calls.at.own_vertex(f, shape, self.tables.solids.edges.at(place + 1));
        let way = (to - from.clone()).keep(f, "way");
        let length = way.length(f, "length");
        let along = way.over(length.clone()).keep(f, "along");
        Side { along: Some(along), length, ..self.side(shape, edge, from) }
    }

    /// The plane of the half-space that is the first shape of a pair, with the normal towards the second.
    pub fn half_space(&self, f: &mut FunctionBuilder, search: &Search) -> Side {
        let place = search.a.clone() * 12;
        let axis = Vector([5, 8, 11].map(|entry| self.tables.places.at(place.clone() + entry)));
        let n = axis.times(self.tables.side.at(search.pair)).keep(f, "n");
        let point = Plain::load(f, "q", self.tables.places, place);
        Side { along: Some(n), ..self.side(&search.a, -1, point) }
    }

    /// Half-space and polytope: each vertex by itself.
    fn vertices_over_plane(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let (plane, shape) = (self.half_space(f, &search), &search.b);
        f.for_each("k", 0, self.tables.solids.count(Part::Vertices, shape), |f, k| {
            let vertex = self.vertex(f, shape, k);
            self.consider(f, &search, Feature::PlanePoint, [&plane, &vertex], 0);
        });
    }

    /// Two points or segments: the nearest feature, or the ends of the overlap of parallel segments.
    fn segments(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let [p, d] = segments::edge(f, self.tables, self.calls.at.vertex, &search.a, &0.into());
        let [q, e] = segments::edge(f, self.tables, self.calls.at.vertex, &search.b, &0.into());
        let (dd, ee) = (d.dot(&d).keep(f, "dd"), e.dot(&e).keep(f, "ee"));
        let cross = d.cross(&e).keep(f, "cross");
        let both = (dd * ee).keep(f, "both");
        let is_parallel = cross.dot(&cross).le(both.clone() * (PARALLEL * PARALLEL)).and(both.gt(0.0));
        f.if_(is_parallel, |f| {
            let before = f.integer("before", self.tables.points.found.at(0));
            self.overlap(f, &search, [&p, &d, &q, &e]);
            f.if_(self.tables.points.found.at(0).gt(before), |f| f.return_(()));
        });
        let [s, t] = segments::call(f, self.calls.nearest, [&p, &d, &q, &e]);
        let (in_a, in_b) = (segments::is_inner(&s), segments::is_inner(&t));
        let (end_a, end_b) = (s.ge(1.0), t.ge(1.0));
        let side = cross.dot(&(q - p)).lt(0.0).select(-1.0, 1.0);
        f.if_(in_a.clone().and(in_b.clone()), |f| {
            let (a, b) = (self.edge(f, &search.a, 0), self.edge(f, &search.b, 0));
            self.set_side(f, side);
            self.consider(f, &search, Feature::LineLine, [&a, &b], 0);
            f.return_(());
        });
        f.if_(in_b, |f| {
            let (a, b) = (self.vertex(f, &search.a, end_a.clone()), self.edge(f, &search.b, 0));
            self.consider(f, &search, Feature::PointLine, [&a, &b], 0);
            f.return_(());
        });
        f.if_(in_a, |f| {
            let (a, b) = (self.edge(f, &search.a, 0), self.vertex(f, &search.b, end_b.clone()));
            self.consider(f, &search, Feature::PointLine, [&b, &a], 1);
            f.return_(());
        });
        let (a, b) = (self.vertex(f, &search.a, end_a), self.vertex(f, &search.b, end_b));
        self.consider(f, &search, Feature::PointPoint, [&a, &b], 0);
    }

    /// The ends of parallel segments that are over the other; of two ends at one place the first shape's.
    fn overlap(&self, f: &mut FunctionBuilder, search: &Search, [p, d, q, e]: [&Plain; 4]) {
        let (a, b) = (self.edge(f, &search.a, 0), self.edge(f, &search.b, 0));
        f.for_each("k", 0, 2, |f, k| {
            let end = p.clone() + d.times(k.to_real()) - q.clone();
            let t = (e.dot(&end) / e.dot(e)).keep(f, "t");
            f.if_(t.clone().ge(-INSIDE).and(t.le(1.0 + INSIDE)), |f| {
                let end = self.vertex(f, &search.a, k);
                self.consider(f, search, Feature::PointLine, [&end, &b], 0);
            });
            let end = q.clone() + e.times(k.to_real()) - p.clone();
            let s = (d.dot(&end) / d.dot(d)).keep(f, "s");
            f.if_(s.clone().gt(INSIDE).and(s.lt(1.0 - INSIDE)), |f| {
                let end = self.vertex(f, &search.b, k);
                self.consider(f, search, Feature::PointLine, [&end, &a], 1);
            });
        });
    }
}
