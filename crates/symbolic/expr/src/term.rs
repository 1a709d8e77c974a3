//! An expression together with its arena, so that formulas read as in the book: `m * a - f`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Arena, Expr, Operator};

#[derive(Clone, Copy)]
pub struct Term<'a> {
    pub arena: &'a Arena,
    pub expr: Expr,
}

impl Arena {
    pub fn term(&self, expr: Expr) -> Term<'_> {
        Term { arena: self, expr }
    }

    pub fn constant(&self, value: f64) -> Term<'_> {
        self.term(self.number(value))
    }
}

impl<'a> Term<'a> {
    pub fn apply(self, operator: Operator) -> Term<'a> {
        self.arena.term(self.arena.apply(operator, &[self.expr]))
    }

    pub fn sin(self) -> Term<'a> {
        self.apply(Operator::Sin)
    }

    pub fn cos(self) -> Term<'a> {
        self.apply(Operator::Cos)
    }

    pub fn sqrt(self) -> Term<'a> {
        self.apply(Operator::Sqrt)
    }

    pub fn atan2(self, x: Term<'a>) -> Term<'a> {
        self.arena.term(self.arena.apply(Operator::Atan2, &[self.expr, x.expr]))
    }

    pub fn squared(self) -> Term<'a> {
        self.arena.term(self.arena.power(self.expr, 2))
    }

    pub fn is_zero(self) -> bool {
        self.arena.is_zero(self.expr)
    }
}

impl<'a> Add for Term<'a> {
    type Output = Term<'a>;
    fn add(self, other: Term<'a>) -> Term<'a> {
        self.arena.term(self.arena.add(self.expr, other.expr))
    }
}

impl<'a> Sub for Term<'a> {
    type Output = Term<'a>;
    fn sub(self, other: Term<'a>) -> Term<'a> {
        self.arena.term(self.arena.subtract(self.expr, other.expr))
    }
}

impl<'a> Mul for Term<'a> {
    type Output = Term<'a>;
    fn mul(self, other: Term<'a>) -> Term<'a> {
        self.arena.term(self.arena.multiply(self.expr, other.expr))
    }
}

impl<'a> Div for Term<'a> {
    type Output = Term<'a>;
    fn div(self, other: Term<'a>) -> Term<'a> {
        self.arena.term(self.arena.divide(self.expr, other.expr))
    }
}

impl<'a> Neg for Term<'a> {
    type Output = Term<'a>;
    fn neg(self) -> Term<'a> {
        self.arena.term(self.arena.negate(self.expr))
    }
}

impl<'a> Mul<Term<'a>> for f64 {
    type Output = Term<'a>;
    fn mul(self, other: Term<'a>) -> Term<'a> {
        other.arena.term(other.arena.scale(self, other.expr))
    }
}
