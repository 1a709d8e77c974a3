//! Statements that say what moves things: fields, forces, equations, and their repetition.

use base::{Diagnostic, Span};

use super::{Parsed, Parser, Reported, name};
use crate::codes;
use crate::print::print_expression;
use crate::token::TokenKind;
use crate::tree::{
    Argument, BinaryOperator, Binding, Domain, Equation, Expr, ExprKind, Force, ItemKind, Loop, Name, Potential,
    Precedence, Quantifier, Relation, Surface, Torque,
};

pub(crate) fn gravity(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    // `gravity = 9.81 [m/s^2]` is what a definition would look like, so it is worth its own words.
    if parser.kind() == TokenKind::Define {
        let hint = "write `gravity 9.81 [m/s^2]`, without `=`";
        parser.missing("the strength of gravity", Some(hint));
        parser.bump();
    }
    Ok(ItemKind::Gravity(parser.value()))
}

/// `potential LABEL: for b in bodies = …`, where label and repetition may be left out
pub(crate) fn potential(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let label = parser.label()?;
    let repeated = if parser.eat_word("for") { Some(parser.quantifier()?) } else { None };
    // `potential spring: k * x^2 / 2` reads like a labelled equation, and needs no `=`.
    let labelled_value = label.is_some() && repeated.is_none() && parser.kind() != TokenKind::Define;
    if parser.kind() == TokenKind::Word && !labelled_value {
        let hint = "a name is followed by a colon, as in `potential spring: k * x^2 / 2`";
        return Err(parser.missing("`=`, `for` or a name with `:`", Some(hint)));
    }
    let value = if labelled_value { parser.value() } else { parser.defined_value() };
    Ok(ItemKind::Potential(Potential { label, repeated, value }))
}

/// `force on TARGET at POINT = …`
pub(crate) fn force(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let target = parser.target("force")?;
    let at = if parser.eat_word("at") { Some(parser.expression(Precedence::Frame)?) } else { None };
    Ok(ItemKind::Force(Force { target, at, value: parser.defined_value() }))
}

pub(crate) fn torque(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let target = parser.target("torque")?;
    Ok(ItemKind::Torque(Torque { target, value: parser.defined_value() }))
}

pub(crate) fn always(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.equation("always").map(ItemKind::Always)
}

pub(crate) fn initially(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.equation("initially").map(ItemKind::Initially)
}

pub(crate) fn history(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.equation("history").map(ItemKind::History)
}

/// `surface hull in egg: left == right`, in the coordinates x, y, z of the frame
pub(crate) fn surface(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.name("a name for the surface")?;
    let parent = if parser.eat_word("in") { Some(parser.path("the name of a frame")?) } else { None };
    if !parser.eat(TokenKind::Colon) {
        return Err(parser.missing("`:`", Some("as in `surface floor in world: z == 0`")));
    }
    let statement = parser.expression(Precedence::Open)?;
    match statement.kind {
        ExprKind::Binary { operator: BinaryOperator::Equal, left, right } => {
            Ok(ItemKind::Surface(Surface { name, parent, left: *left, right: *right }))
        }
        _ => Err(parser.report_no_equation(&statement, "surface")),
    }
}

/// `for i in 1..3 { … }`
pub(crate) fn repetition(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let quantifier = parser.quantifier()?;
    if parser.kind() != TokenKind::OpenBrace {
        return Err(parser.missing("`{`", Some("as in `for i in 1..3 { … }`")));
    }
    let open = parser.bump();
    let items = parser.block(open);
    Ok(ItemKind::For(Loop { quantifier, items }))
}

