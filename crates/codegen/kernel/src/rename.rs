//! Statements and expressions with other locals, for code that moves from one function to another.

use crate::{Block, Expression, LocalId, Statement, load};

pub(crate) fn move_statement(statement: &Statement, moved: &impl Fn(LocalId) -> LocalId) -> Statement {
    let expression = |it: &Expression| move_expression(it, moved);
    let block = |it: &Block| it.iter().map(|statement| move_statement(statement, moved)).collect();
    match statement {
        Statement::Assign(local, value) => Statement::Assign(moved(*local), expression(value)),
        Statement::Store { array, index, value } => {
            Statement::Store { array: *array, index: expression(index), value: expression(value) }
        }
        Statement::If { condition, then, otherwise } => {
            Statement::If { condition: expression(condition), then: block(then), otherwise: block(otherwise) }
        }
        Statement::Switch { index, cases, otherwise } => Statement::Switch {
            index: expression(index),
            cases: cases.iter().map(block).collect(),
            otherwise: block(otherwise),
        },
        Statement::While { condition, body } => {
            Statement::While { condition: expression(condition), body: block(body) }
        }
        Statement::For { variable, from, to, body } => {
            Statement::For { variable: moved(*variable), from: expression(from), to: expression(to), body: block(body) }
        }
        Statement::Break => Statement::Break,
        Statement::Call { function, arguments, results } => Statement::Call {
            function: *function,
            arguments: arguments.iter().map(expression).collect(),
            results: results.iter().map(|&result| moved(result)).collect(),
        },
        Statement::Foreign { arguments, result } => {
            Statement::Foreign { arguments: arguments.iter().map(expression).collect(), result: moved(*result) }
        }
        Statement::Return(values) => Statement::Return(values.iter().map(expression).collect()),
        Statement::Note(note) => Statement::Note(note.clone()),
    }
}

pub(crate) fn move_expression(expression: &Expression, moved: &impl Fn(LocalId) -> LocalId) -> Expression {
    match expression {
        Expression::Constant(value) => Expression::Constant(*value),
        Expression::Local(local) => Expression::Local(moved(*local)),
        Expression::Load { array, index } => load(*array, move_expression(index, moved)),
        Expression::Apply { operator, operands } => Expression::Apply {
            operator: *operator,
            operands: operands.iter().map(|operand| move_expression(operand, moved)).collect(),
        },
    }
}
