//! Many runs of a program on a GPU, one thread for each, in CUDA C++.
//!
//! The functions are those of the C program. While a run goes on, they take a record of references instead of the record: its fields are
//! variables of the thread, each by itself, so that all that is not spoken of by a computed index stays in registers. Rare functions would
//! burden the others; they work on the record in memory. So does how runs begin. The text compiles with nvcc and at run time with NVRTC, and
//! computes the bits of the C program if contraction is off.

use std::collections::BTreeSet;

use kernel::interface::{Input, Interface};
use kernel::{Function, FunctionId, Module, Usage, protocol};

use crate::dialect::{BEGINNING, COPIED, Dialect, GOING};
use crate::function::{function_name, signature};
use crate::memory::{Field, SELF, constant, declarations, fields, initial_values, member, push, type_name};
use crate::names::{self, local};
use crate::sample::{counted, header, literal};
use crate::translate::{banner, before_functions, definitions};

const ENSEMBLE: &str = include_str!("text/ensemble.cu");
const MAIN: &str = include_str!("text/main.cu");

/// Threads of a block, and blocks that share a processor: few, since each thread needs many registers. Four times 64 leave each all that it can
/// have, with which double pendulums are faster on an H200 than with more threads, whose registers go to memory and back, or fewer.
const THREADS: usize = 64;
const BLOCKS: usize = 4;

/// How many of the last transitions a record has room for: enough to see that they come ever faster.
pub const EVENTS: usize = 128;
/// A run with more transitions is left to a processor, which looks further back for the pace at which they come.
const MOST_EVENTS: usize = 2000;

/// What the kernels speak of themselves.
const OF_KERNELS: [&str; 5] =
    [protocol::OUTPUTS, protocol::FAILURE, protocol::FAILURE_VALUES, protocol::EVENT_COUNT, protocol::EVENT_TIMES];

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

/// How the integration went. Nobody reads it on a GPU, so what is only counted is not computed either, if it stays where it is.
const COUNTS: [&str; 2] = [protocol::STATISTICS, "_counters"];

/// The entry points that runs need to begin, and to go on.
const TO_BEGIN: &[&str] = &[protocol::CONFIGURE, protocol::INITIALIZE];
const TO_GO: &[&str] = &[protocol::ADVANCE, protocol::SAMPLE, protocol::OBSERVE, protocol::CONCLUDE];

/// Larger kernels take compilers minutes if every function is copied to where it is called.
const LARGE: f64 = 1e5;

/// A program for many runs: its source, and the names of its two kernels.
pub struct Ensemble {
    pub source: String,
    /// Threads of a block, and how many blocks share a processor.
    pub threads: usize,
    pub blocks: usize,
    pub begin: String,
    pub go: String,
    /// Bytes of the record of one run.
    pub record: usize,
    /// How many numbers a row has.
    pub outputs: usize,
}

/// A parameter that all runs share, by its number: its value in SI units is a constant of the program, which is faster.
pub type Fixed = (usize, f64);

