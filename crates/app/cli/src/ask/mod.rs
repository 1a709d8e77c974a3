//! `ansatz ask`: the answers to the questions of a scene.

mod tables;

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use ansatz::Options;
use driver::{Asking, answers_json, answers_text};

use crate::arguments::AskArguments;
use crate::plot::Style;
use crate::progress::Progress;
use crate::run::cannot_write;
use crate::{render, scene};

pub fn ask(arguments: &AskArguments) -> ExitCode {
    if !scene::may_write(&arguments.output.iter().map(PathBuf::as_path).collect::<Vec<_>>()) {
        return ExitCode::FAILURE;
    }
    let Some(text) = scene::read(&arguments.file) else { return ExitCode::FAILURE };
    let options = Options { folder: Some(scene::folder(&arguments.file).to_path_buf()), ..Options::default() };
    let settings = arguments.settings.settings();
    let name = base::visible(&arguments.file.display().to_string());
    let progress: RefCell<Option<Progress>> = RefCell::default();
    let reply = driver::ask(&Asking {
        name: &name,
        text: &text,
        options: &options,
        settings: &settings,
        without: &arguments.without,
        progress: &|done, of| {
            let mut progress = progress.borrow_mut();
            progress.get_or_insert_with(|| Progress::new("step", of).whole()).show(done);
        },
    });
    if let Some(progress) = &mut *progress.borrow_mut() {
        progress.clear();
    }
    render::print(&reply.diagnostics, &reply.sources);
    let Some(answers) = reply.answers else { return ExitCode::FAILURE };
    if let Some(output) = &arguments.output {
        if answers.tables.is_empty() {
            let message = format!("there is no table to write to `{}`", output.display());
            render::complain(&message, "ask for one: `find … for course in 40 [deg]..90 [deg]`");
            return ExitCode::FAILURE;
        }
        if let Err(error) = tables::write(&answers.tables, output) {
            return cannot_write(Some(output), &error);
        }
    }
    let style = Style { color: false, ..Style::of_terminal() };
    let text = match arguments.json {
        true => format!("{:#}\n", answers_json(&answers, &reply.sources)),
        false => answers_text(&answers, &reply.sources, &|table| tables::drawn(table, style)),
    };
    // What is missing is an answer too.
    render::print_out(&text)
}
