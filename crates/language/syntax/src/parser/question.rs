//! Questions, and what is taken for granted where they are answered.

use super::{Parsed, Parser};
use crate::token::TokenKind;
use crate::tree::{Assume, Describe, Expr, Extreme, Find, ItemKind, Precedence, Sweep};

const FIND: &str = "as in `find boat.speed given steady(boat)`";
const EXTREME: &str = "as in `find max |x| over 10 [s]`";
const SWEEP: &str = "as in `find boat.speed for course in 40 [deg] .. 90 [deg]`";

/// `assume NAME: EQUATION`, `assume CONDITION`, `assume NAME`
pub(crate) fn assume(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let label = parser.label()?;
    let statement = parser.expression(Precedence::Open)?;
    Ok(ItemKind::Assume(Assume { label, statement }))
}

/// `neglect LAW, LAW`
pub(crate) fn neglect(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let mut laws = Vec::new();
    loop {
        laws.push(parser.word("the name of a law")?);
        if !parser.eat(TokenKind::Comma) {
            return Ok(ItemKind::Neglect(laws));
        }
    }
}

/// `find max A, B as [UNIT] given C, D when E over T for P in FIRST .. LAST by STEP`, of which all but `A` may be left out
pub(crate) fn find(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    if parser.at_end_of_statement() {
        return Err(parser.missing("what is asked for", Some(FIND)));
    }
    let extreme = parser.extreme();
    let asked = parser.expressions()?;
    let mut unit = None;
    if parser.eat_word("as") {
        if parser.kind() != TokenKind::OpenBracket {
            return Err(parser.missing("a unit in brackets", Some("as in `find boat.speed as [ft/s]`")));
        }
        unit = Some(parser.unit()?);
    }
    let given = if parser.eat_word("given") { parser.expressions()? } else { Vec::new() };
    let when = if parser.eat_word("when") { Some(parser.expression(Precedence::Open)?) } else { None };
    let over = if parser.eat_word("over") { Some(parser.expression(Precedence::Sum)?) } else { None };
    if extreme.is_some() && over.is_none() {
        return Err(parser.missing("`over` and how long a run is", Some(EXTREME)));
    }
    let sweep = if parser.eat_word("for") { Some(parser.sweep()?) } else { None };
    Ok(ItemKind::Find(Box::new(Find { extreme, asked, unit, given, when, over, sweep })))
}

/// `describe A, B over T`
pub(crate) fn describe(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    if parser.at_end_of_statement() {
        return Err(parser.missing("whose motion is to be described", Some("as in `describe bob over 20 [s]`")));
    }
    let things = parser.expressions()?;
    let over = if parser.eat_word("over") { Some(parser.expression(Precedence::Sum)?) } else { None };
    Ok(ItemKind::Describe(Describe { things, over }))
}

impl Parser<'_> {
    /// `max` or `min` before an expression; before a parenthesis they are functions.
    fn extreme(&mut self) -> Option<Extreme> {
        let extreme = match self.token().text(self.text) {
            "max" => Extreme::Largest,
            "min" => Extreme::Smallest,
            _ => return None,
        };
        let begins = matches!(self.ahead(1).kind, TokenKind::Word | TokenKind::Bar | TokenKind::Minus);
        begins.then(|| {
            self.bump();
            extreme
        })
    }

    fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = Vec::new();
        loop {
            all.push(self.expression(Precedence::Open)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(all);
            }
        }
    }

    fn sweep(&mut self) -> Parsed<Sweep> {
        let parameter = self.word("the name of a parameter")?;
        if !self.eat_word("in") {
            return Err(self.missing("`in`", Some(SWEEP)));
        }
        let first = self.expression(Precedence::Sum)?;
        if !self.eat(TokenKind::Range) {
            return Err(self.missing("`..`", Some(SWEEP)));
        }
        let last = self.expression(Precedence::Sum)?;
        let step = if self.eat_word("by") { Some(self.expression(Precedence::Sum)?) } else { None };
        Ok(Sweep { parameter, first, last, step })
    }
}
