//! Many runs on a GPU by NVIDIA. The driver and the compiler are looked for when somebody asks, so that the program needs neither to be
//! built nor to run; without them [`Device::open`] says what is missing.

mod device;
mod driver;
mod nvrtc;

pub use device::{Batch, Device, Outcome, Program, Source, Trouble};
