//! Where a line crosses the rim of a cap or base. The place on the rim is found by itself: where the two lie flat on one another, the direction
//! between them says nothing about where they touch, and an edge under a disc touches it at both crossings.

use super::{
    LEAN,
    convex_points::{Calls, NEARLY},
    detect::{Finder, Search, Side},
    dual::{Dual, Moving},
    evaluate::{Sides, Touch},
    feature::{Feature, SECOND_LENGTH, SIDE, TILT},
    place::axis_z,
    rims,
    round::around,
    segments,
    tables::Part,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, Term};

/// Newton's method begins at the crossing as it is seen along the axis, which is the right one where the two touch.
const MOST_STEPS: usize = 20;

/// The step, in radians, after which the next one would be below rounding.
const LAST: f64 = 1e-9;

/// Shapes that are farther apart than this part of a circle's radius have other features.
const CLOSE: f64 = 1e-2;

/// Angles change by no more than this at a time.
const LONGEST: f64 = 0.1;

/// The sine between line and rim, seen along the axis, below which they graze one another, and have no crossing any more.
const GRAZING: f64 = 1e-3;

/// Lines that are touched along a direction are taken for crossing lines above this sine: less steep ones touch a rim from outside.
const STEEP: f64 = 1e-2;

/// Of the place `TILT` of a crossing: two numbers, across and along the axis, the direction in which the side ends at the rim; and which of the two crossings it is.
const WHICH: usize = TILT + 2;

/// A line p + s d and the circle about c, with unit vectors along the line and the axis.
struct Lines<'a> {
    p: &'a Plain,
    d: &'a Plain,
    c: &'a Plain,
    axis: &'a Plain,
    radius: Expression,
}

impl Lines<'_> {
    /// The direction from the centre to the crossing, of two the one that is farther along the line or, −1, less far.
    fn crossing(&self, f: &mut FunctionBuilder, which: Expression) -> Plain {
        let (_, w, _) = around(f, &(self.p.clone() - self.c.clone()), self.axis);
        let (_, e, _) = around(f, self.d, self.axis);
        let (ee, we) = (e.dot(&e).keep(f, "ee"), w.dot(&e).keep(f, "we"));
        let beyond = w.dot(&w) - self.radius.clone() * self.radius.clone();
        // Where a line has left the circle it grazes it, so that there still is a normal.
        let grazes = self.radius.clone() * (0.5 * GRAZING);
        let root = (we.clone() * we.clone() - ee.clone() * beyond).max(ee.clone() * grazes.clone() * grazes).sqrt();
        let s = (which * root - we) / ee.max(f64::MIN_POSITIVE);
        let start = (w + e.times(s.keep(f, "s"))).keep(f, "start");
        let length = start.length(f, "length");
        let rho = start.over(length.max(f64::MIN_POSITIVE)).0.map(|entry| f.real("rho", entry));
        f.for_each("step", 0, MOST_STEPS, |f, _| {
            let [off, slope] = self.off(f, &Plain::of(&rho));
            let by = f.real("by", (off / slope).max(-LONGEST).min(LONGEST));
            let t = self.axis.cross(&Plain::of(&rho)).keep(f, "t");
            let next = (Plain::of(&rho) - t.times(by)).keep(f, "next");
            let length = next.length(f, "length");
            rho.iter().zip(next.over(length).0).for_each(|(&entry, value)| f.assign(entry, value));
            f.if_(by.abs().le(LAST), |f| f.break_());
        });
        Plain::of(&rho)
    }

    /// How far along the rim the way from the line to a place on it is not across both; and how fast that changes with the angle.
    fn off(&self, f: &mut FunctionBuilder, rho: &Plain) -> [Expression; 2] {
        let t = self.axis.cross(rho).keep(f, "t");
        let way = (self.c.clone() + rho.times(self.radius.clone()) - self.p.clone()).keep(f, "way");
        let (dt, dw) = (self.d.dot(&t).keep(f, "dt"), self.d.dot(&way).keep(f, "dw"));
        let off = way.dot(&t) - dw.clone() * dt.clone();
        let bent = way.dot(rho) - dw * self.d.dot(rho);
        let slope = self.radius.clone() * (1.0 - dt.clone() * dt) - bent;
        [off.keep(f, "off"), slope.max(self.radius.clone() * (GRAZING * GRAZING)).keep(f, "slope")]
    }
}

