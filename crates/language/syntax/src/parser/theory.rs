//! Statements of which libraries are made: kinds, connections and laws, each a head and members in braces.

use base::Diagnostic;

use super::{Parsed, Parser, Place, Reported, SymbolUse};
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{
    Connection, Expr, Item, ItemKind, Kind, Law, Modifier, Parameter, ParameterType, Precedence, QuantityDomain, Word,
};

pub(crate) fn theory(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.word("the name of the theory").map(ItemKind::Theory)
}

/// `kind NAME(PARAMETERS) is PARENT { … }`, where parameters and parent may be left out
pub(crate) fn kind(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.word("the name of the kind")?;
    let parameters = parser.optional_parameters();
    let parent = parser.inherited();
    Ok(ItemKind::Kind(Kind { name, parameters, parent, members: parser.definition_members("kind") }))
}

/// `connection NAME(PARAMETERS) is PARENT { … }`, where one of parameters and parent may be left out
pub(crate) fn connection(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.word("the name of the connection")?;
    if parser.kind() != TokenKind::OpenParenthesis && !parser.at_word("is") {
        let hint = format!("say what it connects: `connection {}(a: particle, b: particle) {{ … }}`", name.text);
        parser.missing("`(`", Some(&hint));
        parser.skip_to_block();
    }
    let parameters = parser.optional_parameters();
    let parent = parser.inherited();
    Ok(ItemKind::Connection(Connection { name, parameters, parent, members: parser.definition_members("connection") }))
}

/// `law NAME for s: KIND, f: KIND if CONDITION instead of LAW assuming CONDITION { … }`, `law NAME(s: KIND, f: KIND) { … }`
pub(crate) fn law(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    if parser.at_word("for") {
        return Err(parser.missing("the name of the law", Some("as in `law resultant for p: particle { … }`")));
    }
    let name = parser.word("the name of the law")?;
    let parameters = parser.law_parameters(&name).unwrap_or_else(|Reported(())| {
        parser.skip_to_block();
        Vec::new()
    });
    let condition = parser.head_clause("if");
    let mut instead = None;
    if parser.eat_word("instead") {
        match parser.replaced_law() {
            Ok(law) => instead = Some(law),
            Err(Reported(())) => parser.skip_to_block(),
        }
    }
    if ["when", "where", "given"].iter().any(|word| parser.at_word(word)) {
        parser.missing(
            "`assuming` or `{`",
            Some("a law that holds under a condition is written `law … assuming x > 0 { … }`"),
        );
        parser.skip_to_block();
    }
    let assumption = parser.head_clause("assuming");
    let members = parser.definition_members("law");
    Ok(ItemKind::Law(Law { name, parameters, condition, instead, assumption, members }))
}

