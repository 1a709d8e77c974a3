//! Bodies: placed in a frame like any other frame, or said by their shape, one or several alike.

use super::{Parsed, Parser, SymbolUse};
use crate::token::TokenKind;
use crate::tree::{
    Binding, Clause, Expr, ExprKind, Frame, Item, ItemKind, Loop, Name, Precedence, Property, Quantifier, Word,
};

/// `body NAME in PARENT { … }`, `body NAME: SHAPE density VALUE { … }`, `body NAME[1..3]: SHAPE …`
pub(crate) fn body(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    if parser.at_numbered_name() {
        return parser.numbered_bodies();
    }
    let name = parser.name("the name of the body")?;
    parser.body_called(name).map(ItemKind::Body)
}

impl Parser<'_> {
    /// `at (0, 0, 1) [m]`, `turned about y 30 [deg]`: where a shape sits in its frame.
    pub(super) fn placing_clauses(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        while ["at", "turned"].iter().any(|word| self.at_word(word)) {
            clauses.push(self.clause()?);
        }
        Ok(clauses)
    }

    /// Whether a name with a range of numbers follows: `link[1..3]`.
    fn at_numbered_name(&self) -> bool {
        let rest = self.tokens.get(self.at + 1..).unwrap_or(&[]);
        let inside = rest.iter().take_while(|token| {
            token.kind != TokenKind::CloseBracket && token.kind != TokenKind::OpenBrace && !token.kind.ends_statement()
        });
        self.ahead(1).kind == TokenKind::OpenBracket && inside.into_iter().any(|token| token.kind == TokenKind::Range)
    }

    /// `link[1..3]: SHAPE density VALUE`: a loop around one body.
    fn numbered_bodies(&mut self) -> Parsed<ItemKind> {
        let start = self.token().start;
        let Word { text, span } = self.word("the name of the bodies")?;
        let open = self.bump_as(SymbolUse::IndexBracket);
        let domain = self.domain()?;
        self.close(open, TokenKind::CloseBracket, "]")?;
        let quantifier_span = self.span_from(open.start);
        // No name that could be written.
        let number = Word { text: "#".to_string(), span: quantifier_span };
        let index = Expr::new(ExprKind::Name(number.text.clone()), quantifier_span);
        let name = Name { text, indices: vec![index], span };
        let body = self.body_called(name)?;
        let item = Item {
            kind: ItemKind::Body(body),
            span: self.span_from(start),
            documentation: None,
            condition: None,
            broken: false,
        };
        let quantifier = Quantifier { binding: Binding::Each(number), domain, span: quantifier_span };
        Ok(ItemKind::For(Loop { quantifier, items: vec![item] }))
    }

    /// What follows the name of a body. With a colon, its shape and what it is made of follow; and it moves every way unless
    /// its braces say where it is.
    fn body_called(&mut self, name: Name) -> Parsed<Frame> {
        let parent = self.optional_parent();
        if self.kind() != TokenKind::Colon {
            return Ok(self.placed_in(name, parent));
        }
        let colon = self.bump();
        let at = self.span(colon);
        let property =
            |name: Word, value: Expr| Property { span: name.span.to(value.span), name, value, clauses: Vec::new() };
        let unwritten = |text: &str| Word { text: text.to_string(), span: base::Span { end: at.start, ..at } };
        let shape = self.expression(Precedence::Open)?;
        let clauses = self.placing_clauses()?;
        let mut stated = vec![Property { clauses, ..property(unwritten("shape"), shape) }];
        while ["density", "mass"].iter().any(|word| self.at_word(word)) {
            let name = self.any_word();
            // No mass has components in a frame: an `in` here was meant for the body.
            let reach = if self.at_word("if") { Precedence::Open } else { Precedence::Sum };
            let value = self.expression(reach)?;
            stated.push(property(name, value));
        }
        if self.kind() != TokenKind::OpenBrace && !self.at_end_of_statement() {
            let example = if ["fixed", "static", "kinematic"].iter().any(|word| self.at_word(word)) {
                "what never moves is a frame with a shape: `frame floor in world { shape = box(…) }`"
            } else if self.at_word("in") {
                "the frame that it is in stands before the colon: `body bob in arm: sphere(5 [cm]) mass 1 [kg]`"
            } else {
                "as in `body bob: sphere(5 [cm]) density 7800 [kg/m^3]`"
            };
            self.missing("`density`, `mass`, `{` or a new line", Some(example));
            self.skip_to_block();
        }
        stated.extend(self.optional_properties());
        for moving in ["position", "rotation"] {
            if !stated.iter().any(|property| property.name.text == moving) {
                stated.push(property(unwritten(moving), Expr::new(ExprKind::Free(None), at)));
            }
        }
        Ok(Frame { name, parent, properties: stated })
    }
}
