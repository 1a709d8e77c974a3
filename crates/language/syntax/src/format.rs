//! The same text, well laid out.
//!
//! The author's lines, blank lines and comments stay. What changes is white space: spaces between tokens, indentation
//! by what is open, and columns where consecutive lines say the same kind of thing.

mod alignment;
mod indentation;
mod spacing;

use base::{Diagnostics, SourceId};

use crate::layout::statement_tokens;
use crate::lexer::tokenize;
use crate::parser::Parser;
use crate::token::{Token, TokenKind};

/// Lays a text out, or says why it cannot be read; such a text is best left as it is.
pub fn format(source: SourceId, text: &str) -> Result<String, Diagnostics> {
    let mut sink = Diagnostics::default();
    let mut parser = Parser::new(source, text, &mut sink);
    parser.tree();
    let uses = std::mem::take(&mut parser.uses);
    if sink.has_errors() {
        return Err(sink);
    }
    let tokens = tokenize(text);
    let mut lines = split_lines(&tokens, &statement_tokens(&tokens, text));
    indentation::indent(&mut lines);
    let spaced = lines.iter().map(|line| spacing::space(line, text, &uses)).collect();
    Ok(alignment::align(spaced))
}

/// A line with something on it.
struct Line<'a> {
    tokens: &'a [Token],
    /// The statement began on a line above.
    continues: bool,
    follows_blank: bool,
    indent: usize,
}

/// `ends` has those line ends that end a statement.
fn split_lines<'a>(tokens: &'a [Token], ends: &[Token]) -> Vec<Line<'a>> {
    let mut ends = ends.iter().filter(|token| token.kind == TokenKind::Newline).peekable();
    let mut lines = Vec::new();
    let (mut continues, mut follows_blank) = (false, false);
    for piece in tokens.split_inclusive(|token| token.kind == TokenKind::Newline) {
        let (line, newline) = match piece.split_last() {
            Some((last, line)) if last.kind == TokenKind::Newline => (line, Some(last)),
            _ => (piece, None),
        };
        if line.is_empty() {
            follows_blank = !lines.is_empty();
        } else {
            lines.push(Line { tokens: line, continues, follows_blank, indent: 0 });
            follows_blank = false;
        }
        continues = newline.is_some_and(|newline| ends.next_if_eq(&newline).is_none());
    }
    lines
}
