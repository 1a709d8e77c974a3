//! The driver's own library, with as much of it as an ensemble needs.
#![allow(unsafe_code, reason = "functions of a C library are called through their addresses")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use libloading::Library;

pub type Pointer = u64;
type Code = c_int;

macro_rules! functions {
    ($library:ident { $($field:ident = $symbol:literal: fn($($argument:ty),*);)+ }) => {
        /// The functions of the library, which stays loaded.
        pub struct $library {
            $(pub $field: unsafe extern "C" fn($($argument),*) -> Code,)+
            _library: Library,
        }

        impl $library {
            /// None if there is no such library, or if it lacks a function.
            pub fn load(names: &[&str]) -> Option<$library> {
                // SAFETY: the library is the vendor's, which does nothing harmful when it is loaded, and the types are those of its headers.
                unsafe {
                    let library = names.iter().find_map(|name| Library::new(*name).ok())?;
                    $(let $field = *library.get($symbol).ok()?;)+
                    Some($library { $($field,)+ _library: library })
                }
            }
        }
    };
}
pub(crate) use functions;

functions!(Functions {
    init = b"cuInit\0": fn(c_uint);
    device = b"cuDeviceGet\0": fn(*mut c_int, c_int);
    device_name = b"cuDeviceGetName\0": fn(*mut c_char, c_int, c_int);
    attribute = b"cuDeviceGetAttribute\0": fn(*mut c_int, c_int, c_int);
    retain = b"cuDevicePrimaryCtxRetain\0": fn(*mut *mut c_void, c_int);
    release = b"cuDevicePrimaryCtxRelease_v2\0": fn(c_int);
    make_current = b"cuCtxSetCurrent\0": fn(*mut c_void);
    synchronize = b"cuCtxSynchronize\0": fn();
    memory = b"cuMemGetInfo_v2\0": fn(*mut usize, *mut usize);
    allocate = b"cuMemAlloc_v2\0": fn(*mut Pointer, usize);
    free = b"cuMemFree_v2\0": fn(Pointer);
    fill = b"cuMemsetD8_v2\0": fn(Pointer, u8, usize);
    to_device = b"cuMemcpyHtoD_v2\0": fn(Pointer, *const c_void, usize);
    to_host = b"cuMemcpyDtoH_v2\0": fn(*mut c_void, Pointer, usize);
    load_module = b"cuModuleLoadData\0": fn(*mut *mut c_void, *const c_void);
    unload_module = b"cuModuleUnload\0": fn(*mut c_void);
    find_function = b"cuModuleGetFunction\0": fn(*mut *mut c_void, *mut c_void, *const c_char);
    launch = b"cuLaunchKernel\0": fn(*mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, *mut c_void, *mut *mut c_void, *mut *mut c_void);
    error_text = b"cuGetErrorString\0": fn(c_int, *mut *const c_char);
});

const NAMES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `_MINOR`.
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
/// `CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT`.
const PROCESSORS: c_int = 16;

/// The first GPU, and what is done there.
pub struct Driver {
    functions: Functions,
    device: c_int,
    context: *mut c_void,
    pub name: String,
    /// As `sm_90` has it.
    pub architecture: String,
    /// How many of its processors work beside each other.
    pub processors: usize,
}

// SAFETY: a context may be made current in any thread, and is before every call.
unsafe impl Send for Driver {}

/// Memory there, given back when it is dropped.
pub struct Memory<'d> {
    driver: &'d Driver,
    pub at: Pointer,
    size: usize,
}

pub struct Module<'d> {
    driver: &'d Driver,
    handle: *mut c_void,
}

#[derive(Clone, Copy)]
pub struct Kernel(*mut c_void);

impl Driver {
    pub fn open() -> Result<Driver, String> {
        let functions = Functions::load(&NAMES).ok_or("there is no driver for a GPU by NVIDIA on this machine")?;
        let (mut device, mut context, mut name) = (0, std::ptr::null_mut(), [0 as c_char; 256]);
        let (mut major, mut minor, mut processors) = (0, 0, 0);
        // SAFETY: all pointers are to places of the right types that outlive the calls.
        unsafe {
            let check = |code| checked(&functions, code);
            check((functions.init)(0))?;
            check((functions.device)(&raw mut device, 0))?;
            check((functions.device_name)(name.as_mut_ptr(), name.len() as c_int, device))?;
            check((functions.attribute)(&raw mut major, MAJOR, device))?;
            check((functions.attribute)(&raw mut minor, MINOR, device))?;
            check((functions.attribute)(&raw mut processors, PROCESSORS, device))?;
            check((functions.retain)(&raw mut context, device))?;
            check((functions.make_current)(context))?;
            let name = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
            let (architecture, processors) = (format!("sm_{major}{minor}"), processors.max(1) as usize);
            Ok(Driver { functions, device, context, name, architecture, processors })
        }
    }

