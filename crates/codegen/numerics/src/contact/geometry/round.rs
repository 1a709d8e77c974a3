//! Gaps of what is round: circles, sides of cones, ellipsoids, against planes and points.

use super::{
    dual::{Dual, Moving},
    evaluate::{Sides, Touch},
    feature::{LIMITS, SECOND_LENGTH},
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, LocalId, Term};

/// Newton's method from below needs a few steps; more are for ellipsoids that are nearly flat.
const MOST_STEPS: usize = 100;

/// The parts of a way along and across an axis: how far along, the way across, and its length.
pub fn around<T: Scalar>(f: &mut FunctionBuilder, way: &Vector<T>, axis: &Vector<T>) -> (T, Vector<T>, T) {
    let way = way.clone().keep(f, "way");
    let along = way.dot(axis).keep(f, "along");
    let across = (way - axis.times(along.clone())).keep(f, "across");
    let radius = across.length(f, "radius");
    (along, across, radius)
}

impl Sides<'_> {
    /// The lowest point of a circle over a plane.
    pub fn plane_circle(&self, f: &mut FunctionBuilder) -> Touch {
        let (q, n) = (self.first_point(f), self.first_along(f));
        let (c, axis) = (self.second_point(f), self.second_along(f));
        let (_, across, sine) = around(f, &n, &axis);
        let radius = self.number(SECOND_LENGTH);
        // The height of the lowest point itself would cancel where the circle lies nearly flat.
        let height = (n.dot(&(c.clone() - q.clone())) - radius.clone() * sine.clone()).keep(f, "height");
        let lowest = (c - across.times((radius / sine).keep(f, "factor"))).keep(f, "lowest");
        let above = n.dot(&(lowest.clone() - q)).keep(f, "above");
        let foot = (lowest - n.times(above)).keep(f, "foot");
        self.between(f, &foot, n, height)
    }

    /// The lowest point of an ellipsoid over a plane: c − Σ e a² (e·n) / h, where h is how far it reaches.
    pub fn plane_ellipsoid(&self, f: &mut FunctionBuilder) -> Touch {
        let (q, n) = (self.first_point(f), self.first_along(f));
        let c = self.second_point(f);
        let (axes, size) = self.second_axes(f);
        let stretched = [0, 1, 2].map(|k| axes[k].dot(&n) * size.0[k].clone().into());
        let stretched = Vector(stretched).keep(f, "stretched");
        let h = stretched.length(f, "h");
        let lowest = axes.iter().enumerate().fold(c, |point, (k, axis)| {
            point - axis.times((stretched.0[k].clone() * size.0[k].clone().into() / h.clone()).keep(f, "factor"))
        });
        self.over_plane(f, &q, n, lowest)
    }

    /// A point over the plane through q with the normal n; what is rounded is as far from its foot there as the gap says.
    pub fn over_plane(&self, f: &mut FunctionBuilder, q: &Moving, n: Moving, lowest: Moving) -> Touch {
        let lowest = lowest.keep(f, "lowest");
        let height = n.dot(&(lowest.clone() - q.clone())).keep(f, "height");
        let foot = (lowest - n.times(height.clone())).keep(f, "foot");
        self.between(f, &foot, n, height)
    }

    pub fn point_circle(&self, f: &mut FunctionBuilder) -> Touch {
        let (p, c, axis) = (self.first_point(f), self.second_point(f), self.second_along(f));
        let (_, across, radius) = around(f, &(p.clone() - c.clone()), &axis);
        let (across, radius) = off_axis(f, &axis, across, radius);
        let foot = c + across.times((self.number(SECOND_LENGTH) / radius).keep(f, "factor"));
        let foot = foot.keep(f, "foot");
        self.apart(f, &p, &foot)
    }

    /// The normal of the side of a cone is the same along each line through its apex.
    pub fn point_cone(&self, f: &mut FunctionBuilder) -> Touch {
        let (p, apex, axis) = (self.first_point(f), self.second_point(f), self.second_along(f));
        let way = (p.clone() - apex).keep(f, "way");
        let (_, across, radius) = around(f, &way, &axis);
        let outwards = across.times((self.number(LIMITS) / radius).keep(f, "factor"));
        let n = (outwards + axis.times(self.number(LIMITS + 1))).keep(f, "n");
        let height = n.dot(&way).keep(f, "height");
        let normal = (-n).keep(f, "normal");
        self.between(f, &p, normal, height)
    }

    /// The foot of x on an ellipsoid of semi-axes a is y = a² x / (t + a²), where Σ (a x / (t + a²))² = 1: the largest such t (Eberly, *Distance
    /// from a point to an ellipsoid*).
    pub fn point_ellipsoid(&self, f: &mut FunctionBuilder) -> Touch {
        let (p, c) = (self.first_point(f), self.second_point(f));
        let (axes, size) = self.second_axes(f);
        let way = (p.clone() - c).keep(f, "way");
        let x = Vector([0, 1, 2].map(|k| axes[k].dot(&way))).keep(f, "x");
        let t = secular_root(f, &size, &x.value());
        let t = moving_root(f, &size, &x, t);
        let shifted = [0, 1, 2].map(|k| t.clone() + square(&size.0[k]).into());
        // In the ellipsoid's axes: the gradient, and the way from the foot to the point, which is t times as long.
        let gradient = Vector([0, 1, 2].map(|k| x.0[k].clone() / shifted[k].clone())).keep(f, "gradient");
        let length = gradient.length(f, "length");
        let own = gradient.over(length.clone()).keep(f, "own");
        let n = axes[0].times(own.0[0].clone()) + axes[1].times(own.0[1].clone()) + axes[2].times(own.0[2].clone());
        let height = (t * length).keep(f, "height");
        let normal = (-n).keep(f, "normal");
        self.between(f, &p, normal, height)
    }
}

