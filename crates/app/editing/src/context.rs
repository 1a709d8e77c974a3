//! Where the cursor stands: what kind of word could be written there.

use syntax::{Token, TokenKind};

/// What may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Context {
    Nothing,
    Statement,
    /// In the braces of a transition, a sequence or a plan.
    Effect,
    /// In the braces of a frame, or of a body.
    Property {
        body: bool,
    },
    /// In the braces of `contact`.
    Contact,
    /// In the braces of a thing of a kind.
    Given {
        kind: String,
    },
    /// After a point: of what is asked.
    Field {
        of: String,
    },
    Unit,
    Color,
    Theory,
    Figure,
    Shape,
    /// After the colon of a thing or a quantity.
    Kind,
    /// Where a frame or another thing is named.
    Thing,
    Expression,
}

/// The context at an offset, and where the word begins that is being written there.
pub fn context(text: &str, offset: usize) -> (Context, usize) {
    let before = &text[..offset];
    let tokens = syntax::tokenize(before);
    match tokens.last() {
        Some(last) if last.kind == TokenKind::Comment && !before[last.end..].contains('\n') => {
            return (Context::Nothing, offset);
        }
        Some(last) if last.kind == TokenKind::UnclosedText => {
            let said = |token: &&Token| token.kind.is_significant() && token.start < last.start;
            let color = tokens.iter().rev().find(said).is_some_and(|token| token.text(text) == "color");
            return (if color { Context::Color } else { Context::Nothing }, last.start + 1);
        }
        _ => {}
    }
    let mut tokens = syntax::statement_tokens(&tokens, before);
    // The end of the text.
    tokens.pop();
    let from = match tokens.last() {
        Some(word) if word.kind == TokenKind::Word && word.end == offset => {
            let start = word.start;
            tokens.pop();
            start
        }
        Some(number) if number.kind == TokenKind::Number && number.end == offset => return (Context::Nothing, offset),
        _ => offset,
    };
    (after(&Before { text, tokens: &tokens }), from)
}

struct Before<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

fn after(before: &Before<'_>) -> Context {
    let Before { tokens, .. } = *before;
    if let Some(open) = before.open_bracket()
        && before.is_unit(open)
    {
        return Context::Unit;
    }
    let Some((last, rest)) = tokens.split_last() else { return Context::Statement };
    match last.kind {
        TokenKind::Period => return before.asked(rest),
        TokenKind::Newline | TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace => {
            return before.block();
        }
        TokenKind::Number | TokenKind::CloseParenthesis | TokenKind::Text => return Context::Expression,
        _ => {}
    }
    let head = before.head(tokens.len());
    let first = head.first().map_or("", |token| before.word(*token));
    let said = before.word(*last);
    match (first, said, head.len()) {
        ("use", _, 1) => Context::Theory,
        ("show", _, 1) => Context::Figure,
        (
            "scene" | "theory" | "param" | "let" | "fn" | "control" | "frame" | "body" | "group" | "mode" | "kind"
            | "connection" | "law",
            _,
            1,
        ) => Context::Nothing,
        ("frame" | "body" | "surface", "in", _)
        | (_, "on" | "to" | "relative", _)
        | ("trace" | "join" | "contact", _, 1)
        | ("contact", "," | "between", _) => Context::Thing,
        ("join", "with", _) => Context::Kind,
        (_, "=", _) if head.len() >= 2 && before.word(head[head.len() - 2]) == "shape" => Context::Shape,
        (_, ":", 2) if head[0].kind == TokenKind::Word => Context::Kind,
        _ if last.kind == TokenKind::Colon && before.is_parameter(head) => Context::Kind,
        ("kind" | "connection", "is", _) => Context::Kind,
        _ => Context::Expression,
    }
}

