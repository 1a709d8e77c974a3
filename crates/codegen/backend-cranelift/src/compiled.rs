//! A compiled module, ready to run and to be looked at.

use crate::code::Code;
use cranelift_module::FuncId;
use kernel::{FunctionId, Machine, Memory, Module, Signature, Trap, Value};

/// Machine code for every function of a module. Threads can share it, each with a memory of its own.
pub struct Compiled {
    pub(crate) code: Code,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) listings: Vec<Listing>,
    /// What was compiled, for modules that grow out of it: see [`extend`](crate::extend).
    pub(crate) module: Module,
    pub(crate) ids: Vec<FuncId>,
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
    /// Bytes of machine code of all functions.
    pub fn code_size(&self) -> usize {
        self.listings.iter().map(|listing| listing.size).sum()
    }

    /// What is known about each function, in the order of the module.
    pub fn listings(&self) -> &[Listing] {
        &self.listings
    }

    /// The machine instructions of all functions; `None` unless [`keep_text`](crate::Options::keep_text) was set.
    pub fn disassembly(&self) -> Option<String> {
        let mut text = String::new();
        for Listing { name, size, instructions, .. } in &self.listings {
            text += &format!("{name}: {size} bytes\n{}\n", instructions.as_ref()?);
        }
        Some(text)
    }
}

/// Calls with no more arguments and results than this do not allocate.
const FEW: usize = 16;

impl Machine for Compiled {
    fn signature(&self, function: FunctionId) -> &Signature {
        &self.signatures[function.0 as usize]
    }

    fn cells(&self) -> usize {
        self.code.cells()
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
        let kinds = &self.signatures[function.0 as usize].results;
        for ((result, &cell), &kind) in results.iter_mut().zip(&*result_cells).zip(kinds) {
            *result = Value::from_cell(cell, kind);
        }
        Ok(())
    }
}
