//! Gap, normal and point of a feature, with their rates. One formula for each kind, in numbers that carry their rates.

use super::{
    AS_THE_WORLD, MOVES, Points,
    dual::{Dual, Moving, still},
    feature::{FEATURES, FIRST, FIRST_ALONG, FIRST_RADIUS, Feature, SECOND, SECOND_ALONG, SECOND_RADIUS, SIDE, TURNED},
    parts::Parts,
    place::{Carried, Material, carried},
    rolling::Rolling,
    surface::Curved,
    tables::Tables,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer};

/// `(slot: integer)`: see [`Geometry::evaluate`](super::Geometry::evaluate).
pub fn evaluate(module: &mut ModuleBuilder, tables: &Tables, at: &Material, calls: &Calls) -> FunctionId {
    let kinds = FEATURES.map(|kind| {
        tables.has[kind as usize].then(|| {
            module.function(&format!("contact_evaluate_{kind:?}").to_lowercase(), &[("slot", Integer)], &[], |f| {
                let [slot] = f.parameters();
                let sides = Sides::load(f, tables, at, slot);
                if kind == Feature::PlanePoint {
                    f.note("Most of what rests lies on what never moves.");
                    f.if_(tables.bodies.still.at(sides.first.clone()).ne_(MOVES), |f| {
                        let touch = sides.over_still_plane(f);
                        touch.store(f, tables.points, slot, &sides.sign);
                        f.return_(());
                    });
                }
                let touch = sides.touch(f, kind, calls);
                touch.store(f, tables.points, slot, &sides.sign);
            })
        })
    });
    let evaluate = module.declare("contact_evaluate", &[("slot", Integer)], &[]);
    module.describe(evaluate, "Gap, normal and point of a feature, with their rates.");
    module.define(evaluate, |f| {
        let [slot] = f.parameters();
        let case =
            |f: &mut FunctionBuilder, kind: usize| kinds[kind].into_iter().for_each(|kind| drop(f.call(kind, slot)));
        f.switch(tables.points.kind.at(slot), FEATURES.len(), case, |_| ());
    });
    evaluate
}

/// What features of some kinds need, where there are any.
pub struct Calls<'a> {
    pub parts: Option<&'a Parts>,
    pub curved: Option<&'a Curved>,
    pub rolling: &'a Rolling,
}

/// What is found at a feature; the normal from its first to its second.
pub struct Touch {
    pub gap: Dual,
    pub normal: Moving,
    pub point: Moving,
}

impl Touch {
    fn store(&self, f: &mut FunctionBuilder, points: Points, slot: LocalId, sign: &Expression) {
        let normal = self.normal.times(sign.clone());
        f.store(points.gap, slot, self.gap.value.clone());
        normal.value().store(f, points.normal, slot * 3);
        normal.rate().store(f, points.normal_rate, slot * 3);
        self.point.value().store(f, points.point, slot * 3);
        self.point.rate().store(f, points.point_rate, slot * 3);
    }
}

/// The two sides of the feature in a slot.
#[derive(Clone)]
pub struct Sides<'a> {
    pub at: &'a Material,
    pub tables: &'a Tables,
    pub data: kernel::ArrayId,
    pub slot: Expression,
    pub base: Expression,
    pub pair: Expression,
    pub first: Expression,
    pub second: Expression,
    pub first_shape: Expression,
    pub second_shape: Expression,
    /// +1 where the first of the feature is on the first of the pair as the caller has it.
    pub sign: Expression,
    /// Instead of the point of the first, one that moves on it.
    pub ball: Option<Moving>,
    /// Whether the second stands still, whatever its twist.
    pub is_still: bool,
}

