//! The points at which cylinders, cones, ellipsoids and tori touch planes and spheres.

use super::{
    PARALLEL, ShapeKind,
    detect::{Finder, Search, Side},
    feature::Feature,
    place::{axis_z, turned, turned_back},
    round::around,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, Term};

/// Cosines of the eighth parts of a half turn: a circle that lies flat is looked at in sixteen points.
const EIGHTHS: [f64; 5] = [1.0, 0.923_879_532_511_286_7, std::f64::consts::FRAC_1_SQRT_2, 0.382_683_432_365_089_8, 0.0];

/// How much less far than the circle half way between every fourth of these points is their chord, as a part of the radius: 1 − cos(π/4).
pub const SAG: f64 = 0.292_894;

/// How many points of a circle there are, and how many numbers each circle has for its points.
pub const ROUND: usize = 16;
pub const SPOKES: usize = 2 * ROUND;

/// The cosines at all sixteen points, from a quarter of them.
fn cosine(k: usize) -> f64 {
    let k = k % ROUND;
    match k {
        0..=4 => EIGHTHS[k],
        5..=8 => -EIGHTHS[8 - k],
        _ => cosine(ROUND - k),
    }
}

impl Finder<'_> {
    pub fn is_kind(&self, shape: &Expression, kind: ShapeKind) -> Expression {
        self.tables.kinds.at(shape).eq_(kind as usize)
    }

    /// A point on the z axis of a shape, and that axis, in the shape's frame.
    pub fn on_axis(&self, f: &mut FunctionBuilder, shape: &Expression, z: Expression) -> [Plain; 2] {
        let place = shape.clone() * 12;
        let axis = Vector([5, 8, 11].map(|entry| self.tables.places.at(place.clone() + entry))).keep(f, "axis");
        let point = Plain::load(f, "origin", self.tables.places, place) + axis.times(z);
        [point.keep(f, "point"), axis]
    }

    pub fn apex(&self, f: &mut FunctionBuilder, shape: &Expression) -> Side {
        let height = self.tables.sizes.at(shape.clone() * 3 + 1);
        let [point, axis] = self.on_axis(f, shape, height * 0.75);
        Side { along: Some(axis), ..self.side(shape, -1, point) }
    }

    /// How many circles a shape has: the rims of a cylinder, the base of a cone, the core of a torus.
    pub fn circles(&self, f: &mut FunctionBuilder, shape: &Expression) -> Expression {
        let one = self.is_kind(shape, ShapeKind::Cone).or(self.is_kind(shape, ShapeKind::Torus));
        let count = self.is_kind(shape, ShapeKind::Cylinder).select(2, one);
        f.integer("circles", count).get()
    }

    pub fn circle(&self, f: &mut FunctionBuilder, shape: &Expression, k: impl Into<Expression>) -> Side {
        let k = k.into();
        let size = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3);
        let [radius, height, _] = size.0;
        let cylinder = height.clone() * (k.clone().to_real() * 2.0 - 1.0);
        let base = self.is_kind(shape, ShapeKind::Cone).select(height * -0.25, 0.0);
        let z = self.is_kind(shape, ShapeKind::Cylinder).select(cylinder, base).keep(f, "z");
        let [point, axis] = self.on_axis(f, shape, z);
        Side { along: Some(axis), length: radius, ..self.side(shape, k, point) }
    }

    /// Half-space and what is round: rims and the core of a torus with their lowest points, an apex, an ellipsoid.
    pub fn curves_over_plane(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let normal = axis_z(f, "normal", self.tables, &search.a);
        let plane = self.half_space(f, &search);
        self.round_over(f, &search, &plane, &normal, 0.into());
    }

    /// Circles, an apex or an ellipsoid over a plane.
    pub fn round_over(&self, f: &mut FunctionBuilder, search: &Search, plane: &Side, n: &Plain, is_turned: Expression) {
        let shape = &search.b;
        let circles = self.circles(f, shape);
        f.for_each("k", 0, circles, |f, k| {
            let circle = self.circle(f, shape, k);
            self.circle_over(f, search, [plane, &circle], n, is_turned.clone());
        });
        f.if_(self.is_kind(shape, ShapeKind::Cone), |f| {
            let apex = Side { along: None, ..self.apex(f, shape) };
            self.consider(f, search, Feature::PlanePoint, [plane, &apex], is_turned.clone());
        });
        f.if_(self.is_kind(shape, ShapeKind::Ellipsoid), |f| {
            let centre = self.centre(f, shape);
            self.consider(f, search, Feature::PlaneEllipsoid, [plane, &centre], is_turned.clone());
        });
    }

    /// The lowest point of a circle over a plane; where it lies flat, four points, or sixteen if not all of it is over a face.
    pub fn circle_over(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        [plane, circle]: [&Side; 2],
        normal: &Plain,
        is_turned: Expression,
    ) {
        let axis = axis_z(f, "axis", self.tables, &circle.shape);
        let (_, _, sine) = around(f, normal, &axis);
        f.if_else(
            sine.clone().ge(PARALLEL),
            |f| {
                let upwards = self.world_along(f, plane);
                let (_, across, _) = around(f, &upwards, &axis);
                let place = circle.shape.clone() * 12;
                let own = turned_back(self.tables.poses, place.clone(), &across.over(-sine.clone())).keep(f, "own");
                let tilt = turned(self.tables.places, place, &own).keep(f, "tilt");
                self.set_tilt(f, &tilt);
                self.set_circle(f, circle);
                self.consider(f, search, Feature::PlaneCircle, [plane, circle], is_turned.clone());
            },
            |f| {
                let place = circle.shape.clone() * 12;
                let axis = |column: usize| {
                    Vector([0, 1, 2].map(|row| self.tables.places.at(place.clone() + (3 + 3 * row + column))))
                };
                let [x, y] = [0, 1].map(|column| axis(column).times(circle.length.clone()).keep(f, "spoke"));
                // The lowest point may be between two of them.
                let search = Search {
                    within: f.real("within_flat", search.within + sine.clone() * circle.length.clone() * SAG),
                    ..search.clone()
                };
                let quarter = |f: &mut FunctionBuilder, first: Expression| {
                    f.for_each("k", 0, ROUND / 4, |f, k| {
                        let j = f.integer("j", k * 4 + first);
                        let (cosine, sine) = (self.calls.round.at(j), self.calls.round.at(j + ROUND));
                        let point = (circle.point.clone() + x.times(cosine) + y.times(sine)).keep(f, "point");
                        let part = circle.part.clone() * SPOKES + j;
                        self.set_tilt(f, &circle.point);
                        self.set_circle(f, circle);
                        let point = Side { part, point, ..circle.clone() };
                        self.consider(f, &search, Feature::PlanePoint, [plane, &point], is_turned.clone());
                    });
                };
                let found = self.tables.points.found;
                let before = f.integer("before_flat", found.at(0));
                quarter(f, 0.into());
                // All around, every fourth one is enough: where things tip over the rim between them, points can be added. So they can where a
                // cap covers a part of the rim, whose ends and middle are found besides.
                let all_around = found.at(0).eq_(before + ROUND as i64 / 4);
                let enough =
                    if self.tables.slop.is_some() { 0.into() } else { all_around.or(plane.length.clone().gt(0.0)) };
                f.if_(enough.eq_(0), |f| f.for_each("first", 1, 4, |f, first| quarter(f, first.get())));
            },
        );
    }

    pub fn centre(&self, f: &mut FunctionBuilder, shape: &Expression) -> Side {
        let point = Plain::load(f, "centre", self.tables.places, shape.clone() * 12);
        self.side(shape, 0, point)
    }

    /// Sphere and what is round: the one feature in whose region the centre is.
    pub fn sphere_and_curved(&self, f: &mut FunctionBuilder) {
        let search = Search::of(f);
        let (sphere, shape) = (&search.a, &search.b);
        let way = Plain::load(f, "p", self.tables.poses, sphere.clone() * 12)
            - Plain::load(f, "c", self.tables.poses, shape.clone() * 12);
        let own = turned_back(self.tables.poses, shape.clone() * 12, &way.keep(f, "way")).keep(f, "own");
        let [x, y, z] = own.0;
        let radius = (x.clone() * x + y.clone() * y).root(f, "radius");
        f.if_(self.is_kind(shape, ShapeKind::Cylinder), |f| self.sphere_and_cylinder(f, &search, &radius, &z));
        f.if_(self.is_kind(shape, ShapeKind::Cone), |f| self.sphere_and_cone(f, &search, &radius, &z));
        f.if_(self.is_kind(shape, ShapeKind::Ellipsoid), |f| {
            let sides = [self.vertex(f, sphere, 0), self.centre(f, shape)];
            self.consider(f, &search, Feature::PointEllipsoid, [&sides[0], &sides[1]], 0);
        });
        f.if_(self.is_kind(shape, ShapeKind::Torus), |f| {
            let sides = [self.vertex(f, sphere, 0), self.circle(f, shape, 0)];
            self.consider(f, &search, Feature::PointCircle, [&sides[0], &sides[1]], 0);
        });
    }

    fn sphere_and_cylinder(&self, f: &mut FunctionBuilder, search: &Search, radius: &Expression, z: &Expression) {
        let (sphere, shape) = (&search.a, &search.b);
        let [outer, height, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
        let beyond = (radius.clone() - outer.clone()).keep(f, "beyond");
        let above = (z.clone().abs() - height.clone()).keep(f, "above");
        let upper = f.integer("upper", z.clone().ge(0.0));
        let sign = (upper.to_real() * 2.0 - 1.0).keep(f, "sign");
        f.if_(beyond.clone().gt(0.0).and(above.clone().gt(0.0)), |f| {
            let limits = Vector([0.0.into(), sign.clone(), 1.0.into()]);
            let sides = [self.vertex(f, sphere, 0).with(limits), self.circle(f, shape, upper)];
            self.consider(f, search, Feature::PointCircle, [&sides[0], &sides[1]], 0);
            f.return_(());
        });
        f.if_(above.ge(beyond), |f| {
            let cap = self.cap(f, shape, upper.get(), sign);
            let sphere = self.vertex(f, sphere, 0);
            self.consider(f, search, Feature::PlanePoint, [&cap, &sphere], 1);
            f.return_(());
        });
        let [point, axis] = self.on_axis(f, shape, -height.clone());
        let line = Side { along: Some(axis), length: height * 2.0, radius: outer, ..self.side(shape, -1, point) };
        let sphere = self.vertex(f, sphere, 0);
        self.consider(f, search, Feature::PointLine, [&sphere, &line], 0);
    }

    /// A plane that ends at a circle; the sign says along which side of the axis it looks.
    pub fn cap(&self, f: &mut FunctionBuilder, shape: &Expression, circle: Expression, sign: Expression) -> Side {
        let circle = self.circle(f, shape, circle);
        let normal = circle.along.as_ref().expect("a circle has an axis").times(sign).keep(f, "normal");
        // Its number is that of the circle, from −2 downwards: faces have numbers from 0 on.
        let part = -circle.part.clone() - 2;
        Side { along: Some(normal), part, ..circle }
    }

    /// In the half plane through the axis: the normal of the side is (h, r)/l, and it goes down from the apex along (r, −h)/l.
    fn sphere_and_cone(&self, f: &mut FunctionBuilder, search: &Search, radius: &Expression, z: &Expression) {
        let (sphere, shape) = (&search.a, &search.b);
        let [outer, height, _] = Plain::load(f, "size", self.tables.sizes, shape.clone() * 3).0;
        let length = (outer.clone() * outer.clone() + height.clone() * height.clone()).root(f, "length");
        let (across, along) =
            ((height.clone() / length.clone()).keep(f, "a"), (outer.clone() / length.clone()).keep(f, "b"));
        let down = (z.clone() - height.clone() * 0.75).keep(f, "down");
        let side = (radius.clone() * across.clone() + down.clone() * along.clone()).keep(f, "side");
        let place = (radius.clone() * along.clone() - down * across.clone()).keep(f, "place");
        let below = (height * -0.25 - z.clone()).keep(f, "below");
        let normal = Vector([across.clone(), along.clone(), 0.0.into()]);
        f.if_(place.clone().le(0.0), |f| {
            let apex = Side { length: length.clone(), ..self.apex(f, shape) };
            let sphere = self.vertex(f, sphere, 0).with(normal.clone());
            self.consider(f, search, Feature::PointPoint, [&sphere, &apex], 0);
            f.return_(());
        });
        f.if_(place.ge(length.clone()).and(radius.clone().ge(outer)), |f| {
            let limits = Vector([along.clone(), -across.clone(), 1.0.into()]);
            let sides = [self.vertex(f, sphere, 0).with(limits), self.circle(f, shape, 0)];
            self.consider(f, search, Feature::PointCircle, [&sides[0], &sides[1]], 0);
            f.return_(());
        });
        f.if_(below.ge(side), |f| {
            let base = self.cap(f, shape, 0.into(), (-1.0).into());
            let sphere = self.vertex(f, sphere, 0);
            self.consider(f, search, Feature::PlanePoint, [&base, &sphere], 1);
            f.return_(());
        });
        let cone = Side { length, ..self.apex(f, shape) };
        let sphere = self.vertex(f, sphere, 0).with(normal);
        self.consider(f, search, Feature::PointCone, [&sphere, &cone], 0);
    }
}

/// Cosines, then sines, at the points of a circle that lies flat.
pub fn table() -> Vec<f64> {
    // A sine is the cosine of a quarter turn before.
    (0..ROUND).map(cosine).chain((0..ROUND).map(|k| cosine(k + ROUND - ROUND / 4))).collect()
}
