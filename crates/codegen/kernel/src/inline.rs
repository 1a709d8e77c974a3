//! Inlining: calls of small functions are replaced by their bodies, which saves the call and lets a back end see both
//! sides at once.

use crate::builder::Names;
use crate::rename::{move_expression, move_statement};
use crate::{Block, Expression, Function, FunctionId, Local, LocalId, Module, Statement};

/// Replaces calls of functions that are no larger than the limit (see [`Function::size`]) and that return only at
/// their very end, as long as the caller does not become larger than `room`.
///
/// Needs: verified. Gives: no calls of such functions. Keeps: every result and every cell, bit for bit; the functions
/// themselves and their ids; the verifier's approval.
pub fn inline_small(module: &mut Module, limit: usize, room: usize) {
    // So that what is inlined is already free of small calls itself.
    for function in module.callees_first() {
        let mut caller = module.function(function).clone();
        let mut names = Names::default();
        caller.locals.iter().for_each(|local| drop(names.claim(&local.name)));
        let body = std::mem::take(&mut caller.body);
        let room = room.saturating_sub(body.iter().map(Statement::size).sum());
        let mut inliner = Inliner { module, limit, room, locals: caller.locals, names };
        caller.body = inliner.block(body);
        caller.locals = inliner.locals;
        module.functions[function.0 as usize] = caller;
    }
}

/// Rewrites the body of one caller.
struct Inliner<'m> {
    module: &'m Module,
    limit: usize,
    /// By how much the caller may still grow.
    room: usize,
    locals: Vec<Local>,
    names: Names,
}

impl Inliner<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut rewritten = Block::new();
        for mut statement in block {
            statement.blocks_mut().for_each(|inner| *inner = self.block(std::mem::take(inner)));
            match statement {
                Statement::Call { function, arguments, results } if self.fits(function) => {
                    self.room -= self.module.function(function).size();
                    self.expand(self.module.function(function), arguments, &results, &mut rewritten);
                }
                other => rewritten.push(other),
            }
        }
        rewritten
    }

    fn fits(&self, function: FunctionId) -> bool {
        let callee = self.module.function(function);
        callee.size() <= self.limit.min(self.room) && returns_only_at_the_end(callee)
    }

    /// Writes the callee's body with locals of its own. They are new, so no assignment disturbs another.
    fn expand(&mut self, callee: &Function, arguments: Vec<Expression>, results: &[LocalId], into: &mut Block) {
        let first = self.locals.len() as u32;
        for local in &callee.locals {
            let name = self.names.claim(&format!("{}_{}", callee.name, local.name));
            self.locals.push(Local { name, kind: local.kind });
        }
        let moved = |local: LocalId| LocalId { index: local.index + first, ..local };
        into.extend(callee.parameters().map(moved).zip(arguments).map(|(to, value)| Statement::Assign(to, value)));
        for statement in &callee.body {
            match statement {
                Statement::Return(values) => {
                    let values = values.iter().map(|value| move_expression(value, &moved));
                    into.extend(results.iter().zip(values).map(|(&to, value)| Statement::Assign(to, value)));
                }
                other => into.push(move_statement(other, &moved)),
            }
        }
    }
}

fn returns_only_at_the_end(function: &Function) -> bool {
    fn returns(block: &[Statement]) -> bool {
        let returns = |statement: &Statement| {
            matches!(statement, Statement::Return(_)) || statement.blocks().any(|inner| returns(inner))
        };
        block.iter().any(returns)
    }
    match function.body.split_last() {
        None => true,
        Some((Statement::Return(_), before)) => !returns(before),
        Some(_) => !returns(&function.body),
    }
}
