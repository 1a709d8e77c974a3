//! Compiles the parser, which is C, as that of every grammar is.

fn main() {
    println!("cargo::rerun-if-changed=src");
    cc::Build::new()
        .include("src")
        .std("c11")
        .warnings(false)
        .files(["src/parser.c", "src/scanner.c"])
        .compile("tree-sitter-ansatz");
}
