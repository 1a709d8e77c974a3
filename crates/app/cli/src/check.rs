//! `ansatz check`: all diagnostics at once. If it passes, `run` starts.

use std::process::ExitCode;

use base::{Diagnostic, Diagnostics};
use driver::{Compilation, Options, Settings};

use crate::arguments::CheckArguments;
use crate::{render, scene};

pub fn check(arguments: &CheckArguments) -> ExitCode {
    let options = arguments.compile.options();
    let Some(mut compilation) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    try_start(&mut compilation, &options);
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
    driver::check_modes(&stages.model, options, &compilation.sources, &mut found);
    if !found.has_errors() {
        let played = driver::play(compilation, options, &Settings::default(), None, |_, _| {});
        played.diagnostics.iter().cloned().for_each(|diagnostic| found.report(diagnostic));
    }
    let known: Vec<Diagnostic> = compilation.diagnostics.iter().cloned().collect();
    let news = found.iter().filter(|found| !known.contains(found));
    news.cloned().for_each(|diagnostic| compilation.diagnostics.report(diagnostic));
}
