//! `ansatz check`: all diagnostics at once. If it passes, `run` starts.

use std::process::ExitCode;

use base::Diagnostics;
use driver::{Compilation, Motion, Options, Simulation};

use crate::arguments::CheckArguments;
use crate::{render, scene};

pub fn check(arguments: &CheckArguments) -> ExitCode {
    let Some(mut compilation) = scene::compile(&arguments.file, &arguments.compile.options()) else {
        return ExitCode::FAILURE;
    };
    try_start(&mut compilation, &arguments.compile.options());
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
fn try_start(compilation: &mut Compilation, options: &Options) {
    let Some(stages) = &compilation.stages else { return };
    let mut found = Diagnostics::default();
    if driver::is_changing(stages) {
        driver::check_modes(&stages.model, options, &compilation.sources, &mut found);
        let mut automaton = driver::automaton(compilation, stages, options);
        if !found.has_errors()
            && let Err(trouble) = automaton.initialize()
        {
            driver::describe_trouble(&trouble, &automaton).iter().cloned().for_each(|one| found.report(one));
        }
        return found.iter().cloned().for_each(|diagnostic| compilation.diagnostics.report(diagnostic));
    }
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
