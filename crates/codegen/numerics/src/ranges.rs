//! Arithmetic of ranges: between which bounds a result lies, if its operands lie between some bounds.
//!
//! R. E. Moore, *Interval Analysis*, chapter 3. Bounds are rounded to nearest, not outwards: they are as exact as numbers are anywhere else.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use kernel::{Expression, FunctionId, LocalId, ModuleBuilder, Term, Type::Real};

use crate::elementary::{Elementary, Function};

/// The functions of one module: each is written into the module when it is first asked for.
#[derive(Default)]
pub struct Ranges {
    times: Option<FunctionId>,
    turned: Option<FunctionId>,
    tangent: Option<FunctionId>,
    direction: Option<FunctionId>,
}

impl Ranges {
    /// `(a_low, a_high, b_low, b_high) -> (low, high)`: a product.
    pub fn times(&mut self, module: &mut ModuleBuilder) -> FunctionId {
        let both = ["a_low", "a_high", "b_low", "b_high"].map(|name| (name, Real));
        *self.times.get_or_insert_with(|| {
            let times = module.function("range_times", &both, &[Real, Real], |f| {
                let [a_low, a_high, b_low, b_high] = f.parameters();
                let sizes = a_low.abs() + a_high.abs() + b_low.abs() + b_high.abs();
                f.if_(sizes.lt(f64::INFINITY).logical_not(), |f| f.return_(everything()));
                let corners = [a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high];
                let corners = corners.map(|corner| f.real("corner", corner));
                f.return_(hull(corners));
            });
            module.describe(times, "Between which bounds the product of two numbers lies that lie between some.");
            times
        })
    }

    /// `(low, high) -> (low, high, low, high)`: the sine and the cosine of an angle.
    pub fn turned(&mut self, module: &mut ModuleBuilder, elementary: &mut Elementary) -> FunctionId {
        *self.turned.get_or_insert_with(|| {
            let sine_cosine = elementary.function(module, Function::SinCos);
            let ends = [("low", Real), ("high", Real)];
            let turned = module.function("range_turned", &ends, &[Real; 4], |f| {
                let [low, high] = f.parameters();
                f.if_((high - low).lt(TAU).logical_not(), |f| f.return_((-1.0, 1.0, -1.0, 1.0)));
                let [first_sine, first_cosine] = f.call_n(sine_cosine, low);
                let [second_sine, second_cosine] = f.call_n(sine_cosine, high);
                f.note("Whether a whole number of turns from the crest or the trough lies in between.");
                let mut passes = |crest: f64| {
                    let turns = |end: LocalId| ((end - crest) / TAU).floor();
                    f.integer("passes", turns(low).ne_(turns(high)))
                };
                let sine = [passes(-FRAC_PI_2), passes(FRAC_PI_2)];
                let cosine = [passes(PI), passes(0.0)];
                let between = |[trough, crest]: [LocalId; 2], first: LocalId, second: LocalId| {
                    [trough.select(-1.0, first.min(second)), crest.select(1.0, first.max(second))]
                };
                let [sine_low, sine_high] = between(sine, first_sine, second_sine);
                let [cosine_low, cosine_high] = between(cosine, first_cosine, second_cosine);
                f.return_((sine_low, sine_high, cosine_low, cosine_high));
            });
            module.describe(turned, "Between which bounds the sine and the cosine of an angle lie.");
            turned
        })
    }

    /// `(low, high) -> (low, high)`: the tangent of an angle.
    pub fn tangent(&mut self, module: &mut ModuleBuilder, elementary: &mut Elementary) -> FunctionId {
        *self.tangent.get_or_insert_with(|| {
            let of = elementary.function(module, Function::Tan);
            let tangent = module.function("range_tangent", &[("low", Real), ("high", Real)], &[Real, Real], |f| {
                let [low, high] = f.parameters();
                let branch = |end: LocalId| (end / PI + 0.5).floor();
                f.if_(branch(low).eq_(branch(high)).logical_not(), |f| f.return_(everything()));
                let [first, second] = [low, high].map(|end| f.call1(of, end));
                f.return_((first, second));
            });
            module.describe(tangent, "Between which bounds the tangent of an angle lies.");
            tangent
        })
    }

    /// `(y_low, y_high, x_low, x_high) -> (low, high, whole)`: the angle of a point; `whole` is 0 where it may jump.
    pub fn direction(&mut self, module: &mut ModuleBuilder, elementary: &mut Elementary) -> FunctionId {
        *self.direction.get_or_insert_with(|| {
            let of = elementary.function(module, Function::Atan2);
            let both = ["y_low", "y_high", "x_low", "x_high"].map(|name| (name, Real));
            let direction = module.function("range_direction", &both, &[Real; 3], |f| {
                let [y_low, y_high, x_low, x_high] = f.parameters();
                let beside = x_low.gt(0.0).or(y_low.gt(0.0)).or(y_high.lt(0.0));
                f.if_(beside.logical_not(), |f| f.return_((-PI, PI, 0.0)));
                let corners = [(y_low, x_low), (y_low, x_high), (y_high, x_low), (y_high, x_high)];
                let [low, high] = hull(corners.map(|corner| f.call1(of, corner)));
                f.return_((low, high, 1.0));
            });
            module.describe(direction, "Between which bounds the angle of a point lies, and whether it cannot jump.");
            direction
        })
    }
}

fn everything() -> (f64, f64) {
    (f64::NEG_INFINITY, f64::INFINITY)
}

/// The least and the largest of four.
fn hull([a, b, c, d]: [LocalId; 4]) -> [Expression; 2] {
    [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
}
