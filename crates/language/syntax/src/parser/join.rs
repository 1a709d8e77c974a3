//! Joints: what is joined to what, and with which connection.

use super::{Parsed, Parser};
use crate::tree::{Expr, ItemKind, Join, Precedence};

const EXAMPLE: &str = "a joint is written `join elbow: upper.point(0, 0, -l) to lower with revolute`";

/// `join NAME: END to END with CONNECTION(ARGUMENTS) { … }`, where the name may be left out
pub(crate) fn join(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.label()?;
    let from = parser.end("to")?;
    let to = parser.end("with")?;
    let (kind, arguments, properties) = parser.made_of_kind("the name of a connection", EXAMPLE)?;
    Ok(ItemKind::Join(Join { name, ends: [from, to], kind, arguments, properties }))
}

impl Parser<'_> {
    /// One end of a joint, and the word after it.
    fn end(&mut self, word: &str) -> Parsed<Expr> {
        let end = self.expression(Precedence::Postfix)?;
        if !self.eat_word(word) {
            return Err(self.missing(&format!("`{word}`"), Some(EXAMPLE)));
        }
        Ok(end)
    }
}