impl Parser<'_> {
    fn target(&mut self, keyword: &str) -> Parsed<Expr> {
        if !self.eat_word("on") {
            let hint = format!("say what it acts on: `{keyword} on car = …`");
            return Err(self.missing("`on`", Some(&hint)));
        }
        self.path("the name of a body")
    }

    /// `i in 1..3`, `b in bodies`, `pairs (a, b) in planets`
    pub(super) fn quantifier(&mut self) -> Parsed<Quantifier> {
        let start = self.token().start;
        let binding = if self.at_word("pairs") && self.ahead(1).kind == TokenKind::OpenParenthesis {
            self.bump();
            self.pair()?
        } else {
            Binding::Each(self.word("a name")?)
        };
        if !self.eat_word("in") {
            let pairs = matches!(&binding, Binding::Each(word) if word.text == "pairs");
            let hint = if pairs { "as in `for pairs (a, b) in planets`" } else { "as in `for i in 1..3`" };
            return Err(self.missing("`in`", Some(hint)));
        }
        let domain = self.domain()?;
        Ok(Quantifier { binding, domain, span: self.span_from(start) })
    }

    /// `(a, b)`
    fn pair(&mut self) -> Parsed<Binding> {
        let open = self.bump();
        let first = self.word("a name for the first of the pair")?;
        if !self.eat(TokenKind::Comma) {
            return Err(self.missing("a comma", None));
        }
        let second = self.word("a name for the second of the pair")?;
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        Ok(Binding::Pairs(first, second))
    }

    pub(super) fn domain(&mut self) -> Parsed<Domain> {
        let first = self.expression(Precedence::Sum)?;
        if self.eat(TokenKind::Range) {
            return Ok(Domain::Range { first, last: self.expression(Precedence::Sum)? });
        }
        if name::is_path(&first) {
            return Ok(Domain::List(first));
        }
        Err(self.report_no_path(first.span, "a range such as `1..3`, or the name of a list,"))
    }

    pub(super) fn equation(&mut self, keyword: &str) -> Parsed<Equation> {
        let label = self.label()?;
        let statement = self.expression(Precedence::Open)?;
        if self.kind() == TokenKind::Define {
            self.report_definition(keyword);
            self.bump();
            return Ok(Equation { label, relation: Relation::Equal { left: statement, right: self.value() } });
        }
        self.relation(label, statement, Some(keyword))
    }

    /// What a statement says, its first expression having been read. `keyword` is the word that begins it, if one does.
    pub(super) fn relation(&mut self, label: Option<Name>, statement: Expr, keyword: Option<&str>) -> Parsed<Equation> {
        if self.eat_word("on") {
            let surface = self.path("the name of a surface")?;
            return Ok(Equation { label, relation: Relation::On { point: statement, surface } });
        }
        let span = statement.span;
        let relation = match statement.kind {
            ExprKind::Binary { operator: BinaryOperator::Equal, left, right } => {
                Relation::Equal { left: *left, right: *right }
            }
            ExprKind::Call { function, arguments } if matches!(&function.kind, ExprKind::Name(name) if name == "tangent") => {
                self.tangency(arguments, span)?
            }
            kind => {
                let statement = Expr::new(kind, span);
                return Err(match keyword {
                    Some(keyword) => self.report_no_equation(&statement, keyword),
                    None => self.report_no_bare_equation(&statement, label.as_ref()),
                });
            }
        };
        Ok(Equation { label, relation })
    }

    /// `tangent(hull, floor, at: contact.position)`, its arguments having been read
    fn tangency(&mut self, arguments: Vec<Argument>, span: Span) -> Parsed<Relation> {
        let at = |argument: &Argument| argument.name.as_ref().is_some_and(|name| name.text == "at");
        match <[Argument; 3]>::try_from(arguments) {
            Ok([first, second, third]) if first.name.is_none() && second.name.is_none() && at(&third) => {
                Ok(Relation::Tangent { first: first.value, second: second.value, at: third.value })
            }
            _ => {
                let message = "`tangent` needs two surfaces and a point";
                let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(span, "");
                Err(self.report(diagnostic.hint("write `tangent(hull, floor, at: contact.position)`")))
            }
        }
    }

    pub(super) fn report_definition(&mut self, keyword: &str) {
        let message = format!("`{keyword}` states an equation, and equations use `==`");
        let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(self.span(self.token()), "");
        self.report(diagnostic.hint("write `==`; a single `=` defines a name"));
    }

    fn report_no_equation(&mut self, statement: &Expr, keyword: &str) -> Reported {
        let hint = match statement.kind {
            ExprKind::Binary { operator: BinaryOperator::And, .. } => {
                format!("state each equation by itself: `{keyword} a == b` and `{keyword} c == d`")
            }
            ExprKind::Binary { operator, .. } if operator.precedence() == Precedence::Comparison => {
                format!("`{}` cannot be solved for anything; write `==`", operator.symbol())
            }
            _ => format!("as in `{keyword} left == right`"),
        };
        let message = format!("`{keyword}` needs an equation");
        let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(statement.span, "");
        self.report(diagnostic.hint(hint))
    }

    /// As `report_no_equation`, in a place where quantities are declared too.
    fn report_no_bare_equation(&mut self, statement: &Expr, label: Option<&Name>) -> Reported {
        let hint = match (&statement.kind, label) {
            (ExprKind::Binary { operator: BinaryOperator::And, .. }, _) => {
                "state each equation by itself, on a line of its own".to_string()
            }
            (ExprKind::Binary { operator, .. }, _) if operator.precedence() == Precedence::Comparison => {
                format!("`{}` cannot be solved for anything; write `==`", operator.symbol())
            }
            (ExprKind::Quantity { unit, .. }, Some(Name { text, .. })) => {
                let value = print_expression(statement);
                format!("a quantity with a value is declared `{text}: [{}] = {value}`", unit.text)
            }
            (_, Some(Name { text, .. })) | (ExprKind::Name(text), None) => {
                format!("a quantity is declared `{text}: [m]`, and one that is a plain number `{text}: real`")
            }
            _ => "as in `left == right`".to_string(),
        };
        let message = "an equation is needed here";
        let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(statement.span, "");
        self.report(diagnostic.hint(hint))
    }
}
