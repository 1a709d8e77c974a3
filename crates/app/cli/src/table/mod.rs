//! Tables in files: as CSV, or, by the ending of the name, as Parquet, Arrow or MCAP, with units.

mod arrow;
mod block;
mod csv;
mod flatbuffer;
mod mcap;
mod parquet;
mod thrift;

pub use csv::{time_text, value_text};
pub use mcap::Rows;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::angles::Angles;
use crate::whole_file::{WholeFile, followed};
use block::Block;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// Nothing for plain numbers.
    pub unit: String,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In seconds; multiples of a decimal interval, which a text has without the noise of binary arithmetic.
    Time,
    Number,
    Count,
    Word,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Number(f64),
    Count(u64),
    Word(String),
    Nothing,
}

impl Column {
    pub fn new(name: impl Into<String>, kind: Kind, unit: impl Into<String>) -> Column {
        Column { name: name.into(), kind, unit: unit.into() }
    }

    pub fn time() -> Column {
        Column::new("t", Kind::Time, "s")
    }
}

/// A table that is being written.
pub struct Table {
    columns: Vec<Column>,
    format: Format,
    place: Place,
}

enum Format {
    Csv(Angles),
    Arrow(arrow::Writer, Block),
    Parquet(parquet::Writer, Block),
    Mcap(mcap::Writer),
}

/// The file endings that are not those of texts.
const ARROW: [&str; 2] = ["arrow", "feather"];
const PARQUET: &str = "parquet";
const MCAP: &str = "mcap";

impl Table {
    /// `-` is standard output; a file takes its name when it is complete. Only a text has angles in degrees: what programs read has numbers as they were computed.
    pub fn create(output: &Path, columns: Vec<Column>, angles: Angles) -> io::Result<Table> {
        let mut place = Place::create(output)?;
        let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let block = Block::new(&columns);
        let format = match ending.as_str() {
            MCAP => Format::Mcap(mcap::Writer::begin(&columns, &mut place)?),
            PARQUET => Format::Parquet(parquet::Writer::begin(&mut place)?, block),
            ending if ARROW.contains(&ending) => Format::Arrow(arrow::Writer::begin(&columns, &mut place)?, block),
            _ => {
                writeln!(place, "{}", csv::header(&columns, angles))?;
                Format::Csv(angles)
            }
        };
        Ok(Table { columns, format, place })
    }

    pub fn row(&mut self, cells: &[Cell]) -> io::Result<()> {
        match &mut self.format {
            Format::Csv(angles) => writeln!(self.place, "{}", csv::row(&self.columns, cells, *angles)),
            Format::Mcap(writer) => writer.row(&self.columns, cells, &mut self.place),
            Format::Arrow(writer, block) => match block.push(cells) {
                true => writer.block(block, &mut self.place),
                false => Ok(()),
            },
            Format::Parquet(writer, block) => match block.push(cells) {
                true => writer.block(&self.columns, block, &mut self.place),
                false => Ok(()),
            },
        }
    }

    /// Makes the rows written so far permanent. If that fails, or if it is never called, no file is left behind.
    pub fn finish(mut self) -> io::Result<()> {
        match self.format {
            Format::Csv(_) => {}
            Format::Mcap(writer) => writer.end(&mut self.place)?,
            Format::Arrow(mut writer, mut block) => {
                writer.block(&mut block, &mut self.place)?;
                writer.end(&self.columns, &mut self.place)?;
            }
            Format::Parquet(mut writer, mut block) => {
                writer.block(&self.columns, &mut block, &mut self.place)?;
                writer.end(&self.columns, &mut self.place)?;
            }
        }
        self.place.finish()
    }
}

/// Where a table goes.
enum Place {
    /// Standard output, a device or a pipe: written to and never replaced.
    Stream(BufWriter<Box<dyn Write>>),
    File(BufWriter<WholeFile>),
}

impl Place {
    fn create(output: &Path) -> io::Result<Place> {
        if output == Path::new("-") {
            return Ok(Place::Stream(BufWriter::new(Box::new(io::stdout()))));
        }
        match std::fs::metadata(followed(output)).map(|metadata| metadata.file_type()) {
            Ok(kind) if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(kind) if !kind.is_file() => {
                let device = File::options().write(true).open(output)?;
                Ok(Place::Stream(BufWriter::new(Box::new(device))))
            }
            _ => Ok(Place::File(BufWriter::new(WholeFile::create(output)?))),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Place::Stream(mut writer) => writer.flush(),
            Place::File(writer) => writer.into_inner()?.keep(),
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Stream(writer) => writer.write(bytes),
            Place::File(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Stream(writer) => writer.flush(),
            Place::File(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_there_when_the_table_is_finished() {
        let target = std::env::temp_dir().join(format!("ansatz-table-{}.csv", std::process::id()));
        let column = |name: &str, unit: &str| Column::new(name, Kind::Number, unit);
        let columns = vec![Column::time(), column("x", "m"), column("turn", "rad"), column("rate", "rad/s")];
        let written = |angles: Angles| {
            let mut table = Table::create(&target, columns.clone(), angles).expect("a table");
            table.row(&[0.1 * 3.0, 1.0, std::f64::consts::FRAC_PI_2, 2.0].map(Cell::Number)).expect("a row");
            table.row(&[Cell::Number(1.0), Cell::Nothing, Cell::Nothing, Cell::Nothing]).expect("a row");
            table.finish().expect("a file");
            std::fs::read_to_string(&target).expect("the file")
        };
        assert_eq!(written(Angles::Degrees), "t [s],x [m],turn [deg],rate [rad/s]\n0.3,1,90,2\n1,,,\n");
        let radians = "t [s],x [m],turn [rad],rate [rad/s]\n0.3,1,1.5707963267948966,2\n1,,,\n";
        assert_eq!(written(Angles::Radians), radians);
        std::fs::remove_file(&target).expect("the file goes");
        assert!(Table::create(&std::env::temp_dir(), columns, Angles::Degrees).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        assert!(matches!(Place::create(Path::new("/dev/zero")), Ok(Place::Stream(_))));
    }
}
