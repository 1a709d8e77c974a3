//! MCAP files, which Foxglove and Rerun play: messages in JSON on channels, each with a schema.
//!
//! The format: mcap.dev, "MCAP format specification", version 0. Written by hand, as other tables here: it is a dozen records of numbers and texts.

use std::collections::BTreeMap;
use std::io::{self, Write};

pub const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
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
/// Readers find their way among chunks of about this size.
const CHUNK_SIZE: usize = 1 << 20;

/// Messages of one kind.
pub struct Channel {
    pub topic: &'static str,
    /// The name of the schema, and the schema, in JSON.
    pub schema: (&'static str, String),
}

pub struct Writer {
    /// Bytes so far.
    at: u64,
    /// The schemas and channels, which stand before the messages and in the summary.
    declarations: Vec<u8>,
    /// How many messages each channel has.
    counts: Vec<u64>,
    /// The messages of the chunk that is being filled, and when those of each channel are and where.
    chunk: Vec<u8>,
    index: BTreeMap<usize, Vec<(u64, u64)>>,
    chunks: Vec<Vec<u8>>,
    /// The time of the first message and of the last.
    ends: Option<(u64, u64)>,
}

impl Writer {
    pub fn begin(channels: &[Channel], out: &mut impl Write) -> io::Result<Writer> {
        let mut writer = Writer {
            at: 0,
            declarations: channels.iter().enumerate().flat_map(|(at, channel)| declaration(at, channel)).collect(),
            counts: vec![0; channels.len()],
            chunk: Vec::new(),
            index: BTreeMap::new(),
            chunks: Vec::new(),
            ends: None,
        };
        writer.write(MAGIC, out)?;
        let library = concat!("ansatz ", env!("CARGO_PKG_VERSION"));
        writer.write(&record(HEADER, &[text(""), text(library)]), out)?;
        writer.write(&writer.declarations.clone(), out)?;
        Ok(writer)
    }

    /// How many messages there are.
    pub fn messages(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// A message on a channel, at a time in nanoseconds.
    pub fn message(&mut self, channel: usize, time: u64, message: &str, out: &mut impl Write) -> io::Result<()> {
        let [sequence, time_bytes] =
            [(self.counts[channel] as u32).to_le_bytes().to_vec(), time.to_le_bytes().to_vec()];
        let parts = [id(channel), sequence, time_bytes.clone(), time_bytes, message.as_bytes().to_vec()];
        self.index.entry(channel).or_default().push((time, self.chunk.len() as u64));
        self.chunk.extend(record(MESSAGE, &parts));
        self.counts[channel] += 1;
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
        let times = || index.values().flatten().map(|it| it.0);
        let (first, last) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
        let size = long(records.len() as u64);
        let no_sum = vec![0; 4];
        let begin = self.at;
        let parts = [long(first), long(last), size.clone(), no_sum, text(""), size.clone(), records];
        self.write(&record(CHUNK, &parts), out)?;
        let length = self.at - begin;
        let (index_at, mut offsets) = (self.at, Vec::new());
        for (&channel, messages) in &index {
            offsets.extend([id(channel), long(self.at)].concat());
            let rows: Vec<u8> = messages.iter().flat_map(|&(time, place)| [long(time), long(place)].concat()).collect();
            self.write(&record(MESSAGE_INDEX, &[id(channel), counted(rows)]), out)?;
        }
        let parts = [
            long(first),
            long(last),
            long(begin),
            long(length),
            counted(offsets),
            long(self.at - index_at),
            text(""),
            size.clone(),
            size,
        ];
        self.chunks.push(record(CHUNK_INDEX, &parts));
        Ok(())
    }

    pub fn end(mut self, out: &mut impl Write) -> io::Result<()> {
        self.flush(out)?;
        self.write(&record(DATA_END, &[vec![0; 4]]), out)?;
        let summary = self.at;
        self.write(&self.declarations.clone(), out)?;
        let (first, last) = self.ends.unwrap_or((0, 0));
        let counts = self.counts.iter().enumerate().flat_map(|(channel, &count)| [id(channel), long(count)].concat());
        let parts = [
            long(self.messages()),
            (self.counts.len() as u16).to_le_bytes().to_vec(),
            (self.counts.len() as u32).to_le_bytes().to_vec(),
            vec![0; 4],
            vec![0; 4],
            (self.chunks.len() as u32).to_le_bytes().to_vec(),
            long(first),
            long(last),
            counted(counts.collect()),
        ];
        self.write(&record(STATISTICS, &parts), out)?;
        let chunks = self.chunks.concat();
        self.write(&chunks, out)?;
        self.write(&record(FOOTER, &[long(summary), long(0), vec![0; 4]]), out)?;
        self.write(MAGIC, out)
    }

    fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.at += bytes.len() as u64;
        out.write_all(bytes)
    }
}

/// The schema of a channel, and the channel; both have its number.
fn declaration(at: usize, channel: &Channel) -> Vec<u8> {
    let (name, schema) = &channel.schema;
    let schema = record(SCHEMA, &[id(at), text(name), text("jsonschema"), text(schema)]);
    [schema, record(CHANNEL, &[id(at), id(at), text(channel.topic), text("json"), counted(Vec::new())])].concat()
}

/// Zero stands for no schema.
fn id(channel: usize) -> Vec<u8> {
    (channel as u16 + 1).to_le_bytes().to_vec()
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

pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round().max(0.0) as u64
}

pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
