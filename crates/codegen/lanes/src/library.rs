//! The one function of a library that was made for a module.
#![allow(unsafe_code, reason = "a function of a C library is called through its address")]

use std::path::Path;

use kernel::Memory;
use libloading::Library;

type Call = unsafe extern "C" fn(record: *mut u64, active: i64, arguments: *const u64, results: *mut u64);

/// Keeps the library for as long as its function may be called.
pub struct Function {
    call: Call,
    _library: Library,
}

impl Function {
    pub fn open(file: &Path, name: &str) -> Result<Function, String> {
        // SAFETY: the library was made from a text of ours, and does nothing when it is loaded.
        unsafe {
            let library = Library::new(file).map_err(|error| error.to_string())?;
            let call = *library.get::<Call>(name.as_bytes()).map_err(|error| error.to_string())?;
            Ok(Function { call, _library: library })
        }
    }
}

/// Numbers that begin where vectors of any width may.
pub struct Aligned {
    cells: Vec<u64>,
    first: usize,
    length: usize,
}

/// Bytes; no vector is wider.
const WIDEST: usize = 64;

impl Aligned {
    pub fn zeros(length: usize) -> Aligned {
        let cells = vec![0_u64; length + WIDEST / 8];
        let first = cells.as_ptr().align_offset(WIDEST);
        Aligned { cells, first, length }
    }

    pub fn cells(&mut self) -> &mut [u64] {
        &mut self.cells[self.first..self.first + self.length]
    }
}

/// The record of a call, with the vectors of arguments and results.
pub struct Record {
    pub cells: Aligned,
    pub arguments: Aligned,
    pub results: Aligned,
}

/// Calls the function for the lanes that have a memory and take part. The record begins with the addresses of the memories.
///
/// The record has to be as long as the module's vectors say, and each memory one of the module.
pub fn call(function: &Function, record: &mut Record, memories: &mut [Option<Memory>], active: u64) {
    let mut taking_part = 0;
    for (lane, memory) in memories.iter_mut().enumerate() {
        let address = memory.as_mut().map_or(std::ptr::null_mut(), |memory| memory.cells_mut().as_mut_ptr());
        record.cells.cells()[lane] = address as u64;
        taking_part |= u64::from(memory.is_some()) << lane;
    }
    let (arguments, results) = (record.arguments.cells().as_ptr(), record.results.cells().as_mut_ptr());
    // SAFETY: the text of the library was made for a record of this length and memories of this module, whose indices the verifier has proven, and
    // it touches only what lies in them, for the lanes that take part.
    unsafe { (function.call)(record.cells.cells().as_mut_ptr(), (active & taking_part) as i64, arguments, results) }
}
