//! From characters to tokens. Nothing is refused here: an odd character becomes a token that the parser will speak of.

use crate::token::{SYMBOLS, Token, TokenKind};

/// All tokens of a text, comments and line ends included; only white space within a line is left out.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = character(text, at) {
        if let Some((kind, length)) = next_token(&text[at..], first) {
            tokens.push(Token { kind, start: at, end: at + length });
            at += length;
        } else {
            at += first.len_utf8();
        }
    }
    tokens
}

/// The kind and length of the token at the start of the rest of the text, or nothing for white space.
fn next_token(rest: &str, first: char) -> Option<(TokenKind, usize)> {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    match first {
        '\n' => Some((TokenKind::Newline, 1)),
        BYTE_ORDER_MARK => None,
        _ if first.is_whitespace() => None,
        _ if rest.starts_with("//") => Some((TokenKind::Comment, line_length(rest))),
        '"' => Some(quoted(rest)),
        _ if starts_number(rest) => Some((TokenKind::Number, number_length(rest))),
        _ if starts_word(first) => Some((TokenKind::Word, word_length(rest))),
        _ => Some(symbol(rest).unwrap_or((TokenKind::Unknown, first.len_utf8()))),
    }
}

fn character(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

fn symbol(rest: &str) -> Option<(TokenKind, usize)> {
    SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)).map(|(symbol, kind)| (*kind, symbol.len()))
}

/// Up to the end of the line, without the white space there.
fn line_length(rest: &str) -> usize {
    rest.lines().next().unwrap_or("").trim_end().len()
}

/// A text in quotes ends on its line, so a forgotten quote costs one line and not the rest of the file.
fn quoted(rest: &str) -> (TokenKind, usize) {
    let inside = &rest[1..];
    match inside.find(['"', '\n']) {
        Some(end) if inside[end..].starts_with('"') => (TokenKind::Text, end + 2),
        _ => (TokenKind::UnclosedText, line_length(rest)),
    }
}

fn starts_word(first: char) -> bool {
    first.is_alphabetic() || first == '_'
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !continues_word(c)).unwrap_or(rest.len())
}

/// Subscripts belong to a name, `ω₁`; superscripts do not, because `x²` would look like a power and not be one.
fn continues_word(c: char) -> bool {
    let superscript = matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹');
    (c.is_alphanumeric() || c == '_') && !superscript
}

fn starts_number(rest: &str) -> bool {
    let digits = rest.strip_prefix('.').unwrap_or(rest);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// A point belongs to a number only where a digit follows, so `1..3` is a range and `1.x` a field.
fn number_length(rest: &str) -> usize {
    let mut length = digits_length(rest);
    if starts_number(&rest[length..]) && rest[length..].starts_with('.') {
        length += 1 + digits_length(&rest[length + 1..]);
    }
    length + exponent_length(&rest[length..])
}

fn exponent_length(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix(['e', 'E']) else { return 0 };
    let sign = usize::from(after.starts_with(['+', '-']));
    match digits_length(&after[sign..]) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

fn digits_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        tokenize(text).iter().map(|token| token.text(text)).collect()
    }

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokenize(text).iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_leave_ranges_and_fields_alone() {
        assert_eq!(pieces("1..3"), ["1", "..", "3"]);
        assert_eq!(pieces("0.5 .5 1e-4 2.5E+3 1.x"), ["0.5", ".5", "1e-4", "2.5E+3", "1", ".", "x"]);
        assert_eq!(pieces("1em 2e+ 1.2.3"), ["1", "em", "2", "e", "+", "1.2", ".3"]);
    }

    #[test]
    fn words_are_unicode() {
        assert_eq!(pieces("θ ω₁ car_2 _a ẋ"), ["θ", "ω₁", "car_2", "_a", "ẋ"]);
        assert_eq!(kinds("x²"), [TokenKind::Word, TokenKind::Unknown]);
    }

    #[test]
    fn symbols_take_the_longest_fit() {
        assert_eq!(pieces("a<=b:=c==d'−e"), ["a", "<=", "b", ":=", "c", "==", "d", "'", "−", "e"]);
        assert_eq!(kinds("−-")[..], [TokenKind::Minus, TokenKind::Minus]);
    }

    #[test]
    fn comments_and_quotes_end_with_their_line() {
        assert_eq!(pieces("a // b \r\nc"), ["a", "// b", "\n", "c"]);
        assert_eq!(pieces("\"a // b\" \"c\nd"), ["\"a // b\"", "\"c", "\n", "d"]);
        assert_eq!(kinds("\"c\nd")[0], TokenKind::UnclosedText);
        assert_eq!(kinds("\"\"\""), [TokenKind::Text, TokenKind::UnclosedText]);
    }
}
