//! The points at which a torus touches what is not a plane or a ball: each part of the other, and the nearest places to it on the circle.
//!
//! A part is looked at as if it went on for ever; whether the nearest place is in its region says its margin. So a torus is as near to a solid as to the
//! nearest of its parts, whatever is in the hole.

use super::{
    Points, SLACK, ShapeKind,
    convex_points::OUTSIDE,
    detect::{Finder, Search, Side},
    feature::{Feature, TILT},
    place::turned_back,
    rolling::Roll,
    tables::Part,
    vector::{Plain, Scalar, Vector},
};
use kernel::{
    ArrayId, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real,
};

/// At how many places of a circle it is looked whether a nearest one lies between two of them.
pub const PLACES: usize = 64;

/// The core of a torus is nowhere inside of what it touches: what it is behind of, by more than this part of the tube, is seen from behind.
const BEHIND: f64 = 0.5;

/// A part is as near all around a circle if its distances differ by no more than this part of the radius.
const EVEN: f64 = super::PARALLEL;

/// Places in the array of what is kept: the least gap and the least margin, then the best gap, its normal and its point.
pub const LEAST_GAP: usize = 0;
pub const LEAST_MARGIN: usize = 1;
pub const BEST: usize = 2;
pub const KEPT: usize = 9;

/// Cosines, then sines, at the places of a circle: by halving a right angle, and adding.
pub fn places() -> Vec<f64> {
    let (mut cosine, mut parts) = (0.0_f64, 4);
    while parts < PLACES {
        cosine = ((1.0 + cosine) * 0.5).sqrt();
        parts *= 2;
    }
    let sine = (1.0 - cosine * cosine).sqrt();
    let turn = |[x, y]: [f64; 2]| [x * cosine - y * sine, x * sine + y * cosine];
    let all: Vec<[f64; 2]> = std::iter::successors(Some([1.0, 0.0]), |&place| Some(turn(place))).take(PLACES).collect();
    all.iter().map(|place| place[0]).chain(all.iter().map(|place| place[1])).collect()
}

/// What is found out about the parts of a pair.
#[derive(Clone, Copy)]
pub struct Calls {
    /// See [`LEAST_GAP`].
    pub kept: ArrayId,
    /// `(pair, a, b, within)`: all parts of the other shape.
    pub parts: FunctionId,
}

