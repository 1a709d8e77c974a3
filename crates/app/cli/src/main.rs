//! The command line of Ansatz.

// These macros panic when the reader goes away; `render::say` and `render::print_out` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod build;
mod canvas;
mod check;
mod explain;
mod format;
mod new;
mod plot;
mod progress;
mod record;
mod render;
mod run;
mod scene;
mod solver;
mod table;
mod whole_file;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;
use clap::error::ErrorKind;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(confess));
    let arguments = Arguments::try_parse().unwrap_or_else(|error| refuse(&error));
    match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Fmt(arguments) => format::format(&arguments),
        Command::New(arguments) => new::new(&arguments),
    }
}

/// What is wrong with the arguments; the name of a scene alone means a run, most likely.
fn refuse(error: &clap::Error) -> ! {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(scene) = std::env::args().nth(1).filter(|first| first.ends_with(".anz"))
    {
        render::complain("a scene needs to be told what to do", &format!("to simulate it, write `ansatz run {scene}`"));
        std::process::exit(2);
    }
    error.exit()
}

/// What a user sees of a defect.
fn confess(panic: &std::panic::PanicHookInfo<'_>) {
    let what = panic.payload_as_str().unwrap_or("no more is known");
    let place = panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
    let message = format!("Ansatz itself went wrong{place}: {what}");
    render::complain(&message, "this is a defect of Ansatz and no fault of the scene; please report it with the scene");
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
        render::say(&std::backtrace::Backtrace::force_capture().to_string());
    }
}
