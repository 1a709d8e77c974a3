//! What to do with text that cannot be read: say so once, and find the place to go on from.

use base::{Diagnostic, Span};

use super::{Parser, Reported};
use crate::codes;
use crate::token::{Token, TokenKind};
use crate::tree::{Expr, ExprKind};

impl Parser<'_> {
    /// Reports that something is missing in an expression, with the likely reason.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Reported {
        let hint = self.likely_fix();
        self.missing(wanted, hint.as_deref())
    }

    /// Reports that something else should be here.
    pub(super) fn missing(&mut self, wanted: &str, hint: Option<&str>) -> Reported {
        // Two things missing in one place are one slip.
        if self.missing_at.replace(self.at) == Some(self.at) {
            return Reported(());
        }
        let token = self.token();
        if token.kind == TokenKind::UnclosedText {
            return self.report_unclosed_text(token);
        }
        let message = match token.kind {
            TokenKind::Newline | TokenKind::EndOfText => format!("{wanted} is missing at the end of this line"),
            _ => format!("{wanted} is needed here, not `{}`", token.text(self.text)),
        };
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.here(), "");
        let word = match [0, 1].map(|at| self.ahead(at).text(self.text)) {
            ["&", _] => Some("both conditions: write `and`"),
            ["|", "|"] => Some("at least one condition: write `or`"),
            ["!", _] => Some("the condition does not hold: write `not`"),
            _ => None,
        };
        self.report(match word.or(hint) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        })
    }

    /// The current token; at the end of a line, the place directly after the last one.
    fn here(&self) -> Span {
        let token = self.token();
        match token.kind {
            TokenKind::Newline | TokenKind::EndOfText => {
                let end = self.previous().map_or(token.start, |previous| previous.end);
                Span::new(self.source, end, end)
            }
            _ => self.span(token),
        }
    }

    pub(super) fn report_unclosed_text(&mut self, token: Token) -> Reported {
        let diagnostic = Diagnostic::error(codes::UNCLOSED_TEXT, "the closing quote of this text is missing");
        let hint = "a text in quotes ends on the line where it begins";
        self.report(diagnostic.at(self.span(token), "the text begins here").hint(hint))
    }

    /// Reports a bracket that is not closed before its statement ends, or else what stands in place of the closing one.
    pub(super) fn not_closed(&mut self, open: Token, closing: &str) -> Reported {
        if !self.at_end_of_statement() {
            return self.unexpected(&format!("`{closing}`"));
        }
        self.report_unclosed(open, closing)
    }

    pub(super) fn report_unclosed(&mut self, open: Token, closing: &str) -> Reported {
        let message = format!("`{}` is opened here and never closed", open.text(self.text));
        let here = self.here();
        let diagnostic = Diagnostic::error(codes::UNCLOSED, message).at(self.span(open), "opened here");
        let diagnostic = diagnostic.at(here, format!("`{closing}` is missing before this"));
        self.report(diagnostic.hint(format!("close it with `{closing}`")))
    }

    /// Reports what stands between a statement and its end. After a closing brace nothing need be there.
    pub(super) fn end_of_statement(&mut self) {
        let before = self.previous().map(|token| token.kind);
        let ended = matches!(
            before,
            Some(TokenKind::CloseBrace | TokenKind::OpenBrace | TokenKind::Newline | TokenKind::Semicolon)
        );
        if ended || self.at_end_of_statement() {
            return;
        }
        let token = self.token();
        if token.kind == TokenKind::UnclosedText {
            self.report_unclosed_text(token);
        } else {
            let message = format!("the statement should end before `{}`", token.text(self.text));
            let hint = self.likely_fix().unwrap_or("a new statement begins on a new line, or after `;`".to_string());
            self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(token), "").hint(hint));
        }
        self.skip_statement();
    }

    pub(super) fn skip_separators(&mut self) {
        while matches!(self.kind(), TokenKind::Newline | TokenKind::Semicolon) {
            self.bump();
        }
    }

    /// How many tokens come before the brace that closes the block around this place, if there is one.
    pub(super) fn tokens_to_closing_brace(&self) -> Option<usize> {
        let closing = self.closing_braces.get_or_init(|| closing_braces(&self.tokens));
        closing.get(self.at).copied().flatten().map(|brace| brace - self.at)
    }

    /// Skips to the end of the statement, or to the brace that closes the block it is in. Braces on the way are
    /// skipped with all they hold.
    pub(super) fn skip_statement(&mut self) {
        self.skip_to(|_| false);
    }

    /// As `skip_statement`, but stops before the opening brace of the statement too.
    pub(super) fn skip_to_block(&mut self) {
        self.skip_to(|kind| kind == TokenKind::OpenBrace);
    }

    fn skip_to(&mut self, stops: impl Fn(TokenKind) -> bool) {
        let mut braces = 0_usize;
        while self.kind() != TokenKind::EndOfText {
            if braces == 0 && (self.at_end_of_statement() || stops(self.kind())) {
                return;
            }
            match self.bump().kind {
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// The `Error` node for what stands from `start` to the end of the statement.
    pub(super) fn skipped_value(&mut self, start: usize) -> Expr {
        self.skip_statement();
        Expr::new(ExprKind::Error, self.span_from(start))
    }
}

/// For each token the brace that closes the block around it, if there is one; found from the end backwards.
fn closing_braces(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let mut closing = vec![None; tokens.len()];
    for (index, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::CloseBrace => open.push(index),
            TokenKind::OpenBrace => drop(open.pop()),
            _ => {}
        }
        closing[index] = open.last().copied();
    }
    closing
}
