//! Derivatives of equations by unknowns: their structure, and their values at points.

use equations::System;
use expr::{Arena, Expr, Point, SymbolId, Tape, jacobian};
use rustc_hash::FxHashMap;
use structure::Incidence;

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
        SparseJacobian::of(&system.arena, rows, unknowns)
    }

    pub fn of(arena: &Arena, rows: &[Expr], unknowns: &[SymbolId]) -> SparseJacobian {
        let list = jacobian(arena, rows, unknowns);
        let entries = list.iter().enumerate().map(|(at, &(row, column, _))| ((row, column), at)).collect();
        let slopes: Vec<Expr> = list.into_iter().map(|(_, _, slope)| slope).collect();
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
        Values { jacobian: self, slopes: self.tape.run(point) }
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
