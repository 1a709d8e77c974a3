//! Where the rims of two caps or bases cross. The places on both are found by themselves: where the two all but lie flat on one another, the direction
//! between them says nothing about where they touch, and the normal of a crossing goes on smoothly beyond the ends of the feature.

use super::{
    LEAN, ShapeKind,
    convex_points::Calls,
    detect::{Finder, Search},
    dual::{Dual, Moving},
    evaluate::{Sides, Touch},
    feature::{FIRST_LENGTH, Feature, NEAREST, SECOND_LENGTH, SIDE, TILT},
    parts::BASE,
    place::turned_back,
    tables::Tables,
    vector::{Plain, Scalar, Vector},
};
use crate::contact::geometry::Points;
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Newton's method in the two angles begins where the crossing was when it was found.
const MOST_STEPS: usize = 20;

/// The step, in radians, after which the next one would be below rounding.
const LAST: f64 = 1e-9;

/// Angles change by no more than this at a time.
const LONGEST: f64 = 0.2;

/// The sine between the rims below which they graze one another, and have no crossing any more.
const GRAZING: f64 = 1e-3;

/// Rims are taken for crossing ones above this sine.
const STEEP: f64 = 1e-2;

/// A crossing is looked for anew where it has gone so far along a rim that this is the cosine of the angle.
const ROLLED: f64 = 0.8;

/// The place on a rim where another feature begins: two numbers, across and along the axis, the direction in which the side ends at it.
pub fn limits(f: &mut FunctionBuilder, tables: &Tables, shape: &Expression, circle: Expression) -> [Expression; 2] {
    let [radius, height, _] = Plain::load(f, "size", tables.sizes, shape.clone() * 3).0;
    let length = (radius.clone() * radius.clone() + height.clone() * height.clone()).root(f, "length");
    let is_cone = f.integer("is_cone", tables.kinds.at(shape).eq_(ShapeKind::Cone as usize));
    let across = is_cone.select(radius / length.clone(), 0.0);
    let along = is_cone.select(-(height / length), circle.to_real() * 2.0 - 1.0);
    [across.keep(f, "limit_across"), along.keep(f, "limit_along")]
}

/// Two circles, with unit vectors along their axes.
struct Circles<'a> {
    centres: &'a [Plain; 2],
    axes: &'a [Plain; 2],
    radii: [Expression; 2],
}

/// A crossing of two circles: the directions from both centres to it.
struct Place {
    out: [Plain; 2],
}