impl Sides<'_> {
    /// A line and the place where it crosses a rim, which moves along both.
    pub fn line_circle(&self, f: &mut FunctionBuilder) -> Touch {
        let (p, d) = (self.first_point(f), self.first_along(f));
        let (c, axis) = (self.second_point(f), self.second_along(f));
        let radius = self.number(SECOND_LENGTH);
        let [q, e, m, a] = [&p, &d, &c, &axis].map(Moving::value);
        let lines = Lines { p: &q, d: &e, c: &m, axis: &a, radius: radius.value.clone() };
        let rho = lines.crossing(f, self.number(WHICH).value);
        let [_, slope] = lines.off(f, &rho);
        let turning = self.second_turning(f);
        let rate = turning.cross(&rho).keep(f, "rho_rate");
        let rho = Vector([0, 1, 2].map(|k| Dual { value: rho.0[k].clone(), rate: rate.0[k].clone() }));
        let t = axis.cross(&rho).keep(f, "t");
        let way = (c.clone() + rho.times(radius.clone()) - p.clone()).keep(f, "way");
        let off = (way.dot(&t) - d.dot(&way) * d.dot(&t)).keep(f, "off");
        // The angle is zero here, and changes so that the crossing stays one.
        let angle = Dual { value: 0.0.into(), rate: (-(off.rate / slope)).keep(f, "angle_rate") };
        let place = (c + (rho.clone() + t.times(angle.clone())).times(radius)).keep(f, "place");
        let t = (t - rho.times(angle)).keep(f, "t");
        let cross = d.cross(&t).keep(f, "cross");
        let length = cross.length(f, "length");
        let normal = cross.times(self.number(SIDE)).over(length).keep(f, "normal");
        let way = (place - p.clone()).keep(f, "way");
        let foot = (p + d.times(d.dot(&way).keep(f, "s"))).keep(f, "foot");
        let distance = normal.dot(&way).keep(f, "distance");
        self.between(f, &foot, normal, distance)
    }
}

/// How a crossing ends, but for the ends of the line: where line and rim graze one another, where the rim lies down on the side or the cap beyond it.
pub struct Crossing {
    /// How far along the line it is.
    pub s: Expression,
    /// From the line to the rim.
    pub normal: Plain,
    pub inside: Expression,
}

/// `number` gives the numbers of the feature.
pub fn crossing(
    f: &mut FunctionBuilder,
    [p, c]: &[Plain; 2],
    [d, axis]: &[Plain; 2],
    number: impl Fn(usize) -> Expression,
) -> Crossing {
    let radius = number(SECOND_LENGTH).keep(f, "rim");
    let lines = Lines { p, d, c, axis, radius: radius.clone() };
    let rho = lines.crossing(f, number(WHICH));
    let cross = d.cross(&axis.cross(&rho).keep(f, "t")).keep(f, "cross");
    let sine = cross.length(f, "sine");
    let normal = cross.times(number(SIDE) / sine.clone().max(f64::MIN_POSITIVE)).keep(f, "n");
    let way = c.clone() + rho.times(radius.clone()) - p.clone();
    let (out, up) = ((-normal.dot(&rho)).keep(f, "out"), (-normal.dot(axis)).keep(f, "up"));
    let side = out.clone() * number(TILT) + up * number(TILT + 1);
    // Seen along the axis, the line goes out of the circle at the farther crossing and into it at the other one.
    let (_, across, flat) = around(f, d, axis);
    let through = number(WHICH) * across.dot(&rho) / flat.max(f64::MIN_POSITIVE);
    let inside = ((out.min(side) + 2.0 * LEAN).min(through - GRAZING) * radius).keep(f, "inside_rim");
    Crossing { s: d.dot(&way).keep(f, "s"), normal, inside }
}

