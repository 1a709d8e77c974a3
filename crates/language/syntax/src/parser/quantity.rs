//! Quantities: `mass: constant [kg]`, `force: sum vec [N]`, `x: real [m] in [0, 5] [m] = 1 [m]`.

use base::Diagnostic;

use super::{Parsed, Parser, Reported};
use crate::codes;
use crate::token::{Token, TokenKind};
use crate::tree::{ItemKind, Modifier, Name, Quantity, QuantityDomain, QuantityType, UnitText, ValueRange};

/// What other languages call it.
const FOREIGN_WORDS: &[(&str, &str)] = &[
    ("const", "constant"),
    ("float", "real"),
    ("double", "real"),
    ("number", "real"),
    ("scalar", "real"),
    ("vector", "vec"),
    ("tensor", "matrix"),
];

/// What a word may say of a quantity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trait {
    Modifier(Modifier),
    Domain(QuantityDomain),
}

impl Trait {
    fn known(word: &str) -> Option<Trait> {
        let modifier = Modifier::from_word(word).map(Trait::Modifier);
        modifier.or_else(|| QuantityDomain::from_word(word).map(Trait::Domain))
    }

    /// What a misspelt or foreign word stands for.
    fn meant(word: &str) -> Option<Trait> {
        let lower = word.to_lowercase();
        let foreign = FOREIGN_WORDS.iter().find(|(foreign, _)| *foreign == lower).map(|(_, ours)| *ours);
        let words = || Modifier::ALL.iter().map(|m| m.word()).chain(QuantityDomain::ALL.iter().map(|d| d.word()));
        foreign.or_else(|| base::nearest(word, words())).and_then(Trait::known)
    }

    fn word(self) -> &'static str {
        match self {
            Trait::Modifier(modifier) => modifier.word(),
            Trait::Domain(domain) => domain.word(),
        }
    }
}

/// Whether a word says something of a quantity.
pub(super) fn describes(word: &str) -> bool {
    Trait::known(word).is_some()
}

/// Whether a word was probably meant to say something of a quantity.
pub(super) fn nearly_describes(word: &str) -> bool {
    Trait::meant(word).is_some()
}

impl Parser<'_> {
    /// What follows the name and the colon. The quantity is known even if what is said of it cannot be read.
    pub(super) fn quantity(&mut self, name: Name) -> ItemKind {
        let start = self.token().start;
        let (modifier, type_) = self.quantity_type(&name.text).unwrap_or_else(|Reported(())| {
            self.skip_statement();
            (None, QuantityType { domain: QuantityDomain::Real, unit: None, span: self.span_from(start) })
        });
        let mut quantity = Quantity { name, modifier, type_, range: None, default: None, description: None };
        quantity.range = self.optional_range();
        if self.at_definition() {
            quantity.default = Some(self.defined_value());
        }
        if quantity.range.is_none() {
            quantity.range = self.optional_range();
        }
        quantity.description = self.text();
        ItemKind::Quantity(quantity)
    }

    /// `constant vec [m]`, where everything may be left out
    pub(super) fn quantity_type(&mut self, name: &str) -> Parsed<(Option<Modifier>, QuantityType)> {
        let start = self.token().start;
        let (modifier, domain) = self.traits();
        let unit = match self.kind() {
            TokenKind::OpenBracket => Some(self.unit()?),
            TokenKind::Word => self.unit_outside_brackets(name, modifier, domain),
            _ => None,
        };
        let domain = domain.unwrap_or(QuantityDomain::Real);
        Ok((modifier, QuantityType { domain, unit, span: self.span_from(start) }))
    }

    /// The words before the unit.
    fn traits(&mut self) -> (Option<Modifier>, Option<QuantityDomain>) {
        let (mut modifier, mut domain) = (None, None);
        while self.kind() == TokenKind::Word && !self.after_type() {
            let token = self.token();
            let known = Trait::known(token.text(self.text));
            if known.is_none() && self.bare_unit().is_some() {
                break;
            }
            self.bump();
            match known.or_else(|| self.report_unknown_trait(token)) {
                Some(Trait::Modifier(found)) if modifier.is_none() && domain.is_none() => modifier = Some(found),
                Some(Trait::Domain(found)) if domain.is_none() => domain = Some(found),
                Some(_) => self.report_order(token),
                None => {}
            }
        }
        (modifier, domain)
    }

    /// Reports a word that says nothing of a quantity, and gives what was probably meant.
    fn report_unknown_trait(&mut self, token: Token) -> Option<Trait> {
        let word = token.text(self.text);
        let meant = Trait::meant(word);
        let hint = match meant {
            Some(meant) => format!("write `{}`", meant.word()),
            None => {
                let words: Vec<String> =
                    QuantityDomain::ALL.iter().map(|domain| format!("`{}`", domain.word())).collect();
                format!("a quantity is one of {}; nothing means `real`", words.join(", "))
            }
        };
        let message = format!("there is no domain `{word}`");
        self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(token), "").hint(hint));
        meant
    }

    fn report_order(&mut self, token: Token) {
        let message = format!("`{}` has no place here", token.text(self.text));
        let hint =
            "a quantity is written `force: sum vec [N]`: `constant`, `sum` or neither, then one domain, then the unit";
        self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(self.span(token), "").hint(hint));
    }

    /// Whether a word comes that says something else than what the values are.
    fn after_type(&self) -> bool {
        self.at_word("in") || self.at_word("from")
    }

    /// Reports `kg` where `[kg]` is meant, and takes it for that.
    fn unit_outside_brackets(
        &mut self,
        name: &str,
        modifier: Option<Modifier>,
        domain: Option<QuantityDomain>,
    ) -> Option<UnitText> {
        if self.after_type() {
            return None;
        }
        let text = self.bare_unit()?.to_string();
        let first = self.token();
        while self.token().start < first.start + text.len() && !self.at_end_of_statement() {
            self.bump();
        }
        let span = self.span(Token { end: first.start + text.len(), ..first });
        let words = modifier.map(Modifier::word).into_iter().chain(domain.map(QuantityDomain::word));
        let words: String = words.map(|word| format!("{word} ")).collect();
        let message = format!("`{text}` is a unit, and units stand in square brackets");
        let hint = format!("write `{name}: {words}[{text}]`");
        self.report(Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(span, "").hint(hint));
        Some(UnitText { text, span })
    }

    /// `in [0, 5] [m]`, if it is there.
    pub(super) fn optional_range(&mut self) -> Option<ValueRange> {
        if !self.eat_word("in") {
            return None;
        }
        let range = self.value_range().ok();
        if range.is_none() {
            self.skip_statement();
        }
        range
    }
}
