//! Makes `src/parser.c` of `grammar.js`, which Node reads: `cargo run -p tree-sitter-ansatz --example generate`.

use std::process::ExitCode;

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The format of the tables that editors in use can load.
const VERSION: usize = 15;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").to_string());
    let mut said = Vec::new();
    let (out, grammar) = (None::<String>, None::<String>);
    let made = generate_parser_in_directory(
        folder,
        out,
        grammar,
        VERSION,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut said,
    );
    for one in &said {
        eprintln!("{one}");
    }
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