    /// Calls one of the functions where the GPU is this thread's.
    fn call(&self, call: impl FnOnce(&Functions) -> Code) -> Result<(), String> {
        // SAFETY: the context is retained as long as this is there.
        checked(&self.functions, unsafe { (self.functions.make_current)(self.context) })?;
        checked(&self.functions, call(&self.functions))
    }

    /// Bytes that are free.
    pub fn free_memory(&self) -> Result<usize, String> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: both places outlive the call.
        self.call(|of| unsafe { (of.memory)(&raw mut free, &raw mut total) })?;
        Ok(free)
    }

    /// Zeros, as many bytes.
    pub fn zeros(&self, size: usize) -> Result<Memory<'_>, String> {
        let size = size.max(8);
        let mut at = 0;
        // SAFETY: the place outlives the call.
        self.call(|of| unsafe { (of.allocate)(&raw mut at, size) })?;
        let memory = Memory { driver: self, at, size };
        // SAFETY: as many bytes were allocated.
        self.call(|of| unsafe { (of.fill)(at, 0, size) })?;
        Ok(memory)
    }

    /// A copy of these numbers.
    pub fn copy<T: Number>(&self, values: &[T]) -> Result<Memory<'_>, String> {
        let memory = self.zeros(size_of_val(values))?;
        // SAFETY: as many bytes as the values have were allocated.
        self.call(|of| unsafe { (of.to_device)(memory.at, values.as_ptr().cast(), size_of_val(values)) })?;
        Ok(memory)
    }

    pub fn load(&self, code: &[u8]) -> Result<Module<'_>, String> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: the code is what the compiler gave, whole.
        self.call(|of| unsafe { (of.load_module)(&raw mut handle, code.as_ptr().cast()) })?;
        Ok(Module { driver: self, handle })
    }

    /// Launches a kernel with arguments of eight bytes each, and waits for its end.
    pub fn launch(&self, kernel: Kernel, blocks: usize, threads: usize, arguments: &[u64]) -> Result<(), String> {
        let mut places: Vec<*mut c_void> =
            arguments.iter().map(|it| std::ptr::from_ref(it).cast_mut().cast()).collect();
        let (blocks, threads, none) = (blocks as c_uint, threads as c_uint, std::ptr::null_mut());
        // SAFETY: the arguments are as many and of the sizes that the kernel declares, and outlive the call.
        self.call(|of| unsafe {
            (of.launch)(kernel.0, blocks, 1, 1, threads, 1, 1, 0, none, places.as_mut_ptr(), std::ptr::null_mut())
        })?;
        // SAFETY: nothing is passed.
        self.call(|of| unsafe { (of.synchronize)() })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: it was retained once.
        unsafe { (self.functions.release)(self.device) };
    }
}

fn checked(functions: &Functions, code: Code) -> Result<(), String> {
    if code == 0 {
        return Ok(());
    }
    let mut text = std::ptr::null();
    // SAFETY: the place outlives the call, and the text is a constant of the library.
    let said = unsafe {
        (functions.error_text)(code, &raw mut text);
        if text.is_null() { format!("code {code}") } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    };
    Err(format!("the GPU's driver says: {said}"))
}

impl Module<'_> {
    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        let mut kernel = std::ptr::null_mut();
        // SAFETY: the name ends with a zero, and the place outlives the call.
        self.driver.call(|of| unsafe { (of.find_function)(&raw mut kernel, self.handle, name.as_ptr()) })?;
        Ok(Kernel(kernel))
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: it was loaded once. There is nobody to tell of a failure.
        let _ = self.driver.call(|of| unsafe { (of.unload_module)(self.handle) });
    }
}

/// What may be copied byte for byte.
pub trait Number: Copy + Default {}
impl Number for f64 {}
impl Number for i64 {}

impl Memory<'_> {
    pub fn read<T: Number>(&self, count: usize) -> Result<Vec<T>, String> {
        let mut values = vec![T::default(); count];
        let size = size_of_val(values.as_slice());
        assert!(size <= self.size.max(8), "no more than there is");
        if size > 0 {
            // SAFETY: both have as many bytes, and any bytes are a number.
            self.driver.call(|of| unsafe { (of.to_host)(values.as_mut_ptr().cast(), self.at, size) })?;
        }
        Ok(values)
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated once. There is nobody to tell of a failure.
        let _ = self.driver.call(|of| unsafe { (of.free)(self.at) });
    }
}
