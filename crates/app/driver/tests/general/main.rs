//! Systems of algebraic and differential equations written down by hand, against closed forms.

mod build;
mod circuits;
mod forms;
mod ladder;
mod many_parts;
mod mechanisms;
