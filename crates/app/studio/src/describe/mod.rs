//! A compilation in the page's words: plain data with places in the text, and ids that tie everything together.

mod circuit;
mod diagnostic;
mod equation;
mod handle;
mod id;
mod making;
mod place;
mod reference;
mod scene;
mod slider;

pub use diagnostic::{diagnostic, diagnostics, plain_diagnostic};
pub use place::Places;
pub use scene::{Columns, StateColumn, columns, scene, series};