impl Finder<'_> {
    /// Both crossings of a line, as a side of a feature, and a rim of the other shape; `n` is from the line's shape to the rim's, and it is turned
    /// where the line is on the second.
    pub fn line_and_rim(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        [line, rim]: [&Side; 2],
        n: &Plain,
        is_turned: impl Into<Expression>,
    ) {
        let is_turned = is_turned.into();
        let limits = self.limits(f, &rim.shape, rim.part.clone());
        let [p, d] = self.world_line(f, line);
        let [c, axis] = self.world_line(f, rim);
        let lines = Lines { p: &p, d: &d, c: &c, axis: &axis, radius: rim.length.clone() };
        for (which, sign) in [(0, -1.0), (1, 1.0)] {
            let rho = lines.crossing(f, sign.into());
            let t = axis.cross(&rho).keep(f, "t");
            self.set_side(f, Expression::from(1.0).copysign(d.cross(&t).dot(n)));
            let [across, along] = limits.clone();
            self.set_tilt(f, &Vector([across, along, sign.into()]));
            let rim = Side { part: rim.part.clone() * 2 + which, ..rim.clone() };
            self.consider(f, search, Feature::LineCircle, [line, &rim], is_turned.clone());
        }
    }

    /// Whether a line that touches a rim along a direction across it crosses the rim there.
    pub fn crosses_rim(&self, f: &mut FunctionBuilder, line: &Side, round: &Expression, n: &Plain) -> Expression {
        let d = self.world_along(f, line);
        let t = axis_z(f, "axis", self.tables, round).cross(n).keep(f, "t");
        let along = d.dot(&t).keep(f, "along");
        (along.clone() * along).le(t.dot(&t) * (1.0 - STEEP * STEEP))
    }

    /// Edges of a polytope that lie across a cap or base of the other shape; `n` is from the polytope to it.
    pub fn edges_and_rim(
        &self,
        f: &mut FunctionBuilder,
        search: &Search,
        calls: &Calls,
        polytope: &Expression,
        (round, circle): (&Expression, Expression),
        n: &Plain,
    ) {
        let rim = self.circle(f, round, circle);
        let axis = axis_z(f, "axis", self.tables, round);
        f.for_each("k", 0, self.tables.solids.count(Part::Edges, polytope), |f, k| {
            let [_, e] = segments::edge(f, self.tables, self.calls.at.vertex, polytope, &k.get());
            let length = e.length(f, "length");
            f.if_(e.dot(&axis).abs().lt(length * NEARLY).and(self.is_close(calls, round)), |f| {
                let edge = self.edge(f, polytope, k);
                self.line_and_rim(f, search, [&edge, &rim], n, 0);
            });
        });
    }

    /// Whether the shapes whose points are looked for are so close that lines cross a rim of one of them where they are nearest to it.
    pub fn is_close(&self, calls: &Calls, round: &Expression) -> Expression {
        calls.least.at(0).lt(self.tables.sizes.at(round.clone() * 3) * CLOSE)
    }

    /// The direction in which the side of a cylinder or cone ends at one of its rims, across and along the axis.
    fn limits(&self, f: &mut FunctionBuilder, shape: &Expression, circle: Expression) -> [Expression; 2] {
        rims::limits(f, self.tables, shape, circle)
    }

    /// The point and the direction of a side, in the world.
    pub fn world_line(&self, f: &mut FunctionBuilder, side: &Side) -> [Plain; 2] {
        let frame = self.tables.frames.at(&side.shape);
        [self.calls.at.point(f, &frame, &side.point).value(), self.world_along(f, side)]
    }
}