impl Finder<'_> {
    /// `(pair, a, b, within)`: the parts of any shape, and the circle of a torus.
    pub fn parts_and_ring(&self, module: &mut ModuleBuilder) -> FunctionId {
        let parameters = [("pair", Integer), ("a", Integer), ("b", Integer), ("within", Real)];
        module.function("ring_parts", &parameters, &[], |f| {
            let search = Search::of(f);
            let ring = Side { part: (-1).into(), ..self.circle(f, &search.b, 0) };
            self.solid_and_ring(f, &search, &ring);
            f.if_(self.is_kind(&search.a, ShapeKind::Cylinder), |f| self.cylinder_and_ring(f, &search, &ring));
            f.if_(self.is_kind(&search.a, ShapeKind::Cone), |f| self.cone_and_ring(f, &search, &ring));
            f.if_(self.is_kind(&search.a, ShapeKind::Ellipsoid), |f| {
                let centre = self.centre(f, &search.a);
                self.roll(f, &search, Feature::RingEllipsoid, [&ring, &centre]);
            });
            f.if_(self.is_kind(&search.a, ShapeKind::Torus), |f| {
                let circle = self.circle(f, &search.a, 0);
                self.roll(f, &search, Feature::RingCircle, [&ring, &circle]);
            });
        })
    }

    /// Any shape and a torus. If they are near enough there is a point: what ends where another begins is looked for more widely.
    pub fn ring(&self, f: &mut FunctionBuilder, calls: Calls) {
        let search = Search::of(f);
        let (a, b) = (&search.a, &search.b);
        let smaller = f.real("smaller", self.tables.radius.at(a).min(self.tables.radius.at(b)));
        let tube = self.tables.rounding.at(b);
        f.store(calls.kept, LEAST_GAP, tube * -BEHIND);
        f.store(calls.kept, BEST, super::FAR);
        for outside in OUTSIDE {
            f.if_(calls.kept.at(BEST).ge(super::FAR), |f| {
                f.store(calls.kept, LEAST_MARGIN, smaller * (SLACK - outside));
                f.call(calls.parts, (search.pair, a, b, search.within));
            });
        }
        self.pierced(f, &search, calls);
    }

    /// Places all around the circle of a torus, in the world.
    pub fn for_each_place(
        &self,
        f: &mut FunctionBuilder,
        torus: &Expression,
        body: impl Fn(&mut FunctionBuilder, LocalId, Plain),
    ) {
        let radius = f.real("core", self.tables.sizes.at(torus.clone() * 3));
        let middle = Plain::load(f, "middle", self.tables.poses, torus.clone() * 12);
        self.for_each_place_around(f, torus, (&middle, radius), body);
    }

    /// Places all around the circle of a feature: the core of a torus, or any circle over a curved surface.
    fn for_each_place_of(
        &self,
        f: &mut FunctionBuilder,
        kind: Feature,
        circle: &Side,
        body: impl Fn(&mut FunctionBuilder, LocalId, Plain),
    ) {
        if kind != Feature::CircleSurface {
            return self.for_each_place(f, &circle.shape, body);
        }
        let frame = self.tables.frames.at(&circle.shape);
        let middle = self.calls.at.point(f, &frame, &circle.point).value();
        let radius = f.real("core", circle.length.clone());
        self.for_each_place_around(f, &circle.shape, (&middle, radius), body);
    }

    /// Places all around a circle about the z axis of a shape, in the world.
    fn for_each_place_around(
        &self,
        f: &mut FunctionBuilder,
        shape: &Expression,
        (middle, radius): (&Plain, LocalId),
        body: impl Fn(&mut FunctionBuilder, LocalId, Plain),
    ) {
        let pose = shape.clone() * 12;
        let [x, y] = [0, 1].map(|column| {
            let axis = Vector([0, 1, 2].map(|row| self.tables.poses.at(pose.clone() + (3 + 3 * row + column))));
            axis.times(radius).keep(f, "spoke")
        });
        f.for_each("j", 0, PLACES as i64 + 1, |f, j| {
            let k = f.integer("k", j.lt(PLACES as i64).select(j, 0));
            let (cosine, sine) = (self.calls.places.at(k), self.calls.places.at(k + PLACES as i64));
            let here = (middle.clone() + x.times(cosine) + y.times(sine)).keep(f, "here");
            body(f, j, here);
        });
    }

    fn solid_and_ring(&self, f: &mut FunctionBuilder, search: &Search, ring: &Side) {
        let shape = &search.a;
        f.for_each("k", 0, self.tables.solids.count(Part::Vertices, shape), |f, k| {
            let vertex = self.vertex(f, shape, k);
            self.roll(f, search, Feature::RingPoint, [ring, &vertex]);
        });
        f.for_each("k", 0, self.tables.solids.count(Part::Edges, shape), |f, k| {
            let edge = self.edge(f, shape, k);
            self.roll(f, search, Feature::RingLine, [ring, &edge]);
        });
        f.for_each("k", 0, self.tables.solids.count(Part::Faces, shape), |f, k| {
            let face = self.face(f, shape, k.get());
            let plane = self.plane(f, shape, &face);
            let circle = self.circle(f, &search.b, 0);
            self.circle_over(f, search, [&plane, &circle], &face.normal, 0.into());
        });
    }

    fn cylinder_and_ring(&self, f: &mut FunctionBuilder, search: &Search, ring: &Side) {
        let shape = &search.a;
        let [outer, height, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
        let [point, axis] = self.on_axis(f, shape, -height.clone());
        let line = Side { along: Some(axis), length: height * 2.0, radius: outer, ..self.side(shape, -1, point) };
        self.roll(f, search, Feature::RingLine, [ring, &line]);
        for (which, sign) in [(0_i64, -1.0), (1, 1.0)] {
            let limits = Vector([0.0.into(), sign.into(), 1.0.into()]);
            self.cap_and_ring(f, search, &ring.clone().with(limits), (which.into(), sign.into()));
        }
    }

    fn cone_and_ring(&self, f: &mut FunctionBuilder, search: &Search, ring: &Side) {
        let shape = &search.a;
        let [outer, height, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
        let length = (outer.clone() * outer.clone() + height.clone() * height.clone()).root(f, "length");
        let (across, along) = ((height / length.clone()).keep(f, "a"), (outer / length.clone()).keep(f, "b"));
        let normal = Vector([across.clone(), along.clone(), 0.0.into()]);
        let apex = Side { length, ..self.apex(f, shape) };
        let beside = ring.clone().with(normal);
        self.roll(f, search, Feature::RingPoint, [&beside, &apex]);
        self.roll(f, search, Feature::RingCone, [&beside, &apex]);
        let limits = Vector([along, -across, 1.0.into()]);
        self.cap_and_ring(f, search, &ring.clone().with(limits), (0.into(), (-1.0).into()));
    }

    /// A cap or base, and the rim around it.
    fn cap_and_ring(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        ring: &Side,
        (which, sign): (Expression, Expression),
    ) {
        let rim = self.circle(f, &search.a, which.clone());
        self.roll(f, search, Feature::RingCircle, [ring, &rim]);
        let cap = self.cap(f, &search.a, which, sign);
        let normal = self.world_along(f, &cap);
        let circle = self.circle(f, &search.b, 0);
        self.circle_over(f, search, [&cap, &circle], &normal, 0.into());
    }

    /// Looks for all nearest places of a circle to a part of the other shape. Over a curved surface the circle is on the first shape, else on the second.
    pub fn roll(&self, f: &mut FunctionBuilder, search: &Search, kind: Feature, [ring, part]: [&Side; 2]) {
        let Points { feature, .. } = self.tables.points;
        let trial = self.tables.points.trial();
        let roll = self.calls.rolls[kind as usize].expect("there are curves");
        self.describe(f, search, kind, [ring, part], i64::from(kind != Feature::CircleSurface));
        let key = f.integer("key", feature.at(trial));
        let is_even = self.even(f, search, (kind, roll), [ring, part]);
        let frame = self.tables.frames.at(&ring.shape);
        let before = [0; 3].map(|_| f.real("before", 0.0));
        let [distance_before, slope_before] = [f.real("distance_before", 0.0), f.real("slope_before", 0.0)];
        self.for_each_place_of(f, kind, ring, |f, j, here| {
            let [distance, slope, _] = f.call_n(roll.look, here.after([trial.into()]));
            f.if_(slope_before.lt(0.0).and(slope.ge(0.0)).and(is_even.eq_(0)), |f| {
                let nearer = f.integer("nearer", distance.lt(distance_before));
                let start = Vector([0, 1, 2].map(|k| nearer.select(here.0[k].clone(), before[k]))).keep(f, "start");
                self.set_place(f, &frame, &start);
                let settled = Plain::of(&f.call(roll.settle, trial));
                self.set_place(f, &frame, &settled);
                f.store(feature, trial, key + (j + 1).shift_left(24));
                self.keep(f, search);
            });
            before.iter().zip(here.0).for_each(|(&entry, value)| f.assign(entry, value));
            f.assign(distance_before, distance);
            f.assign(slope_before, slope);
        });
    }

    /// A part that is as near all around, on the axis or about it, is touched in four places that stay where they are on the circle. Whether it is.
    fn even(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        (kind, roll): (Feature, Roll),
        [ring, part]: [&Side; 2],
    ) -> LocalId {
        let trial = self.tables.points.trial();
        let (least, most) = (f.real("least", super::FAR), f.real("most", -super::FAR));
        self.for_each_place_of(f, kind, ring, |f, _, here| {
            let [distance, _, _] = f.call_n(roll.look, here.after([trial.into()]));
            f.assign(least, least.min(distance));
            f.assign(most, most.max(distance));
        });
        let is_even = f.integer("is_even", (most - least).le(ring.length.clone() * EVEN));
        f.if_(is_even, |f| {
            let frame = f.integer("frame", self.tables.frames.at(&ring.shape) * 12);
            let origin = Plain::load(f, "origin", self.tables.bodies.pose, frame);
            let search = Search { within: f.real("within_even", search.within + (most - least)), ..search.clone() };
            self.for_each_place_of(f, kind, ring, |f, j, here| {
                f.if_(j.and(PLACES as i64 / 4 - 1).eq_(0).and(j.lt(PLACES as i64)), |f| {
                    let way = (here.clone() - origin.clone()).keep(f, "way");
                    let point = turned_back(self.tables.bodies.pose, frame, &way).keep(f, "point");
                    let ball = Side { point, along: None, length: 0.0.into(), ..ring.clone() };
                    let is_turned = i64::from(kind != Feature::CircleSurface);
                    let kind = kind.of_ball().expect("the first is a curve");
                    self.describe(f, &search, kind, [&ball, part], is_turned);
                    let feature = self.tables.points.feature;
                    f.store(feature, trial, feature.at(trial) + (j + 1).shift_left(24));
                    self.keep(f, &search);
                });
            });
        });
        is_even
    }

    /// Where on the curve in this frame the feature begins to look that is described.
    pub fn set_place(&self, f: &mut FunctionBuilder, frame: &Expression, place: &Plain) {
        let frame = f.integer("frame", frame.clone() * 12);
        let origin = Plain::load(f, "origin", self.tables.bodies.pose, frame);
        let own = turned_back(self.tables.bodies.pose, frame, &(place.clone() - origin).keep(f, "way"));
        own.store(f, self.tables.points.data, self.tables.points.trial() * Points::DATA + TILT);
    }
}
