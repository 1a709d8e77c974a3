//! Tables as MCAP files, which Foxglove and Rerun play: one channel of messages in JSON, one for each row, with a schema that has the units.
//!
//! The format: mcap.dev, "MCAP format specification", version 0. Written by hand, as the others here: it is a dozen records of numbers and texts.

use std::io::{self, Write};

use super::{Cell, Column, Kind};

const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// What a record is.
const HEADER: u8 = 1;
const FOOTER: u8 = 2;
const SCHEMA: u8 = 3;
const CHANNEL: u8 = 4;
const MESSAGE: u8 = 5;
const CHUNK: u8 = 6;
const MESSAGE_INDEX: u8 = 7;
const CHUNK_INDEX: u8 = 8;
const STATISTICS: u8 = 11;
const DATA_END: u8 = 15;
/// The one schema, and the one channel.
const ID: u16 = 1;
/// Readers find their way among chunks of about this size.
const CHUNK_SIZE: usize = 1 << 20;

pub struct Writer {
    /// Bytes so far.
    at: u64,
    /// Names of the columns in messages, each its own.
    names: Vec<String>,
    /// The messages of the chunk that is being filled, and when each is and where.
    chunk: Vec<u8>,
    index: Vec<(u64, u64)>,
    chunks: Vec<Vec<u8>>,
    messages: u64,
    /// The time of the first message and of the last.
    ends: Option<(u64, u64)>,
}

impl Writer {
    pub fn begin(columns: &[Column], out: &mut impl Write) -> io::Result<Writer> {
        let mut writer = Writer {
            at: 0,
            names: own_names(columns),
            chunk: Vec::new(),
            index: Vec::new(),
            chunks: Vec::new(),
            messages: 0,
            ends: None,
        };
        writer.write(MAGIC, out)?;
        let library = concat!("ansatz ", env!("CARGO_PKG_VERSION"));
        writer.write(&record(HEADER, &[text(""), text(library)]), out)?;
        writer.write(&writer.declarations(columns), out)?;
        Ok(writer)
    }

    pub fn row(&mut self, columns: &[Column], cells: &[Cell], out: &mut impl Write) -> io::Result<()> {
        let time = columns.iter().zip(cells).find_map(|(column, cell)| match cell {
            Cell::Number(t) if column.kind == Kind::Time => Some(nanoseconds(*t)),
            _ => None,
        });
        // What has no time of its own stands in the order of its rows.
        let time = time.unwrap_or(self.messages);
        let fields = self.names.iter().zip(cells).map(|(name, cell)| format!("{}:{}", quoted(name), value(cell)));
        let message = format!("{{{}}}", fields.collect::<Vec<_>>().join(","));
        let [sequence, time_bytes] = [(self.messages as u32).to_le_bytes().to_vec(), time.to_le_bytes().to_vec()];
        let parts = [ID.to_le_bytes().to_vec(), sequence, time_bytes.clone(), time_bytes, message.into_bytes()];
        self.index.push((time, self.chunk.len() as u64));
        self.chunk.extend(record(MESSAGE, &parts));
        self.messages += 1;
        self.ends = Some(self.ends.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
        if self.chunk.len() >= CHUNK_SIZE { self.flush(out) } else { Ok(()) }
    }

    /// Writes the chunk that is being filled, and where its messages are.
    fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.index.is_empty() {
            return Ok(());
        }
        let records = std::mem::take(&mut self.chunk);
        let index = std::mem::take(&mut self.index);
        let first = index.iter().map(|it| it.0).min().unwrap_or(0);
        let last = index.iter().map(|it| it.0).max().unwrap_or(0);
        let size = long(records.len() as u64);
        let no_sum = vec![0; 4];
        let begin = self.at;
        let parts = [long(first), long(last), size.clone(), no_sum, text(""), size.clone(), records];
        self.write(&record(CHUNK, &parts), out)?;
        let length = self.at - begin;
        let index_at = self.at;
        let rows: Vec<u8> = index.iter().flat_map(|&(time, place)| [long(time), long(place)].concat()).collect();
        self.write(&record(MESSAGE_INDEX, &[ID.to_le_bytes().to_vec(), counted(rows)]), out)?;
        let offsets = counted([ID.to_le_bytes().to_vec(), long(index_at)].concat());
        let parts = [
            long(first),
            long(last),
            long(begin),
            long(length),
            offsets,
            long(self.at - index_at),
            text(""),
            size.clone(),
            size,
        ];
        self.chunks.push(record(CHUNK_INDEX, &parts));
        Ok(())
    }

