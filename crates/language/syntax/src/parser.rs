//! From tokens to the tree, by recursive descent.
//!
//! The parser never fails. What cannot be read is reported once, left in the tree as an `Error` node, and skipped up to
//! the end of its statement, so that one text brings all its errors at once and none brings another.

pub(crate) mod actuation;
pub(crate) mod body;
pub(crate) mod change;
pub(crate) mod contact;
pub(crate) mod declaration;
mod expression;
mod hint;
pub(crate) mod join;
pub(crate) mod motion;
mod name;
pub(crate) mod picture;
mod quantity;
pub(crate) mod question;
mod recovery;
mod statement;
pub(crate) mod theory;
mod thing;

use std::cell::OnceCell;

use base::{Diagnostic, Diagnostics, SourceId, Span};

use crate::codes;
use crate::layout::statement_tokens;
use crate::lexer::tokenize;
use crate::token::{Token, TokenKind};
use crate::tree::{Expr, MAXIMUM_DEPTH, Precedence, Tree};

/// Reads a whole text. The tree is complete where nothing was reported.
pub fn parse(source: SourceId, text: &str, sink: &mut Diagnostics) -> Tree {
    Parser::new(source, text, sink).tree()
}

/// Reads a text that is one expression, such as a quantity to watch.
pub fn parse_expression(source: SourceId, text: &str, sink: &mut Diagnostics) -> Expr {
    let mut parser = Parser::new(source, text, sink);
    parser.skip_separators();
    let value = parser.value();
    parser.skip_separators();
    if parser.kind() != TokenKind::EndOfText && !value.is_error() {
        parser.unexpected("the end of the expression");
    }
    value
}

/// What the reader of part of a statement gives: the part, or the certainty that its absence has been reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// An error is in the list of diagnostics already; only reporting one makes this.
pub(crate) struct Reported(());

/// What a symbol with several uses was read as; the formatter puts spaces by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolUse {
    Sign,
    OpeningBar,
    ClosingBar,
    CallParenthesis,
    IndexBracket,
    UnitBracket,
}

/// What statements are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Scene,
    /// A kind, a connection or a law, where equations stand by themselves and names of quantities come first.
    Definition,
}

pub(crate) struct Parser<'a> {
    source: SourceId,
    text: &'a str,
    tokens: Vec<Token>,
    /// For each token the brace that closes the block around it; worked out when it is first asked for.
    closing_braces: OnceCell<Vec<Option<usize>>>,
    at: usize,
    /// How many readers of nested parts are under way, each on the stack of the one around it.
    depth: u32,
    place: Place,
    /// How many braces with statements in them are open.
    blocks: usize,
    reports: usize,
    /// Where something was last reported missing, as a number of tokens.
    missing_at: Option<usize>,
    sink: &'a mut Diagnostics,
    /// By the place where the symbol starts, in the order of the text.
    pub uses: Vec<(usize, SymbolUse)>,
}

impl<'a> Parser<'a> {
    pub fn new(source: SourceId, text: &'a str, sink: &'a mut Diagnostics) -> Parser<'a> {
        let tokens = statement_tokens(&tokenize(text), text);
        Parser {
            source,
            text,
            tokens,
            closing_braces: OnceCell::new(),
            at: 0,
            depth: 0,
            place: Place::Scene,
            blocks: 0,
            reports: 0,
            missing_at: None,
            sink,
            uses: Vec::new(),
        }
    }

    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The token so many places ahead; beyond the end there is the end of text again and again.
    fn ahead(&self, count: usize) -> Token {
        let end = Token { kind: TokenKind::EndOfText, start: self.text.len(), end: self.text.len() };
        self.tokens.get(self.at + count).copied().unwrap_or(end)
    }

    fn previous(&self) -> Option<Token> {
        self.at.checked_sub(1).and_then(|index| self.tokens.get(index)).copied()
    }

    /// Moves past the current token and gives it.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::EndOfText {
            self.at += 1;
        }
        token
    }

    fn bump_as(&mut self, symbol_use: SymbolUse) -> Token {
        let token = self.bump();
        self.uses.push((token.start, symbol_use));
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn at_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Word && self.token().text(self.text) == word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn at_end_of_statement(&self) -> bool {
        self.kind().ends_statement() || self.kind() == TokenKind::CloseBrace
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.source, token.start, token.end)
    }

    /// From a place to the end of the last token read.
    fn span_from(&self, start: usize) -> Span {
        let end = self.previous().map_or(start, |token| token.end.max(start));
        Span::new(self.source, start, end)
    }

    /// Runs the reader of a nested part, unless the nesting is out of hand.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAXIMUM_DEPTH {
            return Err(self.report_too_deep(self.span(self.token())));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn report_too_deep(&mut self, span: Span) -> Reported {
        let message = format!("this is nested more than {MAXIMUM_DEPTH} levels deep");
        let hint = "give parts of it names with `let`; each term of a sum counts as one level";
        self.report(Diagnostic::error(codes::TOO_DEEP, message).at(span, "").hint(hint))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        // Beyond this the text is not a scene, and nobody reads on.
        const MOST_REPORTS: usize = 100;
        self.reports += 1;
        if self.reports <= MOST_REPORTS {
            self.sink.report(diagnostic);
        }
        Reported(())
    }

    /// An expression that fills the rest of its statement. Where it cannot be read it is an `Error` node, and what the
    /// statement declares is known all the same.
    fn value(&mut self) -> Expr {
        let start = self.token().start;
        match self.expression(Precedence::Open) {
            Ok(value) => value,
            Err(Reported(())) => self.skipped_value(start),
        }
    }
}
