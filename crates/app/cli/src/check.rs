//! `ansatz check`: all diagnostics at once. If it passes, `run` starts.

use std::process::ExitCode;

use base::Diagnostics;
use driver::{Compilation, Simulation};

use crate::arguments::CheckArguments;
use crate::{render, scene};

pub fn check(arguments: &CheckArguments) -> ExitCode {
    let Some(mut compilation) = scene::compile(&arguments.file, &arguments.compile.options()) else {
        return ExitCode::FAILURE;
    };
    try_start(&mut compilation);
    let Compilation { diagnostics, sources, .. } = &compilation;
    if arguments.json {
        render::print_out(&format!("{:#}\n", render::to_json(diagnostics, sources)));
    } else {
        render::print(diagnostics, sources);
    }
    if diagnostics.has_errors() {
        return ExitCode::FAILURE;
    }
    if !arguments.json {
        let verdict = if diagnostics.is_empty() { "nothing wrong" } else { "no errors" };
        render::say(&format!("{}: {verdict}", arguments.file.display()));
    }
    ExitCode::SUCCESS
}

/// Looks for a consistent start with the default parameters.
fn try_start(compilation: &mut Compilation) {
    let Some(stages) = &compilation.stages else { return };
    let mut found = Diagnostics::default();
    match driver::machine(&stages.module) {
        Ok(machine) => {
            let mut simulation = Simulation::new(&stages.module, &machine);
            if let Err(failure) = simulation.initialize() {
                found.report(driver::describe(&failure, stages, &simulation));
            }
        }
        Err(diagnostic) => found.report(diagnostic),
    }
    found.iter().cloned().for_each(|diagnostic| compilation.diagnostics.report(diagnostic));
}
