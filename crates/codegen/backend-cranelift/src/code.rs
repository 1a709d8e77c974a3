//! Machine code in memory: the only unsafe file. It calls the code, and frees it in the end.
#![allow(unsafe_code, reason = "machine code is called through its address")]

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use kernel::{FunctionId, Signature};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// The form of every entry; see `entry.rs`.
type Entry = unsafe extern "C" fn(function: usize, memory: *mut u64, arguments: *const u64, results: *mut u64);

/// Machine code that grows: modules that grew out of one another share what they have in common.
pub type SharedCode = Arc<Mutex<Owned>>;

/// The linked functions of one module.
pub struct Code {
    functions: Vec<Callable>,
    /// The size of the memory that the code works on.
    cells: usize,
    /// Keeps the code alive. Calls never lock it; the lock is there so that threads can share the code, and for adding to it.
    owner: SharedCode,
}

struct Callable {
    address: usize,
    entry: Entry,
    arguments: usize,
    results: usize,
}

impl Code {
    /// The finished code of a module. Each function comes with the entry for its signature.
    pub fn new(
        owner: SharedCode,
        functions: impl Iterator<Item = (FuncId, FuncId)>,
        signatures: &[Signature],
        cells: usize,
    ) -> Code {
        let jit = owner.lock().unwrap_or_else(|broken| broken.into_inner());
        let callable = |((function, entry), signature): ((FuncId, FuncId), &Signature)| Callable {
            address: jit.get_finalized_function(function).addr(),
            // SAFETY: the address is that of a function which `entry.rs` has given exactly this form.
            entry: unsafe { std::mem::transmute::<*const u8, Entry>(jit.get_finalized_function(entry)) },
            arguments: signature.parameters.len(),
            results: signature.results.len(),
        };
        let functions = functions.zip(signatures).map(callable).collect();
        drop(jit);
        Code { functions, cells, owner }
    }

    pub fn owner(&self) -> SharedCode {
        self.owner.clone()
    }

    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Runs a function.
    ///
    /// # Panics
    /// If the memory, the arguments or the results are too few or too many.
    pub fn run(&self, function: FunctionId, memory: &mut [u64], arguments: &[u64], results: &mut [u64]) {
        let callable = &self.functions[function.0 as usize];
        assert!(memory.len() == self.cells, "the memory is of another module");
        assert!(arguments.len() == callable.arguments && results.len() == callable.results, "another signature");
        // SAFETY: the code is alive as long as `self`. It reads `arguments` cells, writes `results` cells, and
        // touches memory only through indices of arrays, which lie within `cells` by the contract of the crate.
        unsafe { (callable.entry)(callable.address, memory.as_mut_ptr(), arguments.as_ptr(), results.as_mut_ptr()) }
    }
}

/// A module for machine code, whose memory is freed with it. By itself it would live until the program ends.
pub struct Owned(ManuallyDrop<JITModule>);

impl Owned {
    pub fn new(jit: JITModule) -> Owned {
        Owned(ManuallyDrop::new(jit))
    }
}

impl Deref for Owned {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        &self.0
    }
}

impl DerefMut for Owned {
    fn deref_mut(&mut self) -> &mut JITModule {
        &mut self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here. Only `Code` has addresses of functions; it owns this module, and a
        // running call borrows it.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() }
    }
}
