//! `ansatz explain`: what was derived.

use std::io::Write;
use std::process::ExitCode;

use crate::arguments::ExplainArguments;
use crate::{render, scene};

pub fn explain(arguments: &ExplainArguments) -> ExitCode {
    let Some(compilation) = scene::compile(&arguments.file, &arguments.compile.options()) else {
        return ExitCode::FAILURE;
    };
    render::print(&compilation.diagnostics, &compilation.sources);
    let Some(stages) = &compilation.stages else { return ExitCode::FAILURE };
    let text = if arguments.json {
        format!("{:#}\n", driver::explain_json(&compilation, stages))
    } else {
        driver::explain(&compilation, stages, arguments.stage.map(Into::into))
    };
    // A reader that goes away, such as `head`, is not an error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
