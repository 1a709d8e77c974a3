//! How far inside of its feature a point is.

use super::{
    FAR, LEAN, PARALLEL, Points, SLACK, discs,
    dual::Moving,
    feature::{
        EXCESS, FEATURES, FIRST, FIRST_ALONG, FIRST_LENGTH, FIRST_PART, Feature, LIMITS, NEAREST, SECOND, SECOND_ALONG,
        SECOND_LENGTH, SECOND_PART, SIDE, TILT, TURNED,
    },
    parts::{BASE, BASE_BITS, CIRCLE, CONE, slope},
    place::{Material, axis_z},
    regions::Regions,
    rim, rims,
    round::around,
    tables::Tables,
    vector::{Plain, Scalar},
};
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Term, Type::Integer, Type::Real};

/// A nearest place on a circle is looked for anew where it has gone so far that this is the cosine of the angle: about a radian and a half before it
/// could be that of another.
const ROLLED: f64 = 0.8;
/// Which point of a surface an ellipsoid faces is looked for anew where it has gone on by this part of the largest semi-axis.
const ROLLED_ON: f64 = 0.2;

/// `(slot: integer) -> real`: see [`Geometry::margin`](super::Geometry::margin).
pub fn margin(
    module: &mut ModuleBuilder,
    tables: &Tables,
    at: &Material,
    regions: &Regions,
    evaluate: FunctionId,
) -> FunctionId {
    let margin = module.declare("contact_margin", &[("slot", Integer)], &[Real]);
    module.describe(margin, "How far a point is from the ends of its feature.");
    module.define(margin, |f| {
        let [slot] = f.parameters();
        let ends = Ends::load(f, tables, *at, slot);
        let case = |f: &mut FunctionBuilder, kind: usize| {
            if !tables.has[kind] {
                return f.return_(FAR);
            }
            let point = |f: &mut FunctionBuilder| {
                f.call(evaluate, slot);
                Plain::load(f, "point", tables.points.point, slot * 3)
            };
            let inside = ends.inside(f, tables, regions, FEATURES[kind], &point);
            f.return_(inside + ends.slack.clone() + ends.number(EXCESS));
        };
        f.switch(tables.points.kind.at(slot), FEATURES.len(), case, |_| ());
        f.return_(FAR);
    });
    margin
}

