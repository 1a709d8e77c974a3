//! One entry point of a module for several memories at a time, one in each lane of the machine's vectors, in C with the vector types that gcc
//! and clang share.
//!
//! Every statement is done for all lanes at once, under a mask that says for which of them it counts; both ways of an `if` are gone where lanes
//! disagree, and a loop goes on while one lane is in it. No operation mixes lanes, and each is the one of the program in C, so that every lane
//! has the bits of a call by itself. Names are numbered: nobody reads this text, and none of them can meet another.

mod expression;
mod function;
mod uniform;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use kernel::{ArrayId, Function, FunctionId, Local, Module, Shape, Type, Usage};

use crate::dialect;
use crate::memory::{push, tables, type_name};
use uniform::Uniform;

const PRELUDE: &str = include_str!("../text/lanes.h");

/// A program for several memories at a time.
pub struct Lanes {
    /// Needs `LANES`, the number of lanes, as a macro.
    pub source: String,
    /// Where arrays are: their cells in a memory, and the first of their vectors in the record.
    pub arrays: Vec<(Range<usize>, usize)>,
    /// How many vectors the record has. The first of them are addresses of memories, in which arrays stay that lanes only use at places of their own.
    pub vectors: usize,
}

/// The function of the record, the lanes that take part (a bit for each), and vectors of arguments and results.
pub const ENTRY: &str = "lanes_call";

/// Shorter arrays lie side by side in any case.
const LONG: usize = 64;

/// Needs: a verified module.
pub fn lanes(module: &Module, entry: FunctionId) -> Lanes {
    // What is set from outside is known by its name.
    let usage = Usage::of(module);
    let module = numbered(module);
    let functions = module.reached_from(&[entry]);
    let uniform = Uniform::of(&module, &usage, &functions, entry);
    let layout = module.layout();
    let mut record = Record { vectors: 1, arrays: Vec::new(), text: String::new(), places: Vec::new() };
    for id in module.array_ids() {
        let place = match (usage.shape(id), uniform.access(id)) {
            (Shape::Constant, _) => Place::Table,
            (_, uniform::Access::None) => Place::Unused,
            (_, uniform::Access::Scattered) if module.array(id).length > LONG => Place::Apart(layout.offset(id)),
            _ => record.place(&module, id, layout.range(id)),
        };
        record.places.push(place);
    }
    let mut helpers = BTreeSet::new();
    let program = Program { module: &module, usage: &usage, uniform: &uniform, places: &record.places };
    let definitions: String = functions.iter().map(|&id| function::definition(&program, id, &mut helpers)).collect();
    let mut source = String::from(PRELUDE);
    push(&mut source, format_args!("typedef struct {{\n    int64_t *apart[LANES];\n{}}} record;\n\n", record.text));
    helpers.iter().for_each(|helper| push(&mut source, format_args!("static inline {}\n\n", helper.definition)));
    source += &tables(&module, &usage, &dialect::C);
    source += &definitions;
    source += &function::entry(&module, entry);
    Lanes { source, arrays: record.arrays, vectors: record.vectors }
}

/// What functions are written from.
struct Program<'m> {
    module: &'m Module,
    usage: &'m Usage,
    uniform: &'m Uniform,
    places: &'m [Place],
}

impl Program<'_> {
    fn place(&self, array: ArrayId) -> Place {
        self.places[array.index as usize]
    }
}

/// Where an array is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nobody speaks of it.
    Unused,
    /// Beside the functions, since it never changes.
    Table,
    /// In the record, a vector for each element.
    Record,
    /// In the memories, from a cell on.
    Apart(usize),
}

struct Record {
    vectors: usize,
    arrays: Vec<(Range<usize>, usize)>,
    text: String,
    places: Vec<Place>,
}

impl Record {
    fn place(&mut self, module: &Module, id: ArrayId, cells: Range<usize>) -> Place {
        let array = module.array(id);
        let length = array.length.max(1);
        push(&mut self.text, format_args!("    {} {}[{length}];\n", vector(array.element), array.name));
        self.arrays.push((cells, self.vectors));
        self.vectors += length;
        Place::Record
    }
}

/// The type of a vector of such values.
fn vector(kind: Type) -> &'static str {
    match kind {
        Type::Real => "reals",
        Type::Integer => "integers",
    }
}

/// The end of the name of what exists for both types.
fn of(kind: Type) -> &'static str {
    match kind {
        Type::Real => "real",
        Type::Integer => "integer",
    }
}

/// A copy in which names begin with a letter and a number that no other has.
fn numbered(module: &Module) -> Module {
    let mut copy = module.clone();
    for (at, array) in copy.arrays.iter_mut().enumerate() {
        array.name = format!("a{at}_{}", array.name);
        // Elements are spoken of by their places.
        array.slots = Vec::new();
    }
    let function = |(at, function): (usize, &Arc<Function>)| {
        let local = |(at, local): (usize, &Local)| Local { name: format!("x{at}_{}", local.name), kind: local.kind };
        let mut copy = function.as_ref().clone();
        copy.name = format!("f{at}_{}", function.name);
        copy.locals = function.locals.iter().enumerate().map(local).collect();
        Arc::new(copy)
    };
    copy.functions = module.functions.iter().enumerate().map(function).collect();
    copy
}

fn scalar(kind: Type) -> &'static str {
    type_name(kind)
}
