//! A function for several memories at a time.

use std::ops::Range;
use std::sync::Arc;

use kernel::{FunctionId, Lanes, LanesOf, Memory, Module, Signature, Value};

use crate::compiler::Compiler;
use crate::library::{Aligned, Function, Record, call};

/// A function of a module, compiled for as many memories as the processor has lanes.
pub struct Program {
    function: Function,
    signature: Signature,
    width: usize,
    vectors: usize,
    arrays: Vec<(Range<usize>, usize)>,
    cells: usize,
}

/// Why a function is not there for several memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no C compiler.
    NoCompiler,
    /// It would take the compiler too long: so many statements and parts of expressions.
    TooLarge(usize),
    /// The compiler, or what loads libraries, says why.
    Failed(String),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Refused::NoCompiler => f.write_str("there is no C compiler"),
            Refused::TooLarge(size) => write!(f, "the program is too large ({size} operations)"),
            Refused::Failed(why) => f.write_str(why),
        }
    }
}

/// Eight lanes where vectors have 512 bits, else four.
fn width() -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512dq") {
        return 8;
    }
    4
}

/// What is compiled: known before the compiler has to be asked.
pub struct Source {
    lanes: backend_c::Lanes,
    signature: Signature,
    cells: usize,
    /// How many statements and parts of expressions there are: a measure of the time that compiling takes.
    pub size: usize,
}

/// A larger program takes minutes to compile.
const LARGEST: usize = 60_000;

impl Source {
    /// Needs: a verified module.
    pub fn new(module: &Module, function: FunctionId) -> Result<Source, Refused> {
        let size = module.reached_from(&[function]).iter().map(|&id| module.function(id).size()).sum();
        if size > LARGEST {
            return Err(Refused::TooLarge(size));
        }
        let lanes = backend_c::lanes(module, function);
        Ok(Source { lanes, signature: module.function(function).signature(), cells: module.layout().cells(), size })
    }

    /// Whether it was compiled before.
    pub fn is_known(&self, compiler: &Compiler) -> bool {
        crate::is_known(compiler, &self.lanes.source, width())
    }
}

impl Program {
    /// Compiles, unless that was done before.
    pub fn new(source: Source, compiler: &Compiler) -> Result<Program, Refused> {
        let made = compiler.library(&source.lanes.source, width()).map_err(Refused::Failed)?;
        let function = Function::open(&made.library, backend_c::LANES_ENTRY).map_err(Refused::Failed)?;
        let Source { lanes, signature, cells, .. } = source;
        let backend_c::Lanes { arrays, vectors, .. } = lanes;
        Ok(Program { function, signature, width: width(), vectors, arrays, cells })
    }
}

impl LanesOf for Program {
    fn width(&self) -> usize {
        self.width
    }

    fn lanes(self: Arc<Self>) -> Box<dyn Lanes> {
        let zeros = |vectors: usize| Aligned::zeros(vectors * self.width);
        let record = Record {
            cells: zeros(self.vectors),
            arguments: zeros(self.signature.parameters.len()),
            results: zeros(self.signature.results.len()),
        };
        let memories = (0..self.width).map(|_| None).collect();
        Box::new(Side { program: self, record, memories })
    }
}

/// Memories side by side.
struct Side {
    program: Arc<Program>,
    record: Record,
    memories: Vec<Option<Memory>>,
}

impl Lanes for Side {
    fn put(&mut self, lane: usize, memory: Memory) {
        assert_eq!(memory.cells().len(), self.program.cells, "a memory of another module");
        let (width, cells) = (self.program.width, self.record.cells.cells());
        for (range, first) in &self.program.arrays {
            for (at, cell) in memory.cells()[range.clone()].iter().enumerate() {
                cells[(first + at) * width + lane] = *cell;
            }
        }
        self.memories[lane] = Some(memory);
    }

    fn take(&mut self, lane: usize) -> Option<Memory> {
        let mut memory = self.memories[lane].take()?;
        let (width, cells) = (self.program.width, self.record.cells.cells());
        for (range, first) in &self.program.arrays {
            for (at, cell) in memory.cells_mut()[range.clone()].iter_mut().enumerate() {
                *cell = cells[(first + at) * width + lane];
            }
        }
        Some(memory)
    }

    fn cell(&mut self, lane: usize, cell: usize) -> u64 {
        let width = self.program.width;
        match self.program.arrays.iter().find(|(range, _)| range.contains(&cell)) {
            Some((range, first)) => self.record.cells.cells()[(first + cell - range.start) * width + lane],
            None => self.memories[lane].as_ref().map_or(0, |memory| memory.cells()[cell]),
        }
    }

    fn set_argument(&mut self, lane: usize, at: usize, value: Value) {
        assert_eq!(value.kind(), self.program.signature.parameters[at], "an argument of another type");
        self.record.arguments.cells()[at * self.program.width + lane] = value.cell();
    }

    fn call(&mut self, lanes: u64) {
        call(&self.program.function, &mut self.record, &mut self.memories, lanes);
    }

    fn result(&mut self, lane: usize, at: usize) -> Value {
        Value::from_cell(
            self.record.results.cells()[at * self.program.width + lane],
            self.program.signature.results[at],
        )
    }
}
