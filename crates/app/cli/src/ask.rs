//! `ansatz ask`: the answers to the questions of a scene.

use std::process::ExitCode;

use ansatz::Options;
use driver::{Asking, answers_json, answers_text};

use crate::arguments::AskArguments;
use crate::{render, scene};

pub fn ask(arguments: &AskArguments) -> ExitCode {
    let Some(text) = scene::read(&arguments.file) else { return ExitCode::FAILURE };
    let options = Options { folder: Some(scene::folder(&arguments.file).to_path_buf()), ..Options::default() };
    let settings = arguments.settings.settings();
    let name = base::visible(&arguments.file.display().to_string());
    let reply = driver::ask(&Asking {
        name: &name,
        text: &text,
        options: &options,
        settings: &settings,
        without: &arguments.without,
    });
    render::print(&reply.diagnostics, &reply.sources);
    let Some(answers) = reply.answers else { return ExitCode::FAILURE };
    let text = match arguments.json {
        true => format!("{:#}\n", answers_json(&answers, &reply.sources)),
        false => answers_text(&answers, &reply.sources),
    };
    // What is missing is an answer too.
    render::print_out(&text)
}
