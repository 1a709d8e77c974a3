//! The ball of a curve: a torus is made of balls whose centres are on a circle, and touches with the one that is nearest. So are the edges of a box
//! and the side of a cylinder, on lines; inside of a cone the radii of balls grow along the axis.
//!
//! With p(s) the centre at the length s along the curve, τ its tangent, D(s) the distance of the ball and n the normal from it, D' = −n·τ, and D'' is what
//! n and τ do along the curve. Newton's method leads downhill from the place that was nearest when the feature was found; so which of several
//! feature it is does not change with what was looked at in between. Where things move, the nearest place moves on by −(D')˙/D''.

use super::{
    dual::{Dual, Moving},
    evaluate::{Calls, Sides, Touch},
    feature::{FEATURES, FIRST, FIRST_ALONG, FIRST_LENGTH, Feature, LIMITS, NEAREST, TILT},
    parts::Parts,
    place::Material,
    surface::Curved,
    tables::Tables,
    vector::{Plain, Scalar, Vector},
};
use kernel::{Expression, FunctionBuilder, FunctionId, ModuleBuilder, Term, Type::Integer, Type::Real};

const MOST_STEPS: usize = 60;
/// A step is no longer than this part of the radius.
const LONGEST: f64 = 0.3;
/// A step that is shorter than this part of the radius is the last one: Newton's method doubles the digits that are right.
const LAST: f64 = 1e-7;

/// The functions of each kind of feature whose first is a curve.
#[derive(Clone, Copy)]
pub struct Roll {
    /// `(slot, x, y, z) -> (D, D', D'')`, of the ball at this place of the curve in the world.
    pub look: FunctionId,
    /// `(slot) -> (x, y, z)`: the nearest place.
    pub settle: FunctionId,
}

pub type Rolling = [Option<Roll>; FEATURES.len()];

pub fn rolling(
    module: &mut ModuleBuilder,
    tables: &Tables,
    at: &Material,
    (parts, curved): (Option<&Parts>, Option<&Curved>),
) -> Rolling {
    let none = [None; FEATURES.len()];
    FEATURES.map(|kind| {
        let ball = kind.of_ball().filter(|_| tables.has[kind as usize])?;
        let place = [("slot", Integer), ("x", Real), ("y", Real), ("z", Real)];
        let look = module.function(&format!("contact_look_{kind:?}").to_lowercase(), &place, &[Real; 3], |f| {
            let [slot, x, y, z] = f.parameters();
            let sides = Sides::load(f, tables, at, slot);
            let curve = sides.curve(f, kind);
            let calls = Calls { parts, curved, rolling: &none };
            let along = curve.along(f, &sides, &Plain::of(&[x, y, z]), ball, &calls);
            f.return_((along.touch.gap.value, along.touch.gap.rate, along.bend));
        });
        Some(Roll { look, settle: settle(module, (tables, at), kind, look) })
    })
}

/// `(slot) -> (x, y, z)`: see [`Roll::settle`].
fn settle(
    module: &mut ModuleBuilder,
    (tables, at): (&Tables, &Material),
    kind: Feature,
    look: FunctionId,
) -> FunctionId {
    module.function(&format!("contact_settle_{kind:?}").to_lowercase(), &[("slot", Integer)], &[Real; 3], |f| {
        let [slot] = f.parameters();
        let sides = Sides::load(f, tables, at, slot);
        let curve = sides.curve(f, kind);
        let start = sides.world_point(f, TILT);
        let here = start.0.map(|entry| f.real("here", entry));
        let [best, slope, bend] = f.call_n(look, (slot, here[0], here[1], here[2]));
        let longest = f.real("longest", curve.radius.clone() * LONGEST);
        let last = f.real("last", curve.radius.clone() * LAST);
        f.for_each("step", 0, MOST_STEPS, |f, _| {
            let downhill = longest.copysign(-slope.get());
            let by = f.real("by", bend.gt(0.0).select(-slope / bend, downhill).max(-longest).min(longest));
            let next = curve.moved(f, &Plain::of(&here), by.get());
            let [distance, next_slope, next_bend] = f.call_n(look, next.after([slot.get()]));
            let is_last = f.integer("is_last", by.abs().le(last));
            f.if_else(
                is_last.or(distance.le(best)),
                |f| {
                    here.iter().zip(next.0).for_each(|(&entry, value)| f.assign(entry, value));
                    for (old, new) in [(best, distance), (slope, next_slope), (bend, next_bend)] {
                        f.assign(old, new);
                    }
                },
                |f| f.assign(longest, by.abs() * 0.5),
            );
            f.if_(is_last, |f| f.break_());
        });
        f.return_((here[0], here[1], here[2]));
    })
}

/// A circle, about an axis, in the world; or a line, from its centre along its axis, whose radius is its length.
pub struct Curve {
    centre: Plain,
    axis: Plain,
    pub radius: Expression,
    /// Of a line: by how much the radii of balls grow along it.
    taper: Option<Expression>,
}

/// What a ball touches, with rates along the curve while all stands still.
struct Along {
    touch: Touch,
    tangent: Plain,
    /// D''.
    bend: Expression,
}

impl Curve {
    fn out(&self, f: &mut FunctionBuilder, p: &Plain) -> Plain {
        (p.clone() - self.centre.clone()).over(self.radius.clone()).keep(f, "out")
    }