/// Needs: a verified module that follows the protocol.
pub fn ensemble(module: &Module, interface: &Interface, fixed: &[Fixed]) -> Ensemble {
    let mut module = module.clone();
    module.name = names::whole(&module, &format!("{ENSEMBLE}{MAIN}"));
    let usage = Usage::of(&module);
    let name = &module.name;
    let record = fields(&module, &usage).iter().map(|field| 8 * module.array(field.id).length.max(1)).sum();
    Ensemble {
        source: source(&module, &usage, interface, fixed),
        threads: THREADS,
        blocks: BLOCKS,
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
        .replace("@BLOCKS@", &BLOCKS.to_string())
        .replace("@TOLERANCE@", &format!("{:e}", interface.tolerance))
        .replace("@NAME@", &name);
    let makefile = include_str!("text/Makefile.cuda").replace("@NAME@", &name).replace("@PROGRAM@", &module.name);
    vec![
        (format!("{name}.cu"), ensemble(module, interface, &[]).source),
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

fn source(module: &Module, usage: &Usage, interface: &Interface, fixed: &[Fixed]) -> String {
    let name = &module.name;
    let mut text = banner(&format!(
        "{name}: many runs of a simulation program, made by Ansatz from {}. Numbers are in SI units.\n\
         {name}_begin, then {name}_go. Compile with --fmad=false: then every run has the\n\
         bits of the program in C.",
        interface.source
    ));
    text.push_str(CONDITIONS);
    text.push_str(&counted(name, interface));
    text.push_str(&declarations(module, usage));
    let (going, rare) = apart(module);
    let place = if copied_size(module, &going) > LARGE { Place::Memory } else { Place::Registers };
    let parts = Parts { module, usage, place, fields: spoken_of(module, usage, &going) };
    text.push_str(&parts.declaration());
    let reset =
        format!("{}void {name}_reset({name} *{SELF})\n{{\n{}}}\n", BEGINNING.function, initial_values(module, usage));
    let mut helpers = BTreeSet::new();
    let begin: Vec<FunctionId> = entry_points(module, TO_BEGIN).chain(rare.iter().copied()).collect();
    let begin = definitions(module, usage, &BEGINNING, &module.reached_from(&begin), &mut helpers);
    let go: String = going
        .iter()
        .map(|&id| match rare.contains(&id) {
            true => parts.in_memory(id),
            false => definitions(module, usage, place.dialect(), &[id], &mut helpers),
        })
        .collect();
    text.push_str(&before_functions(module, usage, &BEGINNING, &helpers));
    push(&mut text, format_args!("/* On the record in memory: how a run begins, and what is rare. */\n"));
    push(&mut text, format_args!("namespace beginning {{\n{reset}{begin}\n}}\n\n"));
    push(&mut text, format_args!("/* On what a thread has of it. */\nnamespace going {{\n{go}\n}}\n"));
    push(&mut text, format_args!("\n{}", input_function(module, usage, interface)));
    text + &kernels(module, usage, interface, &parts, fixed)
}

/// Where what is fast has its part of the record.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Each field is a variable by itself, to which the parts refer.
    Registers,
    /// The fields stand in one record of the thread.
    Memory,
}

impl Place {
    /// How many steps a thread tries before it looks whether it is done. What is in registers is best left alone; where steps take many ways, the
    /// threads of a group come together after each.
    fn trials(self) -> &'static str {
        match self {
            Place::Registers => "limit",
            Place::Memory => "1",
        }
    }

    fn dialect(self) -> &'static Dialect {
        match self {
            Place::Registers => &COPIED,
            Place::Memory => &GOING,
        }
    }
}

/// What a thread has of the record while a run goes on.
struct Parts<'m> {
    module: &'m Module,
    usage: &'m Usage,
    place: Place,
    fields: Vec<Field>,
}

