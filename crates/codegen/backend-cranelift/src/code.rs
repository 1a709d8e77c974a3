//! Machine code in memory: the only unsafe file. It calls the code, is called by it where code is still to be made, and frees it in the end.
#![allow(unsafe_code, reason = "machine code is called through its address, and calls back through ours")]

use cranelift_jit::JITModule;
use kernel::{FunctionId, Signature};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::demand::Demand;

/// Where calls of one function lead. Every function is given the address of its own place, and finds those of others at fixed distances from it.
#[repr(C)]
pub struct Place {
    /// The code of the function, or that which asks for it; at the head of the table, what makes code.
    address: AtomicUsize,
    index: usize,
}

/// The distance from one place to the next, in bytes; the address of the code stands first.
pub const PLACE: i64 = size_of::<Place>() as i64;

/// The form of every way in; see `entry.rs`.
type Entry = unsafe extern "C" fn(place: *const Place, memory: *mut u64, arguments: *const u64, results: *mut u64);

/// The functions of one module.
pub struct Code {
    /// A head, and a place for each function.
    table: Box<[Place]>,
    entries: Vec<OnceLock<Entry>>,
    /// What makes code when it is asked for; it owns all of it. Code knows its address, so it stays where it is.
    demand: Box<Demand>,
}

impl Code {
    pub fn new(demand: Demand) -> Code {
        let demand = Box::new(demand);
        let place = |(index, address)| Place { address: AtomicUsize::new(address), index };
        let head = place((0, std::ptr::from_ref(&*demand).expose_provenance()));
        let table: Box<[Place]> = std::iter::once(head).chain(demand.addresses().enumerate().map(place)).collect();
        let entries = table.iter().skip(1).map(|_| OnceLock::new()).collect();
        Code { table, entries, demand }
    }

    pub fn demand(&self) -> &Demand {
        &self.demand
    }

    /// Runs a function.
    ///
    /// # Panics
    /// If the memory, the arguments or the results are too few or too many.
    pub fn run(&self, function: FunctionId, memory: &mut [u64], arguments: &[u64], results: &mut [u64]) {
        let index = function.0 as usize;
        let Signature { parameters, results: kinds } = self.demand.signature(function);
        assert!(memory.len() == self.demand.cells(), "the memory is of another module");
        assert!(arguments.len() == parameters.len() && results.len() == kinds.len(), "another signature");
        // SAFETY: the address is that of a function which `entry.rs` has given exactly this form.
        let entry = self.entries[index]
            .get_or_init(|| unsafe { std::mem::transmute::<usize, Entry>(self.demand.entry(function)) });
        let place = &raw const self.table[index + 1];
        // SAFETY: the code is alive as long as `self`. It reads `arguments` cells, writes `results` cells, touches
        // memory only through indices of arrays, which lie within `cells` by the contract of the crate, and places
        // only at distances between functions of this module.
        unsafe { entry(place, memory.as_mut_ptr(), arguments.as_ptr(), results.as_mut_ptr()) }
    }
}

/// The address of [`called`], for machine code.
pub fn address_of_called() -> usize {
    called as *const () as usize
}

/// Machine code calls a function of which code is still to be made; gives the address of the code. Where that is not the best there will be, it asks
/// again the next time.
extern "C" fn called(place: *const Place) -> usize {
    // SAFETY: machine code gives the place at which it found this call, in the table of a `Code` that is borrowed while it runs; as many places
    // before it as its index says, and one, is the head, which has the address of what that `Code` owns.
    let (place, demand) = unsafe {
        let index = (*place).index;
        let head = &*place.sub(index + 1);
        let demand = std::ptr::with_exposed_provenance::<Demand>(head.address.load(Ordering::Relaxed));
        (&*place, &*demand)
    };
    let (address, is_final) = demand.called(place.index);
    if is_final {
        place.address.store(address, Ordering::Release);
    }
    address
}

/// The address of [`foreign`], for machine code.
pub fn address_of_foreign() -> usize {
    foreign as *const () as usize
}

/// Machine code asks for the value of a function of the host. A panic of that ends the process: nothing unwinds through machine code.
extern "C" fn foreign(arguments: *const f64, count: usize) -> f64 {
    // SAFETY: machine code has put so many numbers in a row on its stack, which stay there while this runs.
    kernel::foreign::call(unsafe { std::slice::from_raw_parts(arguments, count) })
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
