//! The points at which a solid touches a curved surface: each of its vertices, edges, rims and faces, or an ellipsoid, with its nearest point there.
//!
//! Nothing is known of the surface but at places. So a curve is looked at in some places, and where its distance has been falling and rises again there
//! is a nearest one between them; a face and an ellipsoid are looked at from some of their points. What is narrower than what is looked at is not seen.
//! Whatever is found is a point of the solid, so that none of them is nearer than the solid is.

use super::{
    FAR, INSIDE, PARALLEL, Points, SLACK, ShapeKind,
    clearance::motion,
    curved::ROUND,
    detect::{self, Finder, Search, Side},
    distance::direction,
    facing::{Bend, across},
    feature::{FIRST_PART, Feature, LIMITS, NEAREST},
    place::{centre, turned, turned_back},
    ring::BEST,
    rolling::Roll,
    surface::{AROUND, Curved, FOUND, Field, own_centre, start},
    tables::{Part, Tables},
    vector::{Plain, Scalar, Vector},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// In how many parts a line is looked at.
const PARTS: i64 = 16;

/// How far out from the middle of a face it is looked at, as parts of the way to its corners and the middles of its sides.
const OUT: [f64; 2] = [0.4, 0.8];

/// A point of a surface can be that which a face looks at if it looks back at least as straight as this cosine says.
const FACING: f64 = 0.1;
/// Newton's method is sure of where a face and a surface are parallel after so many ways there and back; before, it may leave for another place.
const AGAIN: i64 = 3;

/// Places nearer than this part of the solid are one.
const ONE_PLACE: f64 = 1e-6;

/// Numbers of circles are so far apart, so that there is one for each place of each.
const OF_CIRCLE: i64 = 128;

/// How many points are remembered for the rates of their gaps, after their number: gap, rate and curvature of each.
const MOST_SEEN: usize = 64;
pub const SEEN: usize = 1 + 3 * MOST_SEEN;

/// What the surface is beyond what is seen of it may begin to matter where the solid has come by this part of its radius.
const UNKNOWN: f64 = 0.5;
/// And for as long as it goes by this part of a radius of curvature its points go on as they do.
const KNOWN_ARC: f64 = 0.25;
/// A surface that is so far away, as a part of the radius of curvature, bends as much as is known of it.
const BENT: f64 = 0.75;

#[derive(Clone, Copy)]
pub struct Calls {
    pub kept: ArrayId,
    pub seen: ArrayId,
    pub curved: Curved,
}

/// `(within: real)`: keeps the feature in the slot for trials, if it is near enough, and remembers the best of all and how their gaps change.
pub fn keep_seen(
    module: &mut ModuleBuilder,
    tables: &Tables,
    calls: &detect::Calls,
    keep: FunctionId,
    Calls { kept, seen, curved }: Calls,
) -> FunctionId {
    let trial = tables.points.trial();
    module.function("contact_keep_seen", &[("within", Real)], &[], |f| {
        let [within] = f.parameters();
        f.call(calls.evaluate, trial);
        let gap = f.real("gap", tables.points.gap.at(trial));
        // What has no foot is no feature.
        f.if_(gap.lt(FAR * 0.5).logical_not(), |f| f.return_(()));
        let pair = f.integer("pair", tables.points.pair.at(trial));
        let [a, b] = tables.shapes(pair).map(|shape| f.integer("shape", shape).get());
        let p = Plain::load(f, "p", tables.points.point, trial * 3);
        let n = Plain::load(f, "n", tables.points.normal, trial * 3);
        f.if_(gap.lt(kept.at(BEST)), |f| {
            f.store(kept, BEST, gap);
            n.store(f, kept, BEST + 1);
            p.store(f, kept, BEST + 4);
        });
        let count = f.integer("count", seen.at(0).to_integer());
        f.if_(count.lt(MOST_SEEN), |f| {
            let [at_a, at_b] = [&a, &b].map(|shape| {
                let [c, v, w] = motion(f, tables, shape);
                (v + w.cross(&(p.clone() - c))).keep(f, "there")
            });
            let rate = n.dot(&(at_b - at_a)) * tables.order.at(pair);
            let way = (p.clone() - centre(f, "o", tables, &b)).keep(f, "way");
            let own = turned_back(tables.poses, b.clone() * 12, &way).keep(f, "own");
            let bent = Field::at(f, curved.field, &b, &own).curvature(f);
            let bent = bent / (1.0 - (bent * gap.abs()).min(BENT));
            for (k, value) in [gap.get(), rate, bent].into_iter().enumerate() {
                f.store(seen, count * 3 + (k as i64 + 1), value);
            }
            f.store(seen, 0, seen.at(0) + 1.0);
        });
        f.call(keep, within);
    })
}

/// How a solid moves over a curved surface, after its distance was found: no point is faster than the speed, and no gap that is known changes faster than
/// the rate, where what is farther away has farther to come.
pub fn beside(f: &mut FunctionBuilder, tables: &Tables, seen: ArrayId, [a, b]: [&Expression; 2]) {
    let [c, v, w] = motion(f, tables, a);
    let [o, v_b, w_b] = motion(f, tables, b);
    let radius = f.real("radius", tables.radius.at(a));
    let relative = (v - v_b - w_b.cross(&(c - o))).keep(f, "relative").length(f, "passing");
    let spin = (w - w_b).keep(f, "spin").length(f, "turning");
    let speed = f.real("speed", relative + spin * radius);
    let count = f.integer("count", seen.at(0).to_integer());
    let (curvature, least) = (f.real("curvature", UNKNOWN / radius.get()), f.real("least", FAR));
    f.for_each("i", 0, count, |f, i| {
        f.assign(least, least.min(seen.at(i * 3 + 1)));
        f.assign(curvature, curvature.max(seen.at(i * 3 + 3)));
    });
    let rate = f.real("rate", count.eq_(0).select(-speed.get(), FAR));
    let each = f.real("each", curvature * speed / KNOWN_ARC);
    f.for_each("i", 0, count, |f, i| {
        f.assign(rate, rate.min(seen.at(i * 3 + 2) + (seen.at(i * 3 + 1) - least) * each));
    });
    f.return_((curvature, speed, rate));
}

/// The functions that look at parts of solids.
#[derive(Clone, Copy)]
pub struct Parts {
    /// `(pair, a, b, within)`: curves and vertices, and faces with what has no parts.
    curves: FunctionId,
    faces: FunctionId,
}

impl Finder<'_> {
    pub fn parts_over_surface(&self, module: &mut ModuleBuilder, calls: Calls) -> Parts {
        let parameters = [("pair", Integer), ("a", Integer), ("b", Integer), ("within", Real)];
        let curves = module.function("surface_curves", &parameters, &[], |f| self.curves_over_surface(f));
        let faces = module.function("surface_faces", &parameters, &[], |f| self.faces_over_surface(f, calls));
        Parts { curves, faces }
    }

    /// A solid and a curved surface.
    pub fn over_surface(&self, f: &mut FunctionBuilder, calls: Calls, parts: Parts) {
        let search = Search::of(f);
        f.store(calls.kept, BEST, FAR);
        f.store(calls.seen, 0, 0.0);
        for part in [parts.curves, parts.faces] {
            f.call(part, (search.pair, search.a.clone(), search.b.clone(), search.within));
        }
        let solid = &search.a;
        f.if_else(
            self.is_kind(solid, ShapeKind::Torus),
            |f| self.for_each_place(f, solid, |f, _, place| self.behind(f, &search, calls, &place)),
            |f| {
                let middle = centre(f, "middle", self.tables, solid);
                self.behind(f, &search, calls, &middle);
                f.for_each("k", 0, self.tables.solids.count(Part::Vertices, solid), |f, k| {
                    let vertex = self.calls.at.vertex(f, solid, k);
                    self.behind(f, &search, calls, &vertex);
                });
                f.for_each("k", 0, self.tables.solids.count(Part::Edges, solid), |f, k| {
                    let edge = self.edge(f, solid, k);
                    self.pierced_along(f, &search, calls, &edge);
                });
                f.if_(self.is_kind(solid, ShapeKind::Cylinder), |f| {
                    let height = f.real("height", self.tables.sizes.at(solid.clone() * 3 + 1));
                    let [point, axis] = self.on_axis(f, solid, -height.get());
                    let line = Side { along: Some(axis), length: height * 2.0, ..self.side(solid, -1, point) };
                    self.pierced_along(f, &search, calls, &line);
                });
                f.if_(calls.kept.at(BEST).gt(0.0), |f| self.swallows(f, &search, calls));
            },
        );
    }

    /// Places of a line that may be behind the surface where both its ends are not.
    fn pierced_along(&self, f: &mut FunctionBuilder, search: &Search, calls: Calls, line: &Side) {
        let frame = self.tables.frames.at(&line.shape);
        let from = self.calls.at.point(f, &frame, &line.point).value();
        let along = self.world_along(f, line);
        let part = (line.length.clone() / PARTS as f64).keep(f, "part");
        f.for_each("j", 1, PARTS, |f, j| {
            let here = (from.clone() + along.times(j.to_real() * part.clone())).keep(f, "here");
            self.behind(f, search, calls, &here);
        });
    }

    /// A surface that is closed may be inside of a solid: then the foot of its centre is.
    fn swallows(&self, f: &mut FunctionBuilder, search: &Search, Calls { kept, curved, .. }: Calls) {
        let (tables, a, b) = (self.tables, &search.a, &search.b);
        let p = own_centre(f, tables, a, b);
        let here = Field::at(f, curved.field, b, &p);
        let begin = start(f, &here, &p);
        let arguments: Vec<Expression> = p.after([b.clone()]).into_iter().chain(begin.0).collect();
        let [x, y, z, _, off] = f.call_n(curved.foot, arguments);
        f.if_(off.le(FOUND), |f| {
            let way = (Plain::of(&[x, y, z]) - p.clone()).keep(f, "way");
            let there = turned(tables.poses, b.clone() * 12, &way).keep(f, "there");
            let own = turned_back(tables.poses, a.clone() * 12, &there).keep(f, "own");
            let height = self.height(f, a, &own);
            let height = f.real("height", height);
            f.if_(self.is_kind(a, ShapeKind::Ellipsoid), |f| {
                let size = Plain::load(f, "size", tables.sizes, a.clone() * 3);
                let part = Vector([0, 1, 2].map(|k| own.0[k].clone() / size.0[k].clone())).keep(f, "part");
                let part = part.length(f, "parts");
                f.assign(height, (part - 1.0) * tables.radius.at(a));
            });
            f.if_(height.lt(0.0), |f| {
                f.store(kept, BEST, height);
                let n = direction(f, &there, &there.dot(&there).sqrt());
                n.times(tables.order.at(search.pair)).store(f, kept, BEST + 1);
            });
        });
    }

    /// Deep behind a surface a place may have no foot. Then it is told by F alone that it is there, and about how deep.
    fn behind(&self, f: &mut FunctionBuilder, search: &Search, Calls { kept, curved, .. }: Calls, q: &Plain) {
        let (tables, b) = (self.tables, &search.b);
        let way = (q.clone() - centre(f, "o", tables, b)).keep(f, "way");
        let p = turned_back(tables.poses, b.clone() * 12, &way).keep(f, "p");
        let here = Field::at(f, curved.field, b, &p);
        let steep = here.gradient.length(f, "steep").max(f64::MIN_POSITIVE);
        let side = f.real("side", tables.side.at(search.pair));
        let height = f.real("height", here.value * side / steep.clone());
        f.if_(height.lt(0.0).and(kept.at(BEST).ge(0.0)), |f| {
            f.store(kept, BEST, height);
            let n = turned(tables.poses, b.clone() * 12, &here.gradient.times(-side.get() / steep));
            n.times(tables.order.at(search.pair)).store(f, kept, BEST + 1);
            q.store(f, kept, BEST + 4);
        });
    }

    fn curves_over_surface(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let solid = &search.a;
        let surface = self.centre(f, &search.b);
        f.for_each("k", 0, self.tables.solids.count(Part::Vertices, solid), |f, k| {
            let vertex = self.vertex(f, solid, k);
            self.consider(f, &search, Feature::PointSurface, [&vertex, &surface], 0);
        });
        f.for_each("k", 0, self.tables.solids.count(Part::Edges, solid), |f, k| {
            let edge = self.edge(f, solid, k);
            self.roll_along(f, &search, [&edge, &surface], 0.0.into());
        });
        let size = Plain::load(f, "size", self.tables.sizes, solid.clone() * 3);
        let [outer, height, _] = size.0;
        f.if_(self.is_kind(solid, ShapeKind::Cylinder), |f| {
            let [point, axis] = self.on_axis(f, solid, -height.clone());
            let (length, radius) = (height.clone() * 2.0, outer.clone());
            let line = Side { along: Some(axis), length, radius, ..self.side(solid, -1, point) };
            self.roll_along(f, &search, [&line, &surface], 0.0.into());
        });
        f.if_(self.is_kind(solid, ShapeKind::Cone), |f| {
            let apex = self.apex(f, solid);
            self.consider(f, &search, Feature::PointSurface, [&apex, &surface], 0);
            // The side is what balls around the axis bound; the last of them touches it at the rim.
            let square = (outer.clone() * outer.clone() + height.clone() * height.clone()).keep(f, "square");
            let down = -apex.along.clone().expect("a cone has an axis");
            let line = Side { along: Some(down.keep(f, "down")), length: square.clone() / height.clone(), ..apex };
            self.roll_along(f, &search, [&line, &surface], outer.clone() / square.sqrt());
        });
        let circles = self.circles(f, solid);
        f.for_each("k", 0, circles, |f, k| {
            let circle = Side { part: k * OF_CIRCLE, ..self.circle(f, solid, k) };
            self.roll(f, &search, Feature::CircleSurface, [&circle, &surface]);
        });
    }

    /// Looks for all nearest places of a line.
    fn roll_along(&self, f: &mut FunctionBuilder, search: &Search, [line, surface]: [&Side; 2], taper: Expression) {
        let feature = self.tables.points.feature;
        let trial = self.tables.points.trial();
        let Roll { look, settle } = self.calls.rolls[Feature::LineSurface as usize].expect("there are lines");
        let limits = Vector([taper, 0.0.into(), 0.0.into()]);
        self.describe(f, search, Feature::LineSurface, [&line.clone().with(limits), surface], 0);
        let key = f.integer("key", feature.at(trial));
        let frame = self.tables.frames.at(&line.shape);
        let from = self.calls.at.point(f, &frame, &line.point).value();
        let along = self.world_along(f, line);
        let part = (line.length.clone() / PARTS as f64).keep(f, "part");
        let [distance_before, slope_before] = [f.real("distance_before", 0.0), f.real("slope_before", 0.0)];
        let number = f.integer("number", 0);
        f.for_each("j", 0, PARTS + 1, |f, j| {
            let at = |j: Expression| from.clone() + along.times(j * part.clone());
            let here = at(j.to_real()).keep(f, "here");
            let [distance, slope, _] = f.call_n(look, here.after([trial.into()]));
            f.if_(slope_before.lt(0.0).and(slope.ge(0.0)), |f| {
                let nearer = f.real("nearer", distance.lt(distance_before).select(j.to_real(), j.to_real() - 1.0));
                let start = at(nearer.get()).keep(f, "start");
                self.set_place(f, &frame, &start);
                let settled = Plain::of(&f.call(settle, trial));
                self.set_place(f, &frame, &settled);
                let [_, _, bend] = f.call_n(look, settled.after([trial.into()]));
                f.increase(number, 1);
                f.store(feature, trial, key + number);
                // A line that is as near all along is touched at its ends.
                f.if_(bend.gt(2.0 * PARALLEL / line.length.clone()), |f| self.keep(f, search));
            });
            f.assign(distance_before, distance);
            f.assign(slope_before, slope);
        });
    }

    fn faces_over_surface(&self, f: &mut FunctionBuilder, calls: Calls) {
        let search = Search::of(f);
        let solid = &search.a;
        f.for_each("k", 0, self.tables.solids.count(Part::Faces, solid), |f, k| {
            let polygon = self.face(f, solid, k.get());
            let plane = self.plane(f, solid, &polygon);
            let look = Look::at(self, f, &search, calls, Feature::PlaneSurface, plane);
            let corner = |f: &mut FunctionBuilder, j: Expression| {
                let corner = self.tables.solids.corners.at(polygon.first + j);
                self.calls.at.vertex(f, solid, corner)
            };
            let sum = [0; 3].map(|_| f.real("sum", 0.0));
            f.for_each("j", 0, polygon.vertices, |f, j| {
                let corner = corner(f, j.get());
                sum.iter().zip(corner.0).for_each(|(&sum, part)| f.increase(sum, part));
            });
            let middle = Plain::of(&sum).over(polygon.vertices.to_real()).keep(f, "middle");
            // The middle, and of each corner and the middle of the side after it two places on the way there.
            f.for_each("place", -1, polygon.vertices * 4, |f, place| {
                let j = f.integer("j", place.lt(0).select(0, place.shift_right(2)));
                let next = f.integer("next", (j + 1).lt(polygon.vertices).select(j + 1, 0));
                let ends = [corner(f, j.get()), corner(f, next.get())];
                let far = f.real("far", place.and(1).eq_(0).select(OUT[0], OUT[1]));
                let half = f.real("half", place.and(2).eq_(0).select(0.0, 0.5));
                let end = ends[0].clone() + (ends[1].clone() - ends[0].clone()).times(half);
                let part = f.real("part", place.lt(0).select(0.0, far));
                let q = (middle.clone() + (end - middle.clone()).times(part)).keep(f, "q");
                look.begin_at(f, &q);
            });
        });
        let is_cylinder = f.integer("is_cylinder", self.is_kind(solid, ShapeKind::Cylinder));
        let caps = f.integer("caps", is_cylinder.select(2, self.is_kind(solid, ShapeKind::Cone)));
        f.for_each("k", 0, caps, |f, k| {
            // The base of a cone looks down, as the first cap of a cylinder does.
            let cap = self.cap(f, solid, k.get(), k.to_real() * 2.0 - 1.0);
            self.disc_over_surface(f, &search, calls, cap);
        });
        f.if_(self.is_kind(solid, ShapeKind::Ellipsoid), |f| {
            let middle = self.centre(f, solid);
            let look = Look::at(self, f, &search, calls, Feature::EllipsoidSurface, middle);
            let size = Plain::load(f, "size", self.tables.sizes, solid.clone() * 3);
            f.for_each("j", 0, AROUND, |f, j| {
                let along = Plain::load(f, "along", calls.curved.around, j * 3);
                let own = Vector([0, 1, 2].map(|k| along.0[k].clone() * size.0[k].clone())).keep(f, "own");
                let q = centre(f, "c", self.tables, solid) + turned(self.tables.poses, solid.clone() * 12, &own);
                let q = q.keep(f, "q");
                look.begin_at(f, &q);
            });
        });
    }

    /// A disc, looked at from its middle and two circles around it.
    fn disc_over_surface(&self, f: &mut FunctionBuilder, search: &Search, calls: Calls, cap: Side) {
        let frame = self.tables.frames.at(&cap.shape);
        let middle = self.calls.at.point(f, &frame, &cap.point).value();
        let (place, radius) = (cap.shape.clone() * 12, cap.length.clone());
        let [x, y] = [0, 1].map(|column| {
            let axis = Vector([0, 1, 2].map(|row| self.tables.poses.at(place.clone() + (3 + 3 * row + column))));
            axis.times(radius.clone()).keep(f, "spoke")
        });
        let look = Look::at(self, f, search, calls, Feature::PlaneSurface, cap);
        f.for_each("place", 0, ROUND as i64 + 1, |f, place| {
            let is_middle = f.integer("is_middle", place.eq_(ROUND as i64));
            let j = f.integer("j", is_middle.select(0, place));
            let (cosine, sine) = (self.calls.round.at(j), self.calls.round.at(j + ROUND as i64));
            let out = f.real("out", place.and(1).eq_(0).select(OUT[0], OUT[1]));
            let part = f.real("part", is_middle.select(0.0, out));
            let spoke = x.times(cosine * part) + y.times(sine * part);
            let q = (middle.clone() + spoke).keep(f, "q");
            look.begin_at(f, &q);
        });
    }
}

