//! `ansatz fmt`: lays scenes out, or tells which are not.

use std::path::Path;
use std::process::ExitCode;

use base::{Source, Sources};

use crate::arguments::FormatArguments;
use crate::{render, scene, whole_file};

pub fn format(arguments: &FormatArguments) -> ExitCode {
    // Every file gets its turn, whatever happens to the others.
    let failed = arguments.files.iter().filter(|file| !format_file(file, arguments.check)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn format_file(file: &Path, check: bool) -> bool {
    let Some(text) = scene::read(file) else { return false };
    let mut sources = Sources::default();
    let source = sources.add(Source::new(file.display().to_string(), &text));
    match driver::format(source, &text) {
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            false
        }
        Ok(formatted) if scene::is_standard_input(file) && !check => render::print_out(&formatted) == ExitCode::SUCCESS,
        Ok(formatted) if formatted == text => true,
        Ok(_) if check => {
            render::say(&format!("{}: not laid out; run `ansatz fmt {}`", file.display(), file.display()));
            false
        }
        Ok(formatted) => match whole_file::replace(file, formatted.as_bytes()) {
            Ok(()) => true,
            Err(error) => {
                render::complain(&format!("`{}` cannot be written: {error}", file.display()), "");
                false
            }
        },
    }
}
