//! Contact: which things touch, and what happens where they do.

use super::{Parsed, Parser};
use crate::token::TokenKind;
use crate::tree::{Contact, Expr, ExprKind, ItemKind};

const EXAMPLE: &str =
    "as in `contact ball, table { restitution = 0.8; friction = 0.3 }` or `contact all { friction = 0.3 }`";

/// `contact A, B { … }`, `contact all { … }`, `contact none between A, B`, `contact none`
pub(crate) fn contact(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let none = parser.at_word("none") && parser.ahead(1).kind != TokenKind::Comma;
    if none {
        let word = parser.any_word();
        let everything = || Expr::new(ExprKind::Name("all".to_string()), word.span);
        let sides = match parser.eat_word("between") {
            true => parser.sides_of_contact()?,
            false => [everything(), everything()],
        };
        return Ok(ItemKind::Contact(Contact { sides, none, properties: Vec::new(), flags: Vec::new() }));
    }
    let sides = parser.sides_of_contact()?;
    if parser.kind() != TokenKind::OpenBrace && !parser.at_end_of_statement() && !parser.at_word("while") {
        parser.missing("`{` or a new line", Some(EXAMPLE));
        parser.skip_to_block();
    }
    let (properties, flags) = parser.optional_properties_and_flags(&["together"]);
    Ok(ItemKind::Contact(Contact { sides, none, properties, flags }))
}

impl Parser<'_> {
    /// `ball, table`; `all` by itself stands for both.
    fn sides_of_contact(&mut self) -> Parsed<[Expr; 2]> {
        if self.kind() != TokenKind::Word {
            return Err(self.missing("what touches", Some(EXAMPLE)));
        }
        let first = self.path("the name of what touches")?;
        if self.eat(TokenKind::Comma) {
            return Ok([first, self.path("the name of what it touches")?]);
        }
        if matches!(&first.kind, ExprKind::Name(name) if name == "all") {
            return Ok([first.clone(), first]);
        }
        Err(self.missing("a comma and what it touches", Some(EXAMPLE)))
    }
}