/// The two sides of the feature in a slot, and where they are.
#[derive(Clone)]
struct Ends {
    data: kernel::ArrayId,
    slot: Expression,
    base: Expression,
    shapes: [Expression; 2],
    points: [Plain; 2],
    alongs: [Plain; 2],
    /// Towards which side a circle was tilted when it was found.
    tilt: Plain,
    /// Where on a curve the nearest place was when it was found.
    began: Plain,
    frames: [Expression; 2],
    at: Material,
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
        let tilt = place(f, 1, TILT, at.direction);
        let began = place(f, 0, TILT, at.point);
        let slack = (tables.radius.at(a).min(tables.radius.at(b)) * SLACK).keep(f, "slack");
        Ends { data, slot: slot.get(), base: base.get(), shapes, points, alongs, tilt, began, frames, at, slack }
    }

    fn number(&self, place: usize) -> Expression {
        self.data.at(self.base.clone() + place)
    }

    fn inside(
        &self,
        f: &mut FunctionBuilder,
        tables: &Tables,
        regions: &Regions,
        kind: Feature,
        point: &dyn Fn(&mut FunctionBuilder) -> Plain,
    ) -> Expression {
        if kind == Feature::LineSurface {
            point(f);
            let nearest = Plain::load(f, "nearest", self.data, self.base.clone() + NEAREST);
            let s = self.alongs[0].dot(&(nearest - self.points[0].clone())).keep(f, "s");
            return within(&s, self.number(FIRST_LENGTH));
        }
        if let Some(ball) = kind.of_ball() {
            return self.inside_ball(f, tables, regions, ball, point);
        }
        match kind {
            Feature::PlanePoint | Feature::PlaneCircle | Feature::PlaneEllipsoid | Feature::PlaneSurface => {
                self.inside_plane(f, regions, kind, point)
            }
            Feature::PointPoint | Feature::PointLine | Feature::LineLine => self.inside_edges(f, regions, kind),
            Feature::LineCircle => self.inside_crossing(f, regions),
            Feature::PlaneCrossing => {
                let radii = [FIRST_LENGTH, SECOND_LENGTH].map(|place| self.number(place).keep(f, "radius"));
                discs::margin(f, &self.points, &self.alongs, radii)
            }
            Feature::CircleCircle => {
                let radii = [FIRST_LENGTH, SECOND_LENGTH].map(|place| self.number(place).keep(f, "radius"));
                // The number of the second says which of two crossings it is as well.
                let numbers = [self.number(FIRST_PART).to_integer(), self.number(SECOND_PART).to_integer()];
                let [first, second] = numbers.map(|number| f.integer("number", number));
                let circles = [first.get(), second.shift_right(4)];
                let limits = [0, 1].map(|k: usize| rims::limits(f, tables, &self.shapes[k], circles[k].clone()));
                let places = (&self.points, &self.alongs);
                let start = [(0, TILT), (1, NEAREST)].map(|(side, place): (usize, usize)| {
                    let own = Plain::load(f, "own", self.data, self.base.clone() + place);
                    self.at.direction(f, &self.frames[side], &own).value()
                });
                rims::margin(f, places, (radii, self.number(SIDE)), limits, &start)
            }
            _ => self.inside_round(f, tables, regions, kind, point),
        }
    }

    /// A curve ends where the ball does that is nearest on it, and has to be found anew where that has rolled on too far.
    fn inside_ball(
        &self,
        f: &mut FunctionBuilder,
        tables: &Tables,
        regions: &Regions,
        ball: Feature,
        point: &dyn Fn(&mut FunctionBuilder) -> Plain,
    ) -> Expression {
        let touched = point(f);
        let nearest = Plain::load(f, "nearest", self.data, self.base.clone() + NEAREST);
        let was = self.began.clone();
        let radius = self.number(FIRST_LENGTH).keep(f, "radius");
        let centre = &self.points[0];
        let out = (nearest.clone() - centre.clone()).keep(f, "out");
        let along = out.dot(&(was - centre.clone())) / radius.clone();
        let rolled = (along - radius * ROLLED).keep(f, "rolled");
        let ends = Ends { points: [nearest, self.points[1].clone()], ..self.clone() };
        ends.inside(f, tables, regions, ball, &|_: &mut FunctionBuilder| touched.clone()).min(rolled)
    }

    /// How far a place in the world is inside the region of the part of one of the sides.
    fn region(&self, f: &mut FunctionBuilder, region: FunctionId, side: usize, place: &Plain) -> LocalId {
        let part = self.number([FIRST_PART, SECOND_PART][side]).to_integer();
        f.call1(region, place.after([self.shapes[side].clone(), part]))
    }

    /// Planes end at the sides of a face or at a circle.
    fn inside_plane(
        &self,
        f: &mut FunctionBuilder,
        regions: &Regions,
        kind: Feature,
        point: &dyn Fn(&mut FunctionBuilder) -> Plain,
    ) -> Expression {
        let ([p, q], [d, e]) = (&self.points, &self.alongs);
        let (_, across, sine) = around(f, d, e);
        let circle = self.number(SECOND_LENGTH);
        let (place, flat) = match kind {
            Feature::PlaneCircle => {
                let lowest = (q.clone() - across.times(circle.clone() / sine)).keep(f, "lowest");
                // Where it passes flat, or has rolled on by a quarter turn, it has to be found anew.
                (lowest, (-self.tilt.dot(&across) - 0.5 * PARALLEL) * circle)
            }
            Feature::PlaneEllipsoid | Feature::PlaneSurface => (point(f), FAR.into()),
            // A point of a circle is touched while that lies flat.
            _ => (q.clone(), circle.clone().gt(0.0).select((2.0 * PARALLEL - sine) * circle, FAR)),
        };
        let face = self.region(f, regions.face, 0, &place);
        let (_, _, away) = around(f, &(place - p.clone()), d);
        let disc = self.number(FIRST_LENGTH);
        let disc = disc.clone().gt(0.0).select(disc - away, FAR);
        face.min(disc.min(flat).keep(f, "ends"))
    }

    fn inside_edges(&self, f: &mut FunctionBuilder, regions: &Regions, kind: Feature) -> Expression {
        let ([p, q], [d, e]) = (&self.points, &self.alongs);
        match kind {
            Feature::PointPoint => {
                let first = self.region(f, regions.vertex, 0, q);
                let second = self.region(f, regions.vertex, 1, p);
                let (along, _, radius) = around(f, &(p.clone() - q.clone()), e);
                let before = along * self.number(LIMITS) - radius * self.number(LIMITS + 1);
                let apex = self.number(SECOND_LENGTH).gt(0.0).select(before, FAR);
                first.min(second).min(apex)
            }
            Feature::PointLine => {
                let way = (p.clone() - q.clone()).keep(f, "way");
                let t = way.dot(e).keep(f, "t");
                let foot = (q.clone() + e.times(t.clone())).keep(f, "foot");
                let first = self.region(f, regions.vertex, 0, &foot);
                let second = self.region(f, regions.edge, 1, &way);
                first.min(second).min(within(&t, self.number(SECOND_LENGTH)))
            }
            _ => {
                let cross = d.cross(e).keep(f, "cross");
                let square = cross.dot(&cross).keep(f, "square");
                let w = (q.clone() - p.clone()).keep(f, "w");
                let s = (w.cross(e).keep(f, "across").dot(&cross) / square.clone()).keep(f, "s");
                let t = (w.cross(d).keep(f, "across").dot(&cross) / square.clone()).keep(f, "t");
                let (first, second) = (self.number(FIRST_LENGTH), self.number(SECOND_LENGTH));
                // Lines that have become parallel have no normal of their own any more.
                let sine = square.sqrt().keep(f, "sine");
                let turned = (sine.clone() - 0.5 * PARALLEL) * first.clone();
                // Where one lies down on a face beside the other, the normal leaves what is between the normals of its faces.
                let n = cross.times(self.number(SIDE) / sine).keep(f, "n");
                let lies = self.region(f, regions.edge, 0, &n).min(self.region(f, regions.edge, 1, &-n));
                let lies = ((lies + 2.0 * LEAN) * first.clone().min(second.clone())).keep(f, "lies");
                within(&s, first).min(within(&t, second)).min(turned).min(lies)
            }
        }
    }

    /// A line that crosses a rim ends at both ends, and where the rim lies down on a face beside it.
    fn inside_crossing(&self, f: &mut FunctionBuilder, regions: &Regions) -> Expression {
        let rim::Crossing { s, normal, inside } =
            rim::crossing(f, &self.points, &self.alongs, |place| self.number(place));
        let length = self.number(FIRST_LENGTH);
        let lies = self.region(f, regions.edge, 0, &normal);
        let lies = ((lies + 2.0 * LEAN) * length.clone().min(self.number(SECOND_LENGTH))).keep(f, "lies");
        within(&s, length).min(inside).min(lies)
    }

    fn inside_round(
        &self,
        f: &mut FunctionBuilder,
        tables: &Tables,
        regions: &Regions,
        kind: Feature,
        point: &dyn Fn(&mut FunctionBuilder) -> Plain,
    ) -> Expression {
        let ([p, q], [_, e]) = (&self.points, &self.alongs);
        match kind {
            Feature::PointEllipsoid => {
                let point = point(f);
                self.region(f, regions.vertex, 0, &point).get()
            }
            Feature::StraightRound => {
                let point = point(f);
                self.along_straight(f, tables, 0, &point)
            }
            Feature::StraightStraight => {
                let point = point(f);
                let first = self.along_straight(f, tables, 0, &point);
                let second = self.along_straight(f, tables, 1, &point);
                first.min(second)
            }
            Feature::PointCircle => {
                let (along, _, radius) = around(f, &(p.clone() - q.clone()), e);
                let beyond = (radius - self.number(SECOND_LENGTH)).keep(f, "beyond");
                let side = beyond.clone() * self.number(LIMITS) + along * self.number(LIMITS + 1);
                let rim = self.number(LIMITS + 2).gt(0.0).select(beyond.min(side), FAR).keep(f, "rim");
                let point = point(f);
                self.region(f, regions.vertex, 0, &point).min(rim)
            }
            Feature::PointCone => {
                let (along, _, radius) = around(f, &(p.clone() - q.clone()), e);
                let place = (radius * self.number(LIMITS + 1) - along * self.number(LIMITS)).keep(f, "place");
                let point = point(f);
                self.region(f, regions.vertex, 0, &point).min(within(&place, self.number(SECOND_LENGTH)))
            }
            Feature::RoundRound => self.inside_rounds(f, tables, point),
            Feature::EllipsoidSurface => {
                point(f);
                let [was, is] =
                    [TILT, NEAREST].map(|place| Plain::load(f, "faced", self.data, self.base.clone() + place));
                tables.radius.at(&self.shapes[0]) * ROLLED_ON - (is - was).length(f, "gone")
            }
            _ => FAR.into(),
        }
    }

    /// Circles that are touched from outside end where they lie down on the cap or the side beside them.
    fn inside_rounds(
        &self,
        f: &mut FunctionBuilder,
        tables: &Tables,
        point: &dyn Fn(&mut FunctionBuilder) -> Plain,
    ) -> Expression {
        point(f);
        let pair = tables.points.pair.at(self.slot.clone());
        let normal = Plain::load(f, "normal", tables.points.normal, self.slot.clone() * 3);
        let order = (tables.order.at(pair) * self.number(TURNED)).keep(f, "order");
        let inside = f.real("inside_circles", FAR);
        for side in [0, 1] {
            let part = f.integer("part", self.number([FIRST_PART, SECOND_PART][side]).to_integer());
            f.if_(part.and(BASE - 1).eq_(CIRCLE), |f| {
                let n = normal.times(order.clone() * [1.0, -1.0][side]).keep(f, "n");
                let [across, along] = rims::limits(f, tables, &self.shapes[side], part.shift_right(BASE_BITS));
                let axis = axis_z(f, "axis", tables, &self.shapes[side]);
                let (up, _, out) = around(f, &n, &axis);
                let beside = out.clone() * across + up * along + 2.0 * LEAN;
                let radius = tables.sizes.at(self.shapes[side].clone() * 3);
                let ends = (out - 0.5 * PARALLEL).min(beside) * radius;
                f.assign(inside, inside.min(ends));
            });
        }
        inside.get()
    }
}

impl Ends {
    /// How far a place is from both ends of a line, or of the side of a cone, which begins at its apex.
    fn along_straight(&self, f: &mut FunctionBuilder, tables: &Tables, side: usize, place: &Plain) -> Expression {
        let kind = self.number([FIRST_PART, SECOND_PART][side]).to_integer().and(BASE - 1);
        let (along, _, radius) = around(f, &(place.clone() - self.points[side].clone()), &self.alongs[side]);
        let k = slope(f, tables, &self.shapes[side]);
        let down = radius * k.clone() - along.clone() * (1.0 - k.clone() * k).sqrt();
        let from = f.real("from", kind.eq_(CONE).select(down, along));
        within(&from.get(), self.number([FIRST_LENGTH, SECOND_LENGTH][side]))
    }
}

/// How far a place is from both ends of an edge.
fn within(place: &Expression, length: Expression) -> Expression {
    place.clone().min(length - place.clone())
}
