//! Statements about what changes all at once.

use base::Diagnostic;

use super::{Parsed, Parser};
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{
    BinaryOperator, Choice, Claim, Course, Effect, EffectKind, Equation, Expr, ExprKind, Formula, ItemKind, Mode, Name,
    Phase, PhaseEnd, Precedence, Relation, Satisfied, When,
};

/// `mode NAME: VALUE | VALUE = VALUE`, where the start may be left out
pub(crate) fn mode(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    const EXAMPLE: &str = "as in `mode motion: bouncing | rolling = bouncing`";
    let name = parser.dotted_name("a name for the mode")?;
    if !parser.eat(TokenKind::Colon) {
        return Err(parser.missing("`:`", Some(EXAMPLE)));
    }
    let mut values = vec![parser.mode_value("a value of the mode")?];
    while matches!(parser.kind(), TokenKind::Bar | TokenKind::Comma) {
        if parser.kind() == TokenKind::Comma {
            let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, "the values of a mode stand between bars");
            let diagnostic = diagnostic.at(parser.span(parser.token()), "a comma");
            parser.report(diagnostic.hint(format!("write `|`, {EXAMPLE}")));
        }
        parser.bump();
        values.push(parser.mode_value("a value of the mode")?);
    }
    let start = if parser.eat(TokenKind::Define) { Some(parser.mode_value("the value it starts with")?) } else { None };
    Ok(ItemKind::Mode(Mode { name, values, start }))
}

/// `when NAME: GUARD { … }`
pub(crate) fn when(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let Some(name) = parser.label()? else {
        let hint = "a transition has a name: `when land: gap <= 0 { … }`";
        return Err(parser.missing("a name with `:`", Some(hint)));
    };
    let guard = parser.expression(Precedence::Open)?;
    let effects = parser.effects("when land: gap <= 0 { … }")?;
    Ok(ItemKind::When(When { name, guard, effects }))
}

pub(crate) fn sequence(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.course("sequence").map(ItemKind::Sequence)
}

pub(crate) fn plan(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    parser.course("plan").map(ItemKind::Plan)
}

/// `claim NAME: FORMULA`
pub(crate) fn claim(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let Some(name) = parser.label()? else {
        return Err(parser.missing("a name with `:`", Some("as in `claim dry: always boat.position.z >= 0`")));
    };
    let formula = parser.nested(Parser::formula)?;
    if TEMPORAL.iter().any(|word| parser.at_word(word)) {
        let hint = "`always` and `eventually` come first: `claim dry: always boat.position.z >= 0`";
        return Err(parser.missing("the end of the claim", Some(hint)));
    }
    Ok(ItemKind::Claim(Claim { name, formula }))
}

