//! Derivatives of equations by unknowns: their structure, and their values at a point.

use equations::System;
use expr::{Differentiator, Expr, SymbolId, Tape};
use rustc_hash::FxHashMap;
use structure::Incidence;

use crate::generic::Point;
use crate::rank::analyse;

/// The derivatives of some rows by some unknowns, where they are not zero.
pub struct SparseJacobian {
    rows: usize,
    columns: usize,
    entries: FxHashMap<(usize, usize), usize>,
    slopes: Vec<Expr>,
    tape: Tape,
}

impl SparseJacobian {
    pub fn new(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> SparseJacobian {
        let arena = &system.arena;
        let (mut entries, mut slopes) = (FxHashMap::default(), Vec::new());
        let occurring: Vec<Vec<SymbolId>> = rows.iter().map(|&row| arena.symbols_in(&[row])).collect();
        for (column, &unknown) in unknowns.iter().enumerate() {
            let mut by = Differentiator::by(arena, arena.symbol(unknown));
            for (row, &residual) in rows.iter().enumerate() {
                if occurring[row].binary_search(&unknown).is_err() {
                    continue;
                }
                let slope = by.derivative(arena, residual);
                if !arena.is_zero(slope) {
                    entries.insert((row, column), slopes.len());
                    slopes.push(slope);
                }
            }
        }
        let tape = Tape::new(arena, &slopes);
        SparseJacobian { rows: rows.len(), columns: unknowns.len(), entries, slopes, tape }
    }

    pub fn incidence(&self) -> Incidence {
        let mut rows = vec![Vec::new(); self.rows];
        self.entries.keys().for_each(|&(row, column)| rows[row].push(column));
        Incidence::new(self.columns, rows)
    }

    pub fn entry(&self, row: usize, column: usize) -> Option<Expr> {
        self.entries.get(&(row, column)).map(|&at| self.slopes[at])
    }

    /// A dense part of the matrix at a point.
    pub fn values(&self, rows: &[usize], columns: &[usize], point: &Point) -> Vec<Vec<f64>> {
        let values = self.tape.run(|symbol| point.get(&symbol).copied().unwrap_or(f64::NAN));
        let entry = |row: usize, column: usize| self.entries.get(&(row, column)).map_or(0.0, |&at| values[at]);
        rows.iter().map(|&row| columns.iter().map(|&column| entry(row, column)).collect()).collect()
    }

    /// Columns of a square part that its rows leave open at every point.
    pub fn open_columns(&self, rows: &[usize], columns: &[usize], points: &[Point]) -> Vec<usize> {
        let open_at = |point: &Point| -> Vec<usize> {
            let Some(vector) = analyse(&self.values(rows, columns, point), columns.len()).null_vector else {
                return Vec::new();
            };
            let moving = columns.iter().zip(vector).filter(|(_, part)| part.abs() > 1e-6);
            moving.map(|(&column, _)| column).collect()
        };
        points.iter().map(open_at).min_by_key(Vec::len).unwrap_or_default()
    }
}
