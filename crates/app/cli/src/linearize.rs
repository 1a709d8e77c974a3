//! `ansatz linearize`: the linear model of a scene near a state.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ansatz::{At, Level, Options, Solver};

use crate::arguments::{Around, LinearizeArguments};
use crate::run::cannot_write;
use crate::whole_file::WholeFile;
use crate::{answers, render, scene};

pub fn linearize(arguments: &LinearizeArguments) -> ExitCode {
    if !scene::may_write(&arguments.output.iter().map(PathBuf::as_path).collect::<Vec<_>>()) {
        return ExitCode::FAILURE;
    }
    let options = Options {
        rotations: arguments.rotations,
        probes: arguments.probe.iter().flat_map(|list| driver::split_list(list)).collect(),
        // Everything that can move is a state, whether anyone looks at it or not.
        optimize: Level::None,
        solver: Solver::Explicit,
        ..Options::default()
    };
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    let settings = arguments.settings.settings();
    let found = match arguments.at {
        _ if arguments.equilibrium => scene.linearize(At::Equilibrium, &settings),
        None => scene.linearize(At::Anywhere, &settings),
        Some(Around::Near(at)) => scene.linearize(at, &settings),
        Some(Around::Time(t)) => scene.linearize_at(t, &settings),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            render::print_error(&error);
            return ExitCode::FAILURE;
        }
    };
    let regulator = match arguments.lqr.as_ref().map(|weights| driver::regulator(&found, weights)).transpose() {
        Ok(regulator) => regulator,
        Err(diagnostic) => {
            render::print(&[diagnostic].into_iter().collect(), scene.sources());
            return ExitCode::FAILURE;
        }
    };
    let text = match (arguments.json, arguments.equilibrium) {
        (true, _) => format!("{:#}\n", answers::json(arguments, &found, regulator.as_ref())),
        (false, true) => driver::equilibrium_text(&found),
        (false, false) => driver::linearization_text(&found) + &answers::text(arguments, &found, regulator.as_ref()),
    };
    match &arguments.output {
        None => return render::print_out(&text),
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
