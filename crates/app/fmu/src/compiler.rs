//! The C compiler of this machine, if there is one: it makes the libraries of units, those that scenes become and those that come as sources.
//! `CC` and `CFLAGS` are heeded, as `make` does.

use std::path::Path;
use std::process::Command;

/// Each operation rounds by itself, as everywhere.
const FLAGS: [&str; 4] = ["-shared", "-fPIC", "-ffp-contract=off", "-fno-math-errno"];

fn name() -> String {
    std::env::var("CC").ok().filter(|it| !it.is_empty()).unwrap_or_else(|| "cc".to_string())
}

fn command(name: &str) -> Command {
    let mut words = name.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

fn missing(name: &str, error: &std::io::Error) -> String {
    format!("the C compiler `{name}` cannot be run: {error}")
}

/// Whether there is one.
pub fn check() -> Result<(), String> {
    let name = name();
    let found = command(&name).arg("--version").output();
    found.map(drop).map_err(|error| format!("{}; install one, or name it in `CC`", missing(&name, &error)))
}

/// Makes a library of files in a folder, or says why there is none.
pub fn library(folder: &Path, files: &[String], options: &[String], library: &Path) -> Result<(), String> {
    let name = name();
    let flags = std::env::var("CFLAGS").unwrap_or_else(|_| "-O2".to_string());
    let mut command = command(&name);
    command.current_dir(folder).args(FLAGS).args(flags.split_whitespace()).args(options);
    command.arg("-o").arg(library).args(files).arg("-lm");
    let output = command.output().map_err(|error| missing(&name, &error))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // The first line may only say in which function it is.
    let line = said.lines().find(|line| line.contains("error")).or(said.lines().next()).unwrap_or("it says nothing");
    Err(format!("the C compiler `{name}` failed: {}", line.escape_debug()))
}
