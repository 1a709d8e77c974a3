//! Many runs of a program on a GPU, one thread for each, in CUDA C++.
//!
//! The functions are those of the C program. They take a record of references instead of the record: while a run goes on its fields are
//! variables of the thread, each by itself, so that all that is not spoken of by a computed index stays in registers. The text compiles
//! with nvcc and at run time with NVRTC, and computes the bits of the C program if contraction is off.

use std::collections::BTreeSet;

use kernel::interface::{Input, Interface};
use kernel::{FunctionId, Module, Usage, protocol};

use crate::dialect::{COPIED, CUDA};
use crate::memory::{Field, SELF, constant, declarations, fields, initial_values, member, push};
use crate::names;
use crate::sample::{counted, header, literal};
use crate::translate::{banner, before_functions, definitions};

const ENSEMBLE: &str = include_str!("text/ensemble.cu");
const MAIN: &str = include_str!("text/main.cu");

/// Threads of a block, and blocks that share a processor: few, since each thread needs many registers. Six times 64 leave 168 to each, with
/// which double pendulums are faster on an H200 than with more or fewer.
pub const THREADS: usize = 64;
const BLOCKS: usize = 6;

/// What is written down while a run goes on and hardly read: it stays in memory.
const WRITTEN_DOWN: [&str; 7] = [
    protocol::CONTACT_EVENTS,
    protocol::EVENT_TIMES,
    protocol::EVENT_TRANSITIONS,
    protocol::WARNING_TIMES,
    protocol::WARNING_KINDS,
    protocol::WARNING_VALUES,
    protocol::WARNING_TRANSITIONS,
];

/// The entry points that runs need to begin, and to go on.
const TO_BEGIN: &[&str] = &[protocol::CONFIGURE, protocol::INITIALIZE];
const TO_GO: &[&str] = &[protocol::ADVANCE, protocol::SAMPLE, protocol::OBSERVE, protocol::CONCLUDE];

/// Larger kernels take compilers minutes if every function is copied to where it is called.
const LARGE: f64 = 1e5;

/// A program for many runs: its source, and the names of its two kernels.
pub struct Ensemble {
    pub source: String,
    pub begin: String,
    pub go: String,
    /// Bytes of the record of one run.
    pub record: usize,
    /// How many numbers a row has.
    pub outputs: usize,
}

/// Needs: a verified module that follows the protocol.
pub fn ensemble(module: &Module, interface: &Interface) -> Ensemble {
    let mut module = module.clone();
    module.name = names::whole(&module, &format!("{ENSEMBLE}{MAIN}"));
    let usage = Usage::of(&module);
    let name = &module.name;
    let record = fields(&module, &usage).iter().map(|field| 8 * module.array(field.id).length.max(1)).sum();
    Ensemble {
        source: source(&module, &usage, interface),
        begin: format!("{name}_begin"),
        go: format!("{name}_go"),
        record,
        outputs: interface.outputs.len(),
    }
}

/// Names and contents of the files. Needs: a verified module that follows the protocol.
pub fn emit(module: &Module, interface: &Interface) -> Vec<(String, String)> {
    let name = names::whole(module, &format!("{ENSEMBLE}{MAIN}"));
    let inputs: String = interface.parameters.iter().chain(&interface.controls).map(row).collect();
    let main = interface
        .choose_lines(MAIN)
        .replace("@INPUTS@", &inputs)
        .replace("\"@HEADER@\"", &literal(&header(interface)))
        .replace("@OUTPUTS@", &interface.outputs.len().to_string())
        .replace("@THREADS@", &THREADS.to_string())
        .replace("@TOLERANCE@", &format!("{:e}", interface.tolerance))
        .replace("@NAME@", &name);
    let makefile = include_str!("text/Makefile.cuda").replace("@NAME@", &name).replace("@PROGRAM@", &module.name);
    vec![
        (format!("{name}.cu"), ensemble(module, interface).source),
        ("main.cu".to_string(), main),
        ("Makefile".to_string(), makefile),
    ]
}

/// What both compilers need: the one that runs with a program has no headers, and tables hold constants only.
const CONDITIONS: &str = "\
#ifdef __CUDACC_RTC__
#define int64_t long long
#define uint64_t unsigned long long
#define INT64_C(value) value##LL
#define INT64_MAX 0x7fffffffffffffffLL
#define INT64_MIN (-INT64_MAX - 1)
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#endif
#undef INFINITY
#undef NAN
#define INFINITY __builtin_bit_cast(double, (int64_t)0x7ff0000000000000)
#define NAN __builtin_bit_cast(double, (int64_t)0x7ff8000000000000)

";

