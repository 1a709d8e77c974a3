//! `ansatz import`: a scene made of a file of another program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use formats::Options;

use crate::arguments::ImportArguments;
use crate::{render, scene, whole_file};

pub fn import(arguments: &ImportArguments) -> ExitCode {
    let file = &arguments.file;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = if scene::is_standard_input(file) { "robot".to_string() } else { stem };
    let folder = file.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let options = Options { name: &stem, floating: arguments.floating, folder, inside: None };
    let imported = match formats::is_part(file) || formats::is_drawn(file) {
        true => match read_bytes(file) {
            Ok(bytes) if formats::is_part(file) => formats::import_part(file, &bytes, options),
            Ok(bytes) => formats::import_drawn(file, &bytes, options),
            Err(why) => {
                render::complain(&format!("`{}` cannot be read: {why}", file.display()), "name a file that is there");
                return ExitCode::FAILURE;
            }
        },
        false => match scene::read(file) {
            Some(text) => formats::import(file, &text, options),
            None => return ExitCode::FAILURE,
        },
    };
    render::print(&imported.diagnostics, &imported.sources);
    let Some(text) = imported.text else { return ExitCode::FAILURE };
    match &arguments.output {
        Some(output) if scene::is_standard_input(output) => render::print_out(&text),
        Some(output) => write(output, &text),
        None => {
            let output = PathBuf::from(format!("{stem}.anz"));
            if output.exists() {
                let hint = "say with `-o` where to write; what is there is then replaced";
                render::complain(&format!("`{}` is there already", output.display()), hint);
                return ExitCode::FAILURE;
            }
            write(&output, &text)
        }
    }
}

/// What is no plain file, or too large for a part of a mechanism, is not read.
fn read_bytes(file: &Path) -> Result<Vec<u8>, String> {
    const MOST_BYTES: u64 = 64 << 20;
    let known = std::fs::metadata(file).map_err(|error| error.to_string())?;
    if !known.is_file() || known.len() > MOST_BYTES {
        return Err(format!("it is no plain file of at most {} MB", MOST_BYTES >> 20));
    }
    std::fs::read(file).map_err(|error| error.to_string())
}

fn write(output: &Path, text: &str) -> ExitCode {
    match whole_file::replace(output, text.as_bytes()) {
        Ok(()) => {
            let path = output.display();
            render::say(&format!("{path} written; see it move with `ansatz {path}`"));
            ExitCode::SUCCESS
        }
        Err(error) => crate::run::cannot_write(Some(output), &error),
    }
}
