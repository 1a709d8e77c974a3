//! How much work it is to evaluate expressions.

use crate::arena::Node;
use crate::{Arena, Expr};

/// How many operations evaluate some expressions, each shared part once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    pub additions: usize,
    pub multiplications: usize,
    pub divisions: usize,
    pub functions: usize,
}

impl Cost {
    pub fn total(self) -> usize {
        self.additions + self.multiplications + self.divisions + self.functions
    }
}

pub fn cost(arena: &Arena, roots: &[Expr]) -> Cost {
    let mut cost = Cost::default();
    for expr in arena.reachable(roots) {
        match arena.node(expr) {
            Node::Number(_) | Node::Symbol(_) => {}
            Node::Sum(terms, constant) => {
                cost.additions += terms.len() - 1 + usize::from(!constant.is_zero());
                cost.multiplications += terms.iter().filter(|(c, _)| !matches!(c.value(), 1.0 | -1.0)).count();
            }
            Node::Product(factors) => {
                let powers: u32 =
                    factors.iter().map(|(_, e)| e.unsigned_abs().ilog2() + e.unsigned_abs().count_ones() - 1).sum();
                cost.multiplications += powers as usize + factors.len() - 1;
                cost.divisions += usize::from(factors.iter().any(|(_, exponent)| *exponent < 0));
            }
            Node::Apply(..) => cost.functions += 1,
        }
    }
    cost
}
