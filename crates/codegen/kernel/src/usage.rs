//! How a module uses its arrays and functions, for back ends that give each the simplest form.

use crate::{ArrayId, Block, Expression, FunctionId, Module, Statement, protocol};

/// The shapes that an array can take in a language with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing is in it, and nobody speaks of it.
    Absent,
    /// Never changed: a table beside the code.
    Constant,
    /// One element, which is always spoken of as such.
    Scalar,
    /// Elements with names, which are always spoken of one by one.
    Record,
    /// Elements with names, some of which are spoken of by a computed index.
    IndexedRecord,
    /// Elements without names.
    Sequence,
}

pub struct Usage {
    arrays: Vec<ArrayUsage>,
    /// Whether a function, or one that it calls, uses an array that is not constant.
    stateful: Vec<bool>,
    /// Whether a function is called by others, and not by the world outside.
    called: Vec<bool>,
    shapes: Vec<Shape>,
}

#[derive(Clone, Copy, Default)]
struct ArrayUsage {
    spoken_of: bool,
    by_computed_index: bool,
    stored: bool,
}

impl Usage {
    pub fn of(module: &Module) -> Usage {
        let mut usage = Usage {
            arrays: vec![ArrayUsage::default(); module.arrays.len()],
            stateful: vec![false; module.functions.len()],
            called: vec![false; module.functions.len()],
            shapes: Vec::new(),
        };
        module.functions.iter().for_each(|function| usage.block(&function.body));
        for (function, called) in module.functions.iter().zip(&mut usage.called) {
            *called &= !protocol::ENTRY_POINTS.iter().any(|(name, _)| function.name == *name);
        }
        usage.shapes = module.array_ids().map(|id| usage.choose(module, id)).collect();
        let own: Vec<bool> = module.functions.iter().map(|function| usage.touches(&function.body)).collect();
        usage.stateful = own;
        module.callees_first().into_iter().for_each(|id| usage.inherit(module, id));
        usage
    }

    pub fn shape(&self, array: ArrayId) -> Shape {
        self.shapes[array.index as usize]
    }

    /// Whether a function needs the memory.
    pub fn is_stateful(&self, function: FunctionId) -> bool {
        self.stateful[function.0 as usize]
    }

    /// Whether it is there for the world outside: no other function calls it, or the protocol names it.
    pub fn is_entry(&self, function: FunctionId) -> bool {
        !self.called[function.0 as usize]
    }

    fn choose(&self, module: &Module, id: ArrayId) -> Shape {
        let array = module.array(id);
        let ArrayUsage { spoken_of, by_computed_index, stored } = self.arrays[id.index as usize];
        let named = !array.slots.is_empty();
        let set_from_outside = [protocol::PARAMETERS, protocol::CONTROLS].contains(&array.name.as_str());
        match array.length {
            length if !spoken_of && !named && (length == 0 || !set_from_outside) => Shape::Absent,
            _ if array.initial.is_some() && !stored && !named && !set_from_outside && array.length > 0 => {
                Shape::Constant
            }
            _ if named && by_computed_index => Shape::IndexedRecord,
            _ if named => Shape::Record,
            1 if !by_computed_index => Shape::Scalar,
            _ => Shape::Sequence,
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Store { array, index, .. } => {
                    self.element(*array, index);
                    self.arrays[array.index as usize].stored = true;
                }
                Statement::Call { function, .. } => self.called[function.0 as usize] = true,
                _ => {}
            }
            statement.expressions().for_each(|expression| self.expression(expression));
            statement.blocks().for_each(|inner| self.block(inner));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if let Expression::Load { array, index } = expression {
            self.element(*array, index);
        }
        expression.children().iter().for_each(|child| self.expression(child));
    }

    fn element(&mut self, array: ArrayId, index: &Expression) {
        let usage = &mut self.arrays[array.index as usize];
        usage.spoken_of = true;
        usage.by_computed_index |= index.as_integer().is_none();
    }

    fn touches(&self, block: &Block) -> bool {
        block.iter().any(|statement| {
            matches!(statement, Statement::Store { .. })
                || statement.expressions().any(|expression| self.reads(expression))
                || statement.blocks().any(|inner| self.touches(inner))
        })
    }

    fn reads(&self, expression: &Expression) -> bool {
        matches!(expression, Expression::Load { array, .. } if self.shape(*array) != Shape::Constant)
            || expression.children().iter().any(|child| self.reads(child))
    }

    fn inherit(&mut self, module: &Module, id: FunctionId) {
        let callees = module.function(id).callees();
        self.stateful[id.0 as usize] |= callees.into_iter().any(|callee| self.is_stateful(callee));
    }
}
