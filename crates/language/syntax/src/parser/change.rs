//! Statements about what changes all at once.

use base::Diagnostic;

use super::{Parsed, Parser};
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{
    BinaryOperator, Choice, Claim, Course, Effect, EffectKind, Equation, Every, Expr, ExprKind, Formula, ItemKind,
    Limit, Mode, Name, Phase, PhaseEnd, Precedence, Relation, Satisfied, Stop, When,
};

/// `mode NAME: VALUE | VALUE = VALUE`, where the start may be left out
pub(crate) fn mode(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    const EXAMPLE: &str = "as in `mode motion: bouncing | rolling = bouncing`";
    let name = parser.dotted_name("a name for the mode")?;
    if !parser.eat(TokenKind::Colon) {
        return Err(parser.missing("`:`", Some(EXAMPLE)));
    }
    let mut values = vec![parser.word("a value of the mode")?];
    while matches!(parser.kind(), TokenKind::Bar | TokenKind::Comma) {
        if parser.kind() == TokenKind::Comma {
            let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, "the values of a mode stand between bars");
            let diagnostic = diagnostic.at(parser.span(parser.token()), "a comma");
            parser.report(diagnostic.hint(format!("write `|`, {EXAMPLE}")));
        }
        parser.bump();
        values.push(parser.word("a value of the mode")?);
    }
    let start = if parser.eat(TokenKind::Define) { Some(parser.word("the value it starts with")?) } else { None };
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

/// `every PERIOD { … }`, or `every NAME: PERIOD { … }`
pub(crate) fn every(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = parser.label()?;
    let period = parser.expression(Precedence::Open)?;
    let effects = parser.effects("every 10 [ms] { u == -k * pre(x) }")?;
    Ok(ItemKind::Every(Every { name, period, effects }))
}

