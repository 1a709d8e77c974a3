//! Actuators, and the motions that they bring about.

use super::{Parsed, Parser, Reported};
use crate::token::TokenKind;
use crate::tree::{Actuator, Expr, ItemKind, Prescribe};

const ACTUATOR: &str = "as in `actuator shoulder.torque in [-20, 20] [N*m]`";
const PRESCRIBE: &str = "as in `prescribe hand.position == path(t) using shoulder.torque, elbow.torque`";

/// `actuator A.torque, B.force in [LOW, HIGH] [UNIT]`, where the limits may be left out
pub(crate) fn actuator(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let quantities = parser.actuated(ACTUATOR)?;
    let mut limits = None;
    if parser.eat_word("in") {
        match parser.value_range() {
            Ok(read) => limits = Some(read),
            Err(Reported(())) => parser.skip_statement(),
        }
    }
    Ok(ItemKind::Actuator(Actuator { quantities, limits }))
}

/// `prescribe LEFT == RIGHT using A.torque, B.torque minimizing COST`, where the cost may be left out
pub(crate) fn prescribe(parser: &mut Parser<'_>) -> Parsed<ItemKind> {
    let equation = parser.equation("prescribe")?;
    let using = if parser.eat_word("using") { parser.actuated(PRESCRIBE)? } else { Vec::new() };
    let cost = parser.eat_word("minimizing").then(|| parser.value());
    Ok(ItemKind::Prescribe(Prescribe { equation, using, cost }))
}

impl Parser<'_> {
    /// `shoulder.torque, elbow.torque`
    fn actuated(&mut self, example: &str) -> Parsed<Vec<Expr>> {
        let mut quantities = Vec::new();
        loop {
            if self.kind() != TokenKind::Word {
                return Err(self.missing("a torque or a force", Some(example)));
            }
            quantities.push(self.path("a torque or a force of a joint")?);
            if !self.eat(TokenKind::Comma) {
                return Ok(quantities);
            }
        }
    }
}
