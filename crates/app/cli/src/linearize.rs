//! `ansatz linearize`: the linear model of a scene near a state.

use std::io::Write;
use std::process::ExitCode;

use driver::{At, Level, Options};

use crate::arguments::LinearizeArguments;
use crate::run::cannot_write;
use crate::whole_file::WholeFile;
use crate::{render, scene};

pub fn linearize(arguments: &LinearizeArguments) -> ExitCode {
    let options = Options {
        rotations: arguments.rotations,
        probes: arguments.probe.iter().flat_map(|list| driver::split_list(list)).collect(),
        // Everything that can move is a state, whether anyone looks at it or not.
        optimize: Level::None,
        ..Options::default()
    };
    let Some(compilation) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    render::print(&compilation.diagnostics, &compilation.sources);
    let Some(stages) = &compilation.stages else { return ExitCode::FAILURE };
    let at = if arguments.equilibrium { At::Equilibrium } else { arguments.at.unwrap_or_default() };
    let found = match driver::linearize(stages, &arguments.settings.settings(), at) {
        Ok(found) => found,
        Err(diagnostics) => {
            render::print(&diagnostics, &compilation.sources);
            return ExitCode::FAILURE;
        }
    };
    let text = match (arguments.json, arguments.equilibrium) {
        (true, _) => format!("{:#}\n", driver::linearization_json(&found)),
        (false, true) => driver::equilibrium_text(&found),
        (false, false) => driver::linearization_text(&found),
    };
    match &arguments.output {
        None => render::print_out(&text),
        Some(file) => {
            let written = WholeFile::create(file).and_then(|mut whole| {
                whole.write_all(text.as_bytes())?;
                whole.keep()
            });
            if let Err(error) = written {
                return cannot_write(Some(file), &error);
            }
        }
    }
    ExitCode::SUCCESS
}
