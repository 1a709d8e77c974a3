//! Expressions, by precedence climbing: an operand, then as many operators as hold at least as tightly as asked.

use base::Diagnostic;

use super::{Parsed, Parser, SymbolUse};
use crate::codes;
use crate::print::print_expression;
use crate::token::{Token, TokenKind};
use crate::tree::{Argument, Axis, BinaryOperator, Expr, ExprKind, MAXIMUM_DEPTH, Precedence, UnaryOperator, UnitText};

/// What can stand between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOperator),
    InFrame,
    RelativeTo,
}

impl Infix {
    fn precedence(self) -> Precedence {
        match self {
            Infix::Binary(operator) => operator.precedence(),
            Infix::InFrame | Infix::RelativeTo => Precedence::Frame,
        }
    }

    /// How tightly the right operand must hold: tighter than the operator, so that `a - b - c` groups from the left.
    /// Powers group from the right: `a^b^c` is `a^(b^c)`.
    fn right(self) -> Precedence {
        match self.precedence() {
            Precedence::Power => Precedence::Power,
            precedence => precedence.tighter(),
        }
    }
}

impl Parser<'_> {
    /// An expression whose operators all hold at least as tightly as `loosest`.
    pub(super) fn expression(&mut self, loosest: Precedence) -> Parsed<Expr> {
        self.nested(|parser| parser.operators(loosest))
    }

    fn operators(&mut self, loosest: Precedence) -> Parsed<Expr> {
        let start = self.token().start;
        let mut left = self.operand()?;
        let mut compared = None;
        while let Some(infix) = self.infix().filter(|infix| infix.precedence() >= loosest) {
            if infix.precedence() == Precedence::Comparison
                && let Some(first) = compared.replace(self.token())
            {
                return Err(self.report_chained_comparison(first));
            }
            self.bump();
            if let Infix::RelativeTo = infix {
                self.bump();
            }
            let right = Box::new(self.expression(infix.right())?);
            let kind = match infix {
                Infix::Binary(operator) => ExprKind::Binary { operator, left: Box::new(left), right },
                Infix::InFrame => ExprKind::InFrame { vector: Box::new(left), frame: right },
                Infix::RelativeTo => ExprKind::RelativeTo { point: Box::new(left), frame: right },
            };
            left = self.node(kind, start)?;
        }
        Ok(left)
    }

    fn infix(&self) -> Option<Infix> {
        let operator = match self.kind() {
            TokenKind::Plus => BinaryOperator::Add,
            TokenKind::Minus => BinaryOperator::Subtract,
            TokenKind::Times => BinaryOperator::Multiply,
            TokenKind::Over => BinaryOperator::Divide,
            TokenKind::Caret => BinaryOperator::Power,
            TokenKind::Dot => BinaryOperator::Dot,
            TokenKind::Cross => BinaryOperator::Cross,
            TokenKind::Equal => BinaryOperator::Equal,
            TokenKind::NotEqual => BinaryOperator::NotEqual,
            TokenKind::Less => BinaryOperator::Less,
            TokenKind::LessEqual => BinaryOperator::LessEqual,
            TokenKind::Greater => BinaryOperator::Greater,
            TokenKind::GreaterEqual => BinaryOperator::GreaterEqual,
            TokenKind::Word => return self.infix_word(),
            _ => return None,
        };
        Some(Infix::Binary(operator))
    }

    fn infix_word(&self) -> Option<Infix> {
        match self.token().text(self.text) {
            "and" => Some(Infix::Binary(BinaryOperator::And)),
            "or" => Some(Infix::Binary(BinaryOperator::Or)),
            // `in [0, 1]` is a range; nothing in an expression begins with a bracket.
            "in" if self.ahead(1).kind != TokenKind::OpenBracket => Some(Infix::InFrame),
            "is" => Some(Infix::Binary(BinaryOperator::Is)),
            "relative" if self.ahead(1).text(self.text) == "to" => Some(Infix::RelativeTo),
            _ => None,
        }
    }

    /// Makes a node that began at `start`, unless the tree below it is too deep to walk.
    pub(super) fn node(&mut self, kind: ExprKind, start: usize) -> Parsed<Expr> {
        let node = Expr::new(kind, self.span_from(start));
        if node.depth() > MAXIMUM_DEPTH {
            return Err(self.report_too_deep(node.span));
        }
        Ok(node)
    }

    /// Everything tighter than an operator between two operands, and what begins with a word of its own.
    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.token().start;
        match self.kind() {
            TokenKind::Minus => self.unary(UnaryOperator::Negate, Precedence::Power),
            TokenKind::Plus => {
                // A plus sign changes nothing, so the tree has no node for it.
                self.bump_as(SymbolUse::Sign);
                self.expression(Precedence::Power)
            }
            TokenKind::Bar => self.norm(),
            TokenKind::Number => self.number(),
            TokenKind::OpenParenthesis => self.parenthesis(),
            TokenKind::Text | TokenKind::UnclosedText => {
                let value = self.text().map_or_else(String::new, |text| text.value);
                self.node(ExprKind::Text(value), start)
            }
            TokenKind::Word => match self.token().text(self.text) {
                "not" => self.unary(UnaryOperator::Not, Precedence::Comparison),
                "if" => self.choice(),
                "free" => self.free(),
                "about" => self.about(),
                _ => self.named(),
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: Precedence) -> Parsed<Expr> {
        let start = match operator {
            UnaryOperator::Negate => self.bump_as(SymbolUse::Sign).start,
            UnaryOperator::Not => self.bump().start,
        };
        let operand = Box::new(self.expression(operand)?);
        self.node(ExprKind::Unary { operator, operand }, start)
    }

    fn named(&mut self) -> Parsed<Expr> {
        let word = self.word("an expression")?;
        let name = self.node(ExprKind::Name(word.text), word.span.start as usize)?;
        self.postfix(name)
    }

    fn number(&mut self) -> Parsed<Expr> {
        let token = self.bump();
        let text = token.text(self.text).to_string();
        let value = text.parse::<f64>().unwrap_or(f64::INFINITY);
        if !value.is_finite() {
            let message = "this number is too large to compute with";
            let diagnostic = Diagnostic::error(codes::BAD_NUMBER, message).at(self.span(token), "");
            return Err(self.report(diagnostic.hint("numbers reach up to about 1.8e308")));
        }
        let number = self.node(ExprKind::Number { value, text }, token.start)?;
        self.postfix(number)
    }

    fn parenthesis(&mut self) -> Parsed<Expr> {
        let inside = self.tuple()?;
        self.postfix(inside)
    }

    /// `(x)` or `(x, y, z)`
    fn tuple(&mut self) -> Parsed<Expr> {
        let open = self.bump();
        let mut parts = vec![self.expression(Precedence::Open)?];
        while self.eat(TokenKind::Comma) {
            parts.push(self.expression(Precedence::Open)?);
        }
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        match parts.pop() {
            Some(mut only) if parts.is_empty() => {
                only.span = self.span_from(open.start);
                Ok(only)
            }
            last => {
                parts.extend(last);
                self.node(ExprKind::Tuple(parts), open.start)
            }
        }
    }

    fn norm(&mut self) -> Parsed<Expr> {
        let open = self.bump_as(SymbolUse::OpeningBar);
        let inside = Box::new(self.expression(Precedence::Open)?);
        if self.kind() != TokenKind::Bar {
            return Err(self.not_closed(open, "|"));
        }
        self.bump_as(SymbolUse::ClosingBar);
        let norm = self.node(ExprKind::Norm(inside), open.start)?;
        self.postfix(norm)
    }

    /// `free` or `free(guess)`
    fn free(&mut self) -> Parsed<Expr> {
        let start = self.bump().start;
        let mut guess = None;
        if self.kind() == TokenKind::OpenParenthesis {
            let open = self.bump_as(SymbolUse::CallParenthesis);
            guess = Some(Box::new(self.expression(Precedence::Open)?));
            self.close(open, TokenKind::CloseParenthesis, ")")?;
        }
        self.node(ExprKind::Free(guess), start)
    }

    /// `about AXIS ROTATION`
    fn about(&mut self) -> Parsed<Expr> {
        let start = self.bump().start;
        let axis = self.axis()?;
        if self.at_end_of_statement() {
            let hint = "say how far: `about x free`, or `about x 30 [deg]`";
            return Err(self.missing("the angle of the rotation", Some(hint)));
        }
        let rotation = Box::new(self.expression(Precedence::Sum)?);
        self.node(ExprKind::About { axis, rotation }, start)
    }

    fn axis(&mut self) -> Parsed<Axis> {
        if self.kind() == TokenKind::OpenParenthesis {
            return Ok(Axis::Vector(Box::new(self.tuple()?)));
        }
        let token = self.token();
        let axis = match token.text(self.text) {
            "x" => Axis::X,
            "y" => Axis::Y,
            "z" => Axis::Z,
            other => {
                let name = if token.kind == TokenKind::Word { other } else { "axis" };
                let hint = format!("write `about x free`, or `about (1, 1, 0) free`, or `about ({name}) free`");
                return Err(self.missing("an axis `x`, `y`, `z` or a vector in parentheses", Some(&hint)));
            }
        };
        self.bump();
        Ok(axis)
    }

    /// `if c then a else b`
    fn choice(&mut self) -> Parsed<Expr> {
        let start = self.bump().start;
        let condition = Box::new(self.expression(Precedence::Open)?);
        if !self.eat_word("then") {
            return Err(self.unexpected("`then`"));
        }
        let then = Box::new(self.expression(Precedence::Open)?);
        if !self.eat_word("else") {
            let hint = "both cases need a value: `if c then a else b`";
            return Err(self.missing("`else`", Some(hint)));
        }
        let otherwise = Box::new(self.expression(Precedence::Open)?);
        self.node(ExprKind::If { condition, then, otherwise }, start)
    }

    /// Fields, indices, arguments, units and primes, as many as follow.
    fn postfix(&mut self, mut base: Expr) -> Parsed<Expr> {
        let start = base.span.start as usize;
        loop {
            let named = matches!(base.kind, ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Index { .. });
            // `x'(t - 1 [s])`, the rate at an earlier time.
            let is_rate = matches!(base.kind, ExprKind::Derivative(_));
            let parenthesised = self.previous().is_some_and(|token| token.kind == TokenKind::CloseParenthesis);
            let counted = matches!(base.kind, ExprKind::Number { .. });
            let kind = match self.kind() {
                TokenKind::Period if self.ahead(1).kind == TokenKind::Word => {
                    self.bump();
                    ExprKind::Field { base: Box::new(base), field: self.any_word() }
                }
                TokenKind::OpenParenthesis if (named || is_rate) && !parenthesised => self.call(base)?,
                TokenKind::OpenBracket if counted || parenthesised => {
                    ExprKind::Quantity { value: Box::new(base), unit: self.unit()? }
                }
                TokenKind::OpenBracket if named => ExprKind::Index { base: Box::new(base), indices: self.indices()? },
                TokenKind::Prime => {
                    self.bump();
                    ExprKind::Derivative(Box::new(base))
                }
                _ => return Ok(base),
            };
            base = self.node(kind, start)?;
        }
    }

    /// `[kg*m/s^2]`: what is inside, all on one line, is read where units are known.
    pub(super) fn unit(&mut self) -> Parsed<UnitText> {
        let open = self.bump_as(SymbolUse::UnitBracket);
        while self.kind() != TokenKind::CloseBracket {
            if self.at_end_of_statement() || self.kind() == TokenKind::OpenBracket {
                return Err(self.report_unclosed(open, "]"));
            }
            self.bump();
        }
        let close = self.bump();
        let inside = self.text.get(open.end..close.start).unwrap_or("");
        if inside.contains('\n') {
            return Err(self.report_unclosed(open, "]"));
        }
        let start = open.end + (inside.len() - inside.trim_start().len());
        let text = inside.trim().to_string();
        let span = self.span(Token { start, end: start + text.len(), ..open });
        Ok(UnitText { text, span })
    }

    /// `rod(from: swing, to: bob)`, or `sum(g.force for g in gravitation)`, from the parenthesis on
    fn call(&mut self, function: Expr) -> Parsed<ExprKind> {
        let open = self.bump_as(SymbolUse::CallParenthesis);
        let arguments = self.argument_list()?;
        if self.at_word("for") {
            let repeated = self.repeated(&function, arguments)?;
            self.close(open, TokenKind::CloseParenthesis, ")")?;
            return Ok(repeated);
        }
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        Ok(ExprKind::Call { function: Box::new(function), arguments })
    }

    /// `for g in gravitation if g.a is p`, what is to be added having been read
    fn repeated(&mut self, function: &Expr, arguments: Vec<Argument>) -> Parsed<ExprKind> {
        if !matches!(&function.kind, ExprKind::Name(name) if name == "sum") {
            return Err(self.report_later(self.token(), &format!("`for` in `{}(…)`", print_expression(function))));
        }
        let Ok([Argument { name: None, value }]) = <[Argument; 1]>::try_from(arguments) else {
            let hint = "as in `sum(g.force for g in gravitation if g.a is p)`";
            return Err(self.missing("one value to be added, before `for`,", Some(hint)));
        };
        self.bump();
        let quantifier = Box::new(self.quantifier()?);
        if self.kind() == TokenKind::Word && !self.at_word("if") {
            let hint = "a condition is written `sum(g.force for g in gravitation if g.a is p)`";
            return Err(self.missing("`if` or `)`", Some(hint)));
        }
        let condition = if self.eat_word("if") { Some(Box::new(self.expression(Precedence::Open)?)) } else { None };
        Ok(ExprKind::Sum { value: Box::new(value), quantifier, condition })
    }

    /// `(x, radius: y)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        let open = self.bump_as(SymbolUse::CallParenthesis);
        let arguments = self.argument_list()?;
        self.close(open, TokenKind::CloseParenthesis, ")")?;
        Ok(arguments)
    }

    /// Up to the closing parenthesis.
    fn argument_list(&mut self) -> Parsed<Vec<Argument>> {
        let mut arguments = Vec::new();
        if self.kind() == TokenKind::CloseParenthesis {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(arguments);
            }
        }
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let mut name = None;
        if self.kind() == TokenKind::Word && self.ahead(1).kind == TokenKind::Colon {
            name = Some(self.any_word());
            self.bump();
        }
        Ok(Argument { name, value: self.expression(Precedence::Open)? })
    }

    fn report_chained_comparison(&mut self, first: Token) -> super::Reported {
        let (left, right) = (first.text(self.text), self.token().text(self.text));
        let message = "comparisons cannot be chained".to_string();
        let diagnostic = Diagnostic::error(codes::CHAINED_COMPARISON, message)
            .at(self.span(self.token()), "a second comparison")
            .at(self.span(first), "the first")
            .hint(format!("write `a {left} b and b {right} c`, or make two statements of it"));
        self.report(diagnostic)
    }
}
