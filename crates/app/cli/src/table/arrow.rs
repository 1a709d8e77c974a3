//! Tables as Arrow files (also called Feather): the columns as they lie in memory, behind messages that say where.
//!
//! The format: arrow.apache.org, "Arrow columnar format", sections on IPC. Written by hand because its three messages are shorter than the
//! crates for all of Arrow, which would take longer to build than the rest of the command line.

use std::io::{self, Write};

use super::block::{Block, Cells, Values};
use super::flatbuffer::{Field, Node, buffer};
use super::{Column, Kind};

const MAGIC: &[u8; 6] = b"ARROW1";
const VERSION_5: i16 = 4;
const SCHEMA: u8 = 1;
const RECORD_BATCH: u8 = 3;

pub struct Writer {
    /// Bytes so far.
    at: usize,
    /// Where each block is, how long its message is, and how long the columns behind it are.
    blocks: Vec<[usize; 3]>,
}

impl Writer {
    pub fn begin(columns: &[Column], out: &mut impl Write) -> io::Result<Writer> {
        let mut writer = Writer { at: 0, blocks: Vec::new() };
        writer.write(MAGIC, out)?;
        writer.write(&[0; 2], out)?;
        writer.write(&schema_message(columns), out)?;
        Ok(writer)
    }

    /// Writes the rows of a block, and empties it.
    pub fn block(&mut self, block: &mut Block, out: &mut impl Write) -> io::Result<()> {
        if block.rows == 0 {
            return Ok(());
        }
        let (mut nodes, mut buffers, mut body) = (Vec::new(), Vec::new(), Vec::new());
        for values in &block.columns {
            nodes.extend((block.rows as i64).to_le_bytes());
            nodes.extend((values.missing() as i64).to_le_bytes());
            for part in parts(values) {
                buffers.extend((body.len() as i64).to_le_bytes());
                buffers.extend((part.len() as i64).to_le_bytes());
                body.extend(part);
                body.resize(body.len().next_multiple_of(8), 0);
            }
        }
        let nodes = Node::Records { count: nodes.len() / 16, bytes: nodes };
        let buffers = Node::Records { count: buffers.len() / 16, bytes: buffers };
        let batch = Node::Table(vec![Field::Long(block.rows as i64), Field::To(nodes), Field::To(buffers)]);
        let message = message(RECORD_BATCH, batch, body.len());
        self.blocks.push([self.at, message.len(), body.len()]);
        self.write(&message, out)?;
        self.write(&body, out)?;
        block.clear();
        Ok(())
    }

    pub fn end(mut self, columns: &[Column], out: &mut impl Write) -> io::Result<()> {
        let mut blocks = Vec::new();
        for [at, message, body] in &self.blocks {
            blocks.extend((*at as i64).to_le_bytes());
            blocks.extend((*message as i64).to_le_bytes());
            blocks.extend((*body as i64).to_le_bytes());
        }
        let blocks = Node::Records { count: self.blocks.len(), bytes: blocks };
        let none = Node::Records { count: 0, bytes: Vec::new() };
        let footer =
            Node::Table(vec![Field::Short(VERSION_5), Field::To(schema(columns)), Field::To(none), Field::To(blocks)]);
        let footer = buffer(&footer);
        // What stands here says that no more messages follow.
        self.write(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], out)?;
        self.write(&footer, out)?;
        self.write(&(footer.len() as i32).to_le_bytes(), out)?;
        self.write(MAGIC, out)
    }

    fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.at += bytes.len();
        out.write_all(bytes)
    }
}

/// What is there, a bit for each row; then the values, those of texts with their ends first.
fn parts(values: &Values) -> Vec<Vec<u8>> {
    let mut bits = Vec::new();
    if values.missing() > 0 {
        bits = vec![0_u8; values.is_there.len().div_ceil(8)];
        for (at, _) in values.is_there.iter().enumerate().filter(|(_, there)| **there) {
            bits[at / 8] |= 1 << (at % 8);
        }
    }
    match &values.cells {
        Cells::Numbers(numbers) => vec![bits, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()],
        Cells::Counts(counts) => vec![bits, counts.iter().flat_map(|count| count.to_le_bytes()).collect()],
        Cells::Words(words) => {
            let (mut ends, mut text) = (0_i32.to_le_bytes().to_vec(), Vec::new());
            for word in words {
                text.extend(word.as_bytes());
                ends.extend((text.len() as i32).to_le_bytes());
            }
            vec![bits, ends, text]
        }
    }
}

/// The message that names the columns; Parquet files have it too.
pub fn schema_message(columns: &[Column]) -> Vec<u8> {
    message(SCHEMA, schema(columns), 0)
}

fn message(kind: u8, header: Node, body: usize) -> Vec<u8> {
    let fields = vec![Field::Short(VERSION_5), Field::Byte(kind), Field::To(header), Field::Long(body as i64)];
    let metadata = buffer(&Node::Table(fields));
    let mut bytes = vec![0xff; 4];
    bytes.extend((metadata.len() as i32).to_le_bytes());
    bytes.extend(metadata);
    bytes
}

fn schema(columns: &[Column]) -> Node {
    const LITTLE_ENDIAN: i16 = 0;
    Node::Table(vec![Field::Short(LITTLE_ENDIAN), Field::To(Node::Tables(columns.iter().map(field).collect()))])
}

fn field(column: &Column) -> Node {
    const INT: u8 = 2;
    const FLOATING_POINT: u8 = 3;
    const UTF_8: u8 = 5;
    const DOUBLE: i16 = 2;
    let (kind, type_) = match column.kind {
        Kind::Time | Kind::Number => (FLOATING_POINT, vec![Field::Short(DOUBLE)]),
        Kind::Count => (INT, vec![Field::Int(64), Field::Byte(1)]),
        Kind::Word => (UTF_8, vec![]),
    };
    let unit = Node::Table(vec![Field::To(Node::Text("unit".into())), Field::To(Node::Text(column.unit.clone()))]);
    let metadata = if column.unit.is_empty() { vec![] } else { vec![unit] };
    Node::Table(vec![
        Field::To(Node::Text(column.name.clone())),
        Field::Byte(u8::from(column.kind != Kind::Count)),
        Field::Byte(kind),
        Field::To(Node::Table(type_)),
        Field::Default,
        Field::To(Node::Tables(vec![])),
        Field::To(Node::Tables(metadata)),
    ])
}
