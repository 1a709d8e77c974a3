//! Statements: which one it is, by its first word, and what to say when it is none.

use base::Diagnostic;

use super::{Parsed, Parser, Place, Reported};
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

    /// The statements in braces, the opening one having been read.
    pub(super) fn block(&mut self, open: Token) -> Vec<Item> {
        self.blocks += 1;
        let items = self.items();
        self.blocks -= 1;
        if !self.eat(TokenKind::CloseBrace) {
            self.report_unclosed(open, "}");
        }
        items
    }

    /// The statements up to a closing brace or the end of the text. A definition stands in no braces, so where they
    /// are not closed later they should have been before it.
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            self.skip_separators();
            if matches!(self.kind(), TokenKind::CloseBrace | TokenKind::EndOfText) {
                return items;
            }
            if self.blocks > 0 && self.definition_begins(0) && self.tokens_to_closing_brace().is_none() {
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
        let condition = self.eat_word("while").then(|| self.value());
        self.end_of_statement();
        Item { kind, span: self.span_from(start), documentation, condition, broken: self.reports > reports }
    }

    fn item_kind(&mut self) -> Parsed<ItemKind> {
        let token = self.token();
        let in_definition = self.place == Place::Definition;
        if self.at_label() {
            return self.nested(Parser::named_statement);
        }
        if token.kind != TokenKind::Word {
            return if in_definition { self.bare_equation(None) } else { Err(self.report_no_statement(token)) };
        }
        let keyword = match keywords::statement(token.text(self.text)) {
            Some(keyword) if !self.is_name(keyword) => keyword,
            _ if self.ahead(1).text(self.text) == "for" => return self.connections(),
            _ if in_definition && self.at_quantity_without_colon() => return self.quantity_without_colon(),
            _ if self.is_bare_equation() => return self.bare_equation(None),
            _ => self.unknown_statement(token)?,
        };
        if self.blocks > 0 && self.definition_begins(0) {
            self.report_inside(token);
        }
        self.bump();
        let read = keyword.statement().expect("the words of expressions begin no statement");
        self.nested(read)
    }

    /// Whether a word that begins statements is the name of a quantity here, as in `force == der(momentum)`.
    fn is_name(&self, keyword: &Keyword) -> bool {
        use TokenKind::{Define, Minus, OpenBracket, Period, Plus, PlusDefine, Prime};
        // An author's own connection may be called so: `contact for pairs (a, b) in balls`.
        if keyword.word == "contact" && self.ahead(1).text(self.text) == "for" {
            return true;
        }
        let named = match self.ahead(1).kind {
            Plus | Minus => !matches!(keyword.word, "always" | "initially" | "history" | "gravity" | "plot" | "trace"),
            Define => keyword.word != "potential",
            kind => kind.is_operator() || matches!(kind, OpenBracket | Period | Prime | PlusDefine),
        };
        named && (self.place == Place::Definition || self.decisive_symbol() == Some(PlusDefine))
    }

    /// Whether an equation or an addition begins here, not having a word before it. In a scene it must be an addition.
    fn is_bare_equation(&self) -> bool {
        if self.place == Place::Scene {
            return self.decisive_symbol() == Some(TokenKind::PlusDefine);
        }
        let word = self.token().text(self.text);
        let next = self.ahead(1);
        let joins = matches!(next.text(self.text), "and" | "or" | "in" | "is" | "on" | "relative");
        let beside = matches!(next.kind, TokenKind::Word | TokenKind::Number) && !joins;
        !beside || (keywords::translated(word).is_none() && keywords::nearest(word).is_none())
    }

    /// Whether a scene, a theory or a definition begins so many tokens ahead.
    pub(super) fn definition_begins(&self, ahead: usize) -> bool {
        let (token, next) = (self.ahead(ahead), self.ahead(ahead + 1));
        let joins = matches!(next.text(self.text), "and" | "or" | "in" | "is" | "on" | "relative" | "for");
        let words = token.kind == TokenKind::Word && next.kind == TokenKind::Word && !joins;
        words && matches!(token.text(self.text), "scene" | "theory" | "kind" | "connection" | "law")
    }

    fn report_inside(&mut self, token: Token) {
        let word = token.text(self.text);
        let message = format!("`{word}` cannot stand inside braces");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(token), "");
        self.report(diagnostic.hint("close the braces before it, and let it stand by itself"));
    }

    pub(super) fn report_later(&mut self, token: Token, what: &str) -> Reported {
        let message = format!("{what} is not part of this version of the language");
        self.report(Diagnostic::error(codes::NOT_YET_SUPPORTED, message).at(self.span(token), ""))
    }

    fn report_no_statement(&mut self, token: Token) -> Reported {
        let message = format!("a statement cannot start with `{}`", token.text(self.text));
        // A comment of another language, most likely.
        let foreign = matches!(token.kind, TokenKind::Over | TokenKind::Unknown).then(|| self.likely_fix()).flatten();
        let hint = foreign.unwrap_or("statements start with a word such as `param`, `body` or `always`".to_string());
        self.report(Diagnostic::error(codes::UNKNOWN_STATEMENT, message).at(self.span(token), "").hint(hint))
    }

    /// Reports a word that begins no statement. Where it is clear which was meant, that one is read.
    fn unknown_statement(&mut self, token: Token) -> Parsed<&'static Keyword> {
        let word = token.text(self.text);
        let translated = keywords::translated(word);
        let (hint, keyword) = if self.ahead(1).kind == TokenKind::Define {
            (format!("to define `{word}`, write `let {word} = …`, or `param {word} = …` if it may change"), None)
        } else if let Some(sentence) = self.paraphrase(word).filter(|_| self.ahead(1).kind == TokenKind::Word) {
            // `floor z == 0`: two words beside one another are no side of an equation.
            (sentence.to_string(), None)
        } else if self.place == Place::Scene && translated.is_none() && self.statement_has(TokenKind::Equal) {
            ("to state that two things are equal, write `always` or `initially` before it".to_string(), None)
        } else if let Some(sentence) = self.paraphrase(word) {
            (sentence.to_string(), None)
        } else if let Some(keyword) = translated.or_else(|| keywords::nearest(word)) {
            (format!("write `{}`, as in `{}`", keyword.word, keyword.example), Some(keyword))
        } else if (word == "der" || self.ahead(1).kind == TokenKind::Prime)
            && self.place == Place::Scene
            && self.statement_has(TokenKind::Define)
        {
            (
                "a law is an equation that always holds: `always der(x) == …`; a single `=` defines a name".to_string(),
                None,
            )
        } else if self.ahead(1).kind == TokenKind::OpenParenthesis {
            (format!("to connect things, give the connection a name: `name: {word}(…)`"), None)
        } else if let Some(name) = self.word_before_block() {
            (format!("to declare a thing of the kind `{word}`, write `{name}: {word}`"), None)
        } else {
            let words: Vec<&str> = KEYWORDS.iter().filter(|k| k.statement().is_some()).map(|k| k.word).collect();
            (format!("statements start with one of {}", words.join(", ")), None)
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_STATEMENT, format!("no statement starts with `{word}`"));
        let reported = self.report(diagnostic.at(self.span(token), "").hint(hint));
        keyword.ok_or(reported)
    }

    /// A kind or a connection of somebody's own may have the name of what others have a statement for.
    fn paraphrase(&self, word: &str) -> Option<&'static str> {
        let declares = self.ahead(1).kind == TokenKind::OpenParenthesis || self.word_before_block().is_some();
        keywords::paraphrase(word).filter(|_| !declares)
    }

    /// The name in `resistor r1 { … }`.
    fn word_before_block(&self) -> Option<&str> {
        let (name, after) = (self.ahead(1), self.ahead(2).kind);
        let block = matches!(after, TokenKind::OpenBrace | TokenKind::OpenParenthesis) || after.ends_statement();
        (name.kind == TokenKind::Word && block).then(|| name.text(self.text))
    }

    pub(super) fn statement_has(&self, kind: TokenKind) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        rest.iter().take_while(|token| !token.kind.ends_statement()).any(|token| token.kind == kind)
    }

    pub(super) fn statement_has_word(&self, word: &str) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let statement = rest.iter().take_while(|token| !token.kind.ends_statement());
        statement.into_iter().any(|token| token.kind == TokenKind::Word && token.text(self.text) == word)
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
