//! How fast guards may bend: the rates of what stands inside functions that turn, swell or break off, per unit of time.
//!
//! Steps are as long as the motion is smooth. A guard may be less smooth than the motion: `sin(1000 t)` is, whatever moves. But such a bend has
//! its reason in an operator, and takes some part of a unit of what that is applied to: a radian of a sine, a doubling of a divisor. So
//! nothing comes and goes unseen between two looks that are no further apart than that.

use expr::{Expr, Node, Operator};

use crate::formulate::Formulation;

impl Formulation<'_> {
    /// The largest of these rates in some margins; none if they bend no more than what moves.
    pub fn haste(&mut self, margins: &[Expr]) -> Option<Expr> {
        let arena = self.arena;
        let mut rates: Vec<Expr> = Vec::new();
        for node in arena.reachable(margins) {
            let inside: Vec<(Expr, bool)> = match arena.node(node) {
                Node::Apply(operator, arguments) => match operator {
                    Operator::Sin | Operator::Cos | Operator::Tan | Operator::Atan => vec![(arguments[0], false)],
                    Operator::Exp | Operator::Sinh | Operator::Cosh | Operator::Tanh => vec![(arguments[0], false)],
                    Operator::Floor => vec![(arguments[0], false)],
                    Operator::Log | Operator::Pow => vec![(arguments[0], true)],
                    _ => Vec::new(),
                },
                Node::Product(factors) => {
                    factors.iter().filter(|(_, exponent)| *exponent < 0).map(|&(base, _)| (base, true)).collect()
                }
                _ => Vec::new(),
            };
            for (inside, relative) in inside {
                let rate = self.derivative(inside);
                if arena.is_zero(rate) {
                    continue;
                }
                let rate = if relative { arena.divide(rate, inside) } else { rate };
                rates.push(arena.apply(Operator::Abs, &[rate]));
            }
        }
        rates.sort_unstable();
        rates.dedup();
        rates.into_iter().reduce(|most, rate| arena.apply(Operator::Max, &[most, rate]))
    }
}
