//! `ansatz import`: a scene made of a file of another program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use formats::Options;

use crate::arguments::ImportArguments;
use crate::{render, scene, whole_file};

pub fn import(arguments: &ImportArguments) -> ExitCode {
    let file = &arguments.file;
    let Some(text) = scene::read(file) else { return ExitCode::FAILURE };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = if scene::is_standard_input(file) { "robot".to_string() } else { stem };
    let imported = formats::import(file, &text, Options { name: &stem, floating: arguments.floating });
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
