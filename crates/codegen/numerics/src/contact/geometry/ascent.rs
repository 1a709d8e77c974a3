//! The direction along which two parts are farthest apart: the largest n·(p_B(−n) − p_A(n)) over unit vectors, by Newton's method.
//!
//! With H the sum of the Hessians of how far the parts reach and s the separation, the tangential part t of p_B − p_A changes by −(H + s) δ where n
//! does by δ. So the step is (H + s)⁻¹ t, in two tangent directions, or in one where n is bound to n·a = k.

use super::{
    dual::still,
    parts::{CIRCLE, Parts},
    round::around,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Steps, rejected ones among them.
const MOST_STEPS: usize = 200;

/// Directions change by no more than this at a time, in radians.
const LONGEST: f64 = 0.5;

/// Directions turn by no more than twice the angle of this tangent about an axis at a time.
const HALF_TURN: f64 = 0.5;

/// Tangents of the angles to the axis of a circle with which the search begins.
pub const INCLINES: [f64; 3] = [0.003, 0.03, 0.3];

/// A step that is shorter, relative to the sine of the angle to the axis, is the last one; the separation says nothing about it any more.
const LAST: f64 = 1e-7;

/// The sine to the axis of a circle below which a direction is along it.
const ALONG: f64 = 1e-11;

/// Two unit vectors normal to a unit vector and to one another.
pub fn tangents(f: &mut FunctionBuilder, n: &Plain) -> [Plain; 2] {
    let [x, y, z] = n.0.clone().map(|entry| f.real("size", entry.abs()));
    // The axis of the world to which it is most nearly normal.
    let is_x = f.integer("is_x", x.le(y).and(x.le(z)));
    let is_y = f.integer("is_y", is_x.logical_not().and(y.le(z)));
    let axis = Vector([is_x.to_real(), is_y.to_real(), 1.0 - is_x.to_real() - is_y.to_real()]).keep(f, "axis");
    let across = n.cross(&axis).keep(f, "across");
    let length = across.length(f, "length");
    let first = across.over(length).keep(f, "first");
    let second = n.cross(&first).keep(f, "second");
    [first, second]
}

/// The parts of two shapes that are looked at.
pub struct Facing<'a> {
    pub parts: &'a Parts,
    pub shapes: [Expression; 2],
}

impl Facing<'_> {
    /// How fast the way between the parts falls back where n changes along a tangent.
    fn bend(&self, f: &mut FunctionBuilder, kinds: &[Expression; 2], n: &Plain, by: &Plain) -> Plain {
        let first = self.parts.bend(f, &self.shapes[0], &kinds[0], n, by);
        let second = self.parts.bend(f, &self.shapes[1], &kinds[1], &-n.clone(), &-by.clone());
        first - second
    }

    /// (H + s)⁻¹ t, in the tangent plane.
    pub fn step(
        &self,
        f: &mut FunctionBuilder,
        kinds: &[Expression; 2],
        n: &Plain,
        s: &Expression,
        t: &Plain,
    ) -> Plain {
        let [u, v] = tangents(f, n);
        let bend_u = self.bend(f, kinds, n, &u).keep(f, "bend_u");
        let bend_v = self.bend(f, kinds, n, &v).keep(f, "bend_v");
        let [uu, uv, vv] = [u.dot(&bend_u), v.dot(&bend_u), v.dot(&bend_v)].map(|entry| entry.keep(f, "h"));
        let (uu, vv) = (f.real("uu", uu + s.clone()), f.real("vv", vv + s.clone()));
        let determinant = f.real("determinant", uu * vv - uv.clone() * uv.clone());
        // Where the separation is not a maximum in this direction, its size does as a curvature.
        f.if_(determinant.le(0.0).or(uu.le(0.0)), |f| {
            let more = f.real("more", s.clone().abs() * 2.0);
            f.assign(uu, uu + more);
            f.assign(vv, vv + more);
            f.assign(determinant, uu * vv - uv.clone() * uv.clone());
        });
        let (along_u, along_v) = (u.dot(t).keep(f, "along_u"), v.dot(t).keep(f, "along_v"));
        let first = (vv * along_u.clone() - uv.clone() * along_v.clone()) / determinant;
        let second = (uu * along_v - uv * along_u) / determinant;
        (u.times(first) + v.times(second)).keep(f, "step")
    }

    /// The curvature H + s along one tangent.
    pub fn curvature(&self, f: &mut FunctionBuilder, kinds: &[Expression; 2], n: &Plain, along: &Plain) -> Expression {
        self.bend(f, kinds, n, along).dot(along).keep(f, "curvature")
    }
}

