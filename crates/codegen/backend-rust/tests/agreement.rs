//! Compiled Rust against the interpreter, bit for bit, with the standard library and without it.

use std::path::Path;
use std::process::Command;

use kernel::generate::{Case, cases, generate, operators};
use kernel::{Module, Shape, Usage, Value};

#[test]
fn every_operator_at_the_edges() {
    compare("operators", vec![operators()], 30);
}

#[test]
fn generated_programs() {
    let modules = (0..12).map(|seed| Module { name: format!("generated{seed}"), ..generate(seed) });
    compare("generated", modules.collect(), 5);
}

fn compare(name: &str, modules: Vec<Module>, most: usize) {
    let folder = std::env::temp_dir().join(format!("ansatz-rust-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut main = "#![allow(unused, overflowing_literals)]\n".to_string() + SHOW;
    let mut all: Vec<(usize, Case)> = Vec::new();
    let mut calls = String::new();
    for (at, module) in modules.iter().enumerate() {
        let text = backend_rust::translate(module, "A test.") + &cells_function(module);
        std::fs::write(folder.join(format!("{}.rs", module.name)), text).expect("a source");
        main += &format!("mod {};\n", module.name);
        let cases = cases(module, most);
        for (number, chunk) in cases.chunks(100).enumerate() {
            main += &format!("fn run_{}_{number}() {{\n", module.name);
            chunk.iter().for_each(|case| main += &call(module, case));
            main += "}\n";
            calls += &format!("    run_{}_{number}();\n", module.name);
        }
        all.extend(cases.into_iter().map(|case| (at, case)));
    }
    main += &format!("fn main() {{\n{calls}}}\n");
    std::fs::write(folder.join("main.rs"), main).expect("a source");
    for options in [&["--cfg", "feature=\"std\""][..], &["-O"]] {
        let found = run(&folder, options);
        assert_eq!(found.lines().count(), all.len());
        for ((at, case), line) in all.iter().zip(found.lines()) {
            let bits: Vec<u64> =
                line.split_whitespace().map(|word| u64::from_str_radix(word, 16).expect("bits")).collect();
            let module = &modules[*at];
            let name = &module.function(case.function).name;
            assert!(
                case.agrees(module, &bits),
                "{options:?} {name} {:?}: {bits:x?} instead of {:?}\n{module}",
                case.arguments,
                case.expected
            );
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// A method that shows the bits of all cells that can change.
fn cells_function(module: &Module) -> String {
    let usage = Usage::of(module);
    let mut text = String::new();
    for id in module.array_ids() {
        let array = module.array(id);
        let bits = if array.element == kernel::Type::Real { "to_bits()" } else { "cast_unsigned()" };
        let name = &array.name;
        text += &match usage.shape(id) {
            Shape::Absent | Shape::Constant => continue,
            Shape::Scalar => format!("        cells.push(self.{name}.{bits});\n"),
            Shape::Record => array
                .slots
                .iter()
                .map(|slot| format!("        cells.push(self.{name}.{}.{bits});\n", slot.name))
                .collect(),
            Shape::IndexedRecord | Shape::Sequence => {
                format!("        cells.extend(self.{name}.iter().map(|it| it.{bits}));\n")
            }
        };
    }
    let name = type_name(module);
    format!(
        "impl {name} {{\n    pub fn cells(&self) -> std::vec::Vec<u64> {{\n        let mut cells = std::vec::Vec::new();\n\
         {text}        cells\n    }}\n}}\n"
    )
}

fn type_name(module: &Module) -> String {
    let (first, rest) = module.name.split_at(1);
    first.to_uppercase() + rest
}

/// One case: a call on fresh memory, and a line with its results and the cells.
fn call(module: &Module, case: &Case) -> String {
    let function = module.function(case.function);
    let arguments: Vec<String> = case
        .arguments
        .iter()
        .map(|argument| match argument {
            Value::Real(value) => format!("f64::from_bits({})", value.to_bits()),
            Value::Integer(value) => format!("{}_u64.cast_signed()", *value as u64),
        })
        .collect();
    let results = &case.expected[..function.results.len()];
    let names: Vec<String> = (0..results.len()).map(|at| format!("r{at}")).collect();
    let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
    let bits: Vec<String> = results
        .iter()
        .zip(&names)
        .map(|(value, name)| match value {
            Value::Real(_) => format!("{name}.to_bits()"),
            Value::Integer(_) => format!("{name}.cast_unsigned()"),
        })
        .collect();
    format!(
        "    let mut it = {}::{}::new(); let {pattern} = it.{}({}); show(&[{}], &it.cells());\n",
        module.name,
        type_name(module),
        function.name,
        arguments.join(", "),
        bits.join(", ")
    )
}

const SHOW: &str = "
#[inline(never)]
fn show(results: &[u64], cells: &[u64]) {
    let words: Vec<String> = results.iter().chain(cells).map(|bits| format!(\"{bits:x}\")).collect();
    println!(\"{}\", words.join(\" \"));
}
";

fn run(folder: &Path, options: &[&str]) -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let built = Command::new(rustc)
        .args(["--edition", "2024", "-A", "warnings", "-o", "program", "main.rs"])
        .args(options)
        .current_dir(folder)
        .output()
        .expect("the compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("program")).output().expect("the program");
    assert!(ran.status.success(), "{options:?} {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("a text")
}
