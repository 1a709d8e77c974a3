//! Conditions beyond rounding: what is zero but for rounding is zero.
//!
//! Where a rope slackens, its end does not move outwards: the speed is zero then by the very constraint that ends. What is computed is
//! not, and which sign it has is chance. So `a > b` holds only if it is beyond doubt. `a >= b` is taken as it is computed: where it begins to
//! hold, other functions of the same numbers turn, `floor` perhaps.

use expr::{Arena, Expr, Node, Operator};

/// Relative to the numbers whose sum is taken.
// Test: a_strict_inequality_holds_beyond_rounding
const ROUNDING: f64 = 1.0 / (1_u64 << 46) as f64;

/// A number that is not negative where a condition holds beyond doubt.
pub fn settled(arena: &Arena, condition: Expr) -> Expr {
    if let Some(number) = arena.as_number(condition) {
        return arena.number(if number.is_zero() { -1.0 } else { 1.0 });
    }
    let Node::Apply(operator, arguments) = arena.node(condition) else { return below_zero(arena, condition) };
    let of = |at: usize| settled(arena, arguments[at]);
    let least = |a: Expr, b: Expr| arena.apply(Operator::Min, &[a, b]);
    let most = |a: Expr, b: Expr| arena.apply(Operator::Max, &[a, b]);
    match operator {
        Operator::Less => {
            let margin = arena.subtract(arguments[1], arguments[0]);
            arena.subtract(margin, rounding(arena, margin))
        }
        Operator::LessEqual => arena.subtract(arguments[1], arguments[0]),
        Operator::And => least(of(0), of(1)),
        Operator::Or => most(of(0), of(1)),
        Operator::Not => arena.negate(of(0)),
        Operator::Select => most(least(of(0), of(1)), least(arena.negate(of(0)), of(2))),
        _ => below_zero(arena, condition),
    }
}

/// Any other condition is 1 where it holds, else 0.
fn below_zero(arena: &Arena, condition: Expr) -> Expr {
    arena.subtract(condition, arena.number(0.5))
}

/// What rounding may leave of a number that is zero, because sums in it are.
pub fn rounding(arena: &Arena, number: Expr) -> Expr {
    let size = size(arena, number);
    if size == arena.apply(Operator::Abs, &[number]) { arena.zero() } else { arena.scale(ROUNDING, size) }
}

/// How large the numbers are of which a sum is taken, or a product of sums.
fn size(arena: &Arena, number: Expr) -> Expr {
    match arena.node(number) {
        Node::Sum(terms, constant) => {
            let sizes =
                terms.iter().map(|&(coefficient, term)| arena.scale(coefficient.value().abs(), size(arena, term)));
            sizes.fold(arena.number(constant.value().abs()), |sum, size| arena.add(sum, size))
        }
        Node::Product(factors) if factors.iter().any(|&(base, _)| matches!(arena.node(base), Node::Sum(..))) => {
            let sizes = factors.iter().map(|&(base, exponent)| {
                let of_base = if exponent > 0 { size(arena, base) } else { arena.apply(Operator::Abs, &[base]) };
                arena.power(of_base, exponent)
            });
            sizes.fold(arena.one(), |product, size| arena.multiply(product, size))
        }
        _ => arena.apply(Operator::Abs, &[number]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Point, evaluate};

    /// 1 < x, near x = 1.
    #[test]
    fn a_strict_inequality_holds_beyond_rounding() {
        let arena = Arena::new();
        let symbol = arena.new_symbol("x");
        let margin = settled(&arena, arena.apply(Operator::Less, &[arena.one(), arena.symbol(symbol)]));
        let holds = |beyond: f64| evaluate(&arena, margin, &Point::from_iter([(symbol, 1.0 + beyond)])) >= 0.0;
        assert!(holds(1e-12) && !holds(1e-14) && !holds(-1e-12));
    }
}