/// On the axis of a circle all of its points are as near: one of them is taken.
fn off_axis(f: &mut FunctionBuilder, axis: &Moving, across: Moving, radius: Dual) -> (Moving, Dual) {
    let is_on = f.integer("is_on", radius.value.clone().le(f64::MIN_POSITIVE));
    let [x, y, z] = axis.value().0;
    let steep = f.integer("steep", z.clone().abs().gt(0.5));
    // Axis × x or axis × z, whichever is not along the axis.
    let any = [steep.select(0.0, y), steep.select(z, -x), steep.select(-axis.value().0[1].clone(), 0.0)];
    let any = Vector(any).keep(f, "any");
    let across = [0, 1, 2].map(|k: usize| Dual {
        value: is_on.select(any.0[k].clone(), across.0[k].value.clone()),
        rate: is_on.select(0.0, across.0[k].rate.clone()),
    });
    let length = any.length(f, "any_length");
    let radius = Dual { value: is_on.select(length, radius.value), rate: is_on.select(0.0, radius.rate) };
    (Vector(across).keep(f, "off_axis"), radius.keep(f, "off_radius"))
}

fn square(x: &Expression) -> Expression {
    x.clone() * x.clone()
}

/// The terms (a x)² / (t + a²)² of the secular equation, and their sum divided once more by t + a².
fn secular(f: &mut FunctionBuilder, size: &Plain, x: &Plain, t: &Expression) -> [Expression; 2] {
    let sums = [f.real("sum", -1.0), f.real("slope", 0.0)];
    for k in 0..3 {
        let shifted = f.real("shifted", t.clone() + square(&size.0[k]));
        let quotient = f.real("quotient", size.0[k].clone() * x.0[k].clone() / shifted);
        f.increase(sums[0], quotient * quotient);
        f.increase(sums[1], quotient * quotient / shifted);
    }
    sums.map(Term::get)
}

/// The root by Newton's method, from below: the sum is convex and falls, so that no step goes too far.
fn secular_root(f: &mut FunctionBuilder, size: &Plain, x: &Plain) -> LocalId {
    let bound = |k: usize| size.0[k].clone() * (x.0[k].clone().abs() - size.0[k].clone());
    let t = f.real("t", bound(0).max(bound(1)).max(bound(2)));
    f.for_each("step", 0, MOST_STEPS, |f, _| {
        let [sum, slope] = secular(f, size, x, &t.get());
        let next = f.real("next", t + sum / (slope * 2.0));
        f.if_(next.gt(t).logical_not(), |f| f.break_());
        f.assign(t, next);
    });
    t
}

/// The root with its rate: a step of Newton's method with numbers that have rates gives that of what it converges to.
fn moving_root(f: &mut FunctionBuilder, size: &Plain, x: &Moving, t: LocalId) -> Dual {
    let [_, slope] = secular(f, size, &x.value(), &t.get());
    let rate = f.real("sum_rate", 0.0);
    for k in 0..3 {
        let shifted = f.real("shifted", t + square(&size.0[k]));
        let factor = size.0[k].clone() / shifted;
        f.increase(rate, x.0[k].value.clone() * x.0[k].rate.clone() * square(&factor));
    }
    Dual { value: t.get(), rate: (rate / slope).keep(f, "t_rate") }
}
