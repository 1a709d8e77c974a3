//! How far lines are moved in: two spaces for what is open, and two more for a statement that goes on.

use super::Line;
use crate::token::TokenKind;

const STEP: usize = 2;

pub(super) fn indent(lines: &mut [Line<'_>]) {
    // What is open, each with the indent of the line that opened it: two brackets opened on one line move in once.
    let mut open: Vec<(TokenKind, usize)> = Vec::new();
    for line in lines {
        let leading = line.tokens.iter().take_while(|token| token.kind.is_closing()).count();
        let closed = open.len().saturating_sub(leading);
        line.indent = match open.get(closed) {
            Some((_, indent)) if leading > 0 => *indent,
            _ => inside(&open, line),
        };
        for token in line.tokens {
            if token.kind.closing().is_some() {
                open.push((token.kind, line.indent));
            } else if token.kind.is_closing() {
                open.pop();
            }
        }
    }
}

/// The indent of a line that does not begin by closing something.
fn inside(open: &[(TokenKind, usize)], line: &Line<'_>) -> usize {
    let begins_block = line.tokens.first().is_some_and(|token| token.kind == TokenKind::OpenBrace);
    let further = if line.continues && !begins_block { STEP } else { 0 };
    match open.last() {
        None => further,
        Some((TokenKind::OpenBrace, indent)) => indent + STEP + further,
        Some((_, indent)) => indent + STEP,
    }
}