impl Parts<'_> {
    /// Whether the field stays in the memory of the run, which is long and hardly read.
    fn stays(&self, field: &Field) -> bool {
        field.length.is_some() && WRITTEN_DOWN.contains(&self.module.array(field.id).name.as_str())
    }

    /// The type by which functions know the parts.
    fn declaration(&self) -> String {
        let name = &self.module.name;
        let mut text = format!("\n/* What a thread has of the record. */\nstruct {name}_parts {{\n");
        for field in &self.fields {
            let Field { name, kind, .. } = field;
            let length = length_of(field);
            match self.place {
                _ if self.stays(field) => push(&mut text, format_args!("    {kind} *{name};\n")),
                Place::Registers => push(&mut text, format_args!("    {kind} (&{name}){length};\n")),
                Place::Memory => push(&mut text, format_args!("    {kind} {name}{length};\n")),
            }
        }
        push(&mut text, format_args!("    struct {name} *record;\n}};\n\n"));
        text
    }

    /// The variables of a thread.
    fn variables(&self) -> String {
        let name = &self.module.name;
        if self.place == Place::Memory {
            return format!("    {name}_parts parts;\n");
        }
        let mut text = String::new();
        for field in self.fields.iter().filter(|field| !self.stays(field)) {
            push(&mut text, format_args!("    {} {}{};\n", field.kind, field.name, length_of(field)));
        }
        let part = |field: &Field| if self.stays(field) { "0".to_string() } else { field.name.clone() };
        let parts: String = self.fields.iter().map(|field| part(field) + ", ").collect();
        push(&mut text, format_args!("    {name}_parts parts = {{{parts}0}};\n"));
        text
    }

    /// Statements that take the parts of a run from its record.
    fn loaded(&self) -> String {
        let one = |field: &Field| match self.stays(field) {
            true => format!("            {SELF}->{0} = record->{0};\n", field.name),
            false => copied("            ", &format!("{SELF}->"), "record->", field),
        };
        self.fields.iter().map(one).collect()
    }

    /// Statements by which the compiler knows the values of parameters.
    fn settled(&self, fixed: &[Fixed]) -> String {
        let Some(parameters) = self.module.find_array(protocol::PARAMETERS) else { return String::new() };
        if !self.fields.iter().any(|field| field.id == parameters) {
            return String::new();
        }
        let one = |&(at, value): &Fixed| {
            let place = member(self.module, self.usage, parameters, at);
            format!("            {SELF}->{place} = {};\n", constant(value.into()))
        };
        fixed.iter().map(one).collect()
    }

    /// A rare function: what it speaks of goes to the record and comes back, so that its copy is no burden to what is fast.
    fn in_memory(&self, id: FunctionId) -> String {
        let (module, usage) = (self.module, self.usage);
        let reached = module.reached_from(&[id]);
        let of_all = |arrays: fn(&Function) -> BTreeSet<u32>| -> BTreeSet<u32> {
            reached.iter().flat_map(|&id| arrays(module.function(id))).collect()
        };
        let is_count = |field: &Field| {
            let name = &module.array(field.id).name;
            COUNTS.iter().any(|count| name.ends_with(count))
        };
        let record = format!("{SELF}->record->");
        let all = |arrays: BTreeSet<u32>, to: &str, from: &str| -> String {
            let moved = |field: &&Field| arrays.contains(&field.id.index) && !self.stays(field) && !is_count(field);
            self.fields.iter().filter(moved).map(|field| copied("    ", to, from, field)).collect()
        };
        let there = all(of_all(Function::arrays), &record, &format!("{SELF}->"));
        // What it cannot change stays a constant where it was one.
        let back = all(of_all(Function::written), &format!("{SELF}->"), &record);
        let function = module.function(id);
        let mut arguments = vec![format!("{SELF}->record")];
        arguments.extend(function.parameters().map(|it| local(module, &function.local(it).name)));
        if function.results.len() > 1 {
            arguments.extend((0..function.results.len()).map(|at| format!("result{at}")));
        }
        let call = format!("beginning::{}({})", function_name(module, usage, id), arguments.join(", "));
        let call = match function.results[..] {
            [only] => format!("    const {} result = {call};\n{back}    return result;\n", type_name(only)),
            _ => format!("    {call};\n{back}"),
        };
        format!("\n{}\n{{\n{there}{call}}}\n", signature(module, usage, self.place.dialect(), id))
    }
}

fn length_of(field: &Field) -> String {
    field.length.map_or_else(String::new, |length| format!("[{length}]"))
}

/// A statement that copies a field from one record to another.
fn copied(indentation: &str, to: &str, from: &str, Field { name, length, .. }: &Field) -> String {
    match length {
        Some(length) => format!("{indentation}for (int i = 0; i < {length}; i++) {to}{name}[i] = {from}{name}[i];\n"),
        None => format!("{indentation}{to}{name} = {from}{name};\n"),
    }
}

