//! Which columns occur in which rows.

/// A sparse Boolean matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incidence {
    columns: usize,
    rows: Vec<Vec<usize>>,
}

impl Incidence {
    /// Each row lists its columns, in any order.
    pub fn new(columns: usize, mut rows: Vec<Vec<usize>>) -> Incidence {
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
            assert!(row.last().is_none_or(|&last| last < columns), "a row names a column that does not exist");
        }
        Incidence { columns, rows }
    }

    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn row(&self, row: usize) -> &[usize] {
        &self.rows[row]
    }

    /// For each column, the rows it occurs in.
    pub fn transposed(&self) -> Incidence {
        let mut rows = vec![Vec::new(); self.columns];
        for (row, columns) in self.rows.iter().enumerate() {
            for &column in columns {
                rows[column].push(row);
            }
        }
        Incidence { columns: self.rows.len(), rows }
    }
}
