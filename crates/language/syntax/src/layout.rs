//! Where statements end: which line ends count.
//!
//! A statement goes on to the next line inside parentheses and brackets, after an operator, comma or `=`, and where the
//! next line begins with an operator. So a `-` or `+` at the start of a line continues the line above: no statement
//! begins with a sign.

use crate::keywords;
use crate::token::{Token, TokenKind};

/// The tokens the parser reads: no comments, no line ends inside statements, and an end of text.
pub fn statement_tokens(tokens: &[Token], text: &str) -> Vec<Token> {
    let significant: Vec<Token> = tokens.iter().copied().filter(|token| token.kind.is_significant()).collect();
    let mut kept = Vec::with_capacity(tokens.len() + 1);
    let mut open: Vec<TokenKind> = Vec::new();
    let mut following = 0;
    for &token in tokens {
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Newline => {
                let (before, after) = significant.split_at(following);
                if ends_statement(&mut open, before.last(), after, text) {
                    kept.push(token);
                }
            }
            kind => {
                follow_brackets(&mut open, kind);
                kept.push(token);
                following += 1;
            }
        }
    }
    kept.push(Token { kind: TokenKind::EndOfText, start: text.len(), end: text.len() });
    kept
}

/// Keeps the stack of open brackets. A closing brace closes whatever was left open inside its braces.
fn follow_brackets(open: &mut Vec<TokenKind>, kind: TokenKind) {
    if kind.closing().is_some() {
        open.push(kind);
    } else if kind == TokenKind::CloseBrace {
        leave_brackets(open);
        open.pop();
    } else if kind.is_closing() && open.last().and_then(|opening| opening.closing()) == Some(kind) {
        open.pop();
    }
}

/// Forgets what is open inside the innermost braces.
fn leave_brackets(open: &mut Vec<TokenKind>) {
    let inside = open.iter().rposition(|kind| *kind == TokenKind::OpenBrace).map_or(0, |brace| brace + 1);
    open.truncate(inside);
}

fn ends_statement(open: &mut Vec<TokenKind>, before: Option<&Token>, after: &[Token], text: &str) -> bool {
    // An unclosed parenthesis or a missing operand must not swallow the statements that follow.
    if begins_anew(open, after, text) {
        leave_brackets(open);
        return true;
    }
    let in_braces = open.last().is_none_or(|kind| *kind == TokenKind::OpenBrace);
    in_braces && before.is_none_or(|before| !goes_on_after(*before, text)) && !goes_on_with(after, text)
}

/// Whether the line above asks for more.
fn goes_on_after(token: Token, text: &str) -> bool {
    use TokenKind::*;
    let word = || matches!(token.text(text), "and" | "or" | "not" | "in" | "is" | "if" | "then" | "else" | "about");
    token.kind.is_operator()
        || matches!(token.kind, Comma | Colon | ColonDefine | Define | PlusDefine | Period | Range)
        || (token.kind == Word && word())
}

/// Whether the line below can only be read as the rest of the one above.
fn goes_on_with(after: &[Token], text: &str) -> bool {
    use TokenKind::*;
    let Some(first) = after.first() else { return false };
    let word = || match first.text(text) {
        "and" | "or" | "in" | "is" | "then" | "else" => true,
        "assuming" | "instead" | "given" | "using" | "minimizing" => {
            after.get(1).is_some_and(|second| second.kind.begins_operand())
        }
        "relative" => after.get(1).is_some_and(|second| second.text(text) == "to"),
        _ => false,
    };
    first.kind.is_operator()
        || matches!(first.kind, Comma | Define | PlusDefine | Period | Range | OpenBrace)
        || (first.kind == Word && word())
}

/// Whether the line below cannot be part of an expression: it closes a brace, defines or declares something, or is a
/// keyword with another word or a number beside it, which no expression ever has.
fn begins_anew(open: &[TokenKind], after: &[Token], text: &str) -> bool {
    let (Some(first), second) = (after.first(), after.get(1)) else { return false };
    let Some(second) = second.filter(|_| first.kind == TokenKind::Word) else {
        return first.kind == TokenKind::CloseBrace;
    };
    match second.kind {
        TokenKind::Define | TokenKind::PlusDefine => true,
        // In parentheses it names an argument.
        TokenKind::Colon => open.last() != Some(&TokenKind::OpenParenthesis),
        TokenKind::Word | TokenKind::Number => {
            let joins = matches!(second.text(text), "and" | "or" | "then" | "else" | "in" | "is" | "for" | "relative");
            !joins && keywords::statement(first.text(text)).is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokenize;

    /// The statements of a text, on one line each.
    fn statements(text: &str) -> Vec<String> {
        let mut lines = vec![String::new()];
        for token in statement_tokens(&tokenize(text), text) {
            match token.kind {
                TokenKind::Newline => lines.push(String::new()),
                _ => lines.last_mut().unwrap().push_str(token.text(text)),
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    #[test]
    fn operators_and_brackets_continue_a_statement() {
        assert_eq!(statements("a +\nb\nc"), ["a+b", "c"]);
        assert_eq!(statements("a\n  - b // less\n  // and\n  == c"), ["a-b==c"]);
        assert_eq!(statements("f(a,\nb\n)\nc"), ["f(a,b)", "c"]);
        assert_eq!(statements("if a\nthen b\nelse c"), ["ifathenbelsec"]);
        assert_eq!(statements("p\nrelative to f\nrelative = 1"), ["prelativetof", "relative=1"]);
    }

    #[test]
    fn braces_hold_statements() {
        assert_eq!(statements("body b\n{\na = 1\nc = 2 }"), ["bodyb{", "a=1", "c=2}"]);
    }

    #[test]
    fn heads_and_sums_go_on() {
        assert_eq!(statements("kind a\nis b\n{\nx: [m]\n}"), ["kindaisb{", "x:[m]", "}"]);
        assert_eq!(statements("law l(a: b)\nassuming c > 0\n{}"), ["lawl(a:b)assumingc>0{}"]);
        assert_eq!(statements("a: [m]\nassuming: [m]\nassuming == 1"), ["a:[m]", "assuming:[m]", "assuming==1"]);
        assert_eq!(statements("a +=\nb\nc\n+= d"), ["a+=b", "c+=d"]);
        assert_eq!(statements("a == b\n|c| == d\n(e) == f"), ["a==b", "|c|==d", "(e)==f"]);
    }

    #[test]
    fn what_is_missing_does_not_swallow_the_next_statement() {
        assert_eq!(statements("let a =\nparam b = 3"), ["leta=", "paramb=3"]);
        assert_eq!(statements("let a = 1 +\nlight * 3"), ["leta=1+light*3"]);
        assert_eq!(statements("let a = (1, 2\nparam b = 3"), ["leta=(1,2", "paramb=3"]);
        assert_eq!(statements("let a = (light\n * light\n)"), ["leta=(light*light)"]);
        assert_eq!(statements("a: vec [m\nb: [s]\nc: d ==\ne: [m]"), ["a:vec[m", "b:[s]", "c:d==", "e:[m]"]);
        assert_eq!(statements("rod(\nfrom: a,\nto: b)"), ["rod(from:a,to:b)"]);
        assert_eq!(statements("body b { p = (1\nmass = 2\n}\nscene s"), ["bodyb{p=(1", "mass=2", "}", "scenes"]);
    }
}
