//! Statements: which one it is, by its first word, and what to say when it is none.

use base::Diagnostic;

use super::{Parsed, Parser, Reported};
use crate::keywords::{KEYWORDS, Keyword};
use crate::token::{Token, TokenKind};
use crate::tree::{Item, ItemKind, Tree};
use crate::{codes, keywords};

impl Parser<'_> {
    pub fn tree(&mut self) -> Tree {
        let mut items = Vec::new();
        loop {
            items.extend(self.items());
            if self.kind() == TokenKind::EndOfText {
                break;
            }
            let message = "this brace closes nothing";
            let brace = self.bump();
            self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(brace), ""));
        }
        Tree { items, span: base::Span::new(self.source, 0, self.text.len()) }
    }

    /// The statements up to a closing brace or the end of the text.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            self.skip_separators();
            if matches!(self.kind(), TokenKind::CloseBrace | TokenKind::EndOfText) {
                return items;
            }
            items.push(self.item());
        }
    }

    fn item(&mut self) -> Item {
        let (start, reports) = (self.token().start, self.reports);
        let documentation = self.documentation();
        let kind = match self.item_kind() {
            Ok(kind) => kind,
            Err(Reported(())) => {
                self.skip_statement();
                ItemKind::Error
            }
        };
        self.end_of_statement();
        Item { kind, span: self.span_from(start), documentation, broken: self.reports > reports }
    }

    fn item_kind(&mut self) -> Parsed<ItemKind> {
        let token = self.token();
        if token.kind != TokenKind::Word {
            return Err(self.report_no_statement(token));
        }
        let keyword = match keywords::statement(token.text(self.text)) {
            Some(keyword) => keyword,
            None => self.unknown_statement(token)?,
        };
        let word = self.any_word();
        match keyword.statement() {
            Some(read) => self.nested(read),
            None => {
                self.report_later(token, &format!("`{}`", keyword.word));
                self.skip_statement();
                Ok(ItemKind::Unsupported(word))
            }
        }
    }

    pub(super) fn report_later(&mut self, token: Token, what: &str) -> Reported {
        let message = format!("{what} is not part of this version of the language");
        self.report(Diagnostic::error(codes::NOT_YET_SUPPORTED, message).at(self.span(token), ""))
    }

    fn report_no_statement(&mut self, token: Token) -> Reported {
        let message = format!("a statement cannot start with `{}`", token.text(self.text));
        let hint = "statements start with a word such as `param`, `body` or `always`";
        self.report(Diagnostic::error(codes::UNKNOWN_STATEMENT, message).at(self.span(token), "").hint(hint))
    }

    /// Reports a word that begins no statement. Where it is clear which was meant, that one is read.
    fn unknown_statement(&mut self, token: Token) -> Parsed<&'static Keyword> {
        if self.at_label() {
            return Err(self.report_later(token, "declaring things of a kind"));
        }
        let word = token.text(self.text);
        let translated = keywords::translated(word);
        let (hint, keyword) = if self.ahead(1).kind == TokenKind::Define {
            (format!("to define `{word}`, write `let {word} = …`, or `param {word} = …` if it may change"), None)
        } else if translated.is_none() && self.statement_has(TokenKind::Equal) {
            ("to state that two things are equal, write `always` or `initially` before it".to_string(), None)
        } else if let Some(keyword) = translated.or_else(|| keywords::nearest(word)) {
            (format!("write `{}`, as in `{}`", keyword.word, keyword.example), Some(keyword))
        } else {
            let words: Vec<&str> = KEYWORDS.iter().filter(|k| k.statement().is_some()).map(|k| k.word).collect();
            (format!("statements start with one of {}", words.join(", ")), None)
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_STATEMENT, format!("no statement starts with `{word}`"));
        let reported = self.report(diagnostic.at(self.span(token), "").hint(hint));
        keyword.ok_or(reported)
    }

    fn statement_has(&self, kind: TokenKind) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        rest.iter().take_while(|token| !token.kind.ends_statement()).any(|token| token.kind == kind)
    }

    /// The comment lines directly above a statement that begins its line.
    fn documentation(&self) -> Option<String> {
        if self.previous().is_some_and(|token| token.kind != TokenKind::Newline) {
            return None;
        }
        let (above, _) = self.text.get(..self.token().start)?.rsplit_once('\n')?;
        let comments = above.rsplit('\n').map_while(|line| line.trim().strip_prefix("//"));
        let mut lines: Vec<&str> = comments.map(|comment| comment.trim_start_matches('/').trim()).collect();
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
