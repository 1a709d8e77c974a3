//! Spaces within a line, and where its columns begin.

use super::Line;
use crate::keywords;
use crate::parser::SymbolUse;
use crate::token::{Token, TokenKind};

/// A line as it will be printed, in cells that may be aligned with those of its neighbours.
pub(super) struct Spaced {
    pub indent: usize,
    pub follows_blank: bool,
    pub pattern: Pattern,
    /// An empty cell is a column that this line leaves out.
    pub cells: Vec<String>,
    pub comment: Option<String>,
}

/// What kind of thing a line says; only lines of the same kind share columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// `param length | = 1 [m] | "description"`, and `let`
    Definition,
    /// `fn slope(a) | = partial(altitude(a), a) / radius`
    Function,
    /// `control up_down in [-1, 1] | = 0 | "description"`
    Control,
    /// `body | bob | in swing | { mass = 1 [kg] }`
    Placement,
    /// `r1: | resistor(node1, node2) | { resistance = 1000 [ohm] }`
    Thing,
    /// `force | == der(momentum)`, not after `always` and the like
    Equation,
    Other,
}

pub(super) fn space(line: &Line<'_>, text: &str, uses: &[(usize, SymbolUse)]) -> Spaced {
    let (code, comment) = match line.tokens.split_last() {
        Some((last, code)) if last.kind == TokenKind::Comment => (code, Some(last.text(text).to_string())),
        _ => (line.tokens, None),
    };
    let pattern = if line.continues { Pattern::Other } else { pattern(code, text) };
    let pieces = pieces(code, text, uses);
    let mut cells = Vec::new();
    let mut start = 0;
    for end in columns(pattern, code, text).into_iter().chain([code.len()]) {
        cells.push(join(pieces.get(start..end).unwrap_or(&[])));
        start = end;
    }
    Spaced { indent: line.indent, follows_blank: line.follows_blank, pattern, cells, comment }
}

fn pattern(code: &[Token], text: &str) -> Pattern {
    let (Some(first), Some(last)) = (code.first(), code.last()) else { return Pattern::Other };
    let has = |kind| code.iter().any(|token| token.kind == kind);
    let defines = has(TokenKind::Define) && !has(TokenKind::Semicolon);
    match first.text(text) {
        "param" | "let" if defines => Pattern::Definition,
        "fn" if defines => Pattern::Function,
        "control" if defines => Pattern::Control,
        "frame" | "body" if has(TokenKind::OpenBrace) && last.kind == TokenKind::CloseBrace => Pattern::Placement,
        _ if is_thing(code) => Pattern::Thing,
        word if equal_sign(code).is_some() && !is_keyword(word, code) => Pattern::Equation,
        _ => Pattern::Other,
    }
}

/// A name, a colon, a kind, and one pair of braces that ends with the line.
fn is_thing(code: &[Token]) -> bool {
    let named = code.first().is_some_and(|token| token.kind == TokenKind::Word);
    let colon = if named { colon_after_name(code) } else { None };
    let kind = colon.and_then(|colon| code.get(colon + 1));
    let braces = code.iter().filter(|token| token.kind == TokenKind::OpenBrace).count();
    let ends = code.last().is_some_and(|token| token.kind == TokenKind::CloseBrace);
    kind.is_some_and(|token| token.kind == TokenKind::Word) && braces == 1 && ends
}

/// The colon in `r1:` or `car[i]:`.
fn colon_after_name(code: &[Token]) -> Option<usize> {
    let indexed = code.get(1).is_some_and(|token| token.kind == TokenKind::OpenBracket);
    let close = code.iter().position(|token| token.kind == TokenKind::CloseBracket);
    let colon = if indexed { close? + 1 } else { 1 };
    code.get(colon).filter(|token| token.kind == TokenKind::Colon).map(|_| colon)
}

