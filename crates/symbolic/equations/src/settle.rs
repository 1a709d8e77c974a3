//! What a reset makes of its unknowns, as far as elimination tells.

use expr::{Arena, Expr, Node, Number, Substitution, SymbolId};

use crate::change::Reset;

/// A reset whose equations were solved one after the other, where one is linear in an unknown with a number before it.
pub struct Settled {
    /// As [`Reset::after`], with what was found.
    pub after: Vec<Expr>,
    /// Unknowns that are still open.
    pub open: Vec<SymbolId>,
    /// Places of equations, with what is left of them: those that speak of open unknowns,
    pub unsolved: Vec<(usize, Expr)>,
    /// those that speak of the state before only, or of nothing: they cannot be brought about,
    pub demands: Vec<(usize, Expr)>,
    /// and those that say nothing new.
    pub redundant: Vec<usize>,
}

pub fn settle(arena: &Arena, reset: &Reset) -> Settled {
    let mut rows: Vec<(usize, Expr)> = reset.equations.iter().map(|equation| equation.residual).enumerate().collect();
    let mut open = reset.unknowns.clone();
    let mut after = reset.after.clone();
    while let Some((place, unknown, value)) = next(arena, &rows, &open) {
        rows.remove(place);
        open.retain(|&symbol| symbol != unknown);
        let mut found = Substitution::new([(arena.symbol(unknown), value)]);
        rows.iter_mut().for_each(|(_, row)| *row = found.apply(arena, *row));
        after.iter_mut().for_each(|value| *value = found.apply(arena, *value));
    }
    let mut settled = Settled { after, open, unsolved: Vec::new(), demands: Vec::new(), redundant: Vec::new() };
    for (at, row) in rows {
        let speaks = arena.symbols_in(&[row]).iter().any(|symbol| settled.open.contains(symbol));
        match speaks {
            _ if is_nothing(arena, row) => settled.redundant.push(at),
            true => settled.unsolved.push((at, row)),
            false => settled.demands.push((at, row)),
        }
    }
    settled
}

/// Zero, but for the rounding of the numbers in the text.
fn is_nothing(arena: &Arena, row: Expr) -> bool {
    // Numbers of a text are of the order of one in their units; what they leave when they cancel is below this.
    // Test: what_cancels_in_a_text_is_nothing
    const ROUNDING: f64 = 1e-12;
    arena.as_number(row).is_some_and(|number| number.value().abs() < ROUNDING)
}

/// An equation that determines an unknown, and what it is.
fn next(arena: &Arena, rows: &[(usize, Expr)], open: &[SymbolId]) -> Option<(usize, SymbolId, Expr)> {
    rows.iter().enumerate().find_map(|(place, &(_, row))| {
        let symbols = arena.symbols_in(&[row]);
        let mut unknowns = open.iter().copied().filter(|unknown| symbols.binary_search(unknown).is_ok());
        unknowns.find_map(|unknown| Some((place, unknown, solved(arena, row, unknown)?)))
    })
}

/// An unknown from an equation in which it stands by itself, with a number before it.
fn solved(arena: &Arena, row: Expr, unknown: SymbolId) -> Option<Expr> {
    if let Node::Symbol(symbol) = arena.node(row) {
        return (*symbol == unknown).then(|| arena.zero());
    }
    let (factor, rest) = arena.without_term(row, unknown)?;
    Some(arena.scale(Number::MINUS_ONE.times(factor.power(-1)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_in_a_text_is_nothing() {
        let arena = Arena::new();
        let [rounding, number] = [1e-14, 1e-11].map(|value| is_nothing(&arena, arena.number(value)));
        assert!(rounding && !number);
    }
}
