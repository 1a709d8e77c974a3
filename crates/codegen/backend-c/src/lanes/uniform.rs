//! What is the same in all lanes: numbers of loops, and what follows from them. It is computed once, and elements at such places are vectors.

use std::collections::HashMap;

use kernel::{ArrayId, Block, Declarations, Expression, FunctionId, LocalId, Module, Shape, Statement, Usage};

pub struct Uniform {
    /// Of functions that are not reached nothing is known.
    functions: HashMap<FunctionId, Vec<bool>>,
    tables: Vec<bool>,
    access: Vec<Access>,
}

/// How lanes use an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    None,
    /// Only at places that may differ from lane to lane.
    Scattered,
    /// At some places together.
    Together,
}

impl Uniform {
    /// Parameters are taken to be uniform until a call gives one that is not; those of the entry point are not.
    pub fn of(module: &Module, usage: &Usage, functions: &[FunctionId], entry: FunctionId) -> Uniform {
        let tables = module.array_ids().map(|id| usage.shape(id) == Shape::Constant).collect();
        let mut uniform =
            Uniform { functions: HashMap::new(), tables, access: vec![Access::None; module.arrays.len()] };
        for &id in functions {
            let function = module.function(id);
            let mut locals = vec![false; function.locals.len()];
            locals[..function.parameter_count].fill(id != entry);
            uniform.functions.insert(id, locals);
        }
        let declarations: Vec<Declarations> =
            functions.iter().map(|&id| Declarations::of(module.function(id))).collect();
        while functions.iter().zip(&declarations).fold(false, |changed, (&id, declarations)| {
            let mut locals = uniform.functions[&id].clone();
            for parameter in module.function(id).parameters() {
                locals[parameter.index as usize] &= !declarations.changes(parameter);
            }
            let mut demoted = Vec::new();
            uniform.block(&module.function(id).body, declarations, &mut locals, &mut demoted);
            uniform.functions.insert(id, locals);
            demoted
                .into_iter()
                .fold(changed, |changed, (callee, parameter)| uniform.demote(callee, parameter) || changed)
        }) {}
        for &id in functions {
            uniform.uses(id, &module.function(id).body);
        }
        uniform
    }

    pub fn access(&self, array: ArrayId) -> Access {
        self.access[array.index as usize]
    }

    pub fn local(&self, function: FunctionId, local: LocalId) -> bool {
        self.functions[&function][local.index as usize]
    }

    pub fn expression(&self, function: FunctionId, expression: &Expression) -> bool {
        self.is_uniform(expression, &self.functions[&function])
    }

    fn demote(&mut self, function: FunctionId, parameter: usize) -> bool {
        self.functions.get_mut(&function).is_some_and(|locals| std::mem::replace(&mut locals[parameter], false))
    }

    fn is_uniform(&self, expression: &Expression, locals: &[bool]) -> bool {
        match expression {
            Expression::Constant(_) => true,
            Expression::Local(local) => locals[local.index as usize],
            Expression::Load { array, index } => self.tables[array.index as usize] && self.is_uniform(index, locals),
            Expression::Apply { operands, .. } => operands.iter().all(|operand| self.is_uniform(operand, locals)),
        }
    }

    /// A variable that gets one value, in the block where it is used, has that for all lanes that are there. Others may be left behind by
    /// lanes that went another way.
    fn block(
        &self,
        block: &Block,
        declarations: &Declarations,
        locals: &mut [bool],
        demoted: &mut Vec<(FunctionId, usize)>,
    ) {
        for statement in block {
            match statement {
                Statement::Assign(local, value) => {
                    let constant = declarations.declares(statement, *local) && !declarations.changes(*local);
                    locals[local.index as usize] = constant && self.is_uniform(value, locals);
                }
                Statement::For { variable, from, to, .. } => {
                    locals[variable.index as usize] = self.is_uniform(from, locals) && self.is_uniform(to, locals);
                }
                Statement::Call { function, arguments, .. } => {
                    let varying = arguments.iter().enumerate().filter(|(_, it)| !self.is_uniform(it, locals));
                    demoted.extend(varying.map(|(at, _)| (*function, at)));
                }
                _ => {}
            }
            statement.blocks().for_each(|inner| self.block(inner, declarations, locals, demoted));
        }
    }

    fn uses(&mut self, function: FunctionId, block: &Block) {
        for statement in block {
            if let Statement::Store { array, index, .. } = statement {
                self.use_at(function, *array, index);
            }
            statement.expressions().for_each(|expression| self.reads(function, expression));
            statement.blocks().for_each(|inner| self.uses(function, inner));
        }
    }

    fn reads(&mut self, function: FunctionId, expression: &Expression) {
        if let Expression::Load { array, index } = expression {
            self.use_at(function, *array, index);
        }
        expression.children().iter().for_each(|child| self.reads(function, child));
    }

    fn use_at(&mut self, function: FunctionId, array: ArrayId, index: &Expression) {
        let together = self.expression(function, index);
        let access = &mut self.access[array.index as usize];
        if together {
            *access = Access::Together;
        } else if *access == Access::None {
            *access = Access::Scattered;
        }
    }
}
