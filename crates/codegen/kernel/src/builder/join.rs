//! Modules side by side in one: arrays and functions of guests are taken in under other names.

use super::ModuleBuilder;
use crate::{Array, ArrayId, Block, Expression, Function, FunctionId, Module, Statement, Usage};

/// Takes guests into a module, one after the other. What is the same in several of them is there once: tables that never change, the memory of guests
/// that are never present at the same time, and functions that do the same with the same memory.
#[derive(Default)]
pub struct Joiner {
    tables: Vec<ArrayId>,
    common: Vec<FunctionId>,
    /// The memory of earlier guests: in which frame, and what an array was called there.
    frames: Vec<(Frame, String, ArrayId)>,
}

/// Guests of one frame are never present at the same time, and set what they read when they become present: they share arrays of one name and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame(pub usize);

/// What became of the arrays and functions of a guest; none of what nobody needs.
pub struct Guest {
    pub arrays: Vec<Option<ArrayId>>,
    pub functions: Vec<Option<FunctionId>>,
}

impl Guest {
    pub fn array(&self, id: ArrayId) -> Option<ArrayId> {
        self.arrays[id.index as usize]
    }

    pub fn function(&self, id: FunctionId) -> Option<FunctionId> {
        self.functions[id.0 as usize]
    }
}

impl Joiner {
    /// Takes in some functions of a guest, and all that they need. `place` gives the array of the host that stands for one of the guest's,
    /// or none if it is one of its frame; `name` is the new name of what this guest is the first to have.
    pub fn take_in(
        &mut self,
        host: &mut ModuleBuilder,
        guest: &Module,
        (wanted, frame): (&[FunctionId], Frame),
        place: impl Fn(&Array) -> Option<ArrayId>,
        name: impl Fn(&str) -> String,
    ) -> Guest {
        let needed = needed(guest, wanted);
        let usage = Usage::of(guest);
        let mut spoken_of = vec![false; guest.arrays.len()];
        for id in guest.function_ids().filter(|id| needed[id.0 as usize]) {
            visit(&guest.function(id).body, &mut |array| spoken_of[array.index as usize] = true);
        }
        let mut joined = Guest { arrays: vec![None; guest.arrays.len()], functions: vec![None; guest.functions.len()] };
        for id in guest.array_ids().filter(|id| spoken_of[id.index as usize]) {
            let array = guest.array(id);
            let is_table = usage.shape(id) == crate::Shape::Constant;
            joined.arrays[id.index as usize] = Some(match place(array) {
                Some(shared) => shared,
                None if is_table => self.table(host, array),
                None => self.framed(host, frame, array, &name),
            });
        }
        for id in guest.callees_first().into_iter().filter(|id| needed[id.0 as usize]) {
            let mut function = guest.function(id).clone();
            redirect(&mut function.body, &joined);
            if usage.is_stateful(id) {
                function.name = name(&function.name);
            }
            joined.functions[id.0 as usize] = Some(self.common(host, function));
        }
        joined
    }

    fn framed(
        &mut self,
        host: &mut ModuleBuilder,
        frame: Frame,
        array: &Array,
        name: &impl Fn(&str) -> String,
    ) -> ArrayId {
        let same = |(known, called, id): &&(Frame, String, ArrayId)| {
            let there = host.module.array(*id);
            (*known, called) == (frame, &array.name)
                && (there.element, there.length) == (array.element, array.length)
                && (&there.initial, &there.slots) == (&array.initial, &array.slots)
        };
        if let Some((_, _, known)) = self.frames.iter().find(same) {
            return *known;
        }
        let id = host.adopt_array(Array { name: name(&array.name), ..array.clone() });
        self.frames.push((frame, array.name.clone(), id));
        id
    }

    fn table(&mut self, host: &mut ModuleBuilder, array: &Array) -> ArrayId {
        let same = |id: &&ArrayId| {
            let known = host.module.array(**id);
            known.element == array.element && known.initial == array.initial
        };
        if let Some(&known) = self.tables.iter().find(same) {
            return known;
        }
        let id = host.adopt_array(array.clone());
        self.tables.push(id);
        id
    }

    fn common(&mut self, host: &mut ModuleBuilder, function: Function) -> FunctionId {
        let same = |id: &&FunctionId| {
            let known = host.module.function(**id);
            known.results == function.results
                && known.parameter_count == function.parameter_count
                && known.locals == function.locals
                && known.body == function.body
        };
        if let Some(&known) = self.common.iter().find(same) {
            return known;
        }
        let id = host.adopt(function);
        self.common.push(id);
        id
    }
}

impl ModuleBuilder {
    /// A whole function, whose arrays and functions are those of this module.
    fn adopt(&mut self, function: Function) -> FunctionId {
        let name = self.names.claim(&function.name);
        self.module.functions.push(Function { name, ..function }.into());
        self.defined.push(true);
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    fn adopt_array(&mut self, array: Array) -> ArrayId {
        let (name, element) = (self.names.claim(&array.name), array.element);
        self.module.arrays.push(Array { name, ..array });
        ArrayId { index: self.module.arrays.len() as u32 - 1, element }
    }
}

/// The functions that some functions call, directly or not, and themselves.
fn needed(module: &Module, wanted: &[FunctionId]) -> Vec<bool> {
    let mut needed = vec![false; module.functions.len()];
    let mut open = wanted.to_vec();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut needed[id.0 as usize], true) {
            open.extend(module.function(id).callees());
        }
    }
    needed
}

fn visit(block: &Block, seen: &mut impl FnMut(ArrayId)) {
    fn expression(it: &Expression, seen: &mut impl FnMut(ArrayId)) {
        if let Expression::Load { array, .. } = it {
            seen(*array);
        }
        it.children().iter().for_each(|child| expression(child, seen));
    }
    for statement in block {
        if let Statement::Store { array, .. } = statement {
            seen(*array);
        }
        statement.expressions().for_each(|it| expression(it, seen));
        statement.blocks().for_each(|inner| visit(inner, seen));
    }
}

/// Lets a block speak of the host's arrays and functions.
fn redirect(block: &mut Block, joined: &Guest) {
    let array = |id: ArrayId| joined.array(id).expect("an array that is spoken of");
    fn expression(it: &mut Expression, array: &impl Fn(ArrayId) -> ArrayId) {
        match it {
            Expression::Constant(_) | Expression::Local(_) => {}
            Expression::Load { array: id, index } => {
                *id = array(*id);
                expression(index, array);
            }
            Expression::Apply { operands, .. } => operands.iter_mut().for_each(|operand| expression(operand, array)),
        }
    }
    for statement in block {
        match statement {
            Statement::Assign(_, value) => expression(value, &array),
            Statement::Store { array: id, index, value } => {
                *id = array(*id);
                expression(index, &array);
                expression(value, &array);
            }
            Statement::If { condition, .. } | Statement::While { condition, .. } => expression(condition, &array),
            Statement::Switch { index, .. } => expression(index, &array),
            Statement::For { from, to, .. } => {
                expression(from, &array);
                expression(to, &array);
            }
            Statement::Call { function, arguments, .. } => {
                *function = joined.function(*function).expect("what is called comes first");
                arguments.iter_mut().for_each(|argument| expression(argument, &array));
            }
            Statement::Foreign { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| expression(argument, &array));
            }
            Statement::Return(values) => values.iter_mut().for_each(|value| expression(value, &array)),
            Statement::Break | Statement::Note(_) => {}
        }
        statement.blocks_mut().for_each(|inner| redirect(inner, joined));
    }
}
