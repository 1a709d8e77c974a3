//! `ansatz docs`: the manual in the browser, or in a folder. Its page on commands is written from the command line's own table.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, CommandFactory};
use manual::Given;
use studio::{Folder, Pages};

use crate::arguments::{Arguments, DocsArguments};
use crate::studio::Begin;
use crate::{living, render, studio as server};

pub fn docs(arguments: &DocsArguments) -> ExitCode {
    if let Some(folder) = &arguments.output {
        return keep(folder);
    }
    let folder = match Folder::open(Path::new(".")) {
        Ok(folder) => folder,
        Err(error) => {
            render::complain(&format!("this folder cannot be opened: {error}"), "go to one that can be read");
            return ExitCode::FAILURE;
        }
    };
    let begin = Begin { what: "manual", port: arguments.port, browser: !arguments.no_open };
    server::start(&begin, folder, |server| server.manual_url("index.html"))
}

/// The pages of the manual, by path.
pub fn pages() -> Pages {
    let files = manual::site(&Given { commands: commands(), faces: studio::typefaces() });
    files.into_iter().map(|file| (file.path, file.bytes)).collect()
}

fn keep(folder: &Path) -> ExitCode {
    let mut pages = pages();
    let living = living::bring_to_life(&mut pages);
    let count = pages.keys().filter(|path| path.ends_with(".html")).count();
    let begin = folder.join("index.html");
    let done = format!("{count} pages with {living} scenes that run in them; begin with {}", begin.display());
    write("manual", &pages, folder, &done)
}

/// Writes files into a folder, and says so.
pub fn write(what: &str, files: &Pages, folder: &Path, done: &str) -> ExitCode {
    let write = |(path, bytes): (&String, &Cow<'static, [u8]>)| -> io::Result<()> {
        let path: PathBuf = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, bytes)
    };
    match files.iter().try_for_each(write) {
        Ok(()) => render::print_out(&format!("{done}\n")),
        Err(error) => {
            let hint = "name a folder that you may write, with `-o`";
            render::complain(&format!("the {what} cannot be written to `{}`: {error}", folder.display()), hint);
            ExitCode::FAILURE
        }
    }
}

/// Every command with its arguments and options, in Markdown.
fn commands() -> String {
    let mut text = String::new();
    for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("\n## ansatz {}\n\n{about}.\n\n| option | meaning |\n|---|---|\n", command.get_name()));
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            text.push_str(&row(argument));
        }
        if let Some(help) = command.get_after_help() {
            text.push_str(&format!("\n```text\n{help}\n```\n"));
        }
    }
    text.push('\n');
    text
}

fn row(argument: &Arg) -> String {
    let value = argument.get_value_names().filter(|_| argument.get_action().takes_values());
    let value = value.and_then(|names| names.first()).map(|name| format!(" {name}")).unwrap_or_default();
    let name = match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{value}"),
        (None, Some(long)) => format!("--{long}{value}"),
        _ => value.trim().to_string(),
    };
    let mut meaning = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let choices: Vec<String> =
        argument.get_possible_values().iter().map(|choice| format!("`{}`", choice.get_name())).collect();
    if !choices.is_empty() && argument.get_action().takes_values() {
        meaning.push_str(&format!("; one of {}", choices.join(", ")));
    }
    let default: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !default.is_empty() && !argument.is_hide_default_value_set() && argument.get_action().takes_values() {
        meaning.push_str(&format!(" [default: {}]", default.join(" ")));
    }
    format!("| `{name}` | {} |\n", meaning.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn every_command_and_option_has_a_sentence() {
        for command in Arguments::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }

    /// `ANSATZ_BLESS=1 cargo test -p cli docs` writes it anew.
    #[test]
    fn the_page_of_commands_is_that_of_the_command_line() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/commands.md");
        let written = fs::read_to_string(&path).expect("the page");
        let now = manual::fill(&written, |name| (name == "commands").then(commands));
        if std::env::var_os("ANSATZ_BLESS").is_some() {
            fs::write(path, now).expect("the page");
        } else {
            assert!(written == now, "an option has changed; if this is meant, run again with ANSATZ_BLESS=1");
        }
    }

    #[test]
    fn every_command_in_the_manual_is_one() {
        let mut count = 0;
        for (path, text) in manual::texts() {
            let consoles = manual::blocks(text)
                .into_iter()
                .filter(|block| block.words.first().is_some_and(|word| word == "console"));
            for block in consoles {
                let typed = block.text.lines().filter_map(|line| line.strip_prefix("$ ansatz "));
                for line in typed {
                    count += 1;
                    let words = crate::spelled_out(
                        ["ansatz".into()].into_iter().chain(words(line).into_iter().map(Into::into)),
                    );
                    let parsed = Arguments::try_parse_from(words);
                    assert!(parsed.is_ok(), "{path}: ansatz {line}\n{}", parsed.unwrap_err());
                }
            }
        }
        assert!(count > 10, "the commands of the manual were not found");
    }

    /// As a shell takes a line apart, up to where another command follows; a comment ends it.
    fn words(line: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut quoted = false;
        let mut fresh = true;
        for c in line.chars() {
            match c {
                '\'' => quoted = !quoted,
                '#' | '|' | '&' | '>' if !quoted && fresh => break,
                ' ' if !quoted => {
                    fresh = true;
                    continue;
                }
                c if fresh => words.push(c.to_string()),
                c => words.last_mut().expect("a word has begun").push(c),
            }
            if fresh && c == '\'' {
                words.push(String::new());
            }
            fresh = false;
        }
        words
    }
}
