//! `ansatz explain`: what was derived.

use std::process::ExitCode;

use ansatz::{Diagnostics, Options, Solver};
use driver::{Compilation, Stages};

use crate::arguments::ExplainArguments;
use crate::{render, scene};

pub fn explain(arguments: &ExplainArguments) -> ExitCode {
    if !arguments.file.exists()
        && !scene::is_standard_input(&arguments.file)
        && let Some(code) = explain_code(&arguments.file.to_string_lossy())
    {
        return code;
    }
    // Bodies by themselves are part of what a picture needs.
    let picture = arguments.equations.is_some();
    let options = Options { solver: Solver::Explicit, picture, ..arguments.compile.options() };
    let Some(scene) = scene::compile(&arguments.file, &options) else { return ExitCode::FAILURE };
    let (compilation, stages) = (scene.compilation(), &**scene.stages());
    let elsewhere = match in_mode(arguments, compilation, stages) {
        Ok(elsewhere) => elsewhere,
        Err(code) => return code,
    };
    let stages = elsewhere.as_ref().unwrap_or(stages);
    let text = if arguments.json {
        format!("{:#}\n", driver::explain_json(compilation, stages))
    } else if let Some(form) = arguments.equations {
        driver::explain_equations(compilation, stages, form, arguments.notation)
    } else {
        driver::explain(compilation, stages, arguments.stage)
    };
    render::print_out(&text)
}

/// The stages of the mode that is asked for, if one is.
fn in_mode(
    arguments: &ExplainArguments,
    compilation: &Compilation,
    stages: &Stages,
) -> Result<Option<Stages>, ExitCode> {
    if arguments.mode.is_empty() {
        return Ok(None);
    }
    let mode = driver::mode_named(&stages.model, &arguments.mode).map_err(|(message, hint)| {
        render::complain(&message, &hint);
        ExitCode::FAILURE
    })?;
    let mut found = Diagnostics::default();
    let options = arguments.compile.options();
    let elsewhere = driver::compile_mode(&stages.model, &mode, &options, &compilation.sources, &mut found);
    render::print(&found, &compilation.sources);
    elsewhere.map(Some).ok_or(ExitCode::FAILURE)
}

/// The page of a kind of diagnostic. Nothing if this looks like the name of a file.
fn explain_code(name: &str) -> Option<ExitCode> {
    let word = name.to_lowercase();
    match driver::page(&word) {
        Ok(page) => Some(render::print_out(page.text)),
        Err(near) if !name.contains(['.', '/', '\\']) => {
            let hint = match near {
                Some(near) => format!("did you mean `ansatz explain {near}`?"),
                None => {
                    let codes: Vec<&str> = driver::PAGES.iter().map(|page| page.code).collect();
                    format!("the kinds of diagnostics are {}", codes.join(", "))
                }
            };
            render::complain(&format!("there is no scene and no kind of diagnostic called `{name}`"), &hint);
            Some(ExitCode::FAILURE)
        }
        Err(_) => None,
    }
}
