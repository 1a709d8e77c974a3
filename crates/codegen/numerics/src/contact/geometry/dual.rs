//! Numbers with their rates: what is computed of points that move has its time derivative without a formula of its own.

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

impl From<Expression> for Dual {
    /// What does not change.
    fn from(value: Expression) -> Dual {
        Dual { value, rate: 0.0.into() }
    }
}

impl Scalar for Dual {
    fn keep(self, f: &mut FunctionBuilder, name: &str) -> Dual {
        Dual { value: self.value.keep(f, name), rate: self.rate.keep(f, &format!("{name}_rate")) }
    }

    /// The root of zero has the rate zero, for want of a better one.
    fn root(self, f: &mut FunctionBuilder, name: &str) -> Dual {
        let value = f.real(name, self.value.sqrt());
        let rate = value.gt(0.0).select(self.rate / (value * 2.0), 0.0);
        Dual { value: value.get(), rate: rate.keep(f, &format!("{name}_rate")) }
    }
}

impl Add for Dual {
    type Output = Dual;

    fn add(self, other: Dual) -> Dual {
        Dual { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl Sub for Dual {
    type Output = Dual;

    fn sub(self, other: Dual) -> Dual {
        Dual { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl Mul for Dual {
    type Output = Dual;

    fn mul(self, other: Dual) -> Dual {
        let rate = self.rate * other.value.clone() + self.value.clone() * other.rate;
        Dual { value: self.value * other.value, rate }
    }
}

impl Div for Dual {
    type Output = Dual;

    fn div(self, other: Dual) -> Dual {
        let value = self.value / other.value.clone();
        Dual { value: value.clone(), rate: (self.rate - value * other.rate) / other.value }
    }
}

impl Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        Dual { value: -self.value, rate: -self.rate }
    }
}
