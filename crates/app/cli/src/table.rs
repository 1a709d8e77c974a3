//! Trajectories as CSV, and files that are either whole or not there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where the rows of a run go.
pub enum Table {
    Standard(BufWriter<io::Stdout>),
    File { writer: BufWriter<File>, temporary: PathBuf, target: PathBuf },
    Nowhere,
}

impl Table {
    /// `-` is standard output; a file takes its name when it is complete.
    pub fn create(output: Option<&Path>) -> io::Result<Table> {
        match output {
            None => Ok(Table::Nowhere),
            Some(path) if path == Path::new("-") => Ok(Table::Standard(BufWriter::new(io::stdout()))),
            Some(path) => {
                let temporary = temporary_name(path);
                let writer = BufWriter::new(File::create(&temporary)?);
                Ok(Table::File { writer, temporary, target: path.to_path_buf() })
            }
        }
    }

    pub fn header(&mut self, columns: &[String]) -> io::Result<()> {
        let quoted: Vec<String> = columns.iter().map(|column| quote(column)).collect();
        self.line(&format!("t,{}", quoted.join(",")))
    }

    pub fn row(&mut self, t: f64, values: &[f64]) -> io::Result<()> {
        let mut line = time_text(t);
        for value in values {
            line.push(',');
            line.push_str(&value.to_string());
        }
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Table::Standard(writer) => writeln!(writer, "{line}"),
            Table::File { writer, .. } => writeln!(writer, "{line}"),
            Table::Nowhere => Ok(()),
        }
    }

    /// Makes the rows written so far permanent.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Table::Standard(mut writer) => writer.flush(),
            Table::File { mut writer, temporary, target } => {
                writer.flush()?;
                writer.get_ref().sync_all()?;
                drop(writer);
                std::fs::rename(temporary, target)
            }
            Table::Nowhere => Ok(()),
        }
    }
}

/// Writes a file as a whole: either the old or the new content is there, never a part.
pub fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = temporary_name(path);
    std::fs::write(&temporary, content)?;
    std::fs::rename(temporary, path)
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004.
fn time_text(t: f64) -> String {
    let rounded: f64 = format!("{t:.14e}").parse().unwrap_or(t);
    rounded.to_string()
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
        assert_eq!(quote("atan2(y, x)"), "\"atan2(y, x)\"");
    }
}
