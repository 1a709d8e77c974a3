//! A module that grew: what its memory was before is what it is after, where both know it.

use crate::{Memory, Module, Shape, Usage};

/// The memory of a module that grew out of another, which was in this memory: arrays are known by their names. Tables beside the code are those
/// of the new module; what is new is as at the beginning.
pub fn carry_over(old: &Module, memory: &Memory, new: &Module) -> Memory {
    let (before, after, usage) = (old.layout(), new.layout(), Usage::of(new));
    let mut carried = new.initial_memory();
    for id in new.array_ids().filter(|&id| usage.shape(id) != Shape::Constant) {
        let array = new.array(id);
        let Some(known) = old.find_array(&array.name).filter(|known| known.element == array.element) else { continue };
        let length = array.length.min(old.array(known).length);
        let (from, to) = (before.offset(known), after.offset(id));
        carried.cells_mut()[to..to + length].copy_from_slice(&memory.cells()[from..from + length]);
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FunctionId, Interpreter, Machine, parse};

    #[test]
    fn what_was_counted_stays_and_tables_are_new() {
        let text = |table: &str, more: &str| {
            format!(
                "module m; array step: integer[1] = [{table}]; {more} array count: integer[1];\n\
                 fn add() -> integer {{ count[0] = count[0] + step[0]; return count[0]; }}"
            )
        };
        let [old, new] =
            [("2", ""), ("5", "array other: real[3];")].map(|(table, more)| parse(&text(table, more)).unwrap());
        let mut memory = old.initial_memory();
        let add = |module: &Module, memory: &mut Memory| {
            Interpreter::new(module).call_integer(FunctionId(0), &[], memory).unwrap()
        };
        assert_eq!(add(&old, &mut memory), 2);
        let mut memory = carry_over(&old, &memory, &new);
        assert_eq!(add(&new, &mut memory), 7);
    }
}
