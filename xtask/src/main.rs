//! Chores of this repository, as `cargo xtask <chore>`.

mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

Chores:
  tidy    check the layers, the code map, links, names and examples; print what is amiss and fail if anything is";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => report(tidy::tidy()),
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