fn entry_points(module: &Module, names: &[&str]) -> impl Iterator<Item = FunctionId> {
    names.iter().filter_map(|name| module.find_function(name))
}

/// The functions that a run needs to go on, those that are called first, and which of them are rare: what only these reach is not among them.
fn apart(module: &Module) -> (Vec<FunctionId>, Vec<FunctionId>) {
    let usage = Usage::of(module);
    let is_rare = |id: FunctionId| module.function(id).rare && usage.is_stateful(id);
    let mut reached = vec![false; module.functions.len()];
    entry_points(module, TO_GO).for_each(|id| reached[id.0 as usize] = true);
    let order = module.callees_first();
    for &id in order.iter().rev().filter(|&&id| !is_rare(id)) {
        if reached[id.0 as usize] {
            module.function(id).callees().into_iter().for_each(|callee| reached[callee.0 as usize] = true);
        }
    }
    let going: Vec<FunctionId> = order.into_iter().filter(|id| reached[id.0 as usize]).collect();
    let rare = going.iter().copied().filter(|&id| is_rare(id)).collect();
    (going, rare)
}

/// The fields that these functions, as far as they are not rare, and the kernels speak of.
fn spoken_of(module: &Module, usage: &Usage, going: &[FunctionId]) -> Vec<Field> {
    let mut arrays: BTreeSet<u32> =
        going.iter().filter(|&&id| !module.function(id).rare).flat_map(|&id| module.function(id).arrays()).collect();
    arrays.extend(OF_KERNELS.iter().filter_map(|name| module.find_array(name)).map(|id| id.index));
    fields(module, usage).into_iter().filter(|field| arrays.contains(&field.id.index)).collect()
}

/// How large the entry points among these functions become if every function is copied to where it is called.
fn copied_size(module: &Module, going: &[FunctionId]) -> f64 {
    let mut sizes = vec![0.0; module.functions.len()];
    for &id in going {
        let function = module.function(id);
        let inner: f64 = function.callees().into_iter().map(|callee| sizes[callee.0 as usize]).sum();
        sizes[id.0 as usize] = if function.rare { 0.0 } else { function.size() as f64 + inner };
    }
    entry_points(module, TO_GO).map(|id| sizes[id.0 as usize]).sum()
}

/// Where an input is in a record.
fn input_function(module: &Module, usage: &Usage, interface: &Interface) -> String {
    let name = &module.name;
    let mut text = format!("{}double *{name}_input({name} &record, int64_t input)\n{{\n", BEGINNING.function);
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

fn kernels(module: &Module, usage: &Usage, interface: &Interface, parts: &Parts, fixed: &[Fixed]) -> String {
    let outputs = module.find_array(protocol::OUTPUTS).filter(|_| !interface.outputs.is_empty());
    let output =
        outputs.map_or_else(|| "0".to_string(), |id| format!("(&{SELF}->{})[i]", member(module, usage, id, 0)));
    interface
        .choose_lines(ENSEMBLE)
        .replace("@DECLARED@", &parts.variables())
        .replace("@LOADED@", &(parts.loaded() + &parts.settled(fixed)))
        .replace("@OUTPUTS@", &interface.outputs.len().to_string())
        .replace("@OUTPUT@", &output)
        .replace("@AT_A_TIME@", parts.place.trials())
        .replace("@LAST_EVENT@", &(EVENTS - 1).to_string())
        .replace("@MOST_EVENTS@", &MOST_EVENTS.to_string())
        .replace("@THREADS@", &THREADS.to_string())
        .replace("@BLOCKS@", &BLOCKS.to_string())
        .replace("@NAME@", &module.name)
}

fn row(input: &Input) -> String {
    let (low, high) = input.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let [scale, low, high] = [input.scale, low, high].map(|value| constant(value.into()));
    format!("    {{{}, {scale}, {low}, {high}}},\n", literal(&input.name))
}