impl Parser<'_> {
    /// A name in a declaration that may belong to something: `car1.state`.
    pub(super) fn dotted_name(&mut self, wanted: &str) -> Parsed<Name> {
        let mut name = self.name(wanted)?;
        while name.indices.is_empty() && self.kind() == TokenKind::Period && self.ahead(1).kind == TokenKind::Word {
            self.bump();
            let field = self.word("a name")?;
            name = Name {
                text: format!("{}.{}", name.text, field.text),
                indices: Vec::new(),
                span: name.span.to(field.span),
            };
        }
        Ok(name)
    }

    /// `NAME when GUARD { choose …; begin { … } until … { … } after … aim … { … } }`
    fn course(&mut self, keyword: &str) -> Parsed<Course> {
        let name = self.name(&format!("a name for the {keyword}"))?;
        if !self.eat_word("when") {
            let hint = format!("say when it begins: `{keyword} {} when … {{ … }}`", name.text);
            return Err(self.missing("`when`", Some(&hint)));
        }
        let guard = self.expression(Precedence::Open)?;
        let mut course = Course { name, guard, choices: Vec::new(), begin: Vec::new(), phases: Vec::new() };
        let open = self.opening_brace("sequence drive when … { begin { … } until … { … } }")?;
        loop {
            self.skip_separators();
            if self.eat(TokenKind::CloseBrace) {
                return Ok(course);
            } else if self.kind() == TokenKind::EndOfText {
                return Err(self.report_unclosed(open, "}"));
            } else if self.part_of_course(&mut course, keyword).is_err() {
                self.skip_statement();
            }
        }
    }

    /// One statement in the braces of a sequence or a plan.
    fn part_of_course(&mut self, course: &mut Course, keyword: &str) -> Parsed<()> {
        let start = self.token().start;
        if keyword == "plan" && self.eat_word("choose") {
            course.choices.push(self.choice_of_plan(start)?);
        } else if self.eat_word("begin") {
            course.begin = self.effects("begin { keep positions }")?;
        } else if self.eat_word("until") {
            let end = PhaseEnd::Until(self.expression(Precedence::Open)?);
            let effects = self.effects("until gap <= 0 { … }")?;
            course.phases.push(Phase { end, effects, span: self.span_from(start) });
        } else if self.eat_word("after") {
            let duration = self.expression(Precedence::Open)?;
            let aims = if self.eat_word("aim") { self.aims()? } else { Vec::new() };
            let effects = self.effects("after 2 [s] aim car.position.x == 0 { … }")?;
            let end = PhaseEnd::After { duration, aims };
            course.phases.push(Phase { end, effects, span: self.span_from(start) });
        } else {
            let hint = match keyword {
                "plan" => "a plan says what it may `choose`, how it can `begin`, and what it aims at `after` some time",
                _ => "a sequence says how it can `begin`, and what happens when its phases end: `until …`, `after …`",
            };
            return Err(self.missing("`begin`, `until` or `after`", Some(hint)));
        }
        Ok(())
    }

    /// `v: vec [m/s] from (0, 0, 0)`
    fn choice_of_plan(&mut self, start: usize) -> Parsed<Choice> {
        let name = self.dotted_name("a name for what is chosen")?;
        if !self.eat(TokenKind::Colon) {
            return Err(self.missing("`:`", Some("as in `choose v: vec [m/s] from (0, 0, 0)`")));
        }
        let (_, type_) = self.quantity_type(&name.text)?;
        let seed = if self.eat_word("from") { Some(self.expression(Precedence::Open)?) } else { None };
        Ok(Choice { name, type_, seed, span: self.span_from(start) })
    }

    /// `a == b, c == d` up to the brace
    fn aims(&mut self) -> Parsed<Vec<Equation>> {
        let mut aims = Vec::new();
        loop {
            let statement = self.expression(Precedence::Open)?;
            if self.kind() == TokenKind::Define {
                self.report_definition("aim");
                self.bump();
                let right = self.expression(Precedence::Open)?;
                aims.push(Equation { label: None, relation: Relation::Equal { left: statement, right } });
            } else {
                for part in conjuncts(statement) {
                    aims.push(self.relation(None, part, Some("aim"))?);
                }
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(aims);
            }
        }
    }

    fn opening_brace(&mut self, example: &str) -> Parsed<crate::token::Token> {
        if self.kind() == TokenKind::Define {
            let hint = "a single `=` defines a name; conditions compare with `<=`, `>=`, and modes with `==`";
            return Err(self.missing("`{`", Some(hint)));
        }
        if self.kind() != TokenKind::OpenBrace {
            return Err(self.missing("`{`", Some(&format!("as in `{example}`"))));
        }
        Ok(self.bump())
    }

    /// What happens in a transition, in braces.
    fn effects(&mut self, example: &str) -> Parsed<Vec<Effect>> {
        let open = self.opening_brace(example)?;
        let mut effects = Vec::new();
        loop {
            self.skip_separators();
            if self.eat(TokenKind::CloseBrace) {
                return Ok(effects);
            }
            if self.kind() == TokenKind::EndOfText {
                return Err(self.report_unclosed(open, "}"));
            }
            let start = self.token().start;
            let kind = match self.effect() {
                Ok(kind) => kind,
                Err(_) => {
                    self.skip_statement();
                    continue;
                }
            };
            self.end_of_statement();
            effects.push(Effect { kind, span: self.span_from(start) });
        }
    }

    fn effect(&mut self) -> Parsed<EffectKind> {
        if self.at_word("keep") && self.ahead(1).kind == TokenKind::Word {
            self.bump();
            let what = self.list_of_quantities()?;
            let except = if self.eat_word("except") { self.list_of_quantities()? } else { Vec::new() };
            return Ok(EffectKind::Keep { what, except });
        }
        if self.at_word("satisfy") && self.ahead(1).kind == TokenKind::Word {
            self.bump();
            let level = match self.token().text(self.text) {
                "position" | "positions" => Some(Satisfied::Positions),
                "velocity" | "velocities" => Some(Satisfied::Velocities),
                _ => None,
            };
            if level.is_some() {
                self.bump();
            }
            return match level {
                Some(level) if self.eat_word("constraints") => Ok(EffectKind::Satisfy(level)),
                _ => Err(self.missing(
                    "`position constraints` or `velocity constraints`",
                    Some("as in `satisfy velocity constraints`"),
                )),
            };
        }
        let statement = self.expression(Precedence::Open)?;
        if self.kind() == TokenKind::Define {
            let message = "what holds after a transition is stated with `==`";
            let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(self.span(self.token()), "");
            self.report(diagnostic.hint("write `==`; a single `=` defines a name"));
            self.bump();
            let right = self.expression(Precedence::Open)?;
            let relation = Relation::Equal { left: statement, right };
            return Ok(EffectKind::Equation(Box::new(Equation { label: None, relation })));
        }
        let states = matches!(&statement.kind, ExprKind::Binary { operator: BinaryOperator::Equal, .. });
        if !states && statement.kind != ExprKind::Error {
            let message = "a transition says here what holds after it";
            let diagnostic = Diagnostic::error(codes::EQUATION_EXPECTED, message).at(statement.span, "no equation");
            return Err(self.report(diagnostic.hint(
                "write `x == 2 * pre(x)`, `motion == rolling`, `keep positions` or `satisfy velocity constraints`",
            )));
        }
        self.relation(None, statement, None).map(Box::new).map(EffectKind::Equation)
    }

    fn list_of_quantities(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        loop {
            list.push(self.expression(Precedence::Postfix)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(list);
            }
        }
    }

    /// Whether the parentheses that open here hold a formula, and not part of a condition.
    fn formula_in_parentheses(&self) -> bool {
        let mut open = 0_usize;
        for at in 0.. {
            let token = self.ahead(at);
            match token.kind {
                TokenKind::EndOfText => return false,
                TokenKind::Word if TEMPORAL.contains(&token.text(self.text)) => return true,
                kind if kind.closing().is_some() => open += 1,
                kind if kind.is_closing() => open -= 1,
                _ => {}
            }
            if open == 0 {
                return false;
            }
        }
        false
    }

    /// `always F`, `eventually F`, `next F`, `F until F`, `F implies F`, a condition, or one of these in parentheses
    fn formula(&mut self) -> Parsed<Formula> {
        type Make = fn(Box<Formula>) -> Formula;
        let prefixes: [(&str, Make); 3] =
            [("always", Formula::Always), ("eventually", Formula::Eventually), ("next", Formula::Next)];
        for (word, make) in prefixes {
            if self.eat_word(word) {
                return self.nested(Parser::formula).map(|inner| make(Box::new(inner)));
            }
        }
        let left = if self.kind() == TokenKind::OpenParenthesis && self.formula_in_parentheses() {
            let open = self.bump();
            let inner = self.nested(Parser::formula)?;
            self.close(open, TokenKind::CloseParenthesis, ")")?;
            inner
        } else {
            Formula::Holds(self.expression(Precedence::Open)?)
        };
        type Join = fn(Box<Formula>, Box<Formula>) -> Formula;
        let joins: [(&str, Join); 2] = [("until", Formula::Until), ("implies", Formula::Implies)];
        for (word, make) in joins {
            if self.eat_word(word) {
                return self.nested(Parser::formula).map(|right| make(Box::new(left), Box::new(right)));
            }
        }
        Ok(left)
    }
}

/// The words that make a formula of conditions.
const TEMPORAL: [&str; 5] = ["always", "eventually", "next", "until", "implies"];

/// `a and b and c` as a list.
fn conjuncts(expr: Expr) -> Vec<Expr> {
    match expr.kind {
        ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
            let mut parts = conjuncts(*left);
            parts.extend(conjuncts(*right));
            parts
        }
        kind => vec![Expr::new(kind, expr.span)],
    }
}
