//! Gaps between parts that are round on both sides, or round on one and straight on the other: the largest separation over directions.
//!
//! Where the first is a line or the side of a cone, the direction is bound to n·a = k; where both are, it is known.

use super::{
    FAR,
    ascent::{Facing, INCLINES, Round, ascend, tangents},
    curved::ROUND,
    dual::{Dual, Moving, still},
    evaluate::{Sides, Touch},
    feature::{FIRST_PART, SECOND_PART, SIDE},
    parts::{BASE, CONE, LINE, Parts, slope},
    round::around,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, Term};

impl Sides<'_> {
    /// What a part is, by the last digit of its number.
    fn kind_of(&self, f: &mut FunctionBuilder, place: usize) -> Expression {
        f.integer("kind", self.number(place).value.to_integer().and(BASE - 1)).get()
    }

    fn facing<'p>(&self, parts: &'p Parts) -> Facing<'p> {
        Facing { parts, shapes: [self.first_shape.clone(), self.second_shape.clone()] }
    }

    /// Two circles, ellipsoids, or one of each.
    pub fn round_round(&self, f: &mut FunctionBuilder, parts: &Parts) -> Touch {
        let kinds = [self.kind_of(f, FIRST_PART), self.kind_of(f, SECOND_PART)];
        let (x, y) = (self.first_point(f), self.second_point(f));
        let facing = self.facing(parts);
        let between = |f: &mut FunctionBuilder, n: &Moving| {
            let first = parts.reach(f, &facing.shapes[0], &kinds[0], n);
            let second = parts.reach(f, &facing.shapes[1], &kinds[1], &-n.clone());
            [x.clone() + first, y.clone() + second].map(|point| point.keep(f, "place"))
        };
        let way = |f: &mut FunctionBuilder, n: &Plain| {
            let [p, q] = between(f, &still(n));
            (q - p).keep(f, "way")
        };
        let round = Round {
            facing: self.facing(parts),
            kinds: kinds.clone(),
            centres: [x.value(), y.value()],
            axes: self.axes_z(f),
        };
        let n = round.ascend(f);
        let n = Plain::of(&n);
        // The same step, of what the motion of the shapes makes of the way, is the rate of the direction.
        let now = way(f, &n);
        let s = now.value().dot(&n).keep(f, "s");
        let rate = facing.step(f, &kinds, &n, &s, &now.rate());
        let n = Vector([0, 1, 2].map(|k| Dual { value: n.0[k].clone(), rate: rate.0[k].clone() }));
        let [p, q] = between(f, &n);
        let distance = n.dot(&(q - p.clone())).keep(f, "distance");
        self.between(f, &p, n, distance)
    }

    /// A line or the side of a cone, and a circle or ellipsoid: n = k a + c ρ, where ρ turns about a.
    pub fn straight_round(&self, f: &mut FunctionBuilder, parts: &Parts) -> Touch {
        let kinds = [Expression::from(LINE), self.kind_of(f, SECOND_PART)];
        let is_cone = self.kind_of(f, FIRST_PART).eq_(CONE);
        let k = slope(f, self.tables, &self.first_shape);
        let k = is_cone.select(k, 0.0).keep(f, "k");
        let c = (1.0 - k.clone() * k.clone()).root(f, "c");
        let (x, a, y) = (self.first_point(f), self.first_along(f), self.second_point(f));
        let facing = self.facing(parts);
        let normal = |rho: &Moving| a.times(Dual::from(k.clone())) + rho.times(Dual::from(c.clone()));
        let way = |f: &mut FunctionBuilder, n: &Moving| {
            let reach = parts.reach(f, &facing.shapes[1], &kinds[1], &-n.clone());
            (y.clone() + reach - x.clone()).keep(f, "way")
        };
        let look = |f: &mut FunctionBuilder, rho: &Plain| {
            let n = normal(&still(rho)).keep(f, "n");
            way(f, &n).value().dot(&n.value()).keep(f, "s")
        };
        let [_, circle] = self.axes_z(f);
        let start = best_around(f, parts, [&a.value(), &circle], &look);
        // Along τ = a × ρ the way falls back by c τ·Hτ + ρ·way, which is the curvature over c.
        let fall = |f: &mut FunctionBuilder, rho: &Plain, way: &Plain| {
            let n = normal(&still(rho)).value().keep(f, "n");
            let tau = a.value().cross(rho).keep(f, "tau");
            let curvature = facing.curvature(f, &kinds, &n, &tau);
            let fall = (curvature * c.clone() + rho.dot(way)).keep(f, "fall");
            (tau, fall.clone().gt(0.0).select(fall.clone(), rho.dot(way).abs() + fall.abs()).keep(f, "fall"))
        };
        let step = |f: &mut FunctionBuilder, rho: &Plain| {
            let n = normal(&still(rho)).keep(f, "n");
            let way = way(f, &n).value();
            let (tau, fall) = fall(f, rho, &way);
            tau.times(tau.dot(&way) / fall).keep(f, "step")
        };
        let rho = ascend(f, &start, |_, _| a.value(), look, step);
        let rho = Plain::of(&rho);
        // With ρ fixed to the first frame, then with what it turns besides.
        let turning = self.first_turning(f);
        let fixed = moving(&rho, &turning.cross(&rho)).keep(f, "fixed");
        let n = normal(&fixed).keep(f, "n");
        let now = way(f, &n);
        let (tau, fall) = fall(f, &rho, &now.value());
        let rate = (a.cross(&fixed).keep(f, "tau").dot(&now).rate / fall).keep(f, "turn");
        let rho = moving(&rho, &(fixed.rate() + tau.times(rate))).keep(f, "rho");
        let n = normal(&rho).keep(f, "n");
        let now = way(f, &n);
        let distance = n.dot(&now).keep(f, "distance");
        let foot = (now + x - n.times(distance.clone())).keep(f, "foot");
        self.between(f, &foot, n, distance)
    }

    /// Two lines or sides of cones: n = α a + β b + γ a×b.
    pub fn straight_straight(&self, f: &mut FunctionBuilder) -> Touch {
        let bound = |f: &mut FunctionBuilder, place: usize, shape: &Expression| {
            let is_cone = self.kind_of(f, place).eq_(CONE);
            let k = slope(f, self.tables, shape);
            Dual::from(is_cone.select(k, 0.0).keep(f, "k"))
        };
        let k = bound(f, FIRST_PART, &self.first_shape);
        // The second is touched from the other side.
        let l = -bound(f, SECOND_PART, &self.second_shape);
        let (x, a) = (self.first_point(f), self.first_along(f));
        let (y, b) = (self.second_point(f), self.second_along(f));
        let cosine = a.dot(&b).keep(f, "cosine");
        let cross = a.cross(&b).keep(f, "cross");
        let square = cross.dot(&cross).keep(f, "square");
        let alpha = ((k.clone() - cosine.clone() * l.clone()) / square.clone()).keep(f, "alpha");
        let beta = ((l.clone() - cosine * k.clone()) / square.clone()).keep(f, "beta");
        let plane = (a.times(alpha) + b.times(beta)).keep(f, "plane");
        let one = Dual::from(Expression::from(1.0));
        let gamma = ((one - plane.dot(&plane)) / square).keep(f, "left").root(f, "gamma") * self.number(SIDE);
        let n = (plane + cross.times(gamma.keep(f, "gamma"))).keep(f, "n");
        // Both are touched along lines, a − k n and b − l n, which cross.
        let (d, e) = ((a - n.times(k)).keep(f, "d"), (b - n.times(l)).keep(f, "e"));
        let w = (y - x.clone()).keep(f, "w");
        let cross = d.cross(&e).keep(f, "across");
        let s = w.cross(&e).keep(f, "w_e").dot(&cross) / cross.dot(&cross);
        let foot = (x + d.times(s.keep(f, "s"))).keep(f, "foot");
        let distance = n.dot(&w).keep(f, "distance");
        self.between(f, &foot, n, distance)
    }
}

