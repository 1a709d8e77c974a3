//! Expressions: trees without effects, each of which knows its own type.

use crate::{ArrayId, LocalId, Operator, Type, Value, fold};

/// Deeper expressions are a fault: everything that walks them does so on the stack. Long sums go into a variable.
pub const DEEPEST_EXPRESSION: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    Constant(Value),
    Local(LocalId),
    Load { array: ArrayId, index: Box<Expression> },
    Apply { operator: Operator, operands: Box<[Expression]> },
}

impl Expression {
    pub fn kind(&self) -> Type {
        match self {
            Expression::Constant(value) => value.kind(),
            Expression::Local(local) => local.kind,
            Expression::Load { array, .. } => array.element,
            Expression::Apply { operator, .. } => operator.row().result,
        }
    }

    /// The operator on these operands, with constants folded where that changes no bit.
    pub fn apply<const N: usize>(operator: Operator, operands: [Expression; N]) -> Expression {
        fold::fold(operator, Box::new(operands))
    }

    /// `None` unless this is an integer constant.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Expression::Constant(value) => value.as_integer(),
            _ => None,
        }
    }

    /// `None` unless this is a real constant.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Expression::Constant(value) => value.as_real(),
            _ => None,
        }
    }

    /// Whether it has more levels than the limit. Looks no deeper than that.
    pub fn is_deeper_than(&self, limit: usize) -> bool {
        limit == 0 || self.children().iter().any(|child| child.is_deeper_than(limit - 1))
    }

    /// The number of constants, locals, loads and operators in it.
    pub fn size(&self) -> usize {
        1 + self.children().iter().map(Expression::size).sum::<usize>()
    }

    /// The operands, or the index of a load.
    pub fn children(&self) -> &[Expression] {
        match self {
            Expression::Constant(_) | Expression::Local(_) => &[],
            Expression::Load { index, .. } => std::slice::from_ref(index),
            Expression::Apply { operands, .. } => operands,
        }
    }
}

/// The element of an array; short for a [`Load`](Expression::Load).
pub fn load(array: ArrayId, index: impl Into<Expression>) -> Expression {
    Expression::Load { array, index: Box::new(index.into()) }
}

impl From<Value> for Expression {
    fn from(value: Value) -> Expression {
        Expression::Constant(value)
    }
}

impl From<f64> for Expression {
    fn from(value: f64) -> Expression {
        Expression::Constant(Value::Real(value))
    }
}

impl From<i64> for Expression {
    fn from(value: i64) -> Expression {
        Expression::Constant(Value::Integer(value))
    }
}

impl From<i32> for Expression {
    fn from(value: i32) -> Expression {
        Expression::from(i64::from(value))
    }
}

impl From<usize> for Expression {
    fn from(value: usize) -> Expression {
        Expression::from(value as i64)
    }
}

impl From<LocalId> for Expression {
    fn from(local: LocalId) -> Expression {
        Expression::Local(local)
    }
}

impl From<&Expression> for Expression {
    fn from(expression: &Expression) -> Expression {
        expression.clone()
    }
}
