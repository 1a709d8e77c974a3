//! The command line of Ansatz.

mod arguments;
mod build;
mod check;
mod explain;
mod format;
mod plot;
mod render;
mod run;
mod scene;
mod table;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;

/// Deeply nested descriptions need a deep stack; memory that is not touched costs nothing.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(confess));
    let arguments = Arguments::parse();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || dispatch(arguments.command));
    let outcome = work.map(|thread| thread.join());
    match outcome {
        Ok(Ok(code)) => code,
        _ => ExitCode::from(101),
    }
}

fn dispatch(command: Command) -> ExitCode {
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Fmt(arguments) => format::format(&arguments),
    }
}

/// What a user sees of a defect.
fn confess(panic: &std::panic::PanicHookInfo<'_>) {
    let what = panic.payload_as_str().unwrap_or("no more is known");
    let place = panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
    let message = format!("Ansatz itself went wrong{place}: {what}");
    render::complain(&message, "this is a defect of Ansatz and no fault of the scene; please report it with the scene");
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
        eprintln!("{}", std::backtrace::Backtrace::force_capture());
    }
}