impl Circles<'_> {
    /// The place on either where the way between them is across both.
    fn crossing(&self, f: &mut FunctionBuilder, start: &[Plain; 2]) -> Place {
        let out = [0, 1].map(|k: usize| start[k].0.clone().map(|entry| f.real("rho", entry)));
        f.for_each("step", 0, MOST_STEPS, |f, _| {
            let place = Place { out: [Plain::of(&out[0]), Plain::of(&out[1])] };
            let by = self.step(f, &place);
            for k in 0..2 {
                let by = f.real("by", by[k].clone().max(-LONGEST).min(LONGEST));
                let rho = Plain::of(&out[k]);
                let next = (rho.clone() + self.axes[k].cross(&rho).times(by)).keep(f, "next");
                let length = next.length(f, "length");
                out[k].iter().zip(next.over(length).0).for_each(|(&entry, value)| f.assign(entry, value));
            }
            f.if_(by[0].clone().abs().max(by[1].clone().abs()).le(LAST), |f| f.break_());
        });
        Place { out: [Plain::of(&out[0]), Plain::of(&out[1])] }
    }

    fn way(&self, f: &mut FunctionBuilder, place: &Place) -> Plain {
        let [p, q] = [0, 1].map(|k: usize| self.centres[k].clone() + place.out[k].times(self.radii[k].clone()));
        (q - p).keep(f, "way")
    }

    fn step(&self, f: &mut FunctionBuilder, place: &Place) -> [Expression; 2] {
        let way = self.way(f, place);
        let along = [0, 1].map(|k: usize| self.axes[k].cross(&place.out[k]).keep(f, "t"));
        let off = [0, 1].map(|k: usize| way.dot(&along[k]).keep(f, "off"));
        self.solve(f, (place, &along, &way), &off)
    }

    /// The change of both angles that takes away what is off, to first order.
    fn solve(
        &self,
        f: &mut FunctionBuilder,
        (place, along, way): (&Place, &[Plain; 2], &Plain),
        off: &[Expression; 2],
    ) -> [Expression; 2] {
        let cosine = along[0].dot(&along[1]).keep(f, "cosine");
        let [first, second] = self.radii.clone();
        // Far from a crossing the way could turn the slope round.
        let bent = [0, 1].map(|k: usize| {
            let most = self.radii[k].clone() * 0.5;
            way.dot(&place.out[k]).max(-most.clone()).min(most).keep(f, "bent")
        });
        let [a, b] = [-(first.clone() + bent[0].clone()), second.clone() * cosine.clone()];
        let [c, d] = [-(first * cosine), second - bent[1].clone()];
        let [a, b, c, d] = [a, b, c, d].map(|entry| entry.keep(f, "slope"));
        let determinant = (a.clone() * d.clone() - b.clone() * c.clone()).keep(f, "determinant");
        let [e, g] = off.clone();
        let one = (b * g.clone() - e.clone() * d) / determinant.clone();
        let other = (e * c - a * g) / determinant;
        [one.keep(f, "by_first"), other.keep(f, "by_second")]
    }
}

impl Sides<'_> {
    /// Two rims that cross, and the place where they do, which moves along both.
    pub fn circle_circle(&self, f: &mut FunctionBuilder) -> Touch {
        let (centres, axes) =
            ([self.first_point(f), self.second_point(f)], [self.first_along(f), self.second_along(f)]);
        let start = [(TILT, &self.first), (NEAREST, &self.second)].map(|(place, frame)| {
            let own = self.vector(f, place);
            self.at.direction(f, frame, &own).value()
        });
        let radii = [FIRST_LENGTH, SECOND_LENGTH].map(|place| self.number(place));
        let (c, a) = (centres.clone().map(|c| c.value()), axes.clone().map(|a| a.value()));
        let circles = Circles { centres: &c, axes: &a, radii: radii.clone().map(|radius| radius.value) };
        let place = circles.crossing(f, &start);
        let spins = [self.first_turning(f), self.second_turning(f)];
        // First as if the places were fixed to their bodies.
        let fixed: [Moving; 2] = [0, 1].map(|k: usize| {
            let rate = spins[k].cross(&place.out[k]).keep(f, "rho_rate");
            Vector([0, 1, 2].map(|i| Dual { value: place.out[k].0[i].clone(), rate: rate.0[i].clone() }))
        });
        let along = [0, 1].map(|k: usize| axes[k].cross(&fixed[k]).keep(f, "t"));
        let ends = [0, 1].map(|k: usize| centres[k].clone() + fixed[k].times(radii[k].clone()));
        let [p, q] = ends.map(|end| end.keep(f, "end"));
        let way = (q - p).keep(f, "way");
        let off = [0, 1].map(|k: usize| way.dot(&along[k]).keep(f, "off").rate);
        let turns = circles.solve(f, (&place, &along.clone().map(|t| t.value()), &way.value()), &off);
        // The angles are zero here, and change so that the crossing stays one.
        let angles = turns.map(|rate| Dual { value: 0.0.into(), rate });
        let places = [0, 1].map(|k: usize| {
            let out = fixed[k].clone() + along[k].times(angles[k].clone());
            (centres[k].clone() + out.times(radii[k].clone())).keep(f, "place")
        });
        let along = [0, 1].map(|k: usize| (along[k].clone() - fixed[k].times(angles[k].clone())).keep(f, "along"));
        let cross = along[0].cross(&along[1]).keep(f, "cross");
        let length = cross.length(f, "length");
        let normal = cross.times(self.number(SIDE)).over(length).keep(f, "normal");
        let [p, q] = places;
        let distance = normal.dot(&(q - p.clone())).keep(f, "distance");
        self.between(f, &p, normal, distance)
    }
}