impl Sides<'_> {
    pub fn load<'a>(f: &mut FunctionBuilder, tables: &'a Tables, at: &'a Material, slot: LocalId) -> Sides<'a> {
        let data = tables.points.data;
        let base = f.integer("base", slot * Points::DATA);
        let pair = f.integer("pair", tables.points.pair.at(slot));
        let turned = f.real("turned", data.at(base + TURNED));
        let [a, b] = tables.shapes(pair).map(|shape| f.integer("shape", shape));
        let shapes = [turned.gt(0.0).select(a, b), turned.gt(0.0).select(b, a)].map(|shape| f.integer("side", shape));
        let [first, second] = shapes.map(|shape| f.integer("frame", tables.frames.at(shape)));
        let sign = (turned * tables.order.at(pair)).keep(f, "sign");
        Sides {
            at,
            tables,
            data,
            slot: slot.get(),
            base: base.get(),
            pair: pair.get(),
            first: first.get(),
            second: second.get(),
            first_shape: shapes[0].get(),
            second_shape: shapes[1].get(),
            sign,
            ball: None,
            is_still: false,
        }
    }

    pub fn number(&self, place: usize) -> Dual {
        self.data.at(self.base.clone() + place).into()
    }

    pub fn vector(&self, f: &mut FunctionBuilder, place: usize) -> Plain {
        Plain::load(f, "own", self.data, self.base.clone() + place)
    }

    pub fn first_point(&self, f: &mut FunctionBuilder) -> Moving {
        if let Some(ball) = &self.ball {
            return ball.clone();
        }
        let own = self.vector(f, FIRST);
        self.at.point(f, &self.first, &own)
    }

    pub fn second_point(&self, f: &mut FunctionBuilder) -> Moving {
        let own = self.vector(f, SECOND);
        let point = self.at.point(f, &self.second, &own);
        self.of_second(point)
    }

    /// What is known of the second, with its rate unless it stands still.
    fn of_second(&self, of: Moving) -> Moving {
        if self.is_still { still(&of.value()) } else { of }
    }

    pub fn first_along(&self, f: &mut FunctionBuilder) -> Moving {
        let own = self.vector(f, FIRST_ALONG);
        self.at.direction(f, &self.first, &own)
    }

    pub fn second_along(&self, f: &mut FunctionBuilder) -> Moving {
        let own = self.vector(f, SECOND_ALONG);
        let along = self.at.direction(f, &self.second, &own);
        self.of_second(along)
    }

    /// The angular velocity of the first frame.
    pub fn first_turning(&self, f: &mut FunctionBuilder) -> Plain {
        Plain::load(f, "turning", self.tables.bodies.twist, self.first.clone() * 6 + 3)
    }

    /// The angular velocity of the second frame.
    pub fn second_turning(&self, f: &mut FunctionBuilder) -> Plain {
        Plain::load(f, "turning", self.tables.bodies.twist, self.second.clone() * 6 + 3)
    }

    /// The z axes of both shapes.
    pub fn axes_z(&self, f: &mut FunctionBuilder) -> [Plain; 2] {
        [(&self.first_shape, &self.first), (&self.second_shape, &self.second)].map(|(shape, frame)| {
            let own = [5, 8, 11].map(|entry| self.tables.places.at(shape.clone() * 12 + entry));
            self.at.direction(f, frame, &Vector(own)).value()
        })
    }

    /// The axes of the second shape, and its sizes.
    pub fn second_axes(&self, f: &mut FunctionBuilder) -> ([Moving; 3], Plain) {
        let place = self.second_shape.clone() * 12;
        let axes = [0, 1, 2].map(|column| {
            let own = [0, 1, 2].map(|row| self.tables.places.at(place.clone() + (3 + 3 * row + column)));
            let axis = self.at.direction(f, &self.second, &Vector(own));
            self.of_second(axis)
        });
        (axes, Plain::load(f, "size", self.tables.sizes, self.second_shape.clone() * 3))
    }

    pub fn touch(&self, f: &mut FunctionBuilder, kind: Feature, calls: &Calls) -> Touch {
        if kind.of_ball().is_some() {
            return self.rolled(f, kind, calls);
        }
        let parts = || calls.parts.expect("convex shapes have parts");
        match kind {
            Feature::PlanePoint => {
                let (q, n, p) = (self.first_point(f), self.first_along(f), self.second_point(f));
                self.over_plane(f, &q, n, p)
            }
            Feature::PointPoint => {
                let (p, q) = (self.first_point(f), self.second_point(f));
                self.apart(f, &p, &q)
            }
            Feature::PointLine => {
                let (p, q, e) = (self.first_point(f), self.second_point(f), self.second_along(f));
                let t = e.dot(&(p.clone() - q.clone())).keep(f, "t");
                let foot = (q + e.times(t)).keep(f, "foot");
                self.apart(f, &p, &foot)
            }
            Feature::LineLine => self.crossing(f),
            Feature::PlaneCircle => self.plane_circle(f),
            Feature::PlaneEllipsoid => self.plane_ellipsoid(f),
            Feature::PointCircle => self.point_circle(f),
            Feature::PointCone => self.point_cone(f),
            Feature::PointEllipsoid => self.point_ellipsoid(f),
            Feature::RoundRound => self.round_round(f, parts()),
            Feature::StraightRound => self.straight_round(f, parts()),
            Feature::StraightStraight => self.straight_straight(f),
            Feature::LineCircle => self.line_circle(f),
            Feature::PlaneCrossing => self.plane_crossing(f),
            Feature::CircleCircle => self.circle_circle(f),
            Feature::PointSurface => self.point_surface(f, calls.curved.expect("there are surfaces")),
            Feature::PlaneSurface => self.plane_surface(f, calls.curved.expect("there are surfaces")),
            Feature::EllipsoidSurface => self.ellipsoid_surface(f, calls.curved.expect("there are surfaces")),
            Feature::RingPoint
            | Feature::RingLine
            | Feature::RingCircle
            | Feature::RingCone
            | Feature::RingEllipsoid
            | Feature::LineSurface
            | Feature::CircleSurface => unreachable!("their balls touch"),
        }
    }

    /// A point over a plane that never moves: that has no rates, and mostly not even a pose.
    fn over_still_plane(&self, f: &mut FunctionBuilder) -> Touch {
        let [q, n] = [FIRST, FIRST_ALONG].map(|place| [0, 1, 2].map(|k| f.real("own", self.number(place + k).value)));
        f.if_(self.tables.bodies.still.at(self.first.clone()).ne_(AS_THE_WORLD), |f| {
            let there = [self.first_point(f), self.first_along(f)];
            for (own, there) in [q, n].into_iter().zip(there) {
                own.into_iter().zip(there.value().0).for_each(|(own, there)| f.assign(own, there));
            }
        });
        let own = self.vector(f, SECOND);
        let p = carried(f, self.tables.bodies, &self.second, &own, Carried::Point);
        let [q, n] = [q, n].map(|locals| still(&Plain::of(&locals)));
        self.over_plane(f, &q, n, p)
    }

    /// Two lines p + s d and q + t e, whose normal is along the cross product of their directions.
    fn crossing(&self, f: &mut FunctionBuilder) -> Touch {
        let (p, d) = (self.first_point(f), self.first_along(f));
        let (q, e) = (self.second_point(f), self.second_along(f));
        let cross = d.cross(&e).keep(f, "cross");
        let square = cross.dot(&cross).keep(f, "square");
        let length = square.clone().root(f, "length");
        let normal = cross.times(self.number(SIDE)).over(length).keep(f, "normal");
        let w = (q - p.clone()).keep(f, "w");
        let s = w.cross(&e).keep(f, "across").dot(&cross) / square;
        let s = s.keep(f, "s");
        let foot = (p + d.times(s)).keep(f, "foot");
        let distance = normal.dot(&w).keep(f, "distance");
        self.between(f, &foot, normal, distance)
    }

    /// Two points that do not coincide.
    pub fn apart(&self, f: &mut FunctionBuilder, p: &Moving, q: &Moving) -> Touch {
        let way = (q.clone() - p.clone()).keep(f, "way");
        let distance = way.length(f, "distance");
        let normal = way.over(distance.clone()).keep(f, "normal");
        self.between(f, p, normal, distance)
    }

    /// The rounded cores begin at p, the place on the first, and are so far apart along the normal.
    pub fn between(&self, f: &mut FunctionBuilder, p: &Moving, normal: Moving, distance: Dual) -> Touch {
        let (first, second) = (self.number(FIRST_RADIUS), self.number(SECOND_RADIUS));
        let gap = (distance - first.clone() - second).keep(f, "gap");
        let point = p.clone() + normal.times((first + gap.clone() * Dual::from(Expression::from(0.5))).keep(f, "half"));
        Touch { gap, normal, point: point.keep(f, "point") }
    }
}
