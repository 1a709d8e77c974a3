//! Vectors and matrices of expressions in three dimensions.

use std::ops::{Add, Mul, Neg, Sub};

use crate::{Arena, Expr, Number, Term};

#[derive(Clone, Copy)]
pub struct Vector<'a>(pub [Term<'a>; 3]);

/// Three rows of three.
#[derive(Clone, Copy)]
pub struct Matrix<'a>(pub [[Term<'a>; 3]; 3]);

impl Arena {
    pub fn vector(&self, components: [Expr; 3]) -> Vector<'_> {
        Vector(components.map(|component| self.term(component)))
    }

    pub fn zero_vector(&self) -> Vector<'_> {
        self.vector([self.zero(); 3])
    }

    pub fn diagonal(&self, entries: [Expr; 3]) -> Matrix<'_> {
        let entry = |i: usize, j: usize| self.term(if i == j { entries[i] } else { self.zero() });
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    pub fn identity(&self) -> Matrix<'_> {
        self.diagonal([self.one(); 3])
    }
}

impl<'a> Vector<'a> {
    /// One sum of three products; as two nested sums, what its terms have in common would not be seen.
    pub fn dot(self, other: Vector<'a>) -> Term<'a> {
        let arena = self.0[0].arena;
        let products = self.0.iter().zip(other.0).map(|(&one, other)| (Number::ONE, (one * other).expr));
        arena.term(arena.sum(products))
    }

    pub fn cross(self, other: Vector<'a>) -> Vector<'a> {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// Component by component.
    pub fn hadamard(self, other: Vector<'a>) -> Vector<'a> {
        Vector(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }

    pub fn norm(self) -> Term<'a> {
        self.dot(self).sqrt()
    }

    pub fn exprs(self) -> [Expr; 3] {
        self.0.map(|component| component.expr)
    }

    pub fn is_zero(self) -> bool {
        self.0.iter().all(|component| component.is_zero())
    }
}

impl<'a> Add for Vector<'a> {
    type Output = Vector<'a>;
    fn add(self, other: Vector<'a>) -> Vector<'a> {
        Vector(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<'a> Sub for Vector<'a> {
    type Output = Vector<'a>;
    fn sub(self, other: Vector<'a>) -> Vector<'a> {
        Vector(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<'a> Neg for Vector<'a> {
    type Output = Vector<'a>;
    fn neg(self) -> Vector<'a> {
        Vector(self.0.map(|component| -component))
    }
}

impl<'a> Mul<Vector<'a>> for Term<'a> {
    type Output = Vector<'a>;
    fn mul(self, vector: Vector<'a>) -> Vector<'a> {
        Vector(vector.0.map(|component| self * component))
    }
}

impl<'a> Matrix<'a> {
    pub fn transpose(self) -> Matrix<'a> {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| self.0[j][i])))
    }

    pub fn row(self, i: usize) -> Vector<'a> {
        Vector(self.0[i])
    }

    pub fn column(self, j: usize) -> Vector<'a> {
        Vector(std::array::from_fn(|i| self.0[i][j]))
    }

    pub fn from_columns(columns: [Vector<'a>; 3]) -> Matrix<'a> {
        Matrix(columns.map(|column| column.0)).transpose()
    }
}

impl<'a> Mul<Vector<'a>> for Matrix<'a> {
    type Output = Vector<'a>;
    fn mul(self, vector: Vector<'a>) -> Vector<'a> {
        Vector(std::array::from_fn(|i| self.row(i).dot(vector)))
    }
}

impl<'a> Mul for Matrix<'a> {
    type Output = Matrix<'a>;
    fn mul(self, other: Matrix<'a>) -> Matrix<'a> {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| self.row(i).dot(other.column(j)))))
    }
}
