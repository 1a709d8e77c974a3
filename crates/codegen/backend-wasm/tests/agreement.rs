//! WebAssembly in Node against the interpreter, bit for bit.

use std::process::Command;

use kernel::generate::{Case, cases, generate, operators};
use kernel::{Module, Shape, Usage, Value};

#[test]
fn every_operator_at_the_edges() {
    compare("operators", vec![operators()], 1000);
}

#[test]
fn generated_programs() {
    compare("generated", (0..200).map(generate).collect(), 10);
}

fn compare(name: &str, modules: Vec<Module>, most: usize) {
    let folder = std::env::temp_dir().join(format!("ansatz-wasm-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut script = HELPERS.to_string();
    let mut all: Vec<(usize, Case)> = Vec::new();
    for (at, module) in modules.iter().enumerate() {
        std::fs::write(
            folder.join(format!("{at}.wasm")),
            backend_wasm::translate(module, backend_wasm::Exported::Entries),
        )
        .expect("a file");
        let (usage, layout) = (Usage::of(module), module.layout());
        let changing = module.array_ids().filter(|&id| !matches!(usage.shape(id), Shape::Absent | Shape::Constant));
        let cells: Vec<String> = changing.flat_map(|id| layout.range(id)).map(|cell| cell.to_string()).collect();
        script += &format!("open(\"{at}.wasm\", [{}]);\n", cells.join(","));
        let cases = cases(module, most);
        for case in &cases {
            let function = &module.function(case.function).name;
            let arguments: Vec<String> = case.arguments.iter().map(|&argument| literal(argument)).collect();
            script += &format!("call(\"{function}\", [{}]);\n", arguments.join(","));
        }
        all.extend(cases.into_iter().map(|case| (at, case)));
    }
    std::fs::write(folder.join("run.mjs"), script).expect("a script");
    let ran = Command::new("node")
        .arg("run.mjs")
        .current_dir(&folder)
        .output()
        .expect("these tests need node (Debian: apt-get install nodejs)");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let found = std::fs::read_to_string(folder.join("found.txt")).expect("a text");
    assert_eq!(found.lines().count(), all.len());
    for ((at, case), line) in all.iter().zip(found.lines()) {
        let bits: Vec<u64> = line.split_whitespace().map(|word| u64::from_str_radix(word, 16).expect("bits")).collect();
        let module = &modules[*at];
        let name = &module.function(case.function).name;
        assert!(
            case.agrees(module, &bits),
            "{name} {:?}: {bits:x?} instead of {:?}\n{module}",
            case.arguments,
            case.expected
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

fn literal(value: Value) -> String {
    match value {
        Value::Integer(value) => format!("{value}n"),
        Value::Real(value) if value.is_nan() => "NaN".to_string(),
        Value::Real(f64::INFINITY) => "Infinity".to_string(),
        Value::Real(f64::NEG_INFINITY) => "-Infinity".to_string(),
        Value::Real(value) => format!("{value:?}"),
    }
}

const HELPERS: &str = r#"
import { readFileSync, writeFileSync } from "node:fs";
const lines = [];
process.on("exit", () => writeFileSync("found.txt", lines.join("\n") + "\n"));
const scratch = new DataView(new ArrayBuffer(8));
function bits(value) {
  if (typeof value === "bigint") return BigInt.asUintN(64, value).toString(16);
  scratch.setFloat64(0, value);
  return scratch.getBigUint64(0).toString(16);
}
let instance, initial, cells;
function open(file, changing) {
  instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  initial = new BigUint64Array(instance.exports.memory.buffer).slice();
  cells = changing;
}
function call(name, values) {
  const memory = new BigUint64Array(instance.exports.memory.buffer);
  memory.set(initial);
  const result = instance.exports[name](...values);
  const results = result === undefined ? [] : Array.isArray(result) ? result : [result];
  lines.push([...results.map(bits), ...cells.map((cell) => memory[cell].toString(16))].join(" "));
}
"#;
