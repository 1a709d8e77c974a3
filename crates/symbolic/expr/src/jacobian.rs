//! The derivatives of several expressions by several symbols.

use rustc_hash::FxHashMap;

use crate::{Arena, Differentiator, Expr, SymbolId};

/// The nonzero derivatives: row, column, value; by rows, and by columns within each.
pub fn jacobian(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<(usize, usize, Expr)> {
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); unknowns.len()];
    for (row, columns) in occurrences(arena, rows, unknowns).into_iter().enumerate() {
        columns.into_iter().for_each(|column| rows_of[column].push(row));
    }
    let mut entries = Vec::new();
    for (column, &unknown) in unknowns.iter().enumerate().filter(|(column, _)| !rows_of[*column].is_empty()) {
        let mut by = Differentiator::by(arena, arena.symbol(unknown));
        for &row in &rows_of[column] {
            let slope = by.derivative(arena, rows[row]);
            if !arena.is_zero(slope) {
                entries.push((row, column, slope));
            }
        }
    }
    entries.sort_by_key(|&(row, column, _)| (row, column));
    entries
}

/// For each row, the columns whose unknowns occur in it.
pub fn occurrences(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> Vec<Vec<usize>> {
    let columns: FxHashMap<SymbolId, usize> = unknowns.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
    let found =
        |&row: &Expr| arena.symbols_in(&[row]).iter().filter_map(|symbol| columns.get(symbol).copied()).collect();
    rows.iter().map(found).collect()
}
