//! Which memory accesses cannot meet: different arrays, and different elements where all indices are constant.
//!
//! The code generator is told by *alias regions*. Within one it forgets what it knows about memory at every store.

use cranelift_codegen::ir::{self, AliasRegion, AliasRegionData, MemFlagsData};
use kernel::{ArrayId, Block, Expression, Function, Module, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The arrays that the program writes; the others keep their values during a call.
pub struct WrittenArrays(BTreeSet<u32>);

impl WrittenArrays {
    pub fn new(module: &Module) -> WrittenArrays {
        let mut written = BTreeSet::new();
        for function in &module.functions {
            visit(&function.body, &mut |statement| {
                if let Statement::Store { array, .. } = statement {
                    written.insert(array.index);
                }
            });
        }
        WrittenArrays(written)
    }

    pub fn contains(&self, array: ArrayId) -> bool {
        self.0.contains(&array.index)
    }
}

/// With more regions the code generator's own bookkeeping becomes slow.
const MOST_ELEMENT_REGIONS: usize = 256;

/// The regions of one function.
pub struct Regions {
    /// The arrays that are split into their elements.
    split: BTreeSet<u32>,
    /// By array, and by element if the array is split.
    known: BTreeMap<(u32, i64), AliasRegion>,
}

impl Regions {
    pub fn new(function: &Function) -> Regions {
        let elements = constant_elements(function);
        let fits = elements.values().map(BTreeSet::len).sum::<usize>() <= MOST_ELEMENT_REGIONS;
        let split = if fits { elements.into_keys().collect() } else { BTreeSet::new() };
        Regions { split, known: BTreeMap::new() }
    }

    /// The flags of an access to an array in the function that is being translated.
    pub fn flags(
        &mut self,
        array: ArrayId,
        constant_index: Option<i64>,
        written: &WrittenArrays,
        function: &mut ir::Function,
    ) -> MemFlagsData {
        if !written.contains(array) {
            let flags = MemFlagsData::trusted().with_readonly();
            // A computed index may be in range only behind the condition that guards it.
            return if constant_index.is_some() { flags.with_can_move() } else { flags };
        }
        let element = if self.split.contains(&array.index) { constant_index.unwrap_or(0) } else { 0 };
        let next = self.known.len() as u32;
        let region = *self.known.entry((array.index, element)).or_insert_with(|| {
            let description = format!("array {} element {element}", array.index).into();
            function.dfg.alias_regions.insert(AliasRegionData { user_id: next, description })
        });
        MemFlagsData::trusted().with_alias_region(Some(region))
    }
}

/// The arrays that a function speaks of.
pub fn arrays_in(function: &Function) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    visit(&function.body, &mut |statement| {
        if let Statement::Store { array, .. } = statement {
            found.insert(array.index);
        }
        let mut add = |array: ArrayId, _: &Expression| {
            found.insert(array.index);
        };
        statement.expressions().for_each(|expression| loads(expression, &mut add));
    });
    found
}

/// The elements that the function touches, for the arrays that it touches at constant indices only.
fn constant_elements(function: &Function) -> BTreeMap<u32, BTreeSet<i64>> {
    let mut elements: BTreeMap<u32, BTreeSet<i64>> = BTreeMap::new();
    let mut computed = BTreeSet::new();
    let mut access = |array: ArrayId, index: &Expression| match index.as_integer() {
        Some(element) => drop(elements.entry(array.index).or_default().insert(element)),
        None => drop(computed.insert(array.index)),
    };
    visit(&function.body, &mut |statement| {
        if let Statement::Store { array, index, .. } = statement {
            access(*array, index);
        }
        statement.expressions().for_each(|expression| loads(expression, &mut access));
    });
    elements.retain(|array, _| !computed.contains(array));
    elements
}

fn visit(block: &Block, look: &mut impl FnMut(&Statement)) {
    for statement in block {
        look(statement);
        statement.blocks().for_each(|inner| visit(inner, look));
    }
}

fn loads(expression: &Expression, access: &mut impl FnMut(ArrayId, &Expression)) {
    if let Expression::Load { array, index } = expression {
        access(*array, index);
    }
    expression.children().iter().for_each(|child| loads(child, access));
}
