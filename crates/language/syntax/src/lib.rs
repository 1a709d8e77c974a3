//! The language as text: from characters to the syntax tree, and from any text to the same text well laid out.
//!
//! ```
//! use base::{Diagnostics, SourceId};
//! use syntax::{ItemKind, parse, print_expression};
//!
//! let mut sink = Diagnostics::default();
//! let tree = parse(SourceId(0), "initially swing.angle == 60[deg]", &mut sink);
//! let ItemKind::Initially(equation) = &tree.items[0].kind else { panic!() };
//! assert_eq!(print_expression(equation.sides().unwrap().1), "60 [deg]");
//! assert!(sink.is_empty());
//! ```

mod format;
mod keywords;
mod layout;
mod lexer;
mod parser;
mod print;
mod token;
mod tree;

pub mod codes;

pub use format::format;
pub use keywords::{KEYWORDS, Keyword, is_reserved};
pub use layout::statement_tokens;
pub use lexer::tokenize;
pub use parser::{parse, parse_expression};
pub use print::print_expression;
pub use token::{Token, TokenKind};
pub use tree::*;