/// Goes up from a direction. `axis` says about which axis it turns, `look` gives the separation along a direction, and `step` the next change of it.
pub fn ascend(
    f: &mut FunctionBuilder,
    start: &Plain,
    axis: impl Fn(&mut FunctionBuilder, &Plain) -> Plain,
    look: impl Fn(&mut FunctionBuilder, &Plain) -> Expression,
    step: impl Fn(&mut FunctionBuilder, &Plain) -> Plain,
) -> [LocalId; 3] {
    let n = start.0.clone().map(|entry| f.real("n", entry));
    let change = [0.0; 3].map(|zero| f.real("change", zero));
    let best = look(f, &Plain::of(&n));
    let best = f.real("best", best);
    let factor = f.real("factor", 0.0);
    f.for_each("round", 0, MOST_STEPS, |f, _| {
        f.if_(factor.eq_(0.0), |f| {
            let step = step(f, &Plain::of(&n));
            let length = step.length(f, "length");
            // Newton's method doubles the digits that are right, so that this step is the last one.
            let axis = axis(f, &Plain::of(&n));
            let (_, _, sine) = around(f, &Plain::of(&n), &axis);
            f.if_(sine.clone().le(ALONG), |f| f.break_());
            f.if_(length.clone().gt(sine * LAST).logical_not(), |f| {
                let next = turned(f, &Plain::of(&n), &step, &axis);
                n.iter().zip(next.0).for_each(|(&entry, value)| f.assign(entry, value));
                f.break_();
            });
            let shorter = (LONGEST / length).min(1.0).keep(f, "shorter");
            change.iter().zip(step.times(shorter).0).for_each(|(&entry, value)| f.assign(entry, value));
            f.assign(factor, 1.0);
        });
        let axis = axis(f, &Plain::of(&n));
        let next = turned(f, &Plain::of(&n), &Plain::of(&change).times(factor), &axis);
        let found = look(f, &next);
        f.if_else(
            found.clone().ge(best),
            |f| {
                f.assign(best, found);
                n.iter().zip(next.0).for_each(|(&entry, value)| f.assign(entry, value));
                f.assign(factor, 0.0);
            },
            |f| {
                f.assign(factor, factor * 0.5);
                f.if_(factor.lt(1e-6), |f| f.break_());
            },
        );
    });
    n
}

/// A direction after a step: its part around the axis turns it about the axis, the rest moves it towards the axis or away. How far
/// a circle reaches has a corner at its axis, and is smooth in these coordinates.
fn turned(f: &mut FunctionBuilder, n: &Plain, step: &Plain, axis: &Plain) -> Plain {
    let step = step.clone().keep(f, "change");
    let (along, across, sine) = around(f, n, axis);
    let out = across.over(sine.clone()).keep(f, "out");
    let around = axis.cross(&out).keep(f, "around");
    let away = (out.times(along) - axis.times(sine.clone())).keep(f, "away");
    let by = step.dot(&away).keep(f, "by");
    // Over the axis it goes straight.
    let is_over = f.integer("is_over", by.clone().lt(-sine.clone()));
    let by = is_over.select(by.clone(), by.max(sine.clone() * -0.5)).keep(f, "by");
    let moved = (n.clone() + away.times(by)).keep(f, "moved");
    let length = moved.length(f, "moved_length");
    let moved = moved.over(length).keep(f, "moved");
    // Half the angle is as good as its tangent here, and needs no sine.
    let half = (step.dot(&around) / sine * 0.5).max(-HALF_TURN).min(HALF_TURN);
    let half = is_over.select(0.0, half).keep(f, "half");
    let square = (half.clone() * half.clone()).keep(f, "square");
    let whole = (1.0 + square.clone()).keep(f, "whole");
    let (along, across, _) = self::around(f, &moved, axis);
    let turned = across.times(((1.0 - square) / whole.clone()).keep(f, "cosine"))
        + axis.cross(&across).times((half * 2.0 / whole).keep(f, "sine"))
        + axis.times(along);
    turned.keep(f, "turned")
}

/// Two parts that are round or vertices, with their centres and the axes of their shapes.
pub struct Round<'a> {
    pub facing: Facing<'a>,
    pub kinds: [Expression; 2],
    pub centres: [Plain; 2],
    pub axes: [Plain; 2],
}

