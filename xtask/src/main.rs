//! Chores of this repository, as `cargo xtask <chore>`.

mod numbers;
mod protocol;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

Chores:
  tidy      check the layers, the code map, links, names, examples, numbers and the protocol; print what is amiss and fail if anything is
  protocol  write what the page and the server of the studio say to each other in TypeScript, from the same in Rust
  numbers   write the table of all numbers that decide, with their reasons, from the sources";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => report(tidy::tidy()),
        ["protocol"] => written("protocol", write_protocol()),
        ["numbers"] => written("numbers", write_numbers()),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn write_protocol() -> std::io::Result<()> {
    let root = workspace::root();
    let rust = std::fs::read_to_string(root.join(protocol::SOURCE))?;
    std::fs::write(root.join(protocol::TARGET), protocol::translate(&rust))
}

fn write_numbers() -> std::io::Result<()> {
    let root = workspace::root();
    let files = workspace::files(&root).map_err(std::io::Error::other)?;
    let found = numbers::collect(&files, |file| std::fs::read_to_string(root.join(file)).ok());
    std::fs::write(root.join(numbers::TARGET), numbers::page(&found))
}

fn written(chore: &str, outcome: std::io::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{chore}: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn report(outcome: Result<Vec<tidy::Violation>, String>) -> ExitCode {
    match outcome {
        Ok(violations) if violations.is_empty() => {
            println!("tidy: nothing amiss");
            ExitCode::SUCCESS
        }
        Ok(violations) => {
            violations.iter().for_each(|violation| eprintln!("{violation}"));
            let plural = if violations.len() == 1 { "" } else { "s" };
            eprintln!("tidy: {} violation{plural}", violations.len());
            ExitCode::FAILURE
        }
        Err(trouble) => {
            eprintln!("tidy: {trouble}");
            ExitCode::FAILURE
        }
    }
}
