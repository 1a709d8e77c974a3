//! Chores of this repository, as `cargo xtask <chore>`.

mod protocol;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

Chores:
  tidy      check the layers, the code map, links, names, examples and the protocol; print what is amiss and fail if anything is
  protocol  write what the page and the server of the studio say to each other in TypeScript, from the same in Rust";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => report(tidy::tidy()),
        ["protocol"] => match write_protocol() {
            Ok(()) => ExitCode::SUCCESS,
            Err(trouble) => {
                eprintln!("protocol: {trouble}");
                ExitCode::FAILURE
            }
        },
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
