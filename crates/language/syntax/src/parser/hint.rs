//! What was probably meant by a token that has no place where it stands.

use super::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    /// A guess from the current token and the one before it.
    pub(super) fn likely_fix(&self) -> Option<String> {
        let token = self.token();
        let before = self.previous();
        let joins = |word: &str| matches!(word, "and" | "or" | "not" | "in" | "is" | "if" | "then" | "else" | "for");
        let follows_operand = before.is_some_and(|before| before.kind.ends_operand() && !joins(before.text(self.text)));
        let written = token.text(self.text);
        match token.kind {
            TokenKind::Over if self.text[token.start..].starts_with("/*") => {
                Some("a comment begins with `//` and ends with its line".into())
            }
            TokenKind::Unknown => meant_by_character(written),
            TokenKind::Define if before.is_some_and(|b| b.kind == TokenKind::Minus && b.end == token.start) => {
                Some("to take something from a sum, add its negative: `total += -part`".into())
            }
            TokenKind::Define => Some("`=` defines a name; to state or ask that two things are equal, write `==`".into()),
            TokenKind::ColonDefine => Some("a definition is written with `=`".into()),
            TokenKind::Times if before.is_some_and(|before| before.kind == TokenKind::Times) => {
                Some("a power is written with `^`".into())
            }
            TokenKind::OpenBracket => Some(
                "a unit stands directly after a number or a closing parenthesis, as in `9.81 [m/s^2]` or `free(0.3 [m])`"
                    .into(),
            ),
            TokenKind::Word if let Some(unit) = self.unit_without_brackets() => {
                let number = before.filter(|before| before.kind == TokenKind::Number);
                let number = number.map_or("(x, y, z)", |number| number.text(self.text));
                Some(format!("a unit stands in square brackets: `{number} [{unit}]`"))
            }
            TokenKind::Word | TokenKind::Number | TokenKind::OpenParenthesis if follows_operand => {
                Some("to multiply, write `*` between the two".into())
            }
            TokenKind::CloseParenthesis | TokenKind::CloseBracket if follows_operand => {
                Some(format!("nothing is open that `{written}` could close"))
            }
            TokenKind::Text if follows_operand => Some("a description stands at the end of a `param` or `control`".into()),
            TokenKind::Comma if let Some(number) = self.decimal_comma() => {
                Some(format!("a number has a decimal point: `{number}`; the components of a vector stand in parentheses"))
            }
            TokenKind::Comma => Some("the components of a vector stand in parentheses, as in `(x, y, z)`".into()),
            TokenKind::Period => Some("write a number with a digit after its point, as in `1.0`".into()),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// The unit in `9.81 m/s^2` or `(0, 0, 1) m`.
    fn unit_without_brackets(&self) -> Option<&str> {
        self.previous().filter(|before| matches!(before.kind, TokenKind::Number | TokenKind::CloseParenthesis))?;
        self.bare_unit()
    }

    /// The unit that begins with the current token and stands in no brackets.
    pub(super) fn bare_unit(&self) -> Option<&str> {
        let rest = self.text.get(self.token().start..)?;
        let end = rest.find([';', ',', '}', ')', '"', '\n', '=', '<', '>']).unwrap_or(rest.len());
        let readable = |text: &&str| base::Unit::parse(text).is_ok();
        let whole = rest.get(..end).map(str::trim_end);
        whole.filter(readable).or(Some(self.token().text(self.text)).filter(readable))
    }

    /// The number in `9,81`.
    fn decimal_comma(&self) -> Option<String> {
        let (before, after) = (self.previous()?, self.ahead(1));
        let close = before.end == self.token().start && after.start == self.token().end;
        let numbers = before.kind == TokenKind::Number && after.kind == TokenKind::Number;
        let digits = |token: crate::token::Token| token.text(self.text).bytes().all(|byte| byte.is_ascii_digit());
        (close && numbers && digits(before)).then(|| format!("{}.{}", before.text(self.text), after.text(self.text)))
    }
}

fn meant_by_character(character: &str) -> Option<String> {
    let hint = match character {
        "²" => "a power is written with `^`, as in `x^2`",
        "³" => "a power is written with `^`, as in `x^3`",
        "&" => "write `and`",
        "!" => "write `not`",
        "~" => "numbers are never just about equal; write `==`",
        "–" | "—" => "a minus is written `-`",
        "“" | "”" | "„" | "«" | "»" | "‘" | "’" => "text stands in straight quotes, as in `\"silver\"`",
        "√" => "write `sqrt(x)`",
        "°" => "an angle in degrees is written `60 [deg]`",
        "#" | "%" => "a comment begins with `//`",
        "\\" | "@" | "$" | "`" => "this character is not used in the language",
        _ => return None,
    };
    Some(hint.to_string())
}
