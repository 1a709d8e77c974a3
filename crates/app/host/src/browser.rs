//! A worker of a page. What it gives is imported below; `web/src/playground/worker.ts` has the other side.
#![allow(unsafe_code, reason = "what the page gives is called through functions that it imports")]

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::Arc;
use std::time::Duration;

use kernel::{Fault, FunctionId, Machine, Memory, Module, Signature, Trap, Type, Value};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since any moment.
    fn now() -> f64;
    /// Makes an instance of a module of WebAssembly, and gives its number.
    fn load(bytes: *const u8, length: usize) -> u32;
    /// Forgets one.
    fn unload(program: u32);
    /// Calls a function by its number with the cells of a memory, which are copied into the program's memory before and back afterwards. Arguments,
    /// then results, are cells of `values`, whose types are given as bytes: 0 for reals, 1 for integers.
    fn call(
        program: u32,
        function: u32,
        cells: *mut u64,
        count: usize,
        values: *mut u64,
        kinds: *const u8,
        arguments: usize,
        results: usize,
    );
    /// Sends a message out: its kind and its bytes.
    #[link_name = "send"]
    fn post(kind: u32, bytes: *const u8, length: usize);
}

/// A message for whoever started this worker.
pub fn send(kind: u8, bytes: &[u8]) {
    // SAFETY: the page only reads these bytes, before it returns.
    unsafe { post(u32::from(kind), bytes.as_ptr(), bytes.len()) }
}

/// As [`std::time::Instant`], which knows no clock here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Instant {
        // SAFETY: it takes nothing and touches nothing.
        Instant(Duration::from_secs_f64(unsafe { now() } * 1e-3))
    }

    pub fn elapsed(&self) -> Duration {
        Instant::now() - *self
    }

    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

/// A module as the page runs it.
pub struct Compiled {
    program: u32,
    signatures: Vec<Signature>,
    cells: usize,
}

/// What is known about the code of one function.
#[derive(Clone, Debug)]
pub struct Listing {
    pub name: String,
    /// Bytes of its code.
    pub size: usize,
    /// Nothing: WebAssembly has no text but the kernel's own, from which it differs little.
    pub instructions: Option<String>,
}

/// The module is not a good one.
#[derive(Clone, Debug)]
pub struct Error(Vec<Fault>);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the module has {} faults", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(f, "\n{fault}"))
    }
}

pub fn compile(module: Arc<Module>) -> Result<Compiled, Error> {
    kernel::verify(&module).map_err(Error)?;
    let bytes = backend_wasm::translate(&module, backend_wasm::Exported::All);
    // SAFETY: the page only reads these bytes, before it returns.
    let program = unsafe { load(bytes.as_ptr(), bytes.len()) };
    let signatures = module.functions.iter().map(|function| function.signature()).collect();
    Ok(Compiled { program, signatures, cells: module.layout().cells() })
}

/// The code of a module that grew out of another. Browsers translate what is called, so nothing is gained by what is there.
pub fn extend(_before: &Compiled, module: Arc<Module>) -> Result<Compiled, Error> {
    compile(module)
}

pub fn listings(module: &Module) -> Result<Vec<Listing>, Error> {
    kernel::verify(module).map_err(Error)?;
    let sizes = backend_wasm::sizes(module);
    let named = module.functions.iter().zip(sizes);
    Ok(named.map(|(function, size)| Listing { name: function.name.clone(), size, instructions: None }).collect())
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // SAFETY: nobody has this number any more.
        unsafe { unload(self.program) }
    }
}

impl Machine for Compiled {
    fn signature(&self, function: FunctionId) -> &Signature {
        &self.signatures[function.0 as usize]
    }

    fn cells(&self) -> usize {
        self.cells
    }

    fn call_into(
        &self,
        function: FunctionId,
        arguments: &[Value],
        memory: &mut Memory,
        results: &mut [Value],
    ) -> Result<(), Trap> {
        self.check_call(function, arguments, memory, results)?;
        let signature = self.signature(function);
        let kinds: Vec<u8> = signature
            .parameters
            .iter()
            .chain(&signature.results)
            .map(|&kind| u8::from(kind == Type::Integer))
            .collect();
        let mut values: Vec<u64> = arguments.iter().map(|argument| argument.cell()).collect();
        values.resize(kinds.len(), 0);
        let cells = memory.cells_mut();
        // SAFETY: the page reads and writes as many cells and values as it is told, before it returns.
        unsafe {
            call(
                self.program,
                function.0,
                cells.as_mut_ptr(),
                cells.len(),
                values.as_mut_ptr(),
                kinds.as_ptr(),
                arguments.len(),
                results.len(),
            );
        }
        for ((result, &cell), &kind) in results.iter_mut().zip(&values[arguments.len()..]).zip(&signature.results) {
            *result = Value::from_cell(cell, kind);
        }
        Ok(())
    }
}
