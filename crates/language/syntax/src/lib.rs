//! The language as text: from characters to the syntax tree, and from any text to the same text well laid out.

mod format;
mod keywords;
mod layout;
mod lexer;
mod parser;
mod print;
mod spelling;
mod token;
mod tree;

pub mod codes;

pub use format::format;
pub use keywords::{KEYWORDS, Keyword};
pub use parser::{parse, parse_expression};
pub use print::print_expression;
pub use tree::*;