    /// The place that is farther along by so much. Half the angle is as good as its tangent, and needs no sine.
    pub fn moved(&self, f: &mut FunctionBuilder, p: &Plain, by: Expression) -> Plain {
        if self.taper.is_some() {
            return (p.clone() + self.axis.times(by)).keep(f, "moved");
        }
        let out = self.out(f, p);
        let tangent = self.axis.cross(&out).keep(f, "tangent");
        let half = (by / self.radius.clone() * 0.5).keep(f, "half");
        let square = (half.clone() * half.clone()).keep(f, "square");
        let whole = (1.0 + square.clone()).keep(f, "whole");
        let turned = out.times((1.0 - square) / whole.clone()) + tangent.times(half * 2.0 / whole);
        (self.centre.clone() + turned.times(self.radius.clone())).keep(f, "moved")
    }

    fn along(&self, f: &mut FunctionBuilder, sides: &Sides, p: &Plain, ball: Feature, calls: &Calls) -> Along {
        let out = self.out(f, p);
        let tangent = if self.taper.is_some() { self.axis.clone() } else { self.axis.cross(&out).keep(f, "tangent") };
        let still = Sides { ball: Some(moving(p, &tangent)), is_still: true, ..sides.clone() };
        let touch = still.touch(f, ball, calls);
        let n = touch.normal.value();
        let turned = touch.normal.rate().dot(&tangent);
        // The tangent of a circle turns by −out/radius, that of a line does not.
        let bend = if self.taper.is_some() { -turned } else { n.dot(&out) / self.radius.clone() - turned };
        let bend = bend.keep(f, "bend");
        let touch = self.tapered(f, touch, p, 1.0);
        Along { touch, tangent, bend }
    }

    /// What the ball at a place touches that is so much larger there, where the place moves along the curve at a pace.
    fn tapered(&self, f: &mut FunctionBuilder, touch: Touch, p: &Plain, pace: f64) -> Touch {
        let Some(taper) = &self.taper else { return touch };
        let s = self.axis.dot(&(p.clone() - self.centre.clone()));
        let larger = Dual { value: s * taper.clone(), rate: taper.clone() * pace }.keep(f, "larger");
        let half = (larger.clone() * Dual::from(Expression::from(0.5))).keep(f, "half_larger");
        let point = (touch.point + touch.normal.times(half)).keep(f, "farther");
        Touch { gap: (touch.gap - larger).keep(f, "gap"), normal: touch.normal, point }
    }
}

impl Sides<'_> {
    /// The curve of the first.
    fn curve(&self, f: &mut FunctionBuilder, kind: Feature) -> Curve {
        let centre = self.world_point(f, FIRST);
        let axis = self.vector(f, FIRST_ALONG);
        let axis = super::place::turned(self.tables.bodies.pose, self.first.clone() * 12, &axis).keep(f, "axis");
        let taper = (kind == Feature::LineSurface).then(|| self.number(LIMITS).value.keep(f, "taper"));
        Curve { centre, axis, radius: self.number(FIRST_LENGTH).value.keep(f, "radius"), taper }
    }

    /// A point of the first frame, in the world.
    fn world_point(&self, f: &mut FunctionBuilder, place: usize) -> Plain {
        let own = self.vector(f, place);
        let pose = self.first.clone() * 12;
        let origin = Plain::load(f, "origin", self.tables.bodies.pose, pose.clone());
        (origin + super::place::turned(self.tables.bodies.pose, pose, &own)).keep(f, "at")
    }

    /// What the ball at the nearest place touches, with all rates.
    pub fn rolled(&self, f: &mut FunctionBuilder, kind: Feature, calls: &Calls) -> Touch {
        let ball = kind.of_ball().expect("the first is a curve");
        let Roll { settle, .. } = calls.rolling[kind as usize].expect("there are curves");
        let slot = self.slot.clone();
        let p = Plain::of(&f.call(settle, slot));
        p.store(f, self.data, self.base.clone() + NEAREST);
        let curve = self.curve(f, kind);
        let along = curve.along(f, self, &p, ball, calls);
        let twist = self.first.clone() * 6;
        let spin = self.first_turning(f);
        let velocity = Plain::load(f, "velocity", self.tables.bodies.twist, twist);
        let origin = Plain::load(f, "origin", self.tables.bodies.pose, self.first.clone() * 12);
        let velocity = (velocity + spin.cross(&(p.clone() - origin))).keep(f, "carried");
        let fixed = Sides { ball: Some(moving(&p, &velocity)), ..self.clone() };
        let touch = fixed.touch(f, ball, calls);
        let touch = curve.tapered(f, touch, &p, 0.0);
        // How fast D' changes where the ball is fixed in the first, and how fast the nearest place moves on for that.
        let n = touch.normal.value();
        let turning = spin.cross(&along.tangent).keep(f, "turning");
        let change = -(touch.normal.rate().dot(&along.tangent) + n.dot(&turning));
        let is_bent = along.bend.clone().gt(FLAT / curve.radius.clone());
        let pace = is_bent.select(-change / along.bend.clone(), 0.0).keep(f, "pace");
        Touch {
            gap: touch.gap,
            normal: carried(f, &touch.normal, &along.touch.normal, &pace),
            point: carried(f, &touch.point, &along.touch.point, &pace),
        }
    }
}

/// What is as near all along a curve has no nearest place that would move on: below this, times the radius, D'' is rounding.
const FLAT: f64 = 1e-9;

fn moving(value: &Plain, rate: &Plain) -> Moving {
    Vector([0, 1, 2].map(|k| Dual { value: value.0[k].clone(), rate: rate.0[k].clone() }))
}

fn carried(f: &mut FunctionBuilder, fixed: &Moving, along: &Moving, pace: &Expression) -> Moving {
    let rate = fixed.rate() + along.rate().times(pace.clone());
    moving(&fixed.value(), &rate).keep(f, "rolled")
}
