//! Equations of a least cost, with limits on what is chosen.

use expr::{Arena, Expr, Node, Operator, Substitution};

/// How the names of prices begin.
pub const PRICE: &str = "price(";

/// What `chosen` has to satisfy where the cost rises with it by `slope`: either that is zero, or it is at a limit and would go beyond. One of the three
/// is in force at any instant (Karush, Kuhn and Tucker), and the side of `chosen - slope` tells which.
pub fn within_limits(arena: &Arena, chosen: Expr, slope: Expr, [low, high]: [f64; 2]) -> Expr {
    let [low, high] = [low, high].map(|end| arena.number(end));
    let wanted = arena.subtract(chosen, slope);
    let below = arena.apply(Operator::Less, &[wanted, low]);
    let above = arena.apply(Operator::Less, &[high, wanted]);
    let unless_above = arena.apply(Operator::Select, &[above, arena.subtract(chosen, high), slope]);
    arena.apply(Operator::Select, &[below, arena.subtract(chosen, low), unless_above])
}

/// Whether an equation is one of a least cost, or speaks of what these find.
pub fn is_priced(arena: &Arena, row: Expr) -> bool {
    arena.symbols_in(&[row]).into_iter().any(|symbol| arena.symbol_name(symbol).starts_with(PRICE))
}

/// An equation of a least cost, or a slope of one, as it is where nothing is at a limit. Where everything is, nothing gives the prices; that must
/// not count as generic, though points that are drawn at random are beyond tight limits.
pub fn without_limits(arena: &Arena, expr: Expr) -> Expr {
    let mut last = Substitution::default();
    for node in arena.reachable(&[expr]) {
        if let Node::Apply(Operator::Select, parts) = arena.node(node) {
            let branch = last.apply(arena, parts[2]);
            last.insert(node, branch);
        }
    }
    last.apply(arena, expr)
}
