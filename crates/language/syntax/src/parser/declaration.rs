//! Statements that give names: to the scene, to numbers, functions and controls, to frames, bodies and groups.

use base::Diagnostic;

use super::{Parsed, Parser, Reported, SymbolUse};
use crate::token::TokenKind;
use crate::tree::{
    Control, Data, Definition, Expr, ExprKind, FileSort, Frame, Function, Group, ItemKind, Name, Param, Precedence,
    Property, Text, Use, UsedFile, ValueRange, Word,
};
use crate::{codes, keywords};

pub(crate) fn scene(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.name("the name of the scene").map(ItemKind::Scene)
}

/// `use particles`, `use robot "arm.urdf" as arm in table`, `use scene "track.glb" as track`, `use fmu "motor.fmu" as motor { R = 2 [ohm] }`
pub(crate) fn take(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let names_file = matches!(parser.ahead(1).kind, TokenKind::Text | TokenKind::UnclosedText);
    for &(word, what) in FileSort::WORDS {
        if names_file
            && parser.eat_word(word)
            && let Some(file) = parser.text()
        {
            return used_file(parser, what, file).map(|used| ItemKind::Use(Use::File(Box::new(used))));
        }
    }
    parser.word("the name of a theory").map(|theory| ItemKind::Use(Use::Theory(theory)))
}

/// `as arm in table floating`, of which the name is needed
fn used_file(parser: &mut Parser<'_>, what: FileSort, file: Text) -> Parsed<UsedFile> {
    if !parser.eat_word("as") {
        let word = FileSort::WORDS.iter().find(|(_, other)| *other == what).map_or("", |(word, _)| word);
        let example = format!("say what it is called here, as in `use {word} \"{}\" as it`", file.value);
        return Err(parser.missing("`as` and a name", Some(&example)));
    }
    let name = parser.word("a name for what is in the file")?;
    let place = if what == FileSort::Unit { None } else { parser.optional_parent() };
    let is_floating = what != FileSort::Unit && parser.eat_word("floating");
    let properties = if what == FileSort::Unit { parser.optional_properties() } else { Vec::new() };
    Ok(UsedFile { what, file, name, place, is_floating, properties })
}

pub(crate) fn param(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.name("the name of the parameter")?;
    let value = parser.defined_value();
    let description = parser.text();
    Ok(ItemKind::Param(Param { name, value, description }))
}

pub(crate) fn definition(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.dotted_name("a name for the value")?;
    Ok(ItemKind::Let(Definition { name, value: parser.defined_value() }))
}

pub(crate) fn function(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.word("the name of the function")?;
    let parameters = parser.parameters()?;
    Ok(ItemKind::Function(Function { name, parameters, body: parser.defined_value() }))
}

/// `data NAME "FILE" column "NAME" smooth held`, where all behind the file may be left out
pub(crate) fn data(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.word("a name for the data")?;
    let Some(file) = parser.text() else {
        return Err(parser.missing("a file", Some("as in `data wind \"wind.csv\"`")));
    };
    let (mut column, mut joining, mut is_held) = (None, None, false);
    loop {
        if parser.eat_word("column") {
            let Some(named) = parser.text() else {
                return Err(parser.missing("the name of a column", Some("as in `column \"speed\"`")));
            };
            column = Some(named);
        } else if parser.at_word("smooth") || parser.at_word("monotone") {
            joining = Some(parser.word("how points are joined")?);
        } else if parser.eat_word("held") {
            is_held = true;
        } else {
            return Ok(ItemKind::Data(Data { name, file, column, joining, is_held }));
        }
    }
}

/// `control NAME in [low, high] = default "description"`, where all but the name may be left out
pub(crate) fn control(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.name("the name of the control")?;
    // Elsewhere an input has a type after a colon, or its range comes last.
    if parser.kind() == TokenKind::Colon || (parser.at_definition() && parser.statement_has_word("in")) {
        let (token, name) = (parser.token(), &name.text);
        let message = "a control has its range first, with the unit, and then its value";
        let hint = format!("write `control {name} in [-1, 1] [N] = 0 [N]`, or `control {name} in [-1, 1]`");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, message).at(parser.span(token), "");
        return Err(parser.report(diagnostic.hint(hint)));
    }
    let mut range = None;
    if parser.eat_word("in") {
        match parser.value_range() {
            Ok(read) => range = Some(read),
            Err(Reported(())) => parser.skip_statement(),
        }
    }
    let default = if parser.at_definition() { Some(parser.defined_value()) } else { None };
    let description = parser.text();
    Ok(ItemKind::Control(Control { name, range, default, description }))
}

