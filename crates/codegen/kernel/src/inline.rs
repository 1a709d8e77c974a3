//! Inlining: calls of small functions are replaced by their bodies, which saves the call and lets a back end see both
//! sides at once.

use crate::builder::Names;
use crate::rename::{move_expression, move_statement};
use crate::{Block, Expression, Function, FunctionId, Local, LocalId, Module, Statement};

/// Functions in which calls of functions that are no larger than the limit (see [`Function::size`]), and that return only at their very end, are
/// replaced, as long as the caller does not become larger than `room`. Each is made when it is first asked for.
///
/// Needs: verified. Gives: no calls of such functions. Keeps: every result and every cell, bit for bit; the ids of functions; the verifier's
/// approval.
pub struct Inlining {
    limit: usize,
    room: usize,
    made: Vec<Option<Function>>,
}

impl Inlining {
    pub fn new(limit: usize, room: usize) -> Inlining {
        Inlining { limit, room, made: Vec::new() }
    }

    /// Whether calls of this function may be replaced.
    pub fn is_small(&self, function: &Function) -> bool {
        function.size() <= self.limit && returns_only_at_the_end(function)
    }

    /// A function of the module, which is the same one in all calls.
    pub fn function(&mut self, module: &Module, id: FunctionId) -> &Function {
        self.made.resize(module.functions.len(), None);
        self.make(module, id);
        self.made[id.0 as usize].as_ref().expect("made just now")
    }

    fn make(&mut self, module: &Module, id: FunctionId) {
        if self.made[id.0 as usize].is_some() {
            return;
        }
        let mut caller = module.function(id).clone();
        // So that what is inlined is already free of small calls itself.
        for callee in caller.callees() {
            if self.is_small(module.function(callee)) {
                self.make(module, callee);
            }
        }
        let mut names = Names::default();
        caller.locals.iter().for_each(|local| drop(names.claim(&local.name)));
        let room = self.room.saturating_sub(caller.size());
        let body = std::mem::take(&mut caller.body);
        let mut inliner = Inliner { inlining: self, room, locals: caller.locals, names };
        caller.body = inliner.block(body);
        caller.locals = inliner.locals;
        self.made[id.0 as usize] = Some(caller);
    }
}

/// Rewrites the body of one caller.
struct Inliner<'m> {
    inlining: &'m Inlining,
    /// By how much the caller may still grow.
    room: usize,
    locals: Vec<Local>,
    names: Names,
}

impl<'m> Inliner<'m> {
    fn block(&mut self, block: Block) -> Block {
        let mut rewritten = Block::new();
        for mut statement in block {
            statement.blocks_mut().for_each(|inner| *inner = self.block(std::mem::take(inner)));
            match statement {
                Statement::Call { function, arguments, results } => match self.fitting(function) {
                    Some(callee) => {
                        self.room -= callee.size();
                        self.expand(callee, arguments, &results, &mut rewritten);
                    }
                    None => rewritten.push(Statement::Call { function, arguments, results }),
                },
                other => rewritten.push(other),
            }
        }
        rewritten
    }

    /// The callee, if it may be copied: what is not small was not made, or has grown.
    fn fitting(&self, function: FunctionId) -> Option<&'m Function> {
        let callee = self.inlining.made[function.0 as usize].as_ref()?;
        (callee.size() <= self.room && self.inlining.is_small(callee)).then_some(callee)
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