/// A face or an ellipsoid, looked at from its points.
struct Look<'a> {
    finder: &'a Finder<'a>,
    search: Search,
    calls: Calls,
    kind: Feature,
    /// The face or the centre, and the surface.
    sides: [Side; 2],
    /// The normal of a face, in the axes of the surface.
    normal: Option<Plain>,
    /// How many points of the surface were found, and the last one.
    number: LocalId,
    last: [LocalId; 3],
    radius: Expression,
}

impl Look<'_> {
    fn at<'a>(
        finder: &'a Finder<'a>,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: Calls,
        kind: Feature,
        side: Side,
    ) -> Look<'a> {
        let surface = finder.centre(f, &search.b);
        let normal = (kind == Feature::PlaneSurface).then(|| {
            let normal = finder.world_along(f, &side);
            turned_back(finder.tables.poses, search.b.clone() * 12, &normal).keep(f, "own_normal")
        });
        let radius = finder.tables.radius.at(&search.a).keep(f, "radius");
        let (number, last) = (f.integer("number", 0), [0; 3].map(|_| f.real("last", FAR)));
        Look { finder, search: search.clone(), calls, kind, sides: [side, surface], normal, number, last, radius }
    }

    /// Looks for what is faced from a point of the solid in the world on.
    fn begin_at(&self, f: &mut FunctionBuilder, q: &Plain) {
        let Look { finder, search, calls: Calls { kept, curved, .. }, .. } = self;
        let (tables, b) = (finder.tables, &search.b);
        let way = (q.clone() - centre(f, "o", tables, b)).keep(f, "way");
        let p = turned_back(tables.poses, b.clone() * 12, &way).keep(f, "p");
        let here = Field::at(f, curved.field, b, &p);
        let begin = start(f, &here, &p);
        let arguments: Vec<Expression> = p.after([b.clone()]).into_iter().chain(begin.0).collect();
        let [x, y, z, _, off] = f.call_n(curved.foot, arguments);
        f.if_(off.le(FOUND), |f| {
            let foot = Plain::of(&[x, y, z]);
            let there = Field::at(f, curved.field, b, &foot);
            let steep = there.gradient.length(f, "steep");
            let side = f.real("side", tables.side.at(search.pair) / steep);
            let n = there.gradient.times(-side.get()).keep(f, "n");
            let distance = f.real("distance", n.dot(&(foot.clone() - p.clone())));
            // Where nothing better is found the point itself is as near as that.
            f.if_(distance.lt(kept.at(BEST)), |f| {
                f.store(*kept, BEST, distance);
                let outward = turned(tables.poses, b.clone() * 12, &n);
                outward.times(tables.order.at(search.pair)).store(f, *kept, BEST + 1);
                q.store(f, *kept, BEST + 4);
            });
            let Some(normal) = &self.normal else { return self.face(f, &foot) };
            f.if_(normal.dot(&n).ge(FACING), |f| {
                let at = foot.0.clone().map(|part| f.real("at", part));
                // From plane to surface and back again leads to where they are parallel, slowly.
                f.for_each("again", 0, AGAIN, |f, _| {
                    let above = normal.dot(&(Plain::of(&at) - p.clone())).keep(f, "above");
                    let q = (Plain::of(&at) - normal.times(above)).keep(f, "q");
                    let here = Field::at(f, curved.field, b, &q);
                    let begin = start(f, &here, &q);
                    let arguments: Vec<Expression> = q.after([b.clone()]).into_iter().chain(begin.0).collect();
                    let [x, y, z, _, off] = f.call_n(curved.foot, arguments);
                    f.if_(off.le(FOUND), |f| {
                        at.iter().zip([x, y, z]).for_each(|(&at, part)| f.assign(at, part));
                    });
                });
                self.face(f, &Plain::of(&at));
            });
        });
    }

    /// Looks for what is faced from a point of the surface on, and keeps it if it is something new.
    fn face(&self, f: &mut FunctionBuilder, from: &Plain) {
        let Look { finder, search, .. } = self;
        let Points { feature, data, found, capacity, gap, pair, kind, .. } = finder.tables.points;
        let trial = finder.tables.points.trial();
        let base = trial * Points::DATA;
        finder.describe(f, search, self.kind, [&self.sides[0], &self.sides[1]], 0);
        finder.set_tilt(f, from);
        f.call(finder.calls.evaluate, trial);
        let faced = Plain::load(f, "faced", data, base + NEAREST);
        let one = (self.radius.clone() * ONE_PLACE).keep(f, "one");
        let is_there = gap.at(trial).lt(FAR * 0.5).and(gap.at(trial).ge(-self.radius.clone()));
        let is_new = f.integer("is_new", is_there);
        let differ = |f: &mut FunctionBuilder, other: Plain| {
            let way = (faced.clone() - other).keep(f, "between");
            f.assign(is_new, is_new.and(way.dot(&way).gt(one.clone() * one.clone())));
        };
        differ(f, Plain::of(&self.last));
        f.if_(is_new, |f| {
            self.last.iter().zip(faced.0.clone()).for_each(|(&last, part)| f.assign(last, part));
            let known = f.integer("known", found.at(0).to_real().min(capacity as f64).to_integer());
            f.for_each("slot", capacity, known + capacity, |f, slot| {
                let other = f.integer("other", slot * Points::DATA);
                let one_part = data.at(other + FIRST_PART).eq_(data.at(base + FIRST_PART));
                let one_kind = kind.at(slot).eq_(kind.at(trial)).and(pair.at(slot).eq_(pair.at(trial)));
                f.if_(one_kind.and(one_part), |f| {
                    let other = Plain::load(f, "other", data, other + NEAREST);
                    differ(f, other);
                });
            });
            let is_least = self.is_least(f, &faced);
            f.if_(is_new.and(is_least), |f| {
                f.increase(self.number, 1);
                f.store(feature, trial, feature.at(trial) + self.number);
                finder.set_tilt(f, &faced);
                finder.keep(f, search);
            });
        });
    }

    /// Whether the surface bends away from what faces it, all around the place; and whether that is in the face.
    fn is_least(&self, f: &mut FunctionBuilder, faced: &Plain) -> LocalId {
        let Look { finder, search, calls: Calls { curved, .. }, .. } = self;
        let tables = finder.tables;
        let trial = tables.points.trial();
        let base = trial * Points::DATA;
        let Some(normal) = &self.normal else {
            let [trace, determinant] = [0, 1].map(|k: usize| tables.points.data.at(base + LIMITS + k));
            let trace = trace.keep(f, "trace");
            let is_least = trace.clone().gt(0.0).and(determinant.gt(trace.clone() * trace * PARALLEL));
            return f.integer("is_least", is_least);
        };
        let there = Field::at(f, curved.field, &search.b, faced);
        let steep = there.gradient.dot(normal).keep(f, "steep");
        let [t, u] = across(f, normal);
        let of = [&t, &u].map(|along| there.bent(along).over(-steep.clone()).keep(f, "bent"));
        let Bend { trace, determinant } = Bend::of(f, [&t, &u], [&of[0], &of[1]]);
        let bends = (trace.clone() * self.radius.clone()).gt(PARALLEL);
        let bends = bends.and(determinant.gt(trace.clone() * trace * PARALLEL));
        let looks_back = (steep * tables.side.at(search.pair)).lt(0.0);
        let is_least = f.integer("is_least", bends.and(looks_back));
        f.if_(is_least, |f| {
            let margin = f.call1(finder.calls.margin, trial);
            f.assign(is_least, margin.ge(self.radius.clone() * (SLACK - INSIDE)));
        });
        is_least
    }
}
