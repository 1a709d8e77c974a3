//! From characters to tokens.

use super::parse::ParseError;
use crate::{Notation, Operator};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    Word(&'t str),
    /// The digits, as written and without a sign.
    Number(&'t str),
    Symbol(&'t str),
    /// The text after `//`.
    Note(&'t str),
    /// The text after `///`.
    Documentation(&'t str),
    End,
}

/// A token and where it begins, in bytes.
pub type Placed<'t> = (Token<'t>, usize);

pub fn tokens(text: &str) -> Result<Vec<Placed<'_>>, ParseError> {
    let symbols = symbols();
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.is_empty() {
            tokens.push((Token::End, at));
            return Ok(tokens);
        }
        let (token, length) = token(rest, &symbols).ok_or_else(|| ParseError::at(text, at, "a token"))?;
        tokens.push((token, at));
        at += length;
    }
}

/// The token at the beginning of the text, and its length.
fn token<'t>(text: &'t str, symbols: &[&str]) -> Option<(Token<'t>, usize)> {
    if text.starts_with("//") {
        let line = text.split('\n').next()?;
        let token = match line.strip_prefix("///") {
            Some(note) => Token::Documentation(note.strip_prefix(' ').unwrap_or(note)),
            None => Token::Note(line[2..].strip_prefix(' ').unwrap_or(&line[2..])),
        };
        return Some((token, line.len()));
    }
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let length = number_length(text);
        return Some((Token::Number(&text[..length]), length));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        return Some((Token::Word(&text[..length]), length));
    }
    let symbol = symbols.iter().find(|&&symbol| text.starts_with(symbol))?;
    Some((Token::Symbol(&text[..symbol.len()]), symbol.len()))
}

/// Digits, letters (exponent, hexadecimal), a point that is no `..`, and the sign of an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let belongs = |at: usize| match bytes[at] {
        b'.' => bytes.get(at + 1) != Some(&b'.'),
        b'+' | b'-' => bytes[at - 1] == b'e' && !text.starts_with("0x"),
        byte => byte.is_ascii_alphanumeric(),
    };
    (1..bytes.len()).find(|&at| !belongs(at)).unwrap_or(bytes.len())
}

/// The punctuation and the operators of the table, longer ones first.
fn symbols() -> Vec<&'static str> {
    let mut symbols = vec!["->", "..", "(", ")", "[", "]", "{", "}", ",", ";", ":", "="];
    symbols.extend(Operator::all().filter_map(|operator| match operator.row().notation {
        Notation::Call(_) => None,
        Notation::Prefix(symbol) | Notation::Infix(symbol, _) => Some(symbol),
    }));
    symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.len()));
    symbols
}
