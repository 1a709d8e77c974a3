//! Ansatz as a library: a text becomes a [`Scene`], a scene makes as many [`Instance`]s as you like, and an instance moves.
//!
//! ```
//! use ansatz::{Options, Scene};
//!
//! let text = "
//!     scene pendulum
//!     param length = 2 [m]
//!     gravity 9.81 [m/s^2]
//!     frame swing in world { rotation = about x free }
//!     body bob in swing { position = (0, 0, -length); mass = 1 [kg] }
//!     initially swing.angle == 60 [deg]
//!     plot swing.angle
//! ";
//! let scene = Scene::compile("pendulum", text, &Options::default())?;
//! let angle = scene.output("swing.angle")?;
//!
//! let mut run = scene.instance()?;
//! run.set("length", 0.8)?;
//! run.start()?;
//! run.advance_to(1.0)?;
//! let saved = run.save();
//! run.advance_to(2.0)?;
//! let first = run.get(angle);
//!
//! run.restore(&saved)?;
//! run.advance_to(2.0)?;
//! assert_eq!(run.get(angle), first); // bit for bit
//! # Ok::<(), ansatz::Error>(())
//! ```
//!
//! All numbers are in SI units. Instances are `Send`: compile once, run in as many threads as there are cores. Whatever is wrong with a text, a
//! setting or a run comes back as an [`Error`], which has all diagnostics with their places in the text, and prints them as the command line does.
//! The command line and the studio are made of what is here.

/// The page of the manual, whose examples are tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/library.md")]
struct Manual;

mod asking;
mod dynamics;
mod ensemble;
mod error;
#[cfg(not(target_arch = "wasm32"))]
mod gpu;
mod instance;
#[cfg(not(target_arch = "wasm32"))]
mod lanes;
mod scene;
#[cfg(not(target_arch = "wasm32"))]
mod threads;

pub use asking::Answers;
pub use dynamics::Dynamics;
pub use ensemble::{Ensemble, One, Span};
pub use error::{Error, Style};
#[cfg(not(target_arch = "wasm32"))]
pub use gpu::{Gpu, NoGpu};
pub use instance::{Finished, Instance, Progress, Snapshot};
#[cfg(not(target_arch = "wasm32"))]
pub use lanes::{Lanes, Made, Many};
pub use scene::{Control, Output, Parameter, Recorded, Scene};

pub use base::{Diagnostic, Diagnostics, Severity, Sources};
#[cfg(not(target_arch = "wasm32"))]
pub use driver::Fmu;
pub use driver::{
    Adjustable, At, Build, Event, Fmi, Happening, Level, Linearization, Options, Quantity, Rotations, Settings, Solver,
    Stage, Statistics, Summary, Target,
};