impl Before<'_> {
    fn word(&self, token: Token) -> &str {
        token.text(self.text)
    }

    /// The tokens of the statement that ends before a place in the list.
    fn head(&self, end: usize) -> &[Token] {
        let begins = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Newline | TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace
            )
        };
        let start = self.tokens[..end].iter().rposition(begins).map_or(0, |at| at + 1);
        &self.tokens[start..end]
    }

    /// The innermost bracket of a statement that is open.
    fn open_bracket(&self) -> Option<usize> {
        let mut closed = 0;
        for (at, token) in self.tokens.iter().enumerate().rev() {
            match token.kind {
                TokenKind::CloseBracket => closed += 1,
                TokenKind::OpenBracket if closed == 0 => return Some(at),
                TokenKind::OpenBracket => closed -= 1,
                TokenKind::Newline | TokenKind::OpenBrace | TokenKind::CloseBrace => return None,
                _ => {}
            }
        }
        None
    }

    /// A bracket that touches a name holds an index, one after `in` a range.
    fn is_unit(&self, open: usize) -> bool {
        let Some(before) = open.checked_sub(1).map(|at| self.tokens[at]) else { return false };
        let touches = before.end == self.tokens[open].start;
        match before.kind {
            TokenKind::Word => !touches && self.word(before) != "in",
            TokenKind::Number | TokenKind::CloseParenthesis | TokenKind::Colon => true,
            TokenKind::CloseBracket => !touches,
            _ => false,
        }
    }

    /// The path before a point.
    fn asked(&self, rest: &[Token]) -> Context {
        let mut at = rest.len();
        loop {
            let Some(token) = at.checked_sub(1).map(|at| rest[at]) else { return Context::Nothing };
            at -= 1;
            if matches!(token.kind, TokenKind::CloseBracket | TokenKind::CloseParenthesis) {
                let mut closed = 1;
                while closed > 0 && at > 0 {
                    at -= 1;
                    match rest[at].kind {
                        kind if kind.is_closing() => closed += 1,
                        kind if kind.closing().is_some() => closed -= 1,
                        _ => {}
                    }
                }
                // What is indexed or called, if it touches.
                if token.kind == TokenKind::CloseParenthesis
                    && (at == 0 || rest[at - 1].kind != TokenKind::Word || rest[at - 1].end != rest[at].start)
                {
                    break;
                }
                at = at.saturating_sub(1);
            } else if token.kind != TokenKind::Word {
                return Context::Nothing;
            }
            if at == 0 || rest[at - 1].kind != TokenKind::Period {
                break;
            }
            at -= 1;
        }
        let (Some(first), Some(last)) = (rest.get(at), rest.last()) else { return Context::Nothing };
        Context::Field { of: self.text[first.start..last.end].to_string() }
    }

    /// What the innermost open braces hold.
    fn block(&self) -> Context {
        let mut closed = 0;
        for (at, token) in self.tokens.iter().enumerate().rev() {
            match token.kind {
                TokenKind::CloseBrace => closed += 1,
                TokenKind::OpenBrace if closed == 0 => return self.inside(self.head(at)),
                TokenKind::OpenBrace => closed -= 1,
                _ => {}
            }
        }
        Context::Statement
    }

    /// What braces hold, by what stands before them.
    fn inside(&self, head: &[Token]) -> Context {
        let word = |at: usize| head.get(at).map_or("", |token| self.word(*token));
        let colon = head.iter().position(|token| token.kind == TokenKind::Colon);
        match (word(0), colon) {
            ("frame", _) => Context::Property { body: false },
            ("body", _) => Context::Property { body: true },
            ("contact", None) => Context::Contact,
            ("when" | "sequence" | "plan" | "begin" | "until" | "after", _) => Context::Effect,
            ("kind" | "connection" | "law" | "for" | "", _) => Context::Statement,
            (_, Some(colon)) => Context::Given { kind: word(colon + 1).to_string() },
            (kind, None) => Context::Given { kind: kind.to_string() },
        }
    }

    /// `kind Car(start: `
    fn is_parameter(&self, head: &[Token]) -> bool {
        matches!(head.first().map(|token| self.word(*token)), Some("kind" | "connection" | "law" | "choose"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_end(text: &str) -> Context {
        context(text, text.len()).0
    }

    #[test]
    fn what_may_follow_is_seen_from_what_is_before() {
        assert_eq!(at_end(""), Context::Statement);
        assert_eq!(at_end("scene a\nbo"), Context::Statement);
        assert_eq!(at_end("use "), Context::Theory);
        assert_eq!(at_end("body b { mass = 1 [k"), Context::Unit);
        assert_eq!(at_end("body b { mass = 1 [kg]; po"), Context::Property { body: true });
        assert_eq!(at_end("body b { shape = "), Context::Shape);
        assert_eq!(at_end("frame f in "), Context::Thing);
        assert_eq!(at_end("always |a.position - car[i + 1].chas"), Context::Field { of: "car[i + 1]".to_string() });
        assert_eq!(at_end("plot (v in car)."), Context::Field { of: "(v in car)".to_string() });
        assert_eq!(at_end("plot f(x).y"), Context::Field { of: "f(x)".to_string() });
        assert_eq!(at_end("plot bob["), Context::Expression);
        assert_eq!(at_end("control u in ["), Context::Expression);
        assert_eq!(at_end("control u in [0, 1] [N"), Context::Unit);
        assert_eq!(at_end("show sphere(8 [cm]) on bob color \"to"), Context::Color);
        assert_eq!(at_end("param a = 1 \"of the ro"), Context::Nothing);
        assert_eq!(at_end("// a comment about bo"), Context::Nothing);
        assert_eq!(at_end("r1: "), Context::Kind);
        assert_eq!(at_end("r1: resistor(a, b) { "), Context::Given { kind: "resistor".to_string() });
        assert_eq!(at_end("contact ball, fl"), Context::Thing);
        assert_eq!(at_end("contact all { fric"), Context::Contact);
        assert_eq!(at_end("plot contact(a, b).ga"), Context::Field { of: "contact(a, b)".to_string() });
        assert_eq!(at_end("when hit: x <= 0 { ke"), Context::Effect);
        assert_eq!(at_end("kind node { "), Context::Statement);
        assert_eq!(at_end("let x = 1 +\n y"), Context::Expression);
        assert_eq!(at_end("param x = 2"), Context::Nothing);
        assert_eq!(context("plot θ.an", "plot θ.an".len()).1, "plot θ.".len());
    }
}
