//! The language as text: from characters to the syntax tree, and from any text to the same text well laid out.

mod tree;

pub use tree::*;
