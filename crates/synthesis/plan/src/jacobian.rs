//! Derivatives of equations by unknowns: their structure, and their values at points.

use equations::System;
use expr::{Arena, Expr, Point, SymbolId, Tape, jacobian};
use structure::Incidence;

use crate::sparse::{SparseRow, eliminate};

/// The derivatives of some rows by some unknowns, where they are not zero.
pub struct SparseJacobian {
    columns: usize,
    /// For each row its columns, ascending, and where their slopes are.
    entries: Vec<Vec<(usize, usize)>>,
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
        let mut entries = vec![Vec::new(); rows.len()];
        list.iter().enumerate().for_each(|(at, &(row, column, _))| entries[row].push((column, at)));
        let slopes: Vec<Expr> = list.into_iter().map(|(_, _, slope)| slope).collect();
        let tape = Tape::new(arena, &slopes);
        SparseJacobian { columns: unknowns.len(), entries, slopes, tape }
    }

    pub fn incidence(&self) -> Incidence {
        let columns = |row: &Vec<(usize, usize)>| row.iter().map(|&(column, _)| column).collect();
        Incidence::new(self.columns, self.entries.iter().map(columns).collect())
    }

    pub fn entry(&self, row: usize, column: usize) -> Option<Expr> {
        let found = self.entries[row].binary_search_by_key(&column, |&(column, _)| column).ok()?;
        Some(self.slopes[self.entries[row][found].1])
    }

    /// All derivatives that are not zero.
    pub fn slopes(&self) -> &[Expr] {
        &self.slopes
    }

    pub fn at(&self, point: &Point) -> Values<'_> {
        Values { jacobian: self, slopes: self.tape.run(point) }
    }

    pub fn at_all(&self, points: &[Point]) -> Vec<Values<'_>> {
        points.iter().map(|point| self.at(point)).collect()
    }
}

impl Values<'_> {
    /// A row, by all columns.
    pub fn row(&self, row: usize) -> SparseRow {
        self.jacobian.entries[row].iter().map(|&(column, at)| (column, self.slopes[at])).collect()
    }

    /// A row with its zeros.
    pub fn dense(&self, row: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.jacobian.columns];
        self.row(row).into_iter().for_each(|(column, value)| values[column] = value);
        values
    }

    /// A part of the matrix; the columns ascend, and are called by their places.
    pub fn part(&self, rows: &[usize], columns: &[usize]) -> Vec<SparseRow> {
        let entry = |&(column, at): &(usize, usize)| Some((columns.binary_search(&column).ok()?, self.slopes[at]));
        rows.iter().map(|&row| self.jacobian.entries[row].iter().filter_map(entry).collect()).collect()
    }
}

/// Columns of a square part that its rows leave open at every point. Values that are not finite tell nothing, so nothing is found open.
pub fn open_columns(values: &[Values<'_>], rows: &[usize], columns: &[usize]) -> Vec<usize> {
    let open_at = |values: &Values<'_>| -> Vec<usize> {
        let matrix = values.part(rows, columns);
        if matrix.iter().flatten().any(|(_, value)| !value.is_finite()) {
            return Vec::new();
        }
        let elimination = eliminate(&matrix, &vec![0; columns.len()]);
        let Some(&open) = elimination.open_columns.first() else { return Vec::new() };
        elimination.moving(open).into_iter().map(|(column, _)| columns[column]).collect()
    };
    values.iter().map(open_at).min_by_key(Vec::len).unwrap_or_default()
}
