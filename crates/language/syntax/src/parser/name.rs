//! Names: of what is declared, of equations, and the paths by which declared things are spoken of.

use base::{Diagnostic, Span};

use super::{Parsed, Parser, SymbolUse};
use crate::token::{Token, TokenKind};
use crate::tree::{Expr, ExprKind, Name, Precedence, Text, Word};
use crate::{codes, keywords};

impl Parser<'_> {
    /// A word that names something; `wanted` says what, for the message where there is none.
    pub(super) fn word(&mut self, wanted: &str) -> Parsed<Word> {
        if self.kind() != TokenKind::Word {
            return Err(self.missing(wanted, None));
        }
        let token = self.token();
        let text = token.text(self.text);
        if keywords::is_reserved(text) {
            let message = format!("`{text}` is a word of the language and cannot be a name");
            let diagnostic = Diagnostic::error(codes::RESERVED_WORD, message).at(self.span(token), "");
            return Err(self.report(diagnostic.hint(format!("choose another name, such as `{text}_1`"))));
        }
        Ok(self.any_word())
    }

    /// The current token, whatever word it is.
    pub(super) fn any_word(&mut self) -> Word {
        let token = self.bump();
        Word { text: token.text(self.text).to_string(), span: self.span(token) }
    }

    /// A name in a declaration, with its indices.
    pub(super) fn name(&mut self, wanted: &str) -> Parsed<Name> {
        let Word { text, span } = self.word(wanted)?;
        let indices = match self.kind() {
            TokenKind::OpenBracket => self.indices()?,
            _ => Vec::new(),
        };
        Ok(Name { text, indices, span: self.span_from(span.start as usize) })
    }

    /// `linked:` or `linked[i]:` where it stands before an equation.
    pub(super) fn label(&mut self) -> Parsed<Option<Name>> {
        if !self.at_label() {
            return Ok(None);
        }
        let name = self.name("a name")?;
        self.bump();
        Ok(Some(name))
    }

    /// Looks ahead over the indices for the colon.
    pub(super) fn at_label(&self) -> bool {
        if self.kind() != TokenKind::Word {
            return false;
        }
        let (mut ahead, mut open) = (1, 0_usize);
        loop {
            match self.ahead(ahead).kind {
                TokenKind::Colon => return open == 0,
                TokenKind::OpenBracket => open += 1,
                TokenKind::CloseBracket if open > 0 => open -= 1,
                kind if open == 0 || kind.ends_statement() => return false,
                _ => {}
            }
            ahead += 1;
        }
    }

    /// `[i, j + 1]`
    pub(super) fn indices(&mut self) -> Parsed<Vec<Expr>> {
        let open = self.bump_as(SymbolUse::IndexBracket);
        let mut indices = Vec::new();
        loop {
            indices.push(self.expression(Precedence::Open)?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(open, TokenKind::CloseBracket, "]")?;
        Ok(indices)
    }

    /// The way to something declared: `car[i].chassis`.
    pub(super) fn path(&mut self, wanted: &str) -> Parsed<Expr> {
        if self.kind() != TokenKind::Word {
            return Err(self.missing(wanted, None));
        }
        let path = self.expression(Precedence::Postfix)?;
        if is_path(&path) {
            return Ok(path);
        }
        Err(self.report_no_path(path.span, wanted))
    }

    pub(super) fn report_no_path(&mut self, span: Span, wanted: &str) -> super::Reported {
        let message = format!("{wanted} is needed here");
        let hint = "write a name, perhaps with an index or a field, as in `car[1].chassis`";
        self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(span, "").hint(hint))
    }

    pub(super) fn close(&mut self, open: Token, kind: TokenKind, closing: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.not_closed(open, closing)) }
    }

    /// A text in quotes, if there is one here.
    pub(super) fn text(&mut self) -> Option<Text> {
        let token = self.token();
        let inside = match token.kind {
            TokenKind::Text => self.text.get(token.start + 1..token.end - 1),
            TokenKind::UnclosedText => {
                self.report_unclosed_text(token);
                self.text.get(token.start + 1..token.end)
            }
            _ => return None,
        };
        self.bump();
        Some(Text { value: inside.unwrap_or("").to_string(), span: self.span(token) })
    }
}

pub(super) fn is_path(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) => true,
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => is_path(base),
        _ => false,
    }
}
