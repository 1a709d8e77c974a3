//! What the compiler asks of the place where it runs: a machine for its programs, and a clock.
//!
//! On a computer that is Cranelift and the system's clock. In a browser, where the compiler is WebAssembly itself and may not make machine code, the
//! page makes functions of the WebAssembly that `backend-wasm` writes. Both have the same names here, and the bits of runs are the same.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod computer;

#[cfg(target_arch = "wasm32")]
pub use browser::{Compiled, Error, Instant, Listing, compile, extend, listings, send};
#[cfg(not(target_arch = "wasm32"))]
pub use computer::{Compiled, Error, Instant, Listing, compile, extend, listings};
