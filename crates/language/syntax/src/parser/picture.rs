//! Statements about what is to be seen.

use super::{Parsed, Parser};
use crate::token::TokenKind;
use crate::tree::{Clause, Expr, ItemKind, Plot, Precedence, View, Word};

/// Words that begin a clause. Others may too; these cannot be the name of a camera or a light.
const CLAUSE_WORDS: &[&str] = &["on", "at", "from", "to", "looking", "color"];

pub(crate) fn show(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let subject = parser.expression(Precedence::Postfix)?;
    parser.view(Some(subject)).map(ItemKind::Show)
}

pub(crate) fn camera(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let subject = parser.optional_subject()?;
    parser.view(subject).map(ItemKind::Camera)
}

pub(crate) fn light(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let subject = parser.optional_subject()?;
    parser.view(subject).map(ItemKind::Light)
}

pub(crate) fn trace(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let subject = parser.expression(Precedence::Open)?;
    parser.view(Some(subject)).map(ItemKind::Trace)
}

/// `plot a, b against t`
pub(crate) fn plot(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let mut values = Vec::new();
    loop {
        values.push(parser.expression(Precedence::Open)?);
        if !parser.eat(TokenKind::Comma) {
            break;
        }
    }
    let against = if parser.eat_word("against") { Some(parser.value()) } else { None };
    Ok(ItemKind::Plot(Plot { values, against }))
}

impl Parser<'_> {
    fn optional_subject(&mut self) -> Parsed<Option<Expr>> {
        let nameless = self.at_end_of_statement() || CLAUSE_WORDS.contains(&self.token().text(self.text));
        if nameless { Ok(None) } else { self.expression(Precedence::Postfix).map(Some) }
    }

    /// What follows the subject: a file, and clauses.
    fn view(&mut self, subject: Option<Expr>) -> Parsed<View> {
        let file = self.text();
        let mut clauses = Vec::new();
        while self.kind() == TokenKind::Word && !self.at_word("while") {
            clauses.push(self.clause()?);
        }
        Ok(View { subject, file, clauses })
    }

    /// A word and a value; `looking at` counts as one word.
    pub(super) fn clause(&mut self) -> Parsed<Clause> {
        let Word { mut text, mut span } = self.any_word();
        if text == "looking" && self.at_word("at") {
            let at = self.any_word();
            text = "looking at".to_string();
            span = span.to(at.span);
        }
        let value = self.expression(Precedence::Open)?;
        let whole = self.span_from(span.start as usize);
        Ok(Clause { word: Word { text, span }, value, span: whole })
    }
}
