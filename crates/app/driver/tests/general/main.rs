//! Systems of algebraic and differential equations written down by hand, against closed forms.

// Closed forms may use what the platform has: they are compared with a tolerance.
#![allow(clippy::disallowed_methods)]

mod build;
mod circuits;
mod forms;
mod many_parts;
mod mechanisms;
