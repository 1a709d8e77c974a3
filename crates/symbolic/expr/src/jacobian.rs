//! The derivatives of several expressions by several symbols.

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Differentiator, Expr, Number, SymbolId};

/// The nonzero derivatives: row, column, value; by rows, and by columns within each.
pub fn jacobian(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<(usize, usize, Expr)> {
    slopes_by(arena, rows, unknowns, |_, _| {})
}

/// The same, and finite at the tips of roots, where something is at rest perhaps.
pub fn jacobian_with_tips(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<(usize, usize, Expr)> {
    slopes_by(arena, rows, unknowns, |by, parts| by.seed_tips(arena, parts))
}

fn slopes_by(
    arena: &Arena,
    rows: &[Expr],
    unknowns: &[SymbolId],
    prepare: impl Fn(&mut Differentiator, &[Expr]),
) -> Vec<(usize, usize, Expr)> {
    let columns = columns_of(unknowns);
    let mut rows_of: Vec<Vec<(usize, Expr)>> = vec![Vec::new(); unknowns.len()];
    let mut entries = Vec::new();
    for (row, &whole) in rows.iter().enumerate() {
        let (plain, rest) = plain_terms(arena, whole, &columns);
        entries.extend(plain.into_iter().map(|(column, factor)| (row, column, arena.number(factor))));
        let Some(rest) = rest else { continue };
        for column in arena.symbols_in(&[rest]).iter().filter_map(|symbol| columns.get(symbol)) {
            rows_of[*column].push((row, rest));
        }
    }
    for (column, &unknown) in unknowns.iter().enumerate().filter(|(column, _)| !rows_of[*column].is_empty()) {
        let mut by = Differentiator::by(arena, arena.symbol(unknown));
        let parts: Vec<Expr> = rows_of[column].iter().map(|&(_, part)| part).collect();
        prepare(&mut by, &parts);
        for &(row, part) in &rows_of[column] {
            let slope = by.derivative(arena, part);
            if !arena.is_zero(slope) {
                entries.push((row, column, slope));
            }
        }
    }
    entries.sort_by_key(|&(row, column, _)| (row, column));
    entries
}

/// Sums are taken apart, so that a sum of a thousand unknowns is not searched a thousand times: the unknowns that occur in it as
/// multiples and nowhere else, with their factors, and the rest.
fn plain_terms(arena: &Arena, row: Expr, columns: &FxHashMap<SymbolId, usize>) -> (Vec<(usize, Number)>, Option<Expr>) {
    let whole = (Vec::new(), Some(row));
    let mut plain: Vec<(SymbolId, Number)> = Vec::new();
    let mut rest: Vec<(Number, Expr)> = Vec::new();
    let mut open = vec![(Number::ONE, row)];
    while let Some((factor, part)) = open.pop() {
        match arena.node(part) {
            Node::Sum(terms, _) => open.extend(terms.iter().map(|&(inner, term)| (factor.times(inner), term))),
            Node::Symbol(symbol) => plain.push((*symbol, factor)),
            _ => rest.push((factor, part)),
        }
    }
    if plain.is_empty() {
        return whole;
    }
    let inner: Vec<Expr> = rest.iter().map(|&(_, term)| term).collect();
    let inside = arena.symbols_in(&inner);
    plain.sort_unstable_by_key(|&(symbol, _)| symbol);
    let once = plain.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if !once || plain.iter().any(|(symbol, _)| inside.binary_search(symbol).is_ok()) {
        return whole;
    }
    let plain = plain.into_iter().filter_map(|(symbol, factor)| Some((*columns.get(&symbol)?, factor)));
    (plain.collect(), (!rest.is_empty()).then(|| arena.sum(rest)))
}

fn columns_of(unknowns: &[SymbolId]) -> FxHashMap<SymbolId, usize> {
    unknowns.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect()
}

/// For each row, the columns whose unknowns occur in it.
pub fn occurrences(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<Vec<usize>> {
    let columns = columns_of(unknowns);
    let found =
        |&row: &Expr| arena.symbols_in(&[row]).iter().filter_map(|symbol| columns.get(symbol).copied()).collect();
    rows.iter().map(found).collect()
}