    pub fn end(mut self, columns: &[Column], out: &mut impl Write) -> io::Result<()> {
        self.flush(out)?;
        self.write(&record(DATA_END, &[vec![0; 4]]), out)?;
        let summary = self.at;
        self.write(&self.declarations(columns), out)?;
        let (first, last) = self.ends.unwrap_or((0, 0));
        let counts = counted([ID.to_le_bytes().to_vec(), long(self.messages)].concat());
        let [one, none] = [1_u32, 0].map(|count| count.to_le_bytes().to_vec());
        let chunk_count = (self.chunks.len() as u32).to_le_bytes().to_vec();
        let parts = [
            long(self.messages),
            ID.to_le_bytes().to_vec(),
            one,
            none.clone(),
            none,
            chunk_count,
            long(first),
            long(last),
            counts,
        ];
        self.write(&record(STATISTICS, &parts), out)?;
        let chunks = self.chunks.concat();
        self.write(&chunks, out)?;
        self.write(&record(FOOTER, &[long(summary), long(0), vec![0; 4]]), out)?;
        self.write(MAGIC, out)
    }

    /// The schema and the channel, which stand before the messages and in the summary.
    fn declarations(&self, columns: &[Column]) -> Vec<u8> {
        let property = |(column, name): (&Column, &String)| {
            let (kind, about) = match column.kind {
                Kind::Time | Kind::Number => ("number", format!("in {}", column.unit)),
                Kind::Count => ("integer", String::new()),
                Kind::Word => ("string", String::new()),
            };
            let about =
                if column.unit.is_empty() { String::new() } else { format!(",\"description\":{}", quoted(&about)) };
            format!("{}:{{\"type\":\"{kind}\"{about}}}", quoted(name))
        };
        let properties: Vec<String> = columns.iter().zip(&self.names).map(property).collect();
        let schema = format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(","));
        let id = || ID.to_le_bytes().to_vec();
        let schema = record(SCHEMA, &[id(), text("ansatz.Row"), text("jsonschema"), text(&schema)]);
        [schema, record(CHANNEL, &[id(), id(), text("/run"), text("json"), counted(Vec::new())])].concat()
    }

    fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.at += bytes.len() as u64;
        out.write_all(bytes)
    }
}

fn record(kind: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    let content = parts.concat();
    [vec![kind], long(content.len() as u64), content].concat()
}

fn long(value: u64) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

/// Bytes, behind how many they are.
fn counted(bytes: Vec<u8>) -> Vec<u8> {
    [(bytes.len() as u32).to_le_bytes().to_vec(), bytes].concat()
}

fn text(text: &str) -> Vec<u8> {
    counted(text.as_bytes().to_vec())
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round().max(0.0) as u64
}

/// JSON has no other numbers than finite ones.
fn value(cell: &Cell) -> String {
    match cell {
        Cell::Number(value) if value.is_finite() => format!("{value:?}"),
        Cell::Number(_) | Cell::Nothing => "null".to_string(),
        Cell::Count(count) => count.to_string(),
        Cell::Word(word) => quoted(word),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What is recorded twice is told apart by a number.
fn own_names(columns: &[Column]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let numbered = (2..).map(|number| format!("{}_{number}", column.name));
        let own = std::iter::once(column.name.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(own);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes through the records as a reader does: every length leads to the next, and the summary is where the footer says.
    #[test]
    fn records_lead_from_one_to_the_next() {
        let columns =
            vec![Column::time(), Column::new("x", Kind::Number, "m"), Column::new("x", Kind::Word, String::new())];
        let mut out = Vec::new();
        let mut writer = Writer::begin(&columns, &mut out).expect("a file");
        for row in 0..3 {
            let cells = [Cell::Number(0.1 * f64::from(row)), Cell::Number(f64::NAN), Cell::Word("a \"b\"".to_string())];
            writer.row(&columns, &cells, &mut out).expect("a row");
        }
        writer.end(&columns, &mut out).expect("an end");
        assert!(out.starts_with(MAGIC) && out.ends_with(MAGIC));
        let (mut at, mut kinds, mut places) = (8, Vec::new(), Vec::new());
        while at + 8 < out.len() {
            let length = u64::from_le_bytes(out[at + 1..at + 9].try_into().expect("eight bytes"));
            kinds.push(out[at]);
            places.push(at as u64);
            at += 9 + length as usize;
        }
        assert_eq!(at + 8, out.len());
        assert_eq!(kinds, [1, 3, 4, 6, 7, 15, 3, 4, 11, 8, 2]);
        let summary = u64::from_le_bytes(out[out.len() - 28..out.len() - 20].try_into().expect("eight bytes"));
        assert_eq!(summary, places[6]);
        let said = String::from_utf8_lossy(&out);
        assert!(said.contains(r#"{"t":0.1,"x":null,"x_2":"a \"b\""}"#) && said.contains("in m"), "{said}");
    }
}
