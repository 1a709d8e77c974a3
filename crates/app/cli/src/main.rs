//! The command line of Ansatz.

// These macros panic when the reader goes away; `render::say` and `render::print_out` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod angles;
mod answers;
mod arguments;
mod ask;
mod beginning;
mod build;
mod canvas;
mod check;
mod claims;
mod docs;
mod doctor;
mod explain;
mod export;
mod figure;
mod format;
mod import;
mod lesson;
mod linearize;
mod living;
mod lsp;
mod mcap;
mod places;
mod playground;
mod plot;
mod progress;
mod record;
mod render;
mod run;
mod scene;
mod solver;
mod studio;
mod sweep;
mod table;
mod trouble;
mod whole_file;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

/// A compiler makes small things all the time: expressions, names, lists of symbols.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(confess));
    let arguments = match Arguments::try_parse_from(spelled_out(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => return unknown_command(&error),
        Err(error) if !error.use_stderr() => return helped(&error),
        Err(error) => error.exit(),
    };
    match arguments.command {
        Command::Studio(arguments) => studio::studio(&arguments),
        Command::StudioWorker(arguments) => ::studio::work(&arguments.folder),
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Test(arguments) => claims::test(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Ask(arguments) => ask::ask(&arguments),
        Command::Linearize(arguments) => linearize::linearize(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Fmt(arguments) => format::format(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::New(arguments) => beginning::begin(&arguments),
        Command::Lsp(_) => lsp::serve(),
        Command::Doctor => doctor::examine(),
        Command::Completions(arguments) => completions(arguments.shell),
        Command::Docs(arguments) => docs::docs(&arguments),
        Command::Lesson(arguments) => lesson::lesson(&arguments),
        Command::Playground(arguments) => playground::playground(&arguments),
    }
}

/// Help and version, which somebody may have asked to be written to a file.
fn helped(asked: &clap::Error) -> ExitCode {
    match asked.print().and_then(|()| std::io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => run::cannot_write(None, &error),
    }
}

fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "ansatz", &mut text);
    render::print_out(&String::from_utf8_lossy(&text))
}

/// What was probably meant: another command, or a scene.
fn unknown_command(error: &clap::Error) -> ExitCode {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => word.clone(),
        _ => error.exit(),
    };
    let commands = Arguments::command();
    let known = commands.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let known: Vec<&str> = known.collect();
    // Two letters are too little to guess a name from, but there are few commands.
    let lacks_one = |name: &&str| (0..name.len()).any(|at| word == format!("{}{}", &name[..at], &name[at + 1..]));
    let lacking = known.iter().copied().find(lacks_one);
    let file = Path::new(&word).with_extension("anz");
    let hint = match base::nearest(&word, known).or(lacking) {
        _ if file.is_file() => format!("to see a scene move, name its file: `ansatz {}`", file.display()),
        _ if Path::new(&word).is_dir() => format!("to see the scenes of a folder: `ansatz studio {word}`"),
        Some(near) => format!("did you mean `ansatz {near}`?"),
        None if studio::is_example(&word) => {
            format!("there is an example of this name: `ansatz new {word} --from {word}` copies it here")
        }
        None => "`ansatz --help` lists the commands; a scene to see is named by its file, as in `ansatz pendulum.anz`"
            .to_string(),
    };
    render::complain(&format!("there is no command `{word}`"), &hint);
    ExitCode::from(2)
}

/// `ansatz FILE` is short for `ansatz studio FILE`.
fn spelled_out(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let is_scene = words.get(1).is_some_and(|word| Path::new(word).extension().is_some_and(|kind| kind == "anz"));
    if is_scene {
        words.insert(1, "studio".into());
    }
    words
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
