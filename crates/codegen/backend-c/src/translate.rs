//! A module as a header and a source.

use std::collections::BTreeSet;

use kernel::{FunctionId, Module, Usage};

use crate::dialect::{self, Dialect};
use crate::function::{definition, signature};
use crate::memory::{SELF, comment, declarations, initial_values, push, tables};
use crate::operator::Helper;

pub struct Translation {
    pub header: String,
    pub source: String,
}

/// Needs: verified. `about` is what stands at the top of both files.
pub fn translate(module: &Module, about: &str) -> Translation {
    translate_with(module, about, "")
}

/// The same with other declarations in the header.
pub(crate) fn translate_with(module: &Module, about: &str, others: &str) -> Translation {
    let usage = Usage::of(module);
    Translation { header: header(module, &usage, about, others), source: source(module, &usage, about) }
}

fn header(module: &Module, usage: &Usage, about: &str, others: &str) -> String {
    let name = &module.name;
    let guard = format!("{}_H", name.to_uppercase());
    let mut text = banner(about);
    push(&mut text, format_args!("#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n"));
    push(&mut text, format_args!("#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"));
    text.push_str(others);
    text.push_str(&declarations(module, usage));
    push(
        &mut text,
        format_args!("\n/* Puts the default values of parameters, controls and everything else in place. */\n"),
    );
    push(&mut text, format_args!("void {name}_reset({name} *{SELF});\n"));
    for id in module.function_ids().filter(|&id| usage.is_entry(id)) {
        let note = &module.function(id).note;
        let note = if note.is_empty() { String::new() } else { format!("/* {} */\n", comment(note)) };
        push(&mut text, format_args!("\n{note}{};\n", signature(module, usage, &dialect::C, id)));
    }
    push(&mut text, format_args!("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n"));
    text
}

/// What the arithmetic relies on.
const CONDITIONS: &str = "\
#include <float.h>
#include <math.h>
#include <string.h>

/* Each operation rounds to double by itself: no fused multiply-add, no wider registers, no reordering. */
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__FMA__)
/* gcc 12 joins a subtraction and an addition to one fused operation, although contraction is off. */
#pragma GCC optimize(\"no-tree-slp-vectorize\")
#endif
#ifdef __FAST_MATH__
#error \"compile without -ffast-math: results would depend on the compiler\"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \"compile for plain double arithmetic, on 32-bit x86 with -msse2 -mfpmath=sse\"
#endif
";

fn source(module: &Module, usage: &Usage, about: &str) -> String {
    let name = &module.name;
    let mut text = banner(about);
    push(&mut text, format_args!("#include \"{name}.h\"\n\n{CONDITIONS}\n"));
    let reset = format!(
        "void {name}_reset({name} *{SELF})\n{{\n    memset({SELF}, 0, sizeof *{SELF});\n{}}}\n",
        initial_values(module, usage)
    );
    let mut helpers = BTreeSet::new();
    let definitions = definitions(module, usage, &dialect::C, &module.callees_first(), &mut helpers);
    text.push_str(&before_functions(module, usage, &dialect::C, &helpers));
    text + &reset + &definitions
}

/// Helpers and tables.
pub(crate) fn before_functions(
    module: &Module,
    usage: &Usage,
    dialect: &Dialect,
    helpers: &BTreeSet<&'static Helper>,
) -> String {
    let helpers: String = helpers.iter().map(|helper| format!("{}{}\n\n", dialect.inline, helper.definition)).collect();
    helpers + &tables(module, usage, dialect)
}

/// These functions, and the helpers that they need.
pub(crate) fn definitions(
    module: &Module,
    usage: &Usage,
    dialect: &Dialect,
    functions: &[FunctionId],
    helpers: &mut BTreeSet<&'static Helper>,
) -> String {
    functions.iter().map(|&id| format!("\n{}", definition(module, usage, dialect, id, helpers))).collect()
}

pub(crate) fn banner(about: &str) -> String {
    let lines: Vec<String> = about.lines().map(|line| format!(" * {}", comment(line)).trim_end().to_string()).collect();
    format!("/*\n{}\n */\n", lines.join("\n"))
}
