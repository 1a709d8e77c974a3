//! Numbers with their rates: what is computed of points that move has its time derivative without a formula of its own. What does not change has a
//! rate that is the number zero, and costs nothing: sums and products leave it out.

use super::vector::{Plain, Scalar, Vector};
use kernel::{Expression, FunctionBuilder, LocalId, Term};
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Debug)]
pub struct Dual {
    pub value: Expression,
    pub rate: Expression,
}

/// A vector with its rate.
pub type Moving = Vector<Dual>;

impl Moving {
    /// Of six variables: the vector, then its rate.
    pub fn of(locals: &[LocalId]) -> Moving {
        Vector([0, 1, 2].map(|k| Dual { value: locals[k].get(), rate: locals[k + 3].get() }))
    }

    pub fn value(&self) -> Plain {
        Vector(self.0.clone().map(|entry| entry.value))
    }

    pub fn rate(&self) -> Plain {
        Vector(self.0.clone().map(|entry| entry.rate))
    }
}

/// A vector that does not change.
pub fn still(vector: &Plain) -> Moving {
    Vector(vector.0.clone().map(Dual::from))
}

/// Whether this is the rate of what does not change.
fn is_nothing(rate: &Expression) -> bool {
    rate.as_real() == Some(0.0)
}

/// A sum of rates, of which some may be nothing.
fn sum(a: Expression, b: Expression) -> Expression {
    match [&a, &b].map(is_nothing) {
        [_, true] => a,
        [true, false] => b,
        [false, false] => a + b,
    }
}

fn difference(a: Expression, b: Expression) -> Expression {
    match [&a, &b].map(is_nothing) {
        [_, true] => a,
        [true, false] => -b,
        [false, false] => a - b,
    }
}

/// A rate times a number.
fn scaled(rate: Expression, by: Expression) -> Expression {
    if is_nothing(&rate) { rate } else { rate * by }
}

impl From<Expression> for Dual {
    /// What does not change.
    fn from(value: Expression) -> Dual {
        Dual { value, rate: 0.0.into() }
    }
}

impl Scalar for Dual {
    fn keep(self, f: &mut FunctionBuilder, name: &str) -> Dual {
        let rate = if is_nothing(&self.rate) { self.rate } else { self.rate.keep(f, &format!("{name}_rate")) };
        Dual { value: self.value.keep(f, name), rate }
    }

    /// The root of zero has the rate zero, for want of a better one.
    fn root(self, f: &mut FunctionBuilder, name: &str) -> Dual {
        let value = f.real(name, self.value.sqrt());
        if is_nothing(&self.rate) {
            return value.get().into();
        }
        let rate = value.gt(0.0).select(self.rate / (value * 2.0), 0.0);
        Dual { value: value.get(), rate: rate.keep(f, &format!("{name}_rate")) }
    }
}

impl Add for Dual {
    type Output = Dual;

    fn add(self, other: Dual) -> Dual {
        Dual { value: self.value + other.value, rate: sum(self.rate, other.rate) }
    }
}

impl Sub for Dual {
    type Output = Dual;

    fn sub(self, other: Dual) -> Dual {
        Dual { value: self.value - other.value, rate: difference(self.rate, other.rate) }
    }
}

impl Mul for Dual {
    type Output = Dual;

    fn mul(self, other: Dual) -> Dual {
        let rate = sum(scaled(self.rate, other.value.clone()), scaled(other.rate, self.value.clone()));
        Dual { value: self.value * other.value, rate }
    }
}

impl Div for Dual {
    type Output = Dual;

    fn div(self, other: Dual) -> Dual {
        let value = self.value / other.value.clone();
        let rate = difference(self.rate, scaled(other.rate, value.clone()));
        Dual { value, rate: if is_nothing(&rate) { rate } else { rate / other.value } }
    }
}

impl Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        Dual { value: -self.value, rate: if is_nothing(&self.rate) { self.rate } else { -self.rate } }
    }
}
