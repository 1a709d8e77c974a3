//! Trajectories as CSV.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::whole_file::{WholeFile, followed};

/// Where the rows of a run go.
pub enum Table {
    /// Standard output, a device or a pipe: written to and never replaced.
    Stream(BufWriter<Box<dyn Write>>),
    File(BufWriter<WholeFile>),
}

/// What the values of a column are called, where they are not numbers.
pub type Words = Option<Vec<String>>;

impl Table {
    /// `-` is standard output; a file takes its name when it is complete.
    pub fn create(output: &Path) -> io::Result<Table> {
        if output == Path::new("-") {
            return Ok(Table::Stream(BufWriter::new(Box::new(io::stdout()))));
        }
        match std::fs::metadata(followed(output)).map(|metadata| metadata.file_type()) {
            Ok(kind) if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(kind) if !kind.is_file() => {
                let device = File::options().write(true).open(output)?;
                Ok(Table::Stream(BufWriter::new(Box::new(device))))
            }
            _ => Ok(Table::File(BufWriter::new(WholeFile::create(output)?))),
        }
    }

    pub fn header(&mut self, columns: &[String]) -> io::Result<()> {
        let quoted: Vec<String> = columns.iter().map(|column| quote(column)).collect();
        self.line(&format!("t,{}", quoted.join(",")))
    }

    pub fn row(&mut self, t: f64, values: &[f64], words: &[Words]) -> io::Result<()> {
        let mut line = time_text(t);
        for (at, &value) in values.iter().enumerate() {
            line.push(',');
            match words.get(at).and_then(Option::as_ref).and_then(|words| words.get(value as usize)) {
                Some(word) => line.push_str(word),
                None => line.push_str(&value_text(value)),
            }
        }
        self.line(&line)
    }

    /// A row of a time and a name.
    pub fn event(&mut self, t: f64, name: &str) -> io::Result<()> {
        self.line(&format!("{},{}", value_text(t), quote(name)))
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Table::Stream(writer) => writeln!(writer, "{line}"),
            Table::File(writer) => writeln!(writer, "{line}"),
        }
    }

    /// Makes the rows written so far permanent. If that fails, or if it is never called, no file is left behind.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Table::Stream(mut writer) => writer.flush(),
            Table::File(writer) => writer.into_inner()?.keep(),
        }
    }
}

/// Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004.
pub fn time_text(t: f64) -> String {
    let rounded: f64 = format!("{t:.14e}").parse().unwrap_or(t);
    value_text(rounded)
}

/// The shortest text that gives the same number again; tiny and huge ones with a power of ten.
fn value_text(value: f64) -> String {
    // Adding zero makes -0 a plain 0.
    let text = format!("{:?}", value + 0.0);
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

fn quote(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_names_are_printed_plainly() {
        assert_eq!(time_text(0.1 * 3.0), "0.3");
        assert_eq!(time_text(20.0), "20");
        assert_eq!(time_text(0.316295699 * 3.0), "0.948887097");
        assert_eq!([1.0, -0.0, 0.1, -5.5e-17, 1e300].map(value_text), ["1", "0", "0.1", "-5.5e-17", "1e300"]);
        assert_eq!(quote("atan2(y, x)"), "\"atan2(y, x)\"");
    }

    #[test]
    fn rows_are_there_when_the_table_is_finished() {
        let target = std::env::temp_dir().join(format!("ansatz-table-{}.csv", std::process::id()));
        let mut table = Table::create(&target).expect("a table");
        table.header(&["x".to_string()]).expect("a header");
        table.row(0.5, &[1.0], &[]).expect("a row");
        table.finish().expect("a file");
        assert_eq!(std::fs::read_to_string(&target).expect("the file"), "t,x\n0.5,1\n");
        std::fs::remove_file(&target).expect("the file goes");
        assert!(Table::create(&std::env::temp_dir()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let table = Table::create(Path::new("/dev/zero")).expect("a device");
        assert!(matches!(table, Table::Stream(_)));
    }
}