impl Parser<'_> {
    /// `if CONDITION`, `assuming CONDITION`, where the word stands here.
    fn head_clause(&mut self, word: &str) -> Option<Expr> {
        if !self.eat_word(word) {
            return None;
        }
        let condition = self.expression(Precedence::Open).ok();
        if condition.is_none() {
            self.skip_to_block();
        }
        condition
    }

    /// `of LAW`, after `instead`
    fn replaced_law(&mut self) -> Parsed<Word> {
        if !self.eat_word("of") {
            return Err(self.missing("`of`", Some("as in `law still for s: foil instead of lift { … }`")));
        }
        self.word("the name of another law")
    }

    fn law_parameters(&mut self, name: &Word) -> Parsed<Vec<Parameter>> {
        if self.kind() == TokenKind::OpenParenthesis {
            let parameters = self.typed_parameters()?;
            for parameter in &parameters {
                if let ParameterType::Quantity(_) = parameter.type_ {
                    let message = format!("a law holds for things, and `{}` is a number", parameter.name.text);
                    let hint = format!("name a kind, as in `{}: particle`", parameter.name.text);
                    let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(parameter.span, "");
                    self.report(diagnostic.hint(hint));
                }
            }
            return Ok(parameters);
        }
        if self.kind() == TokenKind::OpenBrace {
            return Ok(Vec::new());
        }
        if !self.eat_word("for") {
            let (name, all) = (&name.text, "for p: particle");
            let hint =
                format!("say what it holds for: `law {name} {all} {{ … }}` or `law {name}(p: particle) {{ … }}`");
            return Err(self.missing("`for` or `(`", Some(&hint)));
        }
        let mut parameters = Vec::new();
        loop {
            parameters.push(self.law_parameter(name)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(parameters);
            }
        }
    }

    /// `p: particle`, after `for`
    fn law_parameter(&mut self, name: &Word) -> Parsed<Parameter> {
        let thing = self.word("a name for the thing")?;
        if self.kind() != TokenKind::Colon {
            let hint = format!("a law is for all things of a kind: `law {} for {}: particle`", name.text, thing.text);
            let reported = self.missing("`:`", Some(&hint));
            // `for p in particle` is clear enough to go on.
            if !self.at_word("in") {
                return Err(reported);
            }
        }
        self.bump();
        let kind = self.word("the name of a kind")?;
        let span = thing.span.to(kind.span);
        Ok(Parameter { name: thing, type_: ParameterType::Thing(kind), default: None, span })
    }

    /// `(a: particle, start: [deg])`, if there is a parenthesis.
    fn optional_parameters(&mut self) -> Vec<Parameter> {
        if self.kind() != TokenKind::OpenParenthesis {
            return Vec::new();
        }
        self.typed_parameters().unwrap_or_else(|Reported(())| {
            self.skip_to_block();
            Vec::new()
        })
    }

    fn typed_parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let open = self.bump_as(SymbolUse::CallParenthesis);
        if self.kind() == TokenKind::CloseParenthesis {
            let hint = "as in `a: particle` or `start: [deg]`; if there are none, leave the parentheses out";
            return Err(self.missing("the name of a parameter", Some(hint)));
        }
        let mut parameters = Vec::new();
        loop {
            parameters.push(self.typed_parameter()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        Ok(parameters)
    }

    /// `a: particle`, `start: [deg] = 0 [deg]`, `axis: vec`
    fn typed_parameter(&mut self) -> Parsed<Parameter> {
        let name = self.word("the name of a parameter")?;
        if !self.eat(TokenKind::Colon) {
            let word = &name.text;
            let hint = format!("say of each parameter what it is: `{word}: particle` or `{word}: [m]`");
            return Err(self.missing("`:`", Some(&hint)));
        }
        let type_ = self.parameter_type(&name)?;
        let default = if self.at_definition() {
            self.define()?;
            Some(self.expression(Precedence::Open)?)
        } else {
            None
        };
        let span = self.span_from(name.span.start as usize);
        Ok(Parameter { name, type_, default, span })
    }

    fn parameter_type(&mut self, name: &Word) -> Parsed<ParameterType> {
        let word = self.token().text(self.text);
        let known = QuantityDomain::from_word(word).is_some() || Modifier::from_word(word).is_some();
        match self.kind() {
            TokenKind::Word if !known && self.ahead(1).kind != TokenKind::OpenBracket => {
                self.word("the name of a kind").map(ParameterType::Thing)
            }
            TokenKind::Word | TokenKind::OpenBracket => {
                let token = self.token();
                let (modifier, type_) = self.quantity_type(&name.text)?;
                if let Some(modifier) = modifier {
                    let message = format!("a parameter cannot be `{}`", modifier.word());
                    let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(token), "");
                    self.report(diagnostic.hint("parameters are constant anyway; leave the word out"));
                }
                Ok(ParameterType::Quantity(type_))
            }
            _ => {
                let hint = format!("as in `{}: particle` or `{}: [m]`", name.text, name.text);
                Err(self.missing("a kind or a unit in brackets", Some(&hint)))
            }
        }
    }

    /// `is PARENT`, if there is one.
    fn inherited(&mut self) -> Option<Word> {
        if !self.eat_word("is") {
            return None;
        }
        let parent = self.word("the name of what it inherits from").ok();
        if parent.is_none() {
            self.skip_to_block();
        }
        parent
    }

    /// `{ … }`, with all that may stand in a kind.
    fn definition_members(&mut self, keyword: &str) -> Vec<Item> {
        if self.kind() != TokenKind::OpenBrace {
            let hint = format!("what belongs to a {keyword} stands in braces: `{keyword} … {{ … }}`");
            self.missing("`{`", Some(&hint));
            self.skip_to_block();
        }
        let open = match self.kind() {
            TokenKind::OpenBrace => self.bump(),
            _ if self.only_opening_brace_is_missing() => self.token(),
            _ => return Vec::new(),
        };
        let place = std::mem::replace(&mut self.place, Place::Definition);
        let members = self.block(open);
        self.place = place;
        members
    }

    /// Whether a brace that closes nothing comes before the next definition.
    fn only_opening_brace_is_missing(&self) -> bool {
        let Some(count) = self.tokens_to_closing_brace() else { return false };
        self.blocks == 0 && !(0..count).any(|ahead| self.definition_begins(ahead))
    }
}