/// Of some directions across an axis the one of the largest separation: all around, and more of them near the axis of a circle, where the
/// separation has a corner.
fn best_around(
    f: &mut FunctionBuilder,
    parts: &Parts,
    [axis, circle]: [&Plain; 2],
    look: &impl Fn(&mut FunctionBuilder, &Plain) -> Expression,
) -> Plain {
    let [u, v] = tangents(f, axis);
    let (best, most) = (u.0.clone().map(|entry| f.real("start", entry)), f.real("most", -FAR));
    let offer = |f: &mut FunctionBuilder, rho: Plain| {
        let s = look(f, &rho);
        f.if_(s.clone().gt(most), |f| {
            f.assign(most, s);
            best.iter().zip(rho.0).for_each(|(&entry, value)| f.assign(entry, value));
        });
    };
    f.for_each("j", 0, ROUND, |f, j| {
        let rho = (u.times(parts.round.at(j)) + v.times(parts.round.at(j + ROUND))).keep(f, "rho");
        offer(f, rho);
    });
    let (_, across, length) = around(f, circle, axis);
    let out = across.over(length).keep(f, "out");
    let aside = axis.cross(&out).keep(f, "aside");
    f.for_each("k", 0, 2, |f, k| {
        let sign = (1.0 - k.to_real() * 2.0).keep(f, "sign");
        for incline in INCLINES.into_iter().flat_map(|incline| [incline, -incline]) {
            let rho = (out.clone() + aside.times(incline)).times(sign.clone()).keep(f, "rho");
            let length = rho.length(f, "length");
            let rho = rho.over(length).keep(f, "rho");
            offer(f, rho);
        }
    });
    Plain::of(&best)
}

fn moving(value: &Plain, rate: &Plain) -> Moving {
    Vector([0, 1, 2].map(|k| Dual { value: value.0[k].clone(), rate: rate.0[k].clone() }))
}
