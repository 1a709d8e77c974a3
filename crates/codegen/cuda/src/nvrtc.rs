//! The compiler for programs that come into being at run time.
#![allow(unsafe_code, reason = "functions of a C library are called through their addresses")]

use std::ffi::{CString, c_char, c_int, c_void};

use libloading::Library;

use crate::driver::functions;

type Code = c_int;
type Unit = *mut c_void;

functions!(Functions {
    create = b"nvrtcCreateProgram\0": fn(*mut Unit, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char);
    destroy = b"nvrtcDestroyProgram\0": fn(*mut Unit);
    compile = b"nvrtcCompileProgram\0": fn(Unit, c_int, *const *const c_char);
    log_size = b"nvrtcGetProgramLogSize\0": fn(Unit, *mut usize);
    log = b"nvrtcGetProgramLog\0": fn(Unit, *mut c_char);
    code_size = b"nvrtcGetCUBINSize\0": fn(Unit, *mut usize);
    code = b"nvrtcGetCUBIN\0": fn(Unit, *mut c_char);
});

const NAMES: [&str; 7] = [
    "libnvrtc.so",
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so",
    "libnvrtc.so.11.2",
    "nvrtc64_130_0.dll",
    "nvrtc64_120_0.dll",
];

pub struct Compiler(Functions);

impl Compiler {
    pub fn open() -> Result<Compiler, String> {
        let found = Functions::load(&NAMES);
        found.map(Compiler).ok_or_else(|| "there is no NVRTC library (libnvrtc.so), which comes with CUDA".to_string())
    }

    /// Machine code for an architecture. Every operation rounds by itself.
    pub fn compile(&self, source: &str, architecture: &str) -> Result<Vec<u8>, String> {
        let source = CString::new(source).map_err(|error| error.to_string())?;
        let options =
            [format!("--gpu-architecture={architecture}"), "--fmad=false".to_string(), "--std=c++17".to_string()]
                .map(|option| CString::new(option).expect("options have no zeros"));
        let options = options.each_ref().map(|option| option.as_ptr());
        let none = std::ptr::null();
        let mut unit = std::ptr::null_mut();
        // SAFETY: all texts end with zeros and outlive the calls; what is read has the size that was asked for.
        unsafe {
            if (self.0.create)(&raw mut unit, source.as_ptr(), none, 0, std::ptr::null(), std::ptr::null()) != 0 {
                return Err("the compiler for the GPU does not start".to_string());
            }
            let failed = (self.0.compile)(unit, options.len() as c_int, options.as_ptr()) != 0;
            let found = if failed {
                let log = read(unit, self.0.log_size, self.0.log);
                Err(format!("the compiler for the GPU says: {}", String::from_utf8_lossy(&log).trim_end_matches('\0')))
            } else {
                Ok(read(unit, self.0.code_size, self.0.code))
            };
            (self.0.destroy)(&raw mut unit);
            found
        }
    }
}

/// # Safety
/// Both functions are of one library, and about the same text.
unsafe fn read(
    unit: Unit,
    size: unsafe extern "C" fn(Unit, *mut usize) -> Code,
    text: unsafe extern "C" fn(Unit, *mut c_char) -> Code,
) -> Vec<u8> {
    let mut count = 0;
    // SAFETY: the second gives as many bytes as the first says.
    unsafe {
        size(unit, &raw mut count);
        let mut bytes = vec![0_u8; count];
        text(unit, bytes.as_mut_ptr().cast());
        bytes
    }
}