impl Round<'_> {
    /// The direction of the largest separation.
    pub fn ascend(&self, f: &mut FunctionBuilder) -> [LocalId; 3] {
        let start = self.start(f);
        let axis = |f: &mut FunctionBuilder, n: &Plain| {
            let circle = |k: usize| (&self.axes[k], self.kinds[k].clone().eq_(CIRCLE));
            nearest_axis(f, n, [circle(0), circle(1)])
        };
        let look = |f: &mut FunctionBuilder, n: &Plain| self.way(f, n).dot(n).keep(f, "s");
        let step = |f: &mut FunctionBuilder, n: &Plain| {
            let way = self.way(f, n);
            let s = way.dot(n).keep(f, "s");
            self.facing.step(f, &self.kinds, n, &s, &way)
        };
        ascend(f, &start, axis, look, step)
    }

    /// Where one of the parts is farthest in a direction.
    fn farthest(&self, f: &mut FunctionBuilder, side: usize, m: &Plain) -> Plain {
        let reach = self.facing.parts.reach(f, &self.facing.shapes[side], &self.kinds[side], &still(m));
        (self.centres[side].clone() + reach.value()).keep(f, "farthest")
    }

    fn way(&self, f: &mut FunctionBuilder, n: &Plain) -> Plain {
        let (p, q) = (self.farthest(f, 0, n), self.farthest(f, 1, &-n.clone()));
        (q - p).keep(f, "way")
    }

    /// The best of some directions: between the centres, and nearly along the axis of a circle, where the separation has a corner, but inclined to
    /// that side on which the other part is.
    fn start(&self, f: &mut FunctionBuilder) -> Plain {
        let centres = (self.centres[1].clone() - self.centres[0].clone()).keep(f, "centres");
        let length = centres.length(f, "length");
        let best = centres.over(length).0.map(|entry| f.real("start", entry));
        let most = self.way(f, &Plain::of(&best)).dot(&Plain::of(&best));
        let most = f.real("most", most);
        let offer = |f: &mut FunctionBuilder, n: &Plain| {
            let s = self.way(f, n).dot(n).keep(f, "s");
            f.if_(s.clone().gt(most), |f| {
                f.assign(most, s);
                best.iter().zip(n.0.clone()).for_each(|(&entry, value)| f.assign(entry, value));
            });
        };
        let are_circles = self.kinds[0].clone().eq_(CIRCLE).and(self.kinds[1].clone().eq_(CIRCLE));
        f.if_(are_circles, |f| self.across_crossings(f, &offer));
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            f.if_(self.kinds[side].clone().eq_(CIRCLE), |f| {
                let axis = &self.axes[side];
                let towards = Expression::from(sign).copysign(axis.dot(&centres) * sign);
                let m = axis.times(towards.keep(f, "towards")).keep(f, "m");
                let other = self.farthest(f, 1 - side, &-m.clone());
                let (_, across, radius) = around(f, &(other - self.centres[side].clone()), axis);
                for incline in INCLINES {
                    let n = (m.clone() + across.times((incline / radius.clone()).keep(f, "incline"))).times(sign);
                    let n = n.keep(f, "inclined");
                    let length = n.length(f, "length");
                    let n = n.over(length).keep(f, "inclined");
                    offer(f, &n);
                }
            });
        }
        Plain::of(&best)
    }

    /// The directions across both circles where they cross, seen along the axis of the first: where two circles all but lie flat on one another, no
    /// other direction is near the best one.
    fn across_crossings(&self, f: &mut FunctionBuilder, offer: &dyn Fn(&mut FunctionBuilder, &Plain)) {
        let [first, second] = [0, 1].map(|k: usize| {
            let [across, _] = tangents(f, &self.axes[k]);
            let reach = self.facing.parts.reach(f, &self.facing.shapes[k], &self.kinds[k], &still(&across));
            reach.value().length(f, "circle")
        });
        let (_, way, far) = around(f, &(self.centres[1].clone() - self.centres[0].clone()), &self.axes[0]);
        let squares = first.clone() * first.clone() - second.clone() * second;
        let along = ((far.clone() + squares / far.clone().max(f64::MIN_POSITIVE)) * 0.5).keep(f, "along");
        let square = (first.clone() * first.clone() - along.clone() * along.clone()).keep(f, "square");
        f.if_(far.clone().gt(0.0).and(square.clone().gt(0.0)), |f| {
            let u = way.over(far.clone()).keep(f, "u");
            let v = self.axes[0].cross(&u).keep(f, "v");
            f.for_each("which", 0, 2, |f, which| {
                let across = square.clone().sqrt() * (which.to_real() * 2.0 - 1.0);
                let out = (u.times(along.clone()) + v.times(across.keep(f, "across"))).keep(f, "crossing");
                let (_, other, _) =
                    around(f, &(self.centres[0].clone() + out.clone() - self.centres[1].clone()), &self.axes[1]);
                let tangents = [self.axes[0].cross(&out), self.axes[1].cross(&other)].map(|t| t.keep(f, "t"));
                let cross = tangents[0].cross(&tangents[1]).keep(f, "cross");
                let length = cross.length(f, "cross_length");
                f.if_(length.clone().gt(0.0), |f| {
                    let n = cross.over(length.clone()).keep(f, "n");
                    offer(f, &n);
                    offer(f, &-n.clone());
                });
            });
        });
    }
}

/// Of two shapes the axis of the circle that the direction is nearer to; any one across the direction where there is none.
fn nearest_axis(f: &mut FunctionBuilder, n: &Plain, circles: [(&Plain, Expression); 2]) -> Plain {
    let [across, _] = tangents(f, n);
    let least = f.real("least", 2.0);
    let chosen = across.0.map(|entry| f.real("chosen", entry));
    for (axis, is_circle) in circles {
        let (_, _, sine) = around(f, n, axis);
        f.if_(is_circle.and(sine.clone().lt(least)), |f| {
            f.assign(least, sine);
            chosen.iter().zip(&axis.0).for_each(|(&entry, value)| f.assign(entry, value));
        });
    }
    Plain::of(&chosen)
}
