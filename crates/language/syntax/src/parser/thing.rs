//! Statements that begin with a name of the author's: things, quantities, equations and connections for each.

use base::Diagnostic;

use super::{Parsed, Parser, Place, Reported, quantity};
use crate::codes;
use crate::keywords::{self, Keyword};
use crate::token::{Token, TokenKind};
use crate::tree::{
    Addition, Argument, BinaryOperator, Connections, Equation, Expr, ExprKind, ItemKind, Name, Precedence, Property,
    Relation, Thing, Word,
};

/// What a name and a colon stand before.
enum Named {
    Thing,
    Quantity,
    Equation,
}

impl Parser<'_> {
    /// `p1: particle`, `mass: constant [kg]`, `newton: force == der(momentum)`
    pub(super) fn named_statement(&mut self) -> Parsed<ItemKind> {
        let keyword = keywords::statement(self.token().text(self.text));
        let name = self.name("a name")?;
        self.bump();
        if self.at_end_of_statement() {
            let hint = format!("as in `{}: [m]` or `{}: particle`", name.text, name.text);
            return Err(self.missing("a unit, a domain or a kind", Some(&hint)));
        }
        match self.what_is_named() {
            Named::Thing => self.thing(name),
            Named::Quantity => Ok(self.quantity(name)),
            Named::Equation
                if self.place == Place::Definition || self.decisive_symbol() == Some(TokenKind::PlusDefine) =>
            {
                self.bare_equation(Some(name))
            }
            Named::Equation => Err(self.report_labelled(&name, keyword)),
        }
    }

    /// Decides by what follows the colon.
    fn what_is_named(&self) -> Named {
        let decisive = self.decisive_symbol();
        if matches!(decisive, Some(TokenKind::Equal | TokenKind::PlusDefine)) {
            return Named::Equation;
        }
        match self.kind() {
            TokenKind::OpenBracket => Named::Quantity,
            TokenKind::Word => self.named_by_word(),
            _ => Named::Equation,
        }
    }

    /// Decides by the word after the colon, there being no `==`.
    fn named_by_word(&self) -> Named {
        use TokenKind::{CloseBrace, Define, OpenBrace, OpenBracket, OpenParenthesis, Text, Word};
        let word = self.token().text(self.text);
        let next = self.ahead(1);
        let ends = next.kind.ends_statement() || next.kind == CloseBrace;
        let describes = quantity::describes(word) && (ends || matches!(next.kind, Word | OpenBracket | Define | Text));
        let bare_unit = || self.bare_unit().is_some_and(|unit| unit != word);
        match next.kind {
            _ if describes => Named::Quantity,
            OpenParenthesis | OpenBrace | Text => Named::Thing,
            _ if ends => Named::Thing,
            Define if quantity::nearly_describes(word) || self.bare_unit().is_some() => Named::Quantity,
            OpenBracket if self.unit_in_brackets(1) => Named::Quantity,
            Word if next.text(self.text) == "in" => Named::Quantity,
            Word if quantity::describes(next.text(self.text)) || quantity::nearly_describes(word) => Named::Quantity,
            Word => Named::Thing,
            _ if bare_unit() => Named::Quantity,
            _ => Named::Equation,
        }
    }

    /// The first `==`, `+=`, `=` or `{` of the rest of the statement that is not in brackets.
    pub(super) fn decisive_symbol(&self) -> Option<TokenKind> {
        use TokenKind::{Define, Equal, OpenBrace, PlusDefine};
        let mut open = 0_usize;
        for token in self.tokens.get(self.at..).unwrap_or(&[]) {
            match token.kind {
                kind if open == 0 && matches!(kind, Equal | PlusDefine | Define | OpenBrace) => return Some(kind),
                kind if kind.ends_statement() || kind == TokenKind::CloseBrace => return None,
                kind if kind.closing().is_some() => open += 1,
                kind if kind.is_closing() => open = open.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// Whether the brackets so many tokens ahead hold a unit, and not an index.
    pub(super) fn unit_in_brackets(&self, ahead: usize) -> bool {
        let open = self.ahead(ahead);
        let rest = self.text.get(open.end..).unwrap_or("");
        let inside = rest.split([']', '\n']).next().unwrap_or("").trim();
        let number = inside.starts_with(|c: char| c.is_ascii_digit());
        open.kind == TokenKind::OpenBracket && !number && base::Unit::parse(inside).is_ok()
    }

    /// `: KIND(ARGUMENTS) { … }`, the colon having been read
    fn thing(&mut self, name: Name) -> Parsed<ItemKind> {
        let example = "a thing is written `r1: resistor(node1, node2) { resistance = 1000 [ohm] }`";
        let (kind, arguments, properties) = self.made_of_kind("the name of a kind", example)?;
        Ok(ItemKind::Thing(Thing { name, kind, arguments, properties }))
    }

    /// `KIND(ARGUMENTS) { … }`
    pub(super) fn made_of_kind(&mut self, wanted: &str, example: &str) -> Parsed<(Word, Vec<Argument>, Vec<Property>)> {
        let kind = self.word(wanted)?;
        let mut arguments = Vec::new();
        if self.kind() == TokenKind::OpenParenthesis {
            match self.arguments() {
                Ok(read) => arguments = read,
                Err(Reported(())) => self.skip_to_block(),
            }
        }
        if self.kind() != TokenKind::OpenBrace && !self.at_end_of_statement() {
            let wanted = if arguments.is_empty() { "`(`, `{` or a new line" } else { "`{` or a new line" };
            self.missing(wanted, Some(example));
            self.skip_to_block();
        }
        let properties = self.optional_properties();
        Ok((kind, arguments, properties))
    }

    /// `gravitation for pairs (a, b) in particle { … }`
    pub(super) fn connections(&mut self) -> Parsed<ItemKind> {
        let kind = self.word("the name of a connection")?;
        self.bump();
        let quantifier = self.quantifier()?;
        if self.kind() != TokenKind::OpenBrace && !self.at_end_of_statement() {
            let hint = "as in `gravitation for pairs (a, b) in particle`, perhaps with properties in braces";
            self.missing("`{` or a new line", Some(hint));
            self.skip_to_block();
        }
        let properties = self.optional_properties();
        Ok(ItemKind::Connections(Connections { kind, quantifier, properties }))
    }

    /// `left == right` or `total += part`, without a word before it
    pub(super) fn bare_equation(&mut self, label: Option<Name>) -> Parsed<ItemKind> {
        let statement = self.expression(Precedence::Open)?;
        if self.eat(TokenKind::PlusDefine) {
            if !super::name::is_path(&statement) {
                self.report_no_path(statement.span, "the name of a sum");
            }
            return Ok(ItemKind::Addition(Addition { label, total: statement, part: self.value() }));
        }
        if self.kind() == TokenKind::Define {
            self.report_bare_definition(&statement);
            self.bump();
            let relation = Relation::Equal { left: statement, right: self.value() };
            return Ok(ItemKind::Equation(Equation { label, relation }));
        }
        if let (TokenKind::Comma, ExprKind::Name(name)) = (self.kind(), &statement.kind) {
            let hint = format!("declare each quantity by itself, as in `{name}: [m]; …`");
            return Err(self.missing("`:`", Some(&hint)));
        }
        let compares = |operator: BinaryOperator| operator.precedence() <= Precedence::Comparison;
        let stated = matches!(&statement.kind, ExprKind::Binary { operator, .. } if compares(*operator));
        let ends = self.at_end_of_statement() || self.at_word("on") || self.at_word("while");
        if !stated && !ends {
            return Err(self.unexpected("`==`"));
        }
        self.relation(label, statement, None).map(ItemKind::Equation)
    }

    fn report_bare_definition(&mut self, left: &Expr) {
        let left = crate::print_expression(left);
        let message = "an equation uses `==`, not `=`";
        let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(self.span(self.token()), "");
        let hint = format!("write `{left} == …`; a single `=` defines, as in `let a = …` or `a: [m] = 1 [m]`");
        self.report(diagnostic.hint(hint));
    }

    /// Reports a name with a colon that stands before none of the things that it could.
    fn report_labelled(&mut self, name: &Name, keyword: Option<&Keyword>) -> Reported {
        let word = &name.text;
        if let Some(keyword) = keyword {
            let message = format!("no colon follows `{word}`");
            let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(name.span, "");
            return self.report(diagnostic.hint(format!("as in `{}`", keyword.example)));
        }
        if self.statement_has(TokenKind::Equal) {
            let message = "in a scene, an equation begins with `always` or `initially`";
            let diagnostic = Diagnostic::error(codes::UNKNOWN_STATEMENT, message).at(name.span, "");
            let hint = match keywords::paraphrase(word) {
                Some(sentence) => format!("write `always {word}: …`; or, if this is meant: {sentence}"),
                None => format!("write `always {word}: …`"),
            };
            return self.report(diagnostic.hint(hint));
        }
        let hint = format!("as in `{word}: particle` or `{word}: [m]`");
        self.missing("a kind, a domain or a unit in brackets", Some(&hint))
    }

    /// Reports `mass [kg]` and `position vec [m]`, and reads the quantity.
    pub(super) fn quantity_without_colon(&mut self) -> Parsed<ItemKind> {
        let Word { text, span } = self.word("the name of a quantity")?;
        let hint = format!("a quantity is declared `{text}: {}`", self.rest_of_statement());
        self.missing("`:`", Some(&hint));
        Ok(self.quantity(Name { text, indices: Vec::new(), span }))
    }

    fn rest_of_statement(&self) -> &str {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let ends = |token: &&Token| token.kind.ends_statement() || token.kind == TokenKind::CloseBrace;
        let end = rest.iter().find(ends).map_or(self.text.len(), |token| token.start);
        self.text.get(self.token().start..end).unwrap_or("").trim_end()
    }

    pub(super) fn at_quantity_without_colon(&self) -> bool {
        let next = self.ahead(1);
        if next.kind == TokenKind::Word {
            return quantity::describes(next.text(self.text));
        }
        if !self.unit_in_brackets(1) {
            return false;
        }
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let after = rest.iter().skip_while(|token| token.kind != TokenKind::CloseBracket).nth(1);
        let ends = |kind: TokenKind| kind.ends_statement() || matches!(kind, TokenKind::CloseBrace | TokenKind::Define);
        after.is_none_or(|token| ends(token.kind) || token.text(self.text) == "in")
    }
}