/// `stop when CONDITION`, or `stop NAME when CONDITION`
pub(crate) fn stop(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let name = if parser.at_word("when") { None } else { Some(parser.name("`when`, or a name for this end")?) };
    if !parser.eat_word("when") {
        return Err(parser.missing("`when`", Some("say when the run ends: `stop when ball.position.z <= 0`")));
    }
    let condition = parser.expression(Precedence::Open)?;
    Ok(ItemKind::Stop(Stop { name, condition }))
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
    // Two words beside each other: the first was meant to say when.
    if let Formula::Holds(Expr { kind: ExprKind::Name(word), span, .. }) = &formula
        && parser.kind() == TokenKind::Word
        && !JOINING.iter().any(|word| parser.at_word(word))
    {
        let diagnostic = Diagnostic::error(codes::UNEXPECTED_TEXT, format!("no claim begins with `{word}`"));
        let hint = match base::nearest(word, TEMPORAL) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write `always C`, `eventually C`, `next C` or `C until D`".to_string(),
        };
        return Err(parser.report(diagnostic.at(*span, "").hint(hint)));
    }
    if TEMPORAL.iter().chain(&JOINING).any(|word| parser.at_word(word)) {
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
            course.phases.push(self.phase(start, end, "until gap <= 0 { … }")?);
        } else if self.eat_word("after") {
            let end = PhaseEnd::After(self.expression(Precedence::Open)?);
            course.phases.push(self.phase(start, end, "after 2 [s] aim car.position.x == 0 { … }")?);
        } else {
            let hint = match keyword {
                "plan" => {
                    "a plan says what it may `choose`, how it can `begin`, and what it aims at when a phase ends: `after …`, `until …`"
                }
                _ => "a sequence says how it can `begin`, and what happens when its phases end: `until …`, `after …`",
            };
            return Err(self.missing("`begin`, `until` or `after`", Some(hint)));
        }
        Ok(())
    }

    /// `aim a == b, c <= d minimizing e { … }` behind what ends a phase, with or without aims and cost
    fn phase(&mut self, start: usize, end: PhaseEnd, example: &str) -> Parsed<Phase> {
        let (aims, limits) = if self.eat_word("aim") { self.aims()? } else { (Vec::new(), Vec::new()) };
        let cost = if self.eat_word("minimizing") { Some(self.expression(Precedence::Open)?) } else { None };
        let effects = self.effects(example)?;
        Ok(Phase { end, aims, limits, cost, effects, span: self.span_from(start) })
    }

    /// `v: [m/s] from 1 [m/s] in [0, 20] [m/s]`
    fn choice_of_plan(&mut self, start: usize) -> Parsed<Choice> {
        let name = self.dotted_name("a name for what is chosen")?;
        if !self.eat(TokenKind::Colon) {
            return Err(self.missing("`:`", Some("as in `choose v: vec [m/s] from (0, 0, 0)`")));
        }
        let (_, type_) = self.quantity_type(&name.text)?;
        let seed = if self.eat_word("from") { Some(self.expression(Precedence::Open)?) } else { None };
        let range = self.optional_range();
        Ok(Choice { name, type_, seed, range, span: self.span_from(start) })
    }

    /// `a == b, c <= d` up to the cost or the brace
    fn aims(&mut self) -> Parsed<(Vec<Equation>, Vec<Limit>)> {
        let (mut aims, mut limits) = (Vec::new(), Vec::new());
        loop {
            let statement = self.expression(Precedence::Open)?;
            if self.kind() == TokenKind::Define {
                self.report_definition("aim");
                self.bump();
                let right = self.expression(Precedence::Open)?;
                aims.push(Equation { label: None, relation: Relation::Equal { left: statement, right } });
            } else {
                for part in conjuncts(statement) {
                    match limit(part) {
                        Ok(limit) => limits.push(limit),
                        Err(part) => aims.push(self.relation(None, part, Some("aim"))?),
                    }
                }
            }
            if !self.eat(TokenKind::Comma) {
                return Ok((aims, limits));
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
            let near = match &statement.kind {
                ExprKind::Name(name) => base::nearest(name, ["keep", "satisfy"]),
                _ => None,
            };
            return Err(self.report(match near {
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic.hint(
                    "write `x == 2 * pre(x)`, `motion == rolling`, `keep positions` or `satisfy velocity constraints`",
                ),
            }));
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

    /// Whether the parentheses that open at a token hold a formula, and not part of a condition.
    fn formula_in_parentheses(&self, at: usize) -> bool {
        let mut open = 0_usize;
        for at in at.. {
            let token = self.ahead(at);
            match token.kind {
                TokenKind::EndOfText => return false,
                TokenKind::Word if JOINING.contains(&token.text(self.text)) || self.is_temporal(at) => return true,
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

    /// Whether a token is one of the words that make a formula of what follows. A quantity may be called so too: `next <= 3`.
    fn is_temporal(&self, at: usize) -> bool {
        let is_one = |at: usize, words: &[&str]| {
            let token = self.ahead(at);
            token.kind == TokenKind::Word && words.contains(&token.text(self.text))
        };
        let follows = self.ahead(at + 1).kind;
        let begins = matches!(
            follows,
            TokenKind::Word
                | TokenKind::Number
                | TokenKind::OpenParenthesis
                | TokenKind::Bar
                | TokenKind::Newline
                | TokenKind::EndOfText
        );
        is_one(at, &TEMPORAL) && begins && !is_one(at + 1, &JOINING) && !is_one(at + 1, &["and", "or", "in", "is"])
    }

    /// `F until F`, `F implies F`, or less
    fn formula(&mut self) -> Parsed<Formula> {
        let start = self.token().start;
        let left = self.formula_of_alternatives(start)?;
        type Join = fn(Box<Formula>, Box<Formula>) -> Formula;
        let joins: [Join; 2] = [Formula::Until, Formula::Implies];
        for (word, make) in JOINING.into_iter().zip(joins) {
            if self.eat_word(word) {
                return self.nested(Parser::formula).map(|right| make(Box::new(left), Box::new(right)));
            }
        }
        Ok(left)
    }

    /// `F or F`, or less
    fn formula_of_alternatives(&mut self, start: usize) -> Parsed<Formula> {
        let mut left = self.formula_of_parts(start)?;
        while self.eat_word("or") {
            let next = self.token().start;
            let right = self.formula_of_parts(next)?;
            left = self.joined(start, BinaryOperator::Or, left, right)?;
        }
        Ok(left)
    }

    /// `F and F`, or less
    fn formula_of_parts(&mut self, start: usize) -> Parsed<Formula> {
        let mut left = self.part_of_formula()?;
        while self.eat_word("and") {
            let right = self.part_of_formula()?;
            left = self.joined(start, BinaryOperator::And, left, right)?;
        }
        Ok(left)
    }

    /// Two conditions that are joined are a condition.
    fn joined(&mut self, start: usize, operator: BinaryOperator, left: Formula, right: Formula) -> Parsed<Formula> {
        Ok(match (left, right, operator) {
            (Formula::Holds(left), Formula::Holds(right), operator) => {
                let kind = ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
                Formula::Holds(self.node(kind, start)?)
            }
            (left, right, BinaryOperator::Or) => Formula::Or(Box::new(left), Box::new(right)),
            (left, right, _) => Formula::And(Box::new(left), Box::new(right)),
        })
    }

    /// `always F`, `eventually F`, `next F`, which reach as far to the right as they can; `not F`, `(F)`, or a condition
    fn part_of_formula(&mut self) -> Parsed<Formula> {
        type Make = fn(Box<Formula>) -> Formula;
        let makes: [Make; 3] = [Formula::Always, Formula::Eventually, Formula::Next];
        for (word, make) in TEMPORAL.into_iter().zip(makes) {
            if self.at_word(word) && self.is_temporal(0) {
                self.bump();
                return self.nested(Parser::formula).map(|inner| make(Box::new(inner)));
            }
        }
        let at_formula = |at: usize| match self.ahead(at).kind {
            TokenKind::OpenParenthesis => self.formula_in_parentheses(at),
            _ => self.is_temporal(at),
        };
        let nots = (0..).take_while(|&at| self.ahead(at).text(self.text) == "not").count();
        if nots > 0 && at_formula(nots) {
            self.bump();
            return self.nested(Parser::part_of_formula).map(|inner| Formula::Not(Box::new(inner)));
        }
        if self.kind() == TokenKind::OpenParenthesis && at_formula(0) {
            let open = self.bump();
            let inner = self.nested(Parser::formula)?;
            self.close(open, TokenKind::CloseParenthesis, ")")?;
            return Ok(inner);
        }
        self.expression(Precedence::Not).map(Formula::Holds)
    }
}

/// The words that make a formula of what follows them.
const TEMPORAL: [&str; 3] = ["always", "eventually", "next"];
/// The words that make a formula of what stands on both sides.
const JOINING: [&str; 2] = ["until", "implies"];

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

/// `a <= b` or `b >= a`; whatever else it is comes back.
fn limit(expr: Expr) -> Result<Limit, Expr> {
    let span = expr.span;
    match expr.kind {
        ExprKind::Binary { operator: BinaryOperator::LessEqual, left, right } => {
            Ok(Limit { smaller: *left, larger: *right, span })
        }
        ExprKind::Binary { operator: BinaryOperator::GreaterEqual, left, right } => {
            Ok(Limit { smaller: *right, larger: *left, span })
        }
        kind => Err(Expr::new(kind, span)),
    }
}
