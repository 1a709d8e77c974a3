//! A compiled module, ready to run and to be looked at.

use crate::code::Code;
use crate::compile::Error;
use kernel::{FunctionId, Machine, Memory, Signature, Trap, Value};

/// Machine code for the functions of a module, made when they are called. Threads can share it, each with a memory of its own.
pub struct Compiled {
    pub(crate) code: Code,
}

/// What is known about the code of one function.
#[derive(Clone, Debug)]
pub struct Listing {
    pub name: String,
    /// Bytes of machine code.
    pub size: usize,
    /// Cranelift's intermediate text, if it was asked for.
    pub intermediate: Option<String>,
    /// The machine instructions, if they were asked for.
    pub instructions: Option<String>,
}

impl Compiled {
    /// What is known about each function, in the order of the module; all of them are compiled for it.
    pub fn listings(&self) -> Result<Vec<Listing>, Error> {
        self.code.demand().listings()
    }
}

/// Calls with no more arguments and results than this do not allocate.
const FEW: usize = 16;

impl Machine for Compiled {
    fn signature(&self, function: FunctionId) -> &Signature {
        self.code.demand().signature(function)
    }

    fn cells(&self) -> usize {
        self.code.demand().cells()
    }

    fn call_into(
        &self,
        function: FunctionId,
        arguments: &[Value],
        memory: &mut Memory,
        results: &mut [Value],
    ) -> Result<(), Trap> {
        self.check_call(function, arguments, memory, results)?;
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let needed = arguments.len() + results.len();
        let cells = match few.get_mut(..needed) {
            Some(cells) => cells,
            None => {
                many.resize(needed, 0);
                &mut many[..]
            }
        };
        let (argument_cells, result_cells) = cells.split_at_mut(arguments.len());
        for (cell, argument) in argument_cells.iter_mut().zip(arguments) {
            *cell = argument.cell();
        }
        self.code.run(function, memory.cells_mut(), argument_cells, result_cells);
        let kinds = &self.signature(function).results;
        for ((result, &cell), &kind) in results.iter_mut().zip(&*result_cells).zip(kinds) {
            *result = Value::from_cell(cell, kind);
        }
        Ok(())
    }
}
