//! Tables as Parquet files: each block of rows is a group with one page for each column, plainly encoded.
//!
//! The format: parquet.apache.org, and its `parquet.thrift`. Written by hand for the reason that Arrow files are; nothing is compressed,
//! because results of computations have no digits to spare.

use std::io::{self, Write};

use super::block::{Block, Cells, Values};
use super::thrift::{Value, record, varint};
use super::{Column, Kind, arrow};

const MAGIC: &[u8; 4] = b"PAR1";
const PLAIN: i32 = 0;
const RUN_LENGTH: i32 = 3;

pub struct Writer {
    /// Bytes and rows so far.
    at: usize,
    rows: usize,
    groups: Vec<Vec<(u8, Value)>>,
}

impl Writer {
    pub fn begin(out: &mut impl Write) -> io::Result<Writer> {
        out.write_all(MAGIC)?;
        Ok(Writer { at: MAGIC.len(), rows: 0, groups: Vec::new() })
    }

    /// Writes the rows of a block, and empties it.
    pub fn block(&mut self, columns: &[Column], block: &mut Block, out: &mut impl Write) -> io::Result<()> {
        if block.rows == 0 {
            return Ok(());
        }
        let (mut chunks, begin) = (Vec::new(), self.at);
        for (column, values) in columns.iter().zip(&block.columns) {
            let data = page(column, values);
            let header = record(&page_header(block.rows, data.len()));
            let size = header.len() + data.len();
            out.write_all(&header)?;
            out.write_all(&data)?;
            chunks.push(chunk(column, block.rows, self.at, size));
            self.at += size;
        }
        self.groups.push(vec![
            (1, Value::Records(chunks)),
            (2, Value::Long((self.at - begin) as i64)),
            (3, Value::Long(block.rows as i64)),
        ]);
        self.rows += block.rows;
        block.clear();
        Ok(())
    }

    pub fn end(self, columns: &[Column], out: &mut impl Write) -> io::Result<()> {
        let root = vec![(4, Value::Text("schema".into())), (5, Value::Int(columns.len() as i32))];
        let schema = std::iter::once(root).chain(columns.iter().map(element)).collect();
        // From this Arrow's readers know the units of columns.
        let arrow = base::base64::encode(&arrow::schema_message(columns));
        let known = vec![(1, Value::Text("ARROW:schema".into())), (2, Value::Text(arrow))];
        let footer = record(&[
            (1, Value::Int(1)),
            (2, Value::Records(schema)),
            (3, Value::Long(self.rows as i64)),
            (4, Value::Records(self.groups)),
            (5, Value::Records(vec![known])),
            (6, Value::Text(concat!("ansatz version ", env!("CARGO_PKG_VERSION")).into())),
        ]);
        out.write_all(&footer)?;
        out.write_all(&(footer.len() as u32).to_le_bytes())?;
        out.write_all(MAGIC)
    }
}

fn type_of(kind: Kind) -> i32 {
    match kind {
        Kind::Count => 2,
        Kind::Time | Kind::Number => 5,
        Kind::Word => 6,
    }
}

/// What the schema says of a column.
fn element(column: &Column) -> Vec<(u8, Value)> {
    const UTF_8: i32 = 0;
    let mut fields = vec![
        (1, Value::Int(type_of(column.kind))),
        (3, Value::Int(i32::from(column.kind != Kind::Count))),
        (4, Value::Text(column.name.clone())),
    ];
    if column.kind == Kind::Word {
        fields.push((6, Value::Int(UTF_8)));
        fields.push((10, Value::Record(vec![(1, Value::Record(vec![]))])));
    }
    fields
}

fn page_header(rows: usize, size: usize) -> Vec<(u8, Value)> {
    const DATA_PAGE: i32 = 0;
    let data = vec![
        (1, Value::Int(rows as i32)),
        (2, Value::Int(PLAIN)),
        (3, Value::Int(RUN_LENGTH)),
        (4, Value::Int(RUN_LENGTH)),
    ];
    let size = size as i32;
    vec![(1, Value::Int(DATA_PAGE)), (2, Value::Int(size)), (3, Value::Int(size)), (5, Value::Record(data))]
}

fn chunk(column: &Column, rows: usize, at: usize, size: usize) -> Vec<(u8, Value)> {
    const UNCOMPRESSED: i32 = 0;
    let metadata = vec![
        (1, Value::Int(type_of(column.kind))),
        (2, Value::Ints(vec![PLAIN, RUN_LENGTH])),
        (3, Value::Texts(vec![column.name.clone()])),
        (4, Value::Int(UNCOMPRESSED)),
        (5, Value::Long(rows as i64)),
        (6, Value::Long(size as i64)),
        (7, Value::Long(size as i64)),
        (9, Value::Long(at as i64)),
    ];
    vec![(2, Value::Long(at as i64)), (3, Value::Record(metadata))]
}

/// Which rows are there, in columns that may lack some, then the values of these.
fn page(column: &Column, values: &Values) -> Vec<u8> {
    let mut out = Vec::new();
    if column.kind != Kind::Count {
        let levels = levels(&values.is_there);
        out.extend((levels.len() as u32).to_le_bytes());
        out.extend(levels);
    }
    let there = |at: &usize| values.is_there[*at];
    let rows = (0..values.is_there.len()).filter(there);
    match &values.cells {
        Cells::Numbers(numbers) => rows.for_each(|at| out.extend(numbers[at].to_le_bytes())),
        Cells::Counts(counts) => rows.for_each(|at| out.extend(counts[at].to_le_bytes())),
        Cells::Words(words) => rows.for_each(|at| {
            out.extend((words[at].len() as u32).to_le_bytes());
            out.extend(words[at].as_bytes());
        }),
    }
    out
}

/// Runs of rows that are there or not.
fn levels(is_there: &[bool]) -> Vec<u8> {
    let mut out = Vec::new();
    for run in is_there.chunk_by(|a, b| a == b) {
        varint((run.len() as u64) << 1, &mut out);
        out.push(u8::from(run[0]));
    }
    out
}
