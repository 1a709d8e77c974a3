//! Some rows, column by column, as binary tables have them.

use super::{Cell, Column, Kind};

/// So many rows are written at a time.
const ROWS: usize = 1 << 16;

pub struct Block {
    pub rows: usize,
    pub columns: Vec<Values>,
}

/// The cells of a column. What is missing has a zero or an empty text, and is marked.
pub struct Values {
    pub cells: Cells,
    pub is_there: Vec<bool>,
}

pub enum Cells {
    Numbers(Vec<f64>),
    Counts(Vec<i64>),
    Words(Vec<String>),
}

impl Block {
    pub fn new(columns: &[Column]) -> Block {
        let cells = |column: &Column| match column.kind {
            Kind::Time | Kind::Number => Cells::Numbers(Vec::new()),
            Kind::Count => Cells::Counts(Vec::new()),
            Kind::Word => Cells::Words(Vec::new()),
        };
        let columns = columns.iter().map(|column| Values { cells: cells(column), is_there: Vec::new() }).collect();
        Block { rows: 0, columns }
    }

    /// Appends a row; whether the block should be written now.
    pub fn push(&mut self, row: &[Cell]) -> bool {
        for (values, cell) in self.columns.iter_mut().zip(row) {
            values.is_there.push(*cell != Cell::Nothing);
            match (&mut values.cells, cell) {
                (Cells::Numbers(numbers), Cell::Number(number)) => numbers.push(*number),
                (Cells::Numbers(numbers), _) => numbers.push(0.0),
                (Cells::Counts(counts), Cell::Count(count)) => counts.push(*count as i64),
                (Cells::Counts(counts), _) => counts.push(0),
                (Cells::Words(words), Cell::Word(word)) => words.push(word.clone()),
                (Cells::Words(words), _) => words.push(String::new()),
            }
        }
        self.rows += 1;
        self.rows >= ROWS
    }

    pub fn clear(&mut self) {
        self.rows = 0;
        for values in &mut self.columns {
            values.is_there.clear();
            match &mut values.cells {
                Cells::Numbers(numbers) => numbers.clear(),
                Cells::Counts(counts) => counts.clear(),
                Cells::Words(words) => words.clear(),
            }
        }
    }
}

impl Values {
    pub fn missing(&self) -> usize {
        self.is_there.iter().filter(|there| !**there).count()
    }
}