pub(crate) fn frame(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.placed("the name of the frame").map(ItemKind::Frame)
}

pub(crate) fn group(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.name("the name of the group")?;
    let start = parser.token().start;
    let members = parser.members().unwrap_or_else(|_| vec![parser.skipped_value(start)]);
    Ok(ItemKind::Group(Group { name, members }))
}

impl Parser<'_> {
    pub(super) fn at_definition(&self) -> bool {
        matches!(self.kind(), TokenKind::Define | TokenKind::ColonDefine | TokenKind::Equal)
    }

    /// Reads the `=` of a definition. What is clearly meant as one is reported and taken for it.
    pub(super) fn define(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Define) {
            return Ok(());
        }
        if !self.at_definition() {
            return Err(self.missing("`=`", None));
        }
        let token = self.bump();
        let message = format!("a definition uses `=`, not `{}`", token.text(self.text));
        let diagnostic = Diagnostic::error(codes::DEFINITION_EXPECTED, message).at(self.span(token), "");
        let hint = if token.kind == TokenKind::Equal { "`==` states an equation, after `always`" } else { "write `=`" };
        self.report(diagnostic.hint(hint));
        Ok(())
    }

    /// `= value`. Where it cannot be read, what the statement declares is known all the same.
    pub(super) fn defined_value(&mut self) -> Expr {
        let start = self.token().start;
        match self.define() {
            Ok(()) => self.value(),
            Err(Reported(())) => self.skipped_value(start),
        }
    }

    /// `= sun, earth, moon`
    fn members(&mut self) -> Parsed<Vec<Expr>> {
        self.define()?;
        let mut members = Vec::new();
        loop {
            members.push(self.path("the name of a member")?);
            if !self.eat(TokenKind::Comma) {
                return Ok(members);
            }
        }
    }

    /// `(a, b)`
    fn parameters(&mut self) -> Parsed<Vec<Word>> {
        const HINT: &str = "a function has arguments, as in `fn f(x) = x^2`; a plain value is defined with `let`";
        if self.kind() != TokenKind::OpenParenthesis {
            return Err(self.missing("`(`", Some(HINT)));
        }
        let open = self.bump_as(SymbolUse::CallParenthesis);
        if self.kind() == TokenKind::CloseParenthesis {
            return Err(self.missing("the name of an argument", Some(HINT)));
        }
        let mut parameters = Vec::new();
        loop {
            parameters.push(self.word("the name of an argument")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        Ok(parameters)
    }

    /// `[-1, 1] [N]`
    pub(super) fn value_range(&mut self) -> Parsed<ValueRange> {
        if self.kind() != TokenKind::OpenBracket {
            return Err(self.missing("a range", Some("write it as `in [-1, 1]`")));
        }
        let open = self.bump();
        let low = self.expression(Precedence::Open)?;
        if !self.eat(TokenKind::Comma) {
            let hint = "a range has two ends, as in `[-1, 1]`";
            return Err(self.missing("a comma", Some(hint)));
        }
        let high = self.expression(Precedence::Open)?;
        self.close(open, TokenKind::CloseBracket, "]")?;
        let unit = if self.kind() == TokenKind::OpenBracket { Some(self.unit()?) } else { None };
        Ok(ValueRange { low, high, unit, span: self.span_from(open.start) })
    }

    /// `NAME in PARENT { … }`
    fn placed(&mut self, wanted: &str) -> Parsed<Frame> {
        let name = self.name(wanted)?;
        let parent = self.optional_parent();
        Ok(self.placed_in(name, parent))
    }

    /// `{ … }`, the name and the parent having been read
    pub(super) fn placed_in(&mut self, name: Name, parent: Option<Expr>) -> Frame {
        if self.kind() != TokenKind::OpenBrace && !self.at_end_of_statement() {
            let wanted = if parent.is_some() { "`{`" } else { "`in` and a frame, or `{`," };
            let example = "a frame or body is written `body bob in swing { mass = 1 [kg] }`";
            self.missing(wanted, Some(example));
            self.skip_to_block();
        }
        let properties = self.optional_properties();
        Frame { name, parent, properties }
    }

    /// `in PARENT`, if it is there
    pub(super) fn optional_parent(&mut self) -> Option<Expr> {
        self.eat_word("in").then(|| self.parent())
    }

    fn parent(&mut self) -> Expr {
        let start = self.token().start;
        match self.path("the name of a frame") {
            Ok(parent) => parent,
            Err(Reported(())) => {
                self.skip_to_block();
                Expr::new(ExprKind::Error, self.span_from(start))
            }
        }
    }

    /// `{ mass = 1 [kg] }`, if there is a brace.
    pub(super) fn optional_properties(&mut self) -> Vec<Property> {
        match self.kind() {
            TokenKind::OpenBrace => self.properties(),
            _ => Vec::new(),
        }
    }

    fn properties(&mut self) -> Vec<Property> {
        self.properties_and_flags(&[]).0
    }

    /// `{ restitution = 1; together }`, if there is a brace; words that stand by themselves are among the known ones.
    pub(super) fn optional_properties_and_flags(&mut self, known: &[&str]) -> (Vec<Property>, Vec<Word>) {
        match self.kind() {
            TokenKind::OpenBrace => self.properties_and_flags(known),
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn properties_and_flags(&mut self, known: &[&str]) -> (Vec<Property>, Vec<Word>) {
        let open = self.bump();
        let (mut properties, mut flags) = (Vec::new(), Vec::new());
        loop {
            self.skip_separators();
            if self.eat(TokenKind::CloseBrace) {
                return (properties, flags);
            }
            if self.kind() == TokenKind::EndOfText || self.at_statement() {
                self.report_unclosed(open, "}");
                return (properties, flags);
            }
            let ends = |kind: TokenKind| kind.ends_statement() || kind == TokenKind::CloseBrace;
            if known.contains(&self.token().text(self.text)) && ends(self.ahead(1).kind) {
                flags.push(self.any_word());
                continue;
            }
            match self.property() {
                Ok(property) => properties.push(property),
                Err(Reported(())) => self.skip_statement(),
            }
            if !self.at_end_of_statement() {
                self.report_no_separator();
                // `position = …, mass = …`: it is clear where the next property begins.
                let next = (self.ahead(1).kind, self.ahead(2).kind);
                if self.kind() == TokenKind::Comma && matches!(next, (TokenKind::Word, TokenKind::Define)) {
                    self.bump();
                } else if (self.kind(), self.ahead(1).kind) != (TokenKind::Word, TokenKind::Define) {
                    self.skip_statement();
                }
            }
        }
    }

    /// Whether a statement begins here although the braces of the last one are open. No property is without its `=`.
    fn at_statement(&self) -> bool {
        let begins_line = self.previous().is_some_and(|token| token.kind == TokenKind::Newline);
        let keyword = self.kind() == TokenKind::Word && keywords::statement(self.token().text(self.text)).is_some();
        let worded = keyword && matches!(self.ahead(1).kind, TokenKind::Word | TokenKind::Number);
        let next = [self.kind(), self.ahead(1).kind, self.ahead(2).kind, self.ahead(3).kind];
        let [.., block] = next;
        let thing = next[..3] == [TokenKind::Word, TokenKind::Colon, TokenKind::Word]
            && matches!(block, TokenKind::OpenBrace | TokenKind::OpenParenthesis);
        begins_line && (worded || thing)
    }

    fn property(&mut self) -> Parsed<Property> {
        if self.kind() != TokenKind::Word {
            return Err(self.unexpected("a property such as `mass = 1 [kg]`"));
        }
        let name = self.any_word();
        if !self.at_definition() {
            let hint = format!("a property is written `{} = …`", name.text);
            let reported = self.missing("`=`", Some(&hint));
            if !self.eat(TokenKind::Colon) {
                return Err(reported);
            }
            let value = self.value();
            let span = self.span_from(name.span.start as usize);
            return Ok(Property { name, value, clauses: Vec::new(), span });
        }
        let value = self.defined_value();
        let clauses = if name.text == "shape" { self.placing_clauses()? } else { Vec::new() };
        let span = self.span_from(name.span.start as usize);
        Ok(Property { name, value, clauses, span })
    }

    fn report_no_separator(&mut self) {
        const WANTED: &str = "`;`, a new line or `}`";
        const HINT: &str = "properties are separated by `;` or stand on lines of their own";
        match (self.kind(), self.ahead(1).kind) {
            (TokenKind::Comma, _) | (TokenKind::Word, TokenKind::Define) => self.missing(WANTED, Some(HINT)),
            _ => self.unexpected(WANTED),
        };
    }
}
