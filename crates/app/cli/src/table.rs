//! Trajectories as CSV, and files that are either whole or not there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where the rows of a run go.
pub enum Table {
    Standard(BufWriter<io::Stdout>),
    /// A device or a pipe, which must be written to and never replaced.
    Device(BufWriter<File>),
    File {
        writer: BufWriter<File>,
        temporary: PathBuf,
        target: PathBuf,
    },
    Nowhere,
}

impl Table {
    /// `-` is standard output; a file takes its name when it is complete.
    pub fn create(output: Option<&Path>) -> io::Result<Table> {
        match output {
            None => Ok(Table::Nowhere),
            Some(path) if path == Path::new("-") => Ok(Table::Standard(BufWriter::new(io::stdout()))),
            Some(path) => {
                let target = followed(path);
                match std::fs::metadata(&target).map(|metadata| metadata.file_type()) {
                    Ok(kind) if kind.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
                    Ok(kind) if !kind.is_file() => {
                        let device = File::options().write(true).open(&target)?;
                        return Ok(Table::Device(BufWriter::new(device)));
                    }
                    _ => {}
                }
                let temporary = temporary_name(&target);
                let writer = BufWriter::new(File::create(&temporary)?);
                Ok(Table::File { writer, temporary, target })
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
            line.push_str(&value_text(*value));
        }
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match self {
            Table::Standard(writer) => writeln!(writer, "{line}"),
            Table::Device(writer) => writeln!(writer, "{line}"),
            Table::File { writer, .. } => writeln!(writer, "{line}"),
            Table::Nowhere => Ok(()),
        }
    }

    /// Makes the rows written so far permanent. If that fails, no file is left behind.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Table::Standard(mut writer) => writer.flush(),
            Table::Device(mut writer) => writer.flush(),
            Table::File { mut writer, temporary, target } => {
                let written = writer.flush().and_then(|()| writer.get_ref().sync_all());
                drop(writer);
                let finished = written.and_then(|()| std::fs::rename(&temporary, target));
                finished.inspect_err(|_| remove(&temporary))
            }
            Table::Nowhere => Ok(()),
        }
    }

    /// Leaves things as they were before the run.
    pub fn abandon(self) {
        if let Table::File { temporary, .. } = self {
            remove(&temporary);
        }
    }
}

/// Writes a file as a whole: either the old or the new content is there, never a part.
pub fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = followed(path);
    let temporary = temporary_name(&path);
    let permissions = std::fs::metadata(&path).map(|metadata| metadata.permissions());
    let written = std::fs::write(&temporary, content)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| std::fs::set_permissions(&temporary, permissions)))
        .and_then(|()| std::fs::rename(&temporary, &path));
    written.inspect_err(|_| remove(&temporary))
}

/// Where a link leads, even if nothing is there yet.
fn followed(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| match std::fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_path_buf(),
    })
}

fn remove(temporary: &Path) {
    // If even this fails, the name tells that the file is not complete.
    let _ = std::fs::remove_file(temporary);
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Multiples of a decimal interval, without the noise of binary arithmetic: 0.3, not 0.30000000000000004.
pub fn time_text(t: f64) -> String {
    let rounded: f64 = format!("{t:.14e}").parse().unwrap_or(t);
    rounded.to_string()
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
    fn a_file_appears_when_it_is_complete_and_leaves_nothing_else_behind() {
        let folder = std::env::temp_dir().join(format!("ansatz-table-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let target = folder.join("rows.csv");
        let mut table = Table::create(Some(&target)).expect("a table");
        table.header(&["x".to_string()]).expect("a header");
        assert!(!target.exists());
        table.abandon();
        assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
        let mut table = Table::create(Some(&target)).expect("a table");
        table.row(0.5, &[1.0]).expect("a row");
        table.finish().expect("a file");
        assert_eq!(std::fs::read_to_string(&target).expect("the file"), "0.5,1\n");
        assert!(Table::create(Some(&folder)).is_err());
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let table = Table::create(Some(Path::new("/dev/zero"))).expect("a device");
        assert!(matches!(table, Table::Device(_)));
    }
}
