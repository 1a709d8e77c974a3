//! Tables as MCAP files: one channel of messages in JSON, one for each row, with a schema that has the units.

use std::io::{self, Write};

use super::{Cell, Column, Kind};
use crate::mcap::{self, Channel, nanoseconds, quoted};

pub struct Writer {
    file: mcap::Writer,
    rows: Rows,
}

/// Rows as messages of one channel.
pub struct Rows {
    /// Names of the columns in messages, each its own.
    names: Vec<String>,
}

impl Rows {
    pub fn new(columns: &[Column]) -> (Rows, Channel) {
        let names = own_names(columns);
        let channel = Channel { topic: "/run", schema: ("ansatz.Row", schema(columns, &names)) };
        (Rows { names }, channel)
    }

    pub fn message(&self, cells: &[Cell]) -> String {
        let fields = self.names.iter().zip(cells).map(|(name, cell)| format!("{}:{}", quoted(name), value(cell)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }
}

impl Writer {
    pub fn begin(columns: &[Column], out: &mut impl Write) -> io::Result<Writer> {
        let (rows, channel) = Rows::new(columns);
        Ok(Writer { file: mcap::Writer::begin(&[channel], out)?, rows })
    }

    pub fn row(&mut self, columns: &[Column], cells: &[Cell], out: &mut impl Write) -> io::Result<()> {
        let time = columns.iter().zip(cells).find_map(|(column, cell)| match cell {
            Cell::Number(t) if column.kind == Kind::Time => Some(nanoseconds(*t)),
            _ => None,
        });
        // What has no time of its own stands in the order of its rows.
        let time = time.unwrap_or(self.file.messages());
        self.file.message(0, time, &self.rows.message(cells), out)
    }

    pub fn end(self, out: &mut impl Write) -> io::Result<()> {
        self.file.end(out)
    }
}

fn schema(columns: &[Column], names: &[String]) -> String {
    let property = |(column, name): (&Column, &String)| {
        let (kind, about) = match column.kind {
            Kind::Time | Kind::Number => ("number", format!("in {}", column.unit)),
            Kind::Count => ("integer", String::new()),
            Kind::Word => ("string", String::new()),
        };
        let about = if column.unit.is_empty() { String::new() } else { format!(",\"description\":{}", quoted(&about)) };
        format!("{}:{{\"type\":\"{kind}\"{about}}}", quoted(name))
    };
    let properties: Vec<String> = columns.iter().zip(names).map(property).collect();
    format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(","))
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
    use crate::mcap::MAGIC;

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
        writer.end(&mut out).expect("an end");
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
