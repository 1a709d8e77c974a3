//! Names are identifiers and unique: arrays and functions in the module, elements in their array, locals in their function.

use super::{Fault, Problem};
use crate::text::{is_identifier, is_keyword};
use crate::{Function, Module};
use rustc_hash::FxHashSet;

pub fn check(module: &Module, functions: &[&Function], faults: &mut Vec<Fault>) {
    let arrays = module.arrays.iter().map(|array| array.name.as_str());
    let names = module.functions.iter().map(|function| function.name.as_str());
    faults.extend(problems(std::iter::once(module.name.as_str())).map(Fault::outside));
    faults.extend(problems(arrays.chain(names)).map(Fault::outside));
    for array in &module.arrays {
        faults.extend(problems(array.slots.iter().map(|slot| slot.name.as_str())).map(Fault::outside));
    }
    for &function in functions {
        let locals = function.locals.iter().map(|local| local.name.as_str());
        faults.extend(problems(locals).map(|problem| Fault::of_function(function, problem)));
    }
}

/// What is wrong with the names of one scope.
fn problems<'m>(names: impl Iterator<Item = &'m str>) -> impl Iterator<Item = Problem> {
    let mut taken = FxHashSet::default();
    names.filter_map(move |name| {
        if !is_identifier(name) || is_keyword(name) {
            Some(Problem::NotAName(name.into()))
        } else if !taken.insert(name) {
            Some(Problem::NameTaken(name.into()))
        } else {
            None
        }
    })
}
