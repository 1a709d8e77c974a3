//! `ansatz check`: all diagnostics at once. If it passes, `run` starts.

use std::process::ExitCode;

use ansatz::{Diagnostics, Options, Solver};

use crate::arguments::CheckArguments;
use crate::{render, scene};

pub fn check(arguments: &CheckArguments) -> ExitCode {
    // The start is the same whatever solves the motion.
    let options = Options { solver: Solver::Explicit, ..arguments.compile.options() };
    let Some(found) = scene::compile_in_silence(&arguments.file, &options) else { return ExitCode::FAILURE };
    let (diagnostics, sources) = match &found {
        Ok(scene) => (all(scene.warnings(), &scene.check()), scene.sources()),
        Err(error) => (error.diagnostics().clone(), error.sources()),
    };
    if arguments.json {
        let written = render::print_out(&format!("{:#}\n", render::to_json(&diagnostics, sources)));
        return if diagnostics.has_errors() { ExitCode::FAILURE } else { written };
    }
    render::print(&diagnostics, sources);
    if diagnostics.has_errors() {
        return ExitCode::FAILURE;
    }
    let verdict = if diagnostics.is_empty() { "nothing wrong" } else { "no errors" };
    render::say(&format!("{}: {verdict}", arguments.file.display()));
    ExitCode::SUCCESS
}

fn all(first: &Diagnostics, then: &Diagnostics) -> Diagnostics {
    first.iter().chain(then.iter()).cloned().collect()
}
