//! Derivatives of equations by unknowns: their structure, and their values at points.

use equations::System;
use expr::{Differentiator, Expr, SymbolId, Tape};
use rustc_hash::FxHashMap;
use structure::Incidence;

use crate::generic::Point;
use crate::rank::{Analysis, analyse};

/// The derivatives of some rows by some unknowns, where they are not zero.
pub struct SparseJacobian {
    rows: usize,
    columns: usize,
    entries: FxHashMap<(usize, usize), usize>,
    slopes: Vec<Expr>,
    tape: Tape,
}

/// The values of a Jacobian at one point.
pub struct Values<'j> {
    jacobian: &'j SparseJacobian,
    slopes: Vec<f64>,
}

impl SparseJacobian {
    pub fn new(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> SparseJacobian {
        let arena = &system.arena;
        let places: FxHashMap<SymbolId, usize> =
            unknowns.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
        let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); unknowns.len()];
        for (row, &residual) in rows.iter().enumerate() {
            let columns = arena.symbols_in(&[residual]).into_iter().filter_map(|symbol| places.get(&symbol).copied());
            columns.for_each(|column| rows_of[column].push(row));
        }
        let (mut entries, mut slopes) = (FxHashMap::default(), Vec::new());
        for (column, &unknown) in unknowns.iter().enumerate() {
            let mut by = Differentiator::by(arena, arena.symbol(unknown));
            for &row in &rows_of[column] {
                let slope = by.derivative(arena, rows[row]);
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

    pub fn at(&self, point: &Point) -> Values<'_> {
        let slopes = self.tape.run(|symbol| point.get(&symbol).copied().unwrap_or(f64::NAN));
        Values { jacobian: self, slopes }
    }

    pub fn at_all(&self, points: &[Point]) -> Vec<Values<'_>> {
        points.iter().map(|point| self.at(point)).collect()
    }
}

impl Values<'_> {
    /// A dense part of the matrix.
    pub fn dense(&self, rows: &[usize], columns: &[usize]) -> Vec<Vec<f64>> {
        let entry =
            |row: usize, column: usize| self.jacobian.entries.get(&(row, column)).map_or(0.0, |&at| self.slopes[at]);
        rows.iter().map(|&row| columns.iter().map(|&column| entry(row, column)).collect()).collect()
    }

    pub fn analyse(&self, rows: &[usize], columns: &[usize]) -> Analysis {
        analyse(&self.dense(rows, columns), columns.len())
    }
}

/// Columns of a square part that its rows leave open at every point.
pub fn open_columns(values: &[Values<'_>], rows: &[usize], columns: &[usize]) -> Vec<usize> {
    let open_at = |values: &Values<'_>| -> Vec<usize> {
        let Some(vector) = values.analyse(rows, columns).null_vector else { return Vec::new() };
        let moving = columns.iter().zip(vector).filter(|(_, part)| part.abs() > 1e-6);
        moving.map(|(&column, _)| column).collect()
    };
    values.iter().map(open_at).min_by_key(Vec::len).unwrap_or_default()
}
