//! The memory of one instance of a module: a flat block of 64-bit cells. A saved state is a copy of it.

use crate::{Type, Value};
use std::ops::Range;

/// Cells in the order of [`Layout`](crate::Layout), which says where each array lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    cells: Vec<u64>,
}

impl Memory {
    pub fn from_cells(cells: Vec<u64>) -> Memory {
        Memory { cells }
    }

    pub fn cells(&self) -> &[u64] {
        &self.cells
    }

    pub fn cells_mut(&mut self) -> &mut [u64] {
        &mut self.cells
    }

    pub fn value(&self, cell: usize, kind: Type) -> Value {
        Value::from_cell(self.cells[cell], kind)
    }

    pub fn set(&mut self, cell: usize, value: impl Into<Value>) {
        self.cells[cell] = value.into().cell();
    }

    pub fn real(&self, cell: usize) -> f64 {
        f64::from_bits(self.cells[cell])
    }

    pub fn integer(&self, cell: usize) -> i64 {
        self.cells[cell] as i64
    }

    /// The reals in these cells, such as [`Layout::range`](crate::Layout::range) of an array.
    pub fn reals(&self, cells: Range<usize>) -> impl Iterator<Item = f64> + '_ {
        self.cells[cells].iter().map(|&cell| f64::from_bits(cell))
    }

    /// Writes reals from a cell on.
    pub fn set_reals(&mut self, from: usize, values: &[f64]) {
        for (cell, value) in self.cells[from..from + values.len()].iter_mut().zip(values) {
            *cell = value.to_bits();
        }
    }

    /// Takes the content of another memory of the same size, without allocating.
    pub fn copy_from(&mut self, other: &Memory) {
        self.cells.copy_from_slice(&other.cells);
    }
}
