//! Vectors of kernel numbers, so that geometry reads as on paper. Expressions are trees: what is used more than once is kept in a variable.

use kernel::{ArrayId, Expression, FunctionBuilder, LocalId, Term};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What vectors are made of: expressions, and those with their rates.
pub trait Scalar:
    Clone
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + From<Expression>
{
    /// The number in a variable of its own.
    fn keep(self, f: &mut FunctionBuilder, name: &str) -> Self;

    fn root(self, f: &mut FunctionBuilder, name: &str) -> Self;
}

impl Scalar for Expression {
    fn keep(self, f: &mut FunctionBuilder, name: &str) -> Expression {
        f.real(name, self).get()
    }

    fn root(self, f: &mut FunctionBuilder, name: &str) -> Expression {
        f.real(name, self.sqrt()).get()
    }
}

#[derive(Clone, Debug)]
pub struct Vector<T>(pub [T; 3]);

/// A vector without its rate.
pub type Plain = Vector<Expression>;

impl Plain {
    pub fn of(locals: &[LocalId]) -> Plain {
        Vector([locals[0].get(), locals[1].get(), locals[2].get()])
    }

    pub fn load(f: &mut FunctionBuilder, name: &str, array: ArrayId, first: impl Into<Expression>) -> Plain {
        let first = first.into();
        Vector([0, 1, 2].map(|k| array.at(first.clone() + k))).keep(f, name)
    }

    pub fn store(&self, f: &mut FunctionBuilder, array: ArrayId, first: impl Into<Expression>) {
        let first = first.into();
        for (k, value) in self.0.iter().enumerate() {
            f.store(array, first.clone() + k, value.clone());
        }
    }

    /// The three numbers as arguments of a call, after some others.
    pub fn after(&self, others: impl IntoIterator<Item = Expression>) -> Vec<Expression> {
        others.into_iter().chain(self.0.iter().cloned()).collect()
    }
}

impl<T: Scalar> Vector<T> {
    pub fn keep(self, f: &mut FunctionBuilder, name: &str) -> Vector<T> {
        let [x, y, z] = self.0;
        Vector([x.keep(f, &format!("{name}_x")), y.keep(f, &format!("{name}_y")), z.keep(f, &format!("{name}_z"))])
    }

    pub fn dot(&self, other: &Vector<T>) -> T {
        let ([a, b, c], [x, y, z]) = (self.0.clone(), other.0.clone());
        a * x + b * y + c * z
    }

    pub fn cross(&self, other: &Vector<T>) -> Vector<T> {
        let ([a, b, c], [x, y, z]) = (self.0.clone(), other.0.clone());
        Vector([b.clone() * z.clone() - c.clone() * y.clone(), c * x.clone() - a.clone() * z, a * y - b * x])
    }

    pub fn times(&self, factor: impl Into<T>) -> Vector<T> {
        let factor = factor.into();
        Vector(self.0.clone().map(|entry| entry * factor.clone()))
    }

    pub fn over(&self, divisor: impl Into<T>) -> Vector<T> {
        let divisor = divisor.into();
        Vector(self.0.clone().map(|entry| entry / divisor.clone()))
    }

    pub fn length(&self, f: &mut FunctionBuilder, name: &str) -> T {
        self.dot(self).root(f, name)
    }
}

impl<T: Scalar> Add for Vector<T> {
    type Output = Vector<T>;

    fn add(self, other: Vector<T>) -> Vector<T> {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([a + x, b + y, c + z])
    }
}

impl<T: Scalar> Sub for Vector<T> {
    type Output = Vector<T>;

    fn sub(self, other: Vector<T>) -> Vector<T> {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([a - x, b - y, c - z])
    }
}

impl<T: Scalar> Neg for Vector<T> {
    type Output = Vector<T>;

    fn neg(self) -> Vector<T> {
        Vector(self.0.map(|entry| -entry))
    }
}