/// The `==` of a line that is one equation.
fn equal_sign(code: &[Token]) -> Option<usize> {
    use TokenKind::{CloseBrace, Define, Equal, OpenBrace, PlusDefine, Semicolon};
    let mut open = 0_usize;
    let mut found = None;
    for (index, token) in code.iter().enumerate() {
        match token.kind {
            OpenBrace | CloseBrace | Define | PlusDefine | Semicolon => return None,
            Equal if open == 0 && found.is_none() => found = Some(index),
            kind if kind.closing().is_some() => open += 1,
            kind if kind.is_closing() => open = open.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// Whether the first word of a line begins a statement there, and is not the name of a quantity.
fn is_keyword(word: &str, code: &[Token]) -> bool {
    use TokenKind::{Colon, OpenBracket, Period, Prime};
    let named = |token: &Token| token.kind.is_operator() || matches!(token.kind, Colon | OpenBracket | Period | Prime);
    let states = matches!(word, "always" | "initially" | "history");
    keywords::statement(word).is_some() && (states || !code.get(1).is_some_and(named))
}

/// The tokens before which a new column begins.
fn columns(pattern: Pattern, code: &[Token], text: &str) -> Vec<usize> {
    let find = |kind| code.iter().position(|token| token.kind == kind).unwrap_or(code.len());
    match pattern {
        Pattern::Other => Vec::new(),
        Pattern::Definition | Pattern::Function | Pattern::Control => {
            let described = match code {
                [.., before, last] => last.kind == TokenKind::Text && before.kind != TokenKind::Define,
                _ => false,
            };
            let description = described.then(|| code.len() - 1);
            [find(TokenKind::Define)].into_iter().chain(description).collect()
        }
        Pattern::Placement => {
            let brace = find(TokenKind::OpenBrace);
            let parent = code.iter().take(brace).position(|token| token.text(text) == "in").unwrap_or(brace);
            vec![1, parent, brace]
        }
        Pattern::Thing => {
            let kind = colon_after_name(code).map_or(0, |colon| colon + 1);
            vec![kind, find(TokenKind::OpenBrace)]
        }
        Pattern::Equation => equal_sign(code).into_iter().collect(),
    }
}

/// A token with what the parser and its surroundings say about it.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    kind: TokenKind,
    symbol_use: Option<SymbolUse>,
    /// Between the brackets of a unit, or its closing bracket.
    in_unit: bool,
}

fn pieces<'a>(code: &[Token], text: &'a str, uses: &[(usize, SymbolUse)]) -> Vec<Piece<'a>> {
    let mut in_unit = false;
    let piece = |token: &Token| {
        let found = uses.binary_search_by_key(&token.start, |(start, _)| *start).ok();
        let symbol_use = found.and_then(|index| uses.get(index)).map(|(_, symbol_use)| *symbol_use);
        let piece = Piece { text: token.text(text), kind: token.kind, symbol_use, in_unit };
        in_unit = symbol_use == Some(SymbolUse::UnitBracket) || (in_unit && token.kind != TokenKind::CloseBracket);
        piece
    };
    code.iter().map(piece).collect()
}

fn join(pieces: &[Piece<'_>]) -> String {
    let mut joined = String::new();
    let mut before: Option<Piece<'_>> = None;
    for &piece in pieces {
        if before.is_some_and(|before| separated(before, piece)) {
            joined.push(' ');
        }
        joined.push_str(piece.text);
        before = Some(piece);
    }
    joined
}

/// Whether a space stands between two neighbours.
fn separated(left: Piece<'_>, right: Piece<'_>) -> bool {
    use TokenKind::*;
    if right.in_unit {
        let wordlike = |piece: Piece<'_>| matches!(piece.kind, Word | Number);
        return left.in_unit && wordlike(left) && wordlike(right);
    }
    let tight = |kind| matches!(kind, Period | Range | Caret);
    let opens = matches!(left.kind, OpenParenthesis | OpenBracket)
        || matches!(left.symbol_use, Some(SymbolUse::OpeningBar | SymbolUse::Sign));
    let closes = matches!(right.kind, CloseParenthesis | CloseBracket | Comma | Semicolon | Colon | Prime)
        || right.symbol_use == Some(SymbolUse::ClosingBar);
    let belongs = matches!(right.symbol_use, Some(SymbolUse::CallParenthesis | SymbolUse::IndexBracket));
    let empty = left.kind == OpenBrace && right.kind == CloseBrace;
    !(tight(left.kind) || tight(right.kind) || opens || closes || belongs || empty)
}
