//! Removing assignments that nobody reads.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::{Block, Expression, Function, LocalId, Statement};

/// Removes assignments to variables that are never read, or only to change themselves.
///
/// Needs: verified. Gives: no such assignment. Keeps: every result and every cell, for expressions have no effects; the
/// verifier's approval.
pub fn remove_unused(functions: &mut [Arc<Function>]) {
    for function in functions.iter_mut().map(Arc::make_mut) {
        loop {
            let read = read_locals(function);
            if !remove(&mut function.body, &read) {
                break;
            }
        }
    }
}

/// The variables that some expression reads, but for those that are added up and then left.
fn read_locals(function: &Function) -> FxHashSet<LocalId> {
    let mut read = FxHashSet::default();
    collect(&function.body, &mut read);
    read
}

fn collect(block: &Block, read: &mut FxHashSet<LocalId>) {
    for statement in block {
        match statement {
            Statement::Assign(local, value) => {
                let mut own = FxHashSet::default();
                collect_locals(value, &mut own);
                own.remove(local);
                read.extend(own);
            }
            _ => statement.expressions().for_each(|expression| collect_locals(expression, read)),
        }
        statement.blocks().for_each(|inner| collect(inner, read));
    }
}

/// The variables that an expression reads.
pub fn collect_locals(expression: &Expression, read: &mut FxHashSet<LocalId>) {
    if let Expression::Local(local) = expression {
        read.insert(*local);
    }
    expression.children().iter().for_each(|child| collect_locals(child, read));
}

fn remove(block: &mut Block, read: &FxHashSet<LocalId>) -> bool {
    let before = block.len();
    let is_unread = |statement: &Statement| matches!(statement, Statement::Assign(local, _) | Statement::Foreign { result: local, .. } if !read.contains(local));
    block.retain(|statement| !is_unread(statement));
    let here = block.len() < before;
    let inside = block.iter_mut().flat_map(Statement::blocks_mut).any(|inner| remove(inner, read));
    here || inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Machine, Module, Value, generate, verify};

    #[test]
    fn nothing_else_changes() {
        let mut shorter = 0;
        for seed in 0..300 {
            let whole = generate::generate(seed);
            let mut rest = whole.clone();
            remove_unused(&mut rest.functions);
            assert_eq!(verify(&rest), Ok(()), "seed {seed}");
            shorter += usize::from(rest != whole);
            for id in whole.function_ids() {
                let arguments: Vec<Value> =
                    whole.function(id).signature().parameters.iter().map(|&kind| Value::zero(kind)).collect();
                let run = |module: &Module| {
                    let mut memory = module.initial_memory();
                    let result = Interpreter::new(module).step_budget(200_000).call(id, &arguments, &mut memory);
                    (result, memory)
                };
                let (expected, found) = (run(&whole), run(&rest));
                if expected.0.is_ok() {
                    assert_eq!(expected, found, "seed {seed}");
                }
            }
        }
        assert!(shorter > 50, "only {shorter} programs had anything to remove");
    }
}
