//! The grammar of Ansatz for tree-sitter, by which editors colour, fold and select. The compiler does not use it.
#![allow(unsafe_code)]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_ansatz() -> *const ();
}

/// The grammar, for `tree_sitter::Parser::set_language`.
// Sound: the function is the one that `src/parser.c` defines, and gives a table that never changes.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_ansatz) };

/// What is coloured how.
pub const HIGHLIGHTS: &str = include_str!("../queries/highlights.scm");
