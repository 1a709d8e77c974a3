//! What runs a module: the interpreter, or a back end that compiles to code in memory.

use crate::{FunctionId, Memory, Signature, Type, Value};
use std::fmt;
use std::sync::Arc;

/// A machine that instances of a program share, each with its own memory, on any thread.
pub type SharedMachine = Arc<dyn Machine + Send + Sync>;

/// Runs the functions of one verified module on memory that the caller keeps.
pub trait Machine {
    /// The types of a function of the module.
    fn signature(&self, function: FunctionId) -> &Signature;

    /// The number of cells of the module's memory.
    fn cells(&self) -> usize;

    /// Runs a function and writes its results, without allocating where the machine can.
    fn call_into(
        &self,
        function: FunctionId,
        arguments: &[Value],
        memory: &mut Memory,
        results: &mut [Value],
    ) -> Result<(), Trap>;

    /// Runs a function and returns its results.
    fn call(&self, function: FunctionId, arguments: &[Value], memory: &mut Memory) -> Result<Vec<Value>, Trap> {
        let mut results: Vec<Value> = self.signature(function).results.iter().map(|&kind| Value::zero(kind)).collect();
        self.call_into(function, arguments, memory, &mut results)?;
        Ok(results)
    }

    /// Runs a function whose only result is an integer, such as a status.
    fn call_integer(&self, function: FunctionId, arguments: &[Value], memory: &mut Memory) -> Result<i64, Trap> {
        let mut results = [Value::Integer(0)];
        self.call_into(function, arguments, memory, &mut results)?;
        results[0].as_integer().ok_or(Trap::WrongTypes(function))
    }

    /// Runs a function whose only result is a real.
    fn call_real(&self, function: FunctionId, arguments: &[Value], memory: &mut Memory) -> Result<f64, Trap> {
        let mut results = [Value::Real(0.0)];
        self.call_into(function, arguments, memory, &mut results)?;
        results[0].as_real().ok_or(Trap::WrongTypes(function))
    }

    /// Whether a call has the arguments, results and memory that the function wants.
    fn check_call(
        &self,
        function: FunctionId,
        arguments: &[Value],
        memory: &Memory,
        results: &[Value],
    ) -> Result<(), Trap> {
        let signature = self.signature(function);
        let fits = arguments.len() == signature.parameters.len()
            && results.len() == signature.results.len()
            && arguments.iter().zip(&signature.parameters).all(|(argument, &kind): (_, &Type)| argument.kind() == kind);
        if !fits {
            return Err(Trap::WrongTypes(function));
        }
        let (needed, found) = (self.cells(), memory.cells().len());
        if needed != found { Err(Trap::WrongMemory { needed, found }) } else { Ok(()) }
    }
}

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// An index outside its array. Only the interpreter looks; compiled code would read or write a neighbouring cell.
    OutOfRange { function: String, array: String, index: i64, length: usize },
    /// The interpreter's step budget is used up.
    OutOfSteps,
    /// The caller's arguments or results are not those of the function.
    WrongTypes(FunctionId),
    /// The caller's memory belongs to another module.
    WrongMemory { needed: usize, found: usize },
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::OutOfRange { function, array, index, length } => {
                write!(f, "in `{function}`: index {index} of `{array}`, which has {length} elements")
            }
            Trap::OutOfSteps => write!(f, "the step budget is used up"),
            Trap::WrongTypes(function) => write!(f, "arguments or results do not fit function number {}", function.0),
            Trap::WrongMemory { needed, found } => write!(f, "the module has {needed} cells of memory, not {found}"),
        }
    }
}

impl std::error::Error for Trap {}

/// A function that is there for several memories at a time.
pub trait LanesOf: Send + Sync {
    /// How many memories have place side by side.
    fn width(&self) -> usize;

    /// Places for as many, all of them empty.
    fn lanes(self: Arc<Self>) -> Box<dyn Lanes>;
}

/// Memories side by side, on which one function is called together; each has what a call by itself would have made of it.
pub trait Lanes: Send {
    fn put(&mut self, lane: usize, memory: Memory);

    /// The memory of a lane, if there is one, as the calls so far left it.
    fn take(&mut self, lane: usize) -> Option<Memory>;

    /// A cell of the memory of a lane.
    fn cell(&mut self, lane: usize, cell: usize) -> u64;

    fn set_argument(&mut self, lane: usize, at: usize, value: Value);

    /// Calls the function for some of the lanes, given as bits.
    fn call(&mut self, lanes: u64);

    /// A result of the last call for a lane that took part in it.
    fn result(&mut self, lane: usize, at: usize) -> Value;
}
