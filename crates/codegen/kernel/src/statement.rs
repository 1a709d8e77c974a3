//! Statements: what a function does, one thing after the other.

use crate::{ArrayId, Expression, FunctionId, LocalId};

pub type Block = Vec<Statement>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Assign(LocalId, Expression),
    Store {
        array: ArrayId,
        index: Expression,
        value: Expression,
    },
    If {
        condition: Expression,
        then: Block,
        otherwise: Block,
    },
    /// Does the block whose place the index is, or `otherwise` if there is none of that place. No `break` leads out of it.
    Switch {
        index: Expression,
        cases: Vec<Block>,
        otherwise: Block,
    },
    While {
        condition: Expression,
        body: Block,
    },
    /// Counts from `from` up to but without `to`, both evaluated once. Only the loop itself changes the variable, and
    /// it has no value after the loop.
    For {
        variable: LocalId,
        from: Expression,
        to: Expression,
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    Call {
        function: FunctionId,
        arguments: Vec<Expression>,
        results: Vec<LocalId>,
    },
    /// The value of a function that no kernel has (see [`crate::foreign`]); arguments are real, and the first says which.
    Foreign {
        arguments: Vec<Expression>,
        result: LocalId,
    },
    Return(Vec<Expression>),
    /// One line of comment, kept in every output.
    Note(String),
}

impl Statement {
    /// The blocks inside the statement.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (many, single): (&[Block], [Option<&Block>; 2]) = match self {
            Statement::If { then, otherwise, .. } => (&[], [Some(then), Some(otherwise)]),
            Statement::Switch { cases, otherwise, .. } => (cases, [Some(otherwise), None]),
            Statement::While { body, .. } | Statement::For { body, .. } => (&[], [Some(body), None]),
            _ => (&[], [None, None]),
        };
        many.iter().chain(single.into_iter().flatten())
    }

    /// The blocks inside the statement, to be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let (many, single): (&mut [Block], [Option<&mut Block>; 2]) = match self {
            Statement::If { then, otherwise, .. } => (&mut [], [Some(then), Some(otherwise)]),
            Statement::Switch { cases, otherwise, .. } => (cases, [Some(otherwise), None]),
            Statement::While { body, .. } | Statement::For { body, .. } => (&mut [], [Some(body), None]),
            _ => (&mut [], [None, None]),
        };
        many.iter_mut().chain(single.into_iter().flatten())
    }

    /// The number of statements and parts of expressions, with those in its blocks.
    pub fn size(&self) -> usize {
        let own: usize = self.expressions().map(Expression::size).sum();
        1 + own + self.blocks().flatten().map(Statement::size).sum::<usize>()
    }

    /// The expressions of the statement itself, without those in its blocks.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let (single, list): ([Option<&Expression>; 2], &[Expression]) = match self {
            Statement::Assign(_, value) => ([Some(value), None], &[]),
            Statement::Store { index, value, .. } => ([Some(index), Some(value)], &[]),
            Statement::If { condition, .. } | Statement::While { condition, .. } => ([Some(condition), None], &[]),
            Statement::Switch { index, .. } => ([Some(index), None], &[]),
            Statement::For { from, to, .. } => ([Some(from), Some(to)], &[]),
            Statement::Call { arguments, .. } | Statement::Foreign { arguments, .. } => ([None, None], arguments),
            Statement::Return(values) => ([None, None], values),
            Statement::Break | Statement::Note(_) => ([None, None], &[]),
        };
        single.into_iter().flatten().chain(list)
    }
}
