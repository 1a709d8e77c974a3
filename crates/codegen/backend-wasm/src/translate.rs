//! A module as bytes.

use kernel::{Module, Usage};
use wasm_encoder as wasm;

use crate::function::{self, value_type};

/// What a page of linear memory holds.
const PAGE: usize = 65536;

/// Which functions of a module can be called from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Those that no other calls, by their names.
    Entries,
    /// All of them, by their numbers.
    All,
}

/// The binary form. Needs: verified. Exports `memory` and functions.
pub fn translate(module: &Module, exported: Exported) -> Vec<u8> {
    let (layout, usage) = (module.layout(), Usage::of(module));
    let mut types = wasm::TypeSection::new();
    let mut functions = wasm::FunctionSection::new();
    let mut exports = wasm::ExportSection::new();
    let mut code = wasm::CodeSection::new();
    exports.export("memory", wasm::ExportKind::Memory, 0);
    for (id, function) in module.function_ids().zip(&module.functions) {
        let signature = function.signature();
        types
            .ty()
            .function(signature.parameters.into_iter().map(value_type), signature.results.into_iter().map(value_type));
        functions.function(id.0);
        match exported {
            Exported::All => _ = exports.export(&id.0.to_string(), wasm::ExportKind::Func, id.0),
            Exported::Entries if usage.is_entry(id) => _ = exports.export(&function.name, wasm::ExportKind::Func, id.0),
            Exported::Entries => {}
        }
        code.function(&function::translate(function, &layout));
    }
    let mut bytes: Vec<u8> = module.initial_memory().cells().iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let pages = bytes.len().div_ceil(PAGE).max(1) as u64;
    // Memory begins as zeros; those at the end need not be said.
    bytes.truncate(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
    let mut memories = wasm::MemorySection::new();
    memories.memory(wasm::MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut data = wasm::DataSection::new();
    data.active(0, &wasm::ConstExpr::i32_const(0), bytes);
    let mut binary = wasm::Module::new();
    binary.section(&types).section(&functions).section(&memories).section(&exports).section(&code).section(&data);
    binary.section(&names(module));
    binary.finish()
}

/// The bytes of each function's code.
pub fn sizes(module: &Module) -> Vec<usize> {
    let layout = module.layout();
    module.functions.iter().map(|function| function::translate(function, &layout).byte_len()).collect()
}

/// Names for debuggers and profilers.
fn names(module: &Module) -> wasm::NameSection {
    let mut names = wasm::NameSection::new();
    names.module(&module.name);
    let mut functions = wasm::NameMap::new();
    for (at, function) in module.functions.iter().enumerate() {
        functions.append(at as u32, &function.name);
    }
    names.functions(&functions);
    names
}
