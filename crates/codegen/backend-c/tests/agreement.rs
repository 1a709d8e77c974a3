//! Compiled C against the interpreter, bit for bit, with every compiler that is there and with and without optimisation.

use std::path::{Path, PathBuf};
use std::process::Command;

use kernel::generate::{Case, cases, generate, operators};
use kernel::{Module, Value};

#[test]
fn every_operator_at_the_edges() {
    compare("operators", vec![operators()], 120);
}

#[test]
fn generated_programs() {
    let modules = (0..25).map(|seed| Module { name: format!("generated{seed}"), ..generate(seed) });
    compare("generated", modules.collect(), 5);
}

fn compare(name: &str, modules: Vec<Module>, most: usize) {
    let folder = std::env::temp_dir().join(format!("ansatz-c-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut main = "#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n".to_string();
    let mut calls = String::new();
    let mut all: Vec<(usize, Case)> = Vec::new();
    let mut sources = vec!["main.c".to_string()];
    for (at, module) in modules.iter().enumerate() {
        let translation = backend_c::translate(module, "a test");
        std::fs::write(folder.join(format!("{}.h", module.name)), translation.header).expect("a header");
        std::fs::write(folder.join(format!("{}.c", module.name)), translation.source).expect("a source");
        sources.push(format!("{}.c", module.name));
        main += &format!("#include \"{}.h\"\n", module.name);
        let cases = cases(module, most);
        calls += &format!("static void run_{0}(void)\n{{\n    {0} self;\n", module.name);
        cases.iter().for_each(|case| calls += &call(module, case));
        calls += "}\n\n";
        all.extend(cases.into_iter().map(|case| (at, case)));
    }
    main += HELPERS;
    main += &calls;
    main += "int main(void)\n{\n";
    modules.iter().for_each(|module| main += &format!("    run_{}();\n", module.name));
    main += "    return 0;\n}\n";
    std::fs::write(folder.join("main.c"), main).expect("a source");
    for compiler in compilers() {
        for optimization in ["-O0", "-O3"] {
            let found = run(&folder, &compiler, optimization, &sources);
            let lines: Vec<&str> = found.lines().collect();
            assert_eq!(lines.len(), all.len(), "{compiler} {optimization}");
            for ((module, case), line) in all.iter().zip(lines) {
                let module = &modules[*module];
                let bits: Vec<u64> =
                    line.split_whitespace().map(|word| u64::from_str_radix(word, 16).expect("bits")).collect();
                let name = &module.function(case.function).name;
                assert!(
                    case.agrees(module, &bits),
                    "{compiler} {optimization} {name} {:?}: {bits:x?} instead of {:?}\n{module}",
                    case.arguments,
                    case.expected
                );
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

const HELPERS: &str = "
static double real(uint64_t bits) { double a; memcpy(&a, &bits, sizeof a); return a; }
static void show_real(double a) { uint64_t bits; memcpy(&bits, &a, sizeof bits); printf(\"%\" PRIx64 \" \", bits); }
static void show_integer(int64_t a) { printf(\"%\" PRIx64 \" \", (uint64_t)a); }
static void show_cells(const void *cells, size_t size)
{
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t bits;
        memcpy(&bits, (const char *)cells + 8 * i, sizeof bits);
        printf(\"%\" PRIx64 \" \", bits);
    }
    putchar('\\n');
}
";

/// One case: a call on fresh memory, and a line with its results and the cells.
fn call(module: &Module, case: &Case) -> String {
    let (name, function) = (&module.name, module.function(case.function));
    let mut arguments = vec!["&self".to_string()];
    arguments.extend(case.arguments.iter().map(|argument| match argument {
        Value::Real(value) => format!("real(UINT64_C({}))", value.to_bits()),
        Value::Integer(value) => format!("(int64_t)UINT64_C({})", *value as u64),
    }));
    let kinds: Vec<&str> = case.expected[..function.results.len()]
        .iter()
        .map(|value| if value.as_real().is_some() { "double" } else { "int64_t" })
        .collect();
    let show = |kind: &str, what: &str| match kind {
        "double" => format!("show_real({what}); "),
        _ => format!("show_integer({what}); "),
    };
    let mut text = format!("    {name}_reset(&self);\n    {{ ");
    let callee = format!("{name}_{}", function.name);
    match kinds[..] {
        [only] => text += &format!("{only} r0 = {callee}({}); {}", arguments.join(", "), show(only, "r0")),
        _ => {
            for (at, kind) in kinds.iter().enumerate() {
                text += &format!("{kind} r{at}; ");
                arguments.push(format!("&r{at}"));
            }
            text += &format!("{callee}({}); ", arguments.join(", "));
            kinds.iter().enumerate().for_each(|(at, kind)| text += &show(kind, &format!("r{at}")));
        }
    }
    // A record without fields has a size of its own in C.
    let cells = case.expected.len() - function.results.len();
    text + &format!("}}\n    show_cells(&self, {});\n", 8 * cells)
}

/// gcc must be there; clang is used if it is.
fn compilers() -> Vec<String> {
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    assert!(is_there("gcc"), "these tests need gcc (Debian: apt-get install build-essential)");
    if !is_there("clang") {
        eprintln!("clang is not there: only gcc is tested");
    }
    ["gcc", "clang"].into_iter().filter(|name| is_there(name)).map(str::to_string).collect()
}

fn run(folder: &Path, compiler: &str, optimization: &str, sources: &[String]) -> String {
    let program: PathBuf = folder.join("program");
    let built = Command::new(compiler)
        .args(["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unused", "-o", "program", optimization])
        .args(sources)
        .arg("-lm")
        .current_dir(folder)
        .output()
        .expect("the compiler");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{compiler} {optimization}:\n{said}");
    let ran = Command::new(program).output().expect("the program");
    assert!(ran.status.success(), "{compiler} {optimization}");
    String::from_utf8(ran.stdout).expect("a text")
}
