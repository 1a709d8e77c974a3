//! Which points touch at a state: those whose gap is within a band that only rounding and the tolerance explain.

use kernel::Type::Integer;
use kernel::{Expression, FunctionBuilder, FunctionId, LocalId, Term};
use numerics::IntegratorArrays;
use numerics::contact::Points;

use super::rows::FrameVector;
use super::{OPEN, Touching};
use crate::lower::Lowering;

/// How near is touching, as a part of the smaller shape: by the tolerance, between these.
const NARROWEST: f64 = 1e-12;
const WIDEST: f64 = 1e-9;

impl Touching {
    /// How near the shapes of a pair are where they touch.
    pub fn band(&self, f: &mut FunctionBuilder, pair: LocalId, integrator: &IntegratorArrays) -> LocalId {
        let radius = |side: usize| self.geometry.radius.at(self.tables.shape[side].at(pair));
        let smaller = f.real("smaller", radius(0).min(radius(1)));
        f.real("band", smaller * integrator.tolerance.at(0).max(NARROWEST).min(WIDEST))
    }

    /// How far the shapes of a pair come within what the time can tell.
    fn blur(&self, f: &mut FunctionBuilder, pair: LocalId, integrator: &IntegratorArrays) -> LocalId {
        let blur = f.real("blur", 0.0);
        for side in [0, 1] {
            let frame = f.integer("frame", self.tables.frame[side].at(pair));
            let velocity = self.of_frame(f, "velocity", FrameVector::Velocity, frame).length(f, "fast");
            let spin = self.of_frame(f, "spin", FrameVector::Spin, frame).length(f, "turning");
            f.increase(blur, velocity + spin * self.reach.at(self.tables.shape[side].at(pair)));
        }
        f.real("blurred", blur * integrator.time.at(0).abs() * (8.0 * f64::EPSILON))
    }

    /// Copies what is remembered of a point from one slot to another.
    pub fn copy_point(&self, f: &mut FunctionBuilder, from: impl Into<Expression>, to: impl Into<Expression>) {
        let (from, to, points) = (from.into(), to.into(), self.points);
        for array in [points.pair, points.feature, points.kind] {
            f.store(array, to.clone(), array.at(from.clone()));
        }
        let numbers = Self::DATA;
        f.for_each("k", 0, numbers, |f, k| {
            f.store(points.data, to.clone() * numbers + k, points.data.at(from.clone() * numbers + k));
        });
    }

    /// How many numbers describe a point.
    const DATA: i64 = Points::DATA as i64;
}

impl<'p> Lowering<'p> {
    /// `() -> integer`: the points that touch, in the first slots, with the states of those that were held; how many, or −1 if too many.
    pub fn contact_detection(&mut self, touching: &Touching, integrator: &IntegratorArrays) -> FunctionId {
        let touching = *touching;
        let Touching { points, geometry, arrays, capacity, .. } = touching;
        let mut memory =
            |name: &str, length: usize| self.module.integer_array(name, length, "while points are found anew");
        let (was_state, was_starting) =
            (memory("contact_was_state", capacity), memory("contact_was_starting", capacity));
        let was_beyond = self.module.real_array("contact_was_beyond", capacity, "while points are found anew");
        let was_heading = self.module.real_array("contact_was_heading", 3 * capacity, "while points are found anew");
        let detect = self.module.function("contact_detect", &[], &[Integer], |f| {
            f.store(points.found, 0, 0);
            touching.for_each_near(
                f,
                |f, shape| touching.how_far(f, shape, 0.0).get(),
                |f, pair| {
                    let band = touching.band(f, pair, integrator);
                    let blur = touching.blur(f, pair, integrator);
                    f.call(geometry.detect, (pair.get(), band + blur));
                },
            );
            let found = f.integer("found", points.found.at(0));
            f.if_(found.gt(capacity), |f| f.return_(-1));
            f.for_each("a", 0, found, |f, a| {
                let new = f.integer("new", a + capacity);
                f.store(was_state, a, OPEN);
                f.store(was_starting, a, 0);
                f.store(was_beyond, a, 0.0);
                f.for_each("i", 0, arrays.held.at(0), |f, i| {
                    f.if_(touching.same_point(i, new), |f| {
                        f.store(was_state, a, arrays.state.at(i));
                        f.store(was_starting, a, arrays.starting.at(i));
                        f.store(was_beyond, a, arrays.beyond.at(i));
                        f.for_each("k", 0, 3, |f, k| f.store(was_heading, a * 3 + k, arrays.heading.at(i * 3 + k)));
                    });
                });
            });
            f.for_each("a", 0, found, |f, a| {
                touching.copy_point(f, a + capacity, a);
                f.store(arrays.state, a, was_state.at(a));
                f.store(arrays.starting, a, was_starting.at(a));
                f.store(arrays.beyond, a, was_beyond.at(a));
                f.for_each("k", 0, 3, |f, k| f.store(arrays.heading, a * 3 + k, was_heading.at(a * 3 + k)));
            });
            f.return_(found);
        });
        self.module.describe(detect, "The points that touch, with the states of those that were held.");
        detect
    }
}

impl Touching {
    /// Whether two slots hold the same point.
    pub fn same_point(&self, one: LocalId, other: LocalId) -> Expression {
        let same = |array: kernel::ArrayId| array.at(one).eq_(array.at(other));
        same(self.points.pair).and(same(self.points.feature))
    }
}
