//! The studio as its page uses it: over a real socket, with the real program.

// Closed forms may use what the platform has; they are compared with a tolerance.
#![allow(clippy::disallowed_methods)]

mod asking;
mod changes;
mod client;
mod files;
mod runs;
mod security;
#[cfg(target_os = "linux")]
mod soak;