/// How far inside of its ends a crossing is, as a part of the smaller radius: where either rim lies down on the cap or the side beside it, where they
/// graze one another, where it has gone far from where it was found. `limits` are those of both rims, and `start` where it was found.
pub fn margin(
    f: &mut FunctionBuilder,
    (centres, axes): (&[Plain; 2], &[Plain; 2]),
    (radii, side): ([Expression; 2], Expression),
    limits: [[Expression; 2]; 2],
    start: &[Plain; 2],
) -> Expression {
    let circles = Circles { centres, axes, radii: radii.clone() };
    let place = circles.crossing(f, start);
    let along = [0, 1].map(|k: usize| axes[k].cross(&place.out[k]).keep(f, "t"));
    let cross = along[0].cross(&along[1]).keep(f, "cross");
    let sine = cross.length(f, "sine");
    let normal = cross.times(side / sine.clone().max(f64::MIN_POSITIVE)).keep(f, "n");
    let inside = f.real("inside", sine - GRAZING);
    for (k, normal) in [normal.clone(), -normal].into_iter().enumerate() {
        let (out, up) = (normal.dot(&place.out[k]).keep(f, "out"), normal.dot(&axes[k]).keep(f, "up"));
        let [across, along] = limits[k].clone();
        let beside = out.clone() * across + up * along;
        let near = place.out[k].dot(&start[k]) - ROLLED;
        f.assign(inside, inside.min(out + 2.0 * LEAN).min(beside + 2.0 * LEAN).min(near));
    }
    let [first, second] = radii;
    (inside * first.min(second)).keep(f, "inside_rims")
}

impl Finder<'_> {
    /// Two rims that are farthest towards one another along a direction, if they cross there.
    pub fn rims(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: &Calls,
        n: &Plain,
        circles: [Expression; 2],
    ) -> LocalId {
        let crosses = f.integer("crosses", 0);
        let shapes = [&search.a, &search.b];
        let towards = [n.clone(), -n.clone()];
        let rims = [0, 1].map(|k: usize| self.circle(f, shapes[k], circles[k].clone()));
        let out = [0, 1].map(|k: usize| {
            let (place, _, _) = calls.parts.farthest(f, shapes[k], &towards[k]);
            let [centre, _] = self.world_line(f, &rims[k]);
            (place - centre).over(rims[k].length.clone()).keep(f, "out")
        });
        let along = [0, 1].map(|k: usize| self.world_along(f, &rims[k]).cross(&out[k]).keep(f, "t"));
        let cross = along[0].cross(&along[1]).keep(f, "cross");
        let are_close = self.is_close(calls, &search.a).and(self.is_close(calls, &search.b));
        f.if_(cross.dot(&cross).gt(STEEP * STEEP).and(are_close), |f| {
            f.assign(crosses, 1);
            let is_left = f.integer("is_left", cross.dot(n).ge(0.0));
            self.set_side(f, is_left.select(1.0, -1.0));
            let own = [0, 1].map(|k: usize| {
                let frame = self.tables.frames.at(shapes[k]);
                turned_back(self.tables.bodies.pose, frame * 12, &out[k]).keep(f, "own")
            });
            self.set_tilt(f, &own[0]);
            own[1].store(f, self.tables.points.data, self.tables.points.trial() * Points::DATA + NEAREST);
            let [first, second] = rims;
            let second = super::detect::Side { part: second.part.clone() * (2 * BASE as i64) + is_left, ..second };
            self.consider(f, search, Feature::CircleCircle, [&first, &second], 0);
        });
        crosses
    }
}
