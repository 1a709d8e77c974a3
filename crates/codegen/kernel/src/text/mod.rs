//! The text form of modules, which parses back to the same module.

mod lexicon;

pub use lexicon::{is_identifier, is_keyword};