fn source(module: &Module, usage: &Usage, interface: &Interface) -> String {
    let name = &module.name;
    let fields = fields(module, usage);
    let mut text = banner(&format!(
        "{name}: many runs of a simulation program, made by Ansatz from {}. Numbers are in SI units.\n\
         {name}_begin, then {name}_go. Compile with --fmad=false: then every run has the\n\
         bits of the program in C.",
        interface.source
    ));
    text.push_str(CONDITIONS);
    text.push_str(&counted(name, interface));
    text.push_str(&declarations(module, usage));
    push(
        &mut text,
        format_args!("\n/* The record as functions see it, wherever its fields are. */\nstruct {name}_parts {{\n"),
    );
    for Field { name, kind, length, .. } in &fields {
        let length = length.map_or_else(String::new, |length| format!("[{length}]"));
        push(&mut text, format_args!("    {kind} (&{name}){length};\n"));
    }
    text.push_str("};\n\n");
    let reset =
        format!("{}void {name}_reset({name}_parts *{SELF})\n{{\n{}}}\n", CUDA.function, initial_values(module, usage));
    let mut helpers = BTreeSet::new();
    let going = if copied_size(module, TO_GO) > LARGE { &CUDA } else { &COPIED };
    let begin = definitions(module, usage, &CUDA, &needed(module, TO_BEGIN), &mut helpers);
    let go = definitions(module, usage, going, &needed(module, TO_GO), &mut helpers);
    text.push_str(&before_functions(module, usage, &CUDA, &helpers));
    push(&mut text, format_args!("/* A run begins in its record. */\nnamespace beginning {{\n{reset}{begin}\n}}\n\n"));
    push(&mut text, format_args!("/* It goes on in variables of its thread. */\nnamespace going {{\n{go}\n}}\n"));
    push(&mut text, format_args!("\n{}", input_function(module, usage, interface)));
    text + &kernels(module, usage, interface, &fields)
}

/// How large these entry points become if every function is copied to where it is called.
fn copied_size(module: &Module, entries: &[&str]) -> f64 {
    let mut sizes = vec![0.0; module.functions.len()];
    for id in module.callees_first() {
        let function = module.function(id);
        let inner: f64 = function.callees().into_iter().map(|callee| sizes[callee.0 as usize]).sum();
        sizes[id.0 as usize] = function.size() as f64 + inner;
    }
    let of = |name: &&str| module.find_function(name).map_or(0.0, |id| sizes[id.0 as usize]);
    entries.iter().map(of).sum()
}

/// The functions that entry points reach, those that are called first.
fn needed(module: &Module, entries: &[&str]) -> Vec<FunctionId> {
    let entries: Vec<FunctionId> = entries.iter().filter_map(|name| module.find_function(name)).collect();
    module.reached_from(&entries)
}

/// Where an input is in a record.
fn input_function(module: &Module, usage: &Usage, interface: &Interface) -> String {
    let name = &module.name;
    let mut text = format!("{}double *{name}_input({name} &record, int64_t input)\n{{\n", CUDA.function);
    let of = |array: &str, count: usize| {
        let id = module.find_array(array).filter(|_| count > 0);
        id.map(|id| format!("&record.{}", member(module, usage, id, 0)))
    };
    let parameters = interface.parameters.len();
    if let Some(first) = of(protocol::CONTROLS, interface.controls.len()) {
        push(&mut text, format_args!("    if (input >= {parameters}) return {first} + (input - {parameters});\n"));
    }
    let first = of(protocol::PARAMETERS, parameters).unwrap_or_else(|| "(double *)0".to_string());
    push(&mut text, format_args!("    return {first} + input;\n}}\n"));
    text
}

fn kernels(module: &Module, usage: &Usage, interface: &Interface, fields: &[Field]) -> String {
    let stays = |field: &&Field| !WRITTEN_DOWN.contains(&module.array(field.id).name.as_str());
    let list = |of: &dyn Fn(&Field) -> String| fields.iter().map(of).collect::<Vec<_>>().join(", ");
    let mut locals = String::new();
    for Field { name, kind, length, .. } in fields.iter().filter(stays) {
        match length {
            Some(length) => {
                push(&mut locals, format_args!("    {kind} {name}[{length}];\n"));
                push(
                    &mut locals,
                    format_args!("    for (int i = 0; i < {length}; i++) {name}[i] = record.{name}[i];\n"),
                );
            }
            None => push(&mut locals, format_args!("    {kind} {name} = record.{name};\n")),
        }
    }
    let part = |field: &Field| if stays(&field) { field.name.clone() } else { format!("record.{}", field.name) };
    let outputs = module.find_array(protocol::OUTPUTS).filter(|_| !interface.outputs.is_empty());
    let output =
        outputs.map_or_else(|| "0".to_string(), |id| format!("(&{SELF}->{})[i]", member(module, usage, id, 0)));
    interface
        .choose_lines(ENSEMBLE)
        .replace("@LOCALS@", &locals)
        .replace("@RECORD_PARTS@", &list(&|field| format!("record.{}", field.name)))
        .replace("@PARTS@", &list(&part))
        .replace("@OUTPUTS@", &interface.outputs.len().to_string())
        .replace("@OUTPUT@", &output)
        .replace("@LAST_EVENT@", &(protocol::EVENTS - 1).to_string())
        .replace("@THREADS@", &THREADS.to_string())
        .replace("@BLOCKS@", &BLOCKS.to_string())
        .replace("@NAME@", &module.name)
}

fn row(input: &Input) -> String {
    let (low, high) = input.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let [scale, low, high] = [input.scale, low, high].map(|value| constant(value.into()));
    format!("    {{{}, {scale}, {low}, {high}}},\n", literal(&input.name))
}
