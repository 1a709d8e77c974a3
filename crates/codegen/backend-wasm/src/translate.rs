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
    let bytes: Vec<u8> = module.initial_memory().cells().iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let pages = bytes.len().div_ceil(PAGE).max(1) as u64;
    let mut memories = wasm::MemorySection::new();
    memories.memory(wasm::MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut data = wasm::DataSection::new();
    for (first, bytes) in stretches(&bytes) {
        data.active(0, &wasm::ConstExpr::i32_const(first as i32), bytes.iter().copied());
    }
    let mut binary = wasm::Module::new();
    binary.section(&types).section(&functions).section(&memories).section(&exports).section(&code).section(&data);
    binary.section(&names(module));
    binary.finish()
}

/// Memory begins as zeros, so long stretches of them need not be said: what is left, with where it begins. Tables of delays and contacts are
/// nearly empty at first. There are few stretches however large the memory is, since browsers take some ten thousands of them at most.
fn stretches(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    const SHORTEST_GAP: usize = 256;
    const MOST_GAPS: usize = 4096;
    let gap = SHORTEST_GAP.max(bytes.len() / MOST_GAPS);
    let (mut stretches, mut at) = (Vec::new(), 0);
    while let Some(begin) = bytes[at..].iter().position(|&byte| byte != 0) {
        let first = at + begin;
        let (mut last, mut zeros) = (first, 0);
        for (place, &byte) in bytes.iter().enumerate().skip(first) {
            (last, zeros) = if byte != 0 { (place, 0) } else { (last, zeros + 1) };
            if zeros == gap {
                break;
            }
        }
        at = last + 1;
        stretches.push((first, &bytes[first..at]));
    }
    stretches
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_say_all_that_is_not_zero() {
        for (size, places) in [
            (0, vec![]),
            (10, vec![]),
            (5000, vec![0, 1, 200, 600, 4999]),
            (3 << 20, (0..3 << 20).step_by(300).collect()),
        ] {
            let mut bytes = vec![0u8; size];
            places.iter().for_each(|&place| bytes[place] = 7);
            let said = stretches(&bytes);
            let mut again = vec![0u8; size];
            for (first, part) in &said {
                again[*first..first + part.len()].copy_from_slice(part);
            }
            assert_eq!(again, bytes);
            assert!(said.len() <= 4097 && said.iter().map(|(_, part)| part.len()).sum::<usize>() <= size);
        }
        let bytes: Vec<u8> = [vec![1; 8], vec![0; 255], vec![1], vec![0; 256], vec![1]].concat();
        let said: Vec<(usize, usize)> = stretches(&bytes).iter().map(|(first, part)| (*first, part.len())).collect();
        assert_eq!(said, [(0, 264), (520, 1)]);
    }
}
