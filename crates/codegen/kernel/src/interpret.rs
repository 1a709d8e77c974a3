//! The interpreter: slow, short and obvious. What it does is what the kernel language means.

use crate::{
    ArrayId, Block, Expression, Function, FunctionId, Layout, LocalId, MOST_OPERANDS, Machine, Memory, Module,
    Signature, Statement, Trap, Value,
};
use std::borrow::Cow;

/// Runs a module that [`verify`](crate::verify) accepts.
pub struct Interpreter<'m> {
    module: Cow<'m, Module>,
    layout: Layout,
    signatures: Vec<Signature>,
    budget: u64,
}

impl<'m> Interpreter<'m> {
    pub fn new(module: &'m Module) -> Interpreter<'m> {
        Interpreter::with(Cow::Borrowed(module))
    }

    /// An interpreter that keeps the module, for where a borrow is in the way.
    pub fn owning(module: Module) -> Interpreter<'static> {
        Interpreter::with(Cow::Owned(module))
    }

    /// Ends every call with [`Trap::OutOfSteps`] after so many statements and rounds of loops.
    pub fn step_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    fn with(module: Cow<'m, Module>) -> Interpreter<'m> {
        let layout = module.layout();
        let signatures = module.functions.iter().map(|function| function.signature()).collect();
        Interpreter { module, layout, signatures, budget: u64::MAX }
    }
}

impl Machine for Interpreter<'_> {
    fn signature(&self, function: FunctionId) -> &Signature {
        &self.signatures[function.0 as usize]
    }

    fn cells(&self) -> usize {
        self.layout.cells()
    }

    fn call_into(
        &self,
        function: FunctionId,
        arguments: &[Value],
        memory: &mut Memory,
        results: &mut [Value],
    ) -> Result<(), Trap> {
        self.check_call(function, arguments, memory, results)?;
        let arguments = arguments.iter().map(|argument| argument.cell()).collect();
        let mut run = Run { module: &self.module, layout: &self.layout, memory, steps: self.budget };
        let cells = run.call(function, arguments)?;
        for ((result, cell), &kind) in results.iter_mut().zip(cells).zip(&self.signature(function).results) {
            *result = Value::from_cell(cell, kind);
        }
        Ok(())
    }
}

/// One call from outside, with everything that it may touch.
struct Run<'r> {
    module: &'r Module,
    layout: &'r Layout,
    memory: &'r mut Memory,
    steps: u64,
}

/// A function in progress: the cells of its locals.
struct Frame<'r> {
    function: &'r Function,
    locals: Vec<u64>,
}

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Return(Vec<u64>),
}

impl Run<'_> {
    fn call(&mut self, id: FunctionId, arguments: Vec<u64>) -> Result<Vec<u64>, Trap> {
        let module = self.module;
        let function = module.function(id);
        let mut locals = arguments;
        locals.resize(function.locals.len(), 0);
        match self.block(&function.body, &mut Frame { function, locals })? {
            Flow::Return(results) => Ok(results),
            Flow::Next | Flow::Break => Ok(Vec::new()),
        }
    }

    fn block(&mut self, block: &Block, frame: &mut Frame) -> Result<Flow, Trap> {
        for statement in block {
            self.step()?;
            match self.statement(statement, frame)? {
                Flow::Next => (),
                end => return Ok(end),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Result<Flow, Trap> {
        match statement {
            Statement::Assign(local, value) => {
                let value = self.evaluate(value, frame)?;
                frame.set(*local, value);
            }
            Statement::Store { array, index, value } => {
                let value = self.evaluate(value, frame)?;
                let cell = self.cell(*array, index, frame)?;
                self.memory.cells_mut()[cell] = value;
            }
            Statement::If { condition, then, otherwise } => {
                let chosen = if self.evaluate(condition, frame)? != 0 { then } else { otherwise };
                return self.block(chosen, frame);
            }
            Statement::Switch { index, cases, otherwise } => {
                let index = self.evaluate(index, frame)? as i64;
                let chosen = usize::try_from(index).ok().and_then(|index| cases.get(index));
                return self.block(chosen.unwrap_or(otherwise), frame);
            }
            Statement::While { condition, body } => return self.repeat_while(condition, body, frame),
            Statement::For { variable, from, to, body } => {
                let from = self.evaluate(from, frame)? as i64;
                let to = self.evaluate(to, frame)? as i64;
                return self.count(*variable, from..to, body, frame);
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Call { function, arguments, results } => {
                let arguments = self.evaluate_all(arguments, frame)?;
                for (result, value) in results.iter().zip(self.call(*function, arguments)?) {
                    frame.set(*result, value);
                }
            }
            Statement::Foreign { arguments, result } => {
                let arguments = self.evaluate_all(arguments, frame)?;
                let arguments: Vec<f64> = arguments.into_iter().map(f64::from_bits).collect();
                frame.set(*result, crate::foreign::call(&arguments).to_bits());
            }
            Statement::Return(results) => return Ok(Flow::Return(self.evaluate_all(results, frame)?)),
            Statement::Note(_) => (),
        }
        Ok(Flow::Next)
    }

    fn repeat_while(&mut self, condition: &Expression, body: &Block, frame: &mut Frame) -> Result<Flow, Trap> {
        while self.evaluate(condition, frame)? != 0 {
            self.step()?;
            match self.block(body, frame)? {
                Flow::Next => (),
                Flow::Break => break,
                end => return Ok(end),
            }
        }
        Ok(Flow::Next)
    }

    fn count(
        &mut self,
        variable: LocalId,
        range: std::ops::Range<i64>,
        body: &Block,
        frame: &mut Frame,
    ) -> Result<Flow, Trap> {
        for value in range {
            self.step()?;
            frame.set(variable, value as u64);
            match self.block(body, frame)? {
                Flow::Next => (),
                Flow::Break => break,
                end => return Ok(end),
            }
        }
        Ok(Flow::Next)
    }

    fn evaluate(&self, expression: &Expression, frame: &Frame) -> Result<u64, Trap> {
        match expression {
            Expression::Constant(value) => Ok(value.cell()),
            Expression::Local(local) => Ok(frame.locals[local.index as usize]),
            Expression::Load { array, index } => Ok(self.memory.cells()[self.cell(*array, index, frame)?]),
            Expression::Apply { operator, operands } => {
                let mut cells = [0; MOST_OPERANDS];
                for (cell, operand) in cells.iter_mut().zip(operands) {
                    *cell = self.evaluate(operand, frame)?;
                }
                Ok((operator.row().evaluate)(&cells))
            }
        }
    }

    fn evaluate_all(&self, expressions: &[Expression], frame: &Frame) -> Result<Vec<u64>, Trap> {
        expressions.iter().map(|expression| self.evaluate(expression, frame)).collect()
    }

    /// The place of an element in memory.
    fn cell(&self, array: ArrayId, index: &Expression, frame: &Frame) -> Result<usize, Trap> {
        let index = self.evaluate(index, frame)? as i64;
        let declared = self.module.array(array);
        match usize::try_from(index) {
            Ok(index) if index < declared.length => Ok(self.layout.offset(array) + index),
            _ => Err(Trap::OutOfRange {
                function: frame.function.name.clone(),
                array: declared.name.clone(),
                index,
                length: declared.length,
            }),
        }
    }

    fn step(&mut self) -> Result<(), Trap> {
        self.steps = self.steps.checked_sub(1).ok_or(Trap::OutOfSteps)?;
        Ok(())
    }
}

impl Frame<'_> {
    fn set(&mut self, local: LocalId, cell: u64) {
        self.locals[local.index as usize] = cell;
    }
}
