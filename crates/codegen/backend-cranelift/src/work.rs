//! How much a call of a function does: its code, with that inside of loops as often as they go round.

use std::collections::BTreeMap;

use kernel::{Block, Expression, Function, Operator, Statement};

/// How much a call does for each part of the code. Where bounds of a loop are not known, it counts as one round.
pub fn rounds_of_code(function: &Function) -> usize {
    let work = Estimate::default().block(&function.body);
    (work / function.size().max(1)).max(1)
}

/// The value of each counter in the middle of its loop: inner loops have bounds that depend on it, and take a middling length for all rounds.
#[derive(Default)]
struct Estimate(BTreeMap<u32, i64>);

impl Estimate {
    fn block(&mut self, block: &Block) -> usize {
        block.iter().fold(0, |sum, statement| self.statement(statement).saturating_add(sum))
    }

    fn statement(&mut self, statement: &Statement) -> usize {
        let own = 1 + statement.expressions().map(Expression::size).sum::<usize>();
        let mut rounds = 1;
        if let Statement::For { variable, from, to, .. } = statement
            && let (Some(from), Some(to)) = (self.value(from), self.value(to))
        {
            self.0.insert(variable.index, from.midpoint(to));
            rounds = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
        }
        let inside = statement.blocks().fold(0, |sum, block| self.block(block).saturating_add(sum));
        inside.saturating_mul(rounds).saturating_add(own)
    }

    fn value(&self, index: &Expression) -> Option<i64> {
        match index {
            Expression::Constant(value) => value.as_integer(),
            Expression::Local(local) => self.0.get(&local.index).copied(),
            Expression::Load { .. } => None,
            Expression::Apply { operator, operands } => match (operator, &operands[..]) {
                (Operator::IntegerAdd, [a, b]) => self.value(a)?.checked_add(self.value(b)?),
                (Operator::IntegerSubtract, [a, b]) => self.value(a)?.checked_sub(self.value(b)?),
                (Operator::IntegerMultiply, [a, b]) => self.value(a)?.checked_mul(self.value(b)?),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{ModuleBuilder, Type};

    /// Half of the rounds of a square for pairs, and all of them for a square.
    #[test]
    fn loops_count_as_often_as_they_go_round() {
        let rounds = |are_pairs: bool| {
            let mut module = ModuleBuilder::new("loops");
            let array = module.real_array("sums", 100, "");
            let function = module.function("add", &[], &[], |f| {
                let [outer, inner] = ["outer", "inner"].map(|name| f.local(name, Type::Integer));
                let to = if are_pairs { Expression::from(100) - outer } else { 100.into() };
                let store = Statement::Store { array, index: inner.into(), value: array.at(inner) + 1.0 };
                let body = vec![Statement::For { variable: inner, from: 0.into(), to, body: vec![store] }];
                f.push(Statement::For { variable: outer, from: 0.into(), to: 100.into(), body });
            });
            rounds_of_code(module.finish().function(function))
        };
        let (pairs, all) = (rounds(true), rounds(false));
        assert!((1000..10_000).contains(&all) && (all * 4 / 10..all * 6 / 10).contains(&pairs), "{pairs} of {all}");
    }
}
